//! Connections: a bounded number at once, each for one request and a bounded time.
//!
//! Whoever connects and says nothing takes nobody's place: only a request that has arrived whole gets one, and of the
//! connections that wait for theirs the oldest is closed when there are too many.

use crate::refusal::Refusal;
use axum::Router;
use axum::response::Response;
use errare_work::Progress;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{self, AbortHandle};
use tokio::time::{sleep, timeout};

/// Number of requests that are answered at once. More are refused.
const MAX_REQUESTS: u32 = 256;

/// Number of connections whose request has not arrived. The oldest is closed when one more comes.
const MAX_IDLE: usize = 256;

/// How long a client may take to send the head of its request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection may last: longer than anybody waits for an answer.
pub const CONNECTION_TIMEOUT: Duration = Duration::from_secs(180);

/// How long the last answers may take once the server is asked to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

/// How often the server asks whether it should stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The greatest size of a request's head, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The connection of a request. Clones stand for the same connection.
#[derive(Clone)]
pub struct Connection(Arc<State>);

struct State {
    places: Arc<Semaphore>,
    has_arrived: AtomicBool,
    /// The request's place among those that are answered, once the whole request is there.
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Connection {
    fn new(places: &Arc<Semaphore>) -> Connection {
        let place = Mutex::default();
        Connection(Arc::new(State { places: Arc::clone(places), has_arrived: AtomicBool::new(false), place }))
    }

    /// Takes a place for a request that has arrived whole, if there is one.
    pub fn take_place(&self) -> Result<(), Refusal> {
        self.0.has_arrived.store(true, Ordering::Relaxed);
        let place = Arc::clone(&self.0.places).try_acquire_owned();
        let place = place.map_err(|_| Refusal::busy("too many requests at once: ask again"))?;
        *self.0.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
        Ok(())
    }

    fn has_arrived(&self) -> bool {
        self.0.has_arrived.load(Ordering::Relaxed)
    }
}

/// Serves clients until asked to stop.
pub async fn serve(listener: TcpListener, router: Router, stop: &dyn Progress) {
    let places = Arc::new(Semaphore::new(MAX_REQUESTS as usize));
    let accepting = task::spawn(accept(listener, router, Arc::clone(&places)));
    while !stop.is_cancelled() {
        sleep(STOP_INTERVAL).await;
    }
    accepting.abort();
    // All places are free when all requests have been answered.
    drop(timeout(SHUTDOWN_TIMEOUT, places.acquire_many(MAX_REQUESTS)).await);
}

async fn accept(listener: TcpListener, router: Router, places: Arc<Semaphore>) {
    let mut idle: VecDeque<(Connection, AbortHandle)> = VecDeque::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                idle.retain(|(connection, task)| !connection.has_arrived() && !task.is_finished());
                if idle.len() >= MAX_IDLE
                    && let Some((_, oldest)) = idle.pop_front()
                {
                    oldest.abort();
                }
                let connection = Connection::new(&places);
                let speaking = speak(stream, router.clone(), connection.clone());
                let task = task::spawn(async move { drop(timeout(CONNECTION_TIMEOUT, speaking).await) });
                idle.push_back((connection, task.abort_handle()));
            }
            // Of the connection, or of a system that has no files left: to try again at once would not help.
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Speaks with one client. A connection that fails concerns nobody else.
async fn speak(stream: TcpStream, router: Router, connection: Connection) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD).keep_alive(false);
    let answering = Answering { router: TowerToHyperService::new(router), connection: connection.clone() };
    drop(http.serve_connection(TokioIo::new(stream), answering).await);
    drop(connection.0.place.lock().unwrap_or_else(PoisonError::into_inner).take());
}

/// The router, together with the connection that each request comes by.
struct Answering {
    router: TowerToHyperService<Router>,
    connection: Connection,
}

impl Service<Request<Incoming>> for Answering {
    type Response = Response;
    type Error = Infallible;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.connection.clone());
        self.router.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use crate::guard::{Door, guard};
    use crate::hosts::Hosts;
    use axum::middleware;
    use axum::routing::get;
    use errare_work::Cancel;
    use std::io::{Read, Write};
    use std::thread;
    use tokio::runtime::Builder;

    #[test]
    fn a_panic_in_a_handler_ends_neither_the_server_nor_without_an_answer() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let door = Arc::new(Door { hosts: Hosts::new(address.ip(), Vec::new()), access: Access::Everybody });
        let router = Router::new()
            .route("/api/panic", get(async || -> &'static str { panic!("a secret") }))
            .route("/fine", get(async || "fine"))
            .layer(middleware::from_fn_with_state(door, guard));
        let stop = Cancel::new();
        let serving = {
            let stop = stop.clone();
            thread::spawn(move || {
                let runtime = Builder::new_current_thread().enable_io().enable_time().build().unwrap();
                runtime.block_on(async {
                    serve(TcpListener::from_std(listener).unwrap(), router, &stop).await;
                });
            })
        };
        let ask = |path: &str| {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).unwrap();
            reply
        };
        let broken = ask("/api/panic");
        assert!(broken.starts_with("HTTP/1.1 500 "), "{broken}");
        assert!(broken.contains("\"detail\":\"internal error (a bug in errare)"), "{broken}");
        assert!(!broken.contains("secret") && !broken.contains("panicked"), "{broken}");
        assert!(ask("/fine").ends_with("fine"));
        stop.cancel();
        serving.join().unwrap();
    }
}
