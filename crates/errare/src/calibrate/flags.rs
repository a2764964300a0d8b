//! The flags of every command that makes a calibration.

use crate::fit::turns::{LensFlags, Loaded, ScaleFlags, TurnFlags};
use anyhow::Result;
use clap::Args;
use errare_ratings::{Calibration, Method};

/// The turns that a calibration is made of, and how.
#[derive(Args, Debug)]
pub struct CalibrationFlags {
    #[command(flatten)]
    pub turns: TurnFlags,
    #[command(flatten)]
    pub scale: ScaleFlags,
    #[command(flatten)]
    pub lens: LensFlags,
    /// How skills are fitted: percentile, likelihood or moments
    #[arg(long, default_value = "percentile")]
    pub method: Method,
}

impl CalibrationFlags {
    /// Reads the turns and calibrates by them.
    pub fn calibration(&self) -> Result<(Loaded, Calibration)> {
        let loaded = self.turns.load(self.scale.scale())?;
        let calibration = loaded.calibration(self.lens.lens(&loaded.turns)?, self.method)?;
        Ok((loaded, calibration))
    }
}
