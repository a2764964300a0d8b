//! The Predator that looks further ahead than two plies.

use super::games::{Meeting, moments, standard_error};
use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, competence, position};
use crate::browne_belle::STARTS;
use crate::error::Result;
use crate::finding::Picture;
use crate::numerals::decimals;
use errare_endgame::{AgentSpec, Habits, Opponent, Scope, Ties};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;

pub const EXPERIMENT: Experiment = Experiment {
    name: "predator",
    title: "Does a Predator gain by looking four plies ahead?",
    question: "Haworth (2003) lets the Predator choose by its expectation two plies ahead, and leaves open what a deeper search \
               would gain.",
    method: "KQKR to conversion. The attacker R_c, who never gives up a win, starts from the two Browne-BELLE positions, 31 moves \
             from conversion. The defender with the rook knows c and plays optimal moves only: chosen evenly (R_inf), by the \
             expected depth after two plies, or after four. 240 games from each start for each c, kappa 1, seed 1; the same seeds \
             for all defenders. A longer game is a better defence.",
    endgames: &[],
    needs: || vec![("KQKR", vec![Metric::Dtc])],
    run,
};

const GAMES: u64 = 240;
/// The competences of the Predator's opponents. None is lower, since from 31 moves R_15 takes 465 moves on average to
/// win KQKR, R_10 takes 32,529 (`errare markov KQKR`).
const COMPETENCES: [f64; 4] = [20.0, 25.0, 30.0, 40.0];

fn run(bench: &Bench<'_>) -> Result<Account> {
    let starts = STARTS.iter().map(|fen| position(fen)).collect::<Result<Vec<_>>>()?;
    let columns = ["c", "defender", "games", "mean length", "standard error", "against two plies"];
    let mut table = ResultTable::new("Moves to conversion, by the attacker's competence and the defender", &columns);
    let mut series = [Vec::new(), Vec::new(), Vec::new()];
    let mut gains = Vec::new();
    for c in COMPETENCES {
        let predator = |plies| -> Result<AgentSpec> {
            let opponent = Some(Opponent::Competence(competence(c)?));
            Ok(AgentSpec::Predator { opponent, plies, scope: Scope::Optimal, metric: None })
        };
        let defenders = [
            ("R_inf", AgentSpec::Infallible(Ties::UNIFORM)),
            ("Predator, 2 plies", predator(2)?),
            ("Predator, 4 plies", predator(4)?),
        ];
        let mut lengths = Vec::new();
        for (_, black) in &defenders {
            let white = AgentSpec::Player(competence(c)?);
            let (black, habits) = (black.clone(), Habits::holding_wins());
            let meeting = Meeting {
                bench,
                metric: Metric::Dtc,
                white,
                black,
                starts: &starts,
                games: GAMES,
                habits,
                keep_moves: false,
            };
            let played = meeting.play()?;
            lengths.push(moments(played.iter().map(|game| f64::from(game.length()))));
        }
        let error = |at: usize| standard_error(&lengths[at]);
        for (at, (name, _)) in defenders.iter().enumerate() {
            let gain = lengths[at].mean - lengths[1].mean;
            let of_gain = (error(at).powi(2) + error(1).powi(2)).sqrt();
            let against =
                if at == 1 { String::new() } else { format!("{} ± {}", decimals(gain, 1), decimals(of_gain, 1)) };
            table.push([
                decimals(c, 0),
                (*name).to_owned(),
                lengths[at].count.to_string(),
                decimals(lengths[at].mean, 1),
                decimals(error(at), 1),
                against,
            ]);
            series[at].push((c, lengths[at].mean, error(at)));
            if at == 2 {
                gains.push((c, gain, of_gain));
            }
        }
    }
    let clear: Vec<String> =
        gains.iter().filter(|(_, gain, error)| gain.abs() > 2.0 * error).map(|(c, ..)| format!("c = {c}")).collect();
    let verdict = if clear.is_empty() {
        "At no c does the mean length differ by more than two standard errors between four plies and two: games of this \
         number show no gain."
            .to_owned()
    } else {
        format!("The mean lengths differ by more than two standard errors at {}.", clear.join(", "))
    };
    let weight = |(_, _, error): &(f64, f64, f64)| error.powi(-2);
    let pooled = gains.iter().map(|gain| weight(gain) * gain.1).sum::<f64>() / gains.iter().map(weight).sum::<f64>();
    let of_pooled = gains.iter().map(weight).sum::<f64>().powf(-0.5);
    let findings = vec![
        format!(
            "Over all c, four plies against two change the length of a game by {} ± {} moves (weighted mean, standard error).",
            decimals(pooled, 1),
            decimals(of_pooled, 1)
        ),
        verdict,
    ];
    let names = ["R_inf", "2 plies", "4 plies"];
    let lines = names.iter().zip(&series).map(|(name, points)| {
        let whiskers = points.iter().map(|&(c, mean, error)| [(c, mean - error), (c, mean + error)]);
        Series::line(*name, points.iter().map(|&(c, mean, _)| (c, mean))).with_whiskers(whiskers)
    });
    let chart = LineChart {
        title: "KQKR: moves to conversion against three defenders".to_owned(),
        x: Axis::linear("competence c of the attacker"),
        y: Axis::log("mean length (moves)"),
        series: lines.collect(),
        marks: Vec::new(),
    };
    let caption = "Mean length of games by the attacker's competence; whiskers are one standard error.".to_owned();
    Ok(Account { findings, tables: vec![table], pictures: vec![Picture { caption, chart }] })
}
