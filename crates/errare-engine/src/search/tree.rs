//! The tree below the moves of the root.

use super::evaluate::evaluate;
use super::order::MoveOrder;
use super::transposition::{Bound, PackedMove, TranspositionTable};
use super::{Question, key};
use shakmaty::{Chess, Move, MoveList, Position};

/// The score of a mate on the board; each ply before the mate takes 1 off.
pub const MATE: i32 = 30_000;

/// The score beyond which scores are mates.
const MATES: i32 = MATE - 1000;

/// The length of the longest line, in plies.
const MOST_PLIES: usize = 128;

/// The length of the longest series of captures that is followed.
const MOST_CAPTURES: u32 = 8;

/// Number of positions between two checks of the clock: about a millisecond.
const GLANCE: u64 = 1024;

/// A search of the tree below the root.
pub struct Tree<'a> {
    question: &'a Question<'a>,
    memory: &'a mut TranspositionTable,
    order: MoveOrder,
    stop: &'a dyn Fn(u64) -> bool,
    nodes: u64,
    is_stopped: bool,
    is_patient: bool,
    /// The Zobrist keys of the positions of the game and of the line being searched.
    path: Vec<u64>,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
}

impl<'a> Tree<'a> {
    pub fn new(
        question: &'a Question<'a>,
        memory: &'a mut TranspositionTable,
        stop: &'a dyn Fn(u64) -> bool,
    ) -> Tree<'a> {
        let mut path = question.past.to_vec();
        path.push(key(question.position));
        Tree {
            question,
            memory,
            order: MoveOrder::default(),
            stop,
            nodes: 0,
            is_stopped: false,
            is_patient: false,
            path,
            lines: vec![Vec::new(); MOST_PLIES + 2],
        }
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets whether the search ignores the clock, so that there is an answer in any case.
    pub fn set_patient(&mut self, is_patient: bool) {
        self.is_patient = is_patient;
    }

    /// Searches a move of the root, and returns its score and the line behind it; a score up to the floor is only a
    /// bound. None if stopped. A move that is unlikely to get above the floor is first asked for that alone.
    pub fn root_move(&mut self, mv: Move, depth: u32, floor: i32, is_unlikely: bool) -> Option<(i32, Vec<Move>)> {
        let (position, depth) = (self.question.position, depth as i32 - 1);
        let mut score = if is_unlikely { self.after(position, mv, depth, 0, floor, floor + 1) } else { MATE };
        if score > floor {
            score = self.after(position, mv, depth, 0, floor, MATE);
        }
        if self.is_stopped {
            return None;
        }
        Some((score, [mv].into_iter().chain(self.lines[1].iter().copied()).collect()))
    }

    /// Searches the position after a move, and returns the score for the side that makes the move at this ply.
    fn after(&mut self, position: &Chess, mv: Move, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let key = key(&after);
        self.lines[ply + 1].clear();
        if self.is_repetition(key, after.halfmoves()) {
            return 0;
        }
        self.path.push(key);
        let score = -self.node(&after, key, depth, ply + 1, -beta, -alpha);
        self.path.pop();
        score
    }

    fn is_repetition(&self, key: u64, halfmoves: u32) -> bool {
        // Only an even number of quiet plies ago the same side was to move.
        let back = usize::try_from(halfmoves).unwrap_or(usize::MAX);
        self.path.iter().rev().take(back).skip(1).step_by(2).any(|&other| other == key)
    }

    fn glance(&mut self) -> bool {
        if self.nodes.is_multiple_of(GLANCE) && !self.is_patient && (self.stop)(self.nodes) {
            self.is_stopped = true;
        }
        self.is_stopped
    }

    fn node(&mut self, position: &Chess, key: u64, depth: i32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if self.glance() || position.is_insufficient_material() {
            return 0;
        }
        let is_check = position.is_check();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if is_check { ply as i32 - MATE } else { 0 };
        }
        if self.question.fifty && position.halfmoves() >= 100 {
            return 0;
        }
        // Nothing found from here on is better than a mate already seen.
        let beta = beta.min(MATE - ply as i32 - 1);
        alpha = alpha.max(ply as i32 - MATE);
        if alpha >= beta {
            return alpha;
        }
        let depth = depth + i32::from(is_check);
        if depth <= 0 || ply >= MOST_PLIES {
            return self.quiet(position, moves, 0, ply, alpha, beta);
        }
        let known = self.memory.look_up(key);
        if let Some(known) = known.filter(|known| i32::from(known.depth) >= depth && beta - alpha == 1) {
            let score = from_memory(known.score.into(), ply);
            match known.bound {
                Bound::Exact => return score,
                Bound::Least if score >= beta => return score,
                Bound::Most if score <= alpha => return score,
                _ => {}
            }
        }
        let ordered = self.order.sort(position, moves, known.map(|known| known.mv), ply);
        let (mut best, mut best_move, floor) = (-MATE, ordered[0], alpha);
        for (place, &mv) in ordered.iter().enumerate() {
            let is_quiet = !mv.is_capture() && !mv.is_promotion();
            let late = i32::from(place >= 4 && is_quiet && !is_check && depth >= 3);
            let mut score = alpha + 1;
            if place > 0 {
                score = self.after(position, mv, depth - 1 - late, ply, alpha, alpha + 1);
            }
            if late > 0 && score > alpha {
                score = self.after(position, mv, depth - 1, ply, alpha, alpha + 1);
            }
            if place == 0 || (score > alpha && score < beta) {
                score = self.after(position, mv, depth - 1, ply, alpha, beta);
            }
            if self.is_stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, mv);
            }
            if score > alpha {
                alpha = score;
                self.remember_line(ply, mv);
            }
            if alpha >= beta {
                if is_quiet {
                    self.order.reward(position.turn(), mv, depth, ply);
                }
                break;
            }
        }
        let bound = match best {
            best if best >= beta => Bound::Least,
            best if best > floor => Bound::Exact,
            _ => Bound::Most,
        };
        self.memory.store(key, depth, to_memory(best, ply), bound, PackedMove::from(best_move));
        best
    }

    /// Searches captures and promotions only, or every move out of check, and returns the score.
    fn quiet(
        &mut self,
        position: &Chess,
        mut moves: MoveList,
        captures: u32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let standing = evaluate(position);
        if ply >= MOST_PLIES || captures >= MOST_CAPTURES {
            return standing;
        }
        let is_check = position.is_check();
        let mut best = if is_check { ply as i32 - MATE } else { standing };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        if !is_check {
            moves.retain(|mv| mv.is_capture() || mv.is_promotion());
        }
        for mv in self.order.sort(position, moves, None, ply) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            self.nodes += 1;
            if self.glance() {
                return 0;
            }
            self.lines[ply + 1].clear();
            let replies = after.legal_moves();
            let score = match replies.is_empty() {
                true if after.is_check() => MATE - ply as i32 - 1,
                true => 0,
                false => -self.quiet(&after, replies, captures + 1, ply + 1, -beta, -alpha),
            };
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.remember_line(ply, mv);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn remember_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}

/// Converts a score for the table: mates are remembered by their distance from the position, not from the root.
fn to_memory(score: i32, ply: usize) -> i32 {
    match score {
        score if score > MATES => score + ply as i32,
        score if score < -MATES => score - ply as i32,
        score => score,
    }
}

fn from_memory(score: i32, ply: usize) -> i32 {
    match score {
        score if score > MATES => score - ply as i32,
        score if score < -MATES => score + ply as i32,
        score => score,
    }
}
