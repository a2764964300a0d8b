//! Calibrations that come with the program, found by the engine that made the evaluations.

use crate::calibration::Calibration;
use crate::provenance::Engine;
use std::sync::OnceLock;

/// The texts of the calibration files, as `errare calibrate` wrote them. How each was made is in the README beside
/// them.
const FILES: [&str; 2] = [
    include_str!("../calibrations/stockfish-15.1-depth-10.json"),
    include_str!("../calibrations/stockfish-15.1-depth-6.json"),
];

impl Calibration {
    /// All calibrations that come with the program.
    pub fn shipped() -> &'static [Calibration] {
        static ALL: OnceLock<Vec<Calibration>> = OnceLock::new();
        // That each file is a calibration is what the test below is for.
        ALL.get_or_init(|| FILES.iter().filter_map(|file| Calibration::from_json(file.as_bytes()).ok()).collect())
    }

    /// The calibration that comes with the program for evaluations by this engine: of its name, its depth, and its
    /// settings, unless these are not known.
    ///
    /// ```
    /// use errare_ratings::{Calibration, Engine};
    /// let engine = Engine { name: Some("Stockfish 15.1".to_owned()), depth: Some(10), settings: None };
    /// assert!(Calibration::shipped_for(&engine).is_some());
    /// assert!(Calibration::shipped_for(&Engine { depth: Some(11), ..engine }).is_none());
    /// ```
    pub fn shipped_for(engine: &Engine) -> Option<Calibration> {
        let suits = |own: &Engine| {
            own.name == engine.name
                && own.depth == engine.depth
                && (engine.settings.is_none() || own.settings == engine.settings)
        };
        let found = Calibration::shipped().iter().find(|calibration| suits(&calibration.engine))?;
        // Turns without settings are taken to be by the usual ones.
        Some(Calibration { engine: engine.clone(), ..found.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_calibration_without_weakness() {
        assert_eq!(Calibration::shipped().len(), FILES.len());
        for calibration in Calibration::shipped() {
            let Engine { name, depth, settings } = &calibration.engine;
            assert!(name.is_some() && depth.is_some() && settings.is_some(), "{:?}", calibration.engine);
            assert_eq!(calibration.weaknesses(), [], "{:?}", calibration.engine);
            assert!(calibration.data.contains("turns of"), "{}", calibration.data);
        }
    }

    #[test]
    fn another_engine_depth_or_net_has_none() {
        let known = Calibration::shipped()[0].engine.clone();
        assert_eq!(Calibration::shipped_for(&known).map(|found| found.engine), Some(known.clone()));
        for other in [
            Engine { name: Some("Stockfish 16".to_owned()), ..known.clone() },
            Engine { name: None, ..known.clone() },
            Engine { depth: Some(12), ..known.clone() },
            Engine { depth: None, ..known.clone() },
            Engine { settings: Some("net other.nnue".to_owned()), ..known.clone() },
        ] {
            assert_eq!(Calibration::shipped_for(&other), None, "{other}");
        }
    }
}
