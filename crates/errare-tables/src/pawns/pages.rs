//! Slices of other endgames with pawns, read once for all structures of a level that need them.
//!
//! A promotion puts the new piece on one square of the last rank, and so reads a small part of a
//! slice that is spread all over it. Structures that differ in the file of that pawn read other
//! parts of the same slice: so all eight parts are taken out together and kept.

use crate::error::TableError;
use crate::material::{Man, Material};
use crate::view::Solved;
use shakmaty::Color;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of a slice with one man on each square of a rank.
type Parts = [Arc<Vec<u16>>; 8];

/// Whose slice, who is to move, which slice, which man, on which rank.
type Key = (Material, Color, usize, Man, u8);

/// What the structures of a level have read.
#[derive(Default)]
pub struct Pages {
    kept: Mutex<HashMap<Key, Arc<Mutex<Option<Parts>>>>>,
}

impl Pages {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kept.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Reads a slice, or its part with a man on a square; returns the men whose squares are the
    /// digits of a position's number, lowest first, and the symbols.
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
        let digit = place.and_then(|(man, square)| Some((men.iter().position(|&other| other == man)?, man, square)));
        let Some((digit, man, square)) = digit else { return Ok((men, Arc::new(whole()?))) };
        men.remove(digit);
        let key = (layout.material(), turn, slice, man, square >> 3);
        let cell = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(kept.entry(key).or_default())
        };
        // Whoever comes second waits for the first rather than read the slice again.
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

/// The symbols of all positions with one digit given, by the digits left.
fn part(symbols: &[u16], digit: usize, square: usize) -> Vec<u16> {
    let run = 1 << (6 * digit);
    symbols.chunks_exact(run * 64).flat_map(|all| &all[square * run..(square + 1) * run]).copied().collect()
}
