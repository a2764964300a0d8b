//! Calibrations as JSON, in files and in answers.

use crate::calibration::Calibration;
use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::fit::MethodError;
use crate::milepost::Milepost;
use crate::projection::Projection;
use crate::provenance::Engine;
use crate::reference::Reference;
use crate::skill_curve::SkillCurve;
use errare_choice::{CurveError, Formula, RelationError, Skill, SkillError};
use errare_work::{WriteError, write_whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The kind that calibration files state.
const KIND: &str = "errare calibration 2";

/// No file is longer, in bytes: those that are written have some tens of kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// No reference set has more turns: five times as many as any that is written.
const MAX_REFERENCE_TURNS: usize = 2000;

/// A calibration as JSON has it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationDocument {
    /// The kind of document: `errare calibration 2`.
    kind: String,
    /// The engine that made the evaluations.
    engine: Engine,
    /// How evaluations were turned into losses.
    scale: Scale,
    /// A description of the games.
    data: String,
    /// The model of how probabilities are related: shares, powers or ratio.
    model: String,
    /// The curve of the model.
    curve: String,
    /// The weights of the depths; empty if only the main depth counts.
    weights: Vec<f64>,
    /// How skills were fitted.
    method: String,
    /// The players of known rating that it rests on, by rising Elo.
    mileposts: Vec<MilepostRow>,
    /// Skill as a function of Elo, fitted by `method`.
    #[serde(flatten)]
    skill_curve: SkillCurve,
    /// Skill as a function of Elo, fitted by likelihood.
    likely: Option<SkillCurve>,
    /// The depths of the evaluations, the main one first.
    depths: Vec<Option<u16>>,
    /// The losses of the moves of the reference set, for each turn and each depth.
    reference: Vec<Vec<Vec<f32>>>,
}

/// A milepost as JSON has it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
struct MilepostRow {
    elo: f64,
    games: usize,
    turns: usize,
    s: f64,
    se_s: f64,
    c: f64,
    se_c: f64,
    c_fit: f64,
    s_fit: f64,
    mm: f64,
    #[serde(alias = "mm_predicted")]
    mm_expected: f64,
    mm_sd: f64,
    ad: f64,
    /// The ad that the model expects on the milepost's own turns.
    #[serde(alias = "ad_predicted")]
    ad_expected: f64,
    ad_sd: f64,
    q_fit: f64,
    /// The expected loss of the fitted skill on the reference set.
    expected_ad: f64,
    se_expected_ad: f64,
}

impl From<&Milepost> for MilepostRow {
    fn from(milepost: &Milepost) -> MilepostRow {
        let projection = milepost.projection;
        MilepostRow {
            elo: milepost.elo,
            games: milepost.games,
            turns: projection.turns,
            s: milepost.skill.s(),
            se_s: milepost.se[0],
            c: milepost.skill.c(),
            se_c: milepost.se[1],
            c_fit: milepost.c_fit,
            s_fit: milepost.s_fit,
            mm: projection.mm,
            mm_expected: projection.expected_mm,
            mm_sd: projection.sd_mm,
            ad: projection.ad,
            ad_expected: projection.expected_ad,
            ad_sd: projection.sd_ad,
            q_fit: milepost.quality,
            expected_ad: milepost.reference_ad,
            se_expected_ad: milepost.se_reference_ad,
        }
    }
}

impl TryFrom<MilepostRow> for Milepost {
    type Error = SkillError;

    fn try_from(row: MilepostRow) -> Result<Milepost, SkillError> {
        Ok(Milepost {
            elo: row.elo,
            games: row.games,
            skill: Skill::new(row.s, row.c)?,
            se: [row.se_s, row.se_c],
            c_fit: row.c_fit,
            s_fit: row.s_fit,
            projection: Projection {
                turns: row.turns,
                mm: row.mm,
                expected_mm: row.mm_expected,
                sd_mm: row.mm_sd,
                ad: row.ad,
                expected_ad: row.ad_expected,
                sd_ad: row.ad_sd,
            },
            quality: row.q_fit,
            reference_ad: row.expected_ad,
            se_reference_ad: row.se_expected_ad,
        })
    }
}

impl From<&Calibration> for CalibrationDocument {
    fn from(calibration: &Calibration) -> CalibrationDocument {
        let formula = calibration.model.formula();
        CalibrationDocument {
            kind: KIND.to_owned(),
            engine: calibration.engine.clone(),
            scale: calibration.scale,
            data: calibration.data.clone(),
            model: formula.relation.name().to_owned(),
            curve: formula.curve.name().to_owned(),
            weights: calibration.model.weights().to_vec(),
            method: calibration.method.name().to_owned(),
            mileposts: calibration.mileposts.iter().map(MilepostRow::from).collect(),
            skill_curve: calibration.skill_curve,
            likely: calibration.likelihood_curve,
            depths: calibration.depths.clone(),
            reference: calibration.reference.turns.clone(),
        }
    }
}

/// Why JSON is no calibration that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The JSON does not have the shape of a calibration.
    #[error("not a calibration: {0}")]
    Json(#[from] serde_json::Error),
    /// A calibration of another version, or something else.
    #[error("unsupported kind `{0}`: expected `{KIND}`; make it again with `errare calibrate`")]
    Kind(String),
    /// The scale makes no losses.
    #[error(
        "invalid scale: a = {}, mate {}, cap {}; expected a of at least 0, mate of at least 2, cap above 0",
        .0.a, .0.mate, .0.cap
    )]
    Scale(Scale),
    /// Losses of a reference turn are missing, or there are too many turns.
    #[error("invalid reference set: expected 1 to {MAX_REFERENCE_TURNS} turns with all losses at each weighted depth")]
    Reference,
    /// No model has this name.
    #[error(transparent)]
    Model(#[from] RelationError),
    /// No curve has this name.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// No method has this name.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The skill of a milepost is out of range.
    #[error("invalid milepost: {0}")]
    Milepost(#[from] SkillError),
    /// The weights of the depths are not sensible.
    #[error(transparent)]
    Weights(RatingsError),
}

impl TryFrom<CalibrationDocument> for Calibration {
    type Error = CalibrationError;

    fn try_from(document: CalibrationDocument) -> Result<Calibration, CalibrationError> {
        if document.kind != KIND {
            return Err(CalibrationError::Kind(document.kind));
        }
        let formula = Formula { relation: document.model.parse()?, curve: document.curve.parse()? };
        let Scale { a, mate, cap } = document.scale;
        if !(a >= 0.0 && mate >= 2.0 && cap > 0.0) {
            return Err(CalibrationError::Scale(document.scale));
        }
        let layers = document.weights.len().max(1);
        let is_whole = |turn: &Vec<Vec<f32>>| {
            let moves = turn.first().map_or(0, Vec::len);
            moves > 0 && turn.len() >= layers && turn.iter().all(|losses| losses.len() == moves)
        };
        if !(1..=MAX_REFERENCE_TURNS).contains(&document.reference.len()) || !document.reference.iter().all(is_whole) {
            return Err(CalibrationError::Reference);
        }
        Ok(Calibration {
            engine: document.engine,
            scale: document.scale,
            data: document.data,
            model: ChoiceModel::with_weights(formula, &document.weights).map_err(CalibrationError::Weights)?,
            method: document.method.parse()?,
            mileposts: document.mileposts.into_iter().map(Milepost::try_from).collect::<Result<_, _>>()?,
            skill_curve: document.skill_curve,
            likelihood_curve: document.likely,
            depths: document.depths,
            reference: Reference { turns: document.reference },
        })
    }
}

/// Why a calibration file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationFileError {
    /// The file cannot be opened, or not read to its end.
    #[error("cannot read calibration {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is longer than any calibration.
    #[error("calibration {} is too long: at most {MAX_BYTES} bytes are read", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// The file has been read but does not hold a calibration that can be used.
    #[error("cannot use calibration {}: {source}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<CalibrationError>,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A calibration does not become JSON.
    #[error("internal error (a bug in errare): cannot write a calibration as JSON: {0}")]
    Internal(serde_json::Error),
}

impl Calibration {
    /// Reads a calibration file.
    ///
    /// # Errors
    /// A [`CalibrationFileError`] that names the file, and why it cannot be read or used.
    pub fn read(path: &Path) -> Result<Calibration, CalibrationFileError> {
        let failed = |source| CalibrationFileError::Read { path: path.to_owned(), source };
        let mut bytes = Vec::new();
        File::open(path).map_err(failed)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(CalibrationFileError::TooLong { path: path.to_owned() });
        }
        Calibration::from_json(&bytes)
            .map_err(|error| CalibrationFileError::Invalid { path: path.to_owned(), source: Box::new(error) })
    }

    /// Reads a calibration from JSON.
    ///
    /// # Errors
    /// A [`CalibrationError`] if the JSON is no calibration that can be used.
    pub fn from_json(bytes: &[u8]) -> Result<Calibration, CalibrationError> {
        Calibration::try_from(serde_json::from_slice::<CalibrationDocument>(bytes)?)
    }

    /// Writes a calibration file, whole or not at all.
    ///
    /// # Errors
    /// [`CalibrationFileError::Write`] if the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CalibrationFileError> {
        let text = serde_json::to_string(&CalibrationDocument::from(self)).map_err(CalibrationFileError::Internal)?;
        Ok(write_whole(path, text + "\n")?)
    }
}
