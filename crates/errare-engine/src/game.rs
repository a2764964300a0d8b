//! The game as `position` gives it: its start, and the moves since.

use crate::scores::fen_of;
use crate::search::key;
use errare_tables::FenError;
use errare_uci::server::Start;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Castles, CastlingMode, Chess, FromSetup, Move, Position, PositionError, Setup};

/// The largest halfmove clock that is kept: a larger one makes no difference to any rule.
const MOST_QUIET: u32 = 20_000;

/// A game in progress: its start and its moves.
#[derive(Clone, Debug, Default)]
pub struct GameSoFar {
    start: Chess,
    moves: Vec<Move>,
    position: Chess,
    /// The Zobrist keys of the positions before the current one.
    past: Vec<u64>,
}

/// Why a position or its moves were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The position is invalid.
    #[error("{0}")]
    Fen(String),
    /// A move is illegal.
    #[error("illegal move {mv} in {fen}")]
    Move {
        /// The move that is illegal.
        mv: UciMove,
        /// The position in which the move is illegal, as a FEN.
        fen: String,
    },
}

impl GameSoFar {
    /// Makes the game of a start and the moves since.
    ///
    /// # Errors
    /// If the start is not a legal position, or a move is illegal.
    pub fn new(start: &Start, moves: &[UciMove]) -> Result<GameSoFar, GameError> {
        let start = match start {
            Start::Initial => Chess::default(),
            Start::Fen(fen) => position(fen)?,
        };
        let mut game = GameSoFar::from_position(start);
        for &mv in moves {
            let illegal = || GameError::Move { mv, fen: fen_of(&game.position) };
            game.push(mv.to_move(&game.position).map_err(|_| illegal())?);
        }
        Ok(game)
    }

    /// Makes a game that begins with a position, and has no moves yet.
    pub fn from_position(start: Chess) -> GameSoFar {
        GameSoFar { position: start.clone(), start, moves: Vec::new(), past: Vec::new() }
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: Move) {
        self.past.push(key(&self.position));
        self.position.play_unchecked(mv);
        self.moves.push(mv);
    }

    /// The position that the game started from.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position that the game has come to.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The Zobrist keys of the positions before the current one.
    pub fn past(&self) -> &[u64] {
        &self.past
    }

    /// Number of plies made in the game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Number of plies before the position by its move number, whatever the game started from.
    pub fn ply(&self) -> u16 {
        let moves = self.position.fullmoves().get().saturating_sub(1);
        let plies = moves.saturating_mul(2).saturating_add(u32::from(self.position.turn().is_black()));
        u16::try_from(plies).unwrap_or(u16::MAX)
    }

    /// Whether both games start with the same position and halfmove clock.
    pub fn starts_like(&self, other: &GameSoFar) -> bool {
        self.start == other.start && self.start.halfmoves() == other.start.halfmoves()
    }

    /// Whether this game begins with all moves of the other.
    pub fn continues(&self, other: &GameSoFar) -> bool {
        self.starts_like(other) && self.moves.starts_with(&other.moves)
    }

    /// The positions from a ply on, each with the move that was made there.
    pub fn steps_from(&self, ply: usize) -> impl Iterator<Item = (Chess, Move)> {
        let mut position = self.start.clone();
        let steps = self.moves.iter().map(move |&mv| {
            let before = position.clone();
            position.play_unchecked(mv);
            (before, mv)
        });
        steps.skip(ply)
    }
}

/// Reads a position to play from. Unlike tables, play takes any number of men and castling.
fn position(text: &str) -> Result<Chess, GameError> {
    let refused = |reason: String| GameError::Fen(reason);
    // The errors of tables are more exact.
    let explained = |error: PositionError<Chess>| match errare_tables::parse_fen_within(text, usize::MAX) {
        Err(reason) if !matches!(reason, FenError::Castling) => refused(reason.to_string()),
        _ => refused(format!("illegal position: {error}")),
    };
    let fen: Fen = text.parse().map_err(|error| refused(format!("invalid FEN `{}`: {error}", shortened(text))))?;
    let mut setup = fen.into_setup();
    setup.halfmoves = setup.halfmoves.min(MOST_QUIET);
    if is_chess960(&setup) {
        let fen = shortened(text);
        return Err(refused(format!("castling rights of Chess960 in `{fen}`: errare plays standard chess only")));
    }
    // More men than a side can have are refused: there might be more moves than a list of moves can hold.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(explained)
}

/// Whether the castling rights make sense in Chess960 only. Rights that make sense nowhere are ignored instead.
fn is_chess960(setup: &Setup) -> bool {
    let is_valid = |mode| match Castles::from_setup(setup, mode) {
        Ok(castles) => castles.castling_rights() == setup.castling_rights,
        Err(_) => false,
    };
    !is_valid(CastlingMode::Standard) && is_valid(CastlingMode::Chess960)
}

fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<UciMove> {
        text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
    }

    fn from_start(text: &str) -> GameSoFar {
        GameSoFar::new(&Start::Initial, &moves(text)).expect("a game")
    }

    #[test]
    fn a_game_is_followed_and_goes_on() {
        let (short, long) = (from_start("e2e4 e7e5"), from_start("e2e4 e7e5 g1f3"));
        assert!(long.continues(&short) && !short.continues(&long) && short.continues(&short));
        assert!(!from_start("e2e4 c7c5 g1f3").continues(&short));
        assert_eq!((long.plies(), long.past().len(), long.ply()), (3, 3, 3));
        let steps: Vec<(Chess, Move)> = long.steps_from(2).collect();
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].0, *short.position());
    }

    #[test]
    fn invalid_positions_and_moves_are_refused() {
        let fen =
            |text: &str| GameSoFar::new(&Start::Fen(text.to_owned()), &[]).map_err(|error| error.to_string()).err();
        assert_eq!(fen("8/8/8/8/2r5/8/2k5/K6Q w - - 99 1"), None);
        // As sloppy programs write them.
        assert_eq!(fen("8/8/8/8/2r5/8/2k5/K6Q w KQkq e3"), None);
        let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let said = fen(chess960).expect("refused");
        assert_eq!(said, format!("castling rights of Chess960 in `{chess960}`: errare plays standard chess only"));
        assert_eq!(fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"), None);
        assert!(fen("8/8").is_some_and(|said| said.starts_with("invalid FEN `8/8`")));
        assert_eq!(fen("8/8/8/8/8/8/8/K7 w - - 0 1").as_deref(), Some("Black has no king"));
        assert!(fen("8/8/8/8/8/8/kK6/8 w - - 0 1").is_some_and(|said| said.ends_with("the kings touch")));
        let queens = "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k6K w - - 0 1";
        assert!(fen(queens).is_some());
        let illegal = GameSoFar::new(&Start::Initial, &moves("e2e4 e2e4")).map_err(|error| error.to_string());
        assert!(illegal.is_err_and(|said| said.starts_with("illegal move e2e4 in rnbqkbnr/pppppppp/8/8/4P3")));
    }
}
