//! The tests of errare-endgame in one binary: quicker to build, and tables that one test builds serve the others.

mod agents;
mod browne_belle;
mod competence_scale;
mod crossovers;
mod dtr_progress;
mod markov;
mod markov_blocks;
mod matches;
mod play;
mod strategies;
mod support;
mod whole_strategies;
