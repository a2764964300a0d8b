//! How positions of an endgame are numbered: slices of king pairs, words of 64 positions.
//!
//! One man, the *axis*, is not part of a word's number: its 64 squares are the word's bits. The
//! other men are *fixed* within a word. Like men are one group whose squares count unordered, so
//! that KBBKN pays for 2016 pairs of bishops rather than 4096. Only when every man has a twin
//! (KBBK, KBBBK) does the axis man's group count a position more than once.

use crate::material::{Man, Material};
use crate::symmetry::Symmetry;
use crate::words::Bits;
use shakmaty::Role;

/// The most men that can be fixed: six men, less two kings and the axis.
pub const MAX_FIXED: usize = 3;

/// Squares of the fixed men, in the layout's order.
pub type Fixed = [u8; MAX_FIXED];

/// Like men whose squares are numbered together.
#[derive(Clone, Debug)]
struct Group {
    /// Its men's places among the fixed men.
    first: usize,
    count: usize,
    /// How far apart in words two neighbouring numbers of the group are.
    stride: usize,
    /// How many numbers the group has.
    size: usize,
}

/// The numbering of one endgame.
#[derive(Debug)]
pub struct Layout {
    material: Material,
    axis: Man,
    fixed: Vec<Man>,
    groups: Vec<Group>,
    group_of: Vec<usize>,
    words: usize,
}

impl Layout {
    /// The layout the solver uses, or `None` for the bare kings, which have no axis.
    pub fn new(material: Material) -> Option<Layout> {
        let axis = choose_axis(material)?;
        // Groups of several men go outermost: the inner ones are then powers of two.
        let mut kinds: Vec<(Man, usize)> = material
            .kinds()
            .into_iter()
            .map(|man| (man, material.count(man) - usize::from(man == axis)))
            .filter(|&(_, count)| count > 0)
            .collect();
        kinds.sort_by_key(|&(_, count)| count);
        let mut layout =
            Layout { material, axis, fixed: Vec::new(), groups: Vec::new(), group_of: Vec::new(), words: 1 };
        for (man, count) in kinds {
            let size = combinations(64, count);
            layout.groups.push(Group { first: layout.fixed.len(), count, stride: layout.words, size });
            layout.words *= size;
            for _ in 0..count {
                layout.fixed.push(man);
                layout.group_of.push(layout.groups.len() - 1);
            }
        }
        Some(layout)
    }

    pub fn material(&self) -> Material {
        self.material
    }

    pub fn axis(&self) -> Man {
        self.axis
    }

    /// The fixed men, like men side by side.
    pub fn fixed(&self) -> &[Man] {
        &self.fixed
    }

    /// Words in one slice.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How often the layout holds a position: more than once only where the axis man has twins.
    pub fn multiplicity(&self) -> u64 {
        self.material.count(self.axis) as u64
    }

    /// The squares of the fixed men of a word. They may coincide between groups.
    #[inline]
    pub fn squares(&self, word: usize) -> Fixed {
        let mut squares = [0; MAX_FIXED];
        let mut rest = word;
        for group in &self.groups {
            if group.count == 1 {
                squares[group.first] = (rest & 63) as u8;
                rest >>= 6;
            } else {
                let number = rest % group.size;
                rest /= group.size;
                unrank(number, &mut squares[group.first..group.first + group.count]);
            }
        }
        squares
    }

    /// The word of fixed men on these squares; like men in any order, none on the same square.
    #[inline]
    pub fn word(&self, squares: &Fixed) -> usize {
        self.groups.iter().map(|group| group.stride * group.number(squares)).sum()
    }

    /// The same men seen through a symmetry.
    #[inline]
    pub fn image(&self, word: usize, symmetry: Symmetry) -> usize {
        let map = symmetry.squares();
        let mut rest = word;
        let mut image = 0;
        for group in &self.groups {
            if group.count == 1 {
                image += group.stride * map[rest & 63] as usize;
                rest >>= 6;
            } else {
                let number = rest % group.size;
                rest /= group.size;
                let mut squares = [0; MAX_FIXED];
                unrank(number, &mut squares[..group.count]);
                for square in &mut squares[..group.count] {
                    *square = map[*square as usize];
                }
                image += group.stride * rank(&squares[..group.count]);
            }
        }
        image
    }

    /// For the fixed man `index` of a word: the word's number with that man lifted, and where each
    /// of the 64 squares puts it, times the stride.
    #[inline(always)]
    pub fn lift(&self, index: usize, word: usize, squares: &Fixed) -> Lifted {
        let group = &self.groups[self.group_of[index]];
        let row = match group.count {
            1 => &IDENTITY_ROW,
            2 => {
                let twin = group.first + 1 - (index - group.first);
                &PAIR_ROWS[squares[twin] as usize]
            }
            _ => {
                let mut twins = [0; 2];
                let others = (group.first..group.first + 3).filter(|&i| i != index);
                others.zip(&mut twins).for_each(|(i, twin)| *twin = squares[i]);
                &triple_rows()[rank(&twins)]
            }
        };
        Lifted { base: word - group.stride * row[squares[index] as usize] as usize, stride: group.stride, row }
    }

    /// Whether two fixed men stand on one square, or on a king's.
    #[inline]
    pub fn occupied(&self, squares: &Fixed, kings: u64) -> Option<u64> {
        let mut occupied = kings;
        for &square in &squares[..self.fixed.len()] {
            if occupied >> square & 1 != 0 {
                return None;
            }
            occupied |= 1 << square;
        }
        Some(occupied)
    }
}

/// A word with one man in the air.
pub struct Lifted {
    base: usize,
    stride: usize,
    row: &'static [u16; 64],
}

impl Lifted {
    #[inline(always)]
    pub fn at(&self, square: u8) -> usize {
        self.base + self.stride * self.row[square as usize & 63] as usize
    }
}

impl Group {
    #[inline]
    fn number(&self, squares: &Fixed) -> usize {
        if self.count == 1 {
            squares[self.first] as usize
        } else {
            rank(&squares[self.first..self.first + self.count])
        }
    }
}

/// Which man becomes the axis: one without a twin if there is any, for else positions are held
/// twice; then the man whose moves cost most as a fixed man.
fn choose_axis(material: Material) -> Option<Man> {
    let cost = |man: &Man| {
        let reach: u32 = match man.role {
            Role::Queen => 4,
            Role::Rook => 3,
            Role::Bishop => 2,
            _ => 1,
        };
        (std::cmp::Reverse(material.count(*man)), reach)
    };
    let wanted = std::env::var("AXIS").ok();
    if let Some(w) = wanted { let k = material.kinds(); if let Some(m) = k.iter().find(|m| (if m.color.is_white() { m.role.upper_char() } else { m.role.char() }).to_string() == w) { return Some(*m); } }
    material.kinds().into_iter().max_by_key(cost)
}

const fn combinations(of: usize, take: usize) -> usize {
    match take {
        0 => 1,
        1 => of,
        2 => of * (of - 1) / 2,
        _ => of * (of - 1) * (of - 2) / 6,
    }
}

/// The number of a set of squares: the sum of C(square, place) over its squares in order.
#[inline]
fn rank(squares: &[u8]) -> usize {
    match *squares {
        [a] => a as usize,
        [a, b] => PAIR_ROWS[a as usize & 63][b as usize & 63] as usize,
        [a, b, c] => {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let [a, b, c] = sorted.map(usize::from);
            a + combinations(b, 2) + c * c.wrapping_sub(1) * c.wrapping_sub(2) / 6
        }
        _ => 0,
    }
}

#[inline]
fn unrank(number: usize, squares: &mut [u8]) {
    match squares {
        [a] => *a = number as u8,
        [a, b] => [*a, *b] = PAIRS[number],
        [a, b, c] => {
            let mut high = 2;
            while (high + 1) * high * (high - 1) / 6 <= number {
                high += 1;
            }
            [*a, *b] = PAIRS[number - high * (high - 1) * (high - 2) / 6];
            *c = high as u8;
        }
        _ => {}
    }
}

static IDENTITY_ROW: [u16; 64] = {
    let mut row = [0; 64];
    let mut square = 0;
    while square < 64 {
        row[square] = square as u16;
        square += 1;
    }
    row
};

/// By one square, then the other; the diagonal is never asked for.
static PAIR_ROWS: [[u16; 64]; 64] = {
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

/// By the number of two twins, then the third man's square. Only endgames with four like men, or
/// three beside an axis of another kind, need it.
fn triple_rows() -> &'static [[u16; 64]] {
    static ROWS: std::sync::LazyLock<Vec<[u16; 64]>> = std::sync::LazyLock::new(|| {
        let row = |&[a, b]: &[u8; 2]| {
            let mut row = [0; 64];
            Bits(!(1 << a | 1 << b)).for_each(|c| row[c as usize] = rank(&[a, b, c]) as u16);
            row
        };
        PAIRS.iter().map(row).collect()
    });
    &ROWS
}

