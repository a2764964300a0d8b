//! Success of a strategy that does not look at the clock, from every position of an endgame and against every defence.

use super::kept_endgames::KeptEndgames;
use super::marks::{MarkPlace, Marks};
use super::packed_position::PackedPosition;
use super::whole_pass::WholePass;
use super::zeroing_moves::after;
use super::{Goals, Outlook, Situation, Strategy, Success};
use crate::error::EndgameError;
use errare_tables::{Library, Material, Metric, Outcome, Source};
use errare_work::Progress;
use shakmaty::{Chess, Color, Move, Position};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::OnceLock;

/// The latest ply of the phase at which following the strategy still wins; none if it slips at every ply.
pub(super) type Latest = Option<u32>;

/// The mark of a position that has not been gone through.
const UNKNOWN: u8 = 0;
/// The mark of a position from which the strategy slips. Greater marks are the latest ply, plus [`FIRST`].
const SLIPS: u8 = 1;
const FIRST: u32 = 2;

/// The longest rule, in moves, whose plies fit into a mark.
const MAX_RULE: u16 = (u8::MAX as u16 - FIRST as u16) / 2;

/// A follower of one strategy from all positions of an endgame and of those that it converts to, with the results known
/// so far.
///
/// Each position is gone through once, whichever thread comes to it first, and takes a byte. Positions in which a pawn
/// may be captured en passant have no byte and are gone through each time.
pub struct WholeFollower<'a> {
    source: &'a dyn Source,
    attack: &'a Strategy,
    rule: u16,
    marks: Marks,
    /// The endgames in which all wins are kept, set once all positions are being decided: they need no following.
    kept: OnceLock<KeptEndgames>,
}

/// Number of positions in work at which following from one position is given up, as they take about 4 GB.
const MAX_PATH: usize = 1 << 25;

/// A position in work: the moves that are allowed there and still to be followed begin at `first` of the list of all.
struct Frame {
    position: PackedPosition,
    place: Option<MarkPlace>,
    first: usize,
    latest: Latest,
}

/// The positions in work, from the one asked about to the last. Where depths need not fall there can be as many as the
/// endgame has, so they are kept small.
#[derive(Default)]
pub(super) struct Path {
    frames: Vec<Frame>,
    moves: Vec<Move>,
    open: HashSet<MarkPlace>,
}

/// The knowledge about a position when it is reached.
enum Reached {
    Known(Latest),
    New(Option<MarkPlace>),
}

impl<'a> WholeFollower<'a> {
    /// Prepares to follow a strategy in an endgame. None for bare kings, a strategy that looks at the clock, and a rule of
    /// more than 126 moves.
    pub fn new(
        source: &'a dyn Source,
        material: Material,
        attack: &'a Strategy,
        rule: u16,
    ) -> Option<WholeFollower<'a>> {
        let is_possible = !attack.minds_the_clock() && rule <= MAX_RULE;
        let marks = Marks::new(material).filter(|_| is_possible)?;
        Some(WholeFollower { source, attack, rule, marks, kept: OnceLock::new() })
    }

    /// Number of bytes that following a strategy in an endgame takes at most.
    pub fn bytes(material: Material) -> u64 {
        Marks::bytes(material)
    }

    /// Decides every position of the endgame and of those that it converts to, in one pass over our tables. All
    /// questions asked afterwards are then answered at once. Nothing is done for a strategy that ranks moves by
    /// something else than depths.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn decide_all(&self, library: &Library, progress: &dyn Progress) -> Result<(), EndgameError> {
        if self.kept.get().is_none() {
            let found = KeptEndgames::new(library, self.marks.materials(), self.attack, self.rule, progress)?;
            self.kept.get_or_init(|| found);
        }
        WholePass::new(self, library, progress).map_or(Ok(()), |pass| pass.run())
    }

    /// Whether a side is certain to keep all its wins in an endgame.
    pub(super) fn keeps_all(&self, material: Material, winner: Color) -> bool {
        self.kept.get().is_some_and(|kept| kept.holds(material, winner))
    }

    /// The endgames in which all wins are certain to be kept, once they are known.
    pub(super) fn kept(&self) -> Option<&KeptEndgames> {
        self.kept.get()
    }

    /// Follows the strategy from a position, either side being to move. The halfmove clock of the position counts.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn follow(&self, position: &Chess, progress: &dyn Progress) -> Result<Success, EndgameError> {
        let value = self.source.value(position, Metric::DtzRule(self.rule))?;
        let winner = match value.outcome {
            Outcome::Win => position.turn(),
            Outcome::Loss => position.turn().other(),
            Outcome::Draw | Outcome::CursedWin | Outcome::BlessedLoss => return Ok(Success::NotWon),
        };
        let made = position.halfmoves();
        if made + u32::from(value.plies.0) > self.plies() {
            return Ok(Success::NotWon);
        }
        let mut path = Path::default();
        let found = match self.latest(position, winner, &mut path, progress) {
            Ok(latest) if latest.is_some_and(|latest| made <= latest) => return Ok(Success::Wins),
            Ok(_) => self.slip(position, winner, &mut path, progress).map(Success::Slips),
            Err(error) => Err(error),
        };
        match found {
            Err(EndgameError::TooManyInWork) => Ok(Success::TooMany),
            found => found,
        }
    }

    pub(super) fn attack(&self) -> &'a Strategy {
        self.attack
    }

    /// The marks of all positions that may come up.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The latest ply noted for a place with a side to move; none if nothing is known yet.
    pub(super) fn noted(&self, endgame: usize, place: u64, turn: Color) -> Option<Latest> {
        match self.marks.get(Marks::at(endgame, place, turn)) {
            UNKNOWN => None,
            SLIPS => Some(None),
            mark => Some(Some(u32::from(mark) - FIRST)),
        }
    }

    /// Notes the latest ply found for a place with a side to move.
    pub(super) fn note(&self, endgame: usize, place: u64, turn: Color, latest: Latest) {
        let mark = latest.map_or(SLIPS, |latest| (latest + FIRST) as u8);
        self.marks.set(Marks::at(endgame, place, turn), mark);
    }

    pub(super) fn plies(&self) -> u32 {
        2 * u32::from(self.rule)
    }

    /// Whether every line from a won position, the winner to move at a zero count, wins under the rule.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub(super) fn succeeds(
        &self,
        position: &Chess,
        path: &mut Path,
        progress: &dyn Progress,
    ) -> Result<bool, EndgameError> {
        Ok(self.latest(position, position.turn(), path, progress)?.is_some())
    }

    /// Finds a line that slips, given that the strategy of the winner does: after its last move the rule saves the
    /// defender.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub(super) fn slip(
        &self,
        position: &Chess,
        winner: Color,
        path: &mut Path,
        progress: &dyn Progress,
    ) -> Result<Vec<Move>, EndgameError> {
        let (mut position, mut made, mut line) = (position.clone(), position.halfmoves(), Vec::new());
        while line.len() < usize::from(u16::MAX) {
            let mut slipping = None;
            for mv in self.allowed(&position, winner)? {
                let after = after(&position, mv);
                let latest = self.latest(&after, winner, path, progress)?;
                if self.before(mv, latest).is_none_or(|latest| made > latest) {
                    slipping = Some((mv, after));
                    break;
                }
            }
            let Some((mv, after)) = slipping else {
                return Err(EndgameError::Internal("a strategy lets a win slip, but none of its moves does"));
            };
            line.push(mv);
            made = if mv.is_zeroing() { 0 } else { made + 1 };
            let value = self.source.value(&after, Metric::DtzRule(self.rule))?;
            let is_won = matches!(value.outcome, Outcome::Win | Outcome::Loss);
            if !is_won || made + u32::from(value.plies.0) > self.plies() {
                break;
            }
            position = after;
        }
        Ok(line)
    }

    /// The latest ply of the phase at which following from a position still wins.
    pub(super) fn latest(
        &self,
        position: &Chess,
        winner: Color,
        path: &mut Path,
        progress: &dyn Progress,
    ) -> Result<Latest, EndgameError> {
        let base = path.frames.len();
        let mut found = match self.reach(position, None, winner, path) {
            Reached::Known(latest) => return Ok(latest),
            Reached::New(place) => self.enter(position, place, winner, path)?,
        };
        while path.frames.len() > base {
            let Some(frame) = path.frames.last_mut() else { break };
            if let Some(latest) = found.take()
                && let Some(mv) = path.moves.pop()
            {
                frame.latest = frame.latest.min(self.before(mv, latest));
            }
            // One line that slips is enough.
            let step = path.moves[frame.first..].last().copied().filter(|_| frame.latest.is_some());
            let Some(mv) = step else {
                progress.proceed()?;
                found = Some(self.leave(path));
                continue;
            };
            let mut next = frame.position.unpack()?;
            next.play_unchecked(mv);
            let from = frame.place.map(|(endgame, _)| endgame);
            let same_men = from.filter(|_| !mv.is_capture() && !mv.is_promotion());
            found = match self.reach(&next, same_men, winner, path) {
                Reached::Known(latest) => Some(latest),
                Reached::New(place) => self.enter(&next, place, winner, path)?,
            };
        }
        found.ok_or(EndgameError::Internal("a position that was followed is not known"))
    }

    /// Looks up the knowledge about a position; the number of its endgame may be given, if its men are those of a
    /// position in work.
    fn reach(&self, position: &Chess, endgame: Option<usize>, winner: Color, path: &Path) -> Reached {
        let endgame = match endgame {
            Some(endgame) => endgame,
            None => {
                let (material, swapped) = Material::of_board(position.board());
                if self.keeps_all(material, if swapped { winner.other() } else { winner }) {
                    return Reached::Known(Some(0));
                }
                match self.marks.materials().position(|known| known == material) {
                    Some(endgame) => endgame,
                    None => return Reached::New(None),
                }
            }
        };
        let Some(place) = self.marks.place(position, endgame) else { return Reached::New(None) };
        match self.marks.get(place) {
            // Who comes back to a position within a phase can do so for ever: the clock runs out.
            UNKNOWN if path.open.contains(&place) => Reached::Known(None),
            UNKNOWN => Reached::New(Some(place)),
            SLIPS => Reached::Known(None),
            mark => Reached::Known(Some(u32::from(mark) - FIRST)),
        }
    }

    /// Puts a position in work, or returns the latest ply at once if it is mate.
    fn enter(
        &self,
        position: &Chess,
        place: Option<MarkPlace>,
        winner: Color,
        path: &mut Path,
    ) -> Result<Option<Latest>, EndgameError> {
        if path.frames.len() >= MAX_PATH {
            return Err(EndgameError::TooManyInWork);
        }
        let moves = self.allowed(position, winner)?;
        if moves.is_empty() {
            // The winner always has a move, and a lost position without one is mate.
            return Ok(Some(Some(self.plies())));
        }
        path.open.extend(place);
        let first = path.moves.len();
        // They are followed from the last one on.
        path.moves.extend(moves.into_iter().rev());
        path.frames.push(Frame { position: PackedPosition::new(position), place, first, latest: Some(self.plies()) });
        Ok(None)
    }

    /// Ends the work on the last position, and notes the latest ply found.
    fn leave(&self, path: &mut Path) -> Latest {
        let frame = path.frames.pop()?;
        path.moves.truncate(frame.first);
        if let Some(place) = frame.place {
            path.open.remove(&place);
            let mark = frame.latest.map_or(SLIPS, |latest| (latest + FIRST) as u8);
            self.marks.set(place, mark);
        }
        frame.latest
    }

    /// The moves that the strategy allows the winner, or all moves for the defender.
    fn allowed(&self, position: &Chess, winner: Color) -> Result<Vec<Move>, EndgameError> {
        if position.turn() != winner {
            return Ok(position.legal_moves().to_vec());
        }
        let outlook = Rc::new(Outlook::new(self.source, position)?);
        let situation = Situation::at(Rc::clone(&outlook), 0, Some(self.rule));
        let places = self.attack.select(&situation, &mut Goals::default())?;
        Ok(places.into_iter().map(|place| outlook.moves()[place]).collect())
    }

    /// Computes the latest ply before a move from the latest ply after it.
    fn before(&self, mv: Move, latest: Latest) -> Latest {
        // A phase that begins after the move begins at 0.
        if mv.is_zeroing() { latest.map(|_| self.plies() - 1) } else { latest?.checked_sub(1) }
    }
}
