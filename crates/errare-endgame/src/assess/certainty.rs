//! The measure of whether moves say enough about a player's competence.

use errare_choice::Posterior;

/// The least number of real choices that say enough about a player.
pub const MIN_CHOICES: u64 = 5;

/// The greatest standard deviation, as a share of the prior's, of a posterior that says enough about a player.
pub const MAX_SD_RATIO: f64 = 0.75;

/// The difference of log likelihoods below which they say nothing.
const NEGLIGIBLE: f64 = 1e-9;

/// A measure of how much observed moves say about a player's competence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// Number of moves with a real choice: between moves that the model tells apart.
    pub choices: u64,
    /// The standard deviation of the posterior as a share of the prior's.
    pub sd_ratio: f64,
}

impl Certainty {
    /// Measures how much this number of choices said, by which the prior became the posterior.
    pub fn new(choices: u64, prior: &Posterior, posterior: &Posterior) -> Certainty {
        let before = prior.sd();
        // A prior that is sure of itself learns nothing.
        let sd_ratio = if before > 0.0 { posterior.sd() / before } else { 1.0 };
        Certainty { choices, sd_ratio }
    }

    /// Whether the moves say too little about the player: fewer than [`MIN_CHOICES`] real choices, or a posterior
    /// hardly narrower than the prior.
    pub fn is_too_little(&self) -> bool {
        self.choices < MIN_CHOICES || self.sd_ratio > MAX_SD_RATIO
    }
}

/// Whether a move says anything about who made it: its probability depends on the competence. A forced move does not,
/// nor does one among moves that all lead to the same state.
pub(super) fn is_choice(log_likelihoods: &[f64]) -> bool {
    let finite = || log_likelihoods.iter().copied().filter(|log| log.is_finite());
    let (least, greatest) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    greatest - least > NEGLIGIBLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_choice::{Grid, Prior};

    #[test]
    fn forced_and_impossible_moves_are_no_choices() {
        assert!(!is_choice(&[0.0; 3]) && !is_choice(&[f64::NEG_INFINITY; 3]) && !is_choice(&[]));
        assert!(!is_choice(&[-0.5, -0.5 - 1e-12]), "rounding");
        assert!(is_choice(&[-0.7, -0.4, -0.1]));
    }

    #[test]
    fn it_takes_choices_and_a_narrower_posterior() -> Result<(), Box<dyn std::error::Error>> {
        let grid = Grid::new(0.0, 1.0, 50.0)?;
        let prior = Posterior::new(grid, Prior::Uniform)?;
        let narrow = Posterior::new(grid, Prior::Normal { mean: 20.0, sd: 4.0 })?;
        assert!(Certainty::new(100, &prior, &prior).is_too_little());
        assert!(Certainty::new(4, &prior, &narrow).is_too_little());
        assert!(!Certainty::new(5, &prior, &narrow).is_too_little());
        // A belief that is sure of one competence.
        let sure = Posterior::new(Grid::new(0.0, 1.0, 1.0)?, Prior::Explicit(vec![0.0, 1.0]))?;
        assert_eq!(Certainty::new(9, &sure, &sure).sd_ratio, 1.0);
        Ok(())
    }
}
