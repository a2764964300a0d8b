//! The engines of a contest: found, set up to play without tables, and lent out to games.

use anyhow::{Context, Result, bail};
use errare_uci::client::{DeclaredOption, Engine, EngineConfig, EngineError, Restart, Timeouts};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An option of an engine as users set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// What it is set to.
    pub value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(format!("`{text}` is no option: give a name and a value, as in Hash=64")),
        }
    }
}

/// Where engines look for endgame tables. They are to play without.
const TABLE_OPTIONS: [&str; 3] = ["SyzygyPath", "GaviotaTbPath", "NalimovPath"];

/// An engine that has been seen to work.
pub struct Entrant {
    /// As it calls itself; with its command, if another calls itself the same.
    pub name: String,
    command: String,
    config: EngineConfig,
    /// Those that play in no game now.
    idle: Mutex<Vec<Engine>>,
}

impl Entrant {
    /// Starts each engine once, and settles its options.
    pub fn all(commands: &[String], settings: &[Setting], patience: Duration) -> Result<Vec<Entrant>> {
        let entrants = commands.iter().map(|command| Entrant::new(command, settings, patience));
        let mut entrants = entrants.collect::<Result<Vec<Entrant>>>()?;
        let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        for entrant in &mut entrants {
            if names.iter().filter(|name| **name == entrant.name).count() > 1 {
                entrant.name = format!("{} ({})", entrant.name, entrant.command);
            }
        }
        Ok(entrants)
    }

    /// Starts an engine once and settles its options. The command may have arguments after spaces.
    fn new(command: &str, settings: &[Setting], patience: Duration) -> Result<Entrant> {
        if let Some(banned) = settings.iter().find(|setting| is_one_of(&TABLE_OPTIONS, &setting.name)) {
            bail!("{} is not for a contest: engines play without tables in it", banned.name);
        }
        let timeouts = Timeouts { search: patience, ..Timeouts::default() };
        let mut config = config(command).context("no engine is named")?.timeouts(timeouts).restart(Restart::Once);
        let mut engine = Engine::start(&config)?;
        for (name, value) in wanted(engine.options(), settings) {
            engine.set_option(&name, &value)?;
            config = config.option(name, value);
        }
        let (name, command) = (engine.identity().name.clone(), command.to_owned());
        Ok(Entrant { name, command, config, idle: Mutex::new(vec![engine]) })
    }

    /// An engine for a game, as new.
    pub fn lend(&self) -> Result<Engine, EngineError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = idle.map_or_else(|| Engine::start(&self.config), Ok)?;
        engine.new_game()?;
        Ok(engine)
    }

    /// Takes it back. One that failed is better not returned.
    pub fn take_back(&self, engine: Engine) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
    }

    /// Sends all of them home.
    pub fn dismiss(self) {
        let idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        for engine in idle {
            engine.quit();
        }
    }
}

/// A file of that name, else a command and its arguments.
pub fn config(command: &str) -> Option<EngineConfig> {
    if Path::new(command).exists() {
        return Some(EngineConfig::new(command));
    }
    let mut words = command.split_whitespace();
    let config = EngineConfig::new(words.next()?);
    Some(words.fold(config, EngineConfig::arg))
}

/// What is set: no tables, one thread so that games repeat, and what the user says.
fn wanted(declared: &[DeclaredOption], settings: &[Setting]) -> Vec<(String, String)> {
    let without_tables = declared.iter().filter(|option| is_one_of(&TABLE_OPTIONS, &option.name));
    let mut wanted: Vec<_> = without_tables.map(|option| (option.name.clone(), String::new())).collect();
    if declared.iter().any(|option| option.name.eq_ignore_ascii_case("Threads")) {
        wanted.push(("Threads".to_owned(), "1".to_owned()));
    }
    wanted.extend(settings.iter().map(|setting| (setting.name.clone(), setting.value.clone())));
    wanted
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<Setting>().map(|setting| (setting.name, setting.value));
        assert_eq!(read("Skill Level = 3"), Ok(("Skill Level".to_owned(), "3".to_owned())));
        assert_eq!(read("EvalFile=a=b"), Ok(("EvalFile".to_owned(), "a=b".to_owned())));
        assert!(read("Hash").is_err() && read("=3").is_err());
    }

    #[test]
    fn engines_are_set_up_without_tables_and_with_one_thread() {
        let declared = ["Threads", "SyzygyPath"]
            .map(|name| DeclaredOption { name: name.to_owned(), kind: errare_uci::client::OptionKind::Button });
        let set = |settings: &[Setting]| {
            let wanted = wanted(&declared, settings);
            wanted.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(set(&[]), ["SyzygyPath=", "Threads=1"]);
        assert_eq!(set(&["threads=2".parse().unwrap()]), ["SyzygyPath=", "Threads=1", "threads=2"]);
    }
}
