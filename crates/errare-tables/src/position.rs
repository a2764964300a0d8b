//! Parsing of FENs as positions that tables can have.

use crate::material::MAX_MEN;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, PositionError, PositionErrorKinds, Role, Setup};

/// A FEN that is not valid, or whose position no table can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not a FEN.
    #[error("invalid FEN `{fen}`: {reason}")]
    Syntax {
        /// The invalid text.
        fen: String,
        /// The error of the parser.
        reason: String,
    },
    /// This side has no king.
    #[error("{} has no king", name(*.0))]
    NoKing(Color),
    /// This side has several kings.
    #[error("{} has more than one king", name(*.0))]
    Kings(Color),
    /// Castling is still possible.
    #[error("the position has castling rights, which endgame tables do not cover: use `-` if castling does not matter")]
    Castling,
    /// The position has more men than the source has tables for.
    #[error("too many men: expected at most {max}, found {men}")]
    TooManyMen {
        /// Number of men of the position.
        men: usize,
        /// The greatest number of men that the source has tables for.
        max: usize,
    },
    /// The side that has just moved is in check.
    #[error(
        "illegal position: {} is in check, but {} is to move and could capture the king",
        name(!*.0),
        name(*.0)
    )]
    KingCapture(Color),
    /// The kings are on neighbouring squares.
    #[error("illegal position: the kings touch")]
    KingsTouch,
    /// A pawn is on the first or last rank.
    #[error("illegal position: a pawn is on the first or last rank")]
    PawnRank,
    /// The position is illegal for another reason, which the text gives.
    #[error("{0}")]
    Illegal(String),
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Parses a FEN as a position that our tables can have.
///
/// An en passant square that allows no capture is ignored, as are checks that no game could lead to:
/// tables hold every placement in which the king cannot be captured.
///
/// ```
/// use errare_tables::{FenError, parse_fen};
/// assert!(parse_fen("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1").is_ok());
/// assert_eq!(parse_fen("8/8/8/8/8/8/8/K6k w K - 0 1").unwrap_err(), FenError::Castling);
/// ```
///
/// # Errors
/// If the FEN is not valid, the position not legal, or if it has castling rights or more than [`MAX_MEN`] men.
pub fn parse_fen(text: &str) -> Result<Chess, FenError> {
    parse_fen_within(text, MAX_MEN)
}

/// Parses a FEN as [`parse_fen`] does, for tables of at most `max_men` men: see
/// [`Source::max_men`](crate::Source::max_men).
///
/// # Errors
/// As [`parse_fen`], with another limit on the number of men.
pub fn parse_fen_within(text: &str, max_men: usize) -> Result<Chess, FenError> {
    let syntax = |reason: String| FenError::Syntax { fen: text.to_owned(), reason };
    let has_castling = text.split_whitespace().nth(2).is_some_and(|field| field != "-");
    let fen: Fen = match text.trim().parse() {
        Ok(fen) => fen,
        // Castling rights without a rook in place count as castling rights too.
        Err(ParseFenError::InvalidCastling) if has_castling => return Err(FenError::Castling),
        Err(error) => return Err(syntax(fault(text, &error))),
    };
    let setup = fen.into_setup();
    if setup.pockets.is_some() {
        return Err(syntax(fault(text, &ParseFenError::InvalidPocket)));
    }
    for color in [Color::White, Color::Black] {
        match (setup.board.by_color(color) & setup.board.by_role(Role::King)).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            _ => return Err(FenError::Kings(color)),
        }
    }
    if has_castling || !setup.castling_rights.is_empty() {
        return Err(FenError::Castling);
    }
    let men = setup.board.occupied().count();
    if men > max_men {
        return Err(FenError::TooManyMen { men, max: max_men });
    }
    from_setup(setup)
}

/// Describes the fault of a text that the parser refuses, with its place where that can be found.
fn fault(text: &str, error: &ParseFenError) -> String {
    let mut fields = text.split_whitespace();
    let [board, turn] = [fields.next().unwrap_or_default(), fields.next().unwrap_or_default()];
    match error {
        // A ninth rank is read as the pocket of other kinds of chess.
        ParseFenError::InvalidFen | ParseFenError::InvalidBoard | ParseFenError::InvalidPocket => {
            board_fault(board).unwrap_or_else(|| error.to_string())
        }
        ParseFenError::InvalidTurn => format!("the side to move is `{turn}`, expected w or b"),
        _ => error.to_string(),
    }
}

/// Describes the first rank of a board that is not valid, from the eighth down, as FENs list them.
fn board_fault(board: &str) -> Option<String> {
    const RANKS: usize = 8;
    let ranks: Vec<&str> = board.split('/').collect();
    for (number, rank) in (1..=RANKS).rev().zip(&ranks) {
        let mut squares = 0;
        for letter in rank.chars() {
            squares += match letter {
                '1'..='8' => letter as usize - '0' as usize,
                _ if Role::from_char(letter).is_some() => 1,
                _ => {
                    return Some(format!(
                        "rank {number} (`{rank}`) has `{letter}`, expected a man (KQRBNP for White, kqrbnp for Black) or \
                         a number of empty squares from 1 to 8"
                    ));
                }
            };
        }
        if squares != RANKS {
            let how = if squares > RANKS { "too many" } else { "too few" };
            return Some(format!("rank {number} (`{rank}`) has {how} squares: expected 8, found {squares}"));
        }
    }
    (ranks.len() != RANKS).then(|| format!("the board has {} ranks separated by `/`, expected 8", ranks.len()))
}

/// Makes a position of a setup that a table may hold.
pub(crate) fn from_setup(setup: Setup) -> Result<Chess, FenError> {
    let turn = setup.turn;
    let kings = Color::ALL.map(|color| setup.board.king_of(color));
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| match (error.kinds(), kings) {
            (kinds, [Some(a), Some(b)]) if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) => {
                if a.distance(b) == 1 {
                    FenError::KingsTouch
                } else {
                    FenError::KingCapture(turn)
                }
            }
            (kinds, _) if kinds.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) => FenError::PawnRank,
            _ => FenError::Illegal(error.to_string()),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_fen_names_the_rank_and_the_fault() {
        for (fen, words) in [
            ("8/8/8/8/2r5/9/2k5/K6Q w - - 0 1", "rank 3 (`9`) has `9`, expected a man"),
            ("8/8/8/8/2r6/8/2k5/K6Q w - - 0 1", "rank 4 (`2r6`) has too many squares: expected 8, found 9"),
            ("8/8/8/8/2r4/8/2k5/K6Q w - - 0 1", "rank 4 (`2r4`) has too few squares: expected 8, found 7"),
            ("8/8/8/8/2x5/8/2k5/K6Q w - - 0 1", "rank 4 (`2x5`) has `x`, expected a man"),
            ("8/8/8/2r5/8/2k5/K6Q w - - 0 1", "the board has 7 ranks separated by `/`, expected 8"),
            ("8/8/8/8/8/2r5/8/2k5/K6Q w - - 0 1", "the board has 9 ranks separated by `/`, expected 8"),
            ("K6k/8/8/8/8/8/8/8/Q w - - 0 1", "the board has 9 ranks separated by `/`, expected 8"),
            ("", "rank 8 (``) has too few squares"),
            ("8/8/8/8/2r5/8/2k5/K6Q x - - 0 1", "the side to move is `x`, expected w or b"),
            ("8/8/8/8/2r5/8/2k5/7Q w - - 0 1", "White has no king"),
            ("8/8/8/8/2r5/8/2k5/K5KQ w - - 0 1", "White has more than one king"),
            ("8/8/8/8/2r5/8/2k4Q/K7 w - - 0 1", "illegal position: Black is in check, but White is to move"),
            ("8/8/8/8/8/8/8/K6k w K - 0 1", "castling rights"),
            ("8/8/8/8/qqqq4/8/qqk5/K6Q w - - 0 1", "too many men: expected at most 6, found 9"),
        ] {
            let found = parse_fen(fen).map_err(|error| error.to_string()).err().unwrap_or_default();
            assert!(found.contains(words), "{fen}: {found}");
        }
    }
}
