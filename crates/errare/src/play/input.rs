//! What a person types in a game: moves and commands.

/// The commands, with what they do.
pub const COMMANDS: [(&str, &str); 9] = [
    ("hint", "show the best moves"),
    ("moves", "show all moves with what they lead to"),
    ("back", "take your last move back"),
    ("flip", "turn the board round"),
    ("draw", "claim a draw, if the move rule or repetition allows it"),
    ("resign", "give the game up"),
    ("save FILE", "write the game as PGN, with comments"),
    ("help", "show this list"),
    ("quit", "stop playing"),
];

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    Hint,
    Moves,
    Back,
    Flip,
    Draw,
    Resign,
    Save(String),
    Help,
    Quit,
    /// Anything else, which should be a move.
    Move(String),
}

impl Typed {
    /// What a line means; none if it is empty.
    pub fn read(line: &str) -> Option<Typed> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => return None,
            ("hint", "") => Typed::Hint,
            ("moves", "") => Typed::Moves,
            ("back", "") => Typed::Back,
            ("flip", "") => Typed::Flip,
            ("draw", "") => Typed::Draw,
            ("resign", "") => Typed::Resign,
            ("save", file) => Typed::Save(file.to_owned()),
            ("help" | "?", "") => Typed::Help,
            ("quit" | "exit", "") => Typed::Quit,
            _ => Typed::Move(line.to_owned()),
        })
    }
}

/// The moves of a text, without move numbers.
pub fn move_words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word };
        rest.to_owned()
    };
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_moves() {
        assert_eq!(Typed::read("  "), None);
        assert_eq!(Typed::read(" Hint "), Some(Typed::Hint));
        assert_eq!(Typed::read("?"), Some(Typed::Help));
        assert_eq!(Typed::read("save my game.pgn "), Some(Typed::Save("my game.pgn".to_owned())));
        assert_eq!(Typed::read("Qd5+"), Some(Typed::Move("Qd5+".to_owned())));
        assert_eq!(Typed::read("draw me"), Some(Typed::Move("draw me".to_owned())));
        for (name, _) in COMMANDS {
            assert!(!matches!(Typed::read(name), Some(Typed::Move(_))), "{name}");
        }
    }

    #[test]
    fn moves_of_a_text_have_no_numbers() {
        assert_eq!(move_words("1. Qd5 Kb6 2.Qd6+ 2... Kb7 e2e4"), ["Qd5", "Kb6", "Qd6+", "Kb7", "e2e4"]);
        assert_eq!(move_words(" "), [""; 0]);
    }
}
