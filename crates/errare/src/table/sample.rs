//! How much of a table a check goes through.

use clap::Args;
use errare_tables::Extent;

/// The whole table, or a sample of it.
#[derive(Args, Clone, Copy, Debug)]
pub struct Sample {
    /// Look at so many placements instead of the whole table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// What the sample is drawn by [default: 0]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,
}

impl Sample {
    pub fn extent(self) -> Extent {
        match self.sample {
            Some(placements) => Extent::Sample { placements, seed: self.seed.unwrap_or(0) },
            None => Extent::Whole,
        }
    }
}
