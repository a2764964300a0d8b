//! The best of the squares that a man reaches from each square of the board: 64 positions at once, a byte each.

use crate::words::Bits;
use shakmaty::Role;

/// The ranks of the 64 positions of a word.
pub type Row = [u8; 64];

/// A rank of the board: eight squares.
type Line = [u8; 8];

#[inline(always)]
fn max(a: Line, b: Line) -> Line {
    std::array::from_fn(|i| a[i].max(b[i]))
}

#[inline(always)]
fn and(a: Line, b: Line) -> Line {
    (u64::from_le_bytes(a) & u64::from_le_bytes(b)).to_le_bytes()
}

/// Moves every square of a line to the next higher file.
#[inline(always)]
fn east(line: Line) -> Line {
    (u64::from_le_bytes(line) << 8).to_le_bytes()
}

/// Moves every square of a line to the next lower file.
#[inline(always)]
fn west(line: Line) -> Line {
    (u64::from_le_bytes(line) >> 8).to_le_bytes()
}

/// Replaces each byte of a row by the greater one of two.
#[inline(always)]
pub fn raise(row: &mut Row, other: &Row) {
    row.iter_mut().zip(other).for_each(|(byte, &other)| *byte = (*byte).max(other));
}

/// The greatest byte that a man of this role reaches from each square in one move, with other men on `occupied`, whose
/// squares have zeros.
#[inline(always)]
pub fn best_reached(role: Role, row: &Row, occupied: u64) -> Row {
    let lines: &[Line; 8] = row.as_chunks().0.try_into().unwrap_or(&[[0; 8]; 8]);
    let mut best = [[0; 8]; 8];
    match role {
        Role::Knight => leap(lines, &mut best),
        Role::King => step(lines, &mut best),
        Role::Pawn => {}
        Role::Bishop | Role::Rook | Role::Queen => {
            let mut free = [[!0_u8; 8]; 8];
            Bits(occupied).for_each(|square| free[usize::from(square >> 3)][usize::from(square & 7)] = 0);
            if role != Role::Bishop {
                sweep(lines, &free, &mut best, |line| line);
                sideways(lines, &free, &mut best);
            }
            if role != Role::Rook {
                sweep(lines, &free, &mut best, east);
                sweep(lines, &free, &mut best, west);
            }
        }
    }
    let mut all = [0; 64];
    all.copy_from_slice(best.as_flattened());
    all
}

/// Slides along files or diagonals, up and down the board: `turn` moves a line sideways with each step.
#[inline(always)]
fn sweep(lines: &[Line; 8], free: &[Line; 8], best: &mut [Line; 8], turn: impl Fn(Line) -> Line) {
    let (mut up, mut down) = ([0; 8], [0; 8]);
    for i in 0..7 {
        up = turn(and(max(up, lines[i]), free[i]));
        best[i + 1] = max(best[i + 1], up);
        down = turn(and(max(down, lines[7 - i]), free[7 - i]));
        best[6 - i] = max(best[6 - i], down);
    }
}

/// Slides along ranks, both ways.
#[inline(always)]
fn sideways(lines: &[Line; 8], free: &[Line; 8], best: &mut [Line; 8]) {
    let (mut right, mut left) = ([[0; 8]; 8], [[0; 8]; 8]);
    for _ in 0..7 {
        for i in 0..8 {
            right[i] = east(and(max(right[i], lines[i]), free[i]));
            left[i] = west(and(max(left[i], lines[i]), free[i]));
        }
        for i in 0..8 {
            best[i] = max(best[i], max(right[i], left[i]));
        }
    }
}

/// Steps of a king.
#[inline(always)]
fn step(lines: &[Line; 8], best: &mut [Line; 8]) {
    for i in 0..8 {
        let beside = max(east(lines[i]), west(lines[i]));
        best[i] = max(best[i], beside);
        let all = max(beside, lines[i]);
        if i > 0 {
            best[i - 1] = max(best[i - 1], all);
        }
        if i < 7 {
            best[i + 1] = max(best[i + 1], all);
        }
    }
}

/// Leaps of a knight.
#[inline(always)]
fn leap(lines: &[Line; 8], best: &mut [Line; 8]) {
    for i in 0..8 {
        let near = max(east(lines[i]), west(lines[i]));
        let far = max(east(east(lines[i])), west(west(lines[i])));
        for (steps, line) in [(1, far), (2, near)] {
            if i >= steps {
                best[i - steps] = max(best[i - steps], line);
            }
            if i + steps < 8 {
                best[i + steps] = max(best[i + steps], line);
            }
        }
    }
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
