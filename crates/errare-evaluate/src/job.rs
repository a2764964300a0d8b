//! One run of evaluation, from files of games to turn files.

use crate::cache::Cache;
use crate::collection::{Collection, Rules, Survey};
use crate::crew::{Crew, Outcome};
use crate::error::EvaluateError;
use crate::question::known;
use crate::setup::Setup;
use errare_ratings::{TurnFormat, TurnOutput};
use errare_uci::client::{EngineSpec, Lines};
use errare_work::{Progress, Status, is_stdout};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// One run of evaluation: files of games, an engine, and where results go.
#[derive(Clone, Debug)]
pub struct EvaluationJob {
    /// Files of games in PGN, of different names.
    pub files: Vec<PathBuf>,
    /// Which turns of which games are evaluated.
    pub rules: Rules,
    /// The engine and the options that the user sets.
    pub engine: EngineSpec,
    /// The depth of search, in plies as the engine counts them.
    pub depth: u16,
    /// Number of moves that the engine shows. If the played one is not among them it is searched by itself.
    pub lines: Lines,
    /// How long the engine may search a position before it counts as hanging.
    pub patience: Duration,
    /// Number of engines at work at once.
    pub workers: NonZeroUsize,
    /// The file of cached answers. Several runs may use it at once.
    pub cache: PathBuf,
    /// The folder for `turns.parquet`; `-` for lines of JSON on standard output instead.
    pub folder: PathBuf,
    /// Whether to write `turns.jsonl` too.
    pub jsonl: bool,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Numbers of games and turns that were met.
    pub survey: Survey,
    /// Number of turns evaluated by this run; the others were known.
    pub evaluated: u64,
    /// Number of turns written. Where it is less than the turns of the survey, the engine failed at some.
    pub written: u64,
    /// The name that the engine gives itself.
    pub engine: String,
    /// The depth of search.
    pub depth: u16,
    /// The arguments, the net and the options of the engine.
    pub settings: String,
}

impl EvaluationJob {
    /// Evaluates what the cache does not know, and writes all turns in the order of games.
    ///
    /// Broken games, and positions at which the engine failed twice, are warnings. Turn files appear whole or not at all.
    /// A run that was cancelled or killed goes on where it was when it is run again.
    ///
    /// # Errors
    /// If games cannot be read or there are none, the engine cannot be used or only fails, the cache or the turn files
    /// cannot be written, or the work is cancelled.
    pub fn run(&self, progress: &dyn Progress) -> Result<Summary, EvaluateError> {
        let collection = Collection::new(&self.files, self.rules)?;
        let setup = Setup::new(&self.engine, self.depth, self.lines, self.patience, progress)?;
        make_folder(self.cache.parent().unwrap_or(Path::new("")))?;
        if !is_stdout(&self.folder) {
            make_folder(&self.folder)?;
        }
        let cache = Cache::open(&self.cache, &setup, progress)?;
        if cache.has_answers_of(&setup.old_key(), progress)? {
            progress.warn(&format!(
                "{} has answers of {} by an earlier version of errare, which did not record the engine's arguments: \
                 they are not used",
                self.cache.display(),
                setup.name
            ));
        }
        let run = Run { job: self, collection, setup, cache };
        let (survey, missing) = run.survey(progress)?;
        if survey.games == 0 {
            return Err(EvaluateError::NoGames { broken: survey.broken });
        }
        let evaluated = if missing > 0 { run.evaluate(missing, progress)? } else { 0 };
        let written = run.write(survey.turns, progress)?;
        let Setup { name, depth, settings, .. } = run.setup;
        Ok(Summary { survey, evaluated, written, engine: name, depth, settings })
    }
}

impl Summary {
    /// Number of turns that are missing because the engine failed at them.
    pub fn failed(&self) -> u64 {
        self.survey.turns.saturating_sub(self.written)
    }

    /// Number of turns that were known before this run.
    pub fn known(&self) -> u64 {
        self.written.saturating_sub(self.evaluated)
    }
}

/// A job at work.
struct Run<'a> {
    job: &'a EvaluationJob,
    collection: Collection,
    setup: Setup,
    cache: Cache,
}

impl Run<'_> {
    /// Counts games and turns, and the turns that the cache does not know.
    fn survey(&self, progress: &dyn Progress) -> Result<(Survey, u64), EvaluateError> {
        let mut missing = 0;
        let survey = self.collection.each(
            |what| progress.warn(&format!("{what}; skipped")),
            |turn, so_far| {
                missing += u64::from(known(&turn, self.setup.lines, &self.cache, progress)?.is_none());
                progress.report(&Status { done: so_far.games, ..Status::new("reading games", "games") });
                Ok(())
            },
            progress,
        )?;
        Ok((survey, missing))
    }

    /// Evaluates what is missing, and returns how many turns it evaluated.
    fn evaluate(&self, missing: u64, progress: &dyn Progress) -> Result<u64, EvaluateError> {
        let (done, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        let activity = format!("evaluating with {} at depth {}", self.setup.name, self.setup.depth);
        let report = || {
            // Another process may have answered some of them, and a position may come up in two games.
            let gone = done.load(Ordering::Relaxed) + failed.load(Ordering::Relaxed);
            progress.report(&Status::new(&activity, "positions").at(gone.min(missing), missing));
        };
        let observe = |outcome: Outcome<'_>| {
            match outcome {
                Outcome::Known => return,
                Outcome::Evaluated => drop(done.fetch_add(1, Ordering::Relaxed)),
                Outcome::Failed(turn, reason) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    progress.warn(&format!("{} is left out: {reason}", turn.title()));
                }
            }
            report();
        };
        report();
        let crew = Crew { setup: &self.setup, cache: &self.job.cache, workers: self.job.workers };
        crew.evaluate(
            |hand_over, progress| {
                // Most of the walk is waiting: what is known already need not wait.
                let turn = |turn, _: &Survey| match known(&turn, self.setup.lines, &self.cache, progress)? {
                    Some(_) => Ok(()),
                    None => hand_over(turn),
                };
                self.collection.each(|_| {}, turn, progress).map(drop)
            },
            &observe,
            progress,
        )?;
        Ok(done.into_inner())
    }

    /// Writes all turns that are known, and returns how many.
    fn write(&self, turns: u64, progress: &dyn Progress) -> Result<u64, EvaluateError> {
        let mut outputs = Vec::new();
        for path in turn_files(&self.job.folder, self.job.jsonl) {
            let format = TurnFormat::of(&path).ok_or_else(|| EvaluateError::Format { path: path.clone() })?;
            outputs.push(TurnOutput::create(&path, format)?);
        }
        let mut written = 0;
        self.collection.each(
            |_| {},
            |mut turn, so_far| {
                progress.report(&Status::new("writing turns", "turns").at(so_far.turns, turns));
                let Some(lines) = known(&turn, self.setup.lines, &self.cache, progress)? else { return Ok(()) };
                turn.row.lines = lines;
                self.setup.sign(&mut turn.row);
                written += 1;
                Ok(outputs.iter_mut().try_for_each(|output| output.write(turn.row.clone()))?)
            },
            progress,
        )?;
        // Not even whole files appear of work that was cancelled.
        progress.proceed()?;
        for output in outputs {
            output.finish()?;
        }
        Ok(written)
    }
}

/// The files that a run writes its turns to: those of a folder, or standard output.
#[must_use]
pub fn turn_files(folder: &Path, jsonl: bool) -> Vec<PathBuf> {
    if is_stdout(folder) {
        return vec![folder.to_owned()];
    }
    let names = ["turns.parquet", "turns.jsonl"];
    names.into_iter().take(1 + usize::from(jsonl)).map(|name| folder.join(name)).collect()
}

fn make_folder(folder: &Path) -> Result<(), EvaluateError> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|source| EvaluateError::Folder { path: folder.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_can_be_shared_between_threads() {
        fn assert_shared<T: Send + Sync + 'static>() {}
        assert_shared::<EvaluationJob>();
        assert_shared::<Summary>();
        assert_shared::<EvaluateError>();
    }
}
