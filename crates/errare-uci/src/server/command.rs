//! The commands of a chess program.

use super::go::Go;
use super::words::Words;
use shakmaty::uci::UciMove;
use std::fmt;

/// A command of a chess program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: asks for the engine's name and options.
    Uci,
    /// `debug`: switches further messages on or off.
    Debug(bool),
    /// `isready`: asks for `readyok`.
    IsReady,
    /// `setoption`: sets an option; a button has no value.
    SetOption {
        /// Name of the option as the chess program writes it, up to the word `value`.
        name: String,
        /// The value of the option: the rest of the line.
        value: Option<String>,
    },
    /// `register`, which has no effect here.
    Register(String),
    /// `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `position`: the start of a game, and the moves since.
    Position {
        /// The start of the game.
        start: Start,
        /// The moves since the start, which may be illegal.
        moves: Vec<UciMove>,
    },
    /// `go`: asks for a search and a move.
    Go(Go),
    /// `stop`: asks for the move at once.
    Stop,
    /// `ponderhit`: the opponent has made the expected move.
    PonderHit,
    /// `quit`: asks the engine to end.
    Quit,
}

/// The start of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The usual start position.
    Initial,
    /// A FEN, which may be invalid.
    Fen(String),
}

/// The error of a command that lacks something, or has an invalid part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// `debug` without `on` or `off`.
    #[error("debug needs on or off")]
    Debug,
    /// `setoption` without a name.
    #[error("setoption needs a name, as in: setoption name Hash value 16")]
    OptionName,
    /// `position` without a position.
    #[error("position needs startpos or a FEN, as in: position startpos moves e2e4")]
    NoPosition,
    /// A text among the moves that is not a move.
    #[error("invalid move `{0}`: expected UCI notation, such as e2e4")]
    Move(String),
}

impl Command {
    /// Reads a line; none if it holds no known command.
    ///
    /// Unknown words before the command are skipped, as the protocol demands.
    ///
    /// # Errors
    /// If the command lacks something that it needs, or one of its moves cannot be read.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let mut words = Words(line);
        while let Some(word) = words.next() {
            return Ok(Some(match word {
                "uci" => Command::Uci,
                "debug" => Command::Debug(on_or_off(words)?),
                "isready" => Command::IsReady,
                "setoption" => set_option(words)?,
                "register" => Command::Register(words.rest().to_owned()),
                "ucinewgame" => Command::NewGame,
                "position" => position(words)?,
                "go" => Command::Go(Go::parse(words)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                _ => continue,
            }));
        }
        Ok(None)
    }
}

fn on_or_off(mut words: Words<'_>) -> Result<bool, CommandError> {
    words.find(|word| matches!(*word, "on" | "off")).map(|word| word == "on").ok_or(CommandError::Debug)
}

fn set_option(mut words: Words<'_>) -> Result<Command, CommandError> {
    if !words.skip_past("name") {
        return Err(CommandError::OptionName);
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() { Err(CommandError::OptionName) } else { Ok(Command::SetOption { name: name.join(" "), value }) }
}

fn position(mut words: Words<'_>) -> Result<Command, CommandError> {
    let start = match words.find(|word| matches!(*word, "startpos" | "fen")) {
        Some("startpos") => {
            let _ = words.skip_past("moves");
            Start::Initial
        }
        Some(_) => {
            let fields: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
            Start::Fen(fields.join(" "))
        }
        None => return Err(CommandError::NoPosition),
    };
    // A game with a gap in it would be another game.
    let moves =
        words.map(|word| word.parse().map_err(|_| CommandError::Move(shortened(word)))).collect::<Result<_, _>>()?;
    Ok(Command::Position { start, moves })
}

/// The beginning of a word, short enough for a message.
fn shortened(word: &str) -> String {
    const MOST: usize = 20;
    if word.chars().count() <= MOST { word.to_owned() } else { word.chars().take(MOST).chain(['…']).collect() }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => write!(f, "setoption name {name} value {value}"),
            Command::Register(how) => write!(f, "register {how}"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position { start, moves } => {
                match start {
                    Start::Initial => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        Command::parse(line).expect("in order").expect("a command")
    }

    #[test]
    fn words_that_mean_nothing_are_passed_over() {
        assert_eq!(read("joho debug on\r"), Command::Debug(true));
        assert_eq!(read(" \t debug  joho   off "), Command::Debug(false));
        assert_eq!(read("go joho depth 3 hoho infinite"), read("go depth 3 infinite"));
        // A number that is none leaves the next word to be read.
        assert_eq!(read("go depth movetime 5"), read("go movetime 5"));
        assert_eq!(Command::parse("joho").ok(), Some(None));
        assert_eq!(Command::parse("").ok(), Some(None));
    }

    #[test]
    fn names_and_values_may_have_spaces() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("setoption name Hold Value value true"), option("Hold Value", Some("true")));
        assert_eq!(read("setoption name Tables value /a  b/value c"), option("Tables", Some("/a  b/value c")));
        assert_eq!(read("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(read("setoption name Tables value"), option("Tables", Some("")));
        assert_eq!(Command::parse("setoption value 3"), Err(CommandError::OptionName));
        assert_eq!(Command::parse("setoption name value 3"), Err(CommandError::OptionName));
    }

    #[test]
    fn positions_come_with_their_moves() {
        let moves = |moves: &[&str]| moves.iter().map(|mv| mv.parse().expect("a move")).collect::<Vec<UciMove>>();
        let fen = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1";
        assert_eq!(
            read(&format!("position fen {fen} moves h1b1 c2c3")),
            Command::Position { start: Start::Fen(fen.to_owned()), moves: moves(&["h1b1", "c2c3"]) }
        );
        assert_eq!(
            read("position startpos moves e7e8q"),
            Command::Position { start: Start::Initial, moves: moves(&["e7e8q"]) }
        );
        assert_eq!(read("position startpos"), Command::Position { start: Start::Initial, moves: Vec::new() });
        assert_eq!(Command::parse("position"), Err(CommandError::NoPosition));
        assert_eq!(Command::parse("position startpos moves e2e4 e9e5"), Err(CommandError::Move("e9e5".to_owned())));
    }

    #[test]
    fn clocks_may_have_run_out_or_be_beyond_all_bounds() {
        let Command::Go(go) = read("go wtime -30 btime 99999999999999999999 winc 5 binc 0") else { panic!("go") };
        assert_eq!(go.clock(Color::White), super::super::Clock { left: Some(0), increment: Some(5) });
        assert_eq!(go.clock(Color::Black), super::super::Clock { left: Some(u64::MAX), increment: Some(0) });
    }

    use shakmaty::Color;
}
