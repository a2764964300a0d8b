//! Fitting skill to turns.

use super::input::{ChoiceModelRequest, ScaleRequest, TurnsRequest, draws};
use super::load::TurnsRead;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_ratings::{
    Bootstrap, Engine, FitPlan, GroupFit, Grouping, LeftOut, Method, Projection, Sample, Scale, ScaleFit,
    estimate_scale,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the skill that best explains which moves were played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FitRequest {
    /// The turns that skill is fitted to.
    pub turns: TurnsRequest,
    /// The scale by which evaluations become losses.
    #[serde(default)]
    pub scale: ScaleRequest,
    /// The model of how players choose.
    #[serde(default)]
    pub model: ChoiceModelRequest,
    /// The methods of fitting, each of which fits every group.
    #[serde(default = "default_methods")]
    pub methods: Vec<Method>,
    /// The grouping of turns, each group of which is fitted by itself; null for one group.
    #[serde(default)]
    pub by: Option<Grouping>,
    /// The least number of turns of a group that is fitted.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
    /// Whether to fit all fifteen pairs of model and curve, most likely first.
    #[serde(default)]
    pub compare: bool,
    /// Number of samples of games to draw and fit, for intervals.
    #[serde(default)]
    pub bootstrap: u32,
    /// Random seed of the draws.
    #[serde(default)]
    pub seed: u64,
    /// Whether to estimate the constant of the scale correction.
    #[serde(default)]
    pub estimate_a: bool,
}

fn default_methods() -> Vec<Method> {
    vec![Method::default()]
}

fn default_min_turns() -> usize {
    50
}

impl FitRequest {
    /// Makes a request to fit all turns of some files together, by percentiles.
    #[must_use]
    pub fn new(turns: TurnsRequest) -> FitRequest {
        FitRequest {
            turns,
            scale: ScaleRequest::default(),
            model: ChoiceModelRequest::default(),
            methods: default_methods(),
            by: None,
            min_turns: default_min_turns(),
            compare: false,
            bootstrap: 0,
            seed: 0,
            estimate_a: false,
        }
    }
}

/// Fitted skills, with a description of the turns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FitResponse {
    /// A description of the turns: the names of the files, the numbers of turns and games.
    pub data: String,
    /// The engine that made the evaluations.
    pub engine: Engine,
    /// The scale by which evaluations became losses, in pawns.
    pub scale: Scale,
    /// The numbers of turns that do not count.
    pub left_out: LeftOut,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// The estimated constant of the scale correction; absent unless asked for, or if no constant will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_estimate: Option<ScaleFit>,
    /// The fits, group by group and method by method; of several formulas the most likely first.
    pub fits: Vec<FittedGroup>,
    /// The groups that have too few turns; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedGroup>,
}

/// The skill that was fitted to a group of turns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FittedGroup {
    /// The name of the group.
    pub group: String,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// The method of fitting.
    pub method: Method,
    /// The relation of the model: shares, powers or ratio.
    pub model: String,
    /// The curve: invexp, ipa, ipb, secha or sechb.
    pub curve: String,
    /// The sensitivity s: how small a loss is noticed.
    pub s: f64,
    /// The standard error of s.
    pub se_s: f64,
    /// The competence c: how sharply losses are distinguished.
    pub c: f64,
    /// The standard error of c.
    pub se_c: f64,
    /// The covariance of s and c.
    pub covariance: [[f64; 2]; 2],
    /// Whether an optimum was found inside the range of skills that is searched.
    pub settled: bool,
    /// Move-match: the share of turns on which the engine's first choice was played.
    pub mm: f64,
    /// The move-match that the model expects.
    pub mm_expected: f64,
    /// The standard deviation of the move-match by the model.
    pub mm_sd: f64,
    /// Average difference: the mean loss in pawns, corrected for the size of the evaluation.
    pub ad: f64,
    /// The average difference that the model expects.
    pub ad_expected: f64,
    /// The standard deviation of the average difference by the model.
    pub ad_sd: f64,
    /// The sum of the squares of R_q - q.
    pub q_fit: f64,
    /// The logarithm of the probability of all moves played.
    pub log_likelihood: f64,
    /// The pairs of q and R_q, for q from 0 to 1.
    pub percentiles: Vec<(f64, f64)>,
    /// The fits of drawn samples; absent without draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<BootstrapSummary>,
}

/// The variation of a fit over samples of games, drawn with replacement.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BootstrapSummary {
    /// Number of draws.
    pub draws: usize,
    /// Number of draws that could not be fitted.
    pub failed: usize,
    /// Random seed of the draws.
    pub seed: u64,
    /// The standard deviation of s over the draws; null with fewer than two.
    pub se_s: Option<f64>,
    /// The standard deviation of c over the draws; null with fewer than two.
    pub se_c: Option<f64>,
    /// The interval that contains s in 95% of the draws.
    pub s_interval: Option<(f64, f64)>,
    /// The interval that contains c in 95% of the draws.
    pub c_interval: Option<(f64, f64)>,
}

/// A group that was passed over because it has too few turns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SkippedGroup {
    /// The name of the group.
    pub group: String,
    /// Number of turns of the group.
    pub turns: usize,
}

/// The share of draws that an interval contains.
const SHARE: f64 = 0.95;

impl Operation for FitRequest {
    const NAME: &'static str = "fit";
    const ABOUT: &'static str = "Fit skill to turns with engine evaluations";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = FitResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<FitResponse, LabError> {
        if self.methods.is_empty() {
            return Err(LabError::request("no methods: expected percentile, likelihood or moments"));
        }
        let (scale, draws) = (self.scale.scale()?, draws(self.bootstrap, self.seed)?);
        let set = lab.turns(&self.turns, scale, progress)?;
        let plan = FitPlan {
            model: self.model.model(&set.turns)?,
            methods: self.methods.clone(),
            all_formulas: self.compare,
            by: self.by,
            min_turns: self.min_turns,
            draws,
        };
        let found = plan.run(&set.turns, progress)?;
        let scale_estimate =
            if self.estimate_a { estimate_scale(&Sample::all(&set.turns), scale, progress)? } else { None };
        let skipped = found.skipped.into_iter();
        Ok(FitResponse {
            data: set.data.clone(),
            engine: set.turns.engine().clone(),
            scale,
            left_out: set.left_out,
            read: TurnsRead::new(&set),
            scale_estimate,
            fits: found.fits.iter().map(FittedGroup::new).collect(),
            skipped: skipped.map(|skipped| SkippedGroup { group: skipped.group, turns: skipped.turns }).collect(),
        })
    }
}

impl FittedGroup {
    fn new(fitted: &GroupFit) -> FittedGroup {
        let fit = &fitted.fit;
        let Projection { turns, mm, expected_mm, sd_mm, ad, expected_ad, sd_ad } = fit.projection;
        FittedGroup {
            group: fitted.group.clone(),
            games: fitted.games,
            turns,
            method: fit.method,
            model: fit.formula.relation.name().to_owned(),
            curve: fit.formula.curve.name().to_owned(),
            s: fit.skill.s(),
            se_s: fit.se_s(),
            c: fit.skill.c(),
            se_c: fit.se_c(),
            covariance: fit.covariance,
            settled: fit.is_settled,
            mm,
            mm_expected: expected_mm,
            mm_sd: sd_mm,
            ad,
            ad_expected: expected_ad,
            ad_sd: sd_ad,
            q_fit: fit.quality,
            log_likelihood: fit.log_likelihood,
            percentiles: fit.percentiles.clone(),
            bootstrap: fitted.drawn.as_ref().map(BootstrapSummary::new),
        }
    }
}

impl BootstrapSummary {
    fn new(drawn: &Bootstrap) -> BootstrapSummary {
        BootstrapSummary {
            draws: drawn.skills.len() + drawn.failed,
            failed: drawn.failed,
            seed: drawn.seed,
            se_s: Some(drawn.sd(|skill| skill.s())).filter(|sd| sd.is_finite()),
            se_c: Some(drawn.sd(|skill| skill.c())).filter(|sd| sd.is_finite()),
            s_interval: drawn.interval(SHARE, |skill| skill.s()),
            c_interval: drawn.interval(SHARE, |skill| skill.c()),
        }
    }
}
