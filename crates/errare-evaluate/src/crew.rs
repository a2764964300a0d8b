//! Several engines that answer what the cache does not know.

use crate::cache::Cache;
use crate::candidate::Candidate;
use crate::error::EvaluateError;
use crate::examiner::{Examiner, NoAnswer};
use crate::question::{self, Answer, Question};
use crate::setup::Setup;
use errare_work::{Cancelled, Progress, Status};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Number of turns that are queued for each engine.
const QUEUED: usize = 4;

/// Number of positions in a row after which a failing engine is given up.
const MAX_FAILURES: u32 = 10;

/// Engines that answer what the cache does not know.
#[derive(Debug)]
pub(crate) struct Crew<'a> {
    pub setup: &'a Setup,
    /// Where answers are looked up and kept.
    pub cache: &'a Path,
    /// Number of engines.
    pub workers: NonZeroUsize,
}

/// The outcome of evaluating a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TurnOutcome<'a> {
    /// An engine was asked about the turn.
    Evaluated,
    /// The cache had all evaluations of the turn.
    Known,
    /// The engine failed at the turn, for this reason.
    Failed(&'a Candidate, &'a str),
}

/// Takes the turns to evaluate one by one. An error means that no more turns are wanted.
pub(crate) type HandOver<'a> = &'a mut dyn FnMut(Candidate) -> Result<(), EvaluateError>;

impl Crew<'_> {
    /// Evaluates all turns that `feed` hands over, and passes to `observe` what became of each. Answers that are there
    /// when the work is cancelled are in the cache.
    ///
    /// # Errors
    /// The first error of a worker or of `feed`: the engine does not start or only fails, the cache cannot be used, or the
    /// work is cancelled.
    pub fn evaluate(
        &self,
        feed: impl FnOnce(HandOver<'_>, &dyn Progress) -> Result<(), EvaluateError>,
        observe: &(dyn Fn(TurnOutcome<'_>) + Sync),
        progress: &dyn Progress,
    ) -> Result<(), EvaluateError> {
        let (sender, receiver) = mpsc::sync_channel::<Candidate>(QUEUED * self.workers.get());
        let receiver = Arc::new(Mutex::new(receiver));
        let common = &Common { progress, is_over: AtomicBool::new(false), error: Mutex::new(None) };
        thread::scope(|scope| {
            for _ in 0..self.workers.get() {
                // The workers alone hold the receiver: when the last of them has ended, `send` fails instead of waiting.
                let receiver = Arc::clone(&receiver);
                scope.spawn(move || common.check(self.work(&receiver, observe, common)));
            }
            drop(receiver);
            let mut hand_over = |turn| sender.send(turn).map_err(|_| EvaluateError::Cancelled(Cancelled));
            common.check(feed(&mut hand_over, common));
            drop(sender);
        });
        lock(&common.error).take().map_or(Ok(()), Err)
    }

    fn work(
        &self,
        turns: &Mutex<Receiver<Candidate>>,
        observe: &(dyn Fn(TurnOutcome<'_>) + Sync),
        progress: &dyn Progress,
    ) -> Result<(), EvaluateError> {
        let cache = Cache::open(self.cache, self.setup, progress)?;
        let mut examiner = Examiner::new(self.setup);
        let mut failures = 0;
        loop {
            let Ok(turn) = lock(turns).recv() else { break };
            progress.proceed()?;
            match self.answer(&turn, &cache, &mut examiner, progress) {
                Ok(outcome) => {
                    observe(outcome);
                    failures = 0;
                }
                Err(NoAnswer::Failed(reason)) => {
                    observe(TurnOutcome::Failed(&turn, &reason));
                    failures += 1;
                    if failures == MAX_FAILURES {
                        return Err(EvaluateError::Failing { count: failures, reason });
                    }
                }
                Err(NoAnswer::Over(error)) => return Err(error),
            }
        }
        examiner.dismiss(progress);
        Ok(())
    }

    fn answer(
        &self,
        turn: &Candidate,
        cache: &Cache,
        examiner: &mut Examiner<'_>,
        progress: &dyn Progress,
    ) -> Result<TurnOutcome<'static>, NoAnswer> {
        let mut is_new = false;
        let ask = |question: &Question<'_>| -> Result<Option<Answer>, NoAnswer> {
            if let Some(known) = cache.find(question, progress)? {
                return Ok(Some(known));
            }
            is_new = true;
            let answer = examiner.ask(question, progress)?;
            cache.keep(question, &answer, progress)?;
            Ok(Some(answer))
        };
        question::lines(turn, self.setup.lines, ask)?;
        Ok(if is_new { TurnOutcome::Evaluated } else { TurnOutcome::Known })
    }
}

/// The progress of all workers: an error of one of them cancels the others.
struct Common<'a> {
    progress: &'a dyn Progress,
    is_over: AtomicBool,
    /// The first error of a worker. Later errors follow from it.
    error: Mutex<Option<EvaluateError>>,
}

impl Common<'_> {
    fn check(&self, done: Result<(), EvaluateError>) {
        if let Err(error) = done {
            lock(&self.error).get_or_insert(error);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }
}

impl Progress for Common<'_> {
    fn report(&self, status: &Status<'_>) {
        self.progress.report(status);
    }

    fn warn(&self, warning: &str) {
        self.progress.warn(warning);
    }

    fn is_cancelled(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || self.progress.is_cancelled()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
