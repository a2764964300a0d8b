//! Handling of panics: bugs that must not end the server, nor show users what is inside it.

use crate::refusal::Refusal;
use crate::work::broken;
use std::any::Any;
use std::future::poll_fn;
use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo};
use std::pin::pin;
use std::task::Poll;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// Writes panics to stderr, each in one line and without a backtrace, until it is dropped.
pub struct OneLinePanics(Option<Hook>);

impl OneLinePanics {
    pub fn install() -> OneLinePanics {
        let before = panic::take_hook();
        panic::set_hook(Box::new(|panicked| eprintln!("{}", line(panicked.payload(), panicked.location()))));
        OneLinePanics(Some(before))
    }
}

impl Drop for OneLinePanics {
    fn drop(&mut self) {
        // A hook cannot be changed while a thread panics.
        if let Some(before) = self.0.take().filter(|_| !std::thread::panicking()) {
            panic::set_hook(before);
        }
    }
}

/// Formats a panic in one line.
fn line(payload: &(dyn Any + Send), location: Option<&Location<'_>>) -> String {
    let message =
        payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("a panic without a message").split_whitespace().collect::<Vec<_>>().join(" ");
    let place = location.map_or_else(String::new, |place| format!(" at {place}"));
    format!("error: internal error (a bug in errare){place}: {message}")
}

/// Awaits a future, and returns its outcome; a refusal if it panics.
pub async fn caught<T>(work: impl Future<Output = T>) -> Result<T, Refusal> {
    let mut work = pin!(work);
    poll_fn(|context| {
        // What a request was doing is dropped with it; what requests share is behind locks that survive a panic.
        match panic::catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(done)) => Poll::Ready(Ok(done)),
            Err(_) => Poll::Ready(Err(broken())),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_one_line() {
        let long: Box<dyn Any + Send> = Box::new("two\nlines".to_owned());
        assert_eq!(line(&*long, None), "error: internal error (a bug in errare): two lines");
        let place = Location::caller();
        let shown = line(&*(Box::new("here") as Box<dyn Any + Send>), Some(place));
        assert_eq!(shown, format!("error: internal error (a bug in errare) at {place}: here"));
        assert!(line(&*(Box::new(7) as Box<dyn Any + Send>), None).ends_with("a panic without a message"));
    }
}
