//! Charts of Markov models.

use super::Picture;
use super::report::{Report, label};
use anyhow::{Result, anyhow};
use errare_endgame::{Contest, MarkovModel};
use errare_figures::{Axis, HeatMap, LineChart, Row, Series};

/// The transition matrix of the first competence, without the states that no position or move is known for.
pub fn heat_map(report: &Report, model: &MarkovModel) -> Result<HeatMap> {
    let matrix = model.matrix(0)?;
    let c = model
        .competences()
        .first()
        .ok_or_else(|| anyhow!("internal error (a bug in errare): a Markov model without a competence"))?;
    let from: Vec<usize> = (0..model.dead_draw()).filter(|&state| model.weight(state) > 0.0).collect();
    let reached = |&to: &usize| from.iter().any(|&from| matrix.row(from)[to] > 0.0);
    let to: Vec<usize> = (0..matrix.size()).filter(reached).collect();
    Ok(HeatMap {
        title: format!("{}: where {} of competence {c} goes", report.material, report.side),
        x_label: "to".to_owned(),
        y_label: "from".to_owned(),
        columns: to.iter().map(|&state| label(model, state)).collect(),
        rows: from
            .iter()
            .map(|&from| Row { label: label(model, from), cells: to.iter().map(|&to| matrix.row(from)[to]).collect() })
            .collect(),
        log: true,
    })
}

/// A line for each competence.
pub fn line_chart(picture: Picture, report: &Report, contests: &[Contest], from_depth: u16) -> Result<LineChart> {
    let within = report.results.first().and_then(|outlook| outlook.win_within.keys().next().copied()).unwrap_or(0);
    let by_depth = |values: &[f64]| -> Vec<(f64, f64)> {
        values.iter().enumerate().map(|(depth, &value)| (depth as f64, value)).collect()
    };
    let mut series = Vec::new();
    for (outlook, contest) in report.results.iter().zip(contests) {
        let points = match picture {
            Picture::Lengths => by_depth(&outlook.lengths),
            Picture::Within => outlook.win_within.values().next().map_or_else(Vec::new, |chances| by_depth(chances)),
            Picture::AtMost | Picture::Exactly => passage(picture, contest, from_depth)?,
        };
        series.push(Series::line(format!("c = {}", outlook.competence), points));
    }
    let (x_label, y_label) = match picture {
        Picture::Lengths => ("depth", "expected moves to the end".to_owned()),
        Picture::Within => ("depth", format!("chance to win within {within} moves")),
        Picture::AtMost => ("moves m", format!("chance to win from depth {from_depth} in at most m moves")),
        Picture::Exactly => ("moves m", format!("chance to win from depth {from_depth} in exactly m moves")),
    };
    let longest = report.results.iter().flat_map(|outlook| &outlook.lengths).copied().fold(0.0, f64::max);
    let log = picture == Picture::Lengths && longest > 1000.0;
    Ok(LineChart {
        title: report.headline(),
        x: Axis::linear(x_label),
        y: Axis { label: y_label, log },
        series,
        marks: Vec::new(),
    })
}

/// The chance to win after each number of moves, until nearly all games are won, or for 400 moves.
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
