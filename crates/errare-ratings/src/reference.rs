//! A fixed set of positions on which skills are compared.

use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::projection::loss_moments;
use crate::sample::Sample;
use errare_choice::{Odds, Skill};
use errare_work::Progress;

/// The positions on which all skills are compared: the expected loss on them turns a skill into one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The losses of the moves, for each turn and each depth.
    pub turns: Vec<Vec<Vec<f32>>>,
}

impl Reference {
    /// Takes at most `max` turns of a sample, evenly spread.
    ///
    /// Losses are rounded to a thousandth of a pawn, as they are written, so that a reference read back is the same.
    pub fn new(sample: &Sample, max: usize) -> Reference {
        let layers = sample.source().depths().len();
        let rounded = |losses: &[f32]| losses.iter().map(|loss| (loss * 1000.0).round() / 1000.0).collect();
        let part = sample.thinned(max);
        let turns = part.iter().map(|turn| (0..layers).map(|layer| rounded(turn.losses_at(layer))).collect());
        Reference { turns: turns.collect() }
    }

    /// The mean loss in pawns that is expected of a skill on the reference set.
    ///
    /// # Errors
    /// [`Refusal::NoTurns`] if the set is empty; [`RatingsError::Choice`] if losses give no probabilities.
    pub fn expected_ad(&self, model: &ChoiceModel, skill: Skill) -> Result<f64, RatingsError> {
        let (mut sum, mut odds) = (0.0, Odds::default());
        for layers in &self.turns {
            let losses = |layer: usize| layers.get(layer).map_or(&[][..], Vec::as_slice);
            model.weigh_losses(&mut odds, skill, losses)?;
            sum += loss_moments(odds.probabilities(), losses(0)).0;
        }
        if self.turns.is_empty() { Err(Refusal::NoTurns.into()) } else { Ok(sum / self.turns.len() as f64) }
    }

    /// The derivatives of the expected loss by s and c.
    pub(crate) fn gradient(&self, model: &ChoiceModel, skill: Skill) -> Result<[f64; 2], RatingsError> {
        const WIDTH: f64 = 1e-4;
        let at = |s: f64, c: f64| -> Result<f64, RatingsError> { self.expected_ad(model, Skill::new(s, c)?) };
        let (s, c) = (skill.s(), skill.c());
        Ok([
            (at(s * (1.0 + WIDTH), c)? - at(s * (1.0 - WIDTH), c)?) / (2.0 * WIDTH * s),
            (at(s, c * (1.0 + WIDTH))? - at(s, c * (1.0 - WIDTH))?) / (2.0 * WIDTH * c),
        ])
    }

    /// Finds the s at which a skill of this c has this expected loss, if there is one.
    pub(crate) fn sensitivity(
        &self,
        model: &ChoiceModel,
        c: f64,
        expected_ad: f64,
        progress: &dyn Progress,
    ) -> Result<Option<f64>, RatingsError> {
        let miss = |log_s: f64| -> Result<f64, RatingsError> {
            progress.proceed()?;
            let found = self.expected_ad(model, Skill::new(log_s.exp(), c)?)?;
            Ok(found.max(f64::MIN_POSITIVE).ln() - expected_ad.ln())
        };
        // The logarithm of the loss rises with ln s, and nearly in a line where people are: secants take few steps. The
        // ends of what is known to lie below and above keep them in bounds.
        let (mut low, mut high) = (-9.0_f64, 6.0_f64);
        let (mut last, mut at) = ((-1.6_f64, miss(-1.6)?), -1.6_f64);
        let mut slope = 1.0;
        for _ in 0..60 {
            if last.1.abs() < EXACT {
                return Ok(Some(last.0.exp()));
            }
            (low, high) = if last.1 < 0.0 { (last.0, high) } else { (low, last.0) };
            let next = at - last.1 / slope;
            at = if next > low && next < high { next } else { 0.5 * (low + high) };
            if high - low < EXACT {
                break;
            }
            let found = (at, miss(at)?);
            let rise = (found.1 - last.1) / (found.0 - last.0);
            slope = if rise.is_finite() && rise > 0.0 { rise } else { 1.0 };
            last = found;
        }
        // At an end there is none.
        Ok((low > -9.0 && high < 6.0).then(|| (0.5 * (low + high)).exp()))
    }
}

/// The relative error of the loss below which the search ends: an Elo moves by less than a hundred-thousandth of a
/// point.
const EXACT: f64 = 1e-10;
