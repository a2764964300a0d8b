//! A part of an endgame that quiet moves do not leave, laid out for one pass that decides every win of one side.

use super::kept_endgames::KeptEndgames;
use super::{Part, Strategy};
use crate::error::EndgameError;
use errare_tables::{Arrival, Library, Material, Metric, NO_POSITION, Outcome, Plies, Push, QuietMoves, Value};
use errare_work::Progress;
use shakmaty::Color;
use std::ops::Range;

/// The number added to the depth of a win that the rule takes away, so that it ranks behind the others.
pub(super) const CURSED: u16 = 1 << 14;

/// The parts of a strategy that a pass can follow: each ranks moves by a depth.
#[derive(Clone, Copy)]
pub(super) struct RankedParts<'s>(&'s [Part]);

impl<'s> RankedParts<'s> {
    /// The parts of a strategy; none if it ranks moves by something else than depths.
    pub fn of(strategy: &'s Strategy) -> Option<RankedParts<'s>> {
        let Strategy::Parts { parts, starred: false } = strategy else { return None };
        let ranks = |part: &Part| matches!(part, Part::Minimax(_) | Part::Phase);
        (!parts.is_empty() && parts.iter().all(ranks)).then_some(RankedParts(parts))
    }

    /// The parts that a pass ranks moves by, where they are more than the parts of its strategy.
    pub fn columns(columns: &'s [Part]) -> RankedParts<'s> {
        RankedParts(columns)
    }

    pub fn iter(&self) -> impl Iterator<Item = Part> + 's {
        self.0.iter().copied()
    }

    /// The metric that moves are ranked by first.
    pub fn first_metric(&self) -> Metric {
        metric(self.0[0])
    }

    /// Whether the moves allowed are those through which a position has its depth, and all of those.
    pub fn follows_depth(&self) -> bool {
        self.0.len() == 1 && matches!(self.first_metric(), Metric::Dtm | Metric::Dtc | Metric::Dtz)
    }
}

/// The facts about those moves of one side in a field that are not quiet.
pub(super) struct MoverFacts<P> {
    /// The pawn steps that do not promote; none if they have to be looked up as positions.
    pub pushes: Option<Vec<P>>,
    /// Whether the winner keeps all wins after captures by this side that do not promote.
    pub captures_kept: bool,
    /// Whether a pawn of this side may promote.
    pub may_promote: bool,
    /// Whether the winner keeps all wins after a promotion.
    pub promotions_kept: bool,
}

/// A pawn step of the winner, with the ranks of arriving by it for each part of the strategy.
pub(super) struct RankedPush {
    pub push: Push,
    ranks: Vec<Vec<u16>>,
}

/// A part of an endgame that quiet moves do not leave, with one side as the winner.
pub(super) struct Field<'p> {
    pub endgame: usize,
    pub quiet: &'p QuietMoves,
    pub winner: Color,
    pub places: Range<u64>,
    /// Ranks of the depths with the winner to move.
    pub mine: Vec<u16>,
    /// Ranks of arriving with the defender to move, for each part of the strategy.
    pub theirs: Vec<Vec<u16>>,
    pub attack: MoverFacts<RankedPush>,
    pub defence: MoverFacts<Push>,
}

/// The endgame of a field: its number, its men and its moves.
#[derive(Clone, Copy)]
pub(super) struct FieldEndgame<'p> {
    pub number: usize,
    pub material: Material,
    pub quiet: &'p QuietMoves,
}

impl<'p> Field<'p> {
    /// Reads the depths of a field from our tables, with the winner to move in one metric.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn read(
        endgame: FieldEndgame<'p>,
        (winner, places): (Color, Range<u64>),
        (counted, parts): (Metric, RankedParts<'_>),
        (library, kept): (&Library, &KeptEndgames),
        progress: &dyn Progress,
    ) -> Result<Field<'p>, EndgameError> {
        let FieldEndgame { number, material, quiet } = endgame;
        let read = |metric, turn, places: &Range<u64>, code: &dyn Fn(Value) -> u16| {
            quiet.codes(library, metric, turn, places, code, progress)
        };
        let ranks = |places: &Range<u64>, arrival: fn(Value) -> Arrival| {
            let of_part = |part| read(metric(part), winner.other(), places, &|value| rank(part, arrival(value)));
            parts.iter().map(of_part).collect::<Result<Vec<_>, _>>()
        };
        let depth = |Value { outcome, plies, .. }: Value| win_rank(outcome, plies);
        let mine = read(counted, winner, &places, &depth)?;
        let theirs = ranks(&places, quiet_arrival)?;
        let ranked = |push: Push| Ok::<_, EndgameError>(RankedPush { ranks: ranks(&push.part, pushed_arrival)?, push });
        let pushes = quiet.pushes(winner, &places);
        let pushes = pushes.map(|pushes| pushes.into_iter().map(ranked).collect::<Result<_, _>>()).transpose()?;
        let promotions_kept = kept.all_conversions(material, winner);
        let attack = MoverFacts {
            pushes,
            captures_kept: kept.all_captures(material, winner, winner),
            may_promote: quiet.may_promote(winner, &places),
            promotions_kept,
        };
        let defence = MoverFacts {
            pushes: quiet.pushes(winner.other(), &places),
            captures_kept: kept.all_captures(material, winner, winner.other()),
            may_promote: quiet.may_promote(winner.other(), &places),
            promotions_kept,
        };
        Ok(Field { endgame: number, quiet, winner, places, mine, theirs, attack, defence })
    }

    #[inline(always)]
    pub fn at(&self, place: u64) -> usize {
        (place - self.places.start) as usize
    }

    pub fn turn(&self, attacks: bool) -> Color {
        if attacks { self.winner } else { self.winner.other() }
    }
}

impl RankedPush {
    /// The ranks of arriving at a place by this step; none if the step does not win.
    pub fn ranks(&self, to: u64) -> Option<Vec<u16>> {
        let at = (to - self.push.part.start) as usize;
        let ranks: Vec<u16> = self.ranks.iter().map(|ranks| ranks[at]).collect();
        (!ranks.contains(&NO_POSITION)).then_some(ranks)
    }

    /// The rank of arriving at a place by this step, for the first part.
    pub fn first_rank(&self, to: u64) -> u16 {
        self.ranks[0][(to - self.push.part.start) as usize]
    }
}

pub(super) fn metric(part: Part) -> Metric {
    match part {
        Part::Minimax(metric) => metric,
        Part::Phase => Metric::Dtr,
        Part::Guard | Part::Goal(_) => Metric::Dtz,
    }
}

/// The arrival by a quiet move at a position of this value, the defender to move.
fn quiet_arrival(there: Value) -> Arrival {
    // Mate ends the phase like a zeroing move.
    let zeroing = there == Value::new(Outcome::Loss, 0);
    Arrival { zeroing, ..pushed_arrival(there) }
}

/// The arrival by a pawn step at a position of this value, the defender to move.
fn pushed_arrival(there: Value) -> Arrival {
    let value = Value { outcome: there.outcome.reversed(), ..there };
    Arrival { value, zeroing: true, converting: false, stalemate: false }
}

/// The rank of an arrival by a part of a strategy: the least is the best, and moves that do not win have none.
pub(super) fn rank(part: Part, arrival: Arrival) -> u16 {
    let ranked = arrival.ranked(metric(part));
    win_rank(ranked.outcome, if part == Part::Phase { ranked.phase } else { ranked.plies })
}

/// The rank of a win by its depth.
pub(super) fn win_rank(outcome: Outcome, Plies(depth): Plies) -> u16 {
    match outcome {
        Outcome::Win => depth,
        Outcome::CursedWin => CURSED + depth,
        _ => NO_POSITION,
    }
}
