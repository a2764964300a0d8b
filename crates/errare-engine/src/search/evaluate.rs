//! The static evaluation of a position: material and the squares it stands on, in hundredths of a pawn.

use shakmaty::{Board, Chess, Color, Position, Role, Square};

/// The worth of a man in the middlegame and in the endgame.
#[derive(Clone, Copy)]
struct Worth(i32, i32);

const TEMPO: i32 = 10;
const PAIR_OF_BISHOPS: i32 = 30;
/// Non-pawn material of both sides at the start, a minor piece being 1, a rook 2, a queen 4.
const FULL: i32 = 24;
/// The lead that a side needs to drive a bare king.
const FORCE: i32 = 400;

const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// Evaluates a position for the side to move.
pub fn evaluate(position: &Chess) -> i32 {
    let board = position.board();
    let (mut middle, mut end, mut phase) = (0, 0, 0);
    for color in Color::ALL {
        let sign = if color == position.turn() { 1 } else { -1 };
        for role in ALL {
            let men = board.by_color(color) & board.by_role(role);
            phase += weight(role) * men.count() as i32;
            for square in men {
                let Worth(one, two) = SQUARES[role as usize - 1][usize::from(seen_by(color, square))];
                middle += sign * one;
                end += sign * two;
            }
        }
        if (board.by_color(color) & board.bishops()).count() >= 2 {
            middle += sign * PAIR_OF_BISHOPS;
            end += sign * PAIR_OF_BISHOPS;
        }
    }
    for color in Color::ALL {
        let sign = if color == position.turn() { 1 } else { -1 };
        if sign * end > FORCE {
            end += sign * drive(board, color);
        }
    }
    let phase = phase.min(FULL);
    (middle * phase + end * (FULL - phase)) / FULL + TEMPO
}

/// The bonus, against a bare king, for having the own king near it.
fn drive(board: &Board, color: Color) -> i32 {
    let is_bare = board.by_color(color.other()).count() == 1;
    match (board.king_of(color), board.king_of(color.other())) {
        (Some(own), Some(theirs)) if is_bare => 10 * (7 - own.distance(theirs) as i32),
        _ => 0,
    }
}

fn weight(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

fn seen_by(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

/// The worth of men by role, from the pawn on, and by square as White sees it.
static SQUARES: [[Worth; 64]; 6] = {
    let mut all = [[Worth(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            all[role][square as usize] = worth(role, square % 8, square / 8);
            square += 1;
        }
        role += 1;
    }
    all
};

/// The worth of a man on a square, by rules of thumb instead of tables: pawns want to go on, pieces to the middle, the
/// king into a corner until the queens are gone.
const fn worth(role: usize, file: i32, rank: i32) -> Worth {
    // 0 at the edge to 3 in the middle.
    let by_file = if file < 4 { file } else { 7 - file };
    let by_rank = if rank < 4 { rank } else { 7 - rank };
    let centre = by_file + by_rank;
    match role {
        0 => Worth(90 + by_file * (rank - 1) * 2 + rank * rank, 100 + 2 * rank * rank),
        1 => Worth(290 + 10 * centre, 280 + 8 * centre),
        2 => Worth(310 + 5 * centre + if rank == 0 { -10 } else { 0 }, 300 + 5 * centre),
        3 => Worth(480 + 3 * by_file + if rank == 6 { 20 } else { 0 }, 520 + if rank == 6 { 10 } else { 0 }),
        4 => Worth(940 + 2 * centre, 940 + 5 * centre),
        _ => Worth(-8 * by_file - 15 * rank, 10 * centre),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    fn of(fen: &str) -> i32 {
        let fen: Fen = fen.parse().expect("a FEN");
        evaluate(&fen.into_position(CastlingMode::Standard).expect("a position"))
    }

    #[test]
    fn both_sides_are_seen_alike() {
        assert_eq!(evaluate(&Chess::default()), TEMPO);
        let white = of("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
        let black = of("rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 4 4");
        assert_eq!(white, black);
        assert!(of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1") > 800);
        assert!(of("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1") < -800);
    }

    #[test]
    fn a_bare_king_is_driven_to_the_edge() {
        assert!(of("7k/8/5K2/8/8/8/8/RR6 w - - 0 1") > of("8/8/5K2/3k4/8/8/8/RR6 w - - 0 1"));
        assert!(of("7k/8/5K2/8/8/8/8/RR6 w - - 0 1") > of("7k/8/8/8/8/8/8/RRK5 w - - 0 1"));
    }
}
