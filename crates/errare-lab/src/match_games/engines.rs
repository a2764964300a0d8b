//! Engines that play, started once for each text that names one.

use crate::error::LabError;
use crate::lab::Lab;
use errare_endgame::{EnginePool, EnginePools};
use errare_uci::client::{EngineEntry, Limit};
use errare_work::Progress;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

/// Options that are set for engines unless the user sets them: one thread, so that games repeat.
const DEFAULTS: [(&str, &str); 1] = [("Threads", "1")];

/// The engines of some games, and the time that each may take for a move.
pub(crate) struct EngineStart {
    pub patience: Duration,
    pub pools: EnginePools,
}

impl EngineStart {
    /// Starts the engine of an agent, unless it was started for the same text.
    #[allow(clippy::disallowed_methods, reason = "the lab is asked for each engine")]
    pub fn start(
        &mut self,
        agent: &str,
        entry: &EngineEntry,
        lab: &Lab,
        progress: &dyn Progress,
    ) -> Result<Arc<EnginePool>, LabError> {
        lab.outside(&entry.engine)?;
        match self.pools.entry(agent.to_owned()) {
            Entry::Occupied(known) => Ok(Arc::clone(known.get())),
            Entry::Vacant(vacant) => {
                let pool = Arc::new(EnginePool::start(&entry.engine, &DEFAULTS, self.patience, progress)?);
                Ok(Arc::clone(vacant.insert(pool)))
            }
        }
    }
}

/// The name of an engine in PGN: its own name instead of its command, as in `Stockfish 15.1 depth=4`.
pub(crate) fn engine_title(pool: &EnginePool, entry: &EngineEntry, limit: Limit) -> String {
    let options = entry.engine.options().iter().map(ToString::to_string);
    let parameters: Vec<String> = std::iter::once(limit.to_string()).chain(options).collect();
    format!("{} {}", pool.name(), parameters.join(", "))
}
