//! Sets of like men on the board, numbered: pairs and triples of squares without order.

use crate::words::Bits;
use std::sync::LazyLock;

/// The number of ways to take 0, 2 or 3 of a number of things.
pub const fn combinations(of: usize, take: usize) -> usize {
    match take {
        0 => 1,
        2 => of * (of - 1) / 2,
        3 => of * (of - 1) * (of - 2) / 6,
        _ => panic!("at most three men of a word are alike"),
    }
}

/// The number of a set of no, two or three squares: the sum of C(square, place) over its squares in order.
#[inline]
pub fn rank(squares: &[u8]) -> usize {
    match *squares {
        [] => 0,
        [a, b] => PAIR_ROWS[a as usize & 63][b as usize & 63] as usize,
        [a, b, c] => {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let [a, b, c] = sorted.map(usize::from);
            a + combinations(b, 2) + c * c.wrapping_sub(1) * c.wrapping_sub(2) / 6
        }
        _ => {
            debug_assert!(false, "at most three men of a word are alike");
            0
        }
    }
}

/// The set of squares with a number, in increasing order: the inverse of [`rank`].
#[inline]
pub fn unrank(number: usize, squares: &mut [u8]) {
    match squares {
        [a, b] => [*a, *b] = PAIRS[number],
        [a, b, c] => {
            let mut high = 2;
            while (high + 1) * high * (high - 1) / 6 <= number {
                high += 1;
            }
            [*a, *b] = PAIRS[number - high * (high - 1) * (high - 2) / 6];
            *c = high as u8;
        }
        _ => debug_assert!(squares.is_empty(), "at most three men of a word are alike"),
    }
}

/// The numbers of single squares.
pub static IDENTITY_ROW: [u16; 64] = {
    let mut row = [0; 64];
    let mut square = 0;
    while square < 64 {
        row[square] = square as u16;
        square += 1;
    }
    row
};

/// The numbers of pairs of squares, by one square, then by the other. The diagonal is never used.
pub static PAIR_ROWS: [[u16; 64]; 64] = {
    let mut rows = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = a + 1;
        while b < 64 {
            let number = (a + b * (b - 1) / 2) as u16;
            rows[a][b] = number;
            rows[b][a] = number;
            b += 1;
        }
        a += 1;
    }
    rows
};

/// The pairs of squares by number.
static PAIRS: [[u8; 2]; 2016] = {
    let mut pairs = [[0; 2]; 2016];
    let mut b = 1;
    while b < 64 {
        let mut a = 0;
        while a < b {
            pairs[a + b * (b - 1) / 2] = [a as u8, b as u8];
            a += 1;
        }
        b += 1;
    }
    pairs
};

/// The numbers of triples of squares, by the number of a pair, then by the third square. Only endgames with four like
/// men, or with three beside an axis of another kind, need it.
pub fn triple_rows() -> &'static [[u16; 64]] {
    static ROWS: LazyLock<Vec<[u16; 64]>> = LazyLock::new(|| {
        let row = |&[a, b]: &[u8; 2]| {
            let mut row = [0; 64];
            Bits(!(1 << a | 1 << b)).for_each(|c| row[c as usize] = rank(&[a, b, c]) as u16);
            row
        };
        PAIRS.iter().map(row).collect()
    });
    &ROWS
}
