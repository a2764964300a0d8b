//! Quiet moves between the placements of an endgame, by number: for work that goes through whole endgames.

use crate::address::Address;
use crate::attacks::{attacks, pawn_attacks};
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::layout::{Layout, Outer};
use crate::legality::legal;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::store::SliceReader;
use crate::symmetry::Symmetry;
use crate::value::Value;
use crate::words::Bits;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::{Chess, Color};
use std::ops::Range;

/// The placements of an endgame and the quiet moves between them: those that neither capture nor move a pawn.
///
/// A *place* is the number of a placement without the side to move. Placements in which the men stand on the same
/// squares have one place, even where the table holds them twice.
pub struct QuietMoves {
    layout: Layout,
    has_twins: bool,
}

/// The code of a place that does not hold a legal position, or holds one that another place represents.
pub const NO_POSITION: u16 = u16::MAX;

/// The moves of a position besides its quiet ones, as far as they are known without making them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherMoves {
    /// Whether a man of the side to move attacks a man of the other side.
    pub captures: bool,
    /// Whether the side to move has pawns.
    pub pawns: bool,
}

/// A pawn's step forward that does not promote, from the places of one part to those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The places of the part of the endgame that the step leads to.
    pub part: Range<u64>,
    /// The squares that have to be empty for the step.
    path: u64,
    /// Whether the part holds the image with the wings exchanged.
    is_mirrored: bool,
}

impl QuietMoves {
    /// The quiet moves of an endgame; none for the bare kings.
    #[must_use]
    pub fn new(material: Material) -> Option<QuietMoves> {
        let layout = Layout::new(material)?;
        Some(QuietMoves { has_twins: layout.multiplicity() > 1, layout })
    }

    /// The number of places for each side to move.
    #[must_use]
    pub fn places(&self) -> u64 {
        self.layout.slices() as u64 * self.slice_places()
    }

    fn slice_places(&self) -> u64 {
        self.layout.words() as u64 * 64
    }

    /// The number of the placement that [`Cells`](crate::Cells) gives a place with a side to move.
    #[must_use]
    pub fn number(place: u64, turn: Color) -> u64 {
        2 * place + turn.fold_wb(0, 1)
    }

    /// The places in parts that quiet moves do not leave, by levels: pawn moves lead from a level to earlier ones.
    /// Without pawns the whole endgame is one part.
    #[must_use]
    pub fn levels(&self) -> Vec<Vec<Range<u64>>> {
        let places = self.slice_places();
        match self.layout.outer() {
            Outer::Kings(_) => vec![vec![0..self.places()]],
            Outer::Pawns(structures) => {
                let part = |slice: usize| slice as u64 * places..(slice as u64 + 1) * places;
                structures.levels().into_iter().map(|level| level.map(part).collect()).collect()
            }
        }
    }

    /// Reads a table over a part: a code made of the value of each place, [`NO_POSITION`] for those that are not legal
    /// positions.
    ///
    /// # Errors
    /// If the table is missing or damaged, or the work is cancelled.
    pub fn codes(
        &self,
        library: &Library,
        metric: Metric,
        turn: Color,
        part: &Range<u64>,
        code: impl Fn(Value) -> u16,
        progress: &dyn Progress,
    ) -> Result<Vec<u16>, TableError> {
        let table = library.open(self.layout.material(), metric)?;
        let reader = SliceReader::new(&*table);
        let by_symbol: Vec<u16> = table.values().iter().map(|&value| code(value)).collect();
        let places = self.slice_places();
        let slices = (part.start / places) as usize..(part.end / places) as usize;
        let mut codes = vec![NO_POSITION; (part.end - part.start) as usize];
        codes.par_chunks_mut(places as usize).zip(slices).try_for_each(|(into, slice)| {
            progress.proceed()?;
            let mut symbols = Vec::new();
            reader.read(turn, slice, &mut symbols)?;
            for (word, (into, symbols)) in into.chunks_exact_mut(64).zip(symbols.chunks_exact(64)).enumerate() {
                let bits = legal(&self.layout, slice, turn, word) & self.layout.leading_bits(word);
                for bit in Bits(bits) {
                    let symbol = usize::from(symbols[usize::from(bit)]);
                    let no_value = || TableError::Internal("a table holds a symbol without a value");
                    into[usize::from(bit)] = *by_symbol.get(symbol).ok_or_else(no_value)?;
                }
            }
            Ok::<(), TableError>(())
        })?;
        Ok(codes)
    }

    /// Lists the places that the quiet moves of a legal position lead to, some of which may leave the king to be captured:
    /// those have no legal position there. Returns which moves there may be besides.
    #[inline]
    pub fn moves(&self, turn: Color, place: u64, into: &mut Vec<u64>) -> OtherMoves {
        self.steps::<false>(turn, place, into)
    }

    /// Lists the places from which a side's quiet moves may lead to a place, after which it is the other side's turn. A
    /// slice that is its own mirror image holds each position twice, and a king's step into it leads to one of the two
    /// places: both have the steps out of it, so both are listed.
    #[inline]
    pub fn unmoves(&self, turn: Color, place: u64, into: &mut Vec<u64>) {
        self.steps::<true>(turn, place, into);
    }

    #[inline(always)]
    fn steps<const WITH_IMAGES: bool>(&self, turn: Color, place: u64, into: &mut Vec<u64>) -> OtherMoves {
        let (layout, places) = (&self.layout, self.slice_places());
        let (slice, cell) = ((place / places) as usize, place % places);
        let (word, bit) = ((cell / 64) as usize, (cell % 64) as u8);
        let (squares, around, axis) = (layout.squares(word), layout.around(slice), layout.axis());
        let men = || layout.fixed().iter().zip(squares);
        let occupied = men().fold(around.occupied() | 1 << bit, |set, (_, square)| set | 1 << square);
        let theirs = if axis.color == turn { 0 } else { 1 << bit };
        let around_theirs =
            around.pawns.of(turn.other()) | around.kings.map_or(0, |pair| 1_u64 << pair.of(turn.other()));
        let fixed_theirs = men().filter(|(man, _)| man.color != turn);
        let theirs = fixed_theirs.fold(theirs | around_theirs, |set, (_, square)| set | 1 << square);
        let base = slice as u64 * places;
        let mut captures = 0;
        for (index, (man, from)) in men().enumerate().filter(|(_, (man, _))| man.color == turn) {
            let targets = attacks(man.role, from, occupied);
            captures |= targets & theirs;
            let lifted = layout.lift(index, word, &squares);
            for to in Bits(targets & !occupied) {
                into.push(base + self.leading(lifted.at(to), bit));
            }
        }
        if axis.color == turn {
            let targets = attacks(axis.role, bit, occupied);
            captures |= targets & theirs;
            Bits(targets & !occupied).for_each(|to| into.push(base + self.leading(word, to)));
        }
        if let Outer::Kings(kings) = layout.outer() {
            for step in kings.slices().moves(slice, turn) {
                if occupied >> step.target & 1 != 0 {
                    captures |= 1 << step.target & theirs;
                    continue;
                }
                let (word, bit) = (layout.images(step.symmetry)[word] as usize, step.symmetry.square(bit));
                let first = u64::from(step.slice) * places;
                into.push(first + self.leading(word, bit));
                if WITH_IMAGES && let Some(image) = layout.own_image(step.slice as usize) {
                    into.push(first + self.leading(layout.images(image)[word] as usize, image.square(bit)));
                }
            }
        }
        let pawns = around.pawns.of(turn);
        captures |= pawn_attacks(turn, pawns) & theirs;
        OtherMoves { captures: captures != 0, pawns: pawns != 0 }
    }

    /// Lists the pawn steps of a side in a part that do not promote; none if the other side has pawns, which might capture
    /// en passant.
    #[must_use]
    pub fn pushes(&self, turn: Color, part: &Range<u64>) -> Option<Vec<Push>> {
        let Outer::Pawns(structures) = self.layout.outer() else { return Some(Vec::new()) };
        let (places, from) = (self.slice_places(), structures.get((part.start / self.slice_places()) as usize));
        if from.of(turn.other()) != 0 {
            return None;
        }
        let mut found = Vec::new();
        for square in Bits(from.of(turn)) {
            let forward = |steps: u8| turn.fold_wb(square.wrapping_add(8 * steps), square.wrapping_sub(8 * steps));
            let is_at_home = square >> 3 == turn.fold_wb(1, 6);
            let mut path = 0;
            for to in (1..=if is_at_home { 2 } else { 1 }).map(forward) {
                path |= 1 << to;
                let moved = from.without(turn, square).with(turn, to);
                // A pawn on the last rank is none: it promotes. Nor does a pawn step through another.
                let Some((slice, symmetry)) = structures.find(moved).filter(|_| from.occupied() & path == 0) else {
                    break;
                };
                let part = slice as u64 * places..(slice as u64 + 1) * places;
                found.push(Push { part, path, is_mirrored: !symmetry.is_identity() });
            }
        }
        Some(found)
    }

    /// The place that a pawn step leads to; none if a man is in its way. The king may be left to be captured: then the
    /// position is not legal.
    #[inline]
    #[must_use]
    pub fn pushed(&self, push: &Push, place: u64) -> Option<u64> {
        let cell = place % self.slice_places();
        let (mut word, mut bit) = ((cell / 64) as usize, (cell % 64) as u8);
        let mut squares = self.layout.squares(word);
        let men = squares.iter().take(self.layout.fixed().len());
        if men.fold(1_u64 << bit, |set, square| set | 1 << square) & push.path != 0 {
            return None;
        }
        if push.is_mirrored {
            squares = squares.map(|square| Symmetry::FILES.square(square));
            (word, bit) = (self.layout.word(&squares), Symmetry::FILES.square(bit));
        }
        Some(push.part.start + self.leading(word, bit))
    }

    /// Whether a side has a pawn in a part that may promote with its next move.
    #[must_use]
    pub fn may_promote(&self, turn: Color, part: &Range<u64>) -> bool {
        let pawns = self.layout.around((part.start / self.slice_places()) as usize).pawns;
        pawns.of(turn) & turn.fold_wb(0xff << 48, 0xff << 8) != 0
    }

    /// The cell of a slice that represents the position of a cell.
    #[inline(always)]
    fn leading(&self, word: usize, bit: u8) -> u64 {
        let (word, bit) = if self.has_twins { self.layout.leading_cell(word, bit) } else { (word, bit) };
        word as u64 * 64 + u64::from(bit)
    }

    /// Whether a place that has a code represents its position: slices that are their own mirror images hold positions
    /// twice.
    #[must_use]
    pub fn is_first(&self, place: u64) -> bool {
        let (slice, cell) = ((place / self.slice_places()) as usize, place % self.slice_places());
        let is_alone = self.layout.own_image(slice).is_none();
        let census = || Census::new(&self.layout, Counting::Once);
        is_alone || census().is_first(slice, (cell / 64) as usize, (cell % 64) as u8)
    }

    /// The position of a place, the side named first as White.
    ///
    /// # Errors
    /// If the place is not that of a legal position.
    pub fn position(&self, place: u64, turn: Color) -> Result<Chess, TableError> {
        let address = Address::nth(&self.layout, QuietMoves::number(place, turn));
        from_setup(address.setup(&self.layout)).map_err(|_| TableError::Internal("a place has no legal position"))
    }
}
