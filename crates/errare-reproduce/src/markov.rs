//! Markov models of endgames, as studies ask for them: kappa 1, wins never given up, White to move.

use crate::bench::{Bench, competence, material};
use crate::error::Result;
use errare_choice::{Competence, Kappa};
use errare_endgame::{Contest, Habits, MarkovModel, MarkovScope, Model};
use errare_tables::{Extent, Metric};
use shakmaty::Color;

/// Makes the model of one side of an endgame by DTC, for several competences, increasing.
pub fn model(bench: &Bench<'_>, name: &str, side: Color, competences: &[Competence]) -> Result<MarkovModel> {
    let scope = MarkovScope { material: material(name)?, metric: Metric::Dtc, side, extent: Extent::Whole };
    let players = Model::power_law(Kappa::ONE, Habits::holding_wins());
    Ok(MarkovModel::of_tables(bench.tables, scope, &players, competences, bench.progress)?)
}

/// Makes White's models of several competences, increasing, and their contests with an infallible defender.
pub fn contests(bench: &Bench<'_>, name: &str, competences: &[f64]) -> Result<(MarkovModel, Vec<Contest>)> {
    let lanes = competences.iter().map(|&c| competence(c)).collect::<Result<Vec<_>>>()?;
    let model = model(bench, name, Color::White, &lanes)?;
    let contests = (0..competences.len()).map(|lane| Ok(model.against_infallible(lane)?)).collect::<Result<_>>()?;
    Ok((model, contests))
}

/// The expected gain of depth in one move from each depth from 1 on.
pub fn progress_by_depth(model: &MarkovModel, lane: usize) -> Result<Vec<f64>> {
    let matrix = model.matrix(lane)?;
    let wins = model.states().draw();
    let gain = |from: usize| {
        let row = matrix.row(from)[..wins].iter().enumerate();
        row.map(|(to, chance)| chance * (from as f64 - to as f64)).sum::<f64>()
    };
    Ok((1..wins).map(gain).collect())
}
