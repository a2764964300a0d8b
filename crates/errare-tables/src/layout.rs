//! The numbering of an endgame's positions: slices, words of 64 positions, bits.
//!
//! Without pawns a slice is a pair of kings up to the symmetries of the board, and the words hold
//! the other men. With pawns a slice is a pawn structure, and the kings are men of the words.
//!
//! One man, the *axis*, is not part of a word's number: its 64 squares are the word's bits. The
//! other men are *fixed* within a word. Like men are one group of unordered squares, so
//! that KBBKN has 2016 pairs of bishops instead of 4096. Only if every man has a twin, a man of
//! the same kind (KBBK, KBBBK), is a position held more than once, with each of the twins as the axis.

use crate::combinations::{IDENTITY_ROW, PAIR_ROWS, combinations, rank, triple_rows, unrank};
use crate::kings::Kings;
use crate::legality::Around;
use crate::material::{Man, Material};
use crate::structures::Structures;
use crate::symmetry::Symmetry;
use shakmaty::{Color, Role};
use std::cmp::Reverse;
use std::sync::Arc;

/// The greatest number of fixed men: six men without two kings and the axis, or five men without a pawn
/// and the axis.
pub const MAX_FIXED: usize = 3;

/// The squares of the fixed men, in the layout's order.
pub type Fixed = [u8; MAX_FIXED];

/// The numbering of the positions of one endgame.
///
/// The squares of men without a fixed twin are the digits of the word's number in base 64; like
/// men, of which at most one kind is left beside the axis, are its leading digit together.
#[derive(Debug)]
pub struct Layout {
    material: Material,
    axis: Man,
    fixed: Vec<Man>,
    /// The number of fixed men before the like ones.
    singles: usize,
    /// The number of like men among the fixed ones: 0, 2 or 3.
    likes: usize,
    words: usize,
    /// The number of cells that hold the same position.
    multiplicity: u64,
    /// The shift in a word's number of the square of the axis's only twin, if that is not one of several like men.
    twin_shift: Option<u32>,
    /// The image of each word under each symmetry, symmetry by symmetry; empty with pawns.
    images: Vec<u32>,
    outer: Outer,
}

/// The kind of slices: pairs of kings, or pawn structures.
#[derive(Clone, Debug)]
pub enum Outer {
    Kings(&'static Kings),
    Pawns(Arc<Structures>),
}

impl Layout {
    /// The layout of an endgame, or `None` for the bare kings, which have no axis.
    pub fn new(material: Material) -> Option<Layout> {
        if material.has_pawns() {
            return Some(Layout::with_pawns(material));
        }
        let axis = choose_axis(material)?;
        let mut kinds: Vec<(Man, usize)> = material
            .kinds()
            .into_iter()
            .map(|man| (man, material.count(man) - usize::from(man == axis)))
            .filter(|&(_, count)| count > 0)
            .collect();
        kinds.sort_by_key(|&(_, count)| count);
        let fixed: Vec<Man> = kinds.iter().flat_map(|&(man, count)| std::iter::repeat_n(man, count)).collect();
        let likes = kinds.last().map_or(0, |&(_, count)| if count > 1 { count } else { 0 });
        let outer = Outer::Kings(Kings::shared());
        let mut layout = Layout::of_men(material, axis, fixed, likes, outer);
        let image = |(word, symmetry): (usize, Symmetry)| {
            let squares = layout.squares(word).map(|square| symmetry.square(square));
            layout.word(&squares) as u32
        };
        layout.images = Symmetry::ALL
            .into_iter()
            .flat_map(|symmetry| (0..layout.words).map(move |word| (word, symmetry)))
            .map(image)
            .collect();
        Some(layout)
    }

    /// The layout of an endgame with pawns. The kings are men of the words; without any other piece one of them is the
    /// axis. At most two men are alike, and then one of them is the axis.
    fn with_pawns(material: Material) -> Layout {
        let king = |color| Man { color, role: Role::King };
        let axis = choose_axis(material).unwrap_or(king(Color::Black));
        let kinds = material.kinds().into_iter().filter(|man| man.role != Role::Pawn);
        let pieces = kinds.flat_map(|man| std::iter::repeat_n(man, material.count(man)));
        let mut fixed: Vec<Man> = pieces.chain(Color::ALL.map(king)).collect();
        let place = fixed.iter().position(|&man| man == axis);
        debug_assert!(place.is_some(), "the axis is none of the men");
        place.map(|place| fixed.remove(place));
        Layout::of_men(material, axis, fixed, 0, Outer::Pawns(Structures::of(material)))
    }

    fn of_men(material: Material, axis: Man, fixed: Vec<Man>, likes: usize, outer: Outer) -> Layout {
        let singles = fixed.len() - likes;
        let words = combinations(64, likes) << (6 * singles);
        let multiplicity = 1 + fixed.iter().filter(|&&man| man == axis).count() as u64;
        let twin = fixed[..singles].iter().position(|&man| man == axis);
        let twin_shift = twin.filter(|_| multiplicity == 2).map(|twin| 6 * twin as u32);
        Layout { material, axis, fixed, singles, likes, words, multiplicity, twin_shift, images: Vec::new(), outer }
    }

    pub fn material(&self) -> Material {
        self.material
    }

    /// The kind of the slices.
    pub fn outer(&self) -> &Outer {
        &self.outer
    }

    /// The number of slices of a table.
    pub fn slices(&self) -> usize {
        match &self.outer {
            Outer::Kings(kings) => kings.slices().count(),
            Outer::Pawns(structures) => structures.count(),
        }
    }

    /// The men of a slice that are not in its words.
    #[inline(always)]
    pub fn around(&self, slice: usize) -> Around {
        match &self.outer {
            Outer::Kings(kings) => Around { kings: Some(kings.pair(slice)), ..Around::default() },
            Outer::Pawns(structures) => Around { kings: None, pawns: structures.get(slice) },
        }
    }

    /// The number of images of a position under the symmetries of the board.
    pub fn board_images(&self) -> u64 {
        match &self.outer {
            Outer::Kings(_) => 8,
            Outer::Pawns(_) => 2,
        }
    }

    /// The symmetry that takes a slice to itself, so that it holds each position and its image; usually none.
    pub fn own_image(&self, slice: usize) -> Option<Symmetry> {
        match &self.outer {
            Outer::Kings(kings) => kings.pair(slice).on_diagonal.then_some(Symmetry::DIAGONAL),
            Outer::Pawns(structures) => structures.get(slice).is_symmetric().then_some(Symmetry::FILES),
        }
    }

    pub fn axis(&self) -> Man {
        self.axis
    }

    /// The fixed men, with like men side by side.
    pub fn fixed(&self) -> &[Man] {
        &self.fixed
    }

    /// The number of words of a slice.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of cells that hold the same position: more than one only where the axis man has twins.
    #[inline(always)]
    pub fn multiplicity(&self) -> u64 {
        self.multiplicity
    }

    /// The bits of a word that represent their positions. A position in which the axis man has twins
    /// is held once for each of them; the cell in which the axis is on the highest square represents it.
    pub fn leading_bits(&self, word: usize) -> u64 {
        match self.highest_twin(&self.squares(word)) {
            Some((_, square)) => !(u64::MAX >> (63 - square)),
            None => !0,
        }
    }

    /// The cell that represents the position of a cell: see [`Layout::leading_bits`].
    #[inline(always)]
    pub fn leading_cell(&self, word: usize, bit: u8) -> (usize, u8) {
        // The usual case of one twin that has six bits of the word to itself.
        if let Some(shift) = self.twin_shift {
            let twin = word >> shift & 63;
            let bit_there = usize::from(bit);
            return if twin > bit_there { (word ^ (twin ^ bit_there) << shift, twin as u8) } else { (word, bit) };
        }
        self.leading_cell_of_many(word, bit)
    }

    fn leading_cell_of_many(&self, word: usize, bit: u8) -> (usize, u8) {
        let mut squares = self.squares(word);
        match self.highest_twin(&squares) {
            Some((man, square)) if square > bit => {
                squares[man] = bit;
                (self.word(&squares), square)
            }
            _ => (word, bit),
        }
    }

    /// A word with the highest twin of the axis lifted, and its square; `None` without a twin.
    fn lift_highest_twin(&self, word: usize) -> Option<(Lifted, u8)> {
        let squares = self.squares(word);
        let (man, square) = self.highest_twin(&squares)?;
        Some((self.lift(man, word, &squares), square))
    }

    /// Copies what the cell that represents a position has in a slice to the other cells of the position.
    pub fn copy_to_twins(&self, cells: &mut [u16]) {
        for word in 0..self.words {
            let Some((lifted, twin)) = self.lift_highest_twin(word) else { return };
            for bit in 0..twin {
                cells[word * 64 + usize::from(bit)] = cells[lifted.at(bit) * 64 + usize::from(twin)];
            }
        }
    }

    #[inline(always)]
    fn highest_twin(&self, squares: &Fixed) -> Option<(usize, u8)> {
        let twins = self.fixed.iter().enumerate().filter(|&(_, &man)| man == self.axis);
        twins.map(|(man, _)| (man, squares[man])).max_by_key(|&(_, square)| square)
    }

    /// The squares of the fixed men of a word. They may coincide.
    #[inline(always)]
    pub fn squares(&self, word: usize) -> Fixed {
        let mut squares = [0; MAX_FIXED];
        let mut rest = word;
        for square in &mut squares[..self.singles] {
            *square = (rest & 63) as u8;
            rest >>= 6;
        }
        unrank(rest, &mut squares[self.singles..self.singles + self.likes]);
        squares
    }

    /// The word of fixed men on these squares; like men in any order, none on the same square.
    #[inline]
    pub fn word(&self, squares: &Fixed) -> usize {
        let likes = rank(&squares[self.singles..self.singles + self.likes]);
        squares[..self.singles].iter().rev().fold(likes, |word, &square| word << 6 | square as usize)
    }

    /// The image of each word under a symmetry.
    #[inline(always)]
    pub fn images(&self, symmetry: Symmetry) -> &[u32] {
        &self.images[symmetry.index() * self.words..][..self.words]
    }

    /// A word with the fixed man `index` lifted from it.
    #[inline(always)]
    pub fn lift(&self, index: usize, word: usize, squares: &Fixed) -> Lifted {
        if index < self.singles {
            let shift = 6 * index as u32;
            return Lifted { base: word & !(63 << shift), shift, row: &IDENTITY_ROW };
        }
        let row = if self.likes == 2 {
            let twin = squares[2 * self.singles + 1 - index];
            &PAIR_ROWS[twin as usize & 63]
        } else {
            let mut twins = [0; 2];
            let others = (self.singles..self.singles + 3).filter(|&i| i != index);
            others.zip(&mut twins).for_each(|(i, twin)| *twin = squares[i]);
            &triple_rows()[rank(&twins)]
        };
        let shift = 6 * self.singles as u32;
        Lifted { base: word & !(usize::MAX << shift), shift, row }
    }
}

/// A word with one man lifted from the board.
pub struct Lifted {
    base: usize,
    shift: u32,
    row: &'static [u16; 64],
}

impl Lifted {
    /// The word with the lifted man put down on a square.
    #[inline(always)]
    pub fn at(&self, square: u8) -> usize {
        self.base + ((self.row[square as usize & 63] as usize) << self.shift)
    }
}

/// Chooses the axis among the pieces; `None` if there are none. Preferred are a piece without a twin, because otherwise
/// positions are held twice; then a slider of the weaker side, so that the many tests for its escapes are one fill;
/// then the most mobile man of the stronger side.
fn choose_axis(material: Material) -> Option<Man> {
    material.kinds().into_iter().filter(|man| man.role != Role::Pawn).max_by_key(|&man| {
        let reach = match man.role {
            Role::Queen => 4,
            Role::Rook => 3,
            Role::Bishop => 2,
            _ => 1,
        };
        let defends = man.color.is_black() && reach > 1;
        (Reverse(material.count(man)), defends, man.color.is_white(), reach)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        text.parse().ok().and_then(Layout::new).expect("an endgame with men")
    }

    #[test]
    fn like_men_are_numbered_once() {
        assert_eq!(layout("KBBKN").words(), 2016);
        assert_eq!(layout("KRBKR").words(), 64 * 64);
        assert_eq!(layout("KRNKNN").words(), 64 * 2016);
        assert_eq!(layout("KBBBKN").words(), 41_664);
        assert_eq!(layout("KQK").words(), 1);
        // All men alike: the axis is one of them, and positions are held once for each.
        assert_eq!((layout("KBBBK").words(), layout("KBBBK").multiplicity()), (2016, 3));
    }

    #[test]
    fn words_and_squares_belong_together() {
        for text in ["KQKR", "KRBKR", "KBBKN", "KBBBKN", "KRNKNN", "KBBBBK"] {
            let layout = layout(text);
            for word in (0..layout.words()).step_by(7) {
                assert_eq!(layout.word(&layout.squares(word)), word, "{text}");
            }
        }
    }

    #[test]
    fn a_lifted_man_can_be_put_down_anywhere_free() {
        for text in ["KRBKR", "KBBKN", "KBBBKN", "KRNKNN"] {
            let layout = layout(text);
            for word in (0..layout.words()).step_by(1001) {
                let squares = layout.squares(word);
                let men = layout.fixed().len();
                for man in 0..men {
                    let lifted = layout.lift(man, word, &squares);
                    assert_eq!(lifted.at(squares[man]), word, "{text}");
                    for to in (0..64).filter(|to| !squares[..men].contains(to)) {
                        let mut moved = squares;
                        moved[man] = to;
                        assert_eq!(lifted.at(to), layout.word(&moved), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_cell_of_each_position_leads() {
        for text in ["KBBK", "KBBBK", "KBBKN", "KRRKP", "KQQK"] {
            let layout = layout(text);
            let men = layout.fixed().len();
            for word in 0..layout.words() {
                let squares = layout.squares(word);
                for bit in (0..64).filter(|bit| !squares[..men].contains(bit)) {
                    let (leading_word, leading_bit) = layout.leading_cell(word, bit);
                    assert_eq!(layout.leading_bits(word) >> bit & 1 != 0, (leading_word, leading_bit) == (word, bit));
                    assert!(layout.leading_bits(leading_word) >> leading_bit & 1 != 0, "{text}");
                    let set = |word: usize, bit: u8| {
                        let squares = layout.squares(word);
                        squares[..men].iter().fold(1_u64 << bit, |set, square| set | 1 << square)
                    };
                    assert_eq!(set(leading_word, leading_bit), set(word, bit), "{text}");
                }
            }
        }
    }

    #[test]
    fn images_turn_the_men_with_the_board() {
        let layout = layout("KBBKN");
        for symmetry in Symmetry::ALL {
            let back = layout.images(symmetry.inverse());
            for (word, &image) in layout.images(symmetry).iter().enumerate() {
                assert_eq!(back[image as usize] as usize, word);
            }
        }
    }
}
