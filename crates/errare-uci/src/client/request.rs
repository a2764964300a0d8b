//! Requests to an engine: a position, and how to search it.

use super::error::Fault;
use super::limit::Limit;
use errare_work::Cancel;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// The error of a position or move that an engine cannot be asked about.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The text is not a FEN.
    #[error("invalid FEN `{fen}`: {error}")]
    Fen {
        /// The text that was given as a FEN.
        fen: String,
        /// The error of the parser.
        error: ParseFenError,
    },
    /// The FEN describes an illegal position.
    #[error("illegal position `{fen}`: {error}")]
    Position {
        /// The FEN of the illegal position.
        fen: String,
        /// Why the position is illegal.
        error: Box<PositionError<Chess>>,
    },
    /// The move is illegal in the position.
    #[error("illegal move {mv} in {fen}")]
    Move {
        /// The move that is illegal.
        mv: UciMove,
        /// The position in which the move is illegal, as a FEN.
        fen: String,
    },
}

/// The longest game, in plies, that is sent with its moves. Of a longer game only the last position is sent: a longer
/// command is more than engines can be expected to read.
const MAX_PLIES: usize = 5000;

/// A position, with the moves that led to it so that the engine knows of repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    start: Chess,
    moves: Vec<UciMove>,
    now: Chess,
}

impl PositionRequest {
    /// Makes a request for a position without earlier moves.
    pub fn new(start: Chess) -> PositionRequest {
        PositionRequest { now: start.clone(), start, moves: Vec::new() }
    }

    /// Makes a request for the position of a FEN.
    ///
    /// # Errors
    /// If the text is not a FEN, or its position is illegal.
    pub fn from_fen(fen: &str) -> Result<PositionRequest, RequestError> {
        let parsed: Fen = fen.parse().map_err(|error| RequestError::Fen { fen: fen.to_owned(), error })?;
        let position = parsed.into_position(CastlingMode::Standard);
        let refused = |error| RequestError::Position { fen: fen.to_owned(), error: Box::new(error) };
        // An en passant square behind a pawn that nobody can take is common and harmless.
        let position = position.or_else(PositionError::ignore_invalid_ep_square);
        Ok(PositionRequest::new(position.or_else(PositionError::ignore_too_much_material).map_err(refused)?))
    }

    /// Plays one more move.
    ///
    /// # Errors
    /// [`RequestError::Move`] if the move is illegal.
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
        if self.moves.len() > MAX_PLIES {
            return format!("position fen {}", self.fen());
        }
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

/// Number of lines that an engine shows: `all`, or a number from 1 to 500.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// The given number of lines, or one for each legal move if there are fewer.
    Count(u32),
    /// One line for each legal move, up to the engine's maximum.
    All,
}

/// The largest number of lines. Stockfish silently ignores a greater one.
const MAX_LINES: u32 = 500;

impl Lines {
    /// The number to request from an engine that declares this maximum.
    pub(super) fn number(self, declared_max: Option<i64>) -> u32 {
        let wanted = match self {
            Lines::Count(count) => count.max(1),
            Lines::All => MAX_LINES,
        };
        let most = declared_max.map_or(MAX_LINES, |most| u32::try_from(most.max(1)).unwrap_or(MAX_LINES));
        wanted.min(most).min(MAX_LINES)
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lines::Count(count) => write!(f, "{count}"),
            Lines::All => f.write_str("all"),
        }
    }
}

/// The error of a text that is not a number of lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid number of lines `{0}`: expected `all` or a number from 1 to {MAX_LINES}")]
pub struct LinesError(String);

impl FromStr for Lines {
    type Err = LinesError;

    fn from_str(text: &str) -> Result<Lines, LinesError> {
        match text.parse() {
            _ if text == "all" => Ok(Lines::All),
            Ok(count) if (1..=MAX_LINES).contains(&count) => Ok(Lines::Count(count)),
            _ => Err(LinesError(text.to_owned())),
        }
    }
}

/// A search of a position: its limit, its lines and the moves to choose from.
#[derive(Clone, Debug)]
pub struct Search {
    pub(super) limit: Limit,
    pub(super) lines: Lines,
    pub(super) among: Vec<UciMove>,
    pub(super) stop: Cancel,
}

impl Search {
    /// Makes a search up to a limit, for one line.
    pub fn new(limit: Limit) -> Search {
        Search { limit, lines: Lines::Count(1), among: Vec::new(), stop: Cancel::new() }
    }

    /// Sets the number of lines to show.
    #[must_use]
    pub fn lines(self, lines: Lines) -> Search {
        Search { lines, ..self }
    }

    /// Restricts the search to these moves, if there are any.
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

    /// The command that starts the search, among these choices.
    pub(super) fn command(&self, choices: &[UciMove]) -> String {
        let mut command = self.limit.command();
        if !self.among.is_empty() {
            command += " searchmoves";
            choices.iter().for_each(|mv| command += &format!(" {mv}"));
        }
        command
    }

    /// Stops the search early when the token is cancelled. The answer is then whatever was found so far; a token
    /// cancelled beforehand makes the engine answer at once.
    #[must_use]
    pub fn until(self, stop: &Cancel) -> Search {
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
        assert!(error.to_string().starts_with("illegal move e1e3 in rnbqkbnr/pppp1ppp"), "{error}");
    }

    #[test]
    fn of_a_game_without_end_the_last_position_is_sent() {
        let mut request = PositionRequest::new(Chess::default());
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(MAX_PLIES + 1) {
            request.push(mv.parse().unwrap()).unwrap();
        }
        let last = "position fen rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 5001 2501";
        assert_eq!(request.command(), last);
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
    fn numbers_of_lines_are_written_as_they_are_read() {
        for text in ["all", "1", "500"] {
            assert_eq!(text.parse::<Lines>().unwrap().to_string(), text);
        }
        for text in ["", "0", "501", "-1", "ALL", "1.5"] {
            assert_eq!(text.parse::<Lines>(), Err(LinesError(text.to_owned())));
        }
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
