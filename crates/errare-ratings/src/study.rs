//! All that is known of one player: rating, posterior and screening.

use crate::calibration::Calibration;
use crate::claim::ClaimedRating;
use crate::error::{RatingsError, Refusal};
use crate::player_screening::{PlayerScreening, ScreeningOptions};
use crate::progress::Part;
use crate::rating::{Rating, RatingOptions};
use crate::reading::Reading;
use crate::sample::Sample;
use crate::turns::Turns;
use errare_work::Progress;
use std::sync::Arc;

/// How a player is studied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyOptions {
    /// The rating that moves are compared with.
    pub claim: ClaimedRating,
    /// Players with fewer turns get no rating.
    pub min_turns: usize,
}

impl Default for StudyOptions {
    fn default() -> StudyOptions {
        StudyOptions { claim: ClaimedRating::default(), min_turns: RatingOptions::default().min_turns }
    }
}

/// All that is known of one player. What the data do not allow is a [`Refusal`] in its place.
#[derive(Clone, Debug)]
pub struct PlayerStudy {
    /// The player's name.
    pub player: String,
    /// The player's turns.
    pub sample: Sample,
    /// The intrinsic rating, or why there is none.
    pub rating: Result<Rating, Refusal>,
    /// The posteriors over Elo; empty if there is no rating, or if the calibration has no likelihood curve.
    pub readings: Vec<Reading>,
    /// The moves compared with the claimed rating, or why they cannot be.
    pub screening: Result<PlayerScreening, Refusal>,
}

impl Calibration {
    /// Studies the player of exactly this name.
    ///
    /// # Errors
    /// [`Refusal::EngineMismatch`] if the turns were evaluated otherwise than the mileposts, [`RatingsError::Cancelled`]
    /// if told to stop. Other refusals are parts of the study.
    pub fn study(
        &self,
        turns: &Arc<Turns>,
        player: &str,
        options: StudyOptions,
        progress: &dyn Progress,
    ) -> Result<PlayerStudy, RatingsError> {
        self.check(turns)?;
        let sample = Sample::of_player(turns, player);
        let StudyOptions { claim, min_turns } = options;
        let rating_progress = Part { whole: progress, activity: format!("rating {player}"), plan: None };
        let rating_options = RatingOptions { min_turns: min_turns.max(1), draws: None };
        let rating = outcome(self.rate(&sample, rating_options, &rating_progress))?;
        let (readings, screening) = match &rating {
            Ok(_) => {
                let options = ScreeningOptions { claim, min_turns: 1, ..ScreeningOptions::default() };
                let screening = outcome(self.screen_player(turns, player, options, progress))?;
                (self.readings(&sample, progress)?, screening)
            }
            Err(refusal) => (Vec::new(), Err(refusal.clone())),
        };
        Ok(PlayerStudy { player: player.to_owned(), sample, rating, readings, screening })
    }
}

/// Takes a refusal as a part of the answer, and any other error as an error.
fn outcome<T>(result: Result<T, RatingsError>) -> Result<Result<T, Refusal>, RatingsError> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(RatingsError::Refused(refusal)) => Ok(Err(refusal)),
        Err(error) => Err(error),
    }
}
