//! A fixed set of positions on which skills are compared.

use crate::error::RatingsError;
use crate::lens::Lens;
use crate::projection::loss_moments;
use crate::sample::Sample;
use errare_choice::{Odds, Skill};

/// Spreads that everybody is imagined to play: the expected loss on them makes a skill one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// For each turn, for each depth, what the moves lose.
    pub turns: Vec<Vec<Vec<f32>>>,
}

impl Reference {
    /// At most so many turns of a sample, evenly spread. Losses are rounded to a thousandth of a pawn, as they are
    /// written, so that a reference read back is the same.
    pub fn new(sample: &Sample<'_>, most: usize) -> Reference {
        let layers = sample.source().depths().len();
        let rounded = |losses: &[f32]| losses.iter().map(|loss| (loss * 1000.0).round() / 1000.0).collect();
        let part = sample.thinned(most);
        let turns = part.iter().map(|turn| (0..layers).map(|layer| rounded(turn.losses_at(layer))).collect());
        Reference { turns: turns.collect() }
    }

    /// The mean loss to be expected of a skill, in pawns.
    pub fn expected_ad(&self, lens: &Lens, skill: Skill) -> Result<f64, RatingsError> {
        let (mut sum, mut odds) = (0.0, Odds::default());
        for layers in &self.turns {
            let losses = |layer: usize| layers.get(layer).map_or(&[][..], Vec::as_slice);
            lens.look_at(&mut odds, skill, losses)?;
            sum += loss_moments(&odds, losses(0)).0;
        }
        if self.turns.is_empty() { Err(RatingsError::NoTurns) } else { Ok(sum / self.turns.len() as f64) }
    }

    /// Its derivatives by s and c.
    pub fn gradient(&self, lens: &Lens, skill: Skill) -> Result<[f64; 2], RatingsError> {
        const WIDTH: f64 = 1e-4;
        let at = |s: f64, c: f64| -> Result<f64, RatingsError> { self.expected_ad(lens, Skill::new(s, c)?) };
        let (s, c) = (skill.s(), skill.c());
        Ok([
            (at(s * (1.0 + WIDTH), c)? - at(s * (1.0 - WIDTH), c)?) / (2.0 * WIDTH * s),
            (at(s, c * (1.0 + WIDTH))? - at(s, c * (1.0 - WIDTH))?) / (2.0 * WIDTH * c),
        ])
    }

    /// The s at which a skill of this c has this expected loss; none if there is none.
    pub fn sensitivity(&self, lens: &Lens, c: f64, expected_ad: f64) -> Result<Option<f64>, RatingsError> {
        // The logarithm of the loss is nearly linear in ln s: the rule of false position (Illinois) takes few steps.
        let miss = |log_s: f64| -> Result<f64, RatingsError> {
            let found = self.expected_ad(lens, Skill::new(log_s.exp(), c)?)?;
            Ok(found.max(f64::MIN_POSITIVE).ln() - expected_ad.ln())
        };
        let (mut low, mut high) = (-9.0, 6.0);
        let (mut under, mut over) = (miss(low)?, miss(high)?);
        if !(under < 0.0 && over > 0.0) {
            return Ok(None);
        }
        for _ in 0..100 {
            let middle = (low * over - high * under) / (over - under);
            let found = miss(middle)?;
            if found.abs() < 1e-10 || high - low < 1e-10 {
                return Ok(Some(middle.exp()));
            }
            if found < 0.0 {
                (low, under, over) = (middle, found, over / 2.0);
            } else {
                (high, over, under) = (middle, found, under / 2.0);
            }
        }
        Ok(Some((0.5 * (low + high)).exp()))
    }
}
