//! One pass through whole endgames that decides every position, by the quiet moves between places.
//!
//! What a strategy allows is found from arrays of depths, and moves are made on numbers of places. Only captures, pawn
//! moves and promotions are looked up as positions; they lead to places that were decided earlier.

use super::whole::{Latest, Path, WholeFollower};
use super::whole_field::{Field, FieldEndgame, RankedParts};
use super::zeroing_moves::{After, Zeroing, list_positions, list_pushes, sought_moves};
use crate::error::EndgameError;
use errare_tables::{Library, Material, Metric, NO_POSITION, OtherMoves, QuietMoves};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of places that one thread goes through before it takes up others.
const CHUNK: usize = 1 << 14;
/// Number of positions between checks for cancellation: less than a millisecond of work.
const BETWEEN_CHECKS: u32 = 256;

/// A pass that decides every position of an endgame and of those that it converts to for one strategy.
pub(super) struct WholePass<'f, 'a> {
    follower: &'f WholeFollower<'a>,
    library: &'f Library,
    parts: RankedParts<'f>,
    progress: &'f dyn Progress,
    done: AtomicU64,
    total: u64,
}

/// A place of a field, with the attacker or the defender to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Spot {
    place: u64,
    attacks: bool,
}

/// A position in work: its allowed moves that are still to be followed begin at `first` of the list of all.
struct Frame {
    spot: Spot,
    latest: Latest,
    first: usize,
}

/// The working memory of one thread.
#[derive(Default)]
struct Room {
    frames: Vec<Frame>,
    moves: Vec<u64>,
    open: HashSet<Spot>,
    path: Path,
    steps: u32,
}

impl<'f, 'a> WholePass<'f, 'a> {
    /// Prepares the pass; none for a strategy that ranks moves by something else than depths.
    pub fn new(
        follower: &'f WholeFollower<'a>,
        library: &'f Library,
        progress: &'f dyn Progress,
    ) -> Option<WholePass<'f, 'a>> {
        let parts = RankedParts::of(follower.attack())?;
        let mut pass = WholePass { follower, library, parts, progress, done: AtomicU64::new(0), total: 0 };
        for material in follower.marks().materials() {
            let fields = pass.winners(material).count() as u64;
            pass.total += QuietMoves::new(material).map_or(0, |quiet| fields * quiet.places());
        }
        Some(pass)
    }

    /// The sides of an endgame that may let a win slip.
    fn winners(&self, material: Material) -> impl Iterator<Item = Color> {
        Color::ALL.into_iter().filter(move |&winner| !self.follower.keeps_all(material, winner))
    }

    /// Decides all positions, sub-endgames first.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn run(&self) -> Result<(), EndgameError> {
        let unknown = EndgameError::Internal("a pass began before it was known what is kept");
        let kept = self.follower.kept().ok_or(unknown)?;
        for (number, material) in self.follower.marks().in_order() {
            let Some(quiet) = QuietMoves::new(material).filter(|_| self.winners(material).next().is_some()) else {
                continue;
            };
            let activity = format!("following {} through {material}", self.follower.attack());
            let report = |count: u64| {
                let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
                self.progress.report(&Status::new(&activity, "placements").at(done, self.total));
            };
            let endgame = FieldEndgame { number, material, quiet: &quiet };
            for level in quiet.levels() {
                level.into_par_iter().try_for_each(|places| {
                    self.winners(material).try_for_each(|winner| {
                        let part = (winner, places.clone());
                        let ranked = (self.parts.first_metric(), self.parts);
                        let field = Field::read(endgame, part, ranked, (self.library, kept), self.progress)?;
                        self.decide(&field, &report)
                    })
                })?;
            }
        }
        Ok(())
    }

    /// Decides all positions of a field that the winner wins, either side being to move.
    fn decide(&self, field: &Field<'_>, report: &(dyn Fn(u64) + Sync)) -> Result<(), EndgameError> {
        let chunks = field.mine.par_chunks(CHUNK).zip(field.theirs[0].par_chunks(CHUNK)).enumerate();
        chunks.try_for_each_init(Room::default, |room, (chunk, (mine, theirs))| {
            let first = field.places.start + (chunk * CHUNK) as u64;
            for (at, (&mine, &theirs)) in mine.iter().zip(theirs).enumerate() {
                for (attacks, code) in [(true, mine), (false, theirs)] {
                    if code != NO_POSITION {
                        self.latest(field, Spot { place: first + at as u64, attacks }, room)?;
                    }
                }
            }
            self.progress.proceed()?;
            report(mine.len() as u64);
            Ok(())
        })
    }

    /// Goes through the positions that the strategy may come to, and notes the latest ply of the phase for each.
    fn latest(&self, field: &Field<'_>, spot: Spot, room: &mut Room) -> Result<(), EndgameError> {
        if self.known(field, spot).is_some() {
            return Ok(());
        }
        // Depths to a goal fall with every move of the winner, and no position can come back. DTR need not fall. Nor need
        // DTZ under a rule in wins that the rule takes away: it prefers others of them to a win that comes too late.
        let may_repeat = matches!(self.parts.first_metric(), Metric::Dtr | Metric::DtzRule(_));
        self.enter(field, spot, room)?;
        if may_repeat {
            room.open.insert(spot);
        }
        while let Some(frame) = room.frames.last_mut() {
            let next = if frame.latest.is_some() { room.moves[frame.first..].last().copied() } else { None };
            let Some(next) = next else {
                // One line that slips is enough: the others need no following.
                room.moves.truncate(frame.first);
                let spot = frame.spot;
                self.follower.note(field.endgame, spot.place, field.turn(spot.attacks), frame.latest);
                room.frames.pop();
                if may_repeat {
                    room.open.remove(&spot);
                }
                continue;
            };
            let next = Spot { place: next, attacks: !frame.spot.attacks };
            let found = match self.known(field, next) {
                Some(latest) => Some(latest),
                // Who comes back to a position within a phase can do so for ever: the clock runs out.
                None if may_repeat && room.open.contains(&next) => Some(None),
                None => None,
            };
            match found {
                Some(latest) => {
                    frame.latest = frame.latest.min(latest.and_then(|latest| latest.checked_sub(1)));
                    room.moves.pop();
                }
                None => {
                    self.enter(field, next, room)?;
                    if may_repeat {
                        room.open.insert(next);
                    }
                }
            }
        }
        Ok(())
    }

    fn known(&self, field: &Field<'_>, spot: Spot) -> Option<Latest> {
        self.follower.noted(field.endgame, spot.place, field.turn(spot.attacks))
    }

    /// Puts a position in work: lists the quiet moves that are allowed there, and settles the others at once.
    fn enter(&self, field: &Field<'_>, spot: Spot, room: &mut Room) -> Result<(), EndgameError> {
        room.steps += 1;
        if room.steps.is_multiple_of(BETWEEN_CHECKS) {
            self.progress.proceed()?;
        }
        let Spot { place, attacks } = spot;
        let first = room.moves.len();
        let others = field.quiet.moves(field.turn(attacks), place, &mut room.moves);
        let codes = if attacks { &field.theirs[0] } else { &field.mine };
        retain_from(&mut room.moves, first, |to| codes[field.at(to)] != NO_POSITION);
        let latest = if attacks {
            self.attack(field, place, others, first, room)?
        } else {
            self.defend(field, place, others, room)?
        };
        room.frames.push(Frame { spot, latest, first });
        Ok(())
    }

    /// The latest ply at which the defender's captures and pawn moves leave the win.
    fn defend(
        &self,
        field: &Field<'_>,
        place: u64,
        others: OtherMoves,
        room: &mut Room,
    ) -> Result<Latest, EndgameError> {
        let (facts, mut latest) = (&field.defence, Some(self.follower.plies()));
        for push in facts.pushes.iter().flatten() {
            let to = field.quiet.pushed(push, place);
            // All positions there are decided: an unknown one is not legal.
            if let Some(there) = to.and_then(|to| self.follower.noted(field.endgame, to, field.winner)) {
                latest = latest.min(self.before_zeroing(there));
            }
        }
        let converts = others.captures && !facts.captures_kept || facts.may_promote && !facts.promotions_kept;
        if converts || others.pawns && facts.pushes.is_none() {
            let position = field.quiet.position(place, field.turn(false))?;
            for (_, after) in sought_moves(&position, facts.pushes.is_some()) {
                let there = self.follower.latest(&after, field.winner, &mut room.path, self.progress)?;
                latest = latest.min(self.before_zeroing(there));
            }
        }
        Ok(latest)
    }

    /// Keeps the quiet moves that the strategy allows, and returns the latest ply at which its other moves keep the
    /// win.
    fn attack(
        &self,
        field: &Field<'_>,
        place: u64,
        others: OtherMoves,
        first: usize,
        room: &mut Room,
    ) -> Result<Latest, EndgameError> {
        let mut zeroing = Vec::new();
        let all_found = self.zeroing(field, place, others, &mut zeroing)?;
        if self.parts.follows_depth() {
            let (depth, ranks) = (field.mine[field.at(place)], &field.theirs[0]);
            retain_from(&mut room.moves, first, |to| ranks[field.at(to)] == depth);
            zeroing.retain(|zeroing| zeroing.ranks[0] == depth);
        } else {
            choose(field, first, &mut room.moves, &mut zeroing);
        }
        if room.moves.len() == first && zeroing.is_empty() && all_found {
            return Err(EndgameError::Internal("no move keeps the value that the table gives the position"));
        }
        // A conversion that keeps the win for certain can be made at any ply of the phase, as any other move can.
        let mut latest = Some(self.follower.plies() - 1);
        for Zeroing { after, .. } in zeroing {
            let there = match after {
                After::Position(after) => self.follower.latest(&after, field.winner, &mut room.path, self.progress)?,
                After::Place(to) => {
                    let undecided = EndgameError::Internal("a pawn move leads to a win that is not decided");
                    self.follower.noted(field.endgame, to, field.turn(false)).ok_or(undecided)?
                }
            };
            latest = latest.min(self.before_zeroing(there));
        }
        Ok(latest)
    }

    /// Computes the latest ply before a move that begins a new phase.
    fn before_zeroing(&self, latest: Latest) -> Latest {
        latest.map(|_| self.follower.plies() - 1)
    }

    /// Lists the winner's captures, pawn moves and promotions with their ranks. Returns whether all that may be allowed are
    /// listed: conversions that keep the win for certain need not be.
    fn zeroing(
        &self,
        field: &Field<'_>,
        place: u64,
        others: OtherMoves,
        into: &mut Vec<Zeroing>,
    ) -> Result<bool, EndgameError> {
        // A winner who counts plies to a zeroing move or a conversion makes it when it is one ply away, and not before.
        let (depth, first, facts) = (field.mine[field.at(place)], self.parts.first_metric(), &field.attack);
        if first == Metric::Dtz && depth > 1 {
            return Ok(true);
        }
        let follows_depth = self.parts.follows_depth();
        list_pushes(field, place, |push, to| !follows_depth || push.first_rank(to) == depth, into);
        let mut converts = others.captures || facts.may_promote;
        let mut all_found = true;
        if first == Metric::Dtc && depth > 1 {
            converts = false;
        } else if follows_depth {
            let skipped = converts;
            converts = others.captures && !facts.captures_kept || facts.may_promote && !facts.promotions_kept;
            all_found = !skipped || converts;
        }
        if !converts && (!others.pawns || facts.pushes.is_some()) {
            return Ok(all_found);
        }
        list_positions((self.library, self.parts), field, place, converts, into)?;
        Ok(all_found)
    }
}

/// Keeps the moves that the strategy allows: each part keeps the best of the moves that the one before it has left.
fn choose(field: &Field<'_>, first: usize, moves: &mut Vec<u64>, zeroing: &mut Vec<Zeroing>) {
    for (part, ranks) in field.theirs.iter().enumerate() {
        let quiet = moves[first..].iter().map(|&to| ranks[field.at(to)]);
        let best = quiet.chain(zeroing.iter().map(|zeroing| zeroing.ranks[part])).min();
        retain_from(moves, first, |to| Some(ranks[field.at(to)]) == best);
        zeroing.retain(|zeroing| Some(zeroing.ranks[part]) == best);
    }
}

/// Keeps some of the moves in the list from a place on.
#[inline(always)]
fn retain_from(moves: &mut Vec<u64>, first: usize, keep: impl Fn(u64) -> bool) {
    let mut kept = first;
    for at in first..moves.len() {
        let to = moves[at];
        moves[kept] = to;
        kept += usize::from(keep(to));
    }
    moves.truncate(kept);
}
