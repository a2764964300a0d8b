//! Measured honesty: how ratings and screening do on games that the calibration has not seen.
//!
//! Games of players of known Elo are put into blocks of neighbours in Elo. Each side of a block stands for one player,
//! whose Elo is known. Blocks are dealt into folds, and each fold is rated by a calibration made from the others, less
//! all games of players who come up in the fold.

mod blocks;
mod held_out;
mod screening;

pub use held_out::{EstimatorTrial, HeldOut, HeldOutTrial, TrialEstimator, TrialSummary};
pub use screening::{Detection, ScreeningTrial};

/// The options of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialOptions {
    /// The approximate numbers of turns that players have; each is a trial of its own.
    pub sizes: Vec<usize>,
    /// Number of folds that games are put into.
    pub folds: usize,
    /// Number of times that games are put into blocks anew.
    pub repeats: usize,
    /// Random seed of the blocks and of simulated moves.
    pub seed: u64,
    /// Whether the estimators of Regan and Haworth (2011) are tried too, for each size in the first repeat only.
    pub with_mileposts: bool,
}

impl Default for TrialOptions {
    fn default() -> TrialOptions {
        TrialOptions { sizes: vec![190, 380], folds: 5, repeats: 4, seed: 1, with_mileposts: true }
    }
}
