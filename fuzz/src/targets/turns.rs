//! Files of turns, and calibrations.

use errare_ratings::{Calibration, Engine, Scale, Selection, TurnReader};
use errare_work::Silent;

/// Turns as lines of JSON or as Parquet, compressed or not.
pub fn turns(bytes: &[u8]) {
    let mut reader = TurnReader::new(Scale::default(), Selection::default(), Engine::default());
    let _ = reader.read("the input", bytes, &Silent);
    let set = reader.finish();
    for turn in set.turns.iter() {
        assert!(turn.losses().iter().all(|loss| loss.is_finite() && *loss >= 0.0));
    }
}

/// The turns that the tests of the ratings use.
pub fn made() -> Vec<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/errare-ratings/tests/data/mileposts.jsonl.gz");
    vec![std::fs::read(path).expect("the turns of the tests")]
}

/// A calibration that was accepted gives finite ratings.
pub fn calibration(bytes: &[u8]) {
    if let Ok(calibration) = Calibration::from_json(bytes) {
        for ad in [0.0, 0.05, 0.1, 1.0] {
            assert!(calibration.elo(ad).is_finite(), "the rating of {ad}");
        }
    }
}
