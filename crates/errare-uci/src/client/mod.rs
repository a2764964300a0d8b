//! Drive any UCI engine as a child process.
//!
//! ```no_run
//! use errare_uci::client::{Engine, EngineConfig, Lines, PositionRequest, Search};
//!
//! let config = EngineConfig::new("stockfish").option("Threads", "1").option("Hash", "64");
//! let mut engine = Engine::start(&config)?;
//! engine.new_game()?;
//! let position = PositionRequest::from_fen("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1")?;
//! let analysis = engine.analyse(&position, &Search::new("depth=10".parse()?).lines(Lines::All))?;
//! for line in &analysis.lines {
//!     println!("{} {}", line.pv[0], line.score);
//! }
//! engine.quit();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every wait has a deadline ([`Timeouts`]). Whatever goes wrong is an [`EngineError`] that names the engine and the last
//! lines exchanged. An engine ends with its [`Engine`], or with us: see `leash`.

mod analysis;
mod config;
mod error;
mod info;
mod iterations;
mod leash;
mod limit;
mod option;
mod process;
mod reader;
mod request;
mod session;
mod transcript;

pub use analysis::Analysis;
pub use config::{EngineConfig, Restart, Timeouts};
pub use error::{EngineError, Fault};
pub use info::{Bound, Line, Wdl};
pub use limit::{Clocks, Limit, LimitError};
pub use option::{DeclaredOption, OptionKind};
pub use request::{Lines, PositionRequest, RequestError, Search, StopFlag};
pub use transcript::{Direction, Exchange};

use session::Session;
use std::collections::BTreeMap;

/// Who an engine is: what it finds depends on that, so a cache of it goes by that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// As it calls itself; its file if it does not.
    pub name: String,
    /// As it says; empty if it does not.
    pub author: String,
    /// The options that were set, in the engine's spelling. Others are as the engine has them.
    pub options: BTreeMap<String, String>,
}

/// A running engine. It is killed when dropped; [`quit`](Engine::quit) is more polite.
#[derive(Debug)]
pub struct Engine {
    /// With the options as they are set now.
    config: EngineConfig,
    session: Session,
    restarts: u32,
}

impl Engine {
    /// Starts an engine and sets its options.
    pub fn start(config: &EngineConfig) -> Result<Engine, EngineError> {
        Ok(Engine { config: config.clone(), session: Session::start(config)?, restarts: 0 })
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.session.identity
    }

    /// The options that it declared.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.session.options
    }

    /// How often it had to be started anew.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The number of its process.
    pub fn process_id(&self) -> u32 {
        self.session.id()
    }

    /// Sets an option that it declared to a value that it takes; a button takes an empty one.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let pair = [(name.to_owned(), value.to_owned())];
        self.persist(|session| session.set_options(&pair))?;
        let is_button = |option: &DeclaredOption| option.kind == OptionKind::Button;
        if !self.options().iter().any(|option| option.name.eq_ignore_ascii_case(name) && is_button(option)) {
            self.config.remember(name.to_owned(), value.to_owned());
        }
        Ok(())
    }

    /// Has it forget what it knows of the game so far. With one thread, what it finds then can be repeated.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.persist(Session::new_game)
    }

    /// Searches a position.
    pub fn analyse(&mut self, request: &PositionRequest, search: &Search) -> Result<Analysis, EngineError> {
        self.persist(|session| session.analyse(request, search))
    }

    /// Asks it to leave, and kills it if it does not within the time given. Tells whether it went by itself.
    pub fn quit(self) -> bool {
        self.session.quit()
    }

    fn persist<T>(&mut self, act: impl Fn(&mut Session) -> Result<T, Fault>) -> Result<T, EngineError> {
        match act(&mut self.session) {
            Err(fault) if fault.may_pass() && self.config.restart == Restart::Once => {
                self.session = Session::start(&self.config)?;
                self.restarts += 1;
            }
            done => return done.map_err(|fault| self.session.error(fault)),
        }
        act(&mut self.session).map_err(|fault| self.session.error(fault))
    }
}
