//! The screening of one player: moves, opponents, and the effect of the calibration's own error on the scores.

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

/// The caution that stands beside all z-scores: what they do not show.
pub const NOT_A_VERDICT: &str = "None of this shows why: a rating that lags behind, a good day, forced or known moves, and \
                                 help all look alike. How likely any of these is depends on how common it is to begin \
                                 with, which no score knows. This is a screening, not a verdict.";

/// The options of a screening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreeningOptions {
    /// The rating that moves are compared with.
    pub claim: ClaimedRating,
    /// The factors that widen standard deviations; none for those of the calibration ([`Calibration::widening`]).
    pub widening: Option<Widening>,
    /// The least number of turns: players with fewer are refused.
    pub min_turns: usize,
}

impl Default for ScreeningOptions {
    fn default() -> ScreeningOptions {
        ScreeningOptions { claim: ClaimedRating::default(), widening: None, min_turns: 50 }
    }
}

/// The result of comparing a player's moves with a claimed rating.
#[derive(Clone, Debug)]
pub struct PlayerScreening {
    /// The player's name.
    pub player: String,
    /// The options of the screening.
    pub options: ScreeningOptions,
    /// The factors that widened standard deviations.
    pub widening: Widening,
    /// The probability that at least one of both scores over all games is as great as the greater one, for players who
    /// are as strong as claimed.
    pub chance: f64,
    /// Whether a rating that moves were compared with is outside the range of the calibration, so that the expectations
    /// are extrapolated.
    pub outside_range: bool,
    /// The scores of the player's moves.
    pub screening: Screening,
    /// The scores of the opponents' moves in the same games against their own ratings, if any of these is known.
    pub opponents: Option<Screening>,
    /// The z-scores as they would be if the calibration were off by its standard error.
    pub shift: CalibrationShift,
}

/// The z-scores as they would be if players of the claimed rating were one standard error off the calibration line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationShift {
    /// The standard error of the calibration, in Elo, on average over the turns.
    pub elo: f64,
    /// The z of mm if these players are better than the line, and if they are worse.
    pub z_mm: (f64, f64),
    /// The z of ad if these players are better than the line, and if they are worse.
    pub z_ad: (f64, f64),
}

impl Calibration {
    /// Compares the moves of the player of exactly this name with a claimed rating.
    ///
    /// # Errors
    /// A [`Refusal`] if the turns are too few or were evaluated otherwise than the mileposts, if no rating is known or
    /// claimed, or if it is outside the range of the calibration; [`RatingsError::Cancelled`] if the work is cancelled.
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
        let claim = options.claim;
        let widening = options.widening.unwrap_or_else(|| self.widening());
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
        let outside_range = elos.iter().any(|&elo| self.is_outside_range(elo));
        let chance = self.chance_of_either(screening.overall.z_mm.max(screening.overall.z_ad));
        let player = player.to_owned();
        Ok(PlayerScreening { player, options, widening, chance, outside_range, screening, opponents, shift })
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
    /// Explains what the two z-scores over all games mean, and what they do not show.
    ///
    /// The greater of two scores is above a bound more often than one given score is: at most twice as often, and less
    /// than that as far as they go together.
    pub fn note(&self) -> String {
        format!("{} {NOT_A_VERDICT}", meaning(self.screening.overall.z_mm, self.screening.overall.z_ad, self.chance))
    }
}

/// Explains how unusual the greater of two z-scores is among players who are as strong as claimed.
fn meaning(z_mm: f64, z_ad: f64, either: f64) -> String {
    let (name, z) = if z_mm >= z_ad { ("mm, the share of first choices", z_mm) } else { ("ad, the mean loss", z_ad) };
    let both = format!("Two scores were looked at: z is {z_mm:+.2} for mm and {z_ad:+.2} for ad.");
    if z <= 0.0 {
        return format!(
            "{both} Neither is above 0: fewer first choices were played, and more was lost, than is to be expected of the \
             rating. Nothing here looks better than the rating."
        );
    }
    let one = upper_tail(z);
    let verdict = if either > 0.2 { " That is not unusual." } else { "" };
    let below = if z_mm.min(z_ad) < 0.0 { " The negative one means worse play than expected." } else { "" };
    format!(
        "{both}{below} The greater is that of {name}. If the model is exact, players who are as strong as claimed and play \
         without help score this or more with a chance of {} in {} alone, and of {} in one of the two.{verdict} \
         Whoever looks at many players, or at many games, will find some that are unusual by chance.",
        chance(one),
        name.split(',').next().unwrap_or(name),
        chance(either)
    )
}

/// Formats a chance as people read it: `23 in 1,000`, `1 in 31,574`.
fn chance(probability: f64) -> String {
    let thousandths = 1000.0 * probability;
    match 1.0 / probability {
        _ if thousandths >= 10.0 => format!("{thousandths:.0} in 1,000"),
        _ if thousandths >= 1.0 => format!("{thousandths:.1} in 1,000"),
        one_in if one_in < 1e9 => format!("1 in {one_in:.0}"),
        _ => "less than 1 in 1,000,000,000".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{chance, meaning};

    #[test]
    fn the_greater_score_is_named_and_two_were_looked_at() {
        // 1 - Phi(2) = 0.02275, and twice that.
        let found = meaning(2.0, 1.0, 0.0455);
        for words in ["z is +2.00 for mm and +1.00 for ad", "The greater is that of mm", "23 in 1,000 in mm alone"] {
            assert!(found.contains(words), "{found}");
        }
        assert!(found.contains("and of 46 in 1,000 in one of the two") && !found.contains("not unusual"), "{found}");
        let found = meaning(-1.0, 3.0, 0.0027);
        assert!(found.contains("that of ad") && found.contains("1.3 in 1,000 in ad alone"), "{found}");
        assert!(found.contains("The negative one means worse play"), "{found}");
        assert!(meaning(0.5, 0.0, 0.5).contains("That is not unusual."));
    }

    #[test]
    fn negative_scores_are_no_chance_at_all() {
        for (z_mm, z_ad) in [(-2.0, -0.5), (-0.01, -3.0), (0.0, 0.0)] {
            let found = meaning(z_mm, z_ad, 1.0);
            assert!(found.contains("Neither is above 0") && !found.contains("in 1,000"), "{found}");
        }
    }

    #[test]
    fn chances_are_counted_in_thousands_or_one_in_many() {
        assert_eq!(
            [0.5, 0.0214, 0.0031, 1e-4].map(chance),
            ["500 in 1,000", "21 in 1,000", "3.1 in 1,000", "1 in 10000"]
        );
        assert_eq!([0.0, 1e-300].map(chance), ["less than 1 in 1,000,000,000"; 2]);
    }
}
