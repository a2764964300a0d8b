//! Games assessed by an Analyser: what each move conceded, and what it implies about the player.

mod certainty;
mod coverage;
mod players;
mod task;

pub use certainty::{Certainty, MAX_SD_RATIO, MIN_CHOICES};
pub use coverage::{Absence, Coverage, GamesAndMoves, LeftOut};
pub use players::{AssessedPlayers, Assessment, Counts, PlayerAssessment, RECORDS_MEMORY, Unlisted};
pub use task::{GivenUp, Task};

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

/// The set in which a move was the only member, with the signs of Haworth (2003).
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
    /// The set of which the move of a place is the only member, if any.
    pub(crate) fn of(options: &Options, chosen: usize) -> Option<Mark> {
        if options.candidates.len() == 1 {
            Some(Mark::OnlyLegal)
        } else if options.keeping() == [chosen] {
            Some(Mark::OnlyKeeping)
        } else if options.optimal() == [chosen] {
            Some(Mark::OnlyOptimal)
        } else {
            None
        }
    }

    /// The sign of the set.
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
    /// The place of the move in the game, from 0.
    pub ply: usize,
    /// The position that the move was made in.
    pub position: Chess,
    /// The move that was made.
    pub mv: Move,
    /// The state of the position before the move, for the mover.
    pub before: State,
    /// The state that the move leads to, for the mover.
    pub after: State,
    /// The task of the mover.
    pub task: Task,
    /// The theoretical value that the move gave up, if any.
    pub given_up: Option<GivenUp>,
    /// Number of moves of depth conceded; none if the theoretical value was given up.
    pub conceded: Option<u16>,
    /// Number of moves of depth conceded by this side in this stretch so far.
    pub conceded_total: u32,
    /// All optimal moves.
    pub optimal: Vec<Move>,
    /// The optimal move that a Predator would have made, knowing the opponent's moves so far.
    pub model_choice: Move,
    /// The set of which the move was the only member, if any.
    pub mark: Option<Mark>,
    /// Whether the model calls the move impossible; nothing was learned from it then.
    pub is_impossible: bool,
    /// The expected competence of the mover, after this move.
    pub expected: f64,
    /// The standard deviation of that competence.
    pub sd: f64,
    /// The central interval that holds nine tenths of the posterior.
    pub interval: (f64, f64),
    /// How much the mover's moves of this game so far say about it.
    pub certainty: Certainty,
    /// The logarithm of the probability of the move's state, at each point of the grid.
    pub log_likelihoods: Vec<f64>,
}

/// Consecutive moves made in one endgame.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The endgame in which the moves were made.
    pub material: Material,
    /// The moves of the stretch, including the one that leaves the endgame.
    pub moves: Vec<Remark>,
}

/// The assessor of games.
#[derive(Clone)]
pub struct Assessor {
    /// The source of the values of moves.
    pub oracle: Arc<Oracle>,
    /// The analysis by which competence is assessed.
    pub analysis: Analysis,
    /// The endgames that have tables; none if all have.
    pub covered: Option<Arc<HashSet<Material>>>,
}

/// The observations of one side in a game so far.
struct Observed {
    analyser: Analyser,
    /// Number of moves of depth given away in this stretch.
    conceded: u32,
    /// Number of moves with a real choice.
    choices: u64,
}

impl Assessor {
    /// The stretches of a game inside endgames that have tables. Each side's competence is assessed over all of them.
    ///
    /// # Errors
    /// If a move is illegal, a table is missing or damaged, or the work is cancelled.
    pub fn assess(&self, start: &Chess, moves: &[Move], progress: &dyn Progress) -> Result<Vec<Stretch>, EndgameError> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let fresh = || Observed { analyser: self.analysis.analyser(), conceded: 0, choices: 0 };
        let mut observed = ByColor { white: fresh(), black: fresh() };
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
                    observed.as_mut().for_each(|side| side.conceded = 0);
                }
                let remark = self.remark((ply, mv), &options, &mut observed, progress)?;
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
        observed: &mut ByColor<Observed>,
        progress: &dyn Progress,
    ) -> Result<Remark, EndgameError> {
        let turn = options.position.turn();
        let chosen = options.find(mv).ok_or_else(|| EndgameError::Illegal(mv.to_string()))?;
        let optimal = options.optimal();
        let after = options.candidates[chosen].state();
        let conceded = options.conceded(chosen);
        let model_choice = self.model_choice(options, &optimal, &observed.get(!turn).analyser, progress)?;
        let log_likelihoods = self.analysis.log_likelihoods(options, chosen)?;
        let mover = observed.get_mut(turn);
        mover.conceded += u32::from(conceded.unwrap_or(0));
        mover.choices += u64::from(certainty::is_choice(&log_likelihoods));
        let update = mover.analyser.learn(&log_likelihoods)?;
        let posterior = mover.analyser.posterior();
        let move_of = |&place: &usize| options.candidates[place].choice().mv;
        Ok(Remark {
            ply,
            position: options.position.clone(),
            mv,
            before: options.state,
            after,
            task: Task::of(options.state),
            given_up: GivenUp::between(options.best().unwrap_or(after), after),
            conceded,
            conceded_total: mover.conceded,
            optimal: optimal.iter().map(move_of).collect(),
            model_choice: move_of(&model_choice),
            mark: Mark::of(options, chosen),
            is_impossible: update == Update::Impossible,
            expected: posterior.mean(),
            sd: posterior.sd(),
            interval: posterior.interval(INTERVAL_SHARE),
            certainty: Certainty::new(mover.choices, self.analysis.prior(), posterior),
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
