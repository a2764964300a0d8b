//! An infallible side that presses a fallible defender in drawn endgames.

use super::games::{Meeting, drawn_starts};
use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, competence};
use crate::error::Result;
use crate::finding::Picture;
use crate::numerals::decimals;
use errare_choice::Outcome;
use errare_endgame::{AgentSpec, Habits, Opponent, Scope, Ties, wilson_interval};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;
use shakmaty::Color;

pub const EXPERIMENT: Experiment = Experiment {
    name: "pressing",
    title: "How often does an infallible side win drawn endgames against a fallible defender?",
    question: "Haworth (2003) and Andrist and Haworth (2005) propose to let an infallible side press a fallible defender in drawn \
               positions, and name KRBKR, KQNKQ, KNNKP and KBBKN.",
    method: "The first 40 drawn positions of a sample with seed 1, White to move. White never errs, and either chooses evenly among \
             the moves that keep the draw (R_inf) or as a Predator who knows c: the move after which the defender is most \
             likely to give up the draw at once. Black is R_c, who may give up the draw. 4 games from each position, under the \
             fifty-move rule, to conversion or mate by the tables (DTC), kappa 1, seed 1.",
    endgames: &[],
    needs: || ENDGAMES.iter().map(|&name| (name, vec![Metric::Dtc])).collect(),
    run,
};

const ENDGAMES: [&str; 4] = ["KRBKR", "KQNKQ", "KNNKP", "KBBKN"];
const COMPETENCES: [f64; 4] = [2.0, 5.0, 10.0, 20.0];
const STARTS: usize = 40;
const GAMES: u64 = 4;

fn run(bench: &Bench<'_>) -> Result<Account> {
    let columns = ["endgame", "White", "c of Black", "games", "won", "share", "95% interval"];
    let mut table = ResultTable::new("Games that White wins from drawn positions", &columns);
    let (mut series, mut findings) = (Vec::new(), Vec::new());
    for name in ENDGAMES {
        let starts = drawn_starts(bench, name, Outcome::Draw, STARTS)?;
        let mut totals = Vec::new();
        for presses in [false, true] {
            let (mut points, mut won_in_all) = (Vec::new(), 0);
            for c in COMPETENCES {
                let opponent = Some(Opponent::Competence(competence(c)?));
                let predator = AgentSpec::Predator { opponent, plies: 2, scope: Scope::Keeping, metric: None };
                let white = if presses { predator } else { AgentSpec::Infallible(Ties::UNIFORM) };
                let black = AgentSpec::Player(competence(c)?);
                let (metric, habits) = (Metric::Dtc, Habits::default());
                let keep_moves = false;
                let meeting =
                    Meeting { bench, metric, white, black, starts: &starts, games: GAMES, habits, keep_moves };
                let played = meeting.play()?;
                let won = played.iter().filter(|game| game.winner == Some(Color::White)).count();
                let (games, share) = (played.len(), won as f64 / played.len().max(1) as f64);
                let (low, high) = wilson_interval(share, games as f64);
                let percent = |share: f64| format!("{}%", decimals(100.0 * share, 0));
                table.push([
                    name.to_owned(),
                    if presses { "Predator" } else { "R_inf" }.to_owned(),
                    decimals(c, 0),
                    games.to_string(),
                    won.to_string(),
                    percent(share),
                    format!("{} to {}", percent(low), percent(high)),
                ]);
                points.push((c, share));
                won_in_all += won;
            }
            totals.push(won_in_all);
            if presses {
                series.push(Series::line(name, points));
            }
        }
        let games = COMPETENCES.len() * starts.len() * GAMES as usize;
        findings
            .push(format!("{name}: of {games} games over all c the Predator wins {}, R_inf {}.", totals[1], totals[0]));
    }
    let chart = LineChart {
        title: "Drawn positions won by a Predator".to_owned(),
        x: Axis::linear("competence c of the defender"),
        y: Axis::linear("share of games won"),
        series,
        marks: Vec::new(),
    };
    let caption = "Share of drawn positions that the Predator wins, by the defender's competence.".to_owned();
    Ok(Account { findings, tables: vec![table], pictures: vec![Picture { caption, chart }] })
}
