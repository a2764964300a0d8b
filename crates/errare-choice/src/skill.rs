//! Skill in the sense of the ratings' paper: sensitivity and competence, and who has them.

use crate::chooser::Chooser;
use crate::curve::Curve;
use crate::odds::Odds;
use crate::probability::ChoiceError;
use crate::relation::Relation;
use std::fmt;

/// The parameters of section 4: the sensitivity s, in the unit of the losses, and the competence c.
///
/// The smaller s, the finer the differences that are told apart; the greater c, the more surely a bad choice is
/// avoided. Both are above 0 and finite. (This c is not the [`Competence`](crate::Competence) of endgame play.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    s: f64,
    c: f64,
}

/// Numbers that are no skill.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("s = {s}, c = {c} is no skill: both must be finite and above 0")]
pub struct SkillError {
    /// The sensitivity.
    pub s: f64,
    /// The competence.
    pub c: f64,
}

impl Skill {
    /// Both must be finite and above 0.
    pub fn new(s: f64, c: f64) -> Result<Skill, SkillError> {
        if s > 0.0 && c > 0.0 && s.is_finite() && c.is_finite() { Ok(Skill { s, c }) } else { Err(SkillError { s, c }) }
    }

    /// The sensitivity.
    pub fn s(self) -> f64 {
        self.s
    }

    /// The competence.
    pub fn c(self) -> f64 {
        self.c
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s = {}, c = {}", self.s, self.c)
    }
}

/// A model with a curve: one of fifteen ways to turn losses into probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The model: how probabilities are related.
    pub relation: Relation,
    /// The curve g.
    pub curve: Curve,
}

impl Formula {
    /// What the paper's table was made with.
    pub const PAPER: Formula = Formula { relation: Relation::Powers, curve: Curve::InvExp };

    /// All fifteen.
    pub fn all() -> impl Iterator<Item = Formula> {
        Relation::ALL.into_iter().flat_map(|relation| Curve::ALL.map(|curve| Formula { relation, curve }))
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.relation, self.curve)
    }
}

/// Somebody of known skill, who chooses between losses: how much less than the best each candidate is worth.
///
/// ```
/// use errare_choice::{Chooser, Formula, Skill, Skilled};
/// // The paper's 2500 of 2006 to 2009.
/// let player = Skilled { formula: Formula::PAPER, skill: Skill::new(0.092, 0.491)? };
/// let chances = player.probabilities(&[0.0, 0.04, 0.12, 0.12, 0.39])?;
/// assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// assert!(chances[0] > chances[1] && chances[1] > chances[2] && chances[2] == chances[3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skilled {
    /// How losses turn into probabilities.
    pub formula: Formula,
    /// The parameters.
    pub skill: Skill,
}

impl<D: Copy + Into<f64>> Chooser<D> for Skilled {
    fn log_probabilities(&self, losses: &[D], logs: &mut Vec<f64>) -> Result<(), ChoiceError> {
        let mut odds = Odds::default();
        odds.weigh(self.formula, self.skill, losses)?;
        logs.clear();
        logs.extend_from_slice(odds.log_probabilities());
        Ok(())
    }
}
