//! Connections: a bounded number at once, each for one request and a bounded time.

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

/// Number of connections at once. More wait until one ends.
const MAX_CONNECTIONS: u32 = 128;

/// How long a client may take to send the head of its request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection may last: longer than anybody waits for an answer.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(180);

/// How long the last answers may take once the server is told to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// How often the server asks whether it should stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The greatest size of a request's head, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// Serves until told to stop.
pub async fn serve(listener: TcpListener, router: Router, stop: &dyn Progress) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
    let accepting = task::spawn(accept(listener, router, Arc::clone(&places)));
    while !stop.is_cancelled() {
        sleep(STOP_INTERVAL).await;
    }
    accepting.abort();
    // All places are free when all connections have ended.
    drop(timeout(SHUTDOWN_TIMEOUT, places.acquire_many(MAX_CONNECTIONS)).await);
}

async fn accept(listener: TcpListener, router: Router, places: Arc<Semaphore>) {
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                task::spawn(async move {
                    drop(timeout(CONNECTION_TIMEOUT, speak(stream, router)).await);
                    drop(place);
                });
            }
            // Of the connection, or of a system that has no files left: to try again at once would not help.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Speaks with one client. Whether the connection fails is nobody else's concern.
async fn speak(stream: TcpStream, router: Router) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD).keep_alive(false);
    drop(http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await);
}
