//! Fits of several groups of turns, by several methods.

use super::{Bootstrap, Draws, Fit, Fitter, Method};
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::grouping::{Group, Grouping, groups};
use crate::progress::Part;
use crate::turns::Turns;
use errare_choice::Formula;
use errare_work::Progress;
use std::sync::Arc;

/// A plan of fits: which groups of turns are fitted, and how.
#[derive(Clone, Debug)]
pub struct FitPlan {
    /// The model of how players choose.
    pub model: ChoiceModel,
    /// The methods, each of which fits every group.
    pub methods: Vec<Method>,
    /// Whether all fifteen formulas are fitted instead of that of the model.
    pub all_formulas: bool,
    /// The property that turns are grouped by; none to fit all of them together.
    pub by: Option<Grouping>,
    /// The number of turns below which groups are passed over.
    pub min_turns: usize,
    /// The samples of games to draw for each fit; none for no draws.
    pub draws: Option<Draws>,
}

/// The fit of one group.
#[derive(Clone, Debug)]
pub struct GroupFit {
    /// The name of the group.
    pub group: String,
    /// Number of games in the group.
    pub games: usize,
    /// The fit of all turns of the group.
    pub fit: Fit,
    /// The fits of drawn samples; none if no draws were wanted.
    pub drawn: Option<Bootstrap>,
}

/// A group that was passed over because it has too few turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGroup {
    /// The name of the group.
    pub group: String,
    /// Number of turns of the group.
    pub turns: usize,
}

/// The results of a plan.
#[derive(Clone, Debug)]
pub struct GroupFits {
    /// The fits, group by group and method by method; of several formulas the most likely first.
    pub fits: Vec<GroupFit>,
    /// The groups that were passed over, as they have too few turns.
    pub skipped: Vec<SkippedGroup>,
}

impl FitPlan {
    /// Fits all groups by all methods.
    ///
    /// # Errors
    /// [`Refusal::TooFewTurns`] if no group has enough turns; otherwise as [`Fitter::fit`].
    pub fn run(&self, turns: &Arc<Turns>, progress: &dyn Progress) -> Result<GroupFits, RatingsError> {
        let min = self.min_turns.max(1);
        let all = groups(turns, self.by, progress)?;
        let largest = all.iter().map(|group| group.sample.count()).max().unwrap_or(0);
        let (kept, small): (Vec<Group>, Vec<Group>) = all.into_iter().partition(|group| group.sample.count() >= min);
        if kept.is_empty() {
            return Err(Refusal::TooFewTurns { turns: largest, min }.into());
        }
        let formulas = if self.all_formulas { Formula::all().collect::<Vec<_>>() } else { vec![self.model.formula()] };
        let parts = kept.len() * self.methods.len() * formulas.len();
        let (mut found, mut part) = (Vec::new(), 0);
        for group in &kept {
            for &method in &self.methods {
                let first = found.len();
                for &formula in &formulas {
                    part += 1;
                    let activity = format!("fitting {} by {method}", group.name);
                    let progress = Part::of_plan(progress, activity, part, parts);
                    let fitter = Fitter::new(self.model.with_formula(formula), method);
                    let (fit, drawn) = fitter.fit_and_draw(&group.sample, self.draws, &progress)?;
                    found.push(GroupFit { group: group.name.clone(), games: group.sample.games(), fit, drawn });
                }
                found[first..].sort_by(|one, other| other.fit.log_likelihood.total_cmp(&one.fit.log_likelihood));
            }
        }
        let skipped =
            small.into_iter().map(|Group { name, sample }| SkippedGroup { group: name, turns: sample.count() });
        Ok(GroupFits { fits: found, skipped: skipped.collect() })
    }
}
