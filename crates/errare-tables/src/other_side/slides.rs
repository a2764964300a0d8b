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

/// Moves every byte by a number of ranks and files; what leaves the board is lost.
#[inline(always)]
fn moved<const RANKS: isize, const FILES: isize>(row: &Row) -> Row {
    let ranks = row.as_chunks::<8>().0;
    let mut into = [0; 64];
    for (rank, moved) in into.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        if let Some(&from) = rank.checked_add_signed(-RANKS).and_then(|from| ranks.get(from)) {
            let files = u64::from_le_bytes(from);
            *moved = if FILES >= 0 { files << (8 * FILES) } else { files >> (-8 * FILES) }.to_le_bytes();
        }
    }
    into
}

/// A Kogge-Stone fill in one direction, as [`words`](crate::words) has it, with the greatest byte in place of any bit.
/// `one`, `two` and `four` move a row by as many squares.
#[inline(always)]
fn slide(
    row: &Row,
    free: &Row,
    one: impl Fn(&Row) -> Row,
    two: impl Fn(&Row) -> Row,
    four: impl Fn(&Row) -> Row,
) -> Row {
    let seen = max(row, &and(free, &one(row)));
    let free2 = and(free, &one(free));
    let seen = max(&seen, &and(&free2, &two(&seen)));
    let free4 = and(&free2, &two(&free2));
    let seen = max(&seen, &and(&free4, &four(&seen)));
    one(&seen)
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
            let mut free = [!0; 64];
            Bits(occupied).for_each(|square| free[usize::from(square & 63)] = 0);
            if role != Role::Bishop {
                raise(&mut best, &slide(row, &free, moved::<1, 0>, moved::<2, 0>, moved::<4, 0>));
                raise(&mut best, &slide(row, &free, moved::<-1, 0>, moved::<-2, 0>, moved::<-4, 0>));
                raise(&mut best, &slide(row, &free, moved::<0, 1>, moved::<0, 2>, moved::<0, 4>));
                raise(&mut best, &slide(row, &free, moved::<0, -1>, moved::<0, -2>, moved::<0, -4>));
            }
            if role != Role::Rook {
                raise(&mut best, &slide(row, &free, moved::<1, 1>, moved::<2, 2>, moved::<4, 4>));
                raise(&mut best, &slide(row, &free, moved::<-1, -1>, moved::<-2, -2>, moved::<-4, -4>));
                raise(&mut best, &slide(row, &free, moved::<1, -1>, moved::<2, -2>, moved::<4, -4>));
                raise(&mut best, &slide(row, &free, moved::<-1, 1>, moved::<-2, 2>, moved::<-4, 4>));
            }
        }
    }
    best
}

/// Steps of a king.
#[inline(always)]
fn step(row: &Row, best: &mut Row) {
    let beside = max(&moved::<0, 1>(row), &moved::<0, -1>(row));
    let all = max(&beside, row);
    raise(best, &beside);
    raise(best, &moved::<1, 0>(&all));
    raise(best, &moved::<-1, 0>(&all));
}

/// Leaps of a knight.
#[inline(always)]
fn leap(row: &Row, best: &mut Row) {
    let near = max(&moved::<0, 1>(row), &moved::<0, -1>(row));
    let far = max(&moved::<0, 2>(row), &moved::<0, -2>(row));
    raise(best, &moved::<2, 0>(&near));
    raise(best, &moved::<-2, 0>(&near));
    raise(best, &moved::<1, 0>(&far));
    raise(best, &moved::<-1, 0>(&far));
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
