//! Answers that are kept for a while; the same question is worked out once, however many ask it.

use crate::refusal::Refusal;
use crate::work::{PATIENCE, Queue, broken};
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;
use tokio::time::timeout;

/// The outcome of working on a question: none until the work is done.
type Outcome<A> = watch::Receiver<Option<Result<A, Refusal>>>;

/// A cache of answers of type `A` to questions of type `Q`.
pub struct Kept<Q, A> {
    queue: Queue,
    /// The greatest number of answers that are kept.
    capacity: usize,
    /// The answers, the most recently asked last. They are so few that looking through them is quicker than hashing a
    /// name.
    outcomes: Mutex<Vec<(Q, Outcome<A>)>>,
}

impl<Q: PartialEq, A: Clone + Send + Sync + 'static> Kept<Q, A> {
    /// Makes a cache without answers, which keeps at most this number of them; questions are worked out in this queue.
    pub fn new(queue: Queue, capacity: usize) -> Kept<Q, A> {
        Kept { queue, capacity, outcomes: Mutex::default() }
    }

    /// Answers a question by this work, unless it was asked before. The work goes on when the client has left, and its
    /// answer is there for the next client who asks.
    pub async fn ask(
        &self,
        question: Q,
        work: impl FnOnce() -> Result<A, Refusal> + Send + 'static,
    ) -> Result<A, Refusal> {
        let mut outcome = self.outcome(question, work)?;
        let Ok(done) = timeout(PATIENCE, outcome.wait_for(Option::is_some)).await else {
            return Err(Refusal::busy("this takes long and is still being worked out: ask again"));
        };
        // There is no answer only if the work panicked.
        let answer = done.ok().and_then(|answer| answer.clone());
        answer.unwrap_or_else(|| Err(broken()))
    }

    fn outcome(
        &self,
        question: Q,
        work: impl FnOnce() -> Result<A, Refusal> + Send + 'static,
    ) -> Result<Outcome<A>, Refusal> {
        let mut outcomes = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = outcomes.iter().position(|(asked, _)| *asked == question).map(|place| outcomes.remove(place).1);
        let outcome = match known.filter(|outcome| !is_broken(outcome)) {
            Some(outcome) => outcome,
            None => {
                let (sender, outcome) = watch::channel(None);
                self.queue.begin(move || {
                    sender.send_replace(Some(work()));
                })?;
                outcome
            }
        };
        if outcomes.len() >= self.capacity {
            outcomes.remove(0);
        }
        outcomes.push((question, outcome.clone()));
        Ok(outcome)
    }
}

/// Whether the work ended without an answer.
fn is_broken<A>(outcome: &Outcome<A>) -> bool {
    outcome.has_changed().is_err() && outcome.borrow().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::work::Answer;
    use axum::http::StatusCode;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use tokio::runtime::{Builder, Runtime};
    use tokio::task;

    const WAITING: usize = 32;
    const CAPACITY: usize = 64;

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_time().build().unwrap()
    }

    fn answer(sentence: &str) -> Answer {
        Err(Refusal::bad(sentence))
    }

    fn kept<Q: PartialEq>(workers: usize) -> Kept<Q, Content> {
        Kept::new(Queue::new(workers, WAITING), CAPACITY)
    }

    fn sentence(answer: Answer) -> String {
        answer.unwrap_err().sentence
    }

    #[test]
    fn what_was_asked_before_is_not_worked_out_again() {
        let (work, done) = (kept(2), Arc::new(AtomicUsize::new(0)));
        let ask = async |question: usize| {
            let done = Arc::clone(&done);
            let count = move || answer(&format!("{question} {}", done.fetch_add(1, Ordering::Relaxed)));
            sentence(work.ask(question, count).await)
        };
        runtime().block_on(async {
            assert_eq!([ask(7).await, ask(7).await, ask(8).await, ask(7).await], ["7 0", "7 0", "8 1", "7 0"]);
            // 7 was asked later than 8, which is the first to be forgotten.
            for question in 100..100 + CAPACITY - 1 {
                ask(question).await;
            }
            let next = CAPACITY + 1;
            assert_eq!([ask(7).await, ask(8).await], ["7 0".to_owned(), format!("8 {next}")]);
        });
    }

    #[test]
    fn who_asks_while_it_is_worked_out_waits_for_the_same() {
        let work = Arc::new(kept(1));
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
    fn too_much_is_refused_and_no_more_work_at_once_than_there_are_places() {
        let work = Arc::new(kept(2));
        runtime().block_on(async {
            let (go, wait) = mpsc::channel::<()>();
            let wait = Arc::new(Mutex::new(wait));
            let at_work = Arc::new(AtomicUsize::new(0));
            let asked: Vec<_> = (0..2 + WAITING)
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
        let work = kept(1);
        runtime().block_on(async {
            let broken = work.ask(1, || panic!("on purpose")).await.unwrap_err();
            assert_eq!(broken.status, StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(sentence(work.ask(1, || answer("done")).await), "done");
        });
    }
}
