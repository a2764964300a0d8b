//! Starts of games that are turned by chance, so that they are not always in the same corner.

use crate::duel::game_seed;
use crate::error::EndgameError;
use errare_tables::parse_fen;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position, Role};

/// Turns or reflects a position by chance, where that changes nothing about it: with pawns the wings may be exchanged.
///
/// Tables, and so searches, hold one position of each such set, always with a king in the same corner.
///
/// # Errors
/// If the position cannot be turned, which is a bug.
pub fn turned_by_seed(position: &Chess, seed: u64) -> Result<Chess, EndgameError> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let draw = game_seed(seed, u64::MAX - 1);
    if draw & 1 != 0 {
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(shakmaty::Square::flip_horizontal);
    }
    if setup.board.by_role(Role::Pawn).is_empty() {
        for _ in 0..draw >> 1 & 3 {
            setup.board.rotate_90();
        }
    }
    let internal = || EndgameError::Internal("a position that was turned is not legal");
    let fen = Fen::try_from_setup(setup).map_err(|_| internal())?;
    parse_fen(&fen.to_string()).map_err(|_| internal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn images(fen: &str) -> HashSet<String> {
        let position = parse_fen(fen).expect("a position");
        let turned = (0..200).map(|seed| turned_by_seed(&position, seed).expect("a position"));
        turned.map(|position| Fen::from_position(&position, EnPassantMode::Legal).to_string()).collect()
    }

    #[test]
    fn all_images_occur() {
        assert_eq!(images("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").len(), 4, "it is its own image in the diagonal");
        assert_eq!(images("8/8/8/8/8/2k5/3R4/K7 w - - 0 1").len(), 8);
        let pawns = images("8/8/8/8/3Pp3/8/8/K6k b - d3 0 1");
        assert_eq!(pawns.len(), 2);
        assert!(pawns.iter().all(|fen| fen.contains(" b - d3") || fen.contains(" b - e3")), "{pawns:?}");
    }
}
