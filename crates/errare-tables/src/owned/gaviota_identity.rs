//! The test of whether a Gaviota file holds the endgame of its name. Nothing in the file says so, and many endgames
//! have files of the same shape: a file that was renamed would give wrong answers without a word.
//!
//! Positions in which mates are likely tell most endgames apart, and what their moves lead to the others.

use crate::material::{Man, Material};
use shakmaty::{Chess, Color, Piece, Role, Setup, Square};

/// The greatest number of placements to look at for each of the two corners.
const MAX_PLACEMENTS: usize = 4096;

/// The squares on which pawns are tried. They are few, as a file is ordered by pawns first, and every other square
/// would be another part of it.
const PAWN_SQUARES: [Square; 3] = [Square::E4, Square::G5, Square::F6];

/// Positions of an endgame in which a king in the corner, to move, may be mated. Which of them are mates depends on what
/// the other men are, so that hardly any two endgames have the same ones.
pub fn cornered(material: Material) -> impl Iterator<Item = Chess> {
    let men: Vec<Man> = material
        .kinds()
        .into_iter()
        .filter(|man| man.role != Role::King)
        .flat_map(|man| std::iter::repeat_n(man, material.count(man)))
        .collect();
    let total: usize = men.iter().map(|&man| squares(man)).product();
    // An odd step meets all squares of all men alike.
    let (count, step) =
        if total <= MAX_PLACEMENTS { (total, 1) } else { (MAX_PLACEMENTS, (total / MAX_PLACEMENTS) | 1) };
    Color::ALL.into_iter().flat_map(move |color| {
        let men = men.clone();
        (0..count).filter_map(move |number| place(color, &men, number * step % total))
    })
}

fn squares(man: Man) -> usize {
    if man.role == Role::Pawn { PAWN_SQUARES.len() } else { 64 }
}

/// The position in which the men have the squares of a number, and the king of a colour is in the corner; none if it is
/// not legal.
fn place(cornered: Color, men: &[Man], mut number: usize) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.turn = cornered;
    setup.board.set_piece_at(Square::A1, cornered.king());
    setup.board.set_piece_at(Square::B3, cornered.other().king());
    for &man in men {
        let place = number % squares(man);
        number /= squares(man);
        let square = if man.role == Role::Pawn { PAWN_SQUARES[place] } else { Square::ALL[place] };
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color: man.color, role: man.role });
    }
    setup.position(shakmaty::CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;
    use std::collections::HashMap;

    #[test]
    fn endgames_of_one_shape_have_different_mates() {
        let mates = |endgame: &str| -> Vec<String> {
            let squares = |position: &Chess| {
                let men = position.board().clone().into_iter().filter(|(_, piece)| piece.role != Role::King);
                format!(
                    "{} {:?}",
                    position.turn(),
                    men.map(|(square, piece)| (square, piece.color)).collect::<Vec<_>>()
                )
            };
            let positions = cornered(endgame.parse().expect("an endgame"));
            positions.filter(Position::is_checkmate).map(|position| squares(&position)).collect()
        };
        // One family a row, without those that have no mate at all.
        for family in [
            "KQK KRK",
            "KQRK KQBK KQNK KRBK KRNK KBNK KQKQ KQKR KQKB KQKN KRKR KRKB KRKN KBKB KBKN KNKN",
            "KQQK KRRK KBBK",
            "KQPK KRPK KQKP KRKP",
            "KQRKB KQRKN KQBKN KRBKN KRBKR KQBKR KQNKR",
        ] {
            let mut known: HashMap<Vec<String>, &str> = HashMap::new();
            for endgame in family.split(' ') {
                let found = mates(endgame);
                assert!(!found.is_empty(), "{endgame}");
                if let Some(other) = known.insert(found, endgame) {
                    panic!("{endgame} has the mates of {other}");
                }
            }
        }
    }
}
