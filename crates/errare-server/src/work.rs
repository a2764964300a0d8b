//! Queues for work that takes time: so much at once, so much waiting, and each piece for so long.

use crate::content::Content;
use crate::refusal::Refusal;
use axum::http::StatusCode;
use errare_work::Cancel;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;
use tokio::time::timeout;

/// The longest time that a client waits for an answer.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub type Answer = Result<Content, Refusal>;

/// A queue of work. Clones share it.
#[derive(Clone)]
pub struct Queue {
    /// A permit for each worker.
    places: Arc<Semaphore>,
    /// A permit for each piece of work that is done or waits.
    all: Arc<Semaphore>,
}

impl Queue {
    /// Makes a queue with so many workers, in which so many more pieces of work may wait.
    pub fn new(workers: usize, waiting: usize) -> Queue {
        Queue { places: Arc::new(Semaphore::new(workers)), all: Arc::new(Semaphore::new(workers + waiting)) }
    }

    /// Does work for one client alone, and stops it if the client leaves or it takes too long.
    pub async fn run<A: Send + 'static>(
        &self,
        work: impl FnOnce(&Cancel) -> Result<A, Refusal> + Send + 'static,
    ) -> Result<A, Refusal> {
        let waiting = self.wait()?;
        let places = Arc::clone(&self.places);
        let cancel = Cancel::new();
        // Whoever asked has left when this is dropped.
        let _guard = CancelOnDrop(cancel.clone());
        let working = async move {
            let place = places.acquire_owned().await;
            let work = move || {
                let answer = work(&cancel);
                drop((place, waiting));
                answer
            };
            task::spawn_blocking(work).await.unwrap_or_else(|_| Err(broken()))
        };
        timeout(PATIENCE, working).await.unwrap_or_else(|_| {
            let seconds = PATIENCE.as_secs();
            Err(Refusal::busy(format!(
                "this took more than {seconds} seconds and was stopped: longer work can be a job (POST /api/v1/jobs)"
            )))
        })
    }

    /// Does work when there is a place, whether or not a client waits for it.
    pub fn begin(&self, work: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
        let waiting = self.wait()?;
        let places = Arc::clone(&self.places);
        // A task of its own: whoever asked may leave.
        task::spawn(async move {
            let place = places.acquire_owned().await;
            drop(task::spawn_blocking(move || {
                work();
                drop((place, waiting));
            }));
        });
        Ok(())
    }

    /// Takes a place in the queue, if there is one.
    fn wait(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let place = Arc::clone(&self.all).try_acquire_owned();
        place.map_err(|_| Refusal::busy("there is too much to work out already: ask again"))
    }
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Does work that waits for the disk, away from the thread that speaks with clients.
pub async fn blocking<A: Send + 'static>(
    work: impl FnOnce() -> Result<A, Refusal> + Send + 'static,
) -> Result<A, Refusal> {
    task::spawn_blocking(work).await.unwrap_or_else(|_| Err(broken()))
}

/// The refusal of work that panicked.
pub fn broken() -> Refusal {
    let sentence = "internal error (a bug in errare): this could not be worked out";
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use tokio::runtime::Builder;

    #[test]
    fn work_is_stopped_when_its_client_leaves() {
        let work = Queue::new(1, 32);
        let (sender, stopped) = mpsc::channel();
        Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
            let (begun, beginning) = tokio::sync::oneshot::channel();
            let job = move |cancel: &Cancel| {
                let _ = begun.send(());
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let _ = sender.send(());
                Err::<(), Refusal>(Refusal::bad("stopped"))
            };
            let asked = work.clone();
            let asking = task::spawn(async move { asked.run(job).await });
            beginning.await.unwrap();
            asking.abort();
            // The one place is free again.
            assert_eq!(work.run(|_| Ok("next")).await.unwrap(), "next");
        });
        stopped.recv().unwrap();
    }
}
