//! Sections 1, 3 and 5: relations between metrics.

use crate::bench::{Bench, material, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, grouped, listed};
use crate::study::{Needs, Study};
use errare_tables::{Counting, Metric, Outcome, Plies, deepest, nth_draw, parse_fen, successors};
use shakmaty::fen::Fen;
use shakmaty::{Board, Chess, Color, Piece, Role, Setup, Square};

pub const SMALL: Study = Study {
    name: "metrics in small endgames",
    is_quick: true,
    covers: |id| ["002-1-eight", "002-5-order", "002-5-er-em"].contains(&id),
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

pub const LARGE: Study = Study {
    name: "metrics in five-man endgames",
    is_quick: false,
    covers: |id| ["002-2-krbkr", "002-3-pawnless", "002-4-kbbkn-share", "002-5-recurrence"].contains(&id),
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

const ALL: [Metric; 4] = [Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr];
/// Endgames of at most five men with wins that the fifty-move rule spoils, by the statistics of Syzygy tables.
const SYZYGY: &str = include_str!("../../data/syzygy_beyond_50.csv");
const MATING: [&str; 4] = ["KQK", "KRK", "KBBK", "KBNK"];
/// The position of Haworth (2001) against the recurrence, in KRRKB.
const COUNTER: &str = "8/8/8/8/8/8/R7/KRbk4 w - - 0 1";

fn needs(item: &Item) -> Needs {
    match item.id {
        "002-5-order" => ["KQKR", "KRKN", "KPK", "KQKP"].map(|name| (name, ALL.to_vec())).into(),
        "002-5-er-em" => MATING.map(|name| (name, vec![Metric::Dtm, Metric::Dtr])).into(),
        "002-2-krbkr" => vec![("KRBKR", vec![Metric::Dtc])],
        "002-3-pawnless" => {
            ["KQKR", "KRBKR", "KBBKN", "KQKNN"].map(|name| (name, vec![Metric::Dtc, Metric::Dtz])).into()
        }
        "002-4-kbbkn-share" => vec![("KBBKN", vec![Metric::Dtz])],
        "002-5-recurrence" => vec![("KRRKB", vec![Metric::Dtz, Metric::Dtr])],
        _ => Vec::new(),
    }
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    match item.id {
        "002-1-eight" => {
            let rows: Vec<&str> = SYZYGY.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
            let names = listed(rows.iter().filter_map(|row| row.split(',').next()));
            Ok(Finding::numbers(item, &[rows.len() as f64])?.because(format!(
                "by the published statistics of Syzygy tables: {names}. The eight of section 4 have a phase of more than 50 moves; in \
                 the others a capture or pawn move leads into one of them, which the rule spoils as well"
            )))
        }
        "002-2-krbkr" => {
            let most = deepest(&*bench.source(), material("KRBKR")?, Metric::Dtc, bench.progress)?;
            Finding::numbers(item, &[f64::from(most.white.0)])
        }
        "002-3-pawnless" => {
            let names = ["KQKR", "KRBKR", "KBBKN", "KQKNN"];
            let mut differing = 0;
            let mut total = 0;
            for name in names {
                let [dtc, dtz] = [Metric::Dtc, Metric::Dtz].map(|metric| bench.counts(name, metric, Counting::Once));
                let (dtc, dtz) = (dtc?, dtz?);
                for color in Color::ALL {
                    let (one, two) = (&dtc.sides.get(color).histogram, &dtz.sides.get(color).histogram);
                    total += one.values().sum::<u64>();
                    differing += usize::from(one != two);
                }
            }
            let computed =
                format!("{differing} of 8 histograms differ: {}, {} positions", names.join(", "), grouped(total));
            Ok(Finding::fact(item, differing == 0, computed).because(
                "errare stores one table for both where there are no pawns, so this checks that both are read from it",
            ))
        }
        "002-4-kbbkn-share" => share(bench, item),
        "002-5-order" => order(bench, item),
        "002-5-recurrence" => recurrence(bench, item),
        "002-5-er-em" => {
            let mut differing = Vec::new();
            for name in MATING {
                let (dtm, dtr) = (
                    bench.counts(name, Metric::Dtm, Counting::Once)?,
                    bench.counts(name, Metric::Dtr, Counting::Once)?,
                );
                let is_same =
                    Color::ALL.iter().all(|&color| dtm.sides.get(color).histogram == dtr.sides.get(color).histogram);
                if !is_same {
                    let deepest =
                        |counts: &errare_tables::Statistics| counts.sides.white.max_win().map_or(0, |plies| plies.0);
                    differing.push(format!("{name} ({} and {} plies)", deepest(&dtm), deepest(&dtr)));
                }
            }
            let computed = if differing.is_empty() {
                "the same".to_owned()
            } else {
                format!("different histograms: {}", listed(&differing))
            };
            Ok(Finding::text(item, computed).because("histograms of all positions, both sides to move"))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// The share of White's wins in KBBKN that take more than 50 moves to the next phase.
fn share(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let mut shares = Vec::new();
    let (mut deep_in_all, mut all) = (0, 0);
    for counting in [Counting::Once, Counting::All] {
        let counts = bench.counts("KBBKN", Metric::Dtz, counting)?;
        for (color, outcome) in [(Color::White, Outcome::Win), (Color::Black, Outcome::Loss)] {
            let histogram = &counts.sides.get(color).histogram;
            let wins = || histogram.iter().filter(|((found, _), _)| *found == outcome);
            let total: u64 = wins().map(|(_, count)| count).sum();
            let deep: u64 = wins().filter(|((_, Plies(plies)), _)| *plies > 100).map(|(_, count)| count).sum();
            shares.push(100.0 * deep as f64 / total as f64);
            if counting == Counting::Once {
                deep_in_all += deep;
                all += counts.sides.get(color).total();
            }
        }
    }
    Ok(Finding::numbers(item, &shares[..1])?.because(format!(
        "White to move, each position once up to symmetry; Black to move {}; every placement counted {} and {}; of all positions, \
         both sides to move, {}: what the printed share is of is not clear",
        decimals(shares[1], 2),
        decimals(shares[2], 2),
        decimals(shares[3], 2),
        decimals(100.0 * deep_in_all as f64 / all as f64, 2)
    )))
}

/// A placement of men on squares drawn by a number; none if it is not legal.
fn placed(men: &[(Color, Role)], number: u64) -> Option<Chess> {
    let mut board = Board::empty();
    for (at, &(color, role)) in (0..).zip(men) {
        let square = Square::new((nth_draw(1, 8 * number + at) % 64) as u32);
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, Piece { color, role });
    }
    let turn = if nth_draw(1, 8 * number + 7).is_multiple_of(2) { Color::White } else { Color::Black };
    let fen = Fen::try_from_setup(Setup { board, turn, ..Setup::empty() }).ok()?.to_string();
    parse_fen(&fen).ok()
}

/// Checks dz <= dc <= dm and dz <= dr <= dm, on samples of four endgames.
fn order(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    use Role::{King, Knight, Pawn, Queen, Rook};
    let (white, black) = (Color::White, Color::Black);
    let endgames: [(&str, &[(Color, Role)]); 4] = [
        ("KQKR", &[(white, King), (white, Queen), (black, King), (black, Rook)]),
        ("KRKN", &[(white, King), (white, Rook), (black, King), (black, Knight)]),
        ("KPK", &[(white, King), (white, Pawn), (black, King)]),
        ("KQKP", &[(white, King), (white, Queen), (black, King), (black, Pawn)]),
    ];
    let source = bench.source();
    let (mut exceptions, mut decisive) = (0, 0);
    for (_, men) in endgames {
        for number in 0..3000 {
            bench.progress.proceed()?;
            let Some(at) = placed(men, number) else { continue };
            let mut plies = [0; 4];
            for (slot, metric) in plies.iter_mut().zip(ALL) {
                *slot = source.value(&at, metric)?.plies.0;
            }
            let [dz, dc, dm, dr] = plies;
            if source.value(&at, Metric::Dtz)?.outcome == Outcome::Draw {
                continue;
            }
            decisive += 1;
            exceptions += usize::from(!(dz <= dc && dc <= dm && dz <= dr && dr <= dm));
        }
    }
    let names = listed(endgames.iter().map(|(name, _)| name));
    Ok(Finding::fact(
        item,
        exceptions == 0,
        format!("{exceptions} exceptions in {decisive} decisive positions of {names}"),
    )
    .because("3,000 placements each, drawn by seed 1; whole tables are compared by the tests of errare-tables"))
}

/// The counter-example to the recurrence that the author published himself.
fn recurrence(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let at = position(COUNTER)?;
    let source = bench.source();
    let (dz, dr) = (source.value(&at, Metric::Dtz)?.plies.0, source.value(&at, Metric::Dtr)?.plies.0);
    let least = successors(&*source, &at, Metric::Dtr)?
        .iter()
        .filter(|successor| successor.value.outcome.is_win())
        .map(|successor| successor.value.plies.0)
        .min()
        .unwrap_or(0);
    let formula = dz.max(least);
    let computed = format!(
        "{COUNTER}: dz = {dz}, least dr of the won successors {least}, so {formula} by the formula; dr = {dr} plies"
    );
    Ok(Finding::fact(item, formula == dr, computed)
        .because("withdrawn by the author (post-publication note, Haworth 2001); KRRKB"))
}
