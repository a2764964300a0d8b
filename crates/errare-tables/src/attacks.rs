//! The solver's own attack tables: rays, leaps and the squares between.
//!
//! Squares are `u8` from a1 = 0 to h8 = 63, sets of squares are `u64`. Nothing here comes from
//! the move generator that [`verify`](crate::verify()) uses, so that the two can disagree.

use shakmaty::{Color, Role};

/// The squares of a ray from the nearest outwards.
#[derive(Clone, Copy)]
struct Ray {
    squares: [u8; 7],
    len: u8,
}

const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const fn step(square: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let file = (square & 7) as i8 + files;
    let rank = (square >> 3) as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as u8) }
}

const fn leaps(offsets: [(i8, i8); 8]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            if let Some(to) = step(square as u8, offsets[i]) {
                table[square] |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn rays() -> [[Ray; 8]; 64] {
    let mut table = [[Ray { squares: [0; 7], len: 0 }; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let mut at = step(square as u8, STEPS[direction]);
            let ray = &mut table[square][direction];
            while let Some(to) = at {
                ray.squares[ray.len as usize] = to;
                ray.len += 1;
                at = step(to, STEPS[direction]);
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = RAYS[square][direction];
            let mut passed = 0;
            let mut i = 0;
            while i < ray.len as usize {
                table[square][ray.squares[i] as usize] = passed;
                passed |= 1 << ray.squares[i];
                i += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

const RAYS: [[Ray; 8]; 64] = rays();
static KNIGHT: [u64; 64] = leaps(KNIGHT_LEAPS);
static KING: [u64; 64] = leaps(STEPS);
static BETWEEN: [[u64; 64]; 64] = between_table();
/// Whether a direction leads to higher squares.
const UP: [bool; 8] = {
    let mut up = [false; 8];
    let mut direction = 0;
    while direction < 8 {
        up[direction] = STEPS[direction].0 + 8 * STEPS[direction].1 > 0;
        direction += 1;
    }
    up
};
/// The squares of each ray, by direction.
static RAY_SETS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let ray = RAYS[square][direction];
            let mut i = 0;
            while i < ray.len as usize {
                table[direction][square] |= 1 << ray.squares[i];
                i += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    table
};
/// The squares that each role attacks on an empty board.
static REACH: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut square = 0;
    while square < 64 {
        table[Role::Knight as usize][square] = KNIGHT[square];
        table[Role::King as usize][square] = KING[square];
        let mut direction = 0;
        while direction < 8 {
            let ray = RAY_SETS[direction][square];
            table[if direction < 4 { Role::Rook as usize } else { Role::Bishop as usize }][square] |= ray;
            table[Role::Queen as usize][square] |= ray;
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The squares that a piece on `square` attacks on an empty board.
#[inline(always)]
pub fn reach(role: Role, square: u8) -> u64 {
    REACH[role as usize][square as usize & 63]
}

/// The squares strictly between two squares on a common line; empty otherwise.
#[inline(always)]
pub fn between(a: u8, b: u8) -> u64 {
    BETWEEN[a as usize][b as usize]
}

/// The squares of a ray from the nearest outwards. Directions 0 to 3 are those of a rook, 4 to 7 those of a bishop.
#[inline(always)]
pub fn ray(square: u8, direction: usize) -> &'static [u8] {
    static PATHS: [[Ray; 8]; 64] = RAYS;
    let Ray { squares, len } = &PATHS[square as usize & 63][direction & 7];
    squares.get(..usize::from(*len)).unwrap_or_default()
}

/// The squares [`between`] one square and each of the 64.
#[inline(always)]
pub fn between_from(a: u8) -> &'static [u64; 64] {
    &BETWEEN[a as usize & 63]
}

/// The squares that a piece on `square` attacks, given the `occupied` squares that stop it.
#[inline]
pub fn attacks(role: Role, square: u8, occupied: u64) -> u64 {
    match role {
        Role::Rook => slides::<0, 4>(square, occupied),
        Role::Bishop => slides::<4, 8>(square, occupied),
        Role::Queen => slides::<0, 8>(square, occupied),
        _ => reach(role, square),
    }
}

/// The squares that pawns attack.
#[inline]
pub fn pawn_attacks(color: Color, pawns: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    match color {
        Color::White => (pawns << 7 & NOT_H) | (pawns << 9 & NOT_A),
        Color::Black => (pawns >> 9 & NOT_H) | (pawns >> 7 & NOT_A),
    }
}

/// The squares attacked along some directions: the whole ray, without what lies behind the first man met.
#[inline(always)]
fn slides<const FIRST: usize, const END: usize>(square: u8, occupied: u64) -> u64 {
    let mut reached = 0;
    let mut direction = FIRST;
    while direction < END {
        let ray = RAY_SETS[direction][square as usize & 63];
        let met = ray & occupied;
        let rising = UP[direction];
        let first = if rising { met.trailing_zeros() } else { met.leading_zeros() ^ 63 };
        let behind = if met == 0 { 0 } else { RAY_SETS[direction][first as usize & 63] };
        reached |= ray & !behind;
        direction += 1;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Bitboard, Piece, Square};

    #[test]
    fn agree_with_shakmaty_on_random_occupancies() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for square in 0..64_u8 {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                for _ in 0..50 {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let theirs = shakmaty::attacks::attacks(
                        Square::new(square.into()),
                        Piece { color: Color::White, role },
                        Bitboard(state),
                    );
                    assert_eq!(attacks(role, square, state), theirs.0, "{role:?} on {square}");
                }
            }
        }
    }

    #[test]
    fn pawns_attack_as_shakmaty_has_it() {
        for square in Square::ALL {
            for color in Color::ALL {
                let theirs = shakmaty::attacks::pawn_attacks(color, square).0;
                assert_eq!(pawn_attacks(color, 1 << square as u8), theirs, "{color} on {square}");
            }
        }
    }

    #[test]
    fn between_is_open_and_symmetric() {
        for a in Square::ALL {
            for b in Square::ALL {
                let ours = between(a as u8, b as u8);
                assert_eq!(ours, shakmaty::attacks::between(a, b).0);
                assert_eq!(ours, between(b as u8, a as u8));
            }
        }
    }
}
