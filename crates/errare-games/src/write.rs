//! Games as PGN in export format, with annotations.

use crate::game::{Game, Nag, PlayedMove};
use crate::start::parse_fen;
use crate::text::comment;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Outcome, Position, Setup};
use std::io::{self, Write};

/// The longest line: the PGN standard requires fewer than 80 characters.
const COLUMNS: usize = 79;

/// The tags that every game has, in this order, with the text for an unknown value.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Glyphs and a comment to add to a move when its game is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// Glyphs to add after those of the move; a glyph that the move already has is not repeated.
    pub nags: Vec<Nag>,
    /// A comment to add after those of the move.
    pub comment: Option<String>,
}

/// Writes a game as PGN, followed by an empty line, so that another game can follow.
///
/// `annotations` belong to the moves in their order; there may be fewer than moves, or none. Tags and comments are
/// written so that they can be read back: `}` in a comment becomes `)`, a line end in a tag becomes a space, and of
/// several tags of one name only the first is written. An unusual start position is written as `SetUp` and `FEN`
/// whether or not the game has these tags. A game without a result gets that of the tag `Result`, or else `*`.
///
/// ```
/// use errare_games::{Annotation, Games, Nag, write_game};
///
/// let pgn = "[Event \"Olympiad\"]\n\n1. f3 e5 2. g4 {Why?} Qh4# 0-1";
/// let mut written = Vec::new();
/// for game in Games::new(pgn.as_bytes()) {
///     let mut annotations = vec![Annotation::default(); 4];
///     annotations[2] = Annotation { nags: vec![Nag::BLUNDER], comment: Some("Mate in 1.".to_owned()) };
///     write_game(&mut written, &game?, &annotations)?;
/// }
/// let movetext = "\n\n1. f3 e5 2. g4 $4 {Why?} {Mate in 1.} 2... Qh4# 0-1\n\n";
/// assert!(String::from_utf8(written)?.ends_with(movetext));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_game(out: &mut impl Write, game: &Game, annotations: &[Annotation]) -> io::Result<()> {
    // A tag whose value is not a result, such as `?`, leaves the result unknown.
    let result = game.result.or_else(|| game.tag("Result")?.parse().ok()).unwrap_or(Outcome::Unknown);
    write_tags(out, game, result)?;
    writeln!(out)?;

    let mut lines = Lines { out, column: 0 };
    game.comments.iter().try_for_each(|text| lines.comment(text).map(|_| ()))?;
    let mut needs_number = true;
    let mut position = game.start().clone();
    for (ply, PlayedMove { mv, nags, comments }) in game.moves().iter().enumerate() {
        if needs_number || position.turn().is_white() {
            lines.word(&game.move_number(ply).to_string())?;
        }
        lines.word(&SanPlus::from_move_and_play_unchecked(&mut position, *mv).to_string())?;
        needs_number = false;
        let annotation = annotations.get(ply);
        let mut written: Vec<Nag> = Vec::new();
        for nag in nags.iter().chain(annotation.iter().flat_map(|annotation| &annotation.nags)) {
            if !written.contains(nag) {
                written.push(*nag);
                lines.word(&nag.to_string())?;
            }
        }
        let added = annotation.and_then(|annotation| annotation.comment.as_ref());
        for text in comments.iter().chain(added) {
            needs_number |= lines.comment(text)?;
        }
    }
    lines.word(result.as_str())?;
    write!(out, "\n\n")
}

/// Writes the seven tags of the roster, then the others.
fn write_tags(out: &mut impl Write, game: &Game, result: Outcome) -> io::Result<()> {
    for (name, unknown) in ROSTER {
        write_tag(out, name, game.tag(name).unwrap_or(unknown))?;
    }
    write_tag(out, "Result", game.tag("Result").unwrap_or(result.as_str()))?;

    let setup = setup(game.start());
    // The tag is written unchanged unless it describes another position.
    let fen_is_right = match game.tag("FEN").map(str::trim) {
        None | Some("") => setup == Setup::default(),
        Some(fen) => parse_fen(fen).is_ok_and(|position| self::setup(&position) == setup),
    };
    let mut names = vec!["Result"];
    names.extend(ROSTER.map(|(name, _)| name));
    if !fen_is_right {
        names.extend(["SetUp", "FEN"]);
    }
    for (name, value) in &game.tags {
        if !names.contains(&name.as_str()) {
            names.push(name);
            write_tag(out, name, value)?;
        }
    }
    if !fen_is_right && setup != Setup::default() {
        write_tag(out, "SetUp", "1")?;
        let fen = Fen::from_position(game.start(), EnPassantMode::Legal);
        write_tag(out, "FEN", &fen.to_string())?;
    }
    Ok(())
}

/// The position as a setup, which can be compared including its move counters, unlike [`Chess`].
fn setup(position: &Chess) -> Setup {
    position.to_setup(EnPassantMode::Legal)
}

fn write_tag(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    let name: String = name.chars().filter(|c| *c > ' ' && !matches!(c, '"' | '[' | ']')).collect();
    // PGN has no tags without a name; the reader does not keep them either.
    if name.is_empty() {
        return Ok(());
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
    writeln!(out, "[{name} \"{value}\"]")
}

/// Writes words on lines of at most [`COLUMNS`] characters.
struct Lines<'a, W> {
    out: &'a mut W,
    column: usize,
}

impl<W: Write> Lines<'_, W> {
    fn word(&mut self, word: &str) -> io::Result<()> {
        let width = word.chars().count();
        // A reader would take a line of a comment that begins with one of these for a tag or an escaped line.
        let may_begin_line = !word.starts_with(['[', '%']);
        if self.column > 0 {
            let is_full = self.column + 1 + width > COLUMNS && may_begin_line;
            self.out.write_all(if is_full { b"\n" } else { b" " })?;
            self.column = if is_full { 0 } else { self.column + 1 };
        }
        self.column += width;
        self.out.write_all(word.as_bytes())
    }

    /// Writes a comment unless it is empty, and returns whether it wrote one.
    fn comment(&mut self, text: &str) -> io::Result<bool> {
        let text = comment(text);
        if !text.is_empty() {
            format!("{{{text}}}").split(' ').try_for_each(|word| self.word(word))?;
        }
        Ok(!text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(game: &Game) -> io::Result<String> {
        let mut pgn = Vec::new();
        write_game(&mut pgn, game, &[])?;
        Ok(String::from_utf8_lossy(&pgn).into_owned())
    }

    #[test]
    fn the_roster_comes_first_and_values_are_escaped() -> io::Result<()> {
        let mut game = Game::new(Chess::default());
        game.tags = [("Opening", "a\nb"), ("White", "\"X\" \\"), ("Odd [name]", "1"), ("White", "Y"), ("[]", "2")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "\"X\" \\"]
[Black "?"]
[Result "*"]
[Opening "a b"]
[Oddname "1"]

*

"#;
        assert_eq!(written(&game)?, expected);
        Ok(())
    }

    #[test]
    fn a_missing_result_is_that_of_the_tag() -> io::Result<()> {
        let mut game = Game::new(Chess::default());
        game.set_tag("Result", "0-1");
        assert!(written(&game)?.ends_with("\n\n0-1\n\n"));
        game.result = Some(Outcome::Unknown);
        let pgn = written(&game)?;
        assert!(pgn.contains("[Result \"0-1\"]") && pgn.ends_with("\n\n*\n\n"));
        Ok(())
    }

    #[test]
    fn the_fen_is_that_of_the_game() -> Result<(), Box<dyn std::error::Error>> {
        let fen = "8/8/8/4k3/8/8/4P3/4K3 b - - 3 12";
        let mut game = Game::new(parse_fen(fen)?);
        let added = format!("[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        assert!(written(&game)?.contains(&added));
        // This position, but for its counters.
        game.set_tag("FEN", "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1");
        assert!(written(&game)?.contains(&added));
        // This position in other words.
        game.set_tag("FEN", "8/8/8/4k3/8/8/4P3/4K3 b - e6 3 12");
        assert!(written(&game)?.contains("b - e6 3 12"));
        let mut game = Game::new(Chess::default());
        game.set_tag("FEN", fen);
        assert!(!written(&game)?.contains("FEN"));
        Ok(())
    }

    #[test]
    fn lines_are_short_and_begin_with_nothing_dangerous() -> io::Result<()> {
        let mut game = Game::new(Chess::default());
        game.comments = vec!["%a [Event \"x\"] }".repeat(40), "word ".repeat(100), " ".to_owned()];
        let pgn = written(&game)?;
        let (_, movetext) = pgn.split_once("\n\n").unwrap_or_default();
        assert!(movetext.lines().filter(|line| line.starts_with("word")).all(|line| line.len() < 80));
        assert!(movetext.lines().filter(|line| line.len() < 80).count() > 6);
        assert!(!movetext.contains("\n[") && !movetext.contains("\n%"));
        assert_eq!(movetext.matches('}').count(), 2);
        Ok(())
    }
}
