//! Openings as people play them: how often each move was made in the first moves of real games.

use crate::search::key;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The text of the opening file: positions, each with the moves that were made in it and how often. How the file was
/// made is in the README beside it.
const FILE: &str = include_str!("../openings/openings.txt");

/// The moves of a position that people make, each with the number of times.
type Book = HashMap<u64, Vec<(Move, u32)>>;

/// The moves that people make in a position, each with its share among those that are allowed; none if the position is
/// not known, or all of its moves are excluded.
pub fn known_moves(position: &Chess, allowed: &[Move]) -> Option<Vec<(Move, f64)>> {
    static BOOK: OnceLock<Book> = OnceLock::new();
    let known = BOOK.get_or_init(|| FILE.lines().filter_map(entry).collect()).get(&key(position))?;
    let possible: Vec<(Move, u32)> = known.iter().copied().filter(|(mv, _)| allowed.contains(mv)).collect();
    let total: u32 = possible.iter().map(|(_, times)| times).sum();
    (total > 0).then(|| possible.iter().map(|&(mv, times)| (mv, f64::from(times) / f64::from(total))).collect())
}

/// Reads a line such as `FEN;e2e4 120;d2d4 90`; none for a comment or an invalid line.
fn entry(line: &str) -> Option<(u64, Vec<(Move, u32)>)> {
    let mut parts = line.split(';');
    let position: Chess = parts.next()?.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let moves = parts.map(|part| {
        let (mv, times) = part.split_once(' ')?;
        Some((mv.parse::<UciMove>().ok()?.to_move(&position).ok()?, times.parse().ok()?))
    });
    let moves: Vec<(Move, u32)> = moves.collect::<Option<_>>()?;
    (!moves.is_empty()).then(|| (key(&position), moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;

    #[test]
    fn every_line_is_a_position_with_moves() {
        let lines: Vec<&str> = FILE.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 100);
        for line in lines {
            assert!(entry(line).is_some(), "{line}");
        }
    }

    #[test]
    fn games_begin_as_people_begin_them() {
        let start = Chess::default();
        let legal = start.legal_moves();
        let known = known_moves(&start, &legal).expect("the start");
        let share = |name: &str| {
            known.iter().find(|(mv, _)| crate::scores::uci(*mv).to_string() == name).map_or(0.0, |(_, share)| *share)
        };
        assert!(share("e2e4") > 0.3 && share("d2d4") > 0.2 && share("g2g4") < 0.01, "{known:?}");
        assert!((known.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
        let only: Vec<Move> =
            legal.iter().copied().filter(|mv| crate::scores::uci(*mv).to_string() == "a2a4").collect();
        assert_eq!(known_moves(&start, &only), None);
    }
}
