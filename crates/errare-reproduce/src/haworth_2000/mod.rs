//! Haworth (2000), *Strategies for constrained optimisation*.

mod appendix_a;
mod appendix_b;
mod by_the_rule;
mod choices;
mod goals;
mod k_wins;
mod kbbknn_sets;
mod lines;
mod metrics;
mod six_men;
mod strategies;
mod table_2;

use crate::study::Study;

/// The studies of this paper.
pub const STUDIES: &[Study] = &[
    metrics::SMALL,
    metrics::LARGE,
    table_2::STUDY,
    lines::STUDY,
    k_wins::STUDY,
    choices::STUDY,
    strategies::STUDY,
    goals::STUDY,
    appendix_a::STUDY,
    appendix_b::STUDY,
    six_men::STUDY,
    kbbknn_sets::STUDY,
];
