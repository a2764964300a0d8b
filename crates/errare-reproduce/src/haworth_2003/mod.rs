//! Haworth (2003), *Reference fallible endgame play*.

mod appendix_b;
mod benefit;
mod competence;
mod endgame;
mod positions;
mod preferences;

use crate::study::Study;

/// The studies of this paper.
pub const STUDIES: &[Study] =
    &[endgame::STUDY, preferences::STUDY, positions::STUDY, competence::STUDY, benefit::STUDY, appendix_b::STUDY];
