//! The setup of an engine: its program, its options, and the depth of its searches.

use crate::error::EvaluateError;
use crate::fingerprint::{self, Fingerprint};
use errare_ratings::TurnRow;
use errare_uci::client::{Engine, EngineConfig, EngineError, EngineSpec, Lines, OptionKind, Restart, Timeouts};
use errare_work::Progress;
use std::time::Duration;

/// Options that are set unless the user sets them, on engines that have them. With one thread, results repeat.
const DEFAULTS: [(&str, &str); 2] = [("Threads", "1"), ("Hash", "64")];

const MULTI_PV: &str = "MultiPV";

/// An engine that has been seen to work, with its options settled, and the depth and the lines that it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    config: EngineConfig,
    pub depth: u16,
    pub lines: Lines,
    /// The name that the engine gives itself.
    pub name: String,
    /// The arguments, the net and the options of the engine.
    pub settings: String,
    fingerprint: Fingerprint,
}

impl Setup {
    /// Starts the engine once, and settles its options.
    ///
    /// # Errors
    /// If the engine cannot be started, does not accept an option or shows too few lines, if the user sets `MultiPV`, if a
    /// file cannot be read, or the work is cancelled.
    pub fn new(
        engine: &EngineSpec,
        depth: u16,
        lines: Lines,
        patience: Duration,
        progress: &dyn Progress,
    ) -> Result<Setup, EvaluateError> {
        if engine.option(MULTI_PV).is_some() {
            return Err(EvaluateError::MultiPvOption);
        }
        let engine_file = fingerprint::engine_file(&engine.config(), progress);
        let timeouts = Timeouts { search: patience, ..Timeouts::default() };
        let (engine, config) = engine.start(timeouts, Restart::Never, &DEFAULTS, progress)?;
        check_lines(&engine, lines)?;
        let (identity, declared) = (engine.identity().clone(), engine.options().to_vec());
        engine.quit(progress);
        // An engine that does not start has said why; only now a file that cannot be read matters.
        let fingerprint = Fingerprint::new(engine_file?, &config, &identity, &declared, &lines.to_string(), progress)?;
        Ok(Setup { config, depth, lines, name: identity.name, settings: fingerprint.settings(), fingerprint })
    }

    /// Writes into a row which engine made its evaluations, and how.
    pub fn sign(&self, row: &mut TurnRow) {
        row.engine = Some(self.name.clone());
        row.depth = Some(self.depth);
        row.settings = Some(self.settings.clone());
        row.engine_file = Some(self.fingerprint.engine_file.clone());
    }

    /// The key of the engine's answers in the cache: all that they depend on beside the position.
    pub fn key(&self) -> String {
        self.fingerprint.key(self.depth)
    }

    /// The key that answers of this engine, with whatever arguments, had in caches of earlier versions.
    pub fn old_key(&self) -> String {
        self.fingerprint.old_key(self.depth)
    }

    /// Starts another process of the engine, with the same options.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start(&self, progress: &dyn Progress) -> Result<Engine, EngineError> {
        Engine::start(&self.config, progress)
    }
}

/// The largest number of legal moves of any position.
const MAX_MOVES: i64 = 218;

fn check_lines(engine: &Engine, lines: Lines) -> Result<(), EvaluateError> {
    let declared = engine.options().iter().find(|option| option.name.eq_ignore_ascii_case(MULTI_PV));
    let max = declared.map_or(1, |option| match option.kind {
        OptionKind::Spin { max, .. } => max.unwrap_or(MAX_MOVES),
        _ => 1,
    });
    let is_enough = match lines {
        Lines::All => max >= MAX_MOVES,
        Lines::Count(count) => max >= i64::from(count),
    };
    if is_enough { Ok(()) } else { Err(EvaluateError::FewLines { engine: engine.identity().name.clone(), max }) }
}
