//! One pass through whole endgames for a strategy that looks at the clock: it decides every position at every ply of the
//! phase.
//!
//! A strategy lets a win slip at a ply if some move that it allows there leads, in the end, to a position that cannot be won
//! any more. So the plies at which wins slip spread from such moves backwards, until nothing changes: to the defender's
//! positions before, where any move will do, and from there to the winner's, at the plies at which the strategy allows
//! the move.

use super::clock_choice::{ClockedStrategy, Clocks, TO_ZERO, clocks};
use super::clock_masks::{ClockMasks, PlaceSet};
use super::kept_endgames::KeptEndgames;
use super::marks::Marks;
use super::whole_field::{CURSED, Field, FieldEndgame, RankedParts, win_rank};
use super::zeroing_moves::{After, Zeroing, after, list_positions, list_pushes, sought_moves};
use super::{Goals, Outlook, Situation, Strategy};
use crate::error::EndgameError;
use errare_tables::{Library, Material, Metric, NO_POSITION, Outcome, QuietMoves, Source, Value};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of places that one thread goes through before it takes up others: a multiple of 64.
const CHUNK: usize = 1 << 14;
/// Number of positions between checks for cancellation: less than a millisecond of work.
const BETWEEN_CHECKS: u32 = 256;

/// The mark of a position that has been decided; other marks are added to it.
const DECIDED: u8 = 1;
/// The mark of a position that slips if it is reached by the zeroing move that begins its phase.
const SLIPS_AT_0: u8 = 2;
/// The mark of a position that slips at the first ply of a phase, as it may be reached after a capture en passant was left out.
const SLIPS_AT_1: u8 = 4;

/// A pass that decides every position of an endgame and of those that it converts to, at every ply of the phase.
pub(super) struct ClockedPass<'a> {
    library: &'a Library,
    strategy: &'a Strategy,
    clocked: ClockedStrategy,
    /// Number of plies that a phase may last.
    plies: u16,
    marks: Marks,
    kept: KeptEndgames,
}

/// A field, with the plies at which its positions are known to slip so far.
struct ClockedField<'f> {
    field: &'f Field<'f>,
    /// Ranks of the depths under the rule, with the defender to move.
    lost: Vec<u16>,
    /// The plies at which wins slip, with the winner and with the defender to move.
    winner: ClockMasks,
    defender: ClockMasks,
    /// The places whose plies have changed, with the winner and with the defender to move.
    winner_changed: PlaceSet,
    defender_changed: PlaceSet,
    /// The places, with the winner to move, that a change may concern.
    concerned: PlaceSet,
}

/// The working memory of one thread.
#[derive(Default)]
struct Room {
    moves: Vec<u64>,
    zeroing: Vec<Zeroing>,
    ranks: Vec<u16>,
    allowed: Vec<Clocks>,
    /// The plies at which the win slips after each quiet move.
    after: Vec<Clocks>,
    steps: u32,
}

impl<'a> ClockedPass<'a> {
    /// Prepares the pass; none for bare kings and a strategy of another kind.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn new(
        library: &'a Library,
        material: Material,
        strategy: &'a Strategy,
        rule: u16,
        progress: &dyn Progress,
    ) -> Result<Option<ClockedPass<'a>>, EndgameError> {
        let Some(clocked) = ClockedStrategy::of(strategy, rule) else { return Ok(None) };
        let Some(marks) = Marks::new(material) else { return Ok(None) };
        let kept = KeptEndgames::new(library, marks.materials(), strategy, rule, progress)?;
        Ok(Some(ClockedPass { library, strategy, clocked, plies: 2 * rule, marks, kept }))
    }

    /// Number of bytes that the pass takes at most, or none if it cannot be made.
    pub fn bytes(material: Material, strategy: &Strategy, rule: u16) -> Option<u64> {
        let columns = ClockedStrategy::of(strategy, rule)?.columns().len() as u64;
        let marks = Marks::new(material)?;
        let largest = marks.materials().filter_map(|material| {
            let quiet = QuietMoves::new(material)?;
            let (mut places, mut fields) = (0, 0);
            for level in quiet.levels() {
                let threads = rayon::current_num_threads().min(level.len());
                fields = fields.max(threads as u64);
                places = level.iter().map(|part| part.end - part.start).chain([places]).max()?;
            }
            // Ranks of the places, and of those that up to two pawn steps lead to; the sets; and what is read of a table.
            let ranks = 2 * (2 + columns) + if material.has_pawns() { 4 * columns } else { 0 };
            Some(fields * (places * (ranks + 1) + 2 * ClockMasks::bytes(places)))
        });
        Some(largest.max()? + Marks::bytes(material))
    }

    /// Whether a side is certain to keep all its wins in an endgame.
    pub fn keeps_all(&self, material: Material, winner: Color) -> bool {
        self.kept.holds(material, winner)
    }

    /// Whether the win at a place of the endgame asked about is kept if the clock is at zero; none if it is not decided.
    pub fn keeps(&self, place: u64, turn: Color) -> Option<bool> {
        let mark = self.marks.get(Marks::at(0, place, turn));
        (mark & DECIDED != 0).then_some(mark & SLIPS_AT_0 == 0)
    }

    /// Decides all positions, sub-endgames first.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn run(&self, progress: &dyn Progress) -> Result<(), EndgameError> {
        let winners = |material| Color::ALL.into_iter().filter(move |&winner| !self.keeps_all(material, winner));
        let places = |material| QuietMoves::new(material).map_or(0, |quiet| quiet.places());
        let total: u64 =
            self.marks.materials().map(|material| winners(material).count() as u64 * places(material)).sum();
        let done = AtomicU64::new(0);
        for (number, material) in self.marks.in_order() {
            let Some(quiet) = QuietMoves::new(material).filter(|_| winners(material).next().is_some()) else {
                continue;
            };
            let activity = format!("following {} through {material}", self.strategy);
            let report = |count: u64| {
                let done = done.fetch_add(count, Ordering::Relaxed) + count;
                progress.report(&Status::new(&activity, "placements").at(done, total));
            };
            let endgame = FieldEndgame { number, material, quiet: &quiet };
            let columns = RankedParts::columns(self.clocked.columns());
            for level in quiet.levels() {
                level.into_par_iter().try_for_each(|places| {
                    winners(material).try_for_each(|winner| {
                        let (part, by_rule) = ((winner, places.clone()), Metric::DtzRule(self.plies / 2));
                        let tables = (self.library, &self.kept);
                        let field = Field::read(endgame, part, (by_rule, columns), tables, progress)?;
                        let depth = |value: Value| win_rank(value.outcome.reversed(), value.plies);
                        let lost = quiet.codes(self.library, by_rule, winner.other(), &places, depth, progress)?;
                        self.decide(&ClockedField::new(&field, lost), &report, progress)
                    })
                })?;
            }
        }
        Ok(())
    }

    /// Decides all positions of a field.
    fn decide(
        &self,
        known: &ClockedField<'_>,
        report: &(dyn Fn(u64) + Sync),
        progress: &dyn Progress,
    ) -> Result<(), EndgameError> {
        let field = known.field;
        let chunks = |work: &(dyn Fn(usize, &mut Room) -> Result<(), EndgameError> + Sync), set: Option<&PlaceSet>| {
            let total = field.mine.len();
            (0..total.div_ceil(CHUNK)).into_par_iter().try_for_each_init(Room::default, |room, chunk| {
                let places = chunk * CHUNK..total.min((chunk + 1) * CHUNK);
                let checked = |at: usize, room: &mut Room| {
                    room.steps += 1;
                    if room.steps.is_multiple_of(BETWEEN_CHECKS) {
                        progress.proceed()?;
                    }
                    work(at, room)
                };
                let count = places.len() as u64;
                match set {
                    Some(set) => set.take(places).try_for_each(|at| checked(at, room)),
                    None => {
                        places.into_iter().try_for_each(|at| checked(at, room))?;
                        report(count);
                        Ok(())
                    }
                }
            })
        };
        let is_won = |at: usize| field.mine[at] < CURSED;
        let is_lost = |at: usize| known.lost[at] < CURSED;
        let place = |at: usize| field.places.start + at as u64;
        // Wins that slip with the next move, or with the defender's.
        let begin = |at: usize, room: &mut Room| {
            if is_lost(at) && self.slips_by_zeroing(field, place(at), room)? {
                known.defender.add(at, clocks(0, self.plies));
                known.defender_changed.insert(at);
            }
            if is_won(at) && self.may_slip_at_once(known, place(at), room)? {
                known.concerned.insert(at);
            }
            Ok(())
        };
        let to_winners = |at: usize, room: &mut Room| {
            room.moves.clear();
            field.quiet.unmoves(field.winner, place(at), &mut room.moves);
            let before = room.moves.iter().map(|&from| field.at(from)).filter(|&from| is_won(from));
            before.for_each(|from| known.concerned.insert(from));
            Ok(())
        };
        let (has_changed, is_first) = (AtomicBool::new(false), AtomicBool::new(true));
        let choose = |at: usize, room: &mut Room| {
            let is_first = is_first.load(Ordering::Relaxed);
            if known.winner.add(at, self.slipping(known, place(at), is_first, room)?) {
                known.winner_changed.insert(at);
                has_changed.store(true, Ordering::Relaxed);
            }
            Ok(())
        };
        let to_defenders = |at: usize, room: &mut Room| {
            let before = known.winner.get(at) >> 1;
            room.moves.clear();
            field.quiet.unmoves(field.winner.other(), place(at), &mut room.moves);
            for from in room.moves.iter().map(|&from| field.at(from)).filter(|&from| is_lost(from)) {
                if known.defender.add(from, before) {
                    known.defender_changed.insert(from);
                }
            }
            Ok(())
        };
        chunks(&begin, None)?;
        loop {
            chunks(&to_winners, Some(&known.defender_changed))?;
            chunks(&choose, Some(&known.concerned))?;
            is_first.store(false, Ordering::Relaxed);
            if !has_changed.swap(false, Ordering::Relaxed) {
                break;
            }
            chunks(&to_defenders, Some(&known.winner_changed))?;
        }
        self.note(known);
        progress.proceed()?;
        Ok(())
    }

    /// Notes the plies at which the positions of a field slip, as far as later fields need them.
    fn note(&self, known: &ClockedField<'_>) {
        let field = known.field;
        (0..field.mine.len()).into_par_iter().with_min_len(CHUNK).for_each(|at| {
            let sides = [(true, field.mine[at], &known.winner), (false, known.lost[at], &known.defender)];
            for (attacks, rank, masks) in sides {
                if rank == NO_POSITION {
                    continue;
                }
                let slipping = if rank < CURSED { masks.get(at) } else { Clocks::MAX };
                let too_late_at_1 = rank >= self.plies;
                let mark = DECIDED
                    | if slipping & 1 != 0 { SLIPS_AT_0 } else { 0 }
                    | if slipping & 2 != 0 || too_late_at_1 { SLIPS_AT_1 } else { 0 };
                let place = field.places.start + at as u64;
                self.marks.set(Marks::at(field.endgame, place, field.turn(attacks)), mark);
            }
        });
    }

    /// Whether the defender has a capture, pawn move or promotion after which the win slips.
    fn slips_by_zeroing(&self, field: &Field<'_>, place: u64, room: &mut Room) -> Result<bool, EndgameError> {
        let facts = &field.defence;
        room.moves.clear();
        let others = field.quiet.moves(field.turn(false), place, &mut room.moves);
        let mut pushed = facts.pushes.iter().flatten().filter_map(|push| field.quiet.pushed(push, place));
        // All positions there are decided: an unknown one is not legal.
        if pushed.any(|to| self.marks.get(Marks::at(field.endgame, to, field.winner)) & SLIPS_AT_0 != 0) {
            return Ok(true);
        }
        let converts = others.captures && !facts.captures_kept || facts.may_promote && !facts.promotions_kept;
        if converts || others.pawns && facts.pushes.is_none() {
            let position = field.quiet.position(place, field.turn(false))?;
            for (_, after) in sought_moves(&position, facts.pushes.is_some()) {
                if self.slips_from(&after, 0, field.winner)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether the winner may have a move that lets the win slip at once and is allowed at some ply.
    fn may_slip_at_once(&self, known: &ClockedField<'_>, place: u64, room: &mut Room) -> Result<bool, EndgameError> {
        let field = known.field;
        room.moves.clear();
        let others = field.quiet.moves(field.winner, place, &mut room.moves);
        let to_zero = &field.theirs[TO_ZERO];
        // Where the rule does not matter no move is allowed that comes too late.
        let is_delayed = |&to: &u64| {
            let to = field.at(to);
            to_zero[to] <= self.plies && known.lost[to] + 1 != to_zero[to]
        };
        if room.moves.iter().any(is_delayed) {
            return Ok(true);
        }
        let facts = &field.attack;
        let converts = others.captures && !facts.captures_kept || facts.may_promote && !facts.promotions_kept;
        let has_zeroing = converts || others.pawns;
        if has_zeroing {
            self.list_zeroing(field, place, converts, room)?;
            for zeroing in &room.zeroing {
                if self.slips_after(field, &zeroing.after)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Lists the winner's captures, pawn moves and promotions; captures and promotions only if they are wanted.
    fn list_zeroing(
        &self,
        field: &Field<'_>,
        place: u64,
        conversions: bool,
        room: &mut Room,
    ) -> Result<(), EndgameError> {
        room.zeroing.clear();
        list_pushes(field, place, |_, _| true, &mut room.zeroing);
        if conversions || field.attack.pushes.is_none() {
            let columns = RankedParts::columns(self.clocked.columns());
            list_positions((self.library, columns), field, place, conversions, &mut room.zeroing)?;
        }
        Ok(())
    }

    /// The plies at which a move that the strategy allows lets the win slip, or leads to a position where it slips.
    /// Unless a place is looked at for the first time, there may be new ones only after quiet moves.
    fn slipping(
        &self,
        known: &ClockedField<'_>,
        place: u64,
        is_first: bool,
        room: &mut Room,
    ) -> Result<Clocks, EndgameError> {
        let field = known.field;
        // Later the win is lost already.
        let in_time = clocks(0, self.plies - field.mine[field.at(place)]);
        room.moves.clear();
        let others = field.quiet.moves(field.winner, place, &mut room.moves);
        room.moves.retain(|&to| known.lost[field.at(to)] != NO_POSITION);
        room.after.clear();
        room.after.extend(room.moves.iter().map(|&to| {
            let to = field.at(to);
            clocks(self.plies.saturating_sub(known.lost[to]), self.plies) | known.defender.get(to) >> 1
        }));
        let possible = room.after.iter().fold(0, |set, after| set | after) & in_time;
        if !is_first && possible & !known.winner.get(field.at(place)) == 0 {
            return Ok(0);
        }
        room.zeroing.clear();
        if others.captures || field.attack.may_promote || others.pawns {
            self.list_zeroing(field, place, others.captures || field.attack.may_promote, room)?;
        }
        room.ranks.clear();
        for &to in &room.moves {
            room.ranks.extend(field.theirs.iter().map(|ranks| ranks[field.at(to)]));
        }
        room.zeroing.iter().for_each(|zeroing| room.ranks.extend(&zeroing.ranks));
        self.clocked.allowed(&room.ranks, self.plies, &mut room.allowed);
        let (quiet, zeroing) = room.allowed.split_at(room.moves.len());
        let mut slipping = room.after.iter().zip(quiet).fold(0, |set, (after, allowed)| set | after & allowed);
        for (Zeroing { after, .. }, allowed) in room.zeroing.iter().zip(zeroing) {
            if *allowed & !slipping != 0 && self.slips_after(field, after)? {
                slipping |= allowed;
            }
        }
        Ok(slipping & in_time)
    }

    /// Whether the win slips after a zeroing move of the winner.
    fn slips_after(&self, field: &Field<'_>, after: &After) -> Result<bool, EndgameError> {
        match after {
            After::Position(after) => self.slips_from(after, 0, field.winner),
            After::Place(to) => self.decided(self.marks.get(Marks::at(field.endgame, *to, field.turn(false))), 0),
        }
    }

    fn decided(&self, mark: u8, made: u32) -> Result<bool, EndgameError> {
        if mark & DECIDED == 0 {
            return Err(EndgameError::Internal("a zeroing move leads to a win that is not decided"));
        }
        Ok(mark & if made == 0 { SLIPS_AT_0 } else { SLIPS_AT_1 } != 0)
    }

    /// Whether the win slips from a position that was reached by a zeroing move, or by one quiet move after it.
    fn slips_from(&self, position: &Chess, made: u32, winner: Color) -> Result<bool, EndgameError> {
        let (material, swapped) = Material::of_board(position.board());
        if self.keeps_all(material, if swapped { winner.other() } else { winner }) {
            return Ok(false);
        }
        let endgame = self.marks.materials().position(|known| known == material);
        if let Some(place) = endgame.and_then(|endgame| self.marks.place(position, endgame)) {
            return self.decided(self.marks.get(place), made);
        }
        // A pawn may be captured en passant, so it has just made its double step.
        let value = self.library.value(position, Metric::DtzRule(self.plies / 2))?;
        if !matches!(value.outcome, Outcome::Win | Outcome::Loss) || value.plies.0 > self.plies {
            return Ok(true);
        }
        let mut moves = position.legal_moves().to_vec();
        if position.turn() == winner {
            let outlook = Rc::new(Outlook::new(self.library, position)?);
            let situation = Situation::at(Rc::clone(&outlook), made, Some(self.plies / 2));
            let places = self.strategy.select(&situation, &mut Goals::default())?;
            moves = places.into_iter().map(|place| outlook.moves()[place]).collect();
        }
        for mv in moves {
            let next_made = if mv.is_zeroing() { 0 } else { made + 1 };
            let next = after(position, mv);
            let is_mate = next.legal_moves().is_empty();
            if !is_mate && self.slips_from(&next, next_made, winner)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<'f> ClockedField<'f> {
    fn new(field: &'f Field<'f>, lost: Vec<u16>) -> ClockedField<'f> {
        let places = field.mine.len();
        let set = || PlaceSet::new(places);
        let masks = || ClockMasks::new(places);
        ClockedField {
            field,
            lost,
            winner: masks(),
            defender: masks(),
            winner_changed: set(),
            defender_changed: set(),
            concerned: set(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{Follower, Success};
    use errare_tables::{Cells, Extent, Tables, tables_to_mate};
    use errare_work::Silent;

    /// What a pass decides is what following line by line from wins drawn by chance comes to. Returns the numbers of wins
    /// kept and slipped.
    fn agree(name: &str, rule: u16, text: &str, count: usize) -> [usize; 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = Tables::new(Library::new(folder.path()), 4 << 30);
        let material: Material = name.parse().expect("an endgame");
        let by_rule = Metric::DtzRule(rule);
        for (material, metric) in tables_to_mate(material, [Metric::Dtz, Metric::Dtc, Metric::Dtm, by_rule]) {
            tables.ensure(material, metric, &Silent).expect("built");
        }
        let (library, strategy) = (tables.library(), text.parse::<Strategy>().expect("a strategy"));
        let pass = ClockedPass::new(library, material, &strategy, rule, &Silent).expect("tables").expect("a strategy");
        pass.run(&Silent).expect("a pass");
        let whole = Cells::new(material, Extent::Whole).expect("men");
        let cells = Cells::new(material, Extent::Sample { placements: 1_000_000, seed: 3 }).expect("men");
        let mut follower = Follower::new(&**library, rule, vec![strategy.clone()], Strategy::ANY);
        let mut seen = [0; 2];
        for position in (0..cells.count()).filter_map(|n| cells.position(n)) {
            if library.value(&position, by_rule).expect("a value").outcome != Outcome::Win {
                continue;
            }
            let number = whole.number(&position).expect("a placement");
            let expected = follower.follow(&position, &Silent).expect("an answer").pop().expect("an answer");
            if expected == Success::TooMany {
                continue;
            }
            let keeps = pass.keeps_all(material, position.turn())
                || pass.keeps(number / 2, position.turn()).expect("it is decided");
            assert_eq!(keeps, expected == Success::Wins, "{text} in {position:?}: {expected:?}");
            seen[usize::from(!keeps)] += 1;
            if seen[0] + seen[1] == count {
                break;
            }
        }
        seen
    }

    #[test]
    #[ignore = "slow: make test-full"]
    fn passes_over_four_men_agree_with_lines_from_wins_drawn_by_chance() {
        // With captures, with pawns of both sides that capture en passant, and with like men.
        // Under short rules phases are short, and there are not too many lines.
        let [mut kept, mut slipped] = [0; 2];
        for (name, rule, text) in [
            ("KPKP", 5, "SM*"),
            ("KPKP", 5, "SA1"),
            ("KPKP", 6, "SZ'"),
            ("KNKP", 5, "SM*"),
            ("KBBK", 8, "SC*"),
            ("KRKN", 6, "SA1"),
        ] {
            let seen = agree(name, rule, text, 300);
            println!("{name} {text}: {} kept, {} slipped", seen[0], seen[1]);
            [kept, slipped] = [kept + seen[0], slipped + seen[1]];
        }
        assert!(kept > 50 && slipped > 50, "{kept} kept, {slipped} slipped");
    }
}
