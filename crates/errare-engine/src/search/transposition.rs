//! The transposition table.

use shakmaty::{Move, Role};

/// The relation between a stored score and the true score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    #[default]
    Exact,
    /// The true score is at least the stored score.
    Least,
    /// The true score is at most the stored score.
    Most,
}

/// A move in two bytes, unique among the moves of its position; 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedMove(u16);

impl From<Move> for PackedMove {
    fn from(mv: Move) -> PackedMove {
        let from = mv.from().map_or(0, u32::from);
        let promotion = mv.promotion().map_or(0, |role: Role| u32::from(role));
        PackedMove((from | u32::from(mv.to()) << 6 | promotion << 12) as u16)
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    key: u64,
    pub mv: PackedMove,
    pub score: i16,
    pub depth: i8,
    pub bound: Bound,
}

/// The transposition table: each position has one slot, by its key, which the latest entry takes.
#[derive(Debug, Default)]
pub struct TranspositionTable {
    slots: Vec<Known>,
    megabytes: usize,
}

impl TranspositionTable {
    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.slots.fill(Known::default());
    }

    /// Changes the size of the table, to as much as can be had; the entries are lost if the size changes.
    pub fn resize(&mut self, megabytes: usize) {
        if self.megabytes == megabytes {
            return;
        }
        self.megabytes = megabytes;
        let mut count = (megabytes << 20) / size_of::<Known>();
        self.slots = Vec::new();
        while self.slots.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        self.slots.resize(count, Known::default());
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    pub fn look_up(&self, key: u64) -> Option<Known> {
        self.slots.get(self.place(key)).copied().filter(|known| known.key == key && known.mv != PackedMove::default())
    }

    pub fn store(&mut self, key: u64, depth: i32, score: i32, bound: Bound, mv: PackedMove) {
        let place = self.place(key);
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = Known { key, mv, score: score as i16, depth: depth.clamp(0, 127) as i8, bound };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn what_is_stored_is_found_under_its_key_only() {
        let mut memory = TranspositionTable::default();
        let mv = PackedMove::from(Chess::default().legal_moves()[0]);
        // Without room nothing is kept, and nothing breaks.
        memory.store(7, 3, 50, Bound::Exact, mv);
        assert!(memory.look_up(7).is_none());
        memory.resize(1);
        memory.store(7, 3, -50, Bound::Most, mv);
        let known = memory.look_up(7).expect("stored");
        assert_eq!((known.depth, known.score, known.bound, known.mv), (3, -50, Bound::Most, mv));
        assert!(memory.look_up(8).is_none());
        memory.clear();
        assert!(memory.look_up(7).is_none());
    }

    #[test]
    fn moves_of_a_position_have_different_codes() {
        let fen: shakmaty::fen::Fen = "8/P4k2/8/8/8/8/8/R3K2R w KQ - 0 1".parse().expect("a FEN");
        let position: Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("a position");
        let moves = position.legal_moves();
        for one in &moves {
            assert_eq!(
                moves.iter().filter(|two| PackedMove::from(**two) == PackedMove::from(*one)).count(),
                1,
                "{one}"
            );
        }
    }
}
