//! HTTP: whatever a client sends, the next one is answered.

use super::lab::LAB;
use errare_lab::BenchRequest;
use errare_server::Server;
use errare_work::Silent;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

/// How long a client waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that runs until the tests end.
static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let server = Server::bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("an address");
    let address = server.address();
    let lab = LAB.1.clone();
    let bench = lab.rating_bench(&BenchRequest::default(), &Silent).expect("a bench without turns");
    thread::spawn(move || server.serve(lab, bench, &Silent));
    address
});

/// Sends a request and reads the answer. A request that may be cut short says that nothing more comes; a server may hang
/// up on a client that does, so whole ones do not.
fn answer(request: &[u8], is_whole: bool) -> Vec<u8> {
    let mut stream = TcpStream::connect(*ADDRESS).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // The server may hang up before all is sent.
    let sent = stream.write_all(request);
    if sent.is_ok() && !is_whole {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// A request of any bytes.
pub fn request(bytes: &[u8]) {
    let answered = answer(bytes, false);
    let text = String::from_utf8_lossy(&answered);
    assert!(!text.starts_with("HTTP/1.1 500"), "{text}");
    let good = format!("GET /api/v1/schema HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", *ADDRESS);
    let next = answer(good.as_bytes(), true);
    assert!(next.starts_with(b"HTTP/1.1 200"), "the next client: {}", String::from_utf8_lossy(&next));
}
