//! The screening of one player: moves, opponents, and what the calibration's own error does to the scores.

use crate::calibration::Calibration;
use crate::claim::ClaimedRating;
use crate::error::{RatingsError, Refusal};
use crate::normal::upper_tail;
use crate::progress::Part;
use crate::sample::Sample;
use crate::screening::{Scores, Screening, Widening};
use crate::turns::Turns;
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a player is screened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreeningOptions {
    /// The rating that moves are compared with.
    pub claim: ClaimedRating,
    /// The factors that widen standard deviations.
    pub widening: Widening,
    /// Players with fewer turns are refused.
    pub min_turns: usize,
}

impl Default for ScreeningOptions {
    fn default() -> ScreeningOptions {
        ScreeningOptions { claim: ClaimedRating::default(), widening: Widening::default(), min_turns: 50 }
    }
}

/// The result of comparing a player's moves with a claimed rating.
#[derive(Clone, Debug)]
pub struct PlayerScreening {
    /// The player's name.
    pub player: String,
    /// How the player was screened.
    pub options: ScreeningOptions,
    /// The scores of the player's moves.
    pub screening: Screening,
    /// The scores of the opponents' moves in the same games against their own ratings, if any of these is known.
    pub opponents: Option<Screening>,
    /// The z-scores if the calibration is off by its standard error.
    pub shift: CalibrationShift,
}

/// z-scores as they would be if players of the claimed rating were one standard error off the calibration line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationShift {
    /// The standard error of the calibration, in Elo, on average over the turns.
    pub elo: f64,
    /// z of mm if they are better than the line says, and if they are worse.
    pub z_mm: (f64, f64),
    /// z of ad if they are better than the line says, and if they are worse.
    pub z_ad: (f64, f64),
}

impl Calibration {
    /// Compares the moves of the player of exactly this name with a claimed rating.
    ///
    /// # Errors
    /// A [`Refusal`] if the turns are too few or were evaluated otherwise than the mileposts, if no rating is known or
    /// claimed, or if it is outside the range of the calibration; [`RatingsError::Cancelled`] if told to stop.
    pub fn screen_player(
        &self,
        turns: &Arc<Turns>,
        player: &str,
        options: ScreeningOptions,
        progress: &dyn Progress,
    ) -> Result<PlayerScreening, RatingsError> {
        self.check(turns)?;
        let sample = Sample::of_player(turns, player);
        let min = options.min_turns.max(1);
        if sample.count() < min {
            return Err(Refusal::TooFewTurns { turns: sample.count(), min }.into());
        }
        let ScreeningOptions { claim, widening, .. } = options;
        if sample.iter().all(|turn| claim.of(turn).is_none()) {
            return Err(Refusal::NoClaim { player: player.to_owned() }.into());
        }
        let part = |number: usize, activity: String| Part::of_plan(progress, activity, number, 4);
        let screening =
            self.screen(&sample, |turn| claim.of(turn), widening, &part(1, format!("screening {player}")))?;
        let against = part(2, format!("screening the opponents of {player}"));
        let opponents = self.screen_opponents(turns, player, widening, &against)?;
        let elos: Vec<f64> = sample.iter().filter_map(|turn| claim.of(turn)).collect();
        let se = elos.iter().map(|&elo| self.se_of(elo)).sum::<f64>() / elos.len().max(1) as f64;
        let shifted = |by: f64, number: usize| -> Result<Scores, RatingsError> {
            let part = part(number, format!("screening {player} with a shifted calibration"));
            match self.screen(&sample, |turn| claim.of(turn).map(|elo| elo + by), widening, &part) {
                Ok(found) => Ok(found.overall),
                // Beyond the end of the line there is nobody to compare with: then the claim as it is.
                Err(RatingsError::Refused(Refusal::OutsideRange { .. })) => Ok(screening.overall),
                Err(error) => Err(error),
            }
        };
        let (better, worse) = (shifted(se, 3)?, shifted(-se, 4)?);
        let shift = CalibrationShift { elo: se, z_mm: (better.z_mm, worse.z_mm), z_ad: (better.z_ad, worse.z_ad) };
        Ok(PlayerScreening { player: player.to_owned(), options, screening, opponents, shift })
    }

    fn screen_opponents(
        &self,
        turns: &Arc<Turns>,
        player: &str,
        widening: Widening,
        progress: &dyn Progress,
    ) -> Result<Option<Screening>, RatingsError> {
        let opponents =
            Sample::new(turns, |turn| turn.player().name != player && turn.game().opponent(turn.side()).name == player);
        let own = ClaimedRating::OfEachGame;
        if opponents.iter().all(|turn| own.of(turn).is_none()) {
            return Ok(None);
        }
        self.screen(&opponents, |turn| own.of(turn), widening, progress).map(Some)
    }
}

impl PlayerScreening {
    /// Explains what the greater z-score means, and what it does not show.
    pub fn note(&self) -> String {
        let overall = &self.screening.overall;
        let z = overall.z_mm.max(overall.z_ad);
        let chance = upper_tail(z);
        let frequency = if chance > 0.4 {
            "That is not unusual.".to_owned()
        } else {
            let one_in = 1.0 / chance;
            let many = if one_in < 1e9 { format!("{one_in:.0}") } else { format!("{one_in:.0e}") };
            format!(
                "Among players who are as strong as claimed and play without help, about one in {many} is as far above \
                 expectation in one given score; of 1,000 such players some {:.*} are.",
                if chance > 0.01 { 0 } else { 1 },
                1000.0 * chance
            )
        };
        format!(
            "The greater z-score is {z:+.2}. {frequency} It does not show why: a rating that lags behind, a good day, \
             forced or known moves, and help all look alike. How likely any of these is depends on how common it is to \
             begin with, which no score knows. This is a screening, not a verdict."
        )
    }
}
