//! The best of the squares that a man reaches from each square of the board: 64 positions at once, a byte each.

use crate::words::Bits;
use shakmaty::Role;

/// The ranks of the 64 positions of a word.
pub type Row = [u8; 64];

/// Replaces each byte of a row by the greater one of two.
#[inline(always)]
pub fn raise(row: &mut Row, other: &Row) {
    row.iter_mut().zip(other).for_each(|(byte, &other)| *byte = (*byte).max(other));
}

#[inline(always)]
fn max(a: &Row, b: &Row) -> Row {
    std::array::from_fn(|i| a[i].max(b[i]))
}

#[inline(always)]
fn and(a: &Row, b: &Row) -> Row {
    std::array::from_fn(|i| a[i] & b[i])
}

/// Moves every byte to a square that is higher by `BY`; what leaves the board is lost.
#[inline(always)]
fn up<const BY: usize>(row: &Row) -> Row {
    let mut moved = [0; 64];
    moved[BY..].copy_from_slice(&row[..64 - BY]);
    moved
}

/// Moves every byte to a square that is lower by `BY`; what leaves the board is lost.
#[inline(always)]
fn down<const BY: usize>(row: &Row) -> Row {
    let mut moved = [0; 64];
    moved[..64 - BY].copy_from_slice(&row[BY..]);
    moved
}

/// A row of ones with zeros on some squares.
const fn ones_but(squares: u64) -> Row {
    let mut row = [!0; 64];
    let mut square = 0;
    while square < 64 {
        if squares >> square & 1 != 0 {
            row[square] = 0;
        }
        square += 1;
    }
    row
}

static NOT_A: Row = ones_but(0x0101_0101_0101_0101);
static NOT_H: Row = ones_but(0x8080_8080_8080_8080);
static NOT_AB: Row = ones_but(0x0303_0303_0303_0303);
static NOT_GH: Row = ones_but(0xc0c0_c0c0_c0c0_c0c0);
static ANY: Row = [!0; 64];

/// A Kogge-Stone fill in one direction, as [`words`](crate::words) has it, with the greatest byte in place of any bit.
macro_rules! slide {
    ($row:expr, $free:expr, $shift:ident, $one:literal, $two:literal, $four:literal, $edge:expr) => {{
        let open = and($free, $edge);
        let seen = max($row, &and(&open, &$shift::<$one>($row)));
        let open2 = and(&open, &$shift::<$one>(&open));
        let seen = max(&seen, &and(&open2, &$shift::<$two>(&seen)));
        let open4 = and(&open2, &$shift::<$two>(&open2));
        let seen = max(&seen, &and(&open4, &$shift::<$four>(&seen)));
        and(&$shift::<$one>(&seen), $edge)
    }};
}

/// The greatest byte that a man of this role reaches from each square in one move, with other men on `occupied`, whose
/// squares have zeros.
#[inline]
pub fn best_reached(role: Role, row: &Row, occupied: u64) -> Row {
    let mut best = [0; 64];
    match role {
        Role::Knight => leap(row, &mut best),
        Role::King => step(row, &mut best),
        Role::Pawn => {}
        Role::Bishop | Role::Rook | Role::Queen => {
            let mut free = ANY;
            Bits(occupied).for_each(|square| free[usize::from(square & 63)] = 0);
            if role != Role::Bishop {
                raise(&mut best, &slide!(row, &free, up, 8, 16, 32, &ANY));
                raise(&mut best, &slide!(row, &free, down, 8, 16, 32, &ANY));
                raise(&mut best, &slide!(row, &free, up, 1, 2, 4, &NOT_A));
                raise(&mut best, &slide!(row, &free, down, 1, 2, 4, &NOT_H));
            }
            if role != Role::Rook {
                raise(&mut best, &slide!(row, &free, up, 9, 18, 36, &NOT_A));
                raise(&mut best, &slide!(row, &free, down, 9, 18, 36, &NOT_H));
                raise(&mut best, &slide!(row, &free, up, 7, 14, 28, &NOT_H));
                raise(&mut best, &slide!(row, &free, down, 7, 14, 28, &NOT_A));
            }
        }
    }
    best
}

/// Steps of a king.
#[inline(always)]
fn step(row: &Row, best: &mut Row) {
    let beside = max(&and(&up::<1>(row), &NOT_A), &and(&down::<1>(row), &NOT_H));
    let all = max(&beside, row);
    raise(best, &beside);
    raise(best, &up::<8>(&all));
    raise(best, &down::<8>(&all));
}

/// Leaps of a knight.
#[inline(always)]
fn leap(row: &Row, best: &mut Row) {
    let near = max(&and(&up::<1>(row), &NOT_A), &and(&down::<1>(row), &NOT_H));
    let far = max(&and(&up::<2>(row), &NOT_AB), &and(&down::<2>(row), &NOT_GH));
    raise(best, &up::<16>(&near));
    raise(best, &down::<16>(&near));
    raise(best, &up::<8>(&far));
    raise(best, &down::<8>(&far));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::attacks;

    #[test]
    fn the_best_reached_square_is_the_best_of_all_attacked_ones() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..500 {
            let occupied = next() & next() & next();
            let row: Row =
                std::array::from_fn(|square| if occupied >> square & 1 != 0 { 0 } else { (next() >> 32) as u8 });
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                let found = best_reached(role, &row, occupied);
                for from in (0..64_u8).filter(|from| occupied >> from & 1 == 0) {
                    let reached = Bits(attacks(role, from, occupied)).map(|to| row[usize::from(to)]);
                    assert_eq!(found[usize::from(from)], reached.max().unwrap_or(0), "{role:?} on {from}");
                }
            }
        }
    }
}
