//! The sentences beside ratings, the same on report pages, in the workbench and for programs: what ratings rest on, and
//! what they do not show.

use super::load::TurnsRead;
use super::report::PlayerReport;
use super::screen::shift_sentence;
use crate::elo_text;
use crate::numbers::{counted, grouped};
use errare_ratings::{Calibration, Estimator, PlayerScreening, RatedPlayer, Rating, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The caution about what an IPR is not, which stands beside every IPR.
pub(crate) const CAUTION: &str = "An IPR says how well these moves were chosen, not how strong a player is: openings, \
                                  opponents and time have their part.";

/// The note on where ratings come from if no calibration was given.
pub const OWN_CALIBRATION: &str = "Ratings use a calibration made from these turns themselves, the player's own \
                                          among them; --calibration gives another.";

/// The explanation of the columns of a list of players.
pub(crate) const LIST_COLUMNS: &str = "Elo is the mean over the games that give it, mm the share of moves that were the \
                                       engine's first choice, ad the mean loss in pawns, corrected for the size of the \
                                       evaluation.";

/// The explanation of why there are no z-scores.
pub(crate) const NOTHING_TO_COMPARE: &str = "No game gives the player's rating, so there is nothing to compare the moves \
                                             with unless one is claimed.";

/// The sentences of a page on a player.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyWords {
    /// The basis of the rating: the numbers of turns and games, the engine, and the games of the calibration.
    pub basis: String,
    /// A note on games that were counted once though they occurred more often; null if none did.
    pub duplicates: Option<String>,
    /// A note that the calibration was made from the same turns; null if it was not.
    pub own_calibration: Option<String>,
    /// The rating with its interval, in a sentence.
    pub rating: String,
    /// An explanation of what this number of turns can tell.
    pub reach: String,
    /// A caution about what a rating by moves is not.
    pub caution: String,
    /// An explanation of the posterior over Elo; null if there is none.
    pub posterior: Option<String>,
    /// An explanation of what moves were compared with, and how to read z; or that there is no rating to compare with.
    pub screening: String,
    /// A note on how the calibration's own error shifts z; null without z.
    pub shift: Option<String>,
}

impl StudyWords {
    pub(super) fn new(report: &PlayerReport<'_>) -> StudyWords {
        let (calibration, rating) = (report.calibration, report.rating);
        let RatedPlayer { sample, readings, .. } = &*report.study.rated;
        StudyWords {
            basis: format!(
                "{} of {}; {}, calibrated on {}.",
                counted(sample.count(), "turn"),
                counted(sample.games(), "game"),
                report.set.turns.engine(),
                calibration.data
            ),
            duplicates: TurnsRead::new(report.set).duplicates_sentence(),
            own_calibration: report.from_these_turns.then(|| OWN_CALIBRATION.to_owned()),
            rating: rating_sentence(calibration, rating),
            reach: reach_sentence(calibration, rating, sample.count(), sample.games()),
            caution: CAUTION.to_owned(),
            posterior: readings.last().map(|last| posterior_sentence(calibration, last)),
            screening: report
                .screening
                .map_or_else(|| NOTHING_TO_COMPARE.to_owned(), |found| screening_sentence(calibration, found)),
            shift: report.screening.map(|found| shift_sentence(&found.shift)),
        }
    }
}

/// The note on an Elo that is outside the range of the calibration; empty for others.
pub(crate) fn beyond(calibration: &Calibration, outside_range: bool) -> String {
    let (low, high) = calibration.range();
    if outside_range {
        format!(" (outside the calibrated range of {low:.0} to {high:.0}: extrapolated)")
    } else {
        String::new()
    }
}

/// Formats both ends of an interval in whole points, marked by `*` if they are outside the range of the calibration,
/// with what the mark means if one is.
fn marked_ends(calibration: &Calibration, (low, high): (f64, f64)) -> (String, String, String) {
    let outside = calibration.ends_outside_range((low, high));
    let note = if outside.any() {
        let (lowest, highest) = calibration.range();
        format!(" * is outside the calibrated range of {lowest:.0} to {highest:.0}: extrapolated, and worth little.")
    } else {
        String::new()
    };
    (elo_text(low, outside.low), elo_text(high, outside.high), note)
}

fn rating_sentence(calibration: &Calibration, rating: &Rating) -> String {
    let fit = &rating.fit;
    let (low, high, note) = marked_ends(calibration, rating.interval);
    format!(
        "{:.0}{}, 95% between {low} and {high} (standard error {:.0}; from this sample alone it would be {:.0}, the rest is \
         the calibration's). s = {:.3} ({:.3}), c = {:.3} ({:.3}).{note}",
        rating.elo,
        beyond(calibration, rating.outside_range),
        rating.se,
        rating.se_sample,
        fit.skill.s(),
        fit.se_s(),
        fit.skill.c(),
        fit.se_c()
    )
}

/// Explains what this number of turns can tell, and what more of them would.
pub(crate) fn reach_sentence(calibration: &Calibration, rating: &Rating, turns: usize, games: usize) -> String {
    let half = (rating.interval.1 - rating.interval.0) / 2.0;
    // A sample of four times the size has half the standard error; that of the calibration stays.
    let better = match rating.estimator {
        Estimator::Mileposts => calibration.half_interval(rating.reference_ad, rating.se_sample / 2.0),
        Estimator::Joint => half * (rating.se.powi(2) - 0.75 * rating.se_sample.powi(2)).sqrt() / rating.se,
    };
    let tens = |points: f64| grouped((points / 10.0).round() as u64 * 10);
    // With few mileposts less error of the sample may even widen the interval: Student's t has fewer degrees of freedom.
    let more = if better > 0.9 * half {
        "More turns would hardly change that, as most of it is the calibration's own".to_owned()
    } else {
        format!("Four times as many turns would leave about {} points", tens(better))
    };
    format!(
        "{} of {} leave the rating uncertain by about {} points either way: two players must be some {} points apart before \
         so many moves can tell them apart. {more}.",
        counted(turns, "turn"),
        counted(games, "game"),
        tens(half),
        tens(half * std::f64::consts::SQRT_2),
    )
}

fn posterior_sentence(calibration: &Calibration, last: &Reading) -> String {
    let last = last.summary();
    let (low, high, note) = marked_ends(calibration, last.interval);
    format!(
        "If every Elo from 600 to 3600 is equally probable beforehand, {} leave {:.0}{} (standard deviation \
         {:.0}), 95% between {low} and {high}: {}, taken as exact, so that its own error is not in the interval.{note}",
        counted(last.moves, "move"),
        last.mean,
        beyond(calibration, last.outside_range),
        last.sd,
        if calibration.joint.is_some() {
            "by the joint model of skill over Elo and the player's own moves alone"
        } else {
            "along the line that likelihood gives the mileposts"
        }
    )
}

/// Rounds a factor to as many digits as people read.
fn digits(factor: f64) -> f64 {
    (factor * 1000.0).round() / 1000.0
}

fn screening_sentence(calibration: &Calibration, found: &PlayerScreening) -> String {
    let claim = found.options.claim.elo();
    let rating = claim.map_or_else(|| "the rating of each game".to_owned(), |elo| format!("a rating of {elo:.0}"));
    format!(
        "What is to be expected of {rating}{}, and what was played. z says by how many standard deviations the moves were \
         better than that; negative is worse. Standard deviations are widened by {} (mm) and {} (ad) for what the model \
         leaves out.",
        beyond(calibration, found.outside_range),
        digits(found.widening.mm),
        digits(found.widening.ad)
    )
}
