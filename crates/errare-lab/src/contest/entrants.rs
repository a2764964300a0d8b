//! The engines of a contest, set up to play without tables.

use crate::error::LabError;
use errare_endgame::EnginePool;
use errare_uci::client::{EngineEntry, EngineSpec, Limit, OptionSetting};
use errare_work::Progress;
use std::sync::Arc;
use std::time::Duration;

/// Options by which engines find endgame tables. In a contest engines play without tables.
const TABLE_OPTIONS: [&str; 3] = ["SyzygyPath", "GaviotaTbPath", "NalimovPath"];

/// Options that are set for engines unless the user sets them: no tables, and one thread so that games repeat.
const DEFAULTS: [(&str, &str); 4] =
    [(TABLE_OPTIONS[0], ""), (TABLE_OPTIONS[1], ""), (TABLE_OPTIONS[2], ""), ("Threads", "1")];

/// An engine that takes part in a contest, at one limit. It has been started once, so that it is known to work.
pub struct Entrant {
    /// The name that the engine gives itself; with its text, if another entrant has the same name.
    pub name: String,
    /// The limit of the engine's searches.
    pub limit: Limit,
    /// The processes of the engine, shared with entrants that are the same engine at another limit.
    pub pool: Arc<EnginePool>,
}

impl Entrant {
    /// Starts each engine once, and settles its options. An engine plays at its own limit if its text has one, and else
    /// at each of the limits given.
    pub fn all(
        engines: &[EngineEntry],
        limits: &[Limit],
        options: &[OptionSetting],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Vec<Entrant>, LabError> {
        let mut started: Vec<(&EngineEntry, Arc<EnginePool>)> = Vec::new();
        for entry in engines {
            started.push((entry, Arc::new(start(&entry.engine, options, patience, progress)?)));
        }
        let mut entrants = Vec::new();
        for (entry, pool) in &started {
            let is_alone = started.iter().filter(|(_, other)| other.name() == pool.name()).count() == 1;
            let name = if is_alone {
                pool.name().to_owned()
            } else {
                format!("{} ({})", pool.name(), EngineEntry { limit: None, ..(*entry).clone() })
            };
            let own = entry.limit.map(|limit| vec![limit]);
            for limit in own.unwrap_or_else(|| limits.to_vec()) {
                entrants.push(Entrant { name: name.clone(), limit, pool: Arc::clone(pool) });
            }
        }
        Ok(entrants)
    }
}

/// Starts an engine with the options of all engines, and its own.
#[allow(clippy::disallowed_methods, reason = "contests ask the lab before")]
fn start(
    engine: &EngineSpec,
    options: &[OptionSetting],
    patience: Duration,
    progress: &dyn Progress,
) -> Result<EnginePool, LabError> {
    let shared = options.iter().filter(|option| engine.option(&option.name).is_none());
    let all: Vec<OptionSetting> = shared.chain(engine.options()).cloned().collect();
    let engine = engine.clone().with_options(&all);
    if let Some(banned) = TABLE_OPTIONS.iter().find_map(|name| engine.option(name)) {
        return Err(LabError::request(format!(
            "the option {} is not for a contest: engines play without tables in it",
            banned.name
        )));
    }
    Ok(EnginePool::start(&engine, &DEFAULTS, patience, progress)?)
}
