//! A UCI engine as an agent: it names one move, and knows no probabilities.

use super::engine_pool::EnginePool;
use super::{Agent, Judgement};
use crate::error::EndgameError;
use crate::oracle::{CandidateMove, Options, Oracle};
use errare_choice::Candidate;
use errare_uci::client::{Engine, EngineError, Limit, PositionRequest, Search};
use errare_work::{Cancelled, Progress};
use shakmaty::CastlingMode;
use shakmaty::uci::UciMove;
use std::sync::Arc;

/// An agent that plays the moves of an engine, in one game. To the engine, the first position that it sees starts the
/// game.
#[derive(Debug)]
pub struct EnginePlayer {
    pool: Arc<EnginePool>,
    limit: Limit,
    /// The process that plays, from the first move on; it goes back to the pool with the end of the game.
    engine: Option<Engine>,
    game: Option<PositionRequest>,
}

impl EnginePlayer {
    /// Makes a player that borrows a process from the pool when it has to move.
    pub fn new(pool: Arc<EnginePool>, limit: Limit) -> EnginePlayer {
        EnginePlayer { pool, limit, engine: None, game: None }
    }
}

impl Agent for EnginePlayer {
    fn judge(
        &mut self,
        _oracle: &Oracle,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Judgement, EndgameError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.pool.lend(progress).map_err(failed)?,
        };
        let game = self.game.get_or_insert_with(|| PositionRequest::new(options.position.clone()));
        let analysis = engine.analyse(game, &Search::new(self.limit), progress).map_err(failed)?;
        // Only an engine that answered plays on, and goes back to the pool.
        self.engine = Some(engine);
        let is_best = |candidate: &Candidate<_>| Some(uci_of(candidate)) == analysis.best;
        let best = options.candidates.iter().position(is_best);
        let best = best.ok_or(EndgameError::Internal("the engine's move is none of the position's"))?;
        Ok(Judgement::evenly(options.candidates.len(), &[best]))
    }

    fn watch(&mut self, options: &Options, chosen: usize, _own: bool) -> Result<(), EndgameError> {
        let game = self.game.get_or_insert_with(|| PositionRequest::new(options.position.clone()));
        let illegal = |_| EndgameError::Internal("a move of the game is illegal");
        game.push(uci_of(&options.candidates[chosen])).map_err(illegal)
    }
}

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.pool.take_back(engine);
        }
    }
}

fn uci_of(candidate: &Candidate<CandidateMove>) -> UciMove {
    candidate.choice().mv.to_uci(CastlingMode::Standard)
}

/// Converts the error of an engine to an error of an agent.
fn failed(error: EngineError) -> EndgameError {
    if error.is_cancelled() { EndgameError::Cancelled(Cancelled) } else { EndgameError::Outside(Box::new(error)) }
}
