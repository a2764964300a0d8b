//! The bodies of requests: JSON, of a bounded size and in a bounded time.

use crate::refusal::Refusal;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The greatest number of bytes of the bodies of most requests.
pub const LARGEST_BODY: usize = 64 << 10;

/// The greatest number of bytes of a request that brings games.
pub const LARGEST_UPLOAD: usize = 64 << 20;

/// The operations that games are brought to, as jobs.
pub const UPLOADS: [&str; 2] = ["/api/v1/jobs/assess", "/api/v1/jobs/rate-games"];

/// The uploads that may arrive at once: each takes memory for all of its bytes.
static ARRIVING: Semaphore = Semaphore::const_new(2);

/// The time that a client may take to send its body, and the time to send games.
const SENDING: Duration = Duration::from_secs(10);
const UPLOADING: Duration = Duration::from_secs(120);

/// The greatest number of bytes that are read and thrown away of a body that is too large, so that a browser which is
/// still sending gets to read the reason.
const DISCARDED: usize = 512 << 20;

/// Waits until the body of a request has arrived, and returns the request with it in memory.
pub async fn arrived(request: Request) -> Result<Request, Refusal> {
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let is_large = announced.is_some_and(|length: usize| length > LARGEST_BODY);
    let most = if UPLOADS.contains(&request.uri().path()) { LARGEST_UPLOAD } else { LARGEST_BODY };
    let (head, body) = request.into_parts();
    if announced.is_some_and(|length| length > most) {
        drop(timeout(SENDING, discard(body)).await);
        return Err(too_large(most));
    }
    let _place = if is_large { ARRIVING.acquire().await.ok() } else { None };
    match timeout(if is_large { UPLOADING } else { SENDING }, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(too_large(most)),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request takes too long to arrive")),
    }
}

fn too_large(most: usize) -> Refusal {
    let most = match most {
        LARGEST_UPLOAD => format!("{} MB", LARGEST_UPLOAD >> 20),
        _ => format!("{} KB", LARGEST_BODY >> 10),
    };
    let sentence = format!("the request is too large, or ends early: expected at most {most}");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
}

/// Reads a body to its end, or as far as can be expected of us, and keeps nothing of it.
async fn discard(mut body: Body) {
    let mut read = 0;
    while read < DISCARDED
        && let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await
    {
        read += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Refuses a body whose content type is not JSON.
fn check_kind(request: &Request) -> Result<(), Refusal> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let sentence = format!("invalid content type `{kind}`: expected application/json");
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence))
}

/// Reads the JSON object in the body of a request that has arrived. A list is refused, though serde would read its
/// items as the fields of a structure.
pub async fn json<T: DeserializeOwned>(request: Request) -> Result<T, Refusal> {
    check_kind(&request)?;
    let bytes = to_bytes(request.into_body(), LARGEST_UPLOAD).await;
    let bytes = bytes.map_err(|_| Refusal::bad("the request cannot be read"))?;
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(Refusal::bad("invalid request: expected a JSON object, found a list"));
    }
    serde_json::from_slice(&bytes).map_err(|error| Refusal::bad(format!("invalid JSON: {error}")))
}
