//! Turns and calibrations, loaded or made once and kept for the next request.

use super::input::{CalibrationInput, ChoiceModelRequest, TurnsRequest};
use crate::error::LabError;
use crate::lab::Lab;
use crate::numbers::grouped;
use crate::recent::Recent;
use errare_ratings::{Calibration, Engine, LeftOut, Method, Players, Sample, Scale, TurnReader, TurnSet};
use errare_work::Progress;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Sets of turns that are kept: they may be large.
const KEPT_SETS: usize = 4;

/// Calibrations that are kept: they are small, but take seconds to make.
const KEPT_CALIBRATIONS: usize = 16;

/// The turns and calibrations of recent requests.
pub(crate) struct RatingCache {
    turns: Recent<TurnsKey, Arc<TurnSet>>,
    calibrations: Recent<(TurnsKey, ChoiceModelRequest, Method), Arc<Calibration>>,
}

impl Default for RatingCache {
    fn default() -> RatingCache {
        RatingCache { turns: Recent::new(KEPT_SETS), calibrations: Recent::new(KEPT_CALIBRATIONS) }
    }
}

/// What a set of turns depends on.
#[derive(Clone, PartialEq)]
struct TurnsKey {
    request: TurnsRequest,
    scale: Scale,
    /// The time of the last change and the length of each file; none for stdin, which can be read only once.
    versions: Vec<Option<(SystemTime, u64)>>,
}

impl TurnsKey {
    fn new(request: &TurnsRequest, scale: Scale) -> TurnsKey {
        let version = |path: &Path| {
            let found = fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        let versions = request.files.iter().map(|path| version(path)).collect();
        TurnsKey { request: request.clone(), scale, versions }
    }
}

impl Lab {
    /// Loads turns, unless the same files were loaded a short while ago and have not changed since.
    ///
    /// # Errors
    /// If the request makes no sense, a file cannot be read, or the work is cancelled.
    pub fn turns(
        &self,
        request: &TurnsRequest,
        scale: Scale,
        progress: &dyn Progress,
    ) -> Result<Arc<TurnSet>, LabError> {
        let selection = request.selection()?;
        self.rating_cache().turns.get_or_make(TurnsKey::new(request, scale), || {
            let mut reader = TurnReader::new(scale, selection, request.engine());
            for path in &request.files {
                if path.as_os_str() == "-" {
                    reader.read("-", io::stdin(), progress)?;
                } else {
                    reader.open(path, progress)?;
                }
            }
            Ok(Arc::new(reader.finish()))
        })
    }

    /// Makes the calibration of the mileposts of some turns, unless the same was made a short while ago.
    ///
    /// # Errors
    /// As [`turns`](Lab::turns), and if the turns make no calibration.
    pub fn calibration(
        &self,
        input: &CalibrationInput,
        progress: &dyn Progress,
    ) -> Result<(Arc<TurnSet>, Arc<Calibration>), LabError> {
        let CalibrationInput { turns, scale, model, method } = input;
        let scale = scale.scale()?;
        let set = self.turns(turns, scale, progress)?;
        let key = (TurnsKey::new(turns, scale), model.clone(), *method);
        let calibration = self.rating_cache().calibrations.get_or_make(key, || {
            let made = set.calibration(model.model(&set.turns)?, *method, progress)?;
            Ok::<_, LabError>(Arc::new(made))
        })?;
        Ok((set, calibration))
    }

    /// Reads a calibration, and loads turns that it can rate.
    pub(crate) fn calibrated_turns(
        &self,
        calibration: &Path,
        turns: &TurnsRequest,
        progress: &dyn Progress,
    ) -> Result<(Calibration, Arc<TurnSet>), LabError> {
        let calibration = Calibration::read(calibration)?;
        let set = self.turns(turns, calibration.scale, progress)?;
        calibration.check(&set.turns)?;
        Ok((calibration, set))
    }
}

/// The full name of the player whom a text names.
pub(crate) fn find_player(set: &TurnSet, text: &str, progress: &dyn Progress) -> Result<String, LabError> {
    Ok(Players::new(&set.turns, progress)?.find(text)?.to_owned())
}

/// The turns of the player whom a text names, with the full name; without a text those of everybody.
pub(crate) fn sample_of(
    set: &TurnSet,
    text: Option<&str>,
    progress: &dyn Progress,
) -> Result<(String, Sample), LabError> {
    let Some(text) = text else { return Ok(("everybody".to_owned(), Sample::all(&set.turns))) };
    let name = find_player(set, text, progress)?;
    let sample = Sample::of_player(&set.turns, &name);
    Ok((name, sample))
}

/// Describes in a line what was read and what was left out.
#[must_use]
pub fn describe_turns(data: &str, engine: &Engine, left_out: LeftOut) -> String {
    let LeftOut { early, forced, decided, repeated } = left_out;
    let reasons = [(early, "too early"), (forced, "forced"), (decided, "decided"), (repeated, "repeated")];
    let reasons = reasons.iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = reasons.map(|(count, reason)| format!("{} {reason}", grouped(*count))).collect();
    let left_out = if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join(", ")) };
    format!("{data}, {engine}{left_out}")
}
