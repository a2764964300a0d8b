//! An engine at the board, and what its moves were worth.

use errare_choice::Candidate;
use errare_endgame::{Agent, Analysis, CandidateMove, EndgameError, Judgement, Options, Oracle};
use errare_uci::client::{Engine, PositionRequest, Search};
use errare_work::Progress;
use shakmaty::{CastlingMode, Chess};

/// What one side's moves of a game were worth.
#[derive(Clone, Debug)]
pub struct Record {
    pub moves: u64,
    pub optimal: u64,
    /// Moves of depth given away, where the value was kept.
    pub conceded: u64,
    /// Moves that gave the theoretical value away.
    pub let_go: u64,
    /// Moves that the model calls impossible; nothing is learned from them.
    pub impossible: u64,
    /// The logarithm of their probability at each competence.
    pub log_likelihoods: Vec<f64>,
}

impl Record {
    pub fn new(analysis: &Analysis) -> Record {
        let points = analysis.prior().probabilities().len();
        Record { moves: 0, optimal: 0, conceded: 0, let_go: 0, impossible: 0, log_likelihoods: vec![0.0; points] }
    }

    fn add(&mut self, options: &Options, chosen: usize, log_likelihoods: &[f64]) {
        let conceded = options.conceded(chosen);
        self.moves += 1;
        self.optimal += u64::from(options.optimal().contains(&chosen));
        self.conceded += u64::from(conceded.unwrap_or(0));
        self.let_go += u64::from(conceded.is_none());
        if log_likelihoods.iter().any(|log| log.is_finite()) {
            self.log_likelihoods.iter_mut().zip(log_likelihoods).for_each(|(sum, log)| *sum += log);
        } else {
            self.impossible += 1;
        }
    }

    pub fn merge(&mut self, other: &Record) {
        self.moves += other.moves;
        self.optimal += other.optimal;
        self.conceded += other.conceded;
        self.let_go += other.let_go;
        self.impossible += other.impossible;
        self.log_likelihoods.iter_mut().zip(&other.log_likelihoods).for_each(|(sum, log)| *sum += log);
    }
}

/// Plays what an engine says, and keeps the record of it.
pub struct EnginePlayer<'a> {
    pub engine: &'a mut Engine,
    pub search: Search,
    pub progress: &'a dyn Progress,
    pub analysis: &'a Analysis,
    pub record: Record,
    /// The game so far.
    pub game: PositionRequest,
}

impl<'a> EnginePlayer<'a> {
    pub fn new(
        engine: &'a mut Engine,
        search: &Search,
        progress: &'a dyn Progress,
        analysis: &'a Analysis,
        start: &Chess,
    ) -> EnginePlayer<'a> {
        EnginePlayer {
            engine,
            search: search.clone(),
            progress,
            analysis,
            record: Record::new(analysis),
            game: PositionRequest::new(start.clone()),
        }
    }
}

impl Agent for EnginePlayer<'_> {
    fn judge(
        &mut self,
        _oracle: &Oracle,
        options: &Options,
        _progress: &dyn Progress,
    ) -> Result<Judgement, EndgameError> {
        let analysis = self.engine.analyse(&self.game, &self.search, self.progress).map_err(outside)?;
        let is_best = |candidate: &Candidate<_>| Some(uci_of(candidate)) == analysis.best;
        let best = options.candidates.iter().position(is_best).ok_or(EndgameError::NoMove)?;
        let mut probabilities = vec![0.0; options.candidates.len()];
        probabilities[best] = 1.0;
        Ok(Judgement { figure: None, figures: vec![None; probabilities.len()], probabilities })
    }

    fn watch(&mut self, options: &Options, chosen: usize, own: bool) -> Result<(), EndgameError> {
        self.game.push(uci_of(&options.candidates[chosen])).map_err(outside)?;
        if own {
            let log_likelihoods = self.analysis.log_likelihoods(options, chosen)?;
            self.record.add(options, chosen, &log_likelihoods);
        }
        Ok(())
    }
}

fn uci_of(candidate: &Candidate<CandidateMove>) -> shakmaty::uci::UciMove {
    candidate.choice().mv.to_uci(CastlingMode::Standard)
}

fn outside(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> EndgameError {
    EndgameError::Outside(error.into())
}
