//! The test of whether an Elo means the same in each period: mileposts rated by period, with a page.

use super::input::CalibrationInput;
use super::load::TurnsRead;
use super::report::written;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::pages::{period_page, published_s_fit};
use errare_ratings::{EndsOutside, JointFit, Period, PeriodMilepost, PeriodResidual, Sample};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Asks whether an Elo means the same in 1976-1979, 1991-1994 and 2006-2009.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeriodsRequest {
    /// The turns of players of known Elo, with the model that is fitted to all of them.
    pub input: CalibrationInput,
    /// The least number of turns of a period's milepost that the table lists; the test uses all.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
    /// The file to write a page with a figure to; `-` for stdout.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

fn default_min_turns() -> usize {
    100
}

/// Ratings of mileposts by period, and whether an Elo means the same in each.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PeriodsResponse {
    /// A description of the turns.
    pub data: String,
    /// The range of Elos in which the model was fitted: all but half a per cent of the turns at each end.
    pub calibrated_range: (f64, f64),
    /// Mileposts by period, with the ratings of their moves by a model fitted to all periods together.
    pub mileposts: Vec<PeriodMilepostRow>,
    /// The periods, with all their mileposts together.
    pub periods: Vec<PeriodRow>,
    /// The weighted sum of squared differences of the periods from their mean.
    pub chi_square: f64,
    /// Degrees of freedom of that sum.
    pub freedom: usize,
    /// The probability of so great a sum if an Elo means the same in each period.
    pub probability: f64,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
}

/// The players near an Elo in a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeriodMilepostRow {
    /// The years of the period, as in `2006-2009`.
    pub period: String,
    /// The Elo of the milepost, to the nearest hundred.
    pub milepost: f64,
    /// The mean Elo of the players.
    pub elo: f64,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// The Intrinsic Performance Rating of the moves.
    pub ipr: f64,
    /// Whether `ipr` is outside the range of Elos in which the model was fitted, so that it is extrapolated.
    pub outside_range: bool,
    /// The lower end of the rating's 95% interval.
    pub low: f64,
    /// The upper end of the rating's 95% interval.
    pub high: f64,
    /// The ends of the interval that are outside the range of Elos in which the model was fitted.
    pub interval_outside_range: EndsOutside,
    /// The s_fit in the table of Regan and Haworth (2011), by another engine; null if the table has none, or it cannot
    /// be read.
    pub published_s_fit: Option<f64>,
}

/// A period with all its mileposts together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeriodRow {
    /// The years of the period.
    pub period: String,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// Points of Elo by which the moves are better than those of players of the same Elo in all periods.
    pub residual: f64,
    /// The standard error of `residual`, by games.
    pub se: f64,
}

fn years(period: Period) -> String {
    format!("{}-{}", period.from, period.to)
}

impl PeriodMilepostRow {
    fn new(found: &PeriodMilepost, range: (f64, f64)) -> PeriodMilepostRow {
        PeriodMilepostRow {
            period: years(found.period),
            milepost: found.milepost,
            elo: found.elo,
            games: found.games,
            turns: found.turns,
            ipr: found.ipr.elo,
            outside_range: EndsOutside::new((found.ipr.elo, found.ipr.elo), range).any(),
            low: found.ipr.interval.0,
            high: found.ipr.interval.1,
            interval_outside_range: EndsOutside::new(found.ipr.interval, range),
            published_s_fit: published_s_fit(found.period.from, found.milepost),
        }
    }
}

impl From<&PeriodResidual> for PeriodRow {
    fn from(found: &PeriodResidual) -> PeriodRow {
        let &PeriodResidual { period, games, turns, residual, se } = found;
        PeriodRow { period: years(period), games, turns, residual, se }
    }
}

impl Operation for PeriodsRequest {
    const NAME: &'static str = "periods";
    const ABOUT: &'static str = "Rate mileposts by period, and test whether an Elo means the same in each";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = PeriodsResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: self.input.turns.inputs(), outputs: self.out.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<PeriodsResponse, LabError> {
        let set = lab.turns(&self.input.turns, self.input.scale.scale()?, progress)?;
        let sample = Sample::all(&set.turns);
        let joint = JointFit::new(&sample, &self.input.model.model(&set.turns)?, progress)?;
        let found = joint.periods(&sample, &Period::PAPER, self.min_turns, progress)?;
        let response = PeriodsResponse {
            data: set.data.clone(),
            calibrated_range: joint.range,
            mileposts: found.mileposts.iter().map(|row| PeriodMilepostRow::new(row, joint.range)).collect(),
            periods: found.residuals.iter().map(PeriodRow::from).collect(),
            chi_square: found.chi_square,
            freedom: found.freedom,
            probability: found.probability,
            read: TurnsRead::new(&set),
        };
        if self.out.is_some() {
            written(lab, &period_page(&response), self.out.as_deref())?;
        }
        Ok(response)
    }
}
