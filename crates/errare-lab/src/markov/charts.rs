//! Charts of Markov models.

use super::{MarkovChart, MarkovOutlook, MarkovResponse, label};
use crate::error::LabError;
use crate::numbers::counted;
use errare_endgame::{Contest, MarkovModel, Passage};
use errare_figures::{Axis, HeatMap, LineChart, Row, Series};
use errare_work::Progress;

/// The heat map of the first competence's transition matrix, without the states that no position or move is known for.
pub(super) fn heat_map(response: &MarkovResponse, model: &MarkovModel) -> Result<HeatMap, LabError> {
    let matrix = model.matrix(0)?;
    let c = model.competences().first().ok_or(LabError::Internal("a Markov model without a competence"))?;
    let from: Vec<usize> = (0..model.dead_draw()).filter(|&state| model.weight(state) > 0.0).collect();
    let reached = |&to: &usize| from.iter().any(|&from| matrix.row(from)[to] > 0.0);
    let to: Vec<usize> = (0..matrix.size()).filter(reached).collect();
    Ok(HeatMap {
        title: format!("{}: where {} of competence {c} goes", response.material, response.side.name()),
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

/// A chart with a line for each competence.
pub(super) fn line_chart(
    chart: MarkovChart,
    response: &MarkovResponse,
    contests: &[Contest],
    from_depth: Option<u16>,
    progress: &dyn Progress,
) -> Result<LineChart, LabError> {
    let deepest = contests.first().map_or(0, |contest| contest.states().deepest_win().0);
    let from_depth = from_depth.unwrap_or(deepest);
    let within = response.results.first().and_then(|outlook| outlook.win_within.keys().next().copied()).unwrap_or(0);
    let (x_label, y_label) = match chart {
        MarkovChart::Lengths => ("depth", "expected moves to the end".to_owned()),
        MarkovChart::Within => ("depth", format!("chance to win within {}", counted(within, "move"))),
        MarkovChart::AtMost => ("moves m", format!("chance to win from depth {from_depth} in at most m moves")),
        MarkovChart::Exactly => ("moves m", format!("chance to win from depth {from_depth} in exactly m moves")),
        MarkovChart::HeatMap => return Err(NO_LINES),
    };
    let values = |outlook: &MarkovOutlook, contest: &Contest| -> Result<Vec<f64>, LabError> {
        match chart {
            MarkovChart::Lengths => Ok(outlook.lengths.to_vec()),
            MarkovChart::Within => Ok(outlook.win_within.values().next().cloned().unwrap_or_default()),
            MarkovChart::AtMost => Ok(passage(contest, from_depth, progress)?.at_most),
            MarkovChart::Exactly => Ok(passage(contest, from_depth, progress)?.exactly),
            MarkovChart::HeatMap => Err(NO_LINES),
        }
    };
    let mut series = Vec::new();
    for (outlook, contest) in response.results.iter().zip(contests) {
        let points = values(outlook, contest)?.into_iter().enumerate().map(|(place, value)| (place as f64, value));
        series.push(Series::line(format!("c = {}", outlook.competence), points));
    }
    let longest = response.results.iter().flat_map(|outlook| &*outlook.lengths).copied().fold(0.0, f64::max);
    let log = chart == MarkovChart::Lengths && longest > 1000.0;
    Ok(LineChart {
        title: response.headline(),
        x: Axis::linear(x_label),
        y: Axis { label: y_label, log },
        series,
        marks: Vec::new(),
    })
}

const NO_LINES: LabError = LabError::Internal("a heat map has no lines");

/// Computes the chance to win after each number of moves, until nearly all games are won, or for 400 moves.
fn passage(contest: &Contest, from_depth: u16, progress: &dyn Progress) -> Result<Passage, LabError> {
    const LONGEST: usize = 400;
    const NEARLY_ALL: f64 = 0.9995;
    Ok(Passage::new(contest, from_depth, LONGEST, NEARLY_ALL, progress)?)
}
