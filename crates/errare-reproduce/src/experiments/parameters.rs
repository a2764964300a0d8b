//! Parameters of preferences: how much kappa, d_W and d_L matter.

use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, competence, material};
use crate::browne_belle::{assessed, of_browne};
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::numerals::decimals;
use errare_choice::{Depth, DrawDepths, Kappa, PowerLaw, Preference, PreferenceError, States};
use errare_endgame::{EndgameError, Family, Habits, MarkovModel, MarkovScope, Model};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::{Extent, Metric};
use shakmaty::Color;

pub const EXPERIMENT: Experiment = Experiment {
    name: "parameters",
    title: "How much do kappa, d_W and d_L matter?",
    question: "Haworth (2003) takes kappa = 1 and the least d_W and d_L, and leaves open how much results depend on them.",
    method: "KQKR to conversion. Kappa: Browne's apparent c at the end of both games (uniform prior on c = 0(1)50), and the expected \
             length against R_inf from depth 31 of R_20, who never gives up the win. d_W: the chance that R_c, who may give up \
             the win, converts within fifty moves from depth 31. d_L: the chance that R_c, defending a drawn position with the \
             rook, loses it with one move, over all such positions. All by the Markov model, nothing drawn by chance.",
    endgames: &[],
    needs: || vec![("KQKR", vec![Metric::Dtc])],
    run,
};

const DEEPEST: usize = 31;
const KAPPAS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
const DEPTHS: [u16; 5] = [32, 40, 64, 128, 1024];
const COMPETENCES: [f64; 3] = [5.0, 10.0, 20.0];

/// A family of power laws in which a draw is worth a win or a loss of a given depth, as far as the states allow it.
struct Draws {
    kappa: Kappa,
    win: u16,
    loss: u16,
}

impl Family for Draws {
    fn preference(&self, states: States) -> Result<Box<dyn Preference + Send + Sync>, PreferenceError> {
        let nearest = DrawDepths::nearest(states)?;
        let draw = DrawDepths { win: nearest.win.max(Depth(self.win)), loss: nearest.loss.max(Depth(self.loss)) };
        Ok(Box::new(PowerLaw::new(states, self.kappa)?.with_draw_depths(draw)?))
    }
}

fn model(bench: &Bench<'_>, side: Color, family: Draws, habits: Habits, of: &[f64]) -> Result<MarkovModel> {
    let scope = MarkovScope { material: material("KQKR")?, metric: Metric::Dtc, side, extent: Extent::Whole };
    let lanes = of.iter().map(|&c| competence(c)).collect::<Result<Vec<_>>>()?;
    Ok(MarkovModel::of_tables(bench.tables, scope, &Model::new(family, habits), &lanes, bench.progress)?)
}

fn run(bench: &Bench<'_>) -> Result<Account> {
    let (kappa_table, kappa_finding, chart) = by_kappa(bench)?;
    let (win_table, win_finding) = by_win_depth(bench)?;
    let (loss_table, loss_finding) = by_loss_depth(bench)?;
    let caption = "Expected length of R_20's games, and Browne's apparent competence in game 1, by kappa.".to_owned();
    Ok(Account {
        findings: vec![kappa_finding, win_finding, loss_finding],
        tables: vec![kappa_table, win_table, loss_table],
        pictures: vec![Picture { caption, chart }],
    })
}

fn by_kappa(bench: &Bench<'_>) -> Result<(ResultTable, String, LineChart)> {
    let columns = ["kappa", "Browne, game 1", "Browne, game 2", "expected moves of R_20"];
    let mut table = ResultTable::new("Kappa: apparent c of Browne, and the length of R_20's games", &columns);
    let (mut lengths, mut apparent) = (Vec::new(), Vec::new());
    for value in KAPPAS {
        let kappa = crate::bench::kappa(value)?;
        let mut browne = Vec::new();
        for game in [0, 1] {
            let last = of_browne(&assessed(bench, game, kappa)?).last().copied();
            browne.push(last.ok_or(ReproduceError::Internal("a game without moves"))?);
        }
        let players = model(bench, Color::White, Draws { kappa, win: 0, loss: 0 }, Habits::holding_wins(), &[20.0])?;
        let contest = players.against_infallible(0)?;
        let length = contest.chain().solve().map_err(EndgameError::from)?.lengths[DEEPEST];
        table.push([value.to_string(), decimals(browne[0], 2), decimals(browne[1], 2), decimals(length, 1)]);
        lengths.push((value, length));
        apparent.push((value, browne[0]));
    }
    let span = |points: &[(f64, f64)]| {
        let (first, last) = (points[0].1, points[points.len() - 1].1);
        format!("{} to {}", decimals(first, 1), decimals(last, 1))
    };
    let finding = format!(
        "Kappa from {} to {}: R_20 needs {} moves, and the apparent c of the same moves of Browne's in game 1 goes from {}. \
         A competence means nothing without its kappa.",
        KAPPAS[0],
        KAPPAS[KAPPAS.len() - 1],
        span(&lengths),
        span(&apparent)
    );
    let chart = LineChart {
        title: "KQKR: what kappa changes".to_owned(),
        x: Axis::log("kappa"),
        y: Axis::log("moves, and competence"),
        series: vec![Series::line("moves of R_20", lengths), Series::line("Browne's apparent c", apparent)],
        marks: Vec::new(),
    };
    Ok((table, finding, chart))
}

fn by_win_depth(bench: &Bench<'_>) -> Result<(ResultTable, String)> {
    let columns = ["d_W", "c = 5", "c = 10", "c = 20"];
    let mut table =
        ResultTable::new("d_W: chance to convert within fifty moves from depth 31, wins not held", &columns);
    let mut ends = Vec::new();
    for depth in DEPTHS {
        let family = Draws { kappa: Kappa::ONE, win: depth, loss: 0 };
        let players = model(bench, Color::White, family, Habits::default(), &COMPETENCES)?;
        let mut row = vec![depth.to_string()];
        for lane in 0..COMPETENCES.len() {
            let contest = players.against_infallible(lane)?;
            let won = contest.chain().within(&[0], 50).map_err(EndgameError::from)?[DEEPEST];
            row.push(decimals(won, 4));
            ends.push(won);
        }
        table.push(row);
    }
    let last = ends.len() - 1;
    let finding = format!(
        "d_W from {} to {}: R_20 converts within fifty moves with probability {} and {}.",
        DEPTHS[0],
        DEPTHS[DEPTHS.len() - 1],
        decimals(ends[2], 3),
        decimals(ends[last], 3)
    );
    Ok((table, finding))
}

fn by_loss_depth(bench: &Bench<'_>) -> Result<(ResultTable, String)> {
    let columns = ["d_L", "c = 5", "c = 10", "c = 20"];
    let mut table = ResultTable::new("d_L: chance to lose a drawn position with one move, draws not held", &columns);
    let mut ends = Vec::new();
    for depth in DEPTHS {
        let family = Draws { kappa: Kappa::ONE, win: 0, loss: depth };
        let players = model(bench, Color::Black, family, Habits::default(), &COMPETENCES)?;
        let draw = players.states().draw();
        let mut row = vec![depth.to_string()];
        for lane in 0..COMPETENCES.len() {
            let matrix = players.matrix(lane)?;
            let lost: f64 = matrix.row(draw)[draw + 1..players.states().count()].iter().sum();
            row.push(decimals(lost, 5));
            ends.push(lost);
        }
        table.push(row);
    }
    let last = ends.len() - 1;
    let finding = format!(
        "d_L from {} to {}: R_20 loses a drawn position with one move with probability {} and {}.",
        DEPTHS[0],
        DEPTHS[DEPTHS.len() - 1],
        decimals(ends[2], 4),
        decimals(ends[last], 4)
    );
    Ok((table, finding))
}
