//! The order in which moves are searched: the sooner a good move comes, the less is left to search.

use super::transposition::PackedMove;
use shakmaty::{Chess, Color, Move, MoveList, Position, Role};
use std::cmp::Reverse;

/// Statistics of quiet moves that ended a search.
pub struct MoveOrder {
    /// The last two moves that caused a cutoff, by ply.
    killers: Vec<[PackedMove; 2]>,
    /// The credit of quiet moves that caused cutoffs, by side, square from and square to.
    history: Vec<i32>,
}

impl Default for MoveOrder {
    fn default() -> MoveOrder {
        MoveOrder { killers: Vec::new(), history: vec![0; 2 * 64 * 64] }
    }
}

const FIRST: i32 = 1 << 30;
const TAKES: i32 = 1 << 28;
const KILLS: i32 = 1 << 27;
const MOST_HISTORY: i32 = 1 << 26;

impl MoveOrder {
    /// Sorts moves, likely good ones first.
    pub fn sort(&self, position: &Chess, mut moves: MoveList, first: Option<PackedMove>, ply: usize) -> MoveList {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        moves.sort_by_cached_key(|&mv| {
            let packed = PackedMove::from(mv);
            Reverse(match (mv.capture(), mv.promotion()) {
                _ if Some(packed) == first => FIRST,
                (Some(taken), promotion) => {
                    TAKES + 16 * worth(taken) + promotion.map_or(0, worth) - worth(mv.role()) / 8
                }
                (None, Some(promotion)) => TAKES + worth(promotion),
                (None, None) if killers.contains(&packed) => KILLS,
                (None, None) => self.history[place(position.turn(), mv)],
            })
        });
        moves
    }

    /// Rewards a quiet move that was good enough to end the search of its position.
    pub fn reward(&mut self, turn: Color, mv: Move, depth: i32, ply: usize) {
        let packed = PackedMove::from(mv);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [PackedMove::default(); 2]);
        }
        if self.killers[ply][0] != packed {
            self.killers[ply] = [packed, self.killers[ply][0]];
        }
        let history = &mut self.history[place(turn, mv)];
        *history = (*history + depth * depth).min(MOST_HISTORY);
    }
}

fn place(turn: Color, mv: Move) -> usize {
    let from = mv.from().map_or(0, usize::from);
    (usize::from(turn == Color::White) * 64 + from) * 64 + usize::from(mv.to())
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 1000,
    }
}
