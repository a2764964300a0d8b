//! Andrist and Haworth (2005), *Deeper model endgame analysis*.

mod analyser;
mod attackers;
mod emulator;
mod experiment;
mod figures;
mod kbbkn;
mod kqkr;
mod predator;
mod preferences;

use crate::study::Study;

/// The studies of this paper.
pub const STUDIES: &[Study] = &[
    preferences::STUDY,
    kqkr::STUDY,
    analyser::STUDY,
    predator::STUDY,
    emulator::STUDY,
    experiment::STUDY,
    attackers::STUDY,
    kbbkn::STUDY,
];
