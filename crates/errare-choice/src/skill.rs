//! Skill in the sense of Regan and Haworth (2011): sensitivity and competence, and players who have them.

use crate::chooser::Chooser;
use crate::curve::Curve;
use crate::odds::Odds;
use crate::probability::ChoiceError;
use crate::relation::Relation;
use std::fmt;

/// A player's skill: the sensitivity s, in the unit of the losses, and the competence c (Regan and Haworth (2011),
/// section 4).
///
/// The smaller s, the finer the differences that the player sees; the greater c, the more surely a bad choice is
/// avoided. Both are positive and finite. (This c is not the [`Competence`](crate::Competence) of the other family.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    s: f64,
    c: f64,
}

/// Numbers that are not a valid skill.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("invalid skill s = {s}, c = {c}: expected two positive finite numbers")]
pub struct SkillError {
    /// The sensitivity that was asked for.
    pub s: f64,
    /// The competence that was asked for.
    pub c: f64,
}

impl Skill {
    /// Makes a skill of a sensitivity and a competence.
    ///
    /// # Errors
    /// If one of them is not positive or not finite.
    pub fn new(s: f64, c: f64) -> Result<Skill, SkillError> {
        if s > 0.0 && c > 0.0 && s.is_finite() && c.is_finite() { Ok(Skill { s, c }) } else { Err(SkillError { s, c }) }
    }

    /// The sensitivity s.
    pub fn s(self) -> f64 {
        self.s
    }

    /// The competence c.
    pub fn c(self) -> f64 {
        self.c
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s = {}, c = {}", self.s, self.c)
    }
}

/// A formula that turns losses into probabilities: one of three models with one of five curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The model: how the probabilities of candidates are related.
    pub relation: Relation,
    /// The curve g.
    pub curve: Curve,
}

impl Formula {
    /// The formula behind the table of Regan and Haworth (2011).
    pub const PAPER: Formula = Formula { relation: Relation::Powers, curve: Curve::InvExp };

    /// All fifteen formulas.
    pub fn all() -> impl Iterator<Item = Formula> {
        Relation::ALL.into_iter().flat_map(|relation| Curve::ALL.map(|curve| Formula { relation, curve }))
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.relation, self.curve)
    }
}

/// A player of known skill, who chooses between losses: how much less than the best each candidate is worth.
///
/// ```
/// use errare_choice::{Chooser, Formula, Skill, Skilled};
/// // Players rated 2500 in 2006 to 2009, by Regan and Haworth (2011).
/// let player = Skilled { formula: Formula::PAPER, skill: Skill::new(0.092, 0.491)? };
/// let chances = player.probabilities(&[0.0, 0.04, 0.12, 0.12, 0.39])?;
/// assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
/// assert!(chances[0] > chances[1] && chances[1] > chances[2] && chances[2] == chances[3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skilled {
    /// The formula that turns losses into probabilities.
    pub formula: Formula,
    /// The parameters of the formula.
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
