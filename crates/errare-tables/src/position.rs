//! Positions from outside: FENs that a table can answer for, and clear words about the others.

use crate::material::MAX_MEN;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, PositionError, PositionErrorKinds, Role, Setup};

/// Why a FEN has no place in any table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Not a FEN.
    #[error("`{fen}` is no FEN: {reason}")]
    Syntax {
        /// The text.
        fen: String,
        /// What the parser says.
        reason: String,
    },
    /// A king is missing.
    #[error("{} has no king", name(*.0))]
    NoKing(Color),
    /// A second king.
    #[error("{} has more than one king", name(*.0))]
    Kings(Color),
    /// Castling is still possible.
    #[error("the position has castling rights: endgame tables know none, give `-` if castling no longer matters")]
    Castling,
    /// More men than any table of the source has.
    #[error("the position has {men} men: tables reach to {most}")]
    TooManyMen {
        /// How many there are.
        men: usize,
        /// How many there may be.
        most: usize,
    },
    /// The side that has just moved stands in check.
    #[error("the position is illegal: {} is to move and could take the king", name(*.0))]
    KingCapture(Color),
    /// The kings stand on neighbouring squares.
    #[error("the position is illegal: the kings touch")]
    KingsTouch,
    /// A pawn on the first or last rank.
    #[error("the position is illegal: a pawn stands on the first or last rank")]
    PawnRank,
    /// Anything else that the rules forbid.
    #[error("the position is illegal: {0}")]
    Illegal(String),
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Reads a FEN as a position that our tables can be asked about.
///
/// An en passant square that allows no capture is ignored, as are checks that no game could give:
/// tables hold every placement in which the king cannot be taken.
///
/// ```
/// use errare_tables::{FenError, parse_fen};
/// assert!(parse_fen("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1").is_ok());
/// assert_eq!(parse_fen("8/8/8/8/8/8/8/K6k w K - 0 1").unwrap_err(), FenError::Castling);
/// ```
pub fn parse_fen(text: &str) -> Result<Chess, FenError> {
    parse_fen_within(text, MAX_MEN)
}

/// As [`parse_fen`], for tables of at most so many men: see [`Source::most_men`](crate::Source::most_men).
pub fn parse_fen_within(text: &str, most: usize) -> Result<Chess, FenError> {
    let syntax = |reason: String| FenError::Syntax { fen: text.to_owned(), reason };
    let has_castling = text.split_whitespace().nth(2).is_some_and(|field| field != "-");
    let fen: Fen = match text.trim().parse() {
        Ok(fen) => fen,
        // Rights without a rook in place are rights all the same.
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
    if men > most {
        return Err(FenError::TooManyMen { men, most });
    }
    from_setup(setup)
}

/// The position of a setup that may stand in a table, or why it is none.
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
