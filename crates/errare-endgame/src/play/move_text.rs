//! Moves as people type them, and sentences about what is wrong with them.

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, CastlingMode, Chess, Move, MoveList, Position, Role, Square, attacks};

/// A text that is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveTextError {
    /// The text has the form of no notation.
    #[error("{0} is not a move: expected one as in Qd5, exd5 or d1d5")]
    Unreadable(String),
    /// The text names a square that the board does not have.
    #[error("{text}: no such square as {square}")]
    NoSuchSquare {
        /// The text with the square.
        text: String,
        /// The square that does not exist.
        square: String,
    },
    /// The text matches several legal moves.
    #[error("{text} is ambiguous: {}", either(matches))]
    Ambiguous {
        /// The ambiguous text.
        text: String,
        /// The moves that the text may mean, in standard algebraic notation.
        matches: Vec<String>,
    },
    /// A pawn reaches the last rank, and the text does not name the piece it becomes.
    #[error("{text} promotes a pawn: {}", either(matches))]
    Promotion {
        /// The text without the piece.
        text: String,
        /// The moves that the text may mean, in the notation of the text.
        matches: Vec<String>,
    },
    /// The move is not legal.
    #[error("{text} is not legal: {reason}")]
    Illegal {
        /// The text of the move.
        text: String,
        /// The reason why the move is not legal.
        reason: String,
    },
}

/// Joins alternatives in words: `a`, `a or b`, `a, b or c`.
fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Reads a move in standard algebraic notation, as in `Qd5`, or in the notation of the UCI protocol, as in `d1d5`.
///
/// Signs for check, mate and quality may be there or not, and pieces may be small letters where no pawn can be meant.
///
/// ```
/// use errare_endgame::parse_move;
/// use errare_tables::parse_fen;
/// let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?;
/// assert_eq!(parse_move(&position, "Rb1")?, parse_move(&position, "b2b1")?);
/// let error = parse_move(&position, "Rb9").unwrap_err();
/// assert_eq!(error.to_string(), "Rb9: no such square as b9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not a move, matches several moves, or is not legal in the position.
pub fn parse_move(position: &Chess, text: &str) -> Result<Move, MoveTextError> {
    let text = text.trim();
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let legal = position.legal_moves();
    let coordinates = bare.to_ascii_lowercase();
    if let Ok(UciMove::Normal { from, to, promotion }) = coordinates.parse() {
        return by_squares(position, &legal, text, (from, to, promotion));
    }
    let capital: String = bare.chars().take(1).flat_map(char::to_uppercase).chain(bare.chars().skip(1)).collect();
    let readings: Vec<San> = [bare, &capital].into_iter().filter_map(|text| text.parse().ok()).collect();
    for reading in &readings {
        let matches: Vec<Move> = legal.iter().copied().filter(|&mv| reading.matches(mv)).collect();
        match matches[..] {
            [] => {}
            [mv] => return Ok(mv),
            _ => {
                let matches = matches.into_iter().map(|mv| San::from_move(position, mv).to_string()).collect();
                return Err(MoveTextError::Ambiguous { text: text.to_owned(), matches });
            }
        }
    }
    match readings.first() {
        Some(&San::Normal { role, to, file, rank, .. }) => {
            let is_from = |from: Square| {
                file.is_none_or(|file| from.file() == file) && rank.is_none_or(|rank| from.rank() == rank)
            };
            Err(refused(position, &legal, text, role, to, &is_from))
        }
        Some(_) => Err(illegal(text, "castling is not possible here".to_owned())),
        None => Err(unreadable(text, bare)),
    }
}

/// Finds a move that is given by its squares.
fn by_squares(
    position: &Chess,
    legal: &MoveList,
    text: &str,
    (from, to, promotion): (Square, Square, Option<Role>),
) -> Result<Move, MoveTextError> {
    let is_meant = |mv: &&Move| mv.from() == Some(from) && mv.to() == to && mv.promotion() == promotion;
    if let Some(&mv) = legal.iter().find(is_meant) {
        return Ok(mv);
    }
    match position.board().piece_at(from) {
        None => Err(illegal(text, format!("there is nothing on {from}"))),
        Some(piece) if piece.color != position.turn() => {
            Err(illegal(text, format!("the {} on {from} is not {}'s", name(piece.role), side(position))))
        }
        Some(piece) => Err(refused(position, legal, text, piece.role, to, &|square| square == from)),
    }
}

/// Explains why no man of a kind can move to a square.
fn refused(
    position: &Chess,
    legal: &MoveList,
    text: &str,
    role: Role,
    to: Square,
    is_from: &dyn Fn(Square) -> bool,
) -> MoveTextError {
    let is_promotion = |mv: &&Move| mv.is_promotion() && mv.to() == to && mv.from().is_some_and(is_from);
    if role == Role::Pawn && legal.iter().any(|mv| is_promotion(&mv)) {
        let in_squares = text.to_ascii_lowercase().parse::<UciMove>().is_ok();
        let written = |mv: &Move| {
            if in_squares {
                mv.to_uci(CastlingMode::Standard).to_string()
            } else {
                SanPlus::from_move(position.clone(), *mv).to_string()
            }
        };
        let matches = legal.iter().filter(is_promotion).map(written).collect();
        return MoveTextError::Promotion { text: text.to_owned(), matches };
    }
    let (board, turn) = (position.board(), position.turn());
    let men = board.by_role(role) & board.by_color(turn);
    let (what, who) = (name(role), side(position));
    let reason = if men.is_empty() {
        format!("{who} has no {what}")
    } else if let Some(piece) = board.piece_at(to).filter(|piece| piece.color == turn) {
        format!("{who}'s own {} is on {to}", name(piece.role))
    } else if reaching(position, men, to).into_iter().any(is_from) {
        format!("{who}'s king would be in check")
    } else {
        format!("no {what} of {who} can go to {to}")
    };
    illegal(text, reason)
}

/// The men of a set that could go to a square if no king could be captured.
fn reaching(position: &Chess, men: Bitboard, to: Square) -> Bitboard {
    let (board, turn) = (position.board(), position.turn());
    let takes = board.occupied().contains(to) || position.legal_ep_square() == Some(to);
    men.into_iter().fold(Bitboard::EMPTY, |found, from| {
        let Some(piece) = board.piece_at(from) else { return found };
        let reaches = match piece.role {
            Role::Pawn if takes => attacks::pawn_attacks(turn, from).contains(to),
            Role::Pawn => {
                let steps = (i32::from(to) - i32::from(from)) * turn.fold_wb(1, -1);
                let is_first = from.rank() == turn.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
                let is_free = (attacks::between(from, to) & board.occupied()).is_empty();
                steps == 8 || steps == 16 && is_first && is_free
            }
            _ => board.attacks_from(from).contains(to),
        };
        if reaches { found | Bitboard::from(from) } else { found }
    })
}

fn unreadable(text: &str, bare: &str) -> MoveTextError {
    // A piece's letter and a capture sign may stand before the squares: `Qxh9`, `h7h9`.
    let squares: Vec<char> = bare.trim_start_matches(['K', 'Q', 'R', 'B', 'N', 'k', 'q', 'r', 'n']).chars().collect();
    let is_square = |pair: &&[char]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
    let missing = |pair: &&[char]| !(('a'..='h').contains(&pair[0]) && ('1'..='8').contains(&pair[1]));
    let wrong = squares.windows(2).filter(is_square).find(missing);
    match wrong {
        Some(pair) if squares.len() <= 6 => {
            MoveTextError::NoSuchSquare { text: text.to_owned(), square: pair.iter().collect() }
        }
        _ => MoveTextError::Unreadable(text.chars().take(20).collect()),
    }
}

fn illegal(text: &str, reason: String) -> MoveTextError {
    MoveTextError::Illegal { text: text.to_owned(), reason }
}

fn side(position: &Chess) -> &'static str {
    position.turn().fold_wb("White", "Black")
}

fn name(role: Role) -> &'static str {
    crate::habits::role_name(role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_tables::parse_fen;

    fn read(fen: &str, text: &str) -> Result<String, String> {
        let position = parse_fen(fen).map_err(|error| error.to_string())?;
        let mv = parse_move(&position, text).map_err(|error| error.to_string())?;
        Ok(mv.to_uci(CastlingMode::Standard).to_string())
    }

    const ROOKS: &str = "8/8/8/8/4k3/8/8/R3K2R w - - 0 1";
    const PAWN: &str = "8/P6k/8/8/8/8/2p5/K7 w - - 0 1";

    #[test]
    fn moves_are_read_in_either_notation() {
        for text in ["Rd1", "rd1", "a1d1", "A1D1", " Rd1 ", "Rd1!?", "Rd1+"] {
            assert_eq!(read(ROOKS, text), Ok("a1d1".to_owned()), "{text}");
        }
        for text in ["a8=Q", "a7a8q", "a8=Q+"] {
            assert_eq!(read(PAWN, text), Ok("a7a8q".to_owned()), "{text}");
        }
        // A small b is a file first, and a bishop where no pawn can move.
        assert_eq!(read("7k/8/8/8/8/8/1P6/B1K5 w - - 0 1", "b3"), Ok("b2b3".to_owned()));
        assert_eq!(read("6k1/8/8/8/8/8/8/B1K5 w - - 0 1", "bd4"), Ok("a1d4".to_owned()));
    }

    #[test]
    fn unclear_moves_are_explained() {
        let rooks = "8/6k1/8/8/8/8/8/R2K3R w - - 0 1";
        for (fen, text, expected) in [
            (rooks, "Re4", "Re4 is not legal: no rook of White can go to e4"),
            ("R6R/8/8/8/4k3/8/8/4K3 w - - 0 1", "Rd8", "Rd8 is ambiguous: Rad8 or Rhd8"),
            (rooks, "Qh9", "Qh9: no such square as h9"),
            (rooks, "Qh4", "Qh4 is not legal: White has no queen"),
            (rooks, "h1j1", "h1j1: no such square as j1"),
            (rooks, "Rd1", "Rd1 is not legal: White's own king is on d1"),
            (rooks, "O-O", "O-O is not legal: castling is not possible here"),
            (rooks, "e4e5", "e4e5 is not legal: there is nothing on e4"),
            (rooks, "g7g8", "g7g8 is not legal: the king on g7 is not White's"),
            (rooks, "hello", "hello is not a move: expected one as in Qd5, exd5 or d1d5"),
            (rooks, "", " is not a move: expected one as in Qd5, exd5 or d1d5"),
            ("8/8/8/8/4k3/8/8/3QK2r w - - 0 1", "Qa4", "Qa4 is not legal: White's king would be in check"),
            ("4r2k/8/8/8/8/8/4Q3/4K3 w - - 0 1", "Qd3", "Qd3 is not legal: White's king would be in check"),
            (PAWN, "a8", "a8 promotes a pawn: a8=Q, a8=R, a8=B or a8=N"),
            (PAWN, "a7a8", "a7a8 promotes a pawn: a7a8q, a7a8r, a7a8b or a7a8n"),
            (PAWN, "c1", "c1 is not legal: no pawn of White can go to c1"),
        ] {
            let mut found = read(fen, text).expect_err(text);
            // The generator's order of promotions is its own.
            if expected.contains("promotes") {
                let (start, rest) = found.split_once(": ").map(|(a, b)| (a.to_owned(), b.to_owned())).expect(text);
                let order = |word: &str| ["q", "r", "b", "n"].iter().position(|end| word.to_lowercase().ends_with(end));
                let mut words: Vec<String> = rest.replace(" or ", ", ").split(", ").map(str::to_owned).collect();
                words.sort_by_key(|word| order(word.trim_end_matches('+')));
                found = format!("{start}: {}", either(&words));
            }
            assert_eq!(found, expected);
        }
    }
}
