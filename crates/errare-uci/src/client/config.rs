//! The program of an engine, its arguments, options and timeouts.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an engine may take for each kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Time from the start to `uciok`.
    pub start: Duration,
    /// Time to take in a line that is sent.
    pub write: Duration,
    /// Time to be ready again after an option or a new game.
    pub ready: Duration,
    /// Time for a search that is limited by depth or by nodes.
    pub search: Duration,
    /// Time that a search limited by time may take beyond that limit, and time to answer `stop`.
    pub overrun: Duration,
    /// Time to end after `quit`, before the engine is killed.
    pub quit: Duration,
}

impl Default for Timeouts {
    /// Makes generous timeouts: large networks and hash tables take seconds to set up, deep searches minutes.
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(20),
            write: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            search: Duration::from_secs(600),
            overrun: Duration::from_secs(5),
            quit: Duration::from_secs(2),
        }
    }
}

/// The reaction to an engine that crashes or hangs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// Report the error at once.
    #[default]
    Never,
    /// Start the engine anew, set its options again, and repeat the request; report the error if that fails too.
    Once,
}

/// The program of an engine, its arguments, options and timeouts.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    pub(super) command: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) options: Vec<(String, String)>,
    pub(super) timeouts: Timeouts,
    pub(super) restart: Restart,
}

impl EngineConfig {
    /// Makes the configuration of an engine's file. A mere name is searched for in `PATH` and in `/usr/games`, where
    /// Debian installs engines.
    pub fn new(command: impl Into<PathBuf>) -> EngineConfig {
        EngineConfig {
            command: command.into(),
            args: Vec::new(),
            options: Vec::new(),
            timeouts: Timeouts::default(),
            restart: Restart::default(),
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> EngineConfig {
        self.args.push(arg.into());
        self
    }

    /// Sets an option as soon as the engine has started; the last value of an option counts.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> EngineConfig {
        self.remember(name.into(), value.into());
        self
    }

    /// Sets the timeouts.
    #[must_use]
    pub fn timeouts(self, timeouts: Timeouts) -> EngineConfig {
        EngineConfig { timeouts, ..self }
    }

    /// Sets the reaction to crashes.
    #[must_use]
    pub fn restart(self, restart: Restart) -> EngineConfig {
        EngineConfig { restart, ..self }
    }

    pub(super) fn remember(&mut self, name: String, value: String) {
        self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.options.push((name, value));
    }

    /// The arguments of the command.
    pub fn arguments(&self) -> &[String] {
        &self.args
    }

    /// The file to run; the command as it is if there is none.
    pub fn program(&self) -> PathBuf {
        locate(&self.command, env::var_os("PATH").iter().flat_map(env::split_paths)).unwrap_or(self.command.clone())
    }

    /// The name of the engine until it has given its own.
    pub(super) fn name(&self) -> String {
        self.command.display().to_string()
    }
}

/// The folder in which Debian installs engines.
const GAMES: &str = "/usr/games";

fn locate(command: &Path, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return None;
    }
    folders.chain([PathBuf::from(GAMES)]).map(|folder| folder.join(command)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mere_names_are_looked_for_in_folders() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("engine"), "").unwrap();
        let folders = || [PathBuf::from("/nowhere"), folder.path().to_owned()].into_iter();
        assert_eq!(locate(Path::new("engine"), folders()), Some(folder.path().join("engine")));
        assert_eq!(locate(Path::new("./engine"), folders()), None);
        assert_eq!(locate(Path::new("motor"), folders()), None);
    }

    #[test]
    fn the_last_value_of_an_option_counts() {
        let config = EngineConfig::new("x").option("Hash", "16").option("Threads", "1").option("hash", "64");
        let options = [("Threads", "1"), ("hash", "64")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(config.options, options);
    }
}
