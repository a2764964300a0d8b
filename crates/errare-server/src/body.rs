//! The bodies of requests: JSON, of a bounded size and in a bounded time.

use crate::refusal::Refusal;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use std::time::Duration;
use tokio::time::timeout;

/// The most bytes of a request's body.
pub const LARGEST_BODY: usize = 64 << 10;

/// How long a client may take to send its body.
const SENDING: Duration = Duration::from_secs(10);

/// Waits until the body of a request has arrived, and returns the request with it in memory.
pub async fn arrived(request: Request) -> Result<Request, Refusal> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let sentence = format!("invalid content type `{kind}`: expected application/json");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let (head, body) = request.into_parts();
    match timeout(SENDING, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => {
            let sentence = format!("the request cannot be read: it has more than {LARGEST_BODY} bytes, or ends early");
            Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence))
        }
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request takes too long to arrive")),
    }
}
