//! The solver of endgames with pawns: one pawn structure after the other, the most advanced first.
//!
//! Within a structure pawns are only blockers, and the ply loop runs over a single slice. Pawn
//! moves, captures and promotions lead to positions of other slices that are already solved.

mod en_passant;
mod moves;
mod pages;
mod seeds;
mod view;

pub use self::en_passant::captures as captures_en_passant;
pub use self::moves::{PawnMove, pawn_moves};
pub use self::view::mirror_of_words;

use self::pages::Pages;
use crate::decided::{Decided, Verdict};
use crate::error::TableError;
use crate::journal::{Journal, for_each_bit};
use crate::kernel::no_escape;
use crate::layout::Layout;
use crate::metric::Metric;
use crate::packed::Batch;
use crate::retrograde::{Arena, Scratch, Traffic};
use crate::seeds::Seeds;
use crate::slices::Slices;
use crate::solve::{SolveStep, Task};
use crate::structures::{Structure, Structures};
use crate::symmetry::Symmetry;
use crate::threads::PerThread;
use crate::view::Subs;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A solved structure.
struct Solution {
    verdicts: ByColor<Verdict>,
    /// Stalemates of the side that may capture en passant after a double step into this structure: with
    /// that right they are not stalemates. Empty where nothing can be captured.
    stalemates: ByColor<Batch>,
}

/// An endgame being solved.
struct Work<'a> {
    layout: &'a Layout,
    structures: &'a Structures,
    subs: Subs<'a>,
    metric: Metric,
    /// The solutions of the structures of earlier levels, by structure.
    solved: Vec<Solution>,
    pages: Pages,
}

impl Work<'_> {
    /// The solution of a structure of an earlier level, and the symmetry that takes the board there.
    fn solution(&self, structure: Structure) -> Result<(&Solution, Symmetry), TableError> {
        let found = self.structures.find(structure);
        let solved = found.and_then(|(index, symmetry)| Some((self.solved.get(index)?, symmetry)));
        solved.ok_or(TableError::Internal("a pawn move leads to a structure that is not solved"))
    }
}

/// Solves an endgame with pawns whose sub-endgames are solved.
///
/// # Errors
/// If a sub-endgame is missing or damaged, or the work is cancelled.
pub fn solve<'a>(task: &Task<'a>, structures: &'a Structures) -> Result<(Decided, Traffic), TableError> {
    let &Task { layout, subs, metric, at_once, on_step, progress, .. } = task;
    let scratch = PerThread::new(|| Scratch::new(layout.words()));
    let done = AtomicUsize::new(0);
    let mut traffic = Traffic::default();
    let solved = Vec::with_capacity(structures.count());
    let mut work = Work { layout, structures, subs, metric, solved, pages: Pages::default() };
    for level in structures.levels() {
        let solve = |index: usize| {
            progress.proceed()?;
            let found = solve_structure(&work, structures.get(index), &scratch, progress)?;
            on_step(SolveStep::Structures(done.fetch_add(1, Ordering::Relaxed) + 1, structures.count()));
            Ok(found)
        };
        // Where memory is short, some of the threads wait.
        let batch = if at_once < rayon::current_num_threads() { at_once.max(1) } else { level.len() };
        let mut found: Vec<(Solution, Traffic)> = Vec::with_capacity(level.len());
        for start in level.clone().step_by(batch) {
            let indices = start..level.end.min(start + batch);
            found.extend(indices.into_par_iter().map(solve).collect::<Result<Vec<_>, TableError>>()?);
        }
        work.pages.clear();
        for (solution, moved) in found {
            work.solved.push(solution);
            traffic += moved;
        }
    }
    let mut verdicts = ByColor::<Vec<Verdict>>::default();
    for Solution { verdicts: ByColor { white, black }, .. } in work.solved {
        verdicts.white.push(white);
        verdicts.black.push(black);
    }
    Ok((Decided::by_slices(verdicts), traffic))
}

fn solve_structure(
    work: &Work<'_>,
    structure: Structure,
    scratch: &PerThread<Scratch>,
    progress: &dyn Progress,
) -> Result<(Solution, Traffic), TableError> {
    let slices = Slices::single(structure.occupied());
    let seeds = Seeds {
        white: seeds::seeds(work, structure, Color::White, progress)?,
        black: seeds::seeds(work, structure, Color::Black, progress)?,
    };
    let stalemates = ByColor::new_with(|turn| {
        if en_passant::may_be_asked(structure, turn) {
            stalemates(work.layout, &slices, &seeds, turn)
        } else {
            Batch::new()
        }
    });
    let layout = work.layout;
    let slice = Arena { layout, slices: &slices, scratch, progress };
    let (decided, traffic) = slice.by_metric(seeds, work.metric, &mut Journal::in_memory(), &mut |_, _| ())?;
    let verdict = |turn: Color| decided.verdict(layout, turn, 0);
    let verdicts = ByColor { white: verdict(Color::White)?, black: verdict(Color::Black)? };
    Ok((Solution { verdicts, stalemates }, traffic))
}

/// Finds the positions without a legal move and without check.
fn stalemates(layout: &Layout, slices: &Slices, seeds: &Seeds, turn: Color) -> Batch {
    let side = seeds.get(turn);
    let mut calm = side.quiet.clone();
    for_each_bit(&side.checks, 0, &mut Vec::new(), |word, bits| calm[word] &= !bits);
    let stuck = |(word, &bits): (usize, &u64)| {
        let stuck =
            if bits == 0 { 0 } else { no_escape(layout, slices, 0, turn, &seeds.get(turn.other()).legal, word, bits) };
        (stuck != 0).then_some((word as u32, stuck))
    };
    calm.iter().enumerate().filter_map(stuck).collect()
}
