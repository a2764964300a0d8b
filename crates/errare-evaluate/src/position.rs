//! Evaluations of single positions, made as those of games are, and from the same cache.

use crate::cache::Cache;
use crate::error::EvaluateError;
use crate::evaluation_run::make_folder;
use crate::examiner::{Examiner, NoAnswer};
use crate::question::Question;
use crate::setup::Setup;
use errare_ratings::{Engine, Evaluation};
use errare_uci::client::{EngineSpec, Lines};
use errare_work::Progress;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Move};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine that evaluates all moves of positions exactly as those of games are evaluated, and the file of its answers.
///
/// It gives a position the evaluations that [`GameEvaluation`](crate::GameEvaluation) would give it, and keeps them in the
/// same cache: whoever plays by them can be rated without asking the engine again.
#[derive(Debug)]
pub struct PositionEvaluation {
    setup: Setup,
    cache: PathBuf,
}

impl PositionEvaluation {
    /// Starts the engine once, and settles its options. A search may take as long as `patience`.
    ///
    /// # Errors
    /// If the engine cannot be started or shows too few lines, the cache cannot be written, or the work is cancelled.
    pub fn new(
        engine: &EngineSpec,
        depth: u16,
        patience: Duration,
        cache: PathBuf,
        progress: &dyn Progress,
    ) -> Result<PositionEvaluation, EvaluateError> {
        let setup = Setup::new(engine, depth, Lines::All, patience, progress)?;
        make_folder(cache.parent().unwrap_or(Path::new("")))?;
        Cache::open(&cache, &setup, progress)?;
        Ok(PositionEvaluation { setup, cache })
    }

    /// The engine, its depth and its settings, as turn files name them.
    #[must_use]
    pub fn engine(&self) -> Engine {
        let Setup { name, depth, settings, .. } = &self.setup;
        Engine { name: Some(name.clone()), depth: Some(*depth), settings: Some(settings.clone()) }
    }

    /// A process of the engine, which runs from the first position on that the cache does not know.
    ///
    /// # Errors
    /// If the cache cannot be used, or the work is cancelled.
    pub fn evaluator(&self, progress: &dyn Progress) -> Result<PositionEvaluator<'_>, EvaluateError> {
        let cache = Cache::open(&self.cache, &self.setup, progress)?;
        Ok(PositionEvaluator { examiner: Examiner::new(&self.setup), cache })
    }
}

/// One process of an engine that evaluates positions.
#[derive(Debug)]
pub struct PositionEvaluator<'a> {
    examiner: Examiner<'a>,
    cache: Cache,
}

impl PositionEvaluator<'_> {
    /// Evaluates all legal moves of a position, best first.
    ///
    /// # Errors
    /// [`EvaluateError::Failing`] if the engine fails twice at the position; if it cannot be started or the cache cannot be
    /// used, or the work is cancelled.
    pub fn evaluate(
        &mut self,
        position: &Chess,
        progress: &dyn Progress,
    ) -> Result<Vec<(Move, Evaluation)>, EvaluateError> {
        let key = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let question = Question { position, lines: Lines::All, only: None, key };
        let answer = match self.cache.find(&question, progress)? {
            Some(answer) => answer,
            None => {
                let answer = self.examiner.ask(&question, progress).map_err(|fault| match fault {
                    NoAnswer::Failed(reason) => EvaluateError::Failing { count: 1, reason },
                    NoAnswer::Over(error) => error,
                })?;
                self.cache.keep(&question, &answer, progress)?;
                answer
            }
        };
        // Answers have legal moves alone: `Question::is_answered_by` has seen to that.
        let legal = |name: &str| name.parse::<UciMove>().ok()?.to_move(position).ok();
        Ok(answer.into_iter().filter_map(|(name, evaluation)| Some((legal(&name)?, evaluation))).collect())
    }

    /// Asks the engine to quit.
    pub fn dismiss(self, progress: &dyn Progress) {
        self.examiner.dismiss(progress);
    }
}
