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

    /// The place of a cell in the block.
    #[inline(always)]
    pub fn place(self, cell: usize) -> usize {
        if self.groups == 1 { cell } else { cell % GROUP * self.groups + cell / GROUP }
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

    /// Fills rows of 64 cells, the first of which has the number `first` in the block, by the places of their cells. Rows that
    /// lie side by side in the block are filled one after the other.
    #[inline(always)]
    pub fn fill_rows<T>(self, first: usize, rows: &mut [[T; 64]], symbol: impl Fn(usize) -> T) {
        if self.groups == 1 {
            for (row, cells) in rows.iter_mut().zip(first..) {
                row.iter_mut().zip(cells * 64..).for_each(|(into, cell)| *into = symbol(cell));
            }
            return;
        }
        for start in 0..GROUP_WORDS.min(rows.len()) {
            for number in (start..rows.len()).step_by(GROUP_WORDS) {
                let place = self.place((first + number) * 64);
                let places = (place..).step_by(self.groups);
                rows[number].iter_mut().zip(places).for_each(|(into, place)| *into = symbol(place));
            }
        }
    }
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
            assert!(cells.iter().enumerate().all(|(place, &cell)| order.place(cell) == place));
            cells.sort_unstable();
            assert!(cells.iter().enumerate().all(|(at, &cell)| at == cell) && cells.len() == positions);
            // All rows, and some from the middle.
            for (first, count) in [(0, positions / 64), (5, 60)] {
                let mut rows = vec![[0; 64]; count];
                order.fill_rows(first, &mut rows, |place| place);
                let filled = rows.as_flattened().iter().enumerate();
                assert!(filled.into_iter().all(|(at, &place)| place == order.place(first * 64 + at)));
            }
        }
        assert_eq!(Order::new(true, 3 * GROUP).place(1), 3);
    }
}
