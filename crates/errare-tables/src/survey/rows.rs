//! A survey of our own tables: quiet moves of pieces are read from rows of 64 entries, the few others are looked up.
//!
//! A quiet move leads to a cell of the same table. All cells with the other side to move are classified beforehand.
//! Those that are not legal positions are marked, because a move there would leave the king to be captured. Without
//! pawns the kings' moves lead to other slices, and the classes of the whole table are kept; with pawns all pieces stay
//! within a slice, and a pawn that steps forward leads to the same cell of another slice.

use super::moves::class;
use super::{Arrival, Surveyor};
use crate::address::Address;
use crate::attacks::pawn_attacks;
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::layout::{Layout, Outer};
use crate::legality::{Scene, legal};
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::pawns::{PawnMove, captures_en_passant, mirror_of_words, pawn_moves};
use crate::position::from_setup;
use crate::source::Source;
use crate::stalemate::is_stalemate;
use crate::store::{SliceReader, Table};
use crate::symmetry::Symmetry;
use crate::value::{Outcome, Value};
use crate::words::Bits;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Setup, Square};
use std::sync::Arc;

/// The number of words between checks for cancellation: a few milliseconds of work.
const WORDS_BETWEEN_CHECKS: usize = 256;

/// The class of a cell that is not a legal position.
const BROKEN: u16 = u16::MAX;

/// The survey of one side's moves in an endgame.
pub struct Rows<'a, S> {
    library: &'a Library,
    reader: SliceReader<Arc<Table>>,
    metric: Metric,
    turn: Color,
    surveyor: &'a S,
    /// The class of a position of the side to move, by symbol.
    positions: Vec<u16>,
    quiet: Arrivals,
    /// The classes of arrivals by pawn steps that do not promote.
    steps: Arrivals,
    /// The symbol of a draw; none if the table has none.
    draw: Option<u16>,
    /// The classes of the cells with the other side to move, by slice; empty with pawns.
    whole: Vec<Vec<u16>>,
}

/// The classes of arrivals in the same table, by one kind of moves.
struct Arrivals {
    by_symbol: Vec<u16>,
    stalemate: u16,
}

impl Arrivals {
    /// Classifies the arrivals in positions with these values, which are those of the other side.
    fn new<S: Surveyor>(surveyor: &S, values: &[Value], ends_phase: bool) -> Arrivals {
        let class = |&there: &Value, stalemate| {
            let value = Value { outcome: there.outcome.reversed(), ..there };
            let zeroing = ends_phase || there.is_mate();
            surveyor.arrival(Arrival { value, zeroing, converting: false, stalemate })
        };
        let by_symbol = values.iter().map(|value| class(value, false)).collect();
        Arrivals { by_symbol, stalemate: class(&Value::DRAW, true) }
    }
}

/// A step of a pawn that does not promote.
struct PawnStep {
    /// The squares that must be empty for the step.
    empty: u64,
    cells: Vec<u16>,
    symmetry: Symmetry,
    /// The bits of a word's number that the symmetry changes.
    mirror: usize,
}

/// The pawn moves of a slice.
#[derive(Default)]
struct PawnMoves {
    steps: Vec<PawnStep>,
    /// The squares on which pawns may capture.
    targets: u64,
    /// The squares on which pawns may promote.
    promotions: u64,
    /// The squares to which double steps lead that may be answered by a capture en passant.
    double_steps: u64,
}

/// A step of the king on the move, in an endgame without pawns.
struct KingStep<'a> {
    to: u8,
    cells: &'a [u16],
    symmetry: Symmetry,
    images: &'a [u32],
}

impl<'a, S: Surveyor> Rows<'a, S> {
    /// Opens the tables that a survey of an endgame reads.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn new(
        library: &'a Library,
        material: Material,
        metric: Metric,
        turn: Color,
        surveyor: &'a S,
        progress: &dyn Progress,
    ) -> Result<Rows<'a, S>, TableError> {
        let table = library.open(material, metric)?;
        let positions = table.values().iter().map(|&value| surveyor.position(value)).collect();
        let quiet = Arrivals::new(surveyor, table.values(), false);
        let steps = Arrivals::new(surveyor, table.values(), true);
        let draw = table.values().iter().position(|value| value.outcome == Outcome::Draw).map(|symbol| symbol as u16);
        let whole = Vec::new();
        let reader = SliceReader::new(table);
        let mut rows = Rows { library, reader, metric, turn, surveyor, positions, quiet, steps, draw, whole };
        if matches!(rows.layout().outer(), Outer::Kings(_)) {
            let slices = (0..rows.slices()).into_par_iter();
            rows.whole = slices
                .map(|slice| {
                    progress.proceed()?;
                    rows.cells_after(slice, &rows.quiet)
                })
                .collect::<Result<_, TableError>>()?;
        }
        Ok(rows)
    }

    pub fn slices(&self) -> usize {
        self.layout().slices()
    }

    fn layout(&self) -> &Layout {
        self.reader.table().layout()
    }

    /// The classes of a slice's cells with the other side to move.
    fn cells_after(&self, slice: usize, arrivals: &Arrivals) -> Result<Vec<u16>, TableError> {
        let layout = self.layout();
        let mut cells = Vec::new();
        self.reader.read(self.turn.other(), slice, &mut cells)?;
        for (word, row) in cells.chunks_exact_mut(64).enumerate() {
            let legal = legal(layout, slice, self.turn.other(), word);
            for (bit, cell) in row.iter_mut().enumerate() {
                *cell = if legal >> bit & 1 == 0 {
                    BROKEN
                } else if Some(*cell) == self.draw && self.is_stalemate(slice, word, bit as u8)? {
                    arrivals.stalemate
                } else {
                    arrivals.by_symbol[usize::from(*cell)]
                };
            }
        }
        Ok(cells)
    }

    /// Whether the other side, to move in a drawn position, is stalemated. Usually its king has a move, which is tested
    /// first.
    fn is_stalemate(&self, slice: usize, word: usize, bit: u8) -> Result<bool, TableError> {
        let (side, layout) = (self.turn.other(), self.layout());
        let (axis, around, squares) = (layout.axis(), layout.around(slice), layout.squares(word));
        let men = || layout.fixed().iter().zip(&squares).map(|(man, &square)| (*man, square)).chain([(axis, bit)]);
        let king = |color: Color| {
            let in_word = men().find(|(man, _)| man.color == color && man.role == Role::King);
            around.kings.map(|pair| pair.of(color)).or(in_word.map(|(_, square)| square))
        };
        let no_king = || TableError::Internal("a position has no king");
        let (own, other) = (king(side).ok_or_else(no_king)?, king(self.turn).ok_or_else(no_king)?);
        let occupied = men().fold(around.occupied() | 1 << own | 1 << other, |set, (_, square)| set | 1 << square);
        let ours = men().filter(|(man, _)| man.color == side);
        let ours = ours.fold(around.pawns.of(side) | 1 << own, |set, (_, square)| set | 1 << square);
        // The king does not shield the squares behind it from a slider.
        let without = occupied & !(1 << own);
        let mut guarded = reach(Role::King, self.turn, other, without);
        for (man, from) in men().filter(|(man, _)| man.color == self.turn && man.role != Role::King) {
            guarded |= reach(man.role, self.turn, from, without);
        }
        Bits(around.pawns.of(self.turn)).for_each(|from| guarded |= reach(Role::Pawn, self.turn, from, without));
        if reach(Role::King, side, own, occupied) & !ours & !guarded != 0 {
            return Ok(false);
        }
        self.is_stalemated(&Address { turn: side, slice, word, bit }.board(layout))
    }

    /// The king's moves out of a slice; none with pawns, where kings are men of the words.
    fn king_steps(&self, slice: usize) -> Vec<KingStep<'_>> {
        let Outer::Kings(kings) = self.layout().outer() else { return Vec::new() };
        let pair = kings.pair(slice);
        let found = |to: Square| {
            let to = to as u8;
            let (white, black) = self.turn.fold_wb((to, pair.black), (pair.white, to));
            let (slice, symmetry) = kings.find(white, black)?;
            Some(KingStep { to, cells: &self.whole[slice], symmetry, images: self.layout().images(symmetry) })
        };
        shakmaty::attacks::king_attacks(square(pair.of(self.turn))).into_iter().filter_map(found).collect()
    }

    /// The pawn moves out of a slice; none without pawns.
    fn pawn_moves_of(&self, slice: usize) -> Result<PawnMoves, TableError> {
        let layout = self.layout();
        let Outer::Pawns(structures) = layout.outer() else { return Ok(PawnMoves::default()) };
        let structure = structures.get(slice);
        let targets = pawn_attacks(self.turn, structure.of(self.turn));
        let mut found = PawnMoves { targets, ..PawnMoves::default() };
        for pawn_move in pawn_moves(structure, self.turn) {
            match pawn_move {
                PawnMove::Push { to, after, is_double: true, .. }
                    if !captures_en_passant(after, self.turn, to).is_empty() =>
                {
                    found.double_steps |= 1 << to;
                }
                PawnMove::Push { empty, after, .. } => {
                    let unknown = TableError::Internal("a pawn steps to a structure that the endgame does not have");
                    let (there, symmetry) = structures.find(after).ok_or(unknown)?;
                    let cells = self.cells_after(there, &self.steps)?;
                    let mirror = mirror_of_words(layout.fixed().len(), symmetry);
                    found.steps.push(PawnStep { empty, cells, symmetry, mirror });
                }
                PawnMove::Promotion { to, .. } => found.promotions |= 1 << to,
                PawnMove::TakesPawn { .. } | PawnMove::TakesPiece { .. } | PawnMove::TakesAndPromotes { .. } => {}
            }
        }
        Ok(found)
    }

    /// Records all positions of a slice.
    ///
    /// # Errors
    /// If a block is damaged, or the work is cancelled.
    pub fn record(&self, slice: usize, sheet: &mut S::Sheet, progress: &dyn Progress) -> Result<(), TableError> {
        let times = Census::new(self.layout(), Counting::All).share(slice);
        self.visit(
            slice,
            |_| !0,
            progress,
            |_, class, reached| {
                self.surveyor.record(sheet, class, reached, times);
            },
        )
    }

    /// Visits the positions of a slice whose bits are selected, by word: each with its class and those of its arrivals.
    pub fn visit(
        &self,
        slice: usize,
        selected: impl Fn(usize) -> u64,
        progress: &dyn Progress,
        mut seen: impl FnMut(Address, u16, &[u16]),
    ) -> Result<(), TableError> {
        let layout = self.layout();
        let mut own = Vec::new();
        self.reader.read(self.turn, slice, &mut own)?;
        let alone = if self.whole.is_empty() { self.cells_after(slice, &self.quiet)? } else { Vec::new() };
        let cells = self.whole.get(slice).unwrap_or(&alone);
        let around = layout.around(slice);
        let king_steps = self.king_steps(slice);
        let pawns = self.pawn_moves_of(slice)?;
        let axis = layout.axis();
        let mut reached = Vec::with_capacity(64);
        for word in 0..layout.words() {
            if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                progress.proceed()?;
            }
            let selected = selected(word);
            if selected == 0 {
                continue;
            }
            let squares = layout.squares(word);
            let scene = Scene { axis, men: layout.fixed(), squares: &squares, around };
            let Some(base) = scene.occupied() else { continue };
            // Where the axis man has a twin a position has two cells, of which one is visited.
            let legal = scene.legal_given(self.turn, base) & layout.leading_bits(word) & selected;
            if legal == 0 {
                continue;
            }
            let others = self.men_of(self.turn.other(), slice, &squares);
            let men = layout.fixed().iter().enumerate().filter(|(_, man)| man.color == self.turn);
            let men: Vec<_> = men.map(|(i, man)| (man.role, squares[i], layout.lift(i, word, &squares))).collect();
            for bit in Bits(legal) {
                let occupied = base | 1 << bit;
                let others = if axis.color == self.turn { others } else { others | 1 << bit };
                reached.clear();
                let mut captures = 0;
                for (role, from, lifted) in &men {
                    let targets = reach(*role, self.turn, *from, occupied);
                    captures |= targets & others;
                    let cell = |to| cells[lifted.at(to) * 64 + usize::from(bit)];
                    reached.extend(Bits(targets & !occupied).map(cell).filter(|&class| class != BROKEN));
                }
                if axis.color == self.turn {
                    let targets = reach(axis.role, self.turn, bit, occupied);
                    captures |= targets & others;
                    let row = &cells[word * 64..word * 64 + 64];
                    let to = Bits(targets & !occupied).map(|to| row[usize::from(to)]);
                    reached.extend(to.filter(|&class| class != BROKEN));
                }
                for step in &king_steps {
                    if occupied >> step.to & 1 != 0 {
                        captures |= 1 << step.to & others;
                        continue;
                    }
                    let class = step.cells[step.images[word] as usize * 64 + usize::from(step.symmetry.square(bit))];
                    if class != BROKEN {
                        reached.push(class);
                    }
                }
                let address = Address { turn: self.turn, slice, word, bit };
                if captures != 0 {
                    self.captures(&address.board(layout), Bitboard(captures), &mut reached)?;
                }
                for step in pawns.steps.iter().filter(|step| step.empty & occupied == 0) {
                    let class = step.cells[(word ^ step.mirror) * 64 + usize::from(step.symmetry.square(bit))];
                    if class != BROKEN {
                        reached.push(class);
                    }
                }
                if (pawns.promotions | pawns.double_steps) & !occupied | pawns.targets & others != 0 {
                    self.other_pawn_moves(address.board(layout), &pawns, &mut reached)?;
                }
                let class = self.positions[usize::from(own[word * 64 + usize::from(bit)])];
                seen(address, class, &reached);
            }
        }
        Ok(())
    }

    /// The squares of a side's men without the axis.
    fn men_of(&self, color: Color, slice: usize, squares: &[u8]) -> u64 {
        let around = self.layout().around(slice);
        let king = around.kings.map_or(0, |pair| 1 << pair.of(color));
        let fixed = self.layout().fixed().iter().zip(squares).filter(|(man, _)| man.color == color);
        fixed.fold(king | around.pawns.of(color), |set, (_, square)| set | 1 << square)
    }

    /// Adds the arrivals of captures by pieces and kings on the target squares.
    fn captures(&self, board: &Board, targets: Bitboard, reached: &mut Vec<u16>) -> Result<(), TableError> {
        for to in targets {
            let takers = board.attacks_to(to, self.turn, board.occupied()) & !board.by_role(Role::Pawn);
            for from in takers {
                let mut after = board.clone();
                let piece =
                    after.remove_piece_at(from).ok_or(TableError::Internal("an empty square attacks another"))?;
                after.set_piece_at(to, Piece { color: self.turn, role: piece.role });
                let king = after.king_of(self.turn).ok_or(TableError::Internal("a position has no king"))?;
                if after.attacks_to(king, self.turn.other(), after.occupied()).is_empty() {
                    let there = self.value_of(&after)?;
                    let value = Value { outcome: there.outcome.reversed(), ..there };
                    let stalemate = value.outcome == Outcome::Draw && self.is_stalemated(&after)?;
                    let arrival = Arrival { value, zeroing: true, converting: true, stalemate };
                    reached.push(class(self.surveyor, arrival, &after));
                }
            }
        }
        Ok(())
    }

    /// Whether the other side, to move in a legal position, is stalemated.
    fn is_stalemated(&self, board: &Board) -> Result<bool, TableError> {
        Ok(is_stalemate(&position(board.clone(), self.turn.other())?))
    }

    /// The value of a position with the other side to move, in which nothing can be captured en passant.
    fn value_of(&self, board: &Board) -> Result<Value, TableError> {
        let (material, _) = Material::of_board(board);
        if material.men() == 2 {
            return Ok(Value::DRAW);
        }
        self.library.open(material, self.metric)?.value(board, self.turn.other())?.ok_or(TableError::NO_PLACE)
    }

    /// Adds the arrivals of the pawn moves that are not steps within the table: captures, promotions, and double steps
    /// that may be answered by a capture en passant.
    fn other_pawn_moves(&self, board: Board, pawns: &PawnMoves, reached: &mut Vec<u16>) -> Result<(), TableError> {
        let position = position(board, self.turn)?;
        let is_other =
            |mv: &Move| mv.is_capture() || mv.is_promotion() || pawns.double_steps >> (mv.to() as u8) & 1 != 0;
        for mv in position.legal_moves().into_iter().filter(|mv| mv.role() == Role::Pawn && is_other(mv)) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let there = self.library.value(&after, self.metric)?;
            let value = Value { outcome: there.outcome.reversed(), ..there };
            let converting = mv.is_capture() || mv.is_promotion();
            let stalemate = value.outcome == Outcome::Draw && is_stalemate(&after);
            let arrival = Arrival { value, zeroing: true, converting, stalemate };
            reached.push(class(self.surveyor, arrival, after.board()));
        }
        Ok(())
    }
}

/// The position of men that are known to be placed legally.
fn position(board: Board, turn: Color) -> Result<Chess, TableError> {
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = turn;
    from_setup(setup).map_err(|_| TableError::Internal("a table holds a position that is not legal"))
}

fn square(index: u8) -> Square {
    Square::new(u32::from(index))
}

fn reach(role: Role, color: Color, from: u8, occupied: u64) -> u64 {
    attacks(square(from), Piece { color, role }, Bitboard(occupied)).0
}
