//! A calibration as JSON has it.

use crate::fit::turns::{EngineShape, ScaleShape};
use anyhow::{Result, anyhow, bail};
use errare_choice::{Formula, Skill};
use errare_ratings::{Calibration, Course, Lens, Line, Milepost, Projection, Reference};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// What the file is, for those who meet it.
const KIND: &str = "errare calibration 2";

#[derive(Debug, Serialize, Deserialize)]
pub struct CalibrationShape {
    kind: String,
    engine: EngineShape,
    scale: ScaleShape,
    data: String,
    model: String,
    curve: String,
    weights: Vec<f64>,
    method: String,
    mileposts: Vec<MilepostShape>,
    #[serde(flatten)]
    course: CourseShape,
    /// By likelihood.
    likely: Option<CourseShape>,
    depths: Vec<Option<u16>>,
    reference: Vec<Vec<Vec<f32>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct CourseShape {
    c_line: LineShape,
    elo_line: LineShape,
}

impl From<&Course> for CourseShape {
    fn from(course: &Course) -> CourseShape {
        CourseShape { c_line: (&course.c_line).into(), elo_line: (&course.elo_line).into() }
    }
}

impl From<CourseShape> for Course {
    fn from(shape: CourseShape) -> Course {
        Course { c_line: shape.c_line.into(), elo_line: shape.elo_line.into() }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct MilepostShape {
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
    mm_predicted: f64,
    mm_sd: f64,
    ad: f64,
    ad_predicted: f64,
    ad_sd: f64,
    q_fit: f64,
    expected_ad: f64,
    se_expected_ad: f64,
}

#[derive(Debug, Serialize, Deserialize)]
struct LineShape {
    intercept: f64,
    slope: f64,
    scatter: f64,
    points: usize,
    mean_x: f64,
    spread_x: f64,
}

impl From<&Line> for LineShape {
    fn from(line: &Line) -> LineShape {
        let Line { intercept, slope, scatter, points, mean_x, spread_x } = *line;
        LineShape { intercept, slope, scatter, points, mean_x, spread_x }
    }
}

impl From<LineShape> for Line {
    fn from(shape: LineShape) -> Line {
        let LineShape { intercept, slope, scatter, points, mean_x, spread_x } = shape;
        Line { intercept, slope, scatter, points, mean_x, spread_x }
    }
}

impl From<&Milepost> for MilepostShape {
    fn from(milepost: &Milepost) -> MilepostShape {
        let projection = milepost.projection;
        MilepostShape {
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
            mm_predicted: projection.expected_mm,
            mm_sd: projection.sd_mm,
            ad: projection.ad,
            ad_predicted: projection.expected_ad,
            ad_sd: projection.sd_ad,
            q_fit: milepost.quality,
            expected_ad: milepost.expected_ad,
            se_expected_ad: milepost.se_ad,
        }
    }
}

impl TryFrom<MilepostShape> for Milepost {
    type Error = anyhow::Error;

    fn try_from(shape: MilepostShape) -> Result<Milepost> {
        Ok(Milepost {
            elo: shape.elo,
            games: shape.games,
            skill: Skill::new(shape.s, shape.c)?,
            se: [shape.se_s, shape.se_c],
            c_fit: shape.c_fit,
            s_fit: shape.s_fit,
            projection: Projection {
                turns: shape.turns,
                mm: shape.mm,
                expected_mm: shape.mm_predicted,
                sd_mm: shape.mm_sd,
                ad: shape.ad,
                expected_ad: shape.ad_predicted,
                sd_ad: shape.ad_sd,
            },
            quality: shape.q_fit,
            expected_ad: shape.expected_ad,
            se_ad: shape.se_expected_ad,
        })
    }
}

impl From<&Calibration> for CalibrationShape {
    fn from(calibration: &Calibration) -> CalibrationShape {
        let formula = calibration.lens.formula();
        CalibrationShape {
            kind: KIND.to_owned(),
            engine: (&calibration.engine).into(),
            scale: calibration.scale.into(),
            data: calibration.data.clone(),
            model: formula.relation.name().to_owned(),
            curve: formula.curve.name().to_owned(),
            weights: calibration.lens.weights().to_vec(),
            method: calibration.method.name().to_owned(),
            mileposts: calibration.mileposts.iter().map(MilepostShape::from).collect(),
            course: (&calibration.course).into(),
            likely: calibration.likely.as_ref().map(CourseShape::from),
            depths: calibration.depths.clone(),
            reference: calibration.reference.turns.clone(),
        }
    }
}

impl TryFrom<CalibrationShape> for Calibration {
    type Error = anyhow::Error;

    fn try_from(shape: CalibrationShape) -> Result<Calibration> {
        if shape.kind != KIND {
            bail!("it says `{}` and not `{KIND}`: make it anew with `errare calibrate`", shape.kind);
        }
        let formula = Formula { relation: shape.model.parse()?, curve: shape.curve.parse()? };
        let ScaleShape { a, mate, cap } = shape.scale;
        if !(a >= 0.0 && mate >= 2.0 && cap > 0.0) {
            bail!("it has no sensible scale: a = {a}, mate {mate}, cap {cap}");
        }
        let layers = shape.weights.len().max(1);
        if shape.reference.is_empty() || shape.reference.iter().any(|turn| turn.len() < layers) {
            bail!("its reference set is not whole");
        }
        Ok(Calibration {
            engine: shape.engine.into(),
            scale: shape.scale.into(),
            data: shape.data,
            lens: Lens::with_weights(formula, &shape.weights)?,
            method: shape.method.parse()?,
            mileposts: shape.mileposts.into_iter().map(Milepost::try_from).collect::<Result<_>>()?,
            course: shape.course.into(),
            likely: shape.likely.map(Course::from),
            depths: shape.depths,
            reference: Reference { turns: shape.reference },
        })
    }
}

/// Reads a calibration.
pub fn read(path: &Path) -> Result<Calibration> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| anyhow!("cannot read {}: {error}", name()))?;
    let shape: CalibrationShape =
        serde_json::from_str(&text).map_err(|error| anyhow!("{} is no calibration: {error}", name()))?;
    Calibration::try_from(shape).map_err(|error| anyhow!("{} cannot be used: {error}", name()))
}

/// Writes one.
pub fn write(path: &Path, calibration: &Calibration) -> Result<()> {
    let text = serde_json::to_string(&CalibrationShape::from(calibration))?;
    Ok(errare_work::write_whole(path, text + "\n")?)
}
