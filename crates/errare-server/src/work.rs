//! Work that takes time: bounded, done once, and kept for a while.

use crate::content::Content;
use crate::refusal::Refusal;
use axum::http::StatusCode;
use errare_work::Cancel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task;
use tokio::time::timeout;

/// Number of answers that are kept.
const MAX_KEPT: usize = 64;

/// Number of questions that may wait for their turn.
const MAX_WAITING: usize = 32;

/// How long somebody waits for an answer. The work goes on all the same, and is there for the next who asks.
const PATIENCE: Duration = Duration::from_secs(120);

pub type Answer = Result<Content, Refusal>;

/// The answer, none until the work is done.
type Outcome = watch::Receiver<Option<Answer>>;

/// Answers questions of type `Q`, each by work of its own.
pub struct Work<Q> {
    /// A permit for each worker.
    places: Arc<Semaphore>,
    /// A permit for each question that is worked on or waits.
    queue: Arc<Semaphore>,
    /// The answers, the most recently asked last. So few that looking through them is quicker than hashing a name.
    outcomes: Mutex<Vec<(Q, Outcome)>>,
}

impl<Q: PartialEq> Work<Q> {
    pub fn new(workers: usize) -> Work<Q> {
        Work {
            places: Arc::new(Semaphore::new(workers)),
            queue: Arc::new(Semaphore::new(workers + MAX_WAITING)),
            outcomes: Mutex::default(),
        }
    }

    /// The answer to a question, by this work unless it was asked before.
    pub async fn ask(&self, question: Q, work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
        let mut outcome = self.outcome(question, work)?;
        let Ok(done) = timeout(PATIENCE, outcome.wait_for(Option::is_some)).await else {
            return Err(Refusal::busy("this takes long and is still being worked out: ask again"));
        };
        // There is no answer only if the work panicked.
        let answer = done.ok().and_then(|answer| answer.clone());
        answer.unwrap_or_else(|| Err(broken()))
    }

    /// Does work for one client alone, and stops it if the client leaves or it takes too long.
    pub async fn run(&self, work: impl FnOnce(&Cancel) -> Answer + Send + 'static) -> Answer {
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
            Err(Refusal::busy(format!("this took more than {seconds} seconds and was stopped")))
        })
    }

    /// A place in the queue, if there is one.
    fn wait(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let place = Arc::clone(&self.queue).try_acquire_owned();
        place.map_err(|_| Refusal::busy("there is too much to work out already: ask again"))
    }

    fn outcome(&self, question: Q, work: impl FnOnce() -> Answer + Send + 'static) -> Result<Outcome, Refusal> {
        let mut outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = outcomes.iter().position(|(asked, _)| *asked == question).map(|place| outcomes.remove(place).1);
        let outcome = match known.filter(|outcome| !is_broken(outcome)) {
            Some(outcome) => outcome,
            None => self.begin(work)?,
        };
        if outcomes.len() >= MAX_KEPT {
            outcomes.remove(0);
        }
        outcomes.push((question, outcome.clone()));
        Ok(outcome)
    }

    fn begin(&self, work: impl FnOnce() -> Answer + Send + 'static) -> Result<Outcome, Refusal> {
        let waiting = self.wait()?;
        let (sender, outcome) = watch::channel(None);
        let places = Arc::clone(&self.places);
        // A task of its own: whoever asked may leave.
        task::spawn(async move {
            let place = places.acquire_owned().await;
            drop(task::spawn_blocking(move || {
                sender.send_replace(Some(work()));
                drop((place, waiting));
            }));
        });
        Ok(outcome)
    }
}

struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn broken() -> Refusal {
    let sentence = "internal error (a bug in errare): this could not be worked out";
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
}

/// Whether the work ended without an answer.
fn is_broken(outcome: &Outcome) -> bool {
    outcome.has_changed().is_err() && outcome.borrow().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use tokio::runtime::{Builder, Runtime};

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_time().build().unwrap()
    }

    fn answer(sentence: &str) -> Answer {
        Err(Refusal::bad(sentence))
    }

    fn sentence(answer: Answer) -> String {
        answer.unwrap_err().sentence
    }

    #[test]
    fn what_was_asked_before_is_not_worked_out_again() {
        let (work, done) = (Work::new(2), Arc::new(AtomicUsize::new(0)));
        let ask = async |question: usize| {
            let done = Arc::clone(&done);
            let count = move || answer(&format!("{question} {}", done.fetch_add(1, Ordering::Relaxed)));
            sentence(work.ask(question, count).await)
        };
        runtime().block_on(async {
            assert_eq!([ask(7).await, ask(7).await, ask(8).await, ask(7).await], ["7 0", "7 0", "8 1", "7 0"]);
            // 7 was asked later than 8, which is the first to be forgotten.
            for question in 100..100 + MAX_KEPT - 1 {
                ask(question).await;
            }
            let next = MAX_KEPT + 1;
            assert_eq!([ask(7).await, ask(8).await], ["7 0".to_owned(), format!("8 {next}")]);
        });
    }

    #[test]
    fn who_asks_while_it_is_worked_out_waits_for_the_same() {
        let work = Arc::new(Work::new(1));
        runtime().block_on(async {
            let (go, wait) = mpsc::channel::<()>();
            let ask = |job: Box<dyn FnOnce() -> Answer + Send>| {
                let work = Arc::clone(&work);
                task::spawn(async move { sentence(work.ask(1, job).await) })
            };
            let first = ask(Box::new(move || {
                let _ = wait.recv();
                answer("first")
            }));
            task::yield_now().await;
            let second = ask(Box::new(|| answer("second")));
            task::yield_now().await;
            drop(go);
            assert_eq!([first.await.unwrap(), second.await.unwrap()], ["first", "first"]);
        });
    }

    #[test]
    fn work_is_stopped_when_its_client_leaves() {
        let work: Arc<Work<usize>> = Arc::new(Work::new(1));
        let (sender, stopped) = mpsc::channel();
        runtime().block_on(async {
            let (begun, beginning) = tokio::sync::oneshot::channel();
            let job = move |cancel: &Cancel| {
                let _ = begun.send(());
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                let _ = sender.send(());
                answer("stopped")
            };
            let asked = Arc::clone(&work);
            let asking = task::spawn(async move { asked.run(job).await });
            beginning.await.unwrap();
            asking.abort();
            // The one place is free again.
            assert_eq!(sentence(work.run(|_| answer("next")).await), "next");
        });
        stopped.recv().unwrap();
    }

    #[test]
    fn too_much_is_refused_and_no_more_work_at_once_than_there_are_places() {
        let work = Arc::new(Work::new(2));
        runtime().block_on(async {
            let (go, wait) = mpsc::channel::<()>();
            let wait = Arc::new(Mutex::new(wait));
            let at_work = Arc::new(AtomicUsize::new(0));
            let asked: Vec<_> = (0..2 + MAX_WAITING)
                .map(|question| {
                    let (work, wait, at_work) = (Arc::clone(&work), Arc::clone(&wait), Arc::clone(&at_work));
                    task::spawn(async move {
                        let job = move || {
                            let most = at_work.fetch_add(1, Ordering::SeqCst) + 1;
                            drop(wait.lock().map(|wait| wait.recv()));
                            at_work.fetch_sub(1, Ordering::SeqCst);
                            answer(&most.to_string())
                        };
                        sentence(work.ask(question, job).await)
                    })
                })
                .collect();
            task::yield_now().await;
            let refused = work.ask(1000, || answer("done")).await.unwrap_err();
            assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
            drop(go);
            for asked in asked {
                assert!(["1", "2"].contains(&asked.await.unwrap().as_str()));
            }
            assert_eq!(sentence(work.ask(1000, || answer("done")).await), "done");
        });
    }

    #[test]
    fn work_that_breaks_down_can_be_asked_for_again() {
        let work = Work::new(1);
        runtime().block_on(async {
            let broken = work.ask(1, || panic!("on purpose")).await.unwrap_err();
            assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(sentence(work.ask(1, || answer("done")).await), "done");
        });
    }
}
