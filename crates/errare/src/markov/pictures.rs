//! Pictures of Markov models.

use super::Picture;
use super::report::{Report, label};
use crate::plot::{Curves, HeatMap, Series};
use anyhow::{Result, anyhow};
use errare_endgame::{Contest, MarkovModel};

/// The matrix of the first competence; states that nothing is known of are left out.
pub fn heat_map(report: &Report, model: &MarkovModel) -> Result<HeatMap> {
    let matrix = model.matrix(0)?;
    let c = model.competences().first().ok_or_else(|| anyhow!("no competence is given"))?;
    let from: Vec<usize> = (0..model.dead_draw()).filter(|&state| model.weight(state) > 0.0).collect();
    let reached = |&to: &usize| from.iter().any(|&from| matrix.row(from)[to] > 0.0);
    let to: Vec<usize> = (0..matrix.size()).filter(reached).collect();
    Ok(HeatMap {
        title: format!("{}: where {} of competence {c} goes", report.material, report.side),
        x_label: "to".to_owned(),
        y_label: "from".to_owned(),
        columns: to.iter().map(|&state| label(model, state)).collect(),
        rows: from.iter().map(|&state| label(model, state)).collect(),
        cells: from.iter().map(|&from| to.iter().map(|&to| matrix.row(from)[to]).collect()).collect(),
        log: true,
    })
}

/// A curve for each competence.
pub fn curves(picture: Picture, report: &Report, contests: &[Contest], from_depth: u16) -> Result<Curves> {
    let within = report.results.first().and_then(|outlook| outlook.win_within.keys().next().copied()).unwrap_or(0);
    let by_depth = |values: &[f64]| values.iter().enumerate().map(|(depth, &value)| (depth as f64, value)).collect();
    let mut series = Vec::new();
    for (outlook, contest) in report.results.iter().zip(contests) {
        let points = match picture {
            Picture::Lengths => by_depth(&outlook.lengths),
            Picture::Within => outlook.win_within.values().next().map_or_else(Vec::new, |chances| by_depth(chances)),
            Picture::AtMost | Picture::Exactly => passage(picture, contest, from_depth)?,
        };
        series.push(Series { name: format!("c = {}", outlook.competence), points });
    }
    let (x_label, y_label) = match picture {
        Picture::Lengths => ("depth".to_owned(), "expected moves to the end".to_owned()),
        Picture::Within => ("depth".to_owned(), format!("chance to win within {within} moves")),
        Picture::AtMost => ("moves m".to_owned(), format!("chance to win from depth {from_depth} in at most m moves")),
        Picture::Exactly => ("moves m".to_owned(), format!("chance to win from depth {from_depth} in exactly m moves")),
    };
    let longest = report.results.iter().flat_map(|outlook| &outlook.lengths).copied().fold(0.0, f64::max);
    Ok(Curves {
        title: report.headline(),
        x_label,
        y_label,
        y_log: picture == Picture::Lengths && longest > 1000.0,
        series,
        ..Curves::default()
    })
}

/// Until nearly all is won, or the curve has been followed long enough.
fn passage(picture: Picture, contest: &Contest, from_depth: u16) -> Result<Vec<(f64, f64)>> {
    const LONGEST: usize = 400;
    let passages = contest.chain().first_passage(&[0], LONGEST)?;
    let mut points = Vec::new();
    let mut sum = 0.0;
    for (moves, chances) in passages.iter().enumerate() {
        let chance = chances[usize::from(from_depth)];
        sum += chance;
        points.push((moves as f64, if picture == Picture::Exactly { chance } else { sum }));
        if sum > 0.9995 {
            break;
        }
    }
    Ok(points)
}
