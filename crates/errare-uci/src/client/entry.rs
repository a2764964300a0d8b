//! An engine that plays, as users name it: `stockfish,depth=4,option.Hash=64`.

use super::limit::{Limit, LimitError};
use super::spec::{EngineSpec, EngineSpecError, OptionSetting, OptionSettingError};
use std::fmt;
use std::str::FromStr;

/// An engine that plays: its command, the limit of its searches and its options, in one text.
///
/// The text is the command, with arguments after spaces, and then parameters after commas: `depth=N`, `nodes=N` or
/// `movetime=T`, and any number of `option.NAME=VALUE`. It may begin with `uci:`, as where other agents can be named
/// too. A comma that no parameter follows belongs to the command or the value before it.
///
/// ```
/// use errare_uci::client::EngineEntry;
/// let entry: EngineEntry = "stockfish,depth=4,option.Skill Level=3".parse()?;
/// assert_eq!(entry.limit.map(|limit| limit.to_string()), Some("depth=4".to_owned()));
/// assert_eq!(entry.to_string(), "stockfish,depth=4,option.Skill Level=3");
/// # Ok::<(), errare_uci::client::EngineEntryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineEntry {
    /// The command and the options to set.
    pub engine: EngineSpec,
    /// The limit of each search, if the text has one.
    pub limit: Option<Limit>,
}

/// The error of a text that does not name an engine that plays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineEntryError {
    /// The command is missing.
    #[error(transparent)]
    Engine(#[from] EngineSpecError),
    /// A limit cannot be read.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// An option cannot be read.
    #[error(transparent)]
    Option(#[from] OptionSettingError),
    /// There are two limits.
    #[error("conflicting limits of the engine `{0}`: expected one of depth, nodes and movetime")]
    TwoLimits(String),
    /// A text after the limit is not a parameter.
    #[error(
        "unexpected parameter `{part}` of the engine `{text}`: expected depth=N, nodes=N, movetime=T or option.NAME=VALUE"
    )]
    Unexpected {
        /// The text that is not a parameter.
        part: String,
        /// The whole text.
        text: String,
    },
}

/// The prefix of options.
const OPTION: &str = "option.";

fn is_limit(part: &str) -> bool {
    ["depth=", "nodes=", "movetime="].iter().any(|name| part.starts_with(name))
}

impl FromStr for EngineEntry {
    type Err = EngineEntryError;

    fn from_str(text: &str) -> Result<EngineEntry, EngineEntryError> {
        let mut parts = text.trim_start_matches("uci:").split(',');
        let mut command = parts.next().unwrap_or_default().to_owned();
        let (mut limit, mut options) = (None, Vec::<OptionSetting>::new());
        for part in parts {
            let parameter = part.trim();
            if let Some(option) = parameter.strip_prefix(OPTION) {
                options.push(option.parse()?);
            } else if is_limit(parameter) {
                if limit.replace(parameter.parse()?).is_some() {
                    return Err(EngineEntryError::TwoLimits(text.to_owned()));
                }
            } else {
                let before = match (options.last_mut(), limit) {
                    (Some(option), _) => &mut option.value,
                    (None, None) => &mut command,
                    (None, Some(_)) => {
                        let (part, text) = (parameter.to_owned(), text.to_owned());
                        return Err(EngineEntryError::Unexpected { part, text });
                    }
                };
                before.push(',');
                before.push_str(part);
            }
        }
        Ok(EngineEntry { engine: command.parse::<EngineSpec>()?.with_options(&options), limit })
    }
}

/// Formats the command, then the limit and the options.
impl fmt::Display for EngineEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.engine)?;
        if let Some(limit) = self.limit {
            write!(f, ",{limit}")?;
        }
        self.engine.options().iter().try_for_each(|option| write!(f, ",{OPTION}{option}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<EngineEntry, String> {
        text.parse().map_err(|error: EngineEntryError| error.to_string())
    }

    #[test]
    fn entries_are_written_as_they_are_read() {
        for text in [
            "stockfish",
            "stockfish,depth=4",
            "./my engine -v,nodes=100,option.Hash=64,option.Skill Level=3",
            "engine,one,movetime=100ms",
            "engine,option.Paths=a,b,option.Hash=1",
        ] {
            assert_eq!(read(text).map(|entry| entry.to_string()), Ok(text.to_owned()));
            assert_eq!(read(&format!("uci:{text}")), read(text));
            assert_eq!(read(&format!("uci:uci:{text}")), read(text));
        }
        let entry = read("uci:a,b,option.Paths=c,d,depth=3").unwrap();
        assert_eq!((entry.engine.command(), entry.limit), ("a,b", Some(Limit::Depth(3))));
        assert_eq!(entry.engine.options()[0].value, "c,d");
    }

    #[test]
    fn texts_that_name_no_engine_are_refused() {
        for (text, message) in [
            ("", "missing engine"),
            ("uci:", "missing engine"),
            (" ,depth=4", "missing engine"),
            ("x,depth=0", "invalid limit `depth=0`"),
            ("x,depth=4,nodes=5", "conflicting limits"),
            ("x,option.Hash", "invalid option `Hash`"),
            ("x,depth=4,Hash=3", "unexpected parameter `Hash=3`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
