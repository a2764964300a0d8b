//! One pass through whole endgames that decides every position, by the quiet moves between places.
//!
//! What a strategy allows is found from arrays of depths, and moves are made on numbers of places. Only captures, pawn
//! moves and promotions are looked up as positions; they lead to places that were decided earlier.

use super::whole::{Latest, Path, WholeFollower};
use super::{Part, Strategy};
use crate::error::EndgameError;
use errare_tables::{Arrival, Library, Man, Material, Metric, NO_POSITION, Outcome, Plies, QuietMoves, Source, Value};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position, Role};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Places that one thread goes through before it takes up others.
const CHUNK: usize = 1 << 14;
/// Positions between checks for cancellation: less than a millisecond of work.
const BETWEEN_CHECKS: u32 = 256;
/// Added to the depth of a win that the rule takes away, so that it ranks behind the others.
const CURSED: u16 = 1 << 14;

/// Decides every position of an endgame and of those that it converts to for one strategy.
pub(super) struct WholePass<'f, 'a> {
    follower: &'f WholeFollower<'a>,
    library: &'f Library,
    parts: &'f [Part],
    done: AtomicU64,
    total: u64,
}

/// A part of an endgame that quiet moves do not leave, with one side as the winner.
struct Field<'p> {
    endgame: usize,
    quiet: &'p QuietMoves,
    winner: Color,
    places: Range<u64>,
    /// Depths with the winner to move, in the metric of the strategy's first part.
    mine: Vec<u16>,
    /// Ranks of arriving with the defender to move, for each part of the strategy.
    theirs: Vec<Vec<u16>>,
}

/// A place in work: its allowed moves that are still to be followed begin at `first` of the list of all.
struct Frame {
    place: u64,
    attacks: bool,
    latest: Latest,
    first: usize,
}

/// A capture, pawn move or promotion: its rank for each part, and what comes after it.
struct Zeroing {
    ranks: Vec<u16>,
    after: Chess,
}

/// What one thread needs.
#[derive(Default)]
struct Room {
    frames: Vec<Frame>,
    moves: Vec<u64>,
    open: HashSet<(u64, bool)>,
    path: Path,
    steps: u32,
}

impl<'f, 'a> WholePass<'f, 'a> {
    /// Prepares the pass; none for a strategy that ranks moves by something else than depths.
    pub fn new(follower: &'f WholeFollower<'a>, library: &'f Library) -> Option<WholePass<'f, 'a>> {
        let Strategy::Parts { parts, starred: false } = follower.attack() else { return None };
        let ranks = |part: &Part| matches!(part, Part::Minimax(_) | Part::Phase);
        let total = follower.materials().filter_map(QuietMoves::new).map(|quiet| 2 * quiet.places()).sum();
        let is_possible = !parts.is_empty() && parts.iter().all(ranks);
        is_possible.then(|| WholePass { follower, library, parts, done: AtomicU64::new(0), total })
    }

    /// Decides all positions, sub-endgames first.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn run(&self, progress: &dyn Progress) -> Result<(), EndgameError> {
        let mut order: Vec<(usize, _)> = self.follower.materials().enumerate().collect();
        order.sort_by_key(|(_, material)| (material.men(), pawns(*material)));
        for (endgame, material) in order {
            let Some(quiet) = QuietMoves::new(material) else { continue };
            let activity = format!("following {} through {material}", self.follower.attack());
            let report = |count: u64| {
                let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(&Status::new(&activity, "placements").at(done, self.total));
            };
            for level in quiet.levels() {
                level.into_par_iter().try_for_each(|places| {
                    Color::ALL.into_iter().try_for_each(|winner| {
                        let field = self.field(endgame, &quiet, winner, places.clone(), progress)?;
                        self.decide(&field, &report, progress)
                    })
                })?;
            }
        }
        Ok(())
    }

    fn field<'p>(
        &self,
        endgame: usize,
        quiet: &'p QuietMoves,
        winner: Color,
        places: Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Field<'p>, EndgameError> {
        let read = |metric, turn, code: &dyn Fn(Value) -> u16| {
            quiet.codes(self.library, metric, turn, &places, code, progress)
        };
        let depth = |value: Value| if value.outcome.is_win() { value.plies.0 } else { NO_POSITION };
        let mine = read(metric(self.parts[0]), winner, &depth)?;
        let after = |part: &Part| {
            let rank = |value: Value| rank(*part, quiet_arrival(value));
            read(metric(*part), winner.other(), &rank)
        };
        let theirs = self.parts.iter().map(after).collect::<Result<_, _>>()?;
        Ok(Field { endgame, quiet, winner, places, mine, theirs })
    }

    /// Decides all positions of a field that the winner wins, either side being to move.
    fn decide(
        &self,
        field: &Field<'_>,
        report: &(dyn Fn(u64) + Sync),
        progress: &dyn Progress,
    ) -> Result<(), EndgameError> {
        let chunks = field.mine.par_chunks(CHUNK).zip(field.theirs[0].par_chunks(CHUNK)).enumerate();
        chunks.try_for_each_init(Room::default, |room, (chunk, (mine, theirs))| {
            let first = field.places.start + (chunk * CHUNK) as u64;
            for (at, (&mine, &theirs)) in mine.iter().zip(theirs).enumerate() {
                for (attacks, code) in [(true, mine), (false, theirs)] {
                    if code != NO_POSITION {
                        self.latest(field, first + at as u64, attacks, room, progress)?;
                    }
                }
            }
            progress.proceed()?;
            report(mine.len() as u64);
            Ok(())
        })
    }

    /// Goes through the positions that the strategy may come to, and notes the latest ply of the phase for each.
    fn latest(
        &self,
        field: &Field<'_>,
        place: u64,
        attacks: bool,
        room: &mut Room,
        progress: &dyn Progress,
    ) -> Result<(), EndgameError> {
        if self.known(field, place, attacks).is_some() {
            return Ok(());
        }
        // Depths to a goal fall with every move of the winner, and no position can come back.
        let may_repeat = metric(self.parts[0]) == Metric::Dtr;
        self.enter(field, place, attacks, room, progress)?;
        if may_repeat {
            room.open.insert((place, attacks));
        }
        while let Some(frame) = room.frames.last_mut() {
            let next = if frame.latest.is_some() { room.moves[frame.first..].last().copied() } else { None };
            let Some(next) = next else {
                // One line that slips is enough: the others need no following.
                room.moves.truncate(frame.first);
                let (place, attacks) = (frame.place, frame.attacks);
                self.follower.note(field.endgame, place, turn(field.winner, attacks), frame.latest);
                room.frames.pop();
                if may_repeat {
                    room.open.remove(&(place, attacks));
                }
                continue;
            };
            let there = !frame.attacks;
            let found = match self.known(field, next, there) {
                Some(latest) => Some(latest),
                // Who comes back to a position within a phase can do so for ever: the clock runs out.
                None if may_repeat && room.open.contains(&(next, there)) => Some(None),
                None => None,
            };
            match found {
                Some(latest) => {
                    frame.latest = frame.latest.min(latest.and_then(|latest| latest.checked_sub(1)));
                    room.moves.pop();
                }
                None => {
                    self.enter(field, next, there, room, progress)?;
                    if may_repeat {
                        room.open.insert((next, there));
                    }
                }
            }
        }
        Ok(())
    }

    fn known(&self, field: &Field<'_>, place: u64, attacks: bool) -> Option<Latest> {
        self.follower.noted(field.endgame, place, turn(field.winner, attacks))
    }

    /// Begins with a position: lists the quiet moves that are allowed there, and settles the others at once.
    fn enter(
        &self,
        field: &Field<'_>,
        place: u64,
        attacks: bool,
        room: &mut Room,
        progress: &dyn Progress,
    ) -> Result<(), EndgameError> {
        room.steps += 1;
        if room.steps.is_multiple_of(BETWEEN_CHECKS) {
            progress.proceed()?;
        }
        let first = room.moves.len();
        let others = field.quiet.moves(turn(field.winner, attacks), place, &mut room.moves);
        let codes = if attacks { &field.theirs[0] } else { &field.mine };
        let mut kept = first;
        for at in first..room.moves.len() {
            let to = room.moves[at];
            if codes[field.at(to)] != NO_POSITION {
                room.moves[kept] = to;
                kept += 1;
            }
        }
        room.moves.truncate(kept);
        let mut latest = Some(self.follower.plies());
        let mut zeroing = Vec::new();
        if others {
            zeroing = self.zeroing(field, place, attacks)?;
        }
        if attacks {
            self.choose(field, first, &mut room.moves, &mut zeroing);
            if room.moves.len() == first && zeroing.is_empty() {
                return Err(EndgameError::Internal("no move keeps the value that the table gives the position"));
            }
        }
        for Zeroing { after, .. } in &zeroing {
            let there = self.follower.latest(after, field.winner, &mut room.path, progress)?;
            latest = latest.min(there.map(|_| self.follower.plies() - 1));
        }
        room.frames.push(Frame { place, attacks, latest, first });
        Ok(())
    }

    /// The captures, pawn moves and promotions that may be of interest, with the ranks of those of the winner.
    fn zeroing(&self, field: &Field<'_>, place: u64, attacks: bool) -> Result<Vec<Zeroing>, EndgameError> {
        // A winner who counts plies to a zeroing move or a conversion makes it when it is one ply away, and not before.
        let (depth, first) = (field.mine[field.at(place)], metric(self.parts[0]));
        if attacks && first == Metric::Dtz && depth > 1 {
            return Ok(Vec::new());
        }
        let no_conversions = attacks && first == Metric::Dtc && depth > 1;
        let position = field.quiet.position(place, turn(field.winner, attacks))?;
        let mut found = Vec::new();
        for mv in position.legal_moves().into_iter().filter(|mv| mv.is_zeroing()) {
            let converting = mv.is_capture() || mv.is_promotion();
            if no_conversions && converting {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            let mut ranks = Vec::new();
            if attacks {
                for &part in self.parts {
                    let there = self.library.value(&after, metric(part))?;
                    let value = Value { outcome: there.outcome.reversed(), ..there };
                    ranks.push(rank(part, Arrival { value, zeroing: true, converting, stalemate: false }));
                }
                if ranks.contains(&NO_POSITION) {
                    continue;
                }
            }
            found.push(Zeroing { ranks, after });
        }
        Ok(found)
    }

    /// Leaves the moves that the strategy allows: each part keeps the best of what the one before it has left.
    fn choose(&self, field: &Field<'_>, first: usize, moves: &mut Vec<u64>, zeroing: &mut Vec<Zeroing>) {
        for (part, ranks) in field.theirs.iter().enumerate() {
            let quiet = moves[first..].iter().map(|&to| ranks[field.at(to)]);
            let best = quiet.chain(zeroing.iter().map(|zeroing| zeroing.ranks[part])).min();
            let mut kept = first;
            for at in first..moves.len() {
                let to = moves[at];
                if Some(ranks[field.at(to)]) == best {
                    moves[kept] = to;
                    kept += 1;
                }
            }
            moves.truncate(kept);
            zeroing.retain(|zeroing| Some(zeroing.ranks[part]) == best);
        }
    }
}

impl Field<'_> {
    #[inline(always)]
    fn at(&self, place: u64) -> usize {
        (place - self.places.start) as usize
    }
}

fn turn(winner: Color, attacks: bool) -> Color {
    if attacks { winner } else { winner.other() }
}

fn pawns(material: Material) -> usize {
    Color::ALL.into_iter().map(|color| material.count(Man { color, role: Role::Pawn })).sum()
}

fn metric(part: Part) -> Metric {
    match part {
        Part::Minimax(metric) => metric,
        Part::Phase => Metric::Dtr,
        Part::Guard | Part::Goal(_) => Metric::Dtz,
    }
}

/// Arriving by a quiet move at a position of this value, the defender to move.
fn quiet_arrival(there: Value) -> Arrival {
    let value = Value { outcome: there.outcome.reversed(), ..there };
    // Mate ends the phase like a zeroing move.
    let zeroing = there == Value::new(Outcome::Loss, 0);
    Arrival { value, zeroing, converting: false, stalemate: false }
}

/// The rank of an arrival by a part of a strategy: the least is the best, and moves that do not win have none.
fn rank(part: Part, arrival: Arrival) -> u16 {
    let ranked = arrival.ranked(metric(part));
    let Plies(depth) = if part == Part::Phase { ranked.phase } else { ranked.plies };
    match ranked.outcome {
        Outcome::Win => depth,
        Outcome::CursedWin => CURSED + depth,
        _ => NO_POSITION,
    }
}
