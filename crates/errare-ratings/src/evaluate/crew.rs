//! Several engines at work.

use super::cache::Cache;
use super::candidate::Candidate;
use super::error::EvaluateError;
use super::examiner::{Examiner, Silence};
use super::question::{self, Answer, Question};
use super::setup::Setup;
use errare_uci::client::StopFlag;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Turns that wait for each engine.
const WAITING: usize = 4;

/// An engine that fails at so many positions in a row is not worth more of them.
const MOST_FAILURES: u32 = 10;

/// Engines that answer what the cache does not know.
#[derive(Debug)]
pub struct Crew<'a> {
    /// What each of them is.
    pub setup: &'a Setup,
    /// Where answers are looked for and kept.
    pub cache: &'a Path,
    /// How many.
    pub workers: NonZeroUsize,
    /// Raised to stop them. Answers that are there then are in the cache.
    pub stop: &'a StopFlag,
}

/// What became of a turn.
#[derive(Clone, Copy, Debug)]
pub enum Told<'a> {
    /// It was evaluated.
    Evaluated,
    /// The cache knew all about it.
    Known,
    /// The engine failed twice at it.
    Failed(&'a Candidate, &'a str),
}

impl Crew<'_> {
    /// Has all turns evaluated that `feed` hands over, and tells of each. It is to stop when it is told so.
    pub fn evaluate(
        &self,
        feed: impl FnOnce(&mut dyn FnMut(Candidate) -> ControlFlow<()>) -> Result<(), EvaluateError>,
        told: &(dyn Fn(Told<'_>) + Sync),
    ) -> Result<(), EvaluateError> {
        let (sender, receiver) = mpsc::sync_channel::<Candidate>(WAITING * self.workers.get());
        let receiver = Arc::new(Mutex::new(receiver));
        let trouble = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..self.workers.get() {
                // Theirs alone: when the last of them has gone, `send` fails instead of waiting.
                let receiver = Arc::clone(&receiver);
                let trouble = &trouble;
                scope.spawn(move || {
                    if let Err(error) = self.work(&receiver, trouble, told) {
                        lock(trouble).get_or_insert(error);
                    }
                });
            }
            drop(receiver);
            let fed = feed(&mut |turn| match sender.send(turn) {
                Ok(()) if !self.stop.is_raised() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            });
            drop(sender);
            fed
        })?;
        trouble.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn work(
        &self,
        turns: &Mutex<Receiver<Candidate>>,
        trouble: &Mutex<Option<EvaluateError>>,
        told: &(dyn Fn(Told<'_>) + Sync),
    ) -> Result<(), EvaluateError> {
        let cache = Cache::open(self.cache, self.setup)?;
        let mut examiner = Examiner::new(self.setup, self.stop);
        let mut failures = 0;
        loop {
            let Ok(turn) = lock(turns).recv() else { break };
            if self.stop.is_raised() || lock(trouble).is_some() {
                break;
            }
            match self.answer(&turn, &cache, &mut examiner) {
                Ok(news) => {
                    told(news);
                    failures = 0;
                }
                Err(Stop::Silence(Silence::Stopped)) => break,
                Err(Stop::Silence(Silence::Failed(reason))) => {
                    told(Told::Failed(&turn, &reason));
                    failures += 1;
                    if failures == MOST_FAILURES {
                        return Err(EvaluateError::Failing { count: failures, reason });
                    }
                }
                Err(Stop::Silence(Silence::Gone(error))) => return Err(EvaluateError::Engine(error)),
                Err(Stop::Cache(error)) => return Err(error),
            }
        }
        examiner.dismiss();
        Ok(())
    }

    fn answer(&self, turn: &Candidate, cache: &Cache, examiner: &mut Examiner<'_>) -> Result<Told<'static>, Stop> {
        let mut is_new = false;
        let ask = |question: &Question<'_>| -> Result<Option<Answer>, Stop> {
            if let Some(known) = cache.find(question)? {
                return Ok(Some(known));
            }
            is_new = true;
            let answer = examiner.ask(question).map_err(Stop::Silence)?;
            cache.keep(question, &answer)?;
            Ok(Some(answer))
        };
        question::lines(turn, self.setup.lines, ask)?;
        Ok(if is_new { Told::Evaluated } else { Told::Known })
    }
}

enum Stop {
    Silence(Silence),
    Cache(EvaluateError),
}

impl From<EvaluateError> for Stop {
    fn from(error: EvaluateError) -> Stop {
        Stop::Cache(error)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
