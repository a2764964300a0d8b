//! Which engine is asked, and how far it looks.

use super::error::EvaluateError;
use super::fingerprint;
use crate::row::TurnRow;
use errare_uci::client::{Engine, EngineConfig, EngineError, Lines, OptionKind, Restart};

/// What engines are set to unless said otherwise, if they have the option. With one thread what they find repeats.
const USUAL: [(&str, &str); 2] = [("Threads", "1"), ("Hash", "64")];

/// An engine that has been seen to work, with its options settled, and what it is asked for.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(super) config: EngineConfig,
    pub(super) depth: u16,
    pub(super) lines: Lines,
    name: String,
    settings: String,
    engine_file: String,
}

impl Setup {
    /// Starts the engine once, and settles its options.
    pub fn new(
        config: EngineConfig,
        options: &[(String, String)],
        depth: u16,
        lines: Lines,
    ) -> Result<Setup, EvaluateError> {
        let engine_file = fingerprint::engine_file(&config);
        let mut config = config.restart(Restart::Never);
        let mut engine = Engine::start(&config)?;
        let is_declared = |name: &str| engine.options().iter().any(|option| option.name == name);
        let is_asked = |name: &str| options.iter().any(|(asked, _)| asked.eq_ignore_ascii_case(name));
        let usual = USUAL.into_iter().filter(|(name, _)| is_declared(name) && !is_asked(name));
        let usual = usual.map(|(name, value)| (name.to_owned(), value.to_owned()));
        for (name, value) in usual.collect::<Vec<_>>().into_iter().chain(options.iter().cloned()) {
            engine.set_option(&name, &value)?;
            config = config.option(name, value);
        }
        check_lines(&engine, lines)?;
        let multi_pv = match lines {
            Lines::All => "all".to_owned(),
            Lines::Count(count) => count.to_string(),
        };
        let settings = fingerprint::settings(engine.identity(), engine.options(), &multi_pv)?;
        let name = engine.identity().name.clone();
        engine.quit();
        // An engine that does not start has told why; only now a file that cannot be read matters.
        Ok(Setup { config, depth, lines, name, settings, engine_file: engine_file? })
    }

    /// The engine's name, as it tells it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How far it looks.
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Net and options.
    pub fn settings(&self) -> &str {
        &self.settings
    }

    /// Says in a row who made its evaluations.
    pub fn sign(&self, row: &mut TurnRow) {
        row.engine = Some(self.name.clone());
        row.depth = Some(self.depth);
        row.settings = Some(self.settings.clone());
        row.engine_file = Some(self.engine_file.clone());
    }

    /// All that answers depend on beside the position.
    pub(super) fn key(&self) -> String {
        format!("{}; {}; {}; depth {}", self.name, self.engine_file, self.settings, self.depth)
    }

    pub(super) fn start(&self) -> Result<Engine, EngineError> {
        Engine::start(&self.config)
    }
}

/// No position has more legal moves.
const MOST_MOVES: i64 = 218;

fn check_lines(engine: &Engine, lines: Lines) -> Result<(), EvaluateError> {
    let declared = engine.options().iter().find(|option| option.name.eq_ignore_ascii_case("MultiPV"));
    let most = declared.map_or(1, |option| match option.kind {
        OptionKind::Spin { max, .. } => max.unwrap_or(MOST_MOVES),
        _ => 1,
    });
    let is_enough = match lines {
        Lines::All => most >= MOST_MOVES,
        Lines::Count(count) => most >= i64::from(count),
    };
    if is_enough { Ok(()) } else { Err(EvaluateError::FewLines { engine: engine.identity().name.clone(), most }) }
}
