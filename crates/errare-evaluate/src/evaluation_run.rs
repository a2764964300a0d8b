//! Evaluating games into the cache, and reading the turns back from it.

use crate::cache::Cache;
use crate::collection::{Collection, Rules, Survey, Whose};
use crate::crew::{Crew, TurnOutcome};
use crate::error::EvaluateError;
use crate::question::known;
use crate::setup::Setup;
use crate::source::GameSource;
use errare_ratings::TurnRow;
use errare_uci::client::{EngineSpec, Lines};
use errare_work::{Progress, Status};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Games to be evaluated, and how. Evaluations that are known are in the cache, so that a run continues another.
#[derive(Clone, Debug)]
pub struct GameEvaluation {
    /// Games in PGN, in sources of different names.
    pub games: Vec<GameSource>,
    /// The rules on which turns of which games are evaluated.
    pub rules: Rules,
    /// The player whose turns are evaluated; none for everybody's.
    pub whose: Option<Whose>,
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
}

/// The result of a run that evaluates games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Numbers of games and turns that the run met.
    pub survey: Survey,
    /// Number of turns evaluated by this run; the other turns were known.
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

impl GameEvaluation {
    /// Evaluates the turns that the cache does not know.
    ///
    /// Broken games, and positions at which the engine failed twice, are warnings. A run that was cancelled or killed goes
    /// on where it was when it is run again.
    ///
    /// # Errors
    /// If games cannot be read or there are none, the engine cannot be used or only fails, the cache cannot be written, or
    /// the work is cancelled.
    pub fn run(&self, progress: &dyn Progress) -> Result<EvaluatedGames, EvaluateError> {
        let collection = Collection::new(&self.games, self.rules, self.whose.as_ref())?;
        let setup = Setup::new(&self.engine, self.depth, self.lines, self.patience, progress)?;
        make_folder(self.cache.parent().unwrap_or(Path::new("")))?;
        let cache = Cache::open(&self.cache, &setup, progress)?;
        if cache.has_answers_of(&setup.old_key(), progress)? {
            progress.warn(&format!(
                "{} has answers of {} by an earlier version of errare, which did not record the engine's arguments: \
                 they are not used",
                self.cache.display(),
                setup.name
            ));
        }
        let mut run = EvaluatedGames { collection, setup, cache, survey: Survey::default(), evaluated: 0 };
        let (survey, missing) = run.survey(progress)?;
        run.survey = survey;
        if survey.games == 0 {
            return Err(EvaluateError::NoGames { broken: survey.broken });
        }
        if missing > 0 {
            let crew = Crew { setup: &run.setup, cache: &self.cache, workers: self.workers };
            run.evaluated = run.evaluate(&crew, missing, progress)?;
        }
        Ok(run)
    }
}

/// Games whose turns are in the cache, but for those at which the engine failed.
#[derive(Debug)]
pub struct EvaluatedGames {
    collection: Collection,
    setup: Setup,
    cache: Cache,
    survey: Survey,
    evaluated: u64,
}

impl EvaluatedGames {
    /// Goes through all turns whose evaluations are known, in the order of games, and returns how many there are.
    ///
    /// # Errors
    /// If games or the cache cannot be read, `take` fails, or the work is cancelled.
    pub fn each_turn(
        &self,
        activity: &str,
        mut take: impl FnMut(TurnRow) -> Result<(), EvaluateError>,
        progress: &dyn Progress,
    ) -> Result<u64, EvaluateError> {
        let mut count = 0;
        self.collection.each(
            |_| {},
            |mut turn, so_far| {
                progress.report(&Status::new(activity, "turns").at(so_far.turns, self.survey.turns));
                let Some(lines) = known(&turn, self.setup.lines, &self.cache, progress)? else { return Ok(()) };
                turn.row.lines = lines;
                self.setup.sign(&mut turn.row);
                count += 1;
                take(turn.row)
            },
            progress,
        )?;
        Ok(count)
    }

    /// Sums the run up, given how many turns [`each_turn`](EvaluatedGames::each_turn) found.
    #[must_use]
    pub fn summary(&self, written: u64) -> Summary {
        let Setup { name, depth, settings, .. } = self.setup.clone();
        Summary { survey: self.survey, evaluated: self.evaluated, written, engine: name, depth, settings }
    }

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

    /// Evaluates the missing turns, and returns how many were evaluated. Progress counts all turns, so that a run that
    /// goes on begins where another was.
    fn evaluate(&self, crew: &Crew<'_>, missing: u64, progress: &dyn Progress) -> Result<u64, EvaluateError> {
        let (done, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        let (turns, before) = (self.survey.turns, self.survey.turns.saturating_sub(missing));
        let activity = format!("evaluating with {} at depth {}", self.setup.name, self.setup.depth);
        let report = || {
            // Another process may have answered some of them, and a position may come up in two games.
            let gone = done.load(Ordering::Relaxed) + failed.load(Ordering::Relaxed);
            progress.report(&Status::new(&activity, "turns").at(before + gone.min(missing), turns));
        };
        let observe = |outcome: TurnOutcome<'_>| {
            match outcome {
                TurnOutcome::Known => return,
                TurnOutcome::Evaluated => drop(done.fetch_add(1, Ordering::Relaxed)),
                TurnOutcome::Failed(turn, reason) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    progress.warn(&format!("{} is left out: {reason}", turn.title()));
                }
            }
            report();
        };
        report();
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
}

pub(crate) fn make_folder(folder: &Path) -> Result<(), EvaluateError> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|source| EvaluateError::Folder { path: folder.to_owned(), source })
}
