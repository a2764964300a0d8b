//! Pawn structures: the squares of all pawns of an endgame, up to exchanging the wings.

use crate::material::{Man, Material};
use crate::symmetry::Symmetry;
use crate::words::Bits;
use shakmaty::{Color, Role};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The squares of the second to the seventh rank.
const PAWN_SQUARES: u64 = 0x00ff_ffff_ffff_ff00;

/// The pawn structure of a position: the squares of all pawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Structure {
    pub white: u64,
    pub black: u64,
}

impl Structure {
    pub fn of(&self, color: Color) -> u64 {
        color.fold_wb(self.white, self.black)
    }

    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.white | self.black
    }

    pub fn with(mut self, color: Color, square: u8) -> Structure {
        *self.of_mut(color) |= 1 << square;
        self
    }

    pub fn without(mut self, color: Color, square: u8) -> Structure {
        *self.of_mut(color) &= !(1 << square);
        self
    }

    fn of_mut(&mut self, color: Color) -> &mut u64 {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }

    /// The image of the structure under a symmetry that maps files to files.
    fn image(self, symmetry: Symmetry) -> Structure {
        Structure { white: symmetry.word(self.white), black: symmetry.word(self.black) }
    }

    /// The structure with the colours exchanged and the board turned with them.
    pub fn swapped(self) -> Structure {
        let image = self.image(Symmetry::RANKS);
        Structure { white: image.black, black: image.white }
    }

    /// Whether the structure stays the same when the wings are exchanged.
    pub fn is_symmetric(self) -> bool {
        self.image(Symmetry::FILES) == self
    }

    /// The number of steps that all pawns have made. Every pawn move increases it.
    fn steps(self) -> u32 {
        let white = Bits(self.white).map(|square| u32::from(square >> 3) - 1).sum::<u32>();
        white + Bits(self.black).map(|square| 6 - u32::from(square >> 3)).sum::<u32>()
    }

    /// The key by which structures are ordered for solving: the most advanced first.
    fn order(self) -> (Reverse<u32>, Structure) {
        (Reverse(self.steps()), self)
    }
}

/// The pawn structures of an endgame, the most advanced first.
#[derive(Debug)]
pub struct Structures {
    list: Vec<Structure>,
}

impl Structures {
    /// The structures of an endgame with pawns, computed once.
    pub fn of(material: Material) -> Arc<Structures> {
        static KNOWN: LazyLock<Mutex<HashMap<[usize; 2], Arc<Structures>>>> = LazyLock::new(Mutex::default);
        let pawns = Color::ALL.map(|color| material.count(Man { color, role: Role::Pawn }));
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(pawns).or_insert_with(|| Arc::new(Structures::new(pawns))))
    }

    fn new([white, black]: [usize; 2]) -> Structures {
        let mut list = Vec::new();
        for white in sets(PAWN_SQUARES, white) {
            for black in sets(PAWN_SQUARES & !white, black) {
                let structure = Structure { white, black };
                if structure <= structure.image(Symmetry::FILES) {
                    list.push(structure);
                }
            }
        }
        list.sort_by_cached_key(|structure| structure.order());
        Structures { list }
    }

    pub fn count(&self) -> usize {
        self.list.len()
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> Structure {
        self.list[index]
    }

    /// The number of a structure and the symmetry that takes the board there; `None` for other pawns.
    #[inline]
    pub fn find(&self, structure: Structure) -> Option<(usize, Symmetry)> {
        let image = structure.image(Symmetry::FILES);
        let (first, symmetry) =
            if structure <= image { (structure, Symmetry::IDENTITY) } else { (image, Symmetry::FILES) };
        let order = first.order();
        let index = self.list.binary_search_by(|known| known.order().cmp(&order)).ok()?;
        Some((index, symmetry))
    }

    /// The structures in levels, within which they do not depend on each other; each depends on earlier levels only.
    pub fn levels(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let runs = self.list.chunk_by(|a, b| a.steps() == b.steps());
        runs.map(|run| {
            let level = start..start + run.len();
            start = level.end;
            level
        })
        .collect()
    }
}

/// Lists every set of a number of the squares.
fn sets(squares: u64, count: usize) -> Vec<u64> {
    if count == 0 {
        return vec![0];
    }
    Bits(squares)
        .flat_map(|square| {
            let above = squares & (u64::MAX << square << 1);
            sets(above, count - 1).into_iter().map(move |set| set | 1 << square)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structures(text: &str) -> Arc<Structures> {
        Structures::of(text.parse().expect("an endgame"))
    }

    #[test]
    fn there_are_as_many_structures_as_counted_by_hand() {
        // One pawn: four files of six. Two: half of all pairs, and half of the symmetric ones more.
        assert_eq!(structures("KPK").count(), 24);
        assert_eq!(structures("KPPK").count(), (48 * 47 / 2 + 24) / 2);
        assert_eq!(structures("KPKP").count(), 48 * 47 / 2);
        assert_eq!(structures("KPPKP").count(), 48 * 47 / 2 * 46 / 2);
    }

    #[test]
    fn every_placement_is_found_and_every_pawn_move_leads_to_an_earlier_level() {
        let structures = structures("KPPKP");
        let levels = structures.levels();
        assert_eq!(levels.last().map(|level| level.end), Some(structures.count()));
        let level_of = |index: usize| levels.iter().position(|level| level.contains(&index));
        for white in sets(PAWN_SQUARES, 2).into_iter().step_by(7) {
            for black in sets(PAWN_SQUARES & !white, 1) {
                let structure = Structure { white, black };
                let (index, symmetry) = structures.find(structure).expect("a placement of these pawns");
                assert_eq!(structure.image(symmetry), structures.get(index));
                for from in Bits(white & !(0xff << 48)).filter(|from| structure.occupied() >> (from + 8) & 1 == 0) {
                    let moved = structure.without(Color::White, from).with(Color::White, from + 8);
                    let (there, _) = structures.find(moved).expect("a placement of these pawns");
                    assert!(level_of(there) < level_of(index));
                }
            }
        }
    }

    #[test]
    fn exchanging_colours_twice_changes_nothing() {
        let structure = Structure { white: 1 << 8 | 1 << 50, black: 1 << 30 };
        assert_eq!(structure.swapped().swapped(), structure);
        assert_eq!(structure.swapped().steps(), structure.steps());
    }
}
