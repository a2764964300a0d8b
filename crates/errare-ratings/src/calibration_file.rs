//! Calibrations as JSON, in files and in answers.

use crate::calibration::Calibration;
use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::file_kind::FileKind;
use crate::fit::MethodError;
use crate::fitted_line::FittedLine;
use crate::joint::JointDocument;
use crate::milepost::Milepost;
use crate::projection::Projection;
use crate::provenance::Engine;
use crate::reference::Reference;
use crate::skill_curve::SkillCurve;
use errare_choice::{CurveError, Formula, RelationError, Skill, SkillError};
use errare_work::{Unpacked, WriteError, open_regular, read_bounded, write_whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The kind of document that calibration files name.
const KIND: &str = "errare calibration 2";

/// The greatest length of a file in bytes: files that are written have some tens of kilobytes.
const MAX_BYTES: u64 = 16 << 20;

/// Number of bytes by which files of other kinds are recognised.
const FIRST: u64 = 4096;

/// The greatest number of turns of a reference set: five times as many as any that is written.
const MAX_REFERENCE_TURNS: usize = 2000;

/// The greatest number of mileposts: more than there are ratings to tell apart.
const MAX_MILEPOSTS: usize = 1000;

/// The greatest number that a calibration may hold. Products of some of them are still finite.
const MAX_NUMBER: f64 = 1e9;

/// The JSON document of a calibration.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationDocument {
    /// The kind of document: `errare calibration 2`.
    kind: String,
    /// The engine that made the evaluations.
    engine: Engine,
    /// The scale by which evaluations were turned into losses.
    scale: Scale,
    /// A description of the games that the calibration was made from.
    data: String,
    /// The model of how probabilities are related: shares, powers or ratio.
    model: String,
    /// The curve of the model.
    curve: String,
    /// The weights of the depths; empty if only the main depth counts.
    weights: Vec<f64>,
    /// The method by which skills were fitted.
    method: String,
    /// The players of known rating that the calibration rests on, by rising Elo.
    mileposts: Vec<MilepostRow>,
    /// Skill as a function of Elo, fitted by `method`.
    #[serde(flatten)]
    skill_curve: SkillCurve,
    /// Skill as a function of Elo, fitted by likelihood; null if it does not rise with Elo.
    likely: Option<SkillCurve>,
    /// The depths of the evaluations, the main one first.
    depths: Vec<Option<u16>>,
    /// The losses of the moves of the reference set, for each turn and each depth.
    reference: Vec<Vec<Vec<f32>>>,
    /// Skill as a smooth function of Elo, fitted to all turns at once; null if too few of them give the player's Elo.
    #[serde(default)]
    joint: Option<JointDocument>,
}

/// The JSON object of a milepost.
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

pub(crate) fn check(
    name: &'static str,
    value: f64,
    expected: &'static str,
    is_good: bool,
) -> Result<(), CalibrationError> {
    if is_good { Ok(()) } else { Err(CalibrationError::Number { name, value, expected }) }
}

/// Refuses numbers that are not finite, or greater than any number of a calibration.
fn check_bounded(name: &'static str, value: f64) -> Result<(), CalibrationError> {
    check(name, value, "a number between -1e9 and 1e9", value.abs() <= MAX_NUMBER)
}

/// Refuses lines whose slopes or points make no sense.
fn check_curve(curve: &SkillCurve) -> Result<(), CalibrationError> {
    for line in [&curve.c_line, &curve.elo_line] {
        let FittedLine { intercept, slope, scatter, points, mean_x, spread_x } = *line;
        [("intercept", intercept), ("slope", slope), ("mean_x", mean_x)]
            .into_iter()
            .try_for_each(|(name, value)| check_bounded(name, value))?;
        check("scatter", scatter, "a number from 0 to 1e9", (0.0..=MAX_NUMBER).contains(&scatter))?;
        check("spread_x", spread_x, "a number from 1e-12 to 1e9", (1e-12..=MAX_NUMBER).contains(&spread_x))?;
        check("number of points", points as f64, "2 or more", points >= 2)?;
    }
    let slope = curve.elo_line.slope;
    check("slope of Elo by expected loss", slope, "a number of -1e-6 or less", slope <= -1e-6)
}

impl MilepostRow {
    fn check(&self) -> Result<(), CalibrationError> {
        check("milepost", self.elo, "an Elo from 1 to 10000", (1.0..=10_000.0).contains(&self.elo))?;
        let errors = [self.se_s, self.se_c, self.mm_sd, self.ad_sd, self.q_fit, self.se_expected_ad];
        let statistics = [self.mm, self.mm_expected, self.ad, self.ad_expected, self.expected_ad];
        for value in errors.into_iter().chain(statistics) {
            check("number of a milepost", value, "a number from 0 to 1e9", (0.0..=MAX_NUMBER).contains(&value))?;
        }
        let skills = [("s", self.s), ("c", self.c), ("c_fit", self.c_fit), ("s_fit", self.s_fit)];
        skills.into_iter().try_for_each(|(name, value)| check_bounded(name, value))
    }
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
            joint: calibration.joint.as_ref().map(JointDocument::from),
        }
    }
}

/// Why JSON is not a calibration that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The JSON does not have the shape of a calibration.
    #[error("not a calibration: {0}")]
    Json(#[from] serde_json::Error),
    /// The document is a calibration of another version, or something else.
    #[error("unsupported kind `{0}`: expected `{KIND}`; make it again with `errare calibrate`")]
    Kind(String),
    /// The scale makes no losses.
    #[error(
        "invalid scale: a = {}, mate {}, cap {}; expected a of 0 to 1000, mate of 2 to 10000, cap above 0 and at most 10000",
        .0.a, .0.mate, .0.cap
    )]
    Scale(Scale),
    /// Losses of a reference turn are missing or out of range, or there are too many turns.
    #[error(
        "invalid reference set: expected 1 to {MAX_REFERENCE_TURNS} turns with all losses at each weighted depth, from 0 to \
         the cap"
    )]
    Reference,
    /// A number is out of all bounds.
    #[error("invalid {name} {value}: expected {expected}")]
    Number {
        /// The name of the number.
        name: &'static str,
        /// The invalid number.
        value: f64,
        /// The numbers that are allowed, in words.
        expected: &'static str,
    },
    /// There are too few mileposts, or too many.
    #[error("invalid number of mileposts {0}: expected 3 to {MAX_MILEPOSTS}")]
    Mileposts(usize),
    /// The file is something else than a calibration.
    #[error("this is {0}, not a calibration: {advice}", advice = .0.advice_for_calibration())]
    WrongKind(FileKind),
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
        if !((0.0..=1000.0).contains(&a) && (2.0..=10_000.0).contains(&mate) && cap > 0.0 && cap <= 10_000.0) {
            return Err(CalibrationError::Scale(document.scale));
        }
        if !(3..=MAX_MILEPOSTS).contains(&document.mileposts.len()) {
            return Err(CalibrationError::Mileposts(document.mileposts.len()));
        }
        document.mileposts.iter().try_for_each(MilepostRow::check)?;
        check_curve(&document.skill_curve)?;
        document.likely.as_ref().map_or(Ok(()), check_curve)?;
        let layers = document.weights.len().max(1);
        // Losses were rounded to a thousandth.
        let most = cap as f32 + 0.001;
        let is_whole = |turn: &Vec<Vec<f32>>| {
            let moves = turn.first().map_or(0, Vec::len);
            let is_sound = |losses: &Vec<f32>| losses.iter().all(|loss| (0.0..=most).contains(loss));
            moves > 0 && turn.len() >= layers && turn.iter().all(|losses| losses.len() == moves && is_sound(losses))
        };
        if !(1..=MAX_REFERENCE_TURNS).contains(&document.reference.len()) || !document.reference.iter().all(is_whole) {
            return Err(CalibrationError::Reference);
        }
        let model = ChoiceModel::with_weights(formula, &document.weights).map_err(CalibrationError::Weights)?;
        let joint = document.joint.map(|joint| joint.fit(&model)).transpose()?;
        Ok(Calibration {
            joint,
            engine: document.engine,
            scale: document.scale,
            data: document.data,
            model,
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
    /// The file cannot be opened or read to its end, is not a regular file, or is longer than any calibration.
    #[error("cannot read calibration {}: {source}", path.display())]
    Read {
        /// File that cannot be read.
        path: PathBuf,
        /// Why the file cannot be read.
        source: io::Error,
    },
    /// The file has been read but does not hold a calibration that can be used.
    #[error("cannot use calibration {}: {source}", path.display())]
    Invalid {
        /// File whose contents cannot be used.
        path: PathBuf,
        /// Why the contents cannot be used.
        source: Box<CalibrationError>,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A calibration cannot be written as JSON.
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
        let invalid = |error| CalibrationFileError::Invalid { path: path.to_owned(), source: Box::new(error) };
        if path.is_dir() {
            return Err(invalid(CalibrationError::WrongKind(FileKind::Folder)));
        }
        // Another file is named as what it is, even if it is compressed or too long.
        let mut first = Vec::new();
        let start = Unpacked::new(open_regular(path).map_err(failed)?).take(FIRST).read_to_end(&mut first);
        match FileKind::of(&first) {
            Some(kind) if kind != FileKind::Calibration => return Err(invalid(CalibrationError::WrongKind(kind))),
            _ => start.map_err(failed)?,
        };
        let bytes = read_bounded(path, MAX_BYTES).map_err(failed)?;
        Calibration::from_json(&bytes).map_err(invalid)
    }

    /// Reads a calibration from JSON.
    ///
    /// # Errors
    /// A [`CalibrationError`] if the JSON is not a calibration that can be used.
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
