//! The flags of every command that makes a calibration.

use crate::fit::turns::{ModelFlags, ScaleFlags, TurnFlags};
use anyhow::Result;
use clap::Args;
use errare_ratings::{Calibration, Method, TurnSet};
use errare_work::Progress;

/// The turns that a calibration is made from, and how.
#[derive(Args, Debug)]
pub struct CalibrationFlags {
    #[command(flatten)]
    pub turns: TurnFlags,
    #[command(flatten)]
    pub scale: ScaleFlags,
    #[command(flatten)]
    pub model: ModelFlags,
    /// Method of fitting: percentile, likelihood or moments
    #[arg(long, default_value = "percentile")]
    pub method: Method,
}

impl CalibrationFlags {
    /// Reads the turns and makes the calibration of their mileposts.
    pub fn calibration(&self, progress: &dyn Progress) -> Result<(TurnSet, Calibration)> {
        let set = self.turns.load(self.scale.scale(), progress)?;
        let calibration = set.calibration(self.model.model(&set.turns)?, self.method, progress)?;
        Ok((set, calibration))
    }
}
