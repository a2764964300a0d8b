//! The methods of fitting side by side, on the mileposts of a calibration.

use crate::calibration::{Calibration, mileposts};
use crate::error::RatingsError;
use crate::fit::{Fit, Fitter, Method};
use crate::progress::Part;
use crate::sample::Sample;
use crate::turns::Turns;
use errare_choice::{Formula, Relation};
use errare_work::Progress;
use std::sync::Arc;

/// The fit of a milepost by one method.
#[derive(Clone, Debug)]
pub struct MilepostFit {
    /// The Elo of the milepost.
    pub elo: f64,
    /// The fit, which names its formula and method.
    pub fit: Fit,
}

impl Calibration {
    /// Fits every milepost by every method, and by percentile with the shares model too; by falling Elo.
    ///
    /// `turns` must be those that the calibration was made from.
    ///
    /// # Errors
    /// As [`Fitter::fit`].
    pub fn method_fits(&self, turns: &Arc<Turns>, progress: &dyn Progress) -> Result<Vec<MilepostFit>, RatingsError> {
        let formula = self.model.formula();
        let shares = Formula { relation: Relation::Shares, ..formula };
        let mut plans: Vec<(Formula, Method)> = Method::ALL.iter().map(|&method| (formula, method)).collect();
        if shares != formula {
            plans.push((shares, Method::Percentile));
        }
        let parts = self.mileposts.len() * plans.len();
        let mut found = Vec::with_capacity(parts);
        // Some of the turns' mileposts may have been passed over.
        let is_used = |elo: f64| self.mileposts.iter().any(|milepost| milepost.elo == elo);
        let samples = mileposts(&Sample::all(turns), progress)?;
        for (elo, sample) in samples.into_iter().rev().filter(|(elo, _)| is_used(*elo)) {
            for &(formula, method) in &plans {
                let part = Part::of_plan(progress, format!("fitting {elo} by {method}"), found.len() + 1, parts);
                let fit = Fitter::new(self.model.with_formula(formula), method).fit(&sample, &part)?;
                found.push(MilepostFit { elo, fit });
            }
        }
        Ok(found)
    }
}
