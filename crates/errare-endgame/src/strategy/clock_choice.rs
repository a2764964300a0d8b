//! The plies of a phase at which a strategy that looks at the clock allows each move of a position.

use super::{Part, Strategy};
use errare_tables::Metric;

/// A set of plies of a phase, as bits.
pub(super) type Clocks = u128;

/// The longest rule, in moves, whose plies are all bits of [`Clocks`].
pub(super) const MAX_CLOCKED_RULE: u16 = 63;

/// The greatest number of parts of a strategy: their ranks are put into one number.
const MAX_PARTS: usize = 4;

/// The column of the plies to a zeroing move, in the ranks of a move.
pub(super) const TO_ZERO: usize = 0;
/// The first column of the depths that the strategy ranks moves by.
const RANKED: usize = 1;

/// A strategy whose choice depends on the position and on the plies made in the phase, and on nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClockedStrategy {
    /// The parts that moves are ranked by: the plies to a zeroing move, and then those of the strategy.
    columns: Vec<Part>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The strategies `SX*` and `SZ'X`: of the moves after which the phase can still be ended in time, those that X
    /// allows.
    Guarded,
    /// The strategy `SA1`, whose columns are C and M.
    A1,
}

impl ClockedStrategy {
    /// Recognises a strategy whose choice depends on the clock: one with `*` or a leading `Z'` and parts that rank
    /// moves by depths, or SA1. Goals (`R1` to `R4`, SA2) depend on what was played before.
    pub fn of(strategy: &Strategy, rule: u16) -> Option<ClockedStrategy> {
        let (kind, parts) = match strategy {
            Strategy::A1 => (Kind::A1, vec![Part::Minimax(Metric::Dtc), Part::Minimax(Metric::Dtm)]),
            Strategy::A2 => return None,
            Strategy::Parts { parts, starred: true } => (Kind::Guarded, parts.clone()),
            Strategy::Parts { parts, starred: false } => (Kind::Guarded, parts.strip_prefix(&[Part::Guard])?.to_vec()),
        };
        let ranks = |part: &Part| matches!(part, Part::Minimax(_) | Part::Phase);
        if rule > MAX_CLOCKED_RULE || parts.len() > MAX_PARTS || !parts.iter().all(ranks) {
            return None;
        }
        let mut columns = vec![Part::Minimax(Metric::Dtz)];
        columns.extend(parts);
        Some(ClockedStrategy { columns, kind })
    }

    /// The parts that moves have to be ranked by.
    pub fn columns(&self) -> &[Part] {
        &self.columns
    }

    /// The plies of the phase at which each move is allowed, among those at which the phase can be ended in time. Moves
    /// are given that win if there is no rule, each by its ranks, one for each column.
    pub fn allowed(&self, ranks: &[u16], plies: u16, into: &mut Vec<Clocks>) {
        let moves: Vec<&[u16]> = ranks.chunks_exact(self.columns.len()).collect();
        into.clear();
        into.resize(moves.len(), 0);
        match self.kind {
            Kind::Guarded => guarded(&moves, plies, into),
            Kind::A1 => first_in_time(&moves, plies, into),
        }
    }
}

/// The plies from one to another, both included; no plies if the first is greater.
pub(super) fn clocks(from: u16, to: u16) -> Clocks {
    let up_to = |ply: u16| if ply >= 127 { Clocks::MAX } else { (1 << (ply + 1)) - 1 };
    if from > to { 0 } else { up_to(to) & !from.checked_sub(1).map_or(0, up_to) }
}

/// Finds the plies at which a guarded strategy allows each move: as long as the phase can be ended in time after it,
/// and no better move is.
fn guarded(moves: &[&[u16]], plies: u16, into: &mut [Clocks]) {
    // The rank by all parts, as one number, with the depth and the place of each move.
    let key = |ranks: &[u16]| ranks[RANKED..].iter().fold(0, |key, &rank| key << 16 | u64::from(rank));
    let mut order: Vec<(u16, u64, usize)> =
        moves.iter().enumerate().map(|(at, ranks)| (ranks[TO_ZERO], key(ranks), at)).collect();
    order.retain(|&(depth, ..)| depth <= plies);
    order.sort_unstable();
    let mut best = u64::MAX;
    let mut from = 0;
    while from < order.len() {
        let (depth, least, _) = order[from];
        let until = from + order[from..].iter().take_while(|(other, ..)| *other == depth).count();
        best = best.min(least);
        // From the ply at which slower moves are too late to the one at which these are.
        let too_late = order.get(until).map_or(0, |(slower, ..)| plies - slower + 1);
        let span = clocks(too_late, plies - depth);
        for &(.., at) in order[..until].iter().filter(|(_, key, _)| *key == best) {
            into[at] |= span;
        }
        from = until;
    }
}

/// Finds the plies at which SA1 allows each move: by SM while mate comes in time, then by SC while the conversion does,
/// then by SZCM.
fn first_in_time(moves: &[&[u16]], plies: u16, into: &mut [Clocks]) {
    const TO_CONVERSION: usize = RANKED;
    const TO_MATE: usize = RANKED + 1;
    let least = |column: usize| moves.iter().map(|ranks| ranks[column]).min();
    let (Some(mate), Some(conversion)) = (least(TO_MATE), least(TO_CONVERSION)) else { return };
    let fastest = moves.iter().map(|ranks| &ranks[TO_ZERO..]).min();
    // The first ply at which a depth is too late.
    let too_late = |depth: u16| (plies + 1).saturating_sub(depth);
    let (mate_ends, conversion_ends) = (too_late(mate), too_late(conversion));
    for (ranks, into) in moves.iter().zip(into) {
        if ranks[TO_MATE] == mate && mate_ends > 0 {
            *into |= clocks(0, mate_ends - 1);
        }
        if ranks[TO_CONVERSION] == conversion && conversion_ends > mate_ends {
            *into |= clocks(mate_ends, conversion_ends - 1);
        }
        if Some(&ranks[TO_ZERO..]) == fastest {
            *into |= clocks(conversion_ends.max(mate_ends), plies);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(strategy: &str, ranks: &[[u16; 3]]) -> Vec<Vec<u16>> {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let strategy = ClockedStrategy::of(&strategy, 5).expect("it looks at the clock");
        let width = strategy.columns().len();
        let ranks: Vec<u16> = ranks.iter().flat_map(|ranks| &ranks[..width]).copied().collect();
        let mut found = Vec::new();
        strategy.allowed(&ranks, 10, &mut found);
        found.iter().map(|&set| (0..=10).filter(|ply| set >> ply & 1 != 0).collect()).collect()
    }

    #[test]
    fn plies_are_bits() {
        assert_eq!((clocks(0, 0), clocks(1, 3), clocks(4, 3)), (1, 0b1110, 0));
        assert_eq!((clocks(0, 127), clocks(127, 127)), (Clocks::MAX, 1 << 127));
    }

    #[test]
    fn the_best_move_is_allowed_until_it_is_too_late() {
        // By DTM the last is best; it must be played by ply 4, the middle one by ply 7.
        let ranks = [[1, 30, 0], [3, 20, 0], [6, 10, 0]];
        assert_eq!(allowed("SM*", &ranks), [vec![8, 9], vec![5, 6, 7], (0..=4).collect()]);
        assert_eq!(allowed("SZ'M", &ranks), allowed("SM*", &ranks));
    }

    #[test]
    fn any_move_in_time_is_allowed_by_the_guard_alone() {
        let ranks = [[1, 0, 0], [3, 0, 0], [11, 0, 0]];
        assert_eq!(allowed("SZ'", &ranks), [(0..=9).collect::<Vec<u16>>(), (0..=7).collect(), vec![]]);
    }

    #[test]
    fn a1_mates_if_there_is_time_then_converts_then_ends_the_phase() {
        let ranks = [[1, 9, 30], [3, 4, 20], [6, 6, 7]];
        assert_eq!(allowed("SA1", &ranks), [vec![7, 8, 9, 10], vec![4, 5, 6], (0..=3).collect()]);
    }

    #[test]
    fn goals_are_not_of_this_kind() {
        let of = |text: &str| ClockedStrategy::of(&text.parse().expect("a strategy"), 50);
        assert!(["SR3", "SR3*", "SA2", "SM", "SMZ'"].iter().all(|text| of(text).is_none()));
        assert!(["SM*", "SZ'", "SZ'C", "SMC*", "SRP*", "SA1"].iter().all(|text| of(text).is_some()));
        assert!(ClockedStrategy::of(&Strategy::A1, MAX_CLOCKED_RULE + 1).is_none());
    }
}
