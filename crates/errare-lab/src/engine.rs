//! The engine that the lab evaluates games with. No request names this engine: it belongs to whoever runs the program.

use crate::error::LabError;
use crate::lab::Lab;
use errare_uci::client::{EngineSpec, Restart, Timeouts};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The environment variable that names an engine where no flag does.
const VARIABLE: &str = "ERRARE_ENGINE";

/// The engine that is looked for where none is named.
const USUAL: &str = "stockfish";

/// The time that an engine may take to report its name.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time after which an engine that did not start is started again.
const RETRIED_AFTER: Duration = Duration::from_secs(10);

/// An engine that exists and starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineInfo {
    /// The file of the engine's program.
    pub program: String,
    /// The name that the engine gives itself.
    pub name: String,
}

/// The result of the last start of the engine.
#[derive(Debug, Default)]
pub(crate) struct KnownEngine(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    program: PathBuf,
    modified: Option<SystemTime>,
    /// The name of the engine, or the reason why it does not start.
    name: Result<String, String>,
    at: Instant,
}

impl Known {
    /// Whether the result still holds, so that another start would show nothing new.
    fn holds(&self, program: &Path, modified: Option<SystemTime>) -> bool {
        self.program == program && self.modified == modified && (self.name.is_ok() || self.at.elapsed() < RETRIED_AFTER)
    }
}

impl Lab {
    /// The engine that games are evaluated with: that of the lab's configuration, else of the variable `ERRARE_ENGINE`,
    /// else `stockfish` in `PATH` or `/usr/games`. The engine is started once, to learn its name.
    ///
    /// # Errors
    /// [`LabError::NoEngine`] if there is none, with what to do; [`LabError::BadEngine`] if it does not start; or the work
    /// is cancelled.
    pub fn engine(&self, progress: &dyn Progress) -> Result<EngineInfo, LabError> {
        let spec = self.engine_spec()?;
        let program = spec.config().program();
        let modified = modified(&program);
        let mut known = self.known_engine().0.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.as_ref().is_some_and(|known| known.holds(&program, modified)) {
            let name = name_of(&spec, progress)?;
            *known = Some(Known { program: program.clone(), modified, name, at: Instant::now() });
        }
        let program = program.display().to_string();
        match known.as_ref().map(|known| known.name.clone()) {
            Some(Ok(name)) => Ok(EngineInfo { program, name }),
            Some(Err(reason)) => Err(LabError::BadEngine { program, reason }),
            None => Err(LabError::Internal("the engine is gone")),
        }
    }

    /// The engine as it is named, if its program exists.
    pub(crate) fn engine_spec(&self) -> Result<EngineSpec, LabError> {
        let by_variable = || env::var(VARIABLE).ok().and_then(|text| text.parse::<EngineSpec>().ok());
        let named = self.config().engine.clone().or_else(by_variable);
        let is_named = named.is_some();
        let spec = match named {
            Some(spec) => spec,
            None => USUAL.parse().map_err(|_| LabError::Internal("an engine without a name"))?,
        };
        if spec.config().program().is_file() {
            return Ok(spec);
        }
        Err(LabError::NoEngine { named: is_named.then(|| spec.to_string()) })
    }
}

/// The name that an engine gives itself, or the reason why it does not start.
#[allow(clippy::disallowed_methods, reason = "the lab's own engine, which no request names")]
fn name_of(spec: &EngineSpec, progress: &dyn Progress) -> Result<Result<String, String>, LabError> {
    let timeouts = Timeouts { start: PATIENCE, ready: PATIENCE, ..Timeouts::default() };
    match spec.start(timeouts, Restart::Never, &[], progress) {
        Ok((engine, _)) => {
            let name = engine.identity().name.clone();
            engine.quit(progress);
            Ok(Ok(name))
        }
        Err(error) if error.is_cancelled() => Err(error.into()),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// The time at which the program was last changed, as by an update.
#[allow(clippy::disallowed_methods, reason = "the lab's own engine, which no request names")]
fn modified(program: &Path) -> Option<SystemTime> {
    program.metadata().ok()?.modified().ok()
}
