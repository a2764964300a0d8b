//! A game of chess: its start position, its moves, tags and comments.

use crate::text::shown;
use errare_work::known_text;
use shakmaty::{Chess, Color, Move, Outcome, Position};
use std::fmt;

/// A game of chess, all of whose moves are legal.
///
/// ```
/// use errare_games::{Game, write_game};
/// use shakmaty::{Chess, san::San};
///
/// let mut game = Game::new(Chess::default());
/// game.set_tag("White", "Anderssen, Adolf");
/// game.set_tag("Black", "Kieseritzky, Lionel");
/// for san in ["e4", "e5", "f4", "exf4"] {
///     let mv = san.parse::<San>()?.to_move(game.end())?;
///     game.push(mv)?;
/// }
/// assert_eq!(game.title(), "Anderssen, Adolf - Kieseritzky, Lionel");
/// assert_eq!(game.move_number(3).to_string(), "2...");
///
/// let mut pgn = Vec::new();
/// write_game(&mut pgn, &game, &[])?;
/// assert!(pgn.ends_with(b"\n\n1. e4 e5 2. f4 exf4 *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The number of the game in the stream it was read from, from 1; 0 if it was not read.
    pub number: u64,
    /// The names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The result at the end of the moves, which may differ from that of the tag; none if it is missing.
    pub result: Option<Outcome>,
    start: Chess,
    moves: Vec<PlayedMove>,
    end: Chess,
}

/// A move of a game, with its glyphs and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The glyphs of the move.
    pub nags: Vec<Nag>,
    /// Comments after the move and before the next one, except those within variations.
    ///
    /// Their words are separated by single spaces.
    pub comments: Vec<String>,
}

/// A move that is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {number} {}", .mv.to_uci(shakmaty::CastlingMode::Standard))]
pub struct IllegalMove {
    /// The illegal move.
    pub mv: Move,
    /// The number that the move would have in the game.
    pub number: MoveNumber,
}

impl Game {
    /// Makes a game without moves, tags or result.
    pub fn new(start: Chess) -> Game {
        Game {
            number: 0,
            tags: Vec::new(),
            comments: Vec::new(),
            result: None,
            end: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The moves of the main line.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// The position after the last move.
    pub fn end(&self) -> &Chess {
        &self.end
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the move is not legal in the position at the end of the game.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.end.is_legal(mv) {
            return Err(IllegalMove { mv, number: self.move_number(self.moves.len()) });
        }
        self.push_legal(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    pub(crate) fn push_legal(&mut self, mv: Move) {
        self.end.play_unchecked(mv);
        self.moves.push(PlayedMove { mv, nags: Vec::new(), comments: Vec::new() });
    }

    pub(crate) fn last_move_mut(&mut self) -> Option<&mut PlayedMove> {
        self.moves.last_mut()
    }

    /// Replaces the start position of a game that has no moves yet.
    pub(crate) fn restart(&mut self, start: Chess) {
        debug_assert!(self.moves.is_empty(), "a start position behind moves");
        self.end = start.clone();
        self.start = start;
    }

    /// Iterates over the moves: for each its ply from 0, the position before it, and the move.
    pub fn positions(&self) -> impl Iterator<Item = (usize, Chess, &PlayedMove)> {
        let mut position = self.start.clone();
        self.moves.iter().enumerate().map(move |(ply, played)| {
            let before = position.clone();
            position.play_unchecked(played.mv);
            (ply, before, played)
        })
    }

    /// The number of the move at this ply, counted from the number in the start position.
    pub fn move_number(&self, ply: usize) -> MoveNumber {
        MoveNumber::after(&self.start, ply)
    }

    /// The value of the tag with this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag, which is added at the end if it is missing.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The name of the player of White, if known.
    pub fn white(&self) -> Option<&str> {
        self.known("White")
    }

    /// The name of the player of Black, if known.
    pub fn black(&self) -> Option<&str> {
        self.known("Black")
    }

    /// A title for messages: `White - Black, Event, Date`, as far as known.
    pub fn title(&self) -> String {
        let players = match (self.white(), self.black()) {
            (None, None) => None,
            (white, black) => Some(format!("{} - {}", shown(white.unwrap_or("?")), shown(black.unwrap_or("?")))),
        };
        let others = ["Event", "Date"].map(|name| self.known(name).map(shown));
        players.into_iter().chain(others.into_iter().flatten()).collect::<Vec<_>>().join(", ")
    }

    /// The value of a tag, unless it stands for an unknown value such as `?` or `????.??.??`.
    pub(crate) fn known(&self, name: &str) -> Option<&str> {
        self.tag(name).and_then(known_text)
    }
}

/// The number of a move, written `23.` for White's and `23...` for Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The number of the full move.
    pub number: u64,
    /// The side that moves.
    pub turn: Color,
}

impl MoveNumber {
    /// The number of the move after a number of plies.
    pub(crate) fn after(start: &Chess, plies: usize) -> MoveNumber {
        let half_moves = plies as u64 + start.turn().fold_wb(0, 1);
        MoveNumber {
            number: u64::from(start.fullmoves().get()) + half_moves / 2,
            turn: if half_moves.is_multiple_of(2) { Color::White } else { Color::Black },
        }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.turn.fold_wb(".", "..."))
    }
}

/// A numeric annotation glyph, written `$1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

impl Nag {
    /// A good move, `!`.
    pub const GOOD: Nag = Nag(1);
    /// A mistake, `?`.
    pub const MISTAKE: Nag = Nag(2);
    /// A brilliant move, `!!`.
    pub const BRILLIANT: Nag = Nag(3);
    /// A blunder, `??`.
    pub const BLUNDER: Nag = Nag(4);
    /// A speculative move, `!?`.
    pub const SPECULATIVE: Nag = Nag(5);
    /// A dubious move, `?!`.
    pub const DUBIOUS: Nag = Nag(6);
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Role, Square, fen::Fen};

    #[test]
    fn titles_say_what_is_known() {
        let mut game = Game::new(Chess::default());
        assert_eq!(game.title(), "");
        game.set_tag("Date", "????.??.??");
        game.set_tag("Event", "?");
        game.set_tag("White", "?");
        assert_eq!(game.title(), "");
        game.set_tag("Black", "BELLE");
        game.set_tag("Date", "1978.12.??");
        assert_eq!(game.title(), "? - BELLE, 1978.12.??");
        game.set_tag("White", "Browne");
        game.set_tag("Event", "Exhibition");
        assert_eq!(game.title(), "Browne - BELLE, Exhibition, 1978.12.??");
        assert_eq!(game.tags.len(), 4);
    }

    #[test]
    fn moves_are_numbered_from_the_start_position() -> Result<(), Box<dyn std::error::Error>> {
        let fen: Fen = "8/8/8/4k3/8/8/4P3/4K3 b - - 3 12".parse()?;
        let game = Game::new(fen.into_position(CastlingMode::Standard)?);
        let numbers: Vec<String> = (0..4).map(|ply| game.move_number(ply).to_string()).collect();
        assert_eq!(numbers, ["12...", "13.", "13...", "14."]);
        Ok(())
    }

    #[test]
    fn illegal_moves_are_refused_and_change_nothing() {
        let mut game = Game::new(Chess::default());
        let mv = Move::Normal { role: Role::Queen, from: Square::D1, capture: None, to: Square::D5, promotion: None };
        assert_eq!(game.push(mv).map_err(|error| error.to_string()), Err("illegal move 1. d1d5".to_owned()));
        assert!(game.moves().is_empty());
        assert_eq!(game.end(), &Chess::default());
    }
}
