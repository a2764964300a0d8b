//! The two games of Browne against BELLE, as Haworth (2003) prints them.

use crate::bench::{Bench, analysis, parse_san, position};
use crate::error::{ReproduceError, Result};
use errare_choice::Kappa;
use errare_endgame::{Analysis, Assessor, Remark};
use errare_tables::Metric;
use shakmaty::{Chess, Color, Move, Position};

const FILE: &str = "browne_belle.csv";
const TEXT: &str = include_str!("../data/browne_belle.csv");

/// The positions that the games start from, BB1-01w and BB2-01w.
pub const STARTS: [&str; 2] = ["K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1"];

/// A move with its printed mark and remarks.
pub struct PrintedMove {
    /// The number of the move in its game.
    pub number: usize,
    /// The side that makes the move.
    pub side: Color,
    /// The move as printed.
    pub san: &'static str,
    /// The printed mark: ' only optimal, " only value-preserving, ° only legal; or nothing.
    pub mark: &'static str,
    /// Moves of depth conceded by this move, and by the side so far.
    pub conceded: Option<(u16, u32)>,
    /// The optimal moves that are named instead of a worse move.
    pub better: Vec<&'static str>,
    /// The other optimal moves, which are printed in brackets.
    pub alternatives: Vec<&'static str>,
    /// The circled move, which is the choice of the model.
    pub circled: Option<&'static str>,
}

/// Reads the moves of a game, 0 or 1, as printed.
pub fn printed(game: usize) -> Result<Vec<PrintedMove>> {
    let mut moves = Vec::new();
    for (line, text) in (1..).zip(TEXT.lines()) {
        if text.starts_with('#') || text.starts_with("game,") {
            continue;
        }
        let wrong = |reason: &str| ReproduceError::Data { file: FILE, line, reason: reason.to_owned() };
        let fields: Vec<&'static str> = text.split(',').collect();
        let [of, number, side, san, mark, conceded, total, better, alternatives, circled] = fields[..] else {
            return Err(wrong("expected ten fields"));
        };
        if of.parse::<usize>().ok() != Some(game + 1) {
            continue;
        }
        let conceded = match (conceded.parse(), total.parse()) {
            (Ok(conceded), Ok(total)) => Some((conceded, total)),
            _ => None,
        };
        moves.push(PrintedMove {
            number: number.parse().map_err(|_| wrong("expected the number of a move"))?,
            side: if side == "w" { Color::White } else { Color::Black },
            san,
            mark,
            conceded,
            better: better.split_whitespace().collect(),
            alternatives: alternatives.split_whitespace().collect(),
            circled: Some(circled).filter(|name| !name.is_empty()),
        });
    }
    Ok(moves)
}

/// Reads the start of a game, 0 or 1, and its moves.
pub fn moves(game: usize) -> Result<(Chess, Vec<Move>)> {
    let start = position(STARTS[game])?;
    let mut at = start.clone();
    let mut moves = Vec::new();
    for printed in printed(game)? {
        let mv = parse_san(&at, printed.san)?;
        at.play_unchecked(mv);
        moves.push(mv);
    }
    Ok((start, moves))
}

/// Assesses a game, 0 or 1, by DTC with a uniform prior on c = 0(1)50.
pub fn assessed(bench: &Bench<'_>, game: usize, kappa: Kappa) -> Result<Vec<Remark>> {
    assessed_by(bench, game, analysis(kappa, 0.0, 1.0, 50.0)?)
}

/// Assesses a game, 0 or 1, by DTC.
pub fn assessed_by(bench: &Bench<'_>, game: usize, analysis: Analysis) -> Result<Vec<Remark>> {
    let (start, moves) = moves(game)?;
    let assessor = Assessor { oracle: bench.oracle(Metric::Dtc), analysis, covered: None };
    let stretches = assessor.assess(&start, &moves, bench.progress)?;
    Ok(stretches.into_iter().flat_map(|stretch| stretch.moves).collect())
}

/// Browne's apparent c after each of his moves.
pub fn of_browne(remarks: &[Remark]) -> Vec<f64> {
    remarks.iter().filter(|remark| remark.position.turn() == Color::White).map(|remark| remark.expected).collect()
}
