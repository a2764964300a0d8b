//! Counting positions: once up to symmetry, in all placements, or with like men distinguished.

use crate::layout::Layout;
use crate::material::Man;
use crate::symmetry::Symmetry;
use crate::words::Bits;
use std::fmt;
use std::str::FromStr;

/// A convention for counting positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// Each position once, up to rotations and reflections of the board.
    #[default]
    Once,
    /// Every placement on the 64 squares.
    All,
    /// As `Once`, but with like men distinguished, as in the published Syzygy statistics.
    Ordered,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Counting::Once => "once",
            Counting::All => "all",
            Counting::Ordered => "ordered",
        })
    }
}

/// A text that is not a valid counting convention.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid counting `{0}`: expected once, all or ordered")]
pub struct CountingError(String);

impl FromStr for Counting {
    type Err = CountingError;

    fn from_str(text: &str) -> Result<Counting, CountingError> {
        match text {
            "once" => Ok(Counting::Once),
            "all" => Ok(Counting::All),
            "ordered" => Ok(Counting::Ordered),
            _ => Err(CountingError(text.to_owned())),
        }
    }
}

/// Counts the positions of words by a convention.
///
/// Sums are kept in halves of a layout's cells: a slice that is its own image, with both kings on
/// the diagonal or with a symmetric pawn structure, holds every position that is not its own mirror
/// image twice.
pub struct Census<'a> {
    layout: &'a Layout,
    counting: Counting,
    orderings: u64,
}

/// A sum of positions in halves of cells; [`Census::total`] turns it into a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halves(u64);

impl std::ops::AddAssign for Halves {
    fn add_assign(&mut self, other: Halves) {
        self.0 += other.0;
    }
}

impl<'a> Census<'a> {
    pub fn new(layout: &'a Layout, counting: Counting) -> Census<'a> {
        Census { layout, counting, orderings: layout.material().like_orderings() }
    }

    /// The number of positions that some bits of a word stand for.
    pub fn weigh(&self, slice: usize, word: usize, bits: u64) -> Halves {
        let cells = u64::from(bits.count_ones());
        let Some(mirror) = self.layout.own_image(slice) else { return self.weigh_cells(cells) };
        Halves(match self.counting {
            Counting::Once => cells + self.symmetric(mirror, word, bits, false),
            Counting::All => self.layout.board_images() * cells,
            Counting::Ordered => self.orderings * (cells + self.symmetric(mirror, word, bits, true)),
        })
    }

    /// The number of positions that some cells of slices stand for which are not their own images.
    pub fn weigh_cells(&self, cells: u64) -> Halves {
        Halves(match self.counting {
            Counting::Once => 2 * cells,
            Counting::All => 2 * self.layout.board_images() * cells,
            Counting::Ordered => 2 * self.orderings * cells,
        })
    }

    /// The relative weight of a slice's cells when every placement counts.
    pub fn share(&self, slice: usize) -> f64 {
        if self.layout.own_image(slice).is_some() { 0.5 } else { 1.0 }
    }

    /// Turns a sum into a count of positions.
    pub fn total(&self, sum: Halves) -> u64 {
        sum.0 / (2 * self.layout.multiplicity())
    }

    /// Whether a cell is the representative of its position where several cells hold it: a mirror image in
    /// the same slice, or a twin of the axis man as the axis.
    pub fn is_first(&self, slice: usize, word: usize, bit: u8) -> bool {
        let axis = self.layout.axis();
        let squares = self.layout.squares(word);
        let men = || self.layout.fixed().iter().zip(squares);
        if men().any(|(&man, square)| man == axis && square > bit) {
            return false;
        }
        let Some(mirror) = self.layout.own_image(slice) else { return true };
        let mut kinds: Vec<Man> = self.layout.fixed().to_vec();
        kinds.push(axis);
        let sets = |image: Symmetry| -> Vec<u64> {
            let of_kind = |kind: &Man| {
                let fixed = men().filter(|(man, _)| *man == kind).fold(0_u64, |set, (_, square)| set | 1 << square);
                image.word(if *kind == axis { fixed | 1 << bit } else { fixed })
            };
            kinds.iter().map(of_kind).collect()
        };
        sets(Symmetry::IDENTITY) <= sets(mirror)
    }

    /// The bits of a word, among some given ones, whose cells represent their positions: see [`Census::is_first`].
    pub fn firsts(&self, slice: usize, word: usize, bits: u64) -> u64 {
        let bits = bits & self.layout.leading_bits(word);
        match self.layout.own_image(slice) {
            None => bits,
            Some(_) => Bits(bits).filter(|&bit| self.is_first(slice, word, bit)).fold(0, |set, bit| set | 1 << bit),
        }
    }

    /// The number of positions that are their own mirror images, where like men may change places or, with
    /// `each_man`, may not. With pawns there are none, because a king is always on one wing.
    fn symmetric(&self, mirror: Symmetry, word: usize, bits: u64, each_man: bool) -> u64 {
        let squares = self.layout.squares(word);
        let men = || self.layout.fixed().iter().zip(&squares);
        let axis = self.layout.axis();
        let of_kind =
            |kind: Man| men().filter(|(man, _)| **man == kind).fold(0_u64, |set, (_, square)| set | 1 << square);
        let is_symmetric = |set: u64| {
            if each_man { Bits(set).all(|square| mirror.square(square) == square) } else { mirror.word(set) == set }
        };
        if men().any(|(&man, _)| man != axis && !is_symmetric(of_kind(man))) {
            return 0;
        }
        let twins = of_kind(axis);
        Bits(bits).filter(|&bit| is_symmetric(twins | 1 << bit)).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legality::legal;
    use shakmaty::Color;

    fn count(text: &str, turn: Color, counting: Counting) -> u64 {
        let layout = text.parse().ok().and_then(Layout::new).expect("an endgame with men");
        let census = Census::new(&layout, counting);
        let mut sum = Halves::default();
        for slice in 0..layout.slices() {
            for word in 0..layout.words() {
                sum += census.weigh(slice, word, legal(&layout, slice, turn, word));
            }
        }
        census.total(sum)
    }

    #[test]
    fn king_and_rook_against_king_has_its_published_number_of_positions() {
        // The UCI machine learning repository's krkopt: Black to move, each position once.
        assert_eq!(count("KRK", Color::Black, Counting::Once), 28_056);
        // Kings apart and a free square for the rook, Black to move: nothing else is asked.
        assert_eq!(count("KRK", Color::Black, Counting::All), 3612 * 62);
    }

    #[test]
    fn like_men_count_once_or_in_every_order() {
        assert_eq!(count("KBBK", Color::Black, Counting::All), 3612 * 62 * 61 / 2);
        let (once, ordered) =
            (count("KBBK", Color::Black, Counting::Once), count("KBBK", Color::Black, Counting::Ordered));
        // Twice, less the positions that are their own mirror image only by changing the bishops.
        assert!(ordered < 2 * once && ordered > 2 * once - 2000, "{once} {ordered}");
    }

    #[test]
    fn one_cell_stands_for_each_position() {
        let layout = "KBBK".parse().ok().and_then(Layout::new).expect("an endgame with men");
        let census = Census::new(&layout, Counting::Once);
        let mut firsts = 0;
        for slice in 0..layout.slices() {
            for word in 0..layout.words() {
                let bits = legal(&layout, slice, Color::White, word);
                let alone = Bits(bits).filter(|&bit| census.is_first(slice, word, bit)).count() as u64;
                assert_eq!(u64::from(census.firsts(slice, word, bits).count_ones()), alone);
                firsts += alone;
            }
        }
        assert_eq!(firsts, count("KBBK", Color::White, Counting::Once));
    }
}
