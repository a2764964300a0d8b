//! Skill as a function of Elo, drawn through the mileposts of a calibration.

use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::fitted_line::FittedLine;
use crate::reference::Reference;
use errare_choice::Skill;
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Skill as a function of Elo: c lies on a line, and s follows from the expected loss that another line gives an Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillCurve {
    /// The line of c as a function of Elo.
    pub c_line: FittedLine,
    /// The line of Elo as a function of the expected loss on the reference set.
    pub elo_line: FittedLine,
}

impl SkillCurve {
    /// Draws the curve through mileposts, each given by Elo, skill and expected loss on the reference set.
    pub(crate) fn through(mileposts: &[(f64, Skill, f64)]) -> Result<SkillCurve, RatingsError> {
        let line = |points: Vec<(f64, f64)>| {
            FittedLine::through(&points).ok_or(Refusal::TooFewMileposts { mileposts: mileposts.len() })
        };
        let c_line = line(mileposts.iter().map(|&(elo, skill, _)| (elo, skill.c())).collect())?;
        let elo_line = line(mileposts.iter().map(|&(elo, _, reference_ad)| (reference_ad, elo)).collect())?;
        if elo_line.slope < 0.0 { Ok(SkillCurve { c_line, elo_line }) } else { Err(Refusal::NoTrend.into()) }
    }

    /// The skill of a player of this Elo: c from its line, and the s that leads back to the Elo.
    pub(crate) fn skill(
        &self,
        elo: f64,
        model: &ChoiceModel,
        reference: &Reference,
        progress: &dyn Progress,
    ) -> Result<Skill, RatingsError> {
        let c = self.c_line.at(elo);
        let reference_ad = (elo - self.elo_line.intercept) / self.elo_line.slope;
        if !(c > 0.05 && reference_ad > 0.0) {
            return Err(Refusal::OutsideRange { elo }.into());
        }
        let s = reference.sensitivity(model, c, reference_ad, progress)?.ok_or(Refusal::OutsideRange { elo })?;
        Ok(Skill::new(s, c)?)
    }
}
