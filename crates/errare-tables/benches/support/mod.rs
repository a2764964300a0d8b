//! What the benchmarks share: positions drawn by chance.

use errare_tables::Material;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Piece, PositionError, Role, Setup, Square};

/// Legal positions of an endgame, with either side to move, the same in every run: those among so many placements.
pub fn random_positions(material: Material, placements: usize) -> Vec<(Board, Color)> {
    let mut state = 1_u64;
    let mut square = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Square::new((state >> 58) as u32)
    };
    let mut men: Vec<Piece> = Color::ALL.map(|color| Piece { color, role: Role::King }).into();
    for man in material.kinds() {
        men.extend(vec![Piece { color: man.color, role: man.role }; material.count(man)]);
    }
    let place = |turn| {
        let mut board = Board::empty();
        men.iter().for_each(|&piece| board.set_piece_at(square(), piece));
        (board, turn)
    };
    let placed = Color::ALL.into_iter().cycle().take(placements).map(place);
    placed.filter(|(board, turn)| board.occupied().count() == material.men() && is_legal(board, *turn)).collect()
}

/// Whether the rules allow a position. One that no game leads to because of its checks is one like others.
fn is_legal(board: &Board, turn: Color) -> bool {
    let setup = Setup { board: board.clone(), turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).is_ok()
}
