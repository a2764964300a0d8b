//! The start position that a game's tags define.

use crate::error::Flaw;
use crate::game::Game;
use crate::text::shown;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError};

/// Values of the tag `Variant` that stand for standard chess.
const CHESS: [&str; 6] = ["", "?", "Standard", "Chess", "Normal", "From Position"];

/// Determines the start position from the tags `FEN`, `SetUp` and `Variant`.
pub(crate) fn start(game: &Game) -> Result<Chess, Flaw> {
    if let Some(variant) = game.tag("Variant")
        && !CHESS.iter().any(|name| name.eq_ignore_ascii_case(variant.trim()))
    {
        return Err(Flaw::Variant(shown(variant)));
    }
    match game.tag("FEN").map(str::trim) {
        Some(fen) if !fen.is_empty() => {
            parse_fen(fen).map_err(|reason| Flaw::Fen { fen: shown(fen), reason: shown(&reason) })
        }
        _ if game.tag("SetUp").map(str::trim) == Some("1") => Err(Flaw::NoFen),
        _ => Ok(Chess::default()),
    }
}

/// Parses a FEN. The error is the reason why it is not valid.
///
/// Positions that no game could lead to are accepted if they can be played on, since studies and practice positions
/// are often like that.
pub(crate) fn parse_fen(fen: &str) -> Result<Chess, String> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(|error| error.to_string())?;
    let strange = match fen
        .into_position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
    {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    let complaint = strange.to_string();
    strange.ignore_too_much_material().ok().filter(fits_move_lists).ok_or(complaint)
}

/// Whether shakmaty's move lists can hold the moves of every position to come; otherwise it would panic.
///
/// They hold 270. With the men of a game there are at most 218 moves, and a search by hill climbing found no more than
/// 235 for any sixteen men, but a board full of queens has too many.
fn fits_move_lists(position: &Chess) -> bool {
    Color::ALL.into_iter().all(|color| position.board().by_color(color).count() <= 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start_of(tags: &[(&str, &str)]) -> Result<Chess, Flaw> {
        let mut game = Game::new(Chess::default());
        tags.iter().for_each(|(name, value)| game.set_tag(name, value));
        start(&game)
    }

    #[test]
    fn a_fen_needs_no_set_up() -> Result<(), Flaw> {
        let fen = "8/8/8/4k3/8/8/4P3/4K3 b - - 3 12";
        assert_eq!(start_of(&[("FEN", fen)])?.turn(), Color::Black);
        assert_eq!(start_of(&[("SetUp", "1"), ("FEN", fen)])?.fullmoves().get(), 12);
        assert_eq!(start_of(&[("SetUp", "0"), ("FEN", "")])?, Chess::default());
        assert_eq!(start_of(&[("SetUp", "1"), ("FEN", " ")]), Err(Flaw::NoFen));
        Ok(())
    }

    #[test]
    fn positions_out_of_the_world_are_accepted() {
        for fen in [
            // Checks by two rooks from opposite sides, which no move gives.
            "4r3/8/8/8/4K3/8/4r3/7k w - - 0 1",
            "NNNNNNNN/NNNNNNN1/8/8/8/8/7k/K7 w - - 0 1",
            "8/8/8/4k3/8/8/4P3/4K3 w - e6 0 1",
        ] {
            assert!(start_of(&[("FEN", fen)]).is_ok(), "{fen}");
        }
    }

    #[test]
    fn others_are_refused_with_a_reason() {
        for (fen, expected) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "missing king"),
            ("8/8/8/8/8/8/8/KR5k w - - 0 1", "opposite check"),
            ("8/8/8/4k3/8/8/8/4K3 w KQ - 0 1", "castling"),
            ("nonsense", "board"),
            // More moves than shakmaty can list.
            ("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1", "too much material"),
        ] {
            let reason = match start_of(&[("FEN", fen)]) {
                Err(Flaw::Fen { reason, .. }) => reason,
                other => format!("{other:?}"),
            };
            assert!(reason.contains(expected), "{fen}: {reason}");
        }
    }

    #[test]
    fn variants_are_not_mistaken_for_chess() {
        assert_eq!(start_of(&[("Variant", "Chess960")]), Err(Flaw::Variant("Chess960".to_owned())));
        assert!(start_of(&[("Variant", "standard")]).is_ok());
    }
}
