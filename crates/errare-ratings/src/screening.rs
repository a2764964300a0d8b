//! Whether play agrees with a claimed rating: z-scores, and what they are made of. Never a verdict.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::projection::{Projection, loss_moments};
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::{Odds, Skill};
use std::collections::HashMap;

/// Standard deviations are multiplied by these, for what the model leaves out: moves are not quite independent.
///
/// The defaults are the paper's authors', from later work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// For mm.
    pub mm: f64,
    /// For ad.
    pub ad: f64,
}

impl Default for Widening {
    fn default() -> Widening {
        Widening { mm: 1.15, ad: 1.4 }
    }
}

/// How far play is from what was to be expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// What was, and what was to be expected.
    pub projection: Projection,
    /// Standard deviations by which mm is above expectation: more moves like the engine's.
    pub z_mm: f64,
    /// Standard deviations by which ad is below expectation: less was lost.
    pub z_ad: f64,
}

impl Scores {
    fn new(projection: Projection, widening: Widening) -> Scores {
        let z = |excess: f64, sd: f64| if sd > 0.0 { excess / sd } else { 0.0 };
        Scores {
            projection,
            z_mm: z(projection.mm - projection.expected_mm, widening.mm * projection.sd_mm),
            z_ad: z(projection.expected_ad - projection.ad, widening.ad * projection.sd_ad),
        }
    }
}

/// One move, held against the claimed rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// Which turn of its source.
    pub turn: usize,
    /// The probability of the played move.
    pub probability: f64,
    /// The probability of the engine's first choice.
    pub first_probability: f64,
    /// What the played move lost.
    pub loss: f64,
    /// What was to be expected.
    pub expected_loss: f64,
    /// The place of the played move in the engine's order, from 1.
    pub rank: usize,
}

/// What a screening found.
#[derive(Clone, Debug)]
pub struct Screening {
    /// Over all turns.
    pub overall: Scores,
    /// By game, each with its place among the games of the source.
    pub games: Vec<(usize, Scores)>,
    /// Move by move.
    pub trace: Vec<Trace>,
    /// Turns left out because no rating is known for who played them.
    pub unrated: usize,
}

impl Calibration {
    /// Holds the turns of a sample against the ratings that their players are said to have.
    pub fn screen(
        &self,
        sample: &Sample<'_>,
        claimed: impl Fn(Turn<'_>) -> Option<f64>,
        widening: Widening,
    ) -> Result<Screening, RatingsError> {
        self.check(sample.source())?;
        let mut skills = HashMap::new();
        let mut games = Vec::new();
        let (mut all, mut trace, mut unrated) = (Vec::new(), Vec::new(), 0);
        let mut odds = Odds::default();
        for game in 0..sample.games() {
            let mut rated: Vec<(Turn<'_>, Skill)> = Vec::new();
            for turn in sample.game(game) {
                let Some(elo) = claimed(turn) else {
                    unrated += 1;
                    continue;
                };
                let skill = match skills.get(&elo.to_bits()) {
                    Some(&skill) => skill,
                    None => *skills.entry(elo.to_bits()).or_insert(self.skill(elo)?),
                };
                rated.push((turn, skill));
                self.lens.look(&mut odds, skill, turn)?;
                trace.push(traced(&odds, turn));
            }
            if let Some((turn, _)) = rated.first() {
                let projection = Projection::of_turns(rated.iter().copied(), &self.lens)?;
                games.push((turn.game_number(), Scores::new(projection, widening)));
            }
            all.extend(rated);
        }
        if all.is_empty() {
            return Err(RatingsError::NoTurns);
        }
        let overall = Scores::new(Projection::of_turns(all, &self.lens)?, widening);
        Ok(Screening { overall, games, trace, unrated })
    }
}

fn traced(odds: &Odds, turn: Turn<'_>) -> Trace {
    Trace {
        turn: turn.index(),
        probability: odds.probabilities()[turn.played()],
        first_probability: odds.probabilities()[0],
        loss: turn.loss(),
        expected_loss: loss_moments(odds, turn.losses()).0,
        rank: turn.played() + 1,
    }
}
