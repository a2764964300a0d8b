//! Connections: so many at once, each for one request and not for ever.

use axum::Router;
use errare_work::Progress;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::{sleep, timeout};

/// Connections at once. More wait until one ends.
const MOST: u32 = 128;

/// How long a client may take to say what it wants.
const ASKING: Duration = Duration::from_secs(10);

/// How long all of it may take: longer than anybody waits for an answer.
const WHOLE: Duration = Duration::from_secs(180);

/// How long the last answers may take once the server is told to end.
const LEAVING: Duration = Duration::from_millis(500);

/// How often the server asks whether it should end.
const WATCHING: Duration = Duration::from_millis(50);

/// The most bytes of a request's head.
const LARGEST: usize = 16 << 10;

/// Serves until told to stop.
pub async fn serve(listener: TcpListener, router: Router, stop: &dyn Progress) {
    let places = Arc::new(Semaphore::new(MOST as usize));
    let accepting = task::spawn(accept(listener, router, Arc::clone(&places)));
    while !stop.is_cancelled() {
        sleep(WATCHING).await;
    }
    accepting.abort();
    // All places are free when all connections have ended.
    drop(timeout(LEAVING, places.acquire_many(MOST)).await);
}

async fn accept(listener: TcpListener, router: Router, places: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                task::spawn(async move {
                    drop(timeout(WHOLE, speak(stream, router)).await);
                    drop(place);
                });
            }
            // Of the connection, or of a system that has no files left: to try again at once would not help.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// A connection that fails is its client's affair.
async fn speak(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(ASKING).max_buf_size(LARGEST).keep_alive(false);
    drop(http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await);
}
