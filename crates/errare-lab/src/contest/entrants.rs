//! The engines of a contest: started, set up to play without tables, and lent to games.

use crate::error::LabError;
use errare_uci::client::{Engine, EngineConfig, EngineError, EngineSpec, OptionSetting, Restart, Timeouts};
use errare_work::Progress;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Options by which engines find endgame tables. In a contest they play without.
const TABLE_OPTIONS: [&str; 3] = ["SyzygyPath", "GaviotaTbPath", "NalimovPath"];

/// What engines are set to unless the user sets it: no tables, and one thread so that games repeat.
const DEFAULTS: [(&str, &str); 4] =
    [(TABLE_OPTIONS[0], ""), (TABLE_OPTIONS[1], ""), (TABLE_OPTIONS[2], ""), ("Threads", "1")];

/// An engine that takes part. It has been started once, so it works.
pub struct Entrant {
    /// The name that it gives itself; with its command, if another has the same.
    pub name: String,
    command: String,
    config: EngineConfig,
    /// Processes that play in no game at the moment.
    idle: Mutex<Vec<Engine>>,
}

impl Entrant {
    /// Starts each engine once, and settles its options.
    pub fn all(
        engines: &[EngineSpec],
        options: &[OptionSetting],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Vec<Entrant>, LabError> {
        let start = |engine: &EngineSpec| Entrant::new(engine.clone().with_options(options), patience, progress);
        let mut entrants = engines.iter().map(start).collect::<Result<Vec<Entrant>, LabError>>()?;
        let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        for entrant in &mut entrants {
            if names.iter().filter(|name| **name == entrant.name).count() > 1 {
                entrant.name = format!("{} ({})", entrant.name, entrant.command);
            }
        }
        Ok(entrants)
    }

    fn new(engine: EngineSpec, patience: Duration, progress: &dyn Progress) -> Result<Entrant, LabError> {
        if let Some(banned) = TABLE_OPTIONS.iter().find_map(|name| engine.option(name)) {
            return Err(LabError::request(format!(
                "the option {} is not for a contest: engines play without tables in it",
                banned.name
            )));
        }
        let timeouts = Timeouts { search: patience, ..Timeouts::default() };
        let command = engine.command().to_owned();
        let (engine, config) = engine.start(timeouts, Restart::Once, &DEFAULTS, progress)?;
        let name = engine.identity().name.clone();
        Ok(Entrant { name, command, config, idle: Mutex::new(vec![engine]) })
    }

    /// Lends an engine for a game, as new.
    pub fn lend(&self, progress: &dyn Progress) -> Result<Engine, EngineError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = idle.map_or_else(|| Engine::start(&self.config, progress), Ok)?;
        engine.new_game(progress)?;
        Ok(engine)
    }

    /// Takes an engine back. One that failed is better not returned.
    pub fn take_back(&self, engine: Engine) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
    }

    /// Asks all idle engines to quit.
    pub fn dismiss(self, progress: &dyn Progress) {
        let idle = self.idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        for engine in idle {
            engine.quit(progress);
        }
    }
}
