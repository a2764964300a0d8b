//! Moves and commands that a person types in a game.

/// The commands of a game, with what they do.
pub const GAME_COMMANDS: [(&str, &str); 9] = [
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

/// A command or a move that a person typed in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCommand {
    /// Show the best moves.
    Hint,
    /// Show all moves with what they lead to.
    Moves,
    /// Take the last move back.
    Back,
    /// Turn the board round.
    Flip,
    /// Claim a draw.
    Draw,
    /// Give the game up.
    Resign,
    /// Write the game to a file.
    Save(String),
    /// List the commands.
    Help,
    /// Stop playing.
    Quit,
    /// Anything else, which should be a move.
    Move(String),
}

impl GameCommand {
    /// Reads a line that a person typed; none if the line is empty.
    #[must_use]
    pub fn read(line: &str) -> Option<GameCommand> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => return None,
            ("hint", "") => GameCommand::Hint,
            ("moves", "") => GameCommand::Moves,
            ("back", "") => GameCommand::Back,
            ("flip", "") => GameCommand::Flip,
            ("draw", "") => GameCommand::Draw,
            ("resign", "") => GameCommand::Resign,
            ("save", file) => GameCommand::Save(file.to_owned()),
            ("help" | "?", "") => GameCommand::Help,
            ("quit" | "exit", "") => GameCommand::Quit,
            _ => GameCommand::Move(line.to_owned()),
        })
    }
}

/// The moves of a text, without move numbers.
#[must_use]
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
        assert_eq!(GameCommand::read("  "), None);
        assert_eq!(GameCommand::read(" Hint "), Some(GameCommand::Hint));
        assert_eq!(GameCommand::read("?"), Some(GameCommand::Help));
        assert_eq!(GameCommand::read("save my game.pgn "), Some(GameCommand::Save("my game.pgn".to_owned())));
        assert_eq!(GameCommand::read("Qd5+"), Some(GameCommand::Move("Qd5+".to_owned())));
        assert_eq!(GameCommand::read("draw me"), Some(GameCommand::Move("draw me".to_owned())));
        for (name, _) in GAME_COMMANDS {
            assert!(!matches!(GameCommand::read(name), Some(GameCommand::Move(_))), "{name}");
        }
    }

    #[test]
    fn moves_of_a_text_have_no_numbers() {
        assert_eq!(move_words("1. Qd5 Kb6 2.Qd6+ 2... Kb7 e2e4"), ["Qd5", "Kb6", "Qd6+", "Kb7", "e2e4"]);
        assert_eq!(move_words(" "), [""; 0]);
    }
}
