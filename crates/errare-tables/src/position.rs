//! Parsing of FENs as positions that tables can have.

use crate::material::MAX_MEN;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, PositionError, PositionErrorKinds, Role, Setup};

/// A FEN that is not valid, or whose position no table can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is not a FEN.
    #[error("invalid FEN `{fen}`: {reason}")]
    Syntax {
        /// The text.
        fen: String,
        /// The error of the parser.
        reason: String,
    },
    /// A side has no king.
    #[error("{} has no king", name(*.0))]
    NoKing(Color),
    /// A side has several kings.
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
    #[error("illegal position: {} is to move and could capture the king", name(*.0))]
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

/// As [`parse_fen`], for tables of at most `max_men` men: see [`Source::max_men`](crate::Source::max_men).
///
/// # Errors
/// As [`parse_fen`], with another limit on the number of men.
pub fn parse_fen_within(text: &str, max_men: usize) -> Result<Chess, FenError> {
    let syntax = |reason: String| FenError::Syntax { fen: text.to_owned(), reason };
    let has_castling = text.split_whitespace().nth(2).is_some_and(|field| field != "-");
    let fen: Fen = match text.trim().parse() {
        Ok(fen) => fen,
        // Castling rights without a rook in place count as castling rights too.
        Err(shakmaty::fen::ParseFenError::InvalidCastling) if has_castling => return Err(FenError::Castling),
        Err(error) => return Err(syntax(error.to_string())),
    };
    let setup = fen.into_setup();
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
