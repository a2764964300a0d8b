//! Lanes for work on many subjects: however much is asked about one of them, the others are not held up.

use crate::refusal::Refusal;
use crate::work::{PATIENCE, Queue};
use errare_work::Cancel;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The greatest number of requests that may wait in one lane.
const MAX_WAITING: usize = 8;

/// Lanes that lead to one queue. In each lane one piece of work is done at a time.
pub struct Lanes {
    queue: Queue,
    /// The lanes that have requests in them.
    lanes: Mutex<Vec<(String, Weak<Lane>)>>,
}

struct Lane {
    /// A permit for each request in the lane.
    all: Arc<Semaphore>,
    /// The one permit to go on to the queue.
    turn: Arc<Semaphore>,
}

impl Lanes {
    pub fn new(queue: Queue) -> Lanes {
        Lanes { queue, lanes: Mutex::default() }
    }

    /// Does work on a subject for one client alone, and stops it if the client leaves or it takes too long.
    pub async fn run<A: Send + 'static>(
        &self,
        subject: &str,
        work: impl FnOnce(&Cancel) -> Result<A, Refusal> + Send + 'static,
    ) -> Result<A, Refusal> {
        let lane = self.lane(subject);
        let busy = || Refusal::busy("there is too much to work out about this already: ask again");
        let place = Arc::clone(&lane.all).try_acquire_owned().map_err(|_| busy())?;
        let turn = timeout(PATIENCE, Arc::clone(&lane.turn).acquire_owned()).await.map_err(|_| busy())?;
        self.queue
            .run(move |cancel| {
                let answer = work(cancel);
                drop((turn, place, lane));
                answer
            })
            .await
    }

    fn lane(&self, subject: &str) -> Arc<Lane> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.retain(|(_, lane)| lane.strong_count() > 0);
        let known = lanes.iter().find(|(known, _)| known == subject).and_then(|(_, lane)| lane.upgrade());
        known.unwrap_or_else(|| {
            let (all, turn) = (Semaphore::new(1 + MAX_WAITING), Semaphore::new(1));
            let lane = Arc::new(Lane { all: Arc::new(all), turn: Arc::new(turn) });
            lanes.push((subject.to_owned(), Arc::downgrade(&lane)));
            lane
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use tokio::runtime::Builder;
    use tokio::task;

    /// With two workers, one subject never has more than one, so that the other is free for another subject at once.
    #[test]
    fn one_subject_does_not_hold_up_another() {
        Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
            let lanes = Arc::new(Lanes::new(Queue::new(2, 32)));
            let (go, wait) = mpsc::channel::<()>();
            let wait = Arc::new(Mutex::new(wait));
            let most = Arc::new(AtomicUsize::new(0));
            let at_work = Arc::new(AtomicUsize::new(0));
            let ask = |lanes: Arc<Lanes>| {
                let (wait, most, at_work) = (Arc::clone(&wait), Arc::clone(&most), Arc::clone(&at_work));
                let work = move |_: &Cancel| {
                    most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    drop(wait.lock().map(|wait| wait.recv()));
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                task::spawn(async move { lanes.run("often asked", work).await })
            };
            let asked: Vec<_> = (0..1 + MAX_WAITING).map(|_| ask(Arc::clone(&lanes))).collect();
            task::yield_now().await;
            assert!(lanes.run("often asked", |_| Ok(())).await.is_err(), "the lane is full");
            assert_eq!(lanes.run("another", |_| Ok("at once")).await.unwrap(), "at once");
            drop(go);
            for asked in asked {
                assert!(asked.await.unwrap().is_ok());
            }
            assert_eq!(most.load(Ordering::SeqCst), 1);
            assert!(lanes.run("often asked", |_| Ok(())).await.is_ok());
        });
    }
}
