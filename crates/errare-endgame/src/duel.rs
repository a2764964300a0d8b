//! One game between two agents.

use crate::agents::Agent;
use crate::analyser::{Analyser, Analysis};
use crate::error::EndgameError;
use crate::oracle::{Options, Oracle};
use errare_choice::{Outcome, State};
use errare_tables::{Metric, nth_draw};
use errare_work::Progress;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{ByColor, Chess, Color, Move, Position};
use std::collections::HashMap;
use std::sync::Arc;

/// The conditions under which a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Whether a change of material ends the game, with the result that the tables give.
    pub at_conversion: bool,
    /// Whether the third occurrence of a position ends the game with a draw.
    pub repetition: bool,
    /// Number of moves by each side without a capture or a pawn move after which the game is drawn; none for no rule.
    ///
    /// Without a rule a game ends when it has been theoretically drawn for fifty moves, so that every game ends.
    pub rule: Option<u32>,
    /// Number of moves by each side after which the game is broken off.
    pub max_moves: u32,
}

/// The moves of the fifty-move rule, after which a drawn game ends even without a rule.
const FIFTY: u32 = 50;

impl Ending {
    /// Number of moves by each side after which a game is broken off by default.
    pub const MAX_MOVES: u32 = 100_000;

    /// The ending of Andrist and Haworth (2005): to conversion under DTC, else to mate; no move rule
    /// in a won or lost position, the fifty-move rule in a drawn one. Repetitions do not count.
    pub fn usual(metric: Metric, start: State) -> Ending {
        let rule = (start.outcome() == Outcome::Draw).then_some(FIFTY);
        Ending { at_conversion: metric == Metric::Dtc, repetition: false, rule, max_moves: Ending::MAX_MOVES }
    }
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A player was checkmated.
    Mate,
    /// The game was drawn by stalemate, or nothing was left to mate with.
    Dead,
    /// The material changed.
    Conversion,
    /// The game was drawn by the move rule, or after fifty moves in a drawn position.
    Rule,
    /// A position occurred for the third time.
    Repetition,
    /// The game was broken off because it was too long.
    Length,
    /// A player resigned.
    Resigned,
}

/// A move that gave up the theoretical value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concession {
    /// The side that gave the value up.
    pub by: Color,
    /// The number of the move, counting the moves of that side from 1.
    pub at_move: u32,
}

/// The result of a game.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves, if they are kept.
    pub moves: Vec<Move>,
    /// Whether a draw could have been claimed by the fifty-move rule before the end, the clock of the start counted.
    pub claimable: bool,
    /// The winner; none for a draw.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub reason: Reason,
    /// Number of moves made by either side.
    pub made: ByColor<u32>,
    /// The expected competence of either side in the end.
    pub apparent: ByColor<f64>,
    /// The first change of the theoretical value.
    pub first_concession: Option<Concession>,
}

impl Played {
    /// The number of the winner's moves; in a drawn game, of the side that made more.
    pub fn length(&self) -> u32 {
        self.winner.map_or(self.made.white.max(self.made.black), |winner| *self.made.get(winner))
    }
}

/// The conditions of one game between any two agents.
#[derive(Clone)]
pub struct Duel {
    /// The source of the values of moves.
    pub oracle: Arc<Oracle>,
    /// The analysis by which the players' competence is assessed.
    pub analysis: Analysis,
    /// The position that the game starts from.
    pub start: Chess,
    /// The conditions under which the game ends.
    pub ending: Ending,
    /// Whether the moves are kept.
    pub keep_moves: bool,
}

impl Duel {
    /// Plays the game. The seed settles every random choice.
    ///
    /// # Errors
    /// If an agent cannot choose, a table is missing or damaged, or the work is cancelled.
    pub fn play(
        &self,
        mut agents: ByColor<&mut dyn Agent>,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Played, EndgameError> {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut game = GameInProgress::new(self);
        loop {
            progress.proceed()?;
            let options = self.oracle.options(&game.position)?;
            if let Some((winner, reason)) = game.over(&options) {
                return Ok(game.played(winner, reason));
            }
            let turn = game.position.turn();
            let judgement = agents.get_mut(turn).judge(&self.oracle, &options, progress)?;
            let chosen = judgement.pick(random.random())?;
            for color in Color::ALL {
                agents.get_mut(color).watch(&options, chosen, color == turn)?;
            }
            if let Some((winner, reason)) = game.make(&options, chosen)? {
                return Ok(game.played(winner, reason));
            }
        }
    }
}

/// A game in progress.
struct GameInProgress {
    ending: Ending,
    position: Chess,
    keep_moves: bool,
    moves: Vec<Move>,
    claimable: bool,
    made: ByColor<u32>,
    analysers: ByColor<Analyser>,
    first_concession: Option<Concession>,
    /// Number of times that each position occurred since the last capture or pawn move.
    occurrences: HashMap<Chess, u32>,
    /// Number of plies since the last capture or pawn move.
    quiet: u32,
    /// Number of plies since the last capture or pawn move, or since somebody was winning.
    drawn: u32,
}

type End = Option<(Option<Color>, Reason)>;

impl GameInProgress {
    fn new(duel: &Duel) -> GameInProgress {
        GameInProgress {
            ending: duel.ending,
            position: duel.start.clone(),
            keep_moves: duel.keep_moves,
            moves: Vec::new(),
            claimable: false,
            made: ByColor { white: 0, black: 0 },
            analysers: ByColor { white: duel.analysis.analyser(), black: duel.analysis.analyser() },
            first_concession: None,
            occurrences: HashMap::new(),
            quiet: duel.start.halfmoves(),
            drawn: 0,
        }
    }

    /// Returns the end of a game that is over before a move is made.
    fn over(&mut self, options: &Options) -> End {
        if options.candidates.is_empty() {
            let mated = self.position.is_checkmate();
            let winner = mated.then(|| !self.position.turn());
            return Some((winner, if mated { Reason::Mate } else { Reason::Dead }));
        }
        if self.position.is_insufficient_material() {
            return Some((None, Reason::Dead));
        }
        if self.ending.repetition {
            let occurrences = self.occurrences.entry(self.position.clone()).or_default();
            *occurrences += 1;
            if *occurrences == 3 {
                return Some((None, Reason::Repetition));
            }
        }
        self.claimable |= self.quiet >= 2 * FIFTY;
        match self.ending.rule {
            Some(rule) if self.quiet >= 2 * rule => return Some((None, Reason::Rule)),
            None if self.drawn >= 2 * FIFTY => return Some((None, Reason::Rule)),
            _ => {}
        }
        let made = self.made.white.min(self.made.black);
        (made >= self.ending.max_moves).then_some((None, Reason::Length))
    }

    /// Makes a move, and returns the end of the game if the move ends it.
    fn make(&mut self, options: &Options, chosen: usize) -> Result<End, EndgameError> {
        let turn = self.position.turn();
        let candidate = &options.candidates[chosen];
        let (made, after) = (candidate.choice(), candidate.state());
        let _ = self.analysers.get_mut(turn).observe(options, chosen)?;
        *self.made.get_mut(turn) += 1;
        if self.first_concession.is_none() && after.outcome() < options.state.outcome() {
            self.first_concession = Some(Concession { by: turn, at_move: *self.made.get(turn) });
        }
        if made.mv.is_zeroing() {
            self.occurrences.clear();
        }
        self.quiet = if made.mv.is_zeroing() { 0 } else { self.quiet + 1 };
        self.drawn = if made.mv.is_zeroing() || after != State::Draw { 0 } else { self.drawn + 1 };
        if self.keep_moves {
            self.moves.push(made.mv);
        }
        self.position.play_unchecked(made.mv);
        if !(self.ending.at_conversion && made.converting) {
            return Ok(None);
        }
        Ok(Some(match after {
            State::Win(_) => (Some(turn), Reason::Conversion),
            State::Draw => (None, Reason::Conversion),
            State::Loss(_) => (Some(!turn), Reason::Conversion),
        }))
    }

    fn played(self, winner: Option<Color>, reason: Reason) -> Played {
        Played {
            moves: self.moves,
            claimable: self.claimable,
            winner,
            reason,
            made: self.made,
            apparent: self.analysers.map(|analyser| analyser.posterior().mean()),
            first_concession: self.first_concession,
        }
    }
}

/// Computes the seed of a game from the seed of all games and the number of the game.
pub fn game_seed(seed: u64, number: u64) -> u64 {
    nth_draw(seed, number)
}
