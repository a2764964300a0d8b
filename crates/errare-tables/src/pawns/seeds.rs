//! The seeds of a pawn structure: positions decided by captures, pawn moves and promotions.

use super::moves::{PawnMove, pawn_moves};
use super::view::{Shown, of_endgame, of_structure};
use super::{Work, en_passant};
use crate::attacks::{attacks, between, reach};
use crate::error::TableError;
use crate::layout::{Fixed, Layout};
use crate::legality::{Around, Scene};
use crate::material::{Man, PROMOTIONS};
use crate::seeds::{Collector, Keying, SideSeeds, SliceSeeds, WORDS_BETWEEN_CHECKS, ZeroingResults};
use crate::structures::Structure;
use crate::view::View;
use crate::words::Bits;
use errare_work::Progress;
use shakmaty::{Color, Role};

/// Computes the seeds of a structure with one side to move.
///
/// # Errors
/// If a sub-endgame is missing or damaged, or the work is cancelled.
pub fn seeds(
    work: &Work<'_>,
    structure: Structure,
    turn: Color,
    progress: &dyn Progress,
) -> Result<SideSeeds, TableError> {
    let moves = Moves::new(work, structure, turn)?;
    let layout = work.layout;
    let mut collector = Collector::new(moves.keyed);
    let (mut legal, mut quiet) = (vec![0; layout.words()], vec![0; layout.words()]);
    let around = Around { kings: None, pawns: structure };
    for word in 0..layout.words() {
        if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
            progress.proceed()?;
        }
        let squares = layout.squares(word);
        let scene = Scene { axis: layout.axis(), men: layout.fixed(), squares: &squares, around };
        let Some(occupied) = scene.occupied() else { continue };
        let add = |tally: &mut ZeroingResults| moves.add(word, &squares, occupied, tally);
        (legal[word], quiet[word]) = collector.word(word, &scene, turn, occupied, add);
    }
    let SliceSeeds { checks, wins, releases } = collector.finish();
    Ok(SideSeeds { legal, quiet, checks: vec![checks], wins: vec![wins], releases: vec![releases] })
}

/// A pawn move that does not change the pieces, and leads to the word of the same number.
struct PawnStep {
    empty: u64,
    view: View,
}

/// The captures of pieces on one square by a pawn, which promotes on the last rank.
struct PawnTakes {
    to: u8,
    /// Views by the place of the captured piece among the fixed men; the axis stays the axis.
    of_fixed: Vec<Vec<View>>,
    /// Views for the capture of the axis: the first of the fixed men is the axis instead.
    of_axis: Vec<View>,
}

/// All zeroing moves of a side in a structure.
struct Moves<'a> {
    layout: &'a Layout,
    turn: Color,
    keyed: bool,
    steps: Vec<PawnStep>,
    pawn_takes: Vec<PawnTakes>,
    /// Pawns that pieces may capture; all men keep their places.
    pawns_taken: Vec<(u8, View)>,
    /// Fixed men that pieces may capture, by their places; the axis stays the axis.
    fixed_taken: Vec<Option<View>>,
    /// Captures of the axis, by the place of the fixed man who captures and becomes the axis.
    axis_taken: Vec<Option<View>>,
}

impl<'a> Moves<'a> {
    fn new(work: &Work<'a>, structure: Structure, turn: Color) -> Result<Moves<'a>, TableError> {
        let layout = work.layout;
        let maker = Maker { work, turn, keying: Keying::of_conversions(work.metric) };
        let pushing = Keying::of_pushes(work.metric);
        let mut moves = Moves {
            layout,
            turn,
            keyed: maker.keying != Keying::Once || pushing != Keying::Once,
            steps: Vec::new(),
            pawn_takes: Vec::new(),
            pawns_taken: Vec::new(),
            fixed_taken: Vec::new(),
            axis_taken: Vec::new(),
        };
        let own_pawn = Man { color: turn, role: Role::Pawn };
        let their_pawn = Man { color: turn.other(), role: Role::Pawn };
        for pawn_move in pawn_moves(structure, turn) {
            match pawn_move {
                PawnMove::Push { to, empty, after, is_double } => {
                    let view = maker.push(after, is_double.then_some(to), pushing)?;
                    moves.steps.push(PawnStep { empty, view });
                }
                PawnMove::Promotion { to, after } => {
                    for role in PROMOTIONS {
                        let new = Man { color: turn, role };
                        let view = maker.same_men(after, &[own_pawn], Some((new, to)))?;
                        moves.steps.push(PawnStep { empty: 1 << to, view });
                    }
                }
                PawnMove::TakesPawn { after } => {
                    moves.steps.push(PawnStep { empty: 0, view: maker.same_men(after, &[their_pawn], None)? });
                }
                PawnMove::TakesPiece { to, after } => moves.pawn_takes.push(maker.pawn_takes(to, after, false)?),
                PawnMove::TakesAndPromotes { to, after } => moves.pawn_takes.push(maker.pawn_takes(to, after, true)?),
            }
        }
        for square in Bits(structure.of(turn.other())) {
            let after = structure.without(turn.other(), square);
            moves.pawns_taken.push((square, maker.same_men(after, &[their_pawn], None)?));
        }
        for place in 0..layout.fixed().len() {
            let taken = maker.can_be_taken(layout.fixed()[place]);
            let view = taken.then(|| maker.without_fixed(place, structure, None)).transpose()?;
            moves.fixed_taken.push(view);
            let takes_axis = layout.fixed()[place].color == turn && maker.can_be_taken(layout.axis());
            let view = takes_axis.then(|| maker.without_axis(place, structure, None)).transpose()?;
            moves.axis_taken.push(view);
        }
        Ok(moves)
    }

    /// Adds the results of all moves from the positions of a word.
    #[inline(always)]
    fn add(&self, word: usize, squares: &Fixed, occupied: u64, tally: &mut ZeroingResults) {
        for step in &self.steps {
            if occupied & step.empty == 0 {
                tally.add_row(!step.empty, &step.view, word, self.keyed);
            }
        }
        for (square, view) in &self.pawns_taken {
            self.pawn_is_taken(*square, view, word, squares, occupied, tally);
        }
        for takes in &self.pawn_takes {
            self.pawn_takes(takes, squares, tally);
        }
        for (place, view) in self.fixed_taken.iter().enumerate() {
            if let Some(view) = view {
                self.fixed_is_taken(place, view, squares, occupied, tally);
            }
        }
        for (place, view) in self.axis_taken.iter().enumerate() {
            if let Some(view) = view {
                let mask = attacks(self.layout.fixed()[place].role, squares[place], occupied);
                tally.add_row(mask, view, digits(squares, place, self.layout), self.keyed);
            }
        }
    }

    /// Calls `take` for every fixed man of the side to move that reaches `target` if the axis does
    /// not stand on the path.
    #[inline(always)]
    fn takers(&self, target: u8, squares: &Fixed, occupied: u64, mut take: impl FnMut(usize, u64)) {
        for (place, man) in self.layout.fixed().iter().enumerate() {
            let from = squares[place];
            if man.color == self.turn && reach(man.role, from) >> target & 1 != 0 {
                let path = between(from, target);
                if path & occupied == 0 {
                    take(place, path);
                }
            }
        }
    }

    #[inline(always)]
    fn pawn_is_taken(
        &self,
        target: u8,
        view: &View,
        word: usize,
        squares: &Fixed,
        occupied: u64,
        tally: &mut ZeroingResults,
    ) {
        self.takers(target, squares, occupied, |place, path| {
            let moved = self.layout.lift(place, word, squares).at(target);
            tally.add_row(!path, view, moved, self.keyed);
        });
        let axis = self.layout.axis();
        if axis.color == self.turn {
            tally.add_one(attacks(axis.role, target, occupied), view, word, target, self.keyed);
        }
    }

    #[inline(always)]
    fn fixed_is_taken(&self, taken: usize, view: &View, squares: &Fixed, occupied: u64, tally: &mut ZeroingResults) {
        let target = squares[taken];
        self.takers(target, squares, occupied, |place, path| {
            let mut moved = *squares;
            moved[place] = target;
            tally.add_row(!path, view, digits(&moved, taken, self.layout), self.keyed);
        });
        let axis = self.layout.axis();
        if axis.color == self.turn {
            let mask = attacks(axis.role, target, occupied);
            tally.add_one(mask, view, digits(squares, taken, self.layout), target, self.keyed);
        }
    }

    #[inline(always)]
    fn pawn_takes(&self, takes: &PawnTakes, squares: &Fixed, tally: &mut ZeroingResults) {
        for (place, views) in takes.of_fixed.iter().enumerate() {
            if squares[place] == takes.to {
                let index = digits(squares, place, self.layout);
                views.iter().for_each(|view| tally.add_row(!0, view, index, self.keyed));
            }
        }
        let index = digits(squares, 0, self.layout);
        for view in &takes.of_axis {
            tally.add_one(1 << takes.to, view, index, squares[0], self.keyed);
        }
    }
}

/// The number of a view's word: the squares of the fixed men but one.
#[inline(always)]
fn digits(squares: &Fixed, without: usize, layout: &Layout) -> usize {
    let mut index = 0;
    let mut shift = 0;
    for (place, &square) in squares.iter().enumerate().take(layout.fixed().len()) {
        if place != without {
            index |= usize::from(square) << shift;
            shift += 6;
        }
    }
    index
}

/// A maker of the views that a side's moves lead to.
struct Maker<'w, 'a> {
    work: &'w Work<'a>,
    turn: Color,
    keying: Keying,
}

impl Maker<'_, '_> {
    fn can_be_taken(&self, man: Man) -> bool {
        man.color != self.turn && man.role != Role::King
    }

    /// The fixed men but one, in the order of the layout.
    fn others(&self, without: usize) -> Vec<Man> {
        let fixed = self.work.layout.fixed().iter().enumerate();
        fixed.filter(|&(place, _)| place != without).map(|(_, &man)| man).collect()
    }

    /// A view after a move, the other side to move.
    fn view(
        &self,
        axis: Man,
        rest: &[Man],
        pawns: Structure,
        gone: &[Man],
        promoted: Option<(Man, u8)>,
    ) -> Result<View, TableError> {
        let material = self.work.layout.material().changed(gone, promoted.map(|(man, _)| man));
        let shown = Shown { axis, rest, promoted, pawns, turn: self.turn.other() };
        of_endgame(self.work, material, &shown, self.keying)
    }

    /// A view after a move that keeps all men of the words.
    fn same_men(&self, pawns: Structure, gone: &[Man], promoted: Option<(Man, u8)>) -> Result<View, TableError> {
        let layout = self.work.layout;
        self.view(layout.axis(), layout.fixed(), pawns, gone, promoted)
    }

    /// A view after the capture of the fixed man at `place`, perhaps with a promotion.
    fn without_fixed(&self, place: usize, pawns: Structure, promoted: Option<(Man, u8)>) -> Result<View, TableError> {
        let layout = self.work.layout;
        let gone = self.gone(layout.fixed()[place], promoted);
        self.view(layout.axis(), &self.others(place), pawns, &gone, promoted)
    }

    /// A view after the capture of the axis, perhaps with a promotion; the fixed man at `place` is the new axis.
    fn without_axis(&self, place: usize, pawns: Structure, promoted: Option<(Man, u8)>) -> Result<View, TableError> {
        let layout = self.work.layout;
        let gone = self.gone(layout.axis(), promoted);
        self.view(layout.fixed()[place], &self.others(place), pawns, &gone, promoted)
    }

    /// The men that leave: the captured one, and with a promotion the pawn.
    fn gone(&self, taken: Man, promoted: Option<(Man, u8)>) -> Vec<Man> {
        let pawn = promoted.map(|_| Man { color: self.turn, role: Role::Pawn });
        [taken].into_iter().chain(pawn).collect()
    }

    fn pawn_takes(&self, to: u8, after: Structure, promotes: bool) -> Result<PawnTakes, TableError> {
        let layout = self.work.layout;
        let promotions: Vec<Option<(Man, u8)>> = if promotes {
            PROMOTIONS.iter().map(|&role| Some((Man { color: self.turn, role }, to))).collect()
        } else {
            vec![None]
        };
        let of_fixed = |place: usize| {
            if !self.can_be_taken(layout.fixed()[place]) {
                return Ok(Vec::new());
            }
            promotions.iter().map(|&promoted| self.without_fixed(place, after, promoted)).collect()
        };
        let of_axis = if self.can_be_taken(layout.axis()) {
            promotions.iter().map(|&promoted| self.without_axis(0, after, promoted)).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let of_fixed = (0..layout.fixed().len()).map(of_fixed).collect::<Result<_, TableError>>()?;
        Ok(PawnTakes { to, of_fixed, of_axis })
    }

    /// A view after a pawn's step to `after`. A double step is given by its target square, because the pawn may be
    /// captured en passant.
    fn push(&self, after: Structure, double: Option<u8>, keying: Keying) -> Result<View, TableError> {
        let (layout, their_turn) = (self.work.layout, self.turn.other());
        let shown = Shown { axis: layout.axis(), rest: layout.fixed(), promoted: None, pawns: after, turn: their_turn };
        let mut view = of_structure(self.work, &shown, keying != Keying::Once)?;
        let captures = double.map_or_else(Vec::new, |to| en_passant::captures(after, self.turn, to));
        if !captures.is_empty() {
            let gone = Man { color: self.turn, role: Role::Pawn };
            let material = layout.material().without(gone);
            let taken: Vec<View> = captures
                .into_iter()
                .map(|pawns| of_endgame(self.work, material, &Shown { pawns, turn: self.turn, ..shown }, self.keying))
                .collect::<Result<_, _>>()?;
            en_passant::allow(self.work, after, their_turn, &mut view, &taken)?;
        }
        view.keys.iter_mut().for_each(|key| *key = keying.key(*key));
        Ok(view)
    }
}
