//! An engine as an agent, with the record of its moves.

use errare_choice::Candidate;
use errare_endgame::{Agent, Analysis, CandidateMove, EndgameError, Judgement, Options, Oracle, PlayRecord};
use errare_uci::client::{Engine, EngineError, PositionRequest, Search};
use errare_work::{Cancelled, Progress};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};

/// Plays the moves of an engine, and keeps the record of them.
pub struct EnginePlayer<'a> {
    engine: &'a mut Engine,
    search: Search,
    analysis: &'a Analysis,
    /// What the engine's moves were worth.
    pub record: PlayRecord,
    /// The game so far.
    game: PositionRequest,
}

impl<'a> EnginePlayer<'a> {
    /// Sits an engine down at a position.
    pub fn new(engine: &'a mut Engine, search: Search, analysis: &'a Analysis, start: &Chess) -> EnginePlayer<'a> {
        let (record, game) = (PlayRecord::new(analysis), PositionRequest::new(start.clone()));
        EnginePlayer { engine, search, analysis, record, game }
    }
}

impl Agent for EnginePlayer<'_> {
    fn judge(
        &mut self,
        _oracle: &Oracle,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Judgement, EndgameError> {
        let analysis = self.engine.analyse(&self.game, &self.search, progress).map_err(failed)?;
        let is_best = |candidate: &Candidate<_>| Some(uci_of(candidate)) == analysis.best;
        let best = options.candidates.iter().position(is_best);
        let best = best.ok_or(EndgameError::Internal("the engine's move is none of the position's"))?;
        let mut probabilities = vec![0.0; options.candidates.len()];
        probabilities[best] = 1.0;
        Ok(Judgement { figure: None, figures: vec![None; probabilities.len()], probabilities })
    }

    fn watch(&mut self, options: &Options, chosen: usize, own: bool) -> Result<(), EndgameError> {
        let illegal = |_| EndgameError::Internal("a move of the game is illegal");
        self.game.push(uci_of(&options.candidates[chosen])).map_err(illegal)?;
        if own {
            self.record.add(self.analysis, options, chosen)?;
        }
        Ok(())
    }
}

fn uci_of(candidate: &Candidate<CandidateMove>) -> UciMove {
    candidate.choice().mv.to_uci(CastlingMode::Standard)
}

/// The error of an engine as that of an agent.
fn failed(error: EngineError) -> EndgameError {
    if error.is_cancelled() { EndgameError::Cancelled(Cancelled) } else { EndgameError::Outside(Box::new(error)) }
}
