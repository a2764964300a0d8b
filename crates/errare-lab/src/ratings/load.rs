//! Turns and calibrations, loaded or made once and kept for the next request.

use super::input::{CalibrationInput, ChoiceModelRequest, TurnsRequest};
use crate::error::LabError;
use crate::lab::Lab;
use crate::numbers::grouped;
use crate::reach::Outside;
use crate::recent::Recent;
use errare_ratings::{Calibration, Engine, LeftOut, Method, Players, Sample, Scale, TurnReader, TurnSet, turn_file_of};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// The number of sets of turns that are kept, which may be large.
const KEPT_SETS: usize = 4;

/// The number of calibrations that are kept, which are small but take seconds to make.
const KEPT_CALIBRATIONS: usize = 16;

/// A cache of the turns and calibrations of recent requests.
pub(crate) struct RatingCache {
    turns: Recent<TurnsKey, Arc<TurnSet>>,
    calibrations: Recent<(TurnsKey, ChoiceModelRequest, Method), Arc<Calibration>>,
}

impl Default for RatingCache {
    fn default() -> RatingCache {
        RatingCache { turns: Recent::new(KEPT_SETS), calibrations: Recent::new(KEPT_CALIBRATIONS) }
    }
}

/// The key of a set of turns: all that it depends on.
#[derive(Clone, PartialEq)]
struct TurnsKey {
    request: TurnsRequest,
    scale: Scale,
    /// The time of the last change and the length of each file; none for stdin, which can be read only once.
    versions: Vec<Option<(SystemTime, u64)>>,
}

impl TurnsKey {
    fn new(request: &TurnsRequest, scale: Scale, outside: Outside) -> TurnsKey {
        let version = |path: &Path| {
            let found = outside.metadata(&turn_file_of(path)).ok()?;
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
        let (selection, outside) = (request.selection()?, self.outside_files(&request.files)?);
        self.rating_cache().turns.get_or_make(TurnsKey::new(request, scale, outside), || {
            let mut reader = TurnReader::new(scale, selection, request.engine());
            for path in &request.files {
                outside.turns(&mut reader, path, progress)?;
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
        let key = (TurnsKey::new(turns, scale, self.outside_files(&turns.files)?), model.clone(), *method);
        let calibration = self.rating_cache().calibrations.get_or_make(key, || {
            let made = set.calibration(model.model(&set.turns)?, *method, progress)?;
            Ok::<_, LabError>(Arc::new(made))
        })?;
        Ok((set, calibration))
    }

    /// Reads a calibration, and loads turns that it can rate. Without a file, the calibration is one that comes with
    /// the program.
    pub(crate) fn calibrated_turns(
        &self,
        calibration: Option<&Path>,
        turns: &TurnsRequest,
        progress: &dyn Progress,
    ) -> Result<(Calibration, Arc<TurnSet>), LabError> {
        let (calibration, set) = match calibration {
            Some(path) => {
                let calibration = self.outside_path(path)?.calibration(path)?;
                let set = self.turns(turns, calibration.scale, progress)?;
                (calibration, set)
            }
            None => {
                let set = self.turns(turns, Scale::default(), progress)?;
                let engine = set.turns.engine();
                let shipped =
                    Calibration::shipped_for(engine).ok_or_else(|| LabError::Uncalibrated(no_calibration(engine)))?;
                let set =
                    if shipped.scale == set.turns.scale() { set } else { self.turns(turns, shipped.scale, progress)? };
                (shipped, set)
            }
        };
        calibration.check(&set.turns)?;
        Ok((calibration, set))
    }
}

/// Lists the engines for which there are calibrations, and explains how to make one for this engine.
pub(crate) fn no_calibration(engine: &Engine) -> String {
    let known: Vec<String> = Calibration::shipped().iter().map(|calibration| calibration.engine.to_string()).collect();
    format!(
        "there is no calibration for {engine}, so nobody is rated; one comes with errare for {}. To make your own, have that \
         engine evaluate games of players of known rating, with tags WhiteElo and BlackElo (`errare evaluate GAMES.pgn --out \
         DIR`), run `errare calibrate DIR --out FILE`, and give the FILE by --calibration",
        known.join(" and for ")
    )
}

/// Finds the full name of the player whom a text names.
pub(crate) fn find_player(set: &TurnSet, text: &str, progress: &dyn Progress) -> Result<String, LabError> {
    Ok(Players::new(&set.turns, progress)?.find(text)?.to_owned())
}

/// Finds the turns of the player whom a text names, with the full name; without a text those of all players.
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

/// Facts that were noticed while turns were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnsRead {
    /// Number of games that occurred again, in the same file or another; their copies do not count. Games are the same
    /// if their players, date and moves are.
    pub duplicate_games: u64,
    /// Number of turns read that no checksum protects: those of hand-made files, and of files of early versions.
    pub unchecked_turns: u64,
}

impl TurnsRead {
    pub(crate) fn new(set: &TurnSet) -> TurnsRead {
        TurnsRead { duplicate_games: set.duplicate_games, unchecked_turns: set.unchecked_turns }
    }

    /// Describes in a sentence which games were counted once; none if no game occurred again.
    #[must_use]
    pub fn duplicates_sentence(&self) -> Option<String> {
        match self.duplicate_games {
            0 => None,
            1 => Some("One game was in the files more than once, and was counted once.".to_owned()),
            count => Some(format!("{} games were in the files more than once, and were counted once.", grouped(count))),
        }
    }
}

/// Describes in a line what was read and what was left out.
#[must_use]
pub fn describe_turns(data: &str, engine: &Engine, left_out: LeftOut) -> String {
    let LeftOut { early, forced, decided, repeated, duplicate } = left_out;
    let reasons = [
        (early, "too early"),
        (forced, "forced"),
        (decided, "decided"),
        (repeated, "repeated"),
        (duplicate, "in copies of games"),
    ];
    let reasons = reasons.iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = reasons.map(|(count, reason)| format!("{} {reason}", grouped(*count))).collect();
    let left_out = if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join(", ")) };
    format!("{data}, {engine}{left_out}")
}

/// Lists reasons why ratings by a calibration mean little, a sentence each.
pub(crate) fn warnings(calibration: &Calibration) -> Vec<String> {
    calibration.weaknesses().iter().map(ToString::to_string).collect()
}
