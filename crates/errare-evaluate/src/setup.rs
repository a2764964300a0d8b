//! Which engine is asked, with which options, and how far it looks.

use crate::error::EvaluateError;
use crate::fingerprint;
use errare_ratings::TurnRow;
use errare_uci::client::{Engine, EngineConfig, EngineError, EngineSpec, Lines, OptionKind, Restart, Timeouts};
use errare_work::Progress;
use std::time::Duration;

/// Options that are set unless the user sets them, on engines that have them. With one thread, results repeat.
const DEFAULTS: [(&str, &str); 2] = [("Threads", "1"), ("Hash", "64")];

const MULTI_PV: &str = "MultiPV";

/// An engine that has been seen to work, with its options settled, and what it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    config: EngineConfig,
    pub depth: u16,
    pub lines: Lines,
    /// The name that the engine gives itself.
    pub name: String,
    /// Its net and options.
    pub settings: String,
    engine_file: String,
}

impl Setup {
    /// Starts the engine once, and settles its options.
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
        let settings = fingerprint::settings(engine.identity(), engine.options(), &lines.to_string(), progress)?;
        let name = engine.identity().name.clone();
        engine.quit(progress);
        // An engine that does not start has said why; only now a file that cannot be read matters.
        Ok(Setup { config, depth, lines, name, settings, engine_file: engine_file? })
    }

    /// Names in a row the engine that made its evaluations.
    pub fn sign(&self, row: &mut TurnRow) {
        row.engine = Some(self.name.clone());
        row.depth = Some(self.depth);
        row.settings = Some(self.settings.clone());
        row.engine_file = Some(self.engine_file.clone());
    }

    /// All that answers depend on beside the position.
    pub fn key(&self) -> String {
        format!("{}; {}; {}; depth {}", self.name, self.engine_file, self.settings, self.depth)
    }

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
