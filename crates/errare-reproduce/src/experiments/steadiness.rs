//! The Emulator's steadiness against that of the Player.

use super::games::{Meeting, moments};
use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, competence, position};
use crate::browne_belle::STARTS;
use crate::error::Result;
use crate::finding::Picture;
use crate::numerals::decimals;
use errare_endgame::{AgentSpec, Habits, Ties};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;

pub const EXPERIMENT: Experiment = Experiment {
    name: "steadiness",
    title: "Is the Emulator a steadier practice partner than the Player?",
    question: "Andrist and Haworth (2005, section 3.4) define the Emulator E_c, who chooses so as to exhibit an apparent \
               competence as near to c as possible, and leave its steadiness to experiment.",
    method: "KQKR to conversion against R_inf, who chooses evenly among equals, from the two Browne-BELLE positions. R_c or E_c \
             attacks and never gives up the win; its apparent competence is that of the posterior at the end of the game (uniform \
             prior on c = 0(1)50). 100 games from each start for each c, kappa 1, seed 1.",
    endgames: &[],
    needs: || vec![("KQKR", vec![Metric::Dtc])],
    run,
};

const GAMES: u64 = 100;
/// The competences of the players. None is lower, since from 31 moves R_15 takes 465 moves on average to win KQKR, R_10
/// takes 32,529 (`errare markov KQKR`).
const COMPETENCES: [f64; 4] = [15.0, 20.0, 30.0, 40.0];

fn run(bench: &Bench<'_>) -> Result<Account> {
    let starts = STARTS.iter().map(|fen| position(fen)).collect::<Result<Vec<_>>>()?;
    let columns = ["c", "attacker", "games", "mean apparent c", "its sd", "mean length", "its sd"];
    let mut table = ResultTable::new("Apparent competence at the end of games, and their lengths", &columns);
    let mut series = [Vec::new(), Vec::new()];
    let mut findings = Vec::new();
    for c in COMPETENCES {
        let mut sds = Vec::new();
        for (at, (name, white)) in
            [("R_c", AgentSpec::Player(competence(c)?)), ("E_c", AgentSpec::Emulator(c))].into_iter().enumerate()
        {
            let (metric, habits) = (Metric::Dtc, Habits::holding_wins());
            let (black, keep_moves) = (AgentSpec::Infallible(Ties::UNIFORM), false);
            let meeting = Meeting { bench, metric, white, black, starts: &starts, games: GAMES, habits, keep_moves };
            let played = meeting.play()?;
            let apparent = moments(played.iter().map(|game| game.apparent.white));
            let lengths = moments(played.iter().map(|game| f64::from(game.length())));
            table.push([
                decimals(c, 0),
                name.to_owned(),
                apparent.count.to_string(),
                decimals(apparent.mean, 2),
                decimals(apparent.sd(), 2),
                decimals(lengths.mean, 1),
                decimals(lengths.sd(), 1),
            ]);
            series[at].push((c, apparent.sd()));
            sds.push((apparent.mean, apparent.sd()));
        }
        findings.push(format!(
            "At c = {}: the standard deviation of apparent c is {} for R_c and {} for E_c; the means are {} and {}.",
            decimals(c, 0),
            decimals(sds[0].1, 2),
            decimals(sds[1].1, 2),
            decimals(sds[0].0, 2),
            decimals(sds[1].0, 2)
        ));
    }
    let [player, emulator] = series;
    let chart = LineChart {
        title: "KQKR: spread of apparent competence over games".to_owned(),
        x: Axis::linear("competence c of the attacker"),
        y: Axis::linear("standard deviation of apparent c"),
        series: vec![Series::line("R_c", player), Series::line("E_c", emulator)],
        marks: Vec::new(),
    };
    let caption = "Standard deviation of apparent competence at the end of games.".to_owned();
    Ok(Account { findings, tables: vec![table], pictures: vec![Picture { caption, chart }] })
}
