//! Drive any UCI engine as a child process.
//!
//! ```no_run
//! use errare_uci::client::{Engine, EngineConfig, Lines, PositionRequest, Search};
//! use errare_work::Silent;
//!
//! let config = EngineConfig::new("stockfish").option("Threads", "1").option("Hash", "64");
//! let mut engine = Engine::start(&config, &Silent)?;
//! engine.new_game(&Silent)?;
//! let position = PositionRequest::from_fen("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1")?;
//! let analysis = engine.analyse(&position, &Search::new("depth=10".parse()?).lines(Lines::All), &Silent)?;
//! for line in &analysis.lines {
//!     println!("{} {}", line.pv[0], line.score);
//! }
//! engine.quit(&Silent);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every wait has a deadline ([`Timeouts`]) and ends soon after its [`Progress`] is cancelled. Whatever goes wrong is an
//! [`EngineError`] that names the engine and the last lines exchanged. An engine's process ends with its [`Engine`], or
//! with ours: see `leash`.

mod analysis;
mod config;
mod entry;
mod error;
mod info;
mod iterations;
mod leash;
mod limit;
mod option;
mod plain_text;
mod process;
mod reader;
mod request;
mod session;
mod spec;
mod transcript;
mod writer;

pub use analysis::Analysis;
pub use config::{EngineConfig, Restart, Timeouts};
pub use entry::{EngineEntry, EngineEntryError};
pub use error::{EngineError, Fault};
pub use info::{Bound, SearchLine, Wdl};
pub use limit::{Clocks, Limit, LimitError};
pub use option::{DeclaredOption, OptionKind};
pub use request::{Lines, LinesError, PositionRequest, RequestError, Search};
pub use spec::{EngineSpec, EngineSpecError, OptionSetting, OptionSettingError};
pub use transcript::{Direction, Exchange};

use errare_work::Progress;
use session::Session;
use std::collections::BTreeMap;

/// The identity of an engine: its name, its author and the options that were set, on which its results depend. The
/// texts have no control characters, whatever the engine sends: they can be shown on a terminal and written to files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name that the engine gives itself, or its file if it gives none.
    pub name: String,
    /// The author that the engine names; empty if it names none.
    pub author: String,
    /// The options that were set, in the engine's spelling. Other options have the engine's defaults.
    pub options: BTreeMap<String, String>,
}

/// A running engine. The engine is killed when this is dropped; [`quit`](Engine::quit) is more polite.
#[derive(Debug)]
pub struct Engine {
    /// The configuration, with the options as they are set now.
    config: EngineConfig,
    session: Session,
    restarts: u32,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// If it cannot be started, does not answer in time, does not take an option, or the work is cancelled.
    pub fn start(config: &EngineConfig, progress: &dyn Progress) -> Result<Engine, EngineError> {
        Ok(Engine { config: config.clone(), session: Session::start(config, progress)?, restarts: 0 })
    }

    /// The engine's name, author and options.
    pub fn identity(&self) -> &Identity {
        &self.session.identity
    }

    /// The options that the engine declared.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.session.options
    }

    /// Number of times that the engine had to be started anew.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The number of the engine's process.
    pub fn process_id(&self) -> u32 {
        self.session.id()
    }

    /// Sets a declared option to a value that it takes; a button takes an empty one.
    ///
    /// # Errors
    /// If no such option exists, it does not take the value, the engine fails, or the work is cancelled.
    pub fn set_option(&mut self, name: &str, value: &str, progress: &dyn Progress) -> Result<(), EngineError> {
        let pair = [(name.to_owned(), value.to_owned())];
        self.persist(progress, |session| session.set_options(&pair, progress))?;
        let is_button = |option: &DeclaredOption| option.kind == OptionKind::Button;
        if !self.options().iter().any(|option| option.name.eq_ignore_ascii_case(name) && is_button(option)) {
            self.config.remember(name.to_owned(), value.to_owned());
        }
        Ok(())
    }

    /// Makes the engine forget what it knows of the game so far. With one thread, later results can be repeated.
    ///
    /// # Errors
    /// If the engine fails, or the work is cancelled.
    pub fn new_game(&mut self, progress: &dyn Progress) -> Result<(), EngineError> {
        self.persist(progress, |session| session.new_game(progress))
    }

    /// Searches a position.
    ///
    /// # Errors
    /// If the search is impossible, the engine fails or answers with an illegal move, or the work is cancelled. A
    /// search that [`Search::until`] stops is not an error.
    pub fn analyse(
        &mut self,
        request: &PositionRequest,
        search: &Search,
        progress: &dyn Progress,
    ) -> Result<Analysis, EngineError> {
        self.persist(progress, |session| session.analyse(request, search, progress))
    }

    /// Asks the engine to quit, and kills it if it does not in time or the work is cancelled. Processes that it started
    /// are killed in any case. Returns whether the engine ended by itself.
    pub fn quit(self, progress: &dyn Progress) -> bool {
        self.session.quit(progress)
    }

    fn persist<T>(
        &mut self,
        progress: &dyn Progress,
        act: impl Fn(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, EngineError> {
        match act(&mut self.session) {
            Err(fault) if fault.may_pass() && self.config.restart == Restart::Once => {
                self.session = Session::start(&self.config, progress)?;
                self.restarts += 1;
            }
            done => return done.map_err(|fault| self.session.error(fault)),
        }
        act(&mut self.session).map_err(|fault| self.session.error(fault))
    }
}
