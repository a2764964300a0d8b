//! How much of a table a check goes through.

use clap::Args;

/// The whole table, or a sample of it.
#[derive(Args, Clone, Copy, Debug)]
pub struct Sample {
    /// Draw so many placements instead of going through the whole table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Random seed of the sample [default: 0]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,
}

impl Sample {
    /// Number of placements of the sample, and its seed.
    pub fn draws(self) -> (Option<u64>, u64) {
        (self.sample, self.seed.unwrap_or(0))
    }
}
