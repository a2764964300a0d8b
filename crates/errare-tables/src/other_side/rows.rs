//! The best quiet moves of whole slices, 64 positions at once.

use super::guess::ZeroingMoves;
use super::slides::{Row, best_reached, raise};
use super::{NO_RANK, Ranks};
use crate::attacks::{ray, reach};
use crate::error::TableError;
use crate::layout::{Fixed, Layout, Outer};
use crate::legality::{Scene, legal};
use crate::seeds::WORDS_BETWEEN_CHECKS;
use crate::symmetry::Symmetry;
use crate::words::Bits;
use shakmaty::{Color, Role};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The stored cells of a slice as ranks of the positions before a quiet move that leads there, a row for each word. Cells
/// that are not legal positions have no rank, as no legal move leads there.
pub type Arrivals = Box<[Row]>;

/// The arrivals of all slices of an endgame, made when they are first needed. With pawns they are not kept, since quiet
/// moves do not leave a slice.
#[derive(Debug)]
pub struct Slices {
    kept: RwLock<Arc<Kept>>,
}

/// The arrivals of each slice, as far as they are made.
type Kept = Vec<OnceLock<Arrivals>>;

impl Slices {
    /// Makes slices that have no arrivals yet.
    pub fn new(layout: &Layout) -> Slices {
        let count = if matches!(layout.outer(), Outer::Kings(_)) { layout.slices() } else { 0 };
        Slices { kept: RwLock::new(Arc::new((0..count).map(|_| OnceLock::new()).collect())) }
    }

    /// Releases the memory of all arrivals, which are made again when they are needed again.
    pub fn clear(&self) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        *kept = Arc::new(kept.iter().map(|_| OnceLock::new()).collect());
    }

    fn kept(&self) -> Arc<Kept> {
        Arc::clone(&self.kept.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the arrivals of a slice, unless it has pawns.
    pub fn put(&self, slice: usize, arrivals: impl FnOnce() -> Arrivals) {
        if let Some(kept) = self.kept().get(slice) {
            kept.get_or_init(arrivals);
        }
    }
}

/// The arrivals of a slice without pawns, which `make` makes if they are needed for the first time.
fn arrivals_at(
    kept: &Kept,
    slice: usize,
    make: impl FnOnce(usize) -> Result<Arrivals, TableError>,
) -> Result<&Arrivals, TableError> {
    let kept = kept.get(slice).ok_or(TableError::Internal("an endgame has no slice of that number"))?;
    if let Some(arrivals) = kept.get() {
        return Ok(arrivals);
    }
    let made = make(slice)?;
    Ok(kept.get_or_init(|| made))
}

/// A step of the king out of a slice.
struct KingStep<'a> {
    to: u8,
    arrivals: &'a [Row],
    symmetry: Symmetry,
    images: &'a [u32],
}

/// A finder of the best quiet moves of the side that is not stored.
#[derive(Clone, Copy)]
pub struct Movers<'a> {
    pub layout: &'a Layout,
    pub ranks: &'a Ranks,
    /// The side to move that is stored.
    pub stored: Color,
}

impl Movers<'_> {
    /// The arrivals of a slice, by its stored symbols.
    pub fn arrivals(&self, slice: usize, symbols: &[u16]) -> Arrivals {
        let mut rows = vec![[NO_RANK; 64]; self.layout.words()];
        for (word, (row, symbols)) in rows.iter_mut().zip(symbols.as_chunks::<64>().0).enumerate() {
            let legal = legal(self.layout, slice, self.stored, word);
            if legal != 0 {
                *row = symbols.map(|symbol| self.ranks.after(symbol as u8));
                Bits(!legal).for_each(|bit| row[usize::from(bit)] = NO_RANK);
            }
        }
        rows.into_boxed_slice()
    }

    /// Calls `seen` for each word of a slice that has legal positions of the side that is not stored: with the word, the
    /// bits of these positions, the ranks of the best quiet moves, and the other moves. `make` makes arrivals of slices.
    ///
    /// # Errors
    /// If `make` or `seen` fails.
    pub fn best_of_slice(
        &self,
        slices: &Slices,
        slice: usize,
        make: impl Fn(usize) -> Result<Arrivals, TableError>,
        proceed: impl Fn() -> Result<(), TableError>,
        mut seen: impl FnMut(usize, u64, Row, ZeroingMoves<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let turn = self.stored.other();
        let (alone, kept) = (OnceLock::new(), slices.kept());
        let (own, steps): (&[Row], Vec<KingStep<'_>>) = match self.layout.outer() {
            Outer::Kings(kings) => {
                let mut steps = Vec::new();
                for step in kings.slices().moves(slice, turn) {
                    let arrivals = arrivals_at(&kept, step.slice as usize, &make)?;
                    let images = self.layout.images(step.symmetry);
                    steps.push(KingStep { to: step.target, arrivals, symmetry: step.symmetry, images });
                }
                (arrivals_at(&kept, slice, &make)?, steps)
            }
            Outer::Pawns(_) => {
                let made = make(slice)?;
                (alone.get_or_init(|| made), Vec::new())
            }
        };
        let around = self.layout.around(slice);
        for word in 0..self.layout.words() {
            if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                proceed()?;
            }
            let squares = self.layout.squares(word);
            let scene = Scene { axis: self.layout.axis(), men: self.layout.fixed(), squares: &squares, around };
            let Some(occupied) = scene.occupied() else { continue };
            let legal = scene.legal_given(turn, occupied);
            if legal != 0 {
                let best = self.best(word, &squares, occupied, own, &steps);
                seen(
                    word,
                    legal,
                    best,
                    ZeroingMoves { layout: self.layout, around, squares: &squares, occupied, turn },
                )?;
            }
        }
        Ok(())
    }

    /// The ranks of the best quiet moves of a word's positions.
    #[inline(always)]
    fn best(&self, word: usize, squares: &Fixed, occupied: u64, own: &[Row], steps: &[KingStep<'_>]) -> Row {
        let mut best = [NO_RANK; 64];
        let turn = self.stored.other();
        for (i, man) in self.layout.fixed().iter().enumerate().filter(|(_, man)| man.color == turn) {
            let lifted = self.layout.lift(i, word, squares);
            match man.role {
                Role::Bishop | Role::Rook | Role::Queen => {
                    let directions = match man.role {
                        Role::Rook => 0..4,
                        Role::Bishop => 4..8,
                        _ => 0..8,
                    };
                    for direction in directions {
                        let path = ray(squares[i], direction);
                        let free = path.iter().position(|&to| occupied >> to & 1 != 0).unwrap_or(path.len());
                        // From the far end: where the axis man stands on a square, nothing beyond it is reached.
                        let mut along = [NO_RANK; 64];
                        for &to in path[..free].iter().rev() {
                            raise(&mut along, &own[lifted.at(to)]);
                            along.iter_mut().zip(&ALL_BUT[usize::from(to & 63)]).for_each(|(rank, keep)| *rank &= keep);
                        }
                        raise(&mut best, &along);
                    }
                }
                role => {
                    Bits(reach(role, squares[i]) & !occupied).for_each(|to| raise(&mut best, &own[lifted.at(to)]));
                }
            }
        }
        let axis = self.layout.axis();
        if axis.color == turn {
            raise(&mut best, &best_reached(axis.role, &own[word], occupied));
        }
        for step in steps.iter().filter(|step| occupied >> step.to & 1 == 0) {
            let there = &step.arrivals[step.images[word] as usize];
            if step.symmetry.is_identity() {
                raise(&mut best, there);
            } else {
                let map = step.symmetry.squares();
                let turned: Row = std::array::from_fn(|bit| there[usize::from(map[bit] & 63)]);
                raise(&mut best, &turned);
            }
        }
        best
    }
}

/// A row of ones for each square, with zeros on that square.
static ALL_BUT: [Row; 64] = {
    let mut rows = [[!0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        rows[square][square] = 0;
        square += 1;
    }
    rows
};
