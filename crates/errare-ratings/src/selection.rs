//! The selection of turns that count.

use crate::evaluation::Scale;
use crate::record::Record;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rules that leave turns out; each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The first move that counts: the moves before it are often known by heart.
    pub first_move: u16,
    /// The greatest size of the best move's evaluation, in pawns, up to which turns count.
    pub most_eval: f64,
    /// Whether positions that came up earlier in the same game are left out.
    pub without_repeats: bool,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection { first_move: 9, most_eval: 3.0, without_repeats: true }
    }
}

impl Selection {
    /// The selection that leaves out only turns without information: those with one legal move.
    pub const ALL: Selection = Selection { first_move: 1, most_eval: f64::INFINITY, without_repeats: false };
}

/// Numbers of turns that were left out, each counted under the first rule that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Number of turns before the first move that counts.
    pub early: u64,
    /// Number of turns with only one legal move.
    pub forced: u64,
    /// Number of turns at which the game was decided already.
    pub decided: u64,
    /// Number of turns whose positions came up before in the same game.
    pub repeated: u64,
    /// Number of copies of turns that were read before: a game counts once, however often it is in the files.
    #[serde(default)]
    pub duplicate: u64,
}

impl LeftOut {
    /// Number of all turns that were left out.
    pub fn total(&self) -> u64 {
        self.early + self.forced + self.decided + self.repeated + self.duplicate
    }

    /// The numbers of turns left out since `before`, an earlier count of the same turns.
    pub(crate) fn since(&self, before: &LeftOut) -> LeftOut {
        LeftOut {
            early: self.early - before.early,
            forced: self.forced - before.forced,
            decided: self.decided - before.decided,
            repeated: self.repeated - before.repeated,
            duplicate: self.duplicate - before.duplicate,
        }
    }

    /// Adds the counts of other turns.
    pub fn add(&mut self, other: &LeftOut) {
        self.early += other.early;
        self.forced += other.forced;
        self.decided += other.decided;
        self.repeated += other.repeated;
        self.duplicate += other.duplicate;
    }
}

/// Applies a selection to turns one after the other, and counts the turns that it leaves out.
#[derive(Debug)]
pub struct Selector {
    selection: Selection,
    /// Number of turns left out so far.
    pub left_out: LeftOut,
    /// The hashes of positions with their games: two of a million turns collide once in some ten million files.
    seen: HashSet<u64>,
}

impl Selector {
    /// Makes a selector that has seen no turn yet.
    pub fn new(selection: Selection) -> Selector {
        Selector { selection, left_out: LeftOut::default(), seen: HashSet::new() }
    }

    /// Whether a record counts.
    pub fn takes(&mut self, record: &Record, scale: &Scale) -> bool {
        let pawns = record.moves.first().map_or(0.0, |&(_, best)| scale.pawns(best));
        self.admits(&record.game, &record.position, record.move_number(), record.moves.len(), pawns)
    }

    /// Whether a turn counts that is not a record yet, given its game, its position, the number of the move, the number
    /// of legal moves, and the evaluation of the best of them in pawns.
    pub fn admits(&mut self, game: &impl Hash, position: &str, move_number: u16, moves: usize, pawns: f64) -> bool {
        let repeated = self.selection.without_repeats && {
            let mut hasher = DefaultHasher::new();
            (game, position).hash(&mut hasher);
            !self.seen.insert(hasher.finish())
        };
        let counter = if move_number < self.selection.first_move {
            &mut self.left_out.early
        } else if moves < 2 {
            &mut self.left_out.forced
        } else if pawns.abs() > self.selection.most_eval {
            &mut self.left_out.decided
        } else if repeated {
            &mut self.left_out.repeated
        } else {
            return true;
        };
        *counter += 1;
        false
    }
}
