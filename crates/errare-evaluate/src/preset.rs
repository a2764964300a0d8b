//! Named ways to evaluate games.

use std::fmt;
use std::str::FromStr;

/// A named way to evaluate games: how deep all moves are searched.
///
/// A shallower search tells less of a turn and costs far less, so that with very many games it tells more for its time.
/// Ratings need a calibration of the same depth: for one engine, Stockfish 15.1, those of all presets come with the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// All moves to depth 10: the most that a turn can tell at a bearable cost.
    #[default]
    Plain,
    /// All moves to depth 6: about 0.3 of the information of a turn, for a nineteenth of the time.
    Quick,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 2] = [Preset::Plain, Preset::Quick];

    /// The depth of search, in plies as the engine counts them.
    #[must_use]
    pub fn depth(self) -> u16 {
        match self {
            Preset::Plain => 10,
            Preset::Quick => 6,
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Preset::Plain => "plain",
            Preset::Quick => "quick",
        })
    }
}

/// A text that names no preset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid preset `{0}`: expected plain (depth 10) or quick (depth 6)")]
pub struct PresetError(String);

impl FromStr for Preset {
    type Err = PresetError;

    fn from_str(text: &str) -> Result<Preset, PresetError> {
        let is_meant = |preset: &Preset| preset.to_string().eq_ignore_ascii_case(text.trim());
        Preset::ALL.into_iter().find(is_meant).ok_or_else(|| PresetError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_ratings::{Calibration, Engine};

    #[test]
    fn presets_read_as_they_are_written_and_have_calibrations() {
        for preset in Preset::ALL {
            assert_eq!(preset.to_string().to_uppercase().parse(), Ok(preset));
            let depth = Some(preset.depth());
            let engine = Engine { name: Some("Stockfish 15.1".to_owned()), depth, settings: None };
            assert!(Calibration::shipped_for(&engine).is_some_and(|found| found.engine.depth == depth), "{preset}");
        }
        assert!("fast".parse::<Preset>().is_err_and(|error| error.to_string().contains("expected plain (depth 10)")));
    }
}
