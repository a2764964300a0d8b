//! How much of a table a check goes through.

use crate::idle_flag::refuse;
use anyhow::Result;
use clap::Args;

/// The whole table, or a sample of it.
#[derive(Args, Clone, Copy, Debug)]
pub struct Sample {
    /// Draw so many placements instead of going through the whole table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Random seed of the sample [default: 0]
    #[arg(long)]
    seed: Option<u64>,
}

impl Sample {
    /// Number of placements of the sample, and its seed.
    pub fn draws(self) -> Result<(Option<u64>, u64)> {
        refuse(self.seed.is_some() && self.sample.is_none(), "--seed", "without --sample, as nothing is drawn")?;
        Ok((self.sample, self.seed.unwrap_or(0)))
    }
}
