//! Processes of one engine, lent to games that are played at the same time.

use errare_uci::client::{Engine, EngineConfig, EngineError, EngineSpec, Restart, Timeouts};
use errare_work::Progress;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A pool of processes of one engine, which are lent to games. All are ended when the pool is dropped.
#[derive(Debug)]
pub struct EnginePool {
    name: String,
    config: EngineConfig,
    /// Processes that play in no game at the moment.
    idle: Mutex<Vec<Engine>>,
}

impl EnginePool {
    /// Starts the engine once, so that it is known to work, and sets its options: the defaults that it declares and the
    /// user does not set, then the user's. A search to a depth or a number of nodes may take as long as `patience`.
    ///
    /// # Errors
    /// If the engine cannot be started or does not accept an option, or the work is cancelled.
    pub fn start(
        engine: &EngineSpec,
        defaults: &[(&str, &str)],
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<EnginePool, EngineError> {
        let timeouts = Timeouts { search: patience, ..Timeouts::default() };
        let (engine, config) = engine.start(timeouts, Restart::Once, defaults, progress)?;
        Ok(EnginePool { name: engine.identity().name.clone(), config, idle: Mutex::new(vec![engine]) })
    }

    /// The name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Lends a process for a game, which knows nothing of earlier games.
    ///
    /// # Errors
    /// If the engine cannot be started or fails, or the work is cancelled.
    pub fn lend(&self, progress: &dyn Progress) -> Result<Engine, EngineError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = idle.map_or_else(|| Engine::start(&self.config, progress), Ok)?;
        engine.new_game(progress)?;
        Ok(engine)
    }

    /// Takes back a process that was lent. A process that failed must not be returned.
    pub fn take_back(&self, engine: Engine) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
    }

    /// Asks all idle processes to quit, and kills those that do not.
    pub fn dismiss(&self, progress: &dyn Progress) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for engine in idle {
            engine.quit(progress);
        }
    }
}
