//! Regan and Haworth (2011), *Intrinsic chess ratings*.

mod conclusions;
mod formulas;
mod table;

use crate::study::Study;

/// The studies of this paper.
pub const STUDIES: &[Study] = &[formulas::STUDY, table::STUDY, conclusions::STUDY];
