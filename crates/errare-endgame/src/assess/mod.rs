//! Games under the eyes of an Analyser: what each move conceded, and what it tells of who made it.

mod coverage;
mod players;

pub use coverage::Coverage;
pub use players::{AssessedPlayers, PlayerRecord};

use crate::agents::{Agent, Predator, Scope};
use crate::analyser::{Analyser, Analysis};
use crate::error::EndgameError;
use crate::oracle::{Options, Oracle};
use errare_choice::{State, Update};
use errare_tables::Material;
use errare_work::Progress;
use shakmaty::{ByColor, Chess, Move, Position};
use std::collections::HashSet;
use std::sync::Arc;

/// The share of the posterior that intervals hold.
pub const INTERVAL_SHARE: f64 = 0.9;

/// What a move was the only one of, with the signs of Haworth (2003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The only legal move: °.
    OnlyLegal,
    /// The only move that keeps the theoretical value: ".
    OnlyKeeping,
    /// The only optimal move: '.
    OnlyOptimal,
}

impl Mark {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::OnlyLegal => "°",
            Mark::OnlyKeeping => "\"",
            Mark::OnlyOptimal => "'",
        }
    }
}

/// A move of a game, assessed.
#[derive(Clone, Debug)]
pub struct Remark {
    /// Its place in the game, from 0.
    pub ply: usize,
    /// The position it was made in.
    pub position: Chess,
    /// The move.
    pub mv: Move,
    /// The state of the position before the move, for the mover.
    pub before: State,
    /// The state that the move leads to, for the mover.
    pub after: State,
    /// Moves of depth given away; none if the theoretical value was.
    pub conceded: Option<u16>,
    /// Moves given away by this side in this stretch so far.
    pub conceded_total: u32,
    /// All optimal moves.
    pub optimal: Vec<Move>,
    /// The optimal move that a Predator would have made, knowing the opponent's moves so far.
    pub model_choice: Move,
    /// What the move was the only one of, if anything.
    pub mark: Option<Mark>,
    /// Whether the model calls the move impossible; nothing was learned from it then.
    pub is_impossible: bool,
    /// The expected competence of the mover, after this move.
    pub expected: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The central interval that holds nine tenths.
    pub interval: (f64, f64),
    /// The logarithm of the probability of the move's state, at each point of the grid.
    pub log_likelihoods: Vec<f64>,
}

/// Consecutive moves made in one endgame.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The endgame.
    pub material: Material,
    /// Its moves, the one that leaves it among them.
    pub moves: Vec<Remark>,
}

/// Assesses games.
#[derive(Clone)]
pub struct Assessor {
    /// The values of moves.
    pub oracle: Arc<Oracle>,
    /// How competence is assessed.
    pub analysis: Analysis,
    /// The endgames that have tables; none for all.
    pub covered: Option<Arc<HashSet<Material>>>,
}

impl Assessor {
    /// The stretches of a game inside endgames that have tables. Each side's competence is assessed over all of them.
    ///
    /// # Errors
    /// If a move is illegal, a table is missing or damaged, or the work is cancelled.
    pub fn assess(&self, start: &Chess, moves: &[Move], progress: &dyn Progress) -> Result<Vec<Stretch>, EndgameError> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut analysers = ByColor { white: self.analysis.analyser(), black: self.analysis.analyser() };
        let mut totals = ByColor { white: 0, black: 0 };
        let mut position = start.clone();
        let mut follows_on = false;
        for (ply, &mv) in moves.iter().enumerate() {
            progress.proceed()?;
            let (material, _) = Material::of_board(position.board());
            let covered = material.men() > 2 && !position.castles().any() && self.covers(material);
            if covered {
                let options = self.oracle.options(&position)?;
                if !(follows_on && stretches.last().is_some_and(|stretch| stretch.material == material)) {
                    stretches.push(Stretch { material, moves: Vec::new() });
                    totals = ByColor { white: 0, black: 0 };
                }
                let remark = self.remark((ply, mv), &options, &mut analysers, &mut totals, progress)?;
                if let Some(stretch) = stretches.last_mut() {
                    stretch.moves.push(remark);
                }
            }
            follows_on = covered;
            position.play_unchecked(mv);
        }
        Ok(stretches)
    }

    fn covers(&self, material: Material) -> bool {
        self.covered.as_ref().is_none_or(|covered| covered.contains(&material))
    }

    fn remark(
        &self,
        (ply, mv): (usize, Move),
        options: &Options,
        analysers: &mut ByColor<Analyser>,
        totals: &mut ByColor<u32>,
        progress: &dyn Progress,
    ) -> Result<Remark, EndgameError> {
        let turn = options.position.turn();
        let chosen = options.find(mv).ok_or_else(|| EndgameError::Illegal(mv.to_string()))?;
        let optimal = options.optimal();
        let after = options.candidates[chosen].state();
        let conceded = options.conceded(chosen);
        *totals.get_mut(turn) += u32::from(conceded.unwrap_or(0));
        let model_choice = self.model_choice(options, &optimal, analysers.get(!turn), progress)?;
        let mark = if options.candidates.len() == 1 {
            Some(Mark::OnlyLegal)
        } else if options.keeping() == [chosen] {
            Some(Mark::OnlyKeeping)
        } else if optimal == [chosen] {
            Some(Mark::OnlyOptimal)
        } else {
            None
        };
        let log_likelihoods = self.analysis.log_likelihoods(options, chosen)?;
        let analyser = analysers.get_mut(turn);
        let update = analyser.learn(&log_likelihoods)?;
        let posterior = analyser.posterior();
        let move_of = |&place: &usize| options.candidates[place].choice().mv;
        Ok(Remark {
            ply,
            position: options.position.clone(),
            mv,
            before: options.state,
            after,
            conceded,
            conceded_total: *totals.get(turn),
            optimal: optimal.iter().map(move_of).collect(),
            model_choice: move_of(&model_choice),
            mark,
            is_impossible: update == Update::Impossible,
            expected: posterior.mean(),
            sd: posterior.sd(),
            interval: posterior.interval(INTERVAL_SHARE),
            log_likelihoods,
        })
    }

    fn model_choice(
        &self,
        options: &Options,
        optimal: &[usize],
        other: &Analyser,
        progress: &dyn Progress,
    ) -> Result<usize, EndgameError> {
        if let [only] = optimal {
            return Ok(*only);
        }
        let belief = self.analysis.belief(other.posterior());
        let judgement = Predator::new(belief, 2, Scope::Optimal)?.judge(&self.oracle, options, progress)?;
        judgement.probabilities.iter().position(|&chance| chance > 0.0).ok_or(EndgameError::NoProbability)
    }
}
