//! Section 7, Table 1 and Figures 4 to 7: which move is best against whom.

use crate::bench::{Bench, competence, keeping, position, san};
use crate::browne_belle::moves;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed};
use crate::study::Study;
use errare_choice::{Kappa, State};
use errare_endgame::{Options, Scope, Sweep, Sweeper};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};

pub const STUDY: Study = Study {
    name: "moves against fallible opponents",
    is_quick: true,
    covers: |id| {
        id == "000-table-1"
            || id.starts_with("000-7-")
            || ["000-fig-4", "000-fig-5", "000-fig-6", "000-fig-7"].contains(&id)
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The name of a position, its FEN, and the game and the ply at which it arises.
type TablePosition = (&'static str, &'static str, Option<(usize, usize)>);

/// The positions of Table 1, with the game and the ply at which they arise; J1-1b is of Jansen (1993).
const POSITIONS: [TablePosition; 9] = [
    ("BB1-01w", "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", Some((0, 0))),
    ("BB2-01w", "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1", Some((1, 0))),
    ("BB1-09b", "8/8/3K4/8/4rk2/3Q4/8/8 b - - 0 1", Some((0, 17))),
    ("BB1-13b", "4r3/8/5Q2/3K4/6k1/8/8/8 b - - 0 1", Some((0, 25))),
    ("BB2-10b", "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1", Some((1, 19))),
    ("BB2-12b", "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1", Some((1, 23))),
    ("BB2-22b", "8/8/8/5r2/4K1k1/4Q3/8/8 b - - 0 1", Some((1, 43))),
    ("BB2-24b", "8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1", Some((1, 47))),
    ("J1-1b", "8/8/r7/2Q2k2/8/4K3/8/8 b - - 0 1", None),
];

/// A position of Table 1, and its moves compared over c = 0 to 50.
struct Compared {
    options: Options,
    sweep: Sweep,
}

impl Compared {
    fn new(bench: &Bench<'_>, at: &Chess, scope: Scope) -> Result<Compared> {
        let oracle = bench.oracle(Metric::Dtc);
        let options = oracle.options(at)?;
        let sweeper = Sweeper { oracle, model: keeping(Kappa::ZERO_PLUS), plies: 2, scope };
        let competences: Vec<f64> = (0..=50).map(f64::from).collect();
        let sweep = sweeper.sweep(&options, &competences, bench.progress)?;
        Ok(Compared { options, sweep })
    }

    fn of(bench: &Bench<'_>, name: &str) -> Result<Compared> {
        let known = POSITIONS.iter().find(|(known, ..)| *known == name);
        let (_, fen, _) = known.ok_or(ReproduceError::Internal("a study names an unknown position"))?;
        let scope = if name == "J1-1b" { Scope::Keeping } else { Scope::Optimal };
        Compared::new(bench, &position(fen)?, scope)
    }

    fn name(&self, place: usize) -> String {
        san(&self.options.position, self.options.candidates[place].choice().mv)
    }

    /// The moves that are best in turn as c rises, with the competences at which they change.
    fn reigns(&self) -> (Vec<String>, Vec<f64>) {
        let names = |places: &[usize]| places.iter().map(|&place| self.name(place)).collect::<Vec<_>>().join("/");
        let best = &self.sweep.best;
        let ends = best[..best.len() - 1].iter().map(|reign| reign.to);
        (best.iter().map(|reign| names(&reign.places)).collect(), ends.collect())
    }

    fn words(&self) -> String {
        let (names, ends) = self.reigns();
        let mut text = names.first().cloned().unwrap_or_default();
        for (name, end) in names.iter().skip(1).zip(&ends) {
            text += &format!(", from {} on {name}", decimals(*end, 2));
        }
        text
    }

    /// Names the best move: "Re1 for all c" if one is best everywhere.
    fn dominant(&self) -> String {
        match &self.reigns().0[..] {
            [one] => format!("{one} for all c"),
            _ => self.words(),
        }
    }

    fn optimal(&self) -> String {
        let mut names: Vec<String> = self.options.optimal().into_iter().map(|place| self.name(place)).collect();
        names.sort();
        listed(names)
    }

    fn chart(&self, title: &str, only: &[&str]) -> LineChart {
        let drawn = |name: &String| only.is_empty() || only.contains(&name.as_str());
        let lines = self.sweep.places.iter().zip(&self.sweep.figures);
        let series = lines.map(|(&place, figures)| (self.name(place), figures)).filter(|(name, _)| drawn(name));
        LineChart {
            title: title.to_owned(),
            x: Axis::linear("competence c of the opponent"),
            y: Axis::linear("expected depth after the reply (DTC, moves)"),
            series: series
                .map(|(name, figures)| {
                    Series::line(name, self.sweep.competences.iter().copied().zip(figures.iter().copied()))
                })
                .collect(),
            marks: Vec::new(),
        }
    }
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let caption = format!("{}: {}", item.place, item.claim);
    match item.id {
        "000-table-1" => table(item),
        "000-fig-4" => {
            let found = Compared::of(bench, "BB2-22b")?;
            Ok(Finding::text(item, found.dominant()).with_picture(caption, found.chart("Figure 4: BB2-22b", &[])))
        }
        "000-7-bb1-09b" => Ok(Finding::text(item, Compared::of(bench, "BB1-09b")?.dominant())),
        "000-7-bb1-13b" => Ok(Finding::text(item, Compared::of(bench, "BB1-13b")?.dominant())),
        "000-fig-5" => {
            let found = Compared::of(bench, "BB2-10b")?;
            Ok(Finding::numbers(item, &found.reigns().1)?
                .because(found.words())
                .with_picture(caption, found.chart("Figure 5: BB2-10b", &[])))
        }
        "000-7-bb1-08b" => {
            let (mut at, moves) = moves(0)?;
            moves[..15].iter().for_each(|&mv| at.play_unchecked(mv));
            let found = Compared::new(bench, &at, Scope::Optimal)?;
            Ok(Finding::fact(item, found.reigns().0.len() > 1, found.words()))
        }
        "000-7-bb2-12b-optimal" => Ok(Finding::text(item, Compared::of(bench, "BB2-12b")?.optimal())),
        "000-7-bb2-12b" => {
            let found = Compared::of(bench, "BB2-12b")?;
            Ok(Finding::numbers(item, &found.reigns().1)?.because(format!(
                "{}. The curves cross at small angles: a small error moves a crossing far",
                found.words()
            )))
        }
        "000-7-bb2-12b-rh4" => {
            let found = Compared::of(bench, "BB2-12b")?;
            let is_best = found.reigns().0.iter().any(|names| names.contains("Rh4"));
            Ok(Finding::fact(item, !is_best, if is_best { "sometimes" } else { "never" }))
        }
        "000-7-bb2-24b-optimal" => Ok(Finding::text(item, Compared::of(bench, "BB2-24b")?.optimal())),
        "000-fig-6" => {
            let found = Compared::of(bench, "BB2-24b")?;
            Ok(Finding::numbers(item, &found.reigns().1)?
                .because(found.words())
                .with_picture(caption, found.chart("Figure 6: BB2-24b", &[])))
        }
        "000-7-bb2-24b-rf8" => {
            let found = Compared::of(bench, "BB2-24b")?;
            let is_pair = |one: usize, two: usize| found.name(one) == "Rf6" && found.name(two) == "Rf8";
            let crossing = found.sweep.crossovers.iter().find(|cross| is_pair(cross.below, cross.above));
            let computed = crossing
                .map_or("for all c".to_owned(), |cross| format!("only for c below {}", decimals(cross.competence, 2)));
            Ok(Finding::text(item, computed).because("beyond, Rf8 is ahead by 0.03 moves at most"))
        }
        "000-7-bb2-24b-rb7" => {
            let (names, _) = Compared::of(bench, "BB2-24b")?.reigns();
            Ok(Finding::text(item, listed(names.first().into_iter().chain(names.last()))))
        }
        "000-7-j1-1b-cost" => {
            let found = Compared::of(bench, "J1-1b")?;
            let place = (0..found.options.candidates.len()).find(|&place| found.name(place) == "Kf6");
            let place = place.ok_or(ReproduceError::Internal("Kf6 is not legal"))?;
            Finding::numbers(item, &[f64::from(found.options.conceded(place).unwrap_or(u16::MAX))])
        }
        "000-7-j1-1b" | "000-fig-7" => {
            let found = Compared::of(bench, "J1-1b")?;
            let (names, ends) = found.reigns();
            let finding = Finding::numbers(item, &ends[..1])?.because(format!(
                "{} is best below. The curves cross at a small angle: at c = 2.7 Kg6 is ahead of Kf6 by 0.01 moves",
                names[0]
            ));
            let chart = found.chart("Figure 7: J1-1b", &["Kf6", "Kg6"]);
            Ok(if item.id == "000-fig-7" { finding.with_picture(caption, chart) } else { finding })
        }
        "000-7-rank-0" => rank_at_zero(bench, item),
        "000-7-rank-inf" => rank_at_infinity(bench, item),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Table 1: the positions of the games arise at the plies that their names give.
fn table(item: &Item) -> Result<Finding> {
    let board = |at: &Chess| Fen::from_position(at, EnPassantMode::Legal).as_setup().board.clone();
    let mut wrong = Vec::new();
    for (name, fen, arises) in POSITIONS {
        let printed = position(fen)?;
        let Some((game, ply)) = arises else { continue };
        let (mut at, moves) = moves(game)?;
        moves[..ply].iter().for_each(|&mv| at.play_unchecked(mv));
        if board(&at) != board(&printed) || at.turn() != printed.turn() {
            wrong.push(name);
        }
    }
    let computed = format!("{} legal positions; {} of the 8 of the games are elsewhere", POSITIONS.len(), wrong.len());
    Ok(Finding::fact(item, wrong.is_empty(), computed).because("J1-1b is of Jansen (1993), and in neither game"))
}

/// Checks that at c = 0 the expected depth is the mean over White's winning replies.
fn rank_at_zero(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let oracle = bench.oracle(Metric::Dtc);
    let mut gap = 0.0_f64;
    let mut count = 0;
    for name in ["BB2-22b", "BB2-10b", "BB2-12b", "BB2-24b"] {
        let found = Compared::of(bench, name)?;
        for (&place, figures) in found.sweep.places.iter().zip(&found.sweep.figures) {
            let replies = oracle.options(&found.options.after(place))?;
            let depths: Vec<f64> = replies
                .candidates
                .iter()
                .filter_map(|reply| match reply.state() {
                    State::Win(depth) => Some(f64::from(depth.0)),
                    _ => None,
                })
                .collect();
            gap = gap.max((depths.iter().sum::<f64>() / depths.len() as f64 - figures[0]).abs());
            count += 1;
        }
    }
    let computed =
        format!("expected depth at c = 0 against the mean depth of winning replies, {count} moves: {}", near(gap));
    Ok(Finding::fact(item, gap < 1e-9, computed))
}

fn near(gap: f64) -> &'static str {
    if gap < 1e-9 { "equal to nine digits" } else { "not equal" }
}

/// Checks that for great c the order of moves is that of the best replies: how far behind them the next best are, and
/// how many of these there are for each best one.
fn rank_at_infinity(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let oracle = bench.oracle(Metric::Dtc);
    let mut texts = Vec::new();
    let mut holds = true;
    for name in ["BB2-22b", "BB2-10b", "BB2-12b", "BB2-24b"] {
        let found = Compared::of(bench, name)?;
        let mut profiles = Vec::new();
        for &place in &found.sweep.places {
            let replies = oracle.options(&found.options.after(place))?;
            let mut depths: Vec<u16> = replies
                .candidates
                .iter()
                .filter_map(|reply| match reply.state() {
                    State::Win(depth) => Some(depth.0),
                    _ => None,
                })
                .collect();
            depths.sort_unstable();
            let best = depths.first().copied().unwrap_or(0);
            let next = depths.iter().copied().find(|depth| *depth > best).unwrap_or(u16::MAX);
            let count = |wanted: u16| depths.iter().filter(|depth| **depth == wanted).count();
            let chances = keeping(Kappa::ZERO_PLUS).probabilities(&replies, competence(GREAT)?)?;
            let depth = |at: usize| match replies.candidates[at].state() {
                State::Win(depth) => f64::from(depth.0 - best),
                _ => 0.0,
            };
            let excess: f64 =
                (0..chances.len()).filter(|&at| chances[at] > 0.0).map(|at| chances[at] * depth(at)).sum();
            profiles.push(Profile {
                name: found.name(place),
                excess,
                gap: next - best,
                next: count(next),
                best: count(best),
            });
        }
        let first = |key: &dyn Fn(&Profile) -> f64| {
            let best = profiles.iter().max_by(|one, two| key(one).total_cmp(&key(two)));
            best.map(|profile| profile.name.clone()).unwrap_or_default()
        };
        let by_profile = first(&|p| p.next as f64 / p.best as f64 - 1000.0 * f64::from(p.gap));
        let by_depth = first(&|p| p.excess);
        holds &= by_depth == by_profile;
        let shown = profiles.iter().map(|p| format!("{} {}/{} behind by {}", p.name, p.next, p.best, p.gap));
        texts.push(format!("{name}: {by_depth} first ({})", listed(shown)));
    }
    Ok(Finding::fact(item, holds, texts.join("; ")).because(
        "at c = 200; in brackets the next best replies over the best ones, and how many moves they are behind",
    ))
}

/// A competence at which the best replies are all but certain.
const GREAT: f64 = 200.0;

/// White's best replies to a move.
struct Profile {
    name: String,
    /// The expected depth beyond the depth after the best reply.
    excess: f64,
    gap: u16,
    next: usize,
    best: usize,
}
