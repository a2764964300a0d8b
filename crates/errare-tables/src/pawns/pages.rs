//! A cache of slices of other endgames with pawns, read once for all structures of a level that need them.
//!
//! A promotion puts the new piece on one square of the last rank, and so reads a small part of a
//! slice, spread all over it. Structures that differ in the file of that pawn read other
//! parts of the same slice. So all eight parts are extracted together and kept.

use crate::error::TableError;
use crate::material::{Man, Material};
use crate::view::Solved;
use shakmaty::Color;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a slice with one man on each square of a rank.
type Parts = [Arc<Vec<u16>>; 8];

/// The key of a part: the endgame, the side to move, the slice, the man, and the man's rank.
type Key = (Material, Color, usize, Man, u8);

/// The parts that the structures of a level have read.
#[derive(Default)]
pub struct Pages {
    kept: Mutex<HashMap<Key, Arc<Mutex<Option<Parts>>>>>,
}

impl Pages {
    /// Removes all parts from the cache.
    pub fn clear(&mut self) {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Reads a slice, or its part with a man on a square. Returns the men whose squares are the
    /// digits of a position's number, lowest first, and the symbols.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn read(
        &self,
        sub: &dyn Solved,
        turn: Color,
        slice: usize,
        place: Option<(Man, u8)>,
    ) -> Result<(Vec<Man>, Arc<Vec<u16>>), TableError> {
        let layout = sub.layout();
        let mut men: Vec<Man> = [layout.axis()].iter().chain(layout.fixed()).copied().collect();
        let whole = || {
            let mut symbols = Vec::new();
            sub.symbols(turn, slice, &mut symbols).map(|()| symbols)
        };
        let Some((man, square)) = place else { return Ok((men, Arc::new(whole()?))) };
        let digit = men.iter().position(|&other| other == man);
        let digit = digit.ok_or(TableError::Internal("an endgame after a promotion does not have the new piece"))?;
        men.remove(digit);
        let key = (layout.material(), turn, slice, man, square >> 3);
        let cell = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(kept.entry(key).or_default())
        };
        // A second reader waits for the first instead of reading the slice again.
        let mut kept = cell.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = match &mut *kept {
            Some(parts) => parts,
            none => {
                let symbols = whole()?;
                let rank = usize::from(square & !7);
                none.insert(std::array::from_fn(|file| Arc::new(part(&symbols, digit, rank + file))))
            }
        };
        Ok((men, Arc::clone(&parts[usize::from(square & 7)])))
    }
}

/// The symbols of all positions with a given value of one digit, by the other digits.
fn part(symbols: &[u16], digit: usize, square: usize) -> Vec<u16> {
    let run = 1 << (6 * digit);
    symbols.chunks_exact(run * 64).flat_map(|all| &all[square * run..(square + 1) * run]).copied().collect()
}
