//! The evaluation of moves in whole games: by an engine or by our own search.

use super::WholeGamesRequest;
use super::response::AdviceUsed;
use crate::error::LabError;
use crate::lab::Lab;
use errare_endgame::EndgameError;
use errare_engine::{Adviser, OWN_DEPTH, OwnSearch, Seat};
use errare_work::Progress;
use shakmaty::ByColor;
use std::fmt;
use std::str::FromStr;
#[cfg(feature = "evaluate")]
use {
    errare_engine::{AdvisedMove, GameSoFar, OpenPlayer},
    errare_evaluate::{EvaluateError, PositionEvaluation, PositionEvaluator},
    errare_ratings::Evaluation,
    errare_uci::Score,
    std::time::Duration,
};

/// The source of evaluations where no table has the position: an engine or our own search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceSource {
    /// The engine that games are evaluated with for ratings, asked in the same way; its evaluations are cached.
    Engine,
    /// Our own search, to depth 5.
    Search,
}

impl fmt::Display for AdviceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            AdviceSource::Engine => "engine",
            AdviceSource::Search => "search",
        })
    }
}

/// A text that does not name a source of evaluations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid adviser `{0}`: expected engine or search")]
pub struct AdviceSourceError(String);

impl FromStr for AdviceSource {
    type Err = AdviceSourceError;

    fn from_str(text: &str) -> Result<AdviceSource, AdviceSourceError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "engine" => Ok(AdviceSource::Engine),
            "search" => Ok(AdviceSource::Search),
            _ => Err(AdviceSourceError(text.to_owned())),
        }
    }
}

/// The evaluation of moves in the games of a request: by nobody, our own search, or an engine.
pub(super) enum AdvicePlan {
    /// No evaluation is needed, as both sides are engines.
    Nobody,
    Search,
    #[cfg(feature = "evaluate")]
    Engine(Box<PositionEvaluation>),
}

impl AdvicePlan {
    /// Starts the lab's engine, if it is to evaluate moves.
    pub fn new(
        request: &WholeGamesRequest,
        seats: &ByColor<Seat>,
        lab: &Lab,
        progress: &dyn Progress,
    ) -> Result<AdvicePlan, LabError> {
        if !seats.iter().any(|seat| matches!(seat, Seat::Advised(_))) {
            return Ok(AdvicePlan::Nobody);
        }
        match request.advice.as_deref() {
            Some(AdviceSource::Search) => Ok(AdvicePlan::Search),
            Some(AdviceSource::Engine) => AdvicePlan::by_engine(request, lab, progress),
            None => match AdvicePlan::by_engine(request, lab, progress) {
                Err(LabError::NoEngine { named: None }) => Ok(AdvicePlan::Search),
                found => found,
            },
        }
    }

    #[cfg(feature = "evaluate")]
    fn by_engine(request: &WholeGamesRequest, lab: &Lab, progress: &dyn Progress) -> Result<AdvicePlan, LabError> {
        let depth = request.depth.unwrap_or_else(OpenPlayer::calibrated_depth);
        if depth == 0 {
            return Err(LabError::request("invalid depth 0: expected 1 or more"));
        }
        let patience = Duration::from_secs(request.patience_seconds);
        let (engine, cache) = (lab.engine_spec()?, lab.config().evaluation_cache()?);
        let evaluation = PositionEvaluation::new(&engine, depth, patience, cache, progress)?;
        Ok(AdvicePlan::Engine(Box::new(evaluation)))
    }

    #[cfg(not(feature = "evaluate"))]
    fn by_engine(_: &WholeGamesRequest, _: &Lab, _: &dyn Progress) -> Result<AdvicePlan, LabError> {
        Err(LabError::NoEngine { named: None })
    }

    /// Does work with an adviser for one game.
    #[cfg_attr(not(feature = "evaluate"), expect(unused_variables, reason = "only an engine takes long"))]
    pub fn with_adviser<T>(
        &self,
        progress: &dyn Progress,
        work: impl FnOnce(&mut dyn Adviser) -> Result<T, EndgameError>,
    ) -> Result<T, EndgameError> {
        match self {
            AdvicePlan::Nobody | AdvicePlan::Search => work(&mut OwnSearch::default()),
            #[cfg(feature = "evaluate")]
            AdvicePlan::Engine(evaluation) => {
                let mut adviser = EngineAdviser(evaluation.evaluator(progress).map_err(failed)?);
                let found = work(&mut adviser);
                adviser.0.dismiss(progress);
                found
            }
        }
    }

    /// Describes the source of evaluations for responses; none if there is no need of one.
    pub fn used(&self, seats: &ByColor<Seat>) -> Option<AdviceUsed> {
        let (engine, depth) = match self {
            AdvicePlan::Nobody => return None,
            AdvicePlan::Search => (None, OWN_DEPTH),
            #[cfg(feature = "evaluate")]
            AdvicePlan::Engine(evaluation) => {
                let engine = evaluation.engine();
                (engine.name, engine.depth.map_or(0, u32::from))
            }
        };
        let caveat = |seat: &Seat| match seat {
            Seat::Advised(player) => player.caveat(engine.as_deref(), depth),
            Seat::Engine(..) => None,
        };
        let mut caveats: Vec<String> = Vec::new();
        for caveat in seats.iter().filter_map(caveat) {
            if !caveats.contains(&caveat) {
                caveats.push(caveat);
            }
        }
        Some(AdviceUsed { engine, depth, caveats })
    }
}

/// The lab's engine as an adviser.
#[cfg(feature = "evaluate")]
struct EngineAdviser<'a>(PositionEvaluator<'a>);

#[cfg(feature = "evaluate")]
impl Adviser for EngineAdviser<'_> {
    fn evaluate(&mut self, game: &GameSoFar, progress: &dyn Progress) -> Result<Vec<AdvisedMove>, EndgameError> {
        let score = |evaluation: Evaluation| match evaluation {
            Evaluation::Centipawns(value) => Score::Centipawns(value),
            Evaluation::Mate(moves) => Score::Mate(moves),
        };
        let moves = self.0.evaluate(game.position(), progress).map_err(failed)?;
        Ok(moves.into_iter().map(|(mv, evaluation)| AdvisedMove::new(mv, score(evaluation))).collect())
    }
}

#[cfg(feature = "evaluate")]
fn failed(error: EvaluateError) -> EndgameError {
    match error {
        EvaluateError::Cancelled(cancelled) => EndgameError::Cancelled(cancelled),
        error => EndgameError::Outside(Box::new(error)),
    }
}
