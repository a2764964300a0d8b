//! The progress of a job as server-sent events.

use crate::connections::CONNECTION_TIMEOUT;
use crate::job_status::JobStatus;
use crate::jobs::Job;
use crate::refusal::Refusal;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

/// The greatest number of streams at once.
const MAX_STREAMS: usize = 32;

/// The least time between two events.
const INTERVAL: Duration = Duration::from_millis(200);

/// The time without news after which a comment shows that the stream is alive.
const SILENCE: Duration = Duration::from_secs(15);

/// The lifetime of a stream, which ends before its connection is ended. Browsers then connect again.
const LIFETIME: Duration = CONNECTION_TIMEOUT.saturating_sub(Duration::from_secs(30));

/// The streams of events, of which a bounded number may be open.
pub struct Streams(Arc<Semaphore>);

impl Default for Streams {
    fn default() -> Streams {
        Streams(Arc::new(Semaphore::new(MAX_STREAMS)))
    }
}

impl Streams {
    /// Opens a stream of a job's events, from its present status until the job has finished.
    pub fn open(&self, job: &Job) -> Result<Response, Refusal> {
        let place = Arc::clone(&self.0).try_acquire_owned();
        let place = place.map_err(|_| Refusal::busy("too many streams of events at once: ask again"))?;
        let source = Source { status: job.status.subscribe(), is_first: true, end: Instant::now() + LIFETIME };
        let events = Events { next: Box::pin(source.next()), _place: place };
        Ok(([(CONTENT_TYPE, "text/event-stream")], Body::new(events)).into_response())
    }
}

type Next = Pin<Box<dyn Future<Output = Option<(Bytes, Option<Source>)>> + Send>>;

/// A body that is sent event by event.
struct Events {
    next: Next,
    _place: OwnedSemaphorePermit,
}

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.next.as_mut().poll(context).map(|found| {
            let (bytes, rest) = found?;
            self.next = match rest {
                Some(source) => Box::pin(source.next()),
                None => Box::pin(async { None }),
            };
            Some(Ok(Frame::data(bytes)))
        })
    }
}

/// The source of the next event.
struct Source {
    status: watch::Receiver<JobStatus>,
    is_first: bool,
    end: Instant,
}

impl Source {
    /// The next event, and the source of those after it; none at the end.
    async fn next(mut self) -> Option<(Bytes, Option<Source>)> {
        let left = self.end.checked_duration_since(Instant::now())?;
        if !self.is_first {
            match timeout(SILENCE.min(left), self.status.changed()).await {
                Err(_) => return Some((Bytes::from_static(b": working\n\n"), Some(self))),
                // Whatever was written last is worth telling even if nobody can write any more.
                Ok(Err(_)) if !self.status.has_changed().unwrap_or(false) => return None,
                Ok(_) => sleep(INTERVAL).await,
            }
        }
        self.is_first = false;
        let status = self.status.borrow_and_update().clone();
        let bytes = event(&status)?;
        let is_last = status.state.is_final();
        Some((bytes, (!is_last).then_some(self)))
    }
}

/// Formats a status as an event: `progress`, or the name of the final state.
fn event(status: &JobStatus) -> Option<Bytes> {
    let name = if status.state.is_final() { status.state.name() } else { "progress" };
    let data = serde_json::to_string(status).ok()?;
    Some(format!("event: {name}\ndata: {data}\n\n").into())
}
