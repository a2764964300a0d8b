//! The seeds of endgames without pawns: positions decided by captures.

use super::{Collector, Keying, Seeds, SideSeeds, SliceSeeds, WORDS_BETWEEN_CHECKS, ZeroingResults};
use crate::attacks::{attacks, between, reach};
use crate::error::TableError;
use crate::kings::{KingPair, Kings};
use crate::layout::{Fixed, Layout, MAX_FIXED};
use crate::legality::{Around, Scene};
use crate::material::Man;
use crate::spill::Spill;
use crate::view::{Subs, View, Word};
use errare_work::{Cancelled, Progress};
use rayon::prelude::*;
use shakmaty::{ByColor, Color, Role};
use std::sync::Arc;

/// Computes the seeds of an endgame without pawns. Their sparse sets go to the file, if there is one.
///
/// # Errors
/// If a sub-endgame is missing or damaged, the file cannot be written, or the work is cancelled.
pub fn seeds(
    layout: &Layout,
    kings: &Kings,
    subs: Subs<'_>,
    keying: Keying,
    file: Option<&Arc<Spill>>,
    progress: &dyn Progress,
) -> Result<Seeds, TableError> {
    let views = Views::new(layout, kings, subs, keying, progress)?;
    let keyed = keying != Keying::Once;
    let of_side = |turn: Color| -> Result<SideSeeds, TableError> {
        let words = layout.words();
        let slices = kings.slices().count();
        let mut legal = vec![0; slices * words];
        let mut quiet = vec![0; slices * words];
        let rest: Vec<SliceSeeds> = legal
            .par_chunks_mut(words)
            .zip(quiet.par_chunks_mut(words))
            .enumerate()
            .map_init(
                || Collector::new(keyed),
                |collector, (slice, (legal, quiet))| {
                    let finder = Finder { layout, kings, views: &views, slice, pair: kings.pair(slice), turn, keyed };
                    let found = finder.slice(legal, quiet, collector, progress)?;
                    if let Some(file) = file { found.into_file(file) } else { Ok(found) }
                },
            )
            .collect::<Result<_, TableError>>()?;
        let mut side = SideSeeds { legal, quiet, checks: Vec::new(), wins: Vec::new(), releases: Vec::new() };
        for SliceSeeds { checks, wins, releases } in rest {
            side.checks.push(checks);
            side.wins.push(wins);
            side.releases.push(releases);
        }
        Ok(side)
    };
    Ok(ByColor { white: of_side(Color::White)?, black: of_side(Color::Black)? })
}

/// The views of every sub-endgame that the captures of a layout need.
struct Views {
    /// Views after the capture of each kind of fixed man; their bits are those of the layout's axis.
    of_fixed: Vec<View>,
    /// Views after the capture of the axis, whose bits are each kind of fixed man; none for a kind that never captures.
    of_axis: Vec<Option<View>>,
    /// The number of each fixed man's kind: like men share a view.
    kinds: Vec<usize>,
}

impl Views {
    fn new(
        layout: &Layout,
        kings: &Kings,
        subs: Subs<'_>,
        keying: Keying,
        progress: &dyn Progress,
    ) -> Result<Views, TableError> {
        let fixed = layout.fixed();
        let without =
            |i: usize| -> Vec<Man> { fixed.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &man)| man).collect() };
        let view = |captured: Man, axis: Man, rest: &[Man]| {
            // At least three men are left: where the last man but the kings is captured, no view is needed.
            let (sub, swapped) = layout.material().without(captured);
            let sub = subs(sub).ok_or(TableError::NO_SUB_ENDGAME)?;
            progress.proceed()?;
            View::after_capture(kings, sub, swapped, captured, axis, rest, keying)
        };
        // Like men are side by side.
        let firsts: Vec<usize> = (0..fixed.len()).filter(|&i| i == 0 || fixed[i - 1] != fixed[i]).collect();
        let of_fixed = firsts.iter().map(|&i| view(fixed[i], layout.axis(), &without(i))).collect::<Result<_, _>>()?;
        // The king's captures read the view of the first man, those of other men the view of their kind.
        let taken = layout.axis();
        let of_axis = firsts
            .iter()
            .map(|&i| {
                let is_read = i == 0 || fixed[i].color != taken.color;
                is_read.then(|| view(taken, fixed[i], &without(i))).transpose()
            })
            .collect::<Result<_, TableError>>()?;
        let kinds = (0..fixed.len()).map(|i| firsts.iter().filter(|&&first| first <= i).count() - 1).collect();
        Ok(Views { of_fixed, of_axis, kinds })
    }

    #[inline(always)]
    fn of_fixed(&self, taken: usize) -> &View {
        &self.of_fixed[self.kinds[taken]]
    }

    /// The view after a fixed man, or for the first one also the king, captures the axis.
    #[inline(always)]
    fn of_axis(&self, taker: usize) -> Option<&View> {
        let view = self.of_axis[self.kinds[taker]].as_ref();
        debug_assert!(view.is_some(), "a man captures one of its own colour");
        view
    }
}

/// A finder of the seeds of one slice with one side to move.
struct Finder<'a> {
    layout: &'a Layout,
    kings: &'a Kings,
    views: &'a Views,
    slice: usize,
    pair: KingPair,
    turn: Color,
    keyed: bool,
}

impl Finder<'_> {
    fn slice(
        &self,
        legal: &mut [u64],
        quiet: &mut [u64],
        collector: &mut Collector,
        progress: &dyn Progress,
    ) -> Result<SliceSeeds, Cancelled> {
        let around = Around { kings: Some(self.pair), ..Around::default() };
        for word in 0..self.layout.words() {
            if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                progress.proceed()?;
            }
            let squares = self.layout.squares(word);
            let scene = Scene { axis: self.layout.axis(), men: self.layout.fixed(), squares: &squares, around };
            let Some(occupied) = scene.occupied() else { continue };
            let moves = |tally: &mut ZeroingResults| self.captures(&squares, occupied, tally);
            (legal[word], quiet[word]) = collector.word(word, &scene, self.turn, occupied, moves);
        }
        Ok(collector.finish())
    }

    #[inline(always)]
    fn captures(&self, squares: &Fixed, occupied: u64, tally: &mut ZeroingResults) {
        for (i, man) in self.layout.fixed().iter().enumerate() {
            if man.color != self.turn {
                self.captures_of_fixed(i, squares, occupied, tally);
            }
        }
        if self.layout.axis().color != self.turn {
            self.captures_of_axis(squares, occupied, tally);
        }
    }

    /// Adds captures of the fixed man `taken` by the axis, by the king and by fixed men.
    #[inline(always)]
    fn captures_of_fixed(&self, taken: usize, squares: &Fixed, occupied: u64, tally: &mut ZeroingResults) {
        let target = squares[taken];
        let view = self.views.of_fixed(taken);
        let rest = without(squares, taken);
        let axis = self.layout.axis();
        if axis.color == self.turn {
            let mask = attacks(axis.role, target, occupied);
            tally.add_one(mask, view, view.index(self.slice, &rest), target, self.keyed);
        }
        if reach(Role::King, self.pair.of(self.turn)) >> target & 1 != 0 {
            self.king_takes_fixed(view, target, &rest, tally);
        }
        for (i, man) in self.layout.fixed().iter().enumerate() {
            let from = squares[i];
            if man.color != self.turn || reach(man.role, from) >> target & 1 == 0 {
                continue;
            }
            let path = between(from, target);
            if path & occupied == 0 {
                let mut moved = rest;
                moved[if i > taken { i - 1 } else { i }] = target;
                tally.add_row(!path, view, view.index(self.slice, &moved), self.keyed);
            }
        }
    }

    fn king_takes_fixed(&self, view: &View, target: u8, rest: &Fixed, tally: &mut ZeroingResults) {
        let steps = self.kings.slices().moves(self.slice, self.turn);
        // A step next to the other king is not among the moves.
        let Some(step) = steps.iter().find(|step| step.target == target) else { return };
        let map = step.symmetry.squares();
        let index = view.index(step.slice as usize, &rest.map(|square| map[square as usize & 63]));
        let (word, keys) = (view.word(index), view.keys(index));
        let back = |set| step.back.word(set);
        let word = Word { lost: back(word.lost), won: back(word.won), open: back(word.open) };
        tally.add(!0, word, self.keyed.then_some(|bit: u8| keys[map[bit as usize & 63] as usize]));
    }

    /// Adds captures of the axis man: each bit is another target square.
    #[inline(always)]
    fn captures_of_axis(&self, squares: &Fixed, occupied: u64, tally: &mut ZeroingResults) {
        for (i, man) in self.layout.fixed().iter().enumerate() {
            if man.color != self.turn {
                continue;
            }
            if let Some(view) = self.views.of_axis(i) {
                let mask = attacks(man.role, squares[i], occupied);
                tally.add_row(mask, view, view.index(self.slice, &without(squares, i)), self.keyed);
            }
        }
        let steps = self.kings.slices().moves(self.slice, self.turn);
        if self.layout.fixed().is_empty() {
            // Bare kings are left, which is a draw. The capture is legal because the kings do not touch.
            tally.escape(steps.iter().fold(0, |all, step| all | 1 << step.target));
        } else if let Some(view) = self.views.of_axis(0) {
            let rest = without(squares, 0);
            for step in steps {
                if occupied >> step.target & 1 != 0 {
                    continue;
                }
                let map = step.symmetry.squares();
                let index = view.index(step.slice as usize, &rest.map(|square| map[square as usize & 63]));
                tally.add_one(1 << step.target, view, index, map[squares[0] as usize & 63], self.keyed);
            }
        }
    }
}

/// The squares of the fixed men without one of them.
#[inline(always)]
fn without(squares: &Fixed, gone: usize) -> Fixed {
    let mut rest = [0; MAX_FIXED];
    for i in 0..MAX_FIXED - 1 {
        rest[i] = squares[if i < gone { i } else { i + 1 }];
    }
    rest
}
