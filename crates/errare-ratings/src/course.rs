//! What players of each Elo are like: the course that a calibration draws through its mileposts.

use crate::error::RatingsError;
use crate::lens::Lens;
use crate::line::Line;
use crate::reference::Reference;
use errare_choice::Skill;

/// The course of skill over Elo: c on a line, and s by the loss that belongs to the Elo on another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// c over Elo.
    pub c_line: Line,
    /// Elo over the expected loss on the reference set.
    pub elo_line: Line,
}

impl Course {
    /// Through the skills of mileposts, each with its Elo and its expected loss on the reference set.
    pub(crate) fn through(mileposts: &[(f64, Skill, f64)]) -> Result<Course, RatingsError> {
        let line = |points: Vec<(f64, f64)>| Line::through(&points).ok_or(RatingsError::Mileposts(mileposts.len()));
        let c_line = line(mileposts.iter().map(|&(elo, skill, _)| (elo, skill.c())).collect())?;
        let elo_line = line(mileposts.iter().map(|&(elo, _, expected_ad)| (expected_ad, elo)).collect())?;
        if elo_line.slope < 0.0 { Ok(Course { c_line, elo_line }) } else { Err(RatingsError::NoTrend) }
    }

    /// The skill of a player of this Elo: c from its line, and the s that leads back to the Elo.
    pub(crate) fn skill(&self, elo: f64, lens: &Lens, reference: &Reference) -> Result<Skill, RatingsError> {
        let c = self.c_line.at(elo);
        let expected_ad = (elo - self.elo_line.intercept) / self.elo_line.slope;
        if !(c > 0.05 && expected_ad > 0.0) {
            return Err(RatingsError::Beyond(elo));
        }
        let s = reference.sensitivity(lens, c, expected_ad)?.ok_or(RatingsError::Beyond(elo))?;
        Ok(Skill::new(s, c)?)
    }
}
