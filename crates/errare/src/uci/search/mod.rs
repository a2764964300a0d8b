//! A small search of our own, for positions without tables: alpha-beta with iterative deepening.
//!
//! It is an adviser to fallible players, so what it is asked for is not only the best move: with [`Wanted::All`] every
//! move gets a score of its own, found at the same depth as the others.

mod evaluate;
mod memory;
mod order;
mod tree;

pub use memory::Memory;
pub use tree::MATE;

use super::advice::{Advice, Line};
use super::control::{Control, Limits};
use errare_uci::Score;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};
use std::cmp::Reverse;
use tree::Tree;

/// How deep a search goes at most.
pub const DEEPEST: u32 = 64;

/// A move this much worse than the best, in hundredths of a pawn, is as bad as any other.
pub const FAR_BEHIND: i32 = 1000;

/// Whose scores are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Of the best moves, so many.
    Best(usize),
    /// Of all moves; those that are far behind the best count as just that far behind.
    All,
}

/// What is to be searched.
pub struct Question<'a> {
    pub position: &'a Chess,
    /// Keys of the positions that came before, the last one last.
    pub past: &'a [u64],
    /// The moves to consider: at least one.
    pub moves: &'a [Move],
    pub wanted: Wanted,
    /// Whether fifty quiet moves make a draw.
    pub fifty: bool,
}

/// The key of a position.
pub fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

/// Searches deeper and deeper until the limits or the control say stop. Every finished depth is told.
pub fn search(
    question: &Question<'_>,
    limits: &Limits,
    control: &Control,
    memory: &mut Memory,
    is_over: &dyn Fn() -> bool,
    told: &mut dyn FnMut(&Advice),
) -> Advice {
    let stop = |nodes: u64| nodes >= limits.nodes || control.is_up(limits.most) || is_over();
    let mut tree = Tree::new(question, memory, &stop);
    let mut moves: Vec<Line> = question.moves.iter().map(|&mv| Line::bare(mv)).collect();
    let mut found = Advice::default();
    for depth in 1..=limits.depth.clamp(1, DEEPEST) {
        let Some(lines) = iteration(question, &mut tree, &moves, depth) else { break };
        moves = lines;
        found = Advice { depth, nodes: tree.nodes(), lines: shown(&moves, question.wanted) };
        told(&found);
        if control.is_up(limits.enough) || is_settled(question, limits, &found) {
            break;
        }
    }
    found
}

/// All moves at one depth, best first; none if time ran out before all were seen. The first depth is always finished.
fn iteration(question: &Question<'_>, tree: &mut Tree<'_>, moves: &[Line], depth: u32) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::with_capacity(moves.len());
    let mut exact: Vec<i32> = Vec::new();
    tree.set_patient(depth == 1);
    for line in moves {
        let floor = match question.wanted {
            Wanted::All => exact.first().map_or(-MATE, |best| (best - FAR_BEHIND).max(-MATE)),
            Wanted::Best(count) => exact.get(count.max(1) - 1).copied().unwrap_or(-MATE),
        };
        let is_unlikely = matches!(question.wanted, Wanted::Best(count) if exact.len() >= count);
        let (score, pv) = tree.root_move(line.mv, depth, floor, is_unlikely)?;
        let place = exact.partition_point(|&other| other >= score);
        exact.insert(place, score);
        lines.push(Line { mv: line.mv, score, pv });
    }
    lines.sort_by_key(|line| Reverse(line.score));
    Some(lines)
}

fn shown(lines: &[Line], wanted: Wanted) -> Vec<Line> {
    match wanted {
        Wanted::All => lines.to_vec(),
        Wanted::Best(count) => lines[..count.clamp(1, lines.len())].to_vec(),
    }
}

/// Whether looking deeper cannot change anything that was asked for.
fn is_settled(question: &Question<'_>, limits: &Limits, found: &Advice) -> bool {
    let Some(best) = found.lines.first() else { return true };
    match (score(best.score), limits.mate) {
        (Score::Mate(moves), Some(wanted)) => (1..=i64::from(wanted)).contains(&i64::from(moves)),
        (Score::Mate(moves), None) => 2 * moves.unsigned_abs() < found.depth && question.wanted != Wanted::All,
        // With a single move there is nothing to choose, unless somebody wants to see the score.
        (Score::Centipawns(_), _) => question.moves.len() == 1 && limits.enough.is_some() && found.depth >= 4,
    }
}

/// A score of the search as UCI has it.
pub fn score(score: i32) -> Score {
    let plies = MATE - score.abs();
    match plies {
        0..=1000 if score > 0 => Score::Mate((plies + 1) / 2),
        0..=1000 => Score::Mate(-(plies / 2)),
        _ => Score::Centipawns(score),
    }
}
