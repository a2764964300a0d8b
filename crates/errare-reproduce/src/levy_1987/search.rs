//! Levy's search in practice: drawn KRKN positions, a defender who errs.

use crate::bench::{Bench, competence, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::decimals;
use crate::study::Study;
use errare_choice::{Kappa, State};
use errare_endgame::{Agent, Habits, Levy, Model, Options, Oracle};
use errare_tables::{Metric, nth_draw, parse_fen};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Board, Chess, Color, Piece, Role, Setup, Square};

pub const STUDY: Study = Study {
    name: "Levy's search against chance",
    is_quick: false,
    covers: |id| ["003-levy-search", "003-levy-risk"].contains(&id),
    needs: |_| vec![("KRKN", vec![Metric::Dtm])],
    run,
};

/// The number of drawn positions that are searched.
const POSITIONS: usize = 200;
/// The defender's competence.
const DEFENDER: f64 = 5.0;
const PLIES: u16 = 4;

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let oracle = bench.oracle(Metric::Dtm);
    oracle.states(material("KRKN")?)?;
    let starts = drawn(bench, &oracle)?;
    let results = starts
        .par_iter()
        .map(|start| {
            bench.progress.proceed()?;
            compared(bench, &oracle, start)
        })
        .collect::<Result<Vec<[f64; 3]>>>()?;
    let mean = |at: usize| results.iter().map(|result| result[at]).sum::<f64>() / results.len() as f64;
    let (levy, random, kept) = (mean(0), mean(1), results.iter().all(|result| result[2] == 1.0));
    items
        .iter()
        .map(|item| match item.id {
            "003-levy-search" => {
                let computed = format!(
                    "chance that R_5, defending with the knight, gives up the draw on its next move: {} after Levy's move, {} after \
                     a drawing move at random",
                    decimals(levy, 4),
                    decimals(random, 4)
                );
                Ok(Finding::fact(item, levy > random, computed).because(format!(
                    "{POSITIONS} drawn positions of KRKN with the rook's side to move, drawn by seed 0; a search of {PLIES} plies, \
                     P = 0.01; the defender chooses by DTM, kappa 1"
                )))
            }
            "003-levy-risk" => {
                let computed = format!("the draw is kept in {} positions of {POSITIONS}", if kept { "all" } else { "some" });
                Ok(Finding::fact(item, kept, computed))
            }
            _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
        })
        .collect()
}

/// Draws positions with a drawn value and more than one drawing move.
fn drawn(bench: &Bench<'_>, oracle: &Oracle) -> Result<Vec<Options>> {
    let mut found = Vec::new();
    for number in 0_u64.. {
        bench.progress.proceed()?;
        if found.len() == POSITIONS {
            break;
        }
        let Some(position) = placed(number) else { continue };
        let options = oracle.options(&position)?;
        if options.state == State::Draw && options.keeping().len() > 1 {
            found.push(options);
        }
    }
    Ok(found)
}

/// Places king and rook against king and knight on squares drawn by a number; none if that is not legal.
fn placed(number: u64) -> Option<Chess> {
    let mut board = Board::empty();
    let men = [
        (Color::White, Role::King),
        (Color::White, Role::Rook),
        (Color::Black, Role::King),
        (Color::Black, Role::Knight),
    ];
    for (at, (color, role)) in (0..).zip(men) {
        let square = Square::new((nth_draw(0, 4 * number + at) % 64) as u32);
        if board.occupied() & Bitboard::from(square) != Bitboard::EMPTY {
            return None;
        }
        board.set_piece_at(square, Piece { color, role });
    }
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    let fen = Fen::try_from_setup(setup).ok()?.to_string();
    let position = parse_fen(&fen).ok()?;
    Some(position)
}

/// Computes the chance that the defender's next move loses, after Levy's moves and after drawing moves by chance; and
/// whether Levy's moves keep the draw.
fn compared(bench: &Bench<'_>, oracle: &Oracle, options: &Options) -> Result<[f64; 3]> {
    let defender = Model::power_law(Kappa::ONE, Habits::default());
    let mut levy = Levy::new(PLIES, 0.01)?;
    let chances = levy.judge(oracle, options, bench.progress)?.probabilities;
    let keeping = options.keeping();
    let mut sums = [0.0, 0.0];
    for (place, &chosen) in chances.iter().enumerate() {
        let by_chance = if keeping.contains(&place) { 1.0 / keeping.len() as f64 } else { 0.0 };
        if chosen == 0.0 && by_chance == 0.0 {
            continue;
        }
        let replies = oracle.options(&options.after(place))?;
        let of_replies = defender.probabilities(&replies, competence(DEFENDER)?)?;
        let loses = |at: &usize| matches!(replies.candidates[*at].state(), State::Loss(_));
        let error: f64 = (0..of_replies.len()).filter(loses).map(|at| of_replies[at]).sum();
        sums[0] += chosen * error;
        sums[1] += by_chance * error;
    }
    let is_kept = (0..chances.len()).all(|place| chances[place] == 0.0 || keeping.contains(&place));
    Ok([sums[0], sums[1], f64::from(u8::from(is_kept))])
}
