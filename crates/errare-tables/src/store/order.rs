//! The order of the cells in a block.
//!
//! Symbols repeat along the squares of one man, but not of every man alike. So the cells of a block may be *interleaved*: the
//! first cells of all its groups of 64 words come first, then the second cells, and so on. Cells that differ by the square
//! of one man only, the one whose squares number the groups, then stand side by side. For each table the order is chosen
//! that makes it smaller.

/// The number of words whose cells stay in their order when a block is interleaved.
const GROUP_WORDS: usize = 64;
const GROUP: usize = GROUP_WORDS * 64;

/// The order of the cells in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The number of groups that are interleaved; 1 if the cells are in the order of their numbers.
    groups: usize,
}

impl Order {
    /// The order of a block with a number of positions. Blocks that are not made of whole groups are not interleaved.
    #[inline(always)]
    pub fn new(is_interleaved: bool, positions: usize) -> Order {
        let is_whole = positions.is_multiple_of(GROUP);
        Order { groups: if is_interleaved && is_whole { positions / GROUP } else { 1 } }
    }

    /// Calls `seen` with every cell of a block, in the order of their places.
    pub fn each_cell(self, cells: usize, mut seen: impl FnMut(usize)) {
        let length = cells / self.groups;
        for at in 0..length {
            for group in 0..self.groups {
                seen(group * length + at);
            }
        }
    }

    /// Puts the symbols of a block, a byte each, back into the order of their cells.
    pub fn restore(self, block: &[u8], into: &mut [u8]) {
        match self.groups {
            1 => into.copy_from_slice(block),
            MANY => part_many(block, into),
            groups => {
                for (group, into) in into.chunks_exact_mut(GROUP).enumerate() {
                    let places = block.iter().skip(group).step_by(groups);
                    into.iter_mut().zip(places).for_each(|(into, &symbol)| *into = symbol);
                }
            }
        }
    }
}

/// The number of groups that nearly all blocks have.
const MANY: usize = 16;

/// Parts sixteen groups: squares of 16 by 16 cells are transposed by shuffling them four times like cards, which a processor
/// does for many cells at once.
fn part_many(block: &[u8], into: &mut [u8]) {
    for (number, square) in block.as_chunks::<{ MANY * MANY }>().0.iter().enumerate() {
        let square = shuffled(&shuffled(&shuffled(&shuffled(square))));
        for (group, cells) in square.as_chunks::<MANY>().0.iter().enumerate() {
            let start = group * GROUP + number * MANY;
            into[start..start + MANY].copy_from_slice(cells);
        }
    }
}

/// Shuffles cells: puts each cell of the second half after the one of the first half at the same place.
#[inline(always)]
fn shuffled(cells: &[u8; MANY * MANY]) -> [u8; MANY * MANY] {
    let mut into = [0; MANY * MANY];
    let (first, second) = cells.split_at(MANY * MANY / 2);
    for ((pair, &first), &second) in into.as_chunks_mut::<2>().0.iter_mut().zip(first).zip(second) {
        *pair = [first, second];
    }
    into
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_one_place() {
        for (is_interleaved, positions) in [(false, 3 * GROUP), (true, 3 * GROUP), (true, GROUP + 64), (true, GROUP)] {
            let order = Order::new(is_interleaved, positions);
            let mut cells = Vec::new();
            order.each_cell(positions, |cell| cells.push(cell));
            cells.sort_unstable();
            assert!(cells.iter().enumerate().all(|(at, &cell)| at == cell) && cells.len() == positions);
        }
    }

    #[test]
    fn blocks_are_restored() {
        for (is_interleaved, groups) in [(false, 3), (true, 1), (true, 3), (true, MANY)] {
            let symbol = |cell: usize| (cell * 7 + cell / 251) as u8;
            let mut block = Vec::new();
            let order = Order::new(is_interleaved, groups * GROUP);
            order.each_cell(groups * GROUP, |cell| block.push(symbol(cell)));
            assert_eq!(is_interleaved && groups > 1, block[1] == symbol(GROUP));
            let mut restored = vec![0; groups * GROUP];
            order.restore(&block, &mut restored);
            assert!(restored.iter().enumerate().all(|(cell, &restored)| restored == symbol(cell)));
        }
    }
}
