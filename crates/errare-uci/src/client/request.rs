//! What an engine is asked: a position, and how to search it.

use super::error::Fault;
use super::limit::Limit;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// No position to ask about.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RequestError {
    /// Not a FEN.
    #[error("`{fen}` is no FEN: {error}")]
    Fen {
        /// The text.
        fen: String,
        /// Why not.
        error: ParseFenError,
    },
    /// A FEN of no position.
    #[error("`{fen}` is no position of chess: {error}")]
    Position {
        /// The text.
        fen: String,
        /// Why not.
        error: Box<PositionError<Chess>>,
    },
    /// A move that cannot be made.
    #[error("{mv} is no legal move in {fen}")]
    Move {
        /// The move.
        mv: UciMove,
        /// Where it was to be made.
        fen: String,
    },
}

/// A position, with the moves that led to it so that the engine knows of repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    start: Chess,
    moves: Vec<UciMove>,
    now: Chess,
}

impl PositionRequest {
    /// A position without a past.
    pub fn new(start: Chess) -> PositionRequest {
        PositionRequest { now: start.clone(), start, moves: Vec::new() }
    }

    /// The position of a FEN.
    pub fn from_fen(fen: &str) -> Result<PositionRequest, RequestError> {
        let parsed: Fen = fen.parse().map_err(|error| RequestError::Fen { fen: fen.to_owned(), error })?;
        let position = parsed.into_position(CastlingMode::Standard);
        let refused = |error| RequestError::Position { fen: fen.to_owned(), error: Box::new(error) };
        // An en passant square behind a pawn that nobody can take is common and harmless.
        let position = position.or_else(PositionError::ignore_invalid_ep_square);
        Ok(PositionRequest::new(position.or_else(PositionError::ignore_too_much_material).map_err(refused)?))
    }

    /// The position after one more move.
    pub fn push(&mut self, mv: UciMove) -> Result<(), RequestError> {
        let refused = |_: IllegalUciMoveError| RequestError::Move { mv, fen: self.fen() };
        let made = mv.to_move(&self.now).map_err(refused)?;
        self.moves.push(made.to_uci(CastlingMode::Standard));
        self.now.play_unchecked(made);
        Ok(())
    }

    /// The position to search.
    pub fn position(&self) -> &Chess {
        &self.now
    }

    pub(super) fn fen(&self) -> String {
        fen(&self.now)
    }

    pub(super) fn command(&self) -> String {
        let mut command = format!("position fen {}", fen(&self.start));
        if !self.moves.is_empty() {
            command += " moves";
            self.moves.iter().for_each(|mv| command += &format!(" {mv}"));
        }
        command
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// How many lines an engine shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// So many, if there are as many moves.
    Count(u32),
    /// One for each legal move, as far as the engine goes.
    All,
}

/// Stockfish ignores a greater number without a word.
const MOST_LINES: u32 = 500;

impl Lines {
    /// The number to ask an engine for that declares this maximum.
    pub(super) fn number(self, engines_most: Option<i64>) -> u32 {
        let wanted = match self {
            Lines::Count(count) => count.max(1),
            Lines::All => MOST_LINES,
        };
        let most = engines_most.map_or(MOST_LINES, |most| u32::try_from(most.max(1)).unwrap_or(MOST_LINES));
        wanted.min(most).min(MOST_LINES)
    }
}

/// Raised, from any thread and for good, to end the searches that heed it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Raises it.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How to search a position.
#[derive(Clone, Debug)]
pub struct Search {
    pub(super) limit: Limit,
    pub(super) lines: Lines,
    pub(super) among: Vec<UciMove>,
    pub(super) stop: StopFlag,
}

impl Search {
    /// Up to a limit, for one line.
    pub fn new(limit: Limit) -> Search {
        Search { limit, lines: Lines::Count(1), among: Vec::new(), stop: StopFlag::new() }
    }

    /// For so many lines.
    #[must_use]
    pub fn lines(self, lines: Lines) -> Search {
        Search { lines, ..self }
    }

    /// Among these moves alone, if there are any.
    #[must_use]
    pub fn among(self, moves: impl IntoIterator<Item = UciMove>) -> Search {
        Search { among: moves.into_iter().collect(), ..self }
    }

    /// The moves that the engine may choose from, as it writes them.
    pub(super) fn choices(&self, request: &PositionRequest) -> Result<Vec<UciMove>, Fault> {
        if self.among.is_empty() {
            let legal = request.now.legal_moves();
            return Ok(legal.iter().map(|mv| mv.to_uci(CastlingMode::Standard)).collect());
        }
        let named = self.among.iter().map(|&mv| {
            let refused = |_| Fault::BadRequest(RequestError::Move { mv, fen: request.fen() });
            Ok(mv.to_move(&request.now).map_err(refused)?.to_uci(CastlingMode::Standard))
        });
        let mut choices = named.collect::<Result<Vec<UciMove>, Fault>>()?;
        let mut seen = HashSet::new();
        choices.retain(|mv| seen.insert(*mv));
        Ok(choices)
    }

    /// The command that starts it, among these choices.
    pub(super) fn command(&self, choices: &[UciMove]) -> String {
        let mut command = self.limit.command();
        if !self.among.is_empty() {
            command += " searchmoves";
            choices.iter().for_each(|mv| command += &format!(" {mv}"));
        }
        command
    }

    /// Until the flag is raised, at the latest. What was found so far is the answer then; a flag raised beforehand
    /// makes the engine answer at once.
    #[must_use]
    pub fn until(self, stop: &StopFlag) -> Search {
        Search { stop: stop.clone(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_sent_with_its_past() {
        let mut request = PositionRequest::new(Chess::default());
        for mv in ["e2e4", "e7e5"] {
            request.push(mv.parse().unwrap()).unwrap();
        }
        let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(request.command(), format!("{start} moves e2e4 e7e5"));
        let error = request.push("e1e3".parse().unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("e1e3 is no legal move in rnbqkbnr/pppp1ppp"), "{error}");
    }

    #[test]
    fn castling_is_sent_as_the_kings_move() {
        let mut request = PositionRequest::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        request.push("e1h1".parse().unwrap()).unwrap();
        assert!(request.command().ends_with(" moves e1g1"));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(matches!(PositionRequest::from_fen("rubbish"), Err(RequestError::Fen { .. })));
        assert!(matches!(PositionRequest::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1"), Err(RequestError::Position { .. })));
    }

    #[test]
    fn no_engine_is_asked_for_more_lines_than_it_takes() {
        assert_eq!(Lines::All.number(Some(500)), 500);
        assert_eq!(Lines::All.number(Some(100_000)), 500);
        assert_eq!(Lines::All.number(None), 500);
        assert_eq!(Lines::Count(4).number(Some(3)), 3);
        assert_eq!(Lines::Count(0).number(Some(3)), 1);
    }
}
