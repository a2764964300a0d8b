//! Levy (1987), *Improving the performance of endgame databases*, and Rasmussen on the same pages.

mod example;
mod rasmussen;
mod search;

use crate::study::Study;

/// The studies of these pages.
pub const STUDIES: &[Study] = &[example::STUDY, rasmussen::STUDY, search::STUDY];
