//! An experiment with one R_c that plays to, and is judged by, different metrics.

use super::games::{Meeting, drawn_starts};
use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, analysis, competence, material, position};
use crate::browne_belle::STARTS;
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::numerals::decimals;
use errare_choice::{Kappa, Outcome};
use errare_endgame::{AgentSpec, Habits, Ties};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::{Material, Metric};
use shakmaty::{Chess, Color, Move, Position};

pub const EXPERIMENT: Experiment = Experiment {
    name: "metrics",
    title: "Is R_c the same player under DTC, DTM and DTZ?",
    question: "The papers define R_c by any metric. Does c mean the same if depths are counted to conversion, to mate or to a \
               zeroing move?",
    method: "R_c attacks in KQKR (from the two Browne-BELLE positions, 20 games each) and in KQKP (10 won positions drawn by seed 1, 6 \
             games each), playing to one metric against R_inf of the same metric and never giving up the win. All its moves with \
             these men on the board are then judged by each metric: one posterior of all games, uniform prior on c = 0(1)50, \
             kappa 1, seed 1. Without pawns DTZ is DTC.",
    endgames: &[],
    needs: || vec![("KQKR", vec![Metric::Dtc, Metric::Dtm]), ("KQKP", METRICS.to_vec())],
    run,
};

const METRICS: [Metric; 3] = [Metric::Dtc, Metric::Dtm, Metric::Dtz];
/// The competences of the players. None is lower, since from 31 moves R_15 takes 465 moves on average to win KQKR, R_10
/// takes 32,529 (`errare markov KQKR`).
const COMPETENCES: [f64; 3] = [15.0, 20.0, 30.0];

fn run(bench: &Bench<'_>) -> Result<Account> {
    let columns = ["endgame", "c", "plays to", "judged by", "apparent c", "standard deviation", "moves judged"];
    let mut table = ResultTable::new("Apparent competence of R_c by the metrics played to and judged by", &columns);
    let kqkr = STARTS.iter().map(|fen| position(fen)).collect::<Result<Vec<_>>>()?;
    let kqkp = drawn_starts(bench, "KQKP", Outcome::Win, 10)?;
    let (mut series, mut findings) = (Vec::new(), Vec::new());
    for (name, starts, games, metrics) in [("KQKR", &kqkr, 20, &METRICS[..2]), ("KQKP", &kqkp, 6, &METRICS[..])] {
        let men = material(name)?;
        for &plays in metrics {
            let mut points: Vec<Vec<(f64, f64)>> = vec![Vec::new(); metrics.len()];
            for c in COMPETENCES {
                let (white, black) = (AgentSpec::Player(competence(c)?), AgentSpec::Infallible(Ties::UNIFORM));
                let (habits, keep_moves) = (Habits::holding_wins(), true);
                let meeting = Meeting { bench, metric: plays, white, black, starts, games, habits, keep_moves };
                let played = meeting.play()?;
                let lines: Vec<(&Chess, &[Move])> = played
                    .iter()
                    .enumerate()
                    .map(|(at, game)| (&starts[at / games as usize], &game.moves[..]))
                    .collect();
                for (place, &judges) in metrics.iter().enumerate() {
                    let (mean, sd, moves) = judged(bench, men, judges, &lines)?;
                    table.push([
                        name.to_owned(),
                        decimals(c, 0),
                        plays.to_string(),
                        judges.to_string(),
                        decimals(mean, 2),
                        decimals(sd, 2),
                        moves.to_string(),
                    ]);
                    points[place].push((c, mean));
                }
            }
            for (judges, points) in metrics.iter().zip(points) {
                if *judges != plays {
                    let shown: Vec<String> =
                        points.iter().map(|(c, mean)| format!("{} for c = {c}", decimals(*mean, 1))).collect();
                    findings.push(format!("{name}, played to {plays} and judged by {judges}: {}.", shown.join(", ")));
                    series.push(Series::line(format!("{name} {plays} by {judges}"), points));
                }
            }
        }
    }
    series.insert(0, Series::line("the same", COMPETENCES.map(|c| (c, c))));
    let chart = LineChart {
        title: "Competence judged by another metric than that played to".to_owned(),
        x: Axis::linear("competence c of the player"),
        y: Axis::linear("apparent c by the other metric"),
        series,
        marks: Vec::new(),
    };
    let caption = "Apparent competence where the judge counts to something else than the player.".to_owned();
    Ok(Account { findings, tables: vec![table], pictures: vec![Picture { caption, chart }] })
}

/// Computes the mean and the standard deviation of the competence that White's moves show while these men are on the
/// board, and the number of moves.
fn judged(bench: &Bench<'_>, men: Material, metric: Metric, games: &[(&Chess, &[Move])]) -> Result<(f64, f64, u64)> {
    let oracle = bench.oracle(metric);
    let analysis = analysis(Kappa::ONE, 0.0, 1.0, 50.0)?;
    let mut analyser = analysis.analyser();
    let mut count = 0;
    for (start, moves) in games {
        bench.progress.proceed()?;
        let mut at = (*start).clone();
        for &mv in *moves {
            if Material::of_board(at.board()).0 != men {
                break;
            }
            if at.turn() == Color::White {
                let options = oracle.options(&at)?;
                let chosen = options.find(mv).ok_or(ReproduceError::Internal("a game has an illegal move"))?;
                let _ = analyser.observe(&options, chosen)?;
                count += 1;
            }
            at.play_unchecked(mv);
        }
    }
    let posterior = analyser.posterior();
    Ok((posterior.mean(), posterior.sd(), count))
}
