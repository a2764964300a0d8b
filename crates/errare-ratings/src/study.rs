//! Studies of one player: rating, posterior and screening.

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

/// The options of a player's study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyOptions {
    /// The rating that moves are compared with.
    pub claim: ClaimedRating,
    /// The least number of turns: players with fewer get no rating.
    pub min_turns: usize,
}

impl Default for StudyOptions {
    fn default() -> StudyOptions {
        StudyOptions { claim: ClaimedRating::default(), min_turns: RatingOptions::default().min_turns }
    }
}

/// A player with the intrinsic rating of their turns. The rating depends on no claimed rating, so that it can be kept
/// and compared with one claim after another.
#[derive(Clone, Debug)]
pub struct RatedPlayer {
    /// The player's name.
    pub player: String,
    /// The player's turns.
    pub sample: Sample,
    /// The intrinsic rating, or why there is none.
    pub rating: Result<Rating, Refusal>,
    /// The posteriors over Elo; empty without a rating, or if the calibration has no likelihood curve.
    pub readings: Vec<Reading>,
}

/// The study of one player. A part that the data do not allow is replaced by a [`Refusal`].
#[derive(Clone, Debug)]
pub struct PlayerStudy {
    /// The player with the intrinsic rating.
    pub rated: Arc<RatedPlayer>,
    /// The moves compared with the claimed rating, or why they cannot be.
    pub screening: Result<PlayerScreening, Refusal>,
}

impl Calibration {
    /// Studies the player of exactly this name.
    ///
    /// # Errors
    /// [`Refusal::EngineMismatch`] if the turns were evaluated otherwise than the mileposts, [`RatingsError::Cancelled`]
    /// if the work is cancelled. Other refusals are parts of the study.
    pub fn study(
        &self,
        turns: &Arc<Turns>,
        player: &str,
        options: StudyOptions,
        progress: &dyn Progress,
    ) -> Result<PlayerStudy, RatingsError> {
        let rated = Arc::new(self.rate_player(turns, player, options.min_turns, progress)?);
        self.study_rated(turns, &rated, options.claim, progress)
    }

    /// Rates the player of exactly this name, unless there are fewer turns than `min_turns`.
    ///
    /// # Errors
    /// As [`study`](Calibration::study).
    pub fn rate_player(
        &self,
        turns: &Arc<Turns>,
        player: &str,
        min_turns: usize,
        progress: &dyn Progress,
    ) -> Result<RatedPlayer, RatingsError> {
        self.check(turns)?;
        let sample = Sample::of_player(turns, player);
        let rating_progress = Part { whole: progress, activity: format!("rating {player}"), plan: None };
        let rating_options = RatingOptions { min_turns: min_turns.max(1), ..RatingOptions::default() };
        let rating = outcome(self.rate(&sample, rating_options, &rating_progress))?;
        let readings = if rating.is_ok() { self.readings(&sample, progress)? } else { Vec::new() };
        Ok(RatedPlayer { player: player.to_owned(), sample, rating, readings })
    }

    /// Compares the moves of a player who was rated on the same turns with a claimed rating.
    ///
    /// # Errors
    /// As [`study`](Calibration::study).
    pub fn study_rated(
        &self,
        turns: &Arc<Turns>,
        rated: &Arc<RatedPlayer>,
        claim: ClaimedRating,
        progress: &dyn Progress,
    ) -> Result<PlayerStudy, RatingsError> {
        let screening = match &rated.rating {
            Ok(_) => {
                let options = ScreeningOptions { claim, min_turns: 1, ..ScreeningOptions::default() };
                outcome(self.screen_player(turns, &rated.player, options, progress))?
            }
            Err(refusal) => Err(refusal.clone()),
        };
        Ok(PlayerStudy { rated: Arc::clone(rated), screening })
    }
}

/// Separates a refusal, which is a part of the answer, from any other error.
fn outcome<T>(result: Result<T, RatingsError>) -> Result<Result<T, Refusal>, RatingsError> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(RatingsError::Refused(refusal)) => Ok(Err(refusal)),
        Err(error) => Err(error),
    }
}
