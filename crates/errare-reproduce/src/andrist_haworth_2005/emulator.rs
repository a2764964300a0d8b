//! Section 3.4: the Emulator's steadiness.

use super::experiment::{experiment, tally};
use crate::bench::Bench;
use crate::error::Result;
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::decimals;
use crate::study::Study;
use errare_choice::Competence;
use errare_endgame::{AgentSpec, Ties};
use errare_tables::Metric;

pub const STUDY: Study = Study {
    name: "the Emulator",
    is_quick: false,
    covers: |id| id == "001-3-4-emulator",
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

const GAMES: u64 = 100;

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let infallible = AgentSpec::Infallible(Ties::UNIFORM);
    let mut sds = Vec::new();
    let mut texts = Vec::new();
    for (name, agent) in [("R_20", AgentSpec::Player(Competence::from(20))), ("E_20", AgentSpec::Emulator(20.0))] {
        let games = experiment(bench, agent, infallible.clone(), GAMES)?;
        let apparent = tally(games.iter().map(|game| game.apparent));
        texts.push(format!(
            "{name}: mean {}, standard deviation {}",
            decimals(apparent.mean, 2),
            decimals(apparent.sd(), 2)
        ));
        sds.push(apparent.sd());
    }
    let computed = format!("apparent c at the end of {} games each: {}", 2 * GAMES, texts.join("; "));
    Ok(Finding::fact(item, sds[1] < sds[0], computed)
        .because("100 games from each Browne-BELLE start against R_inf, kappa 1, seed 1"))
}
