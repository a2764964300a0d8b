//! What can go wrong with an engine, and what was said before it did.

use super::request::RequestError;
use super::transcript::Exchange;
use std::fmt;
use std::io;
use std::time::Duration;

/// So many of the last lines exchanged are part of the message.
const SHOWN: usize = 3;

/// Something went wrong with an engine.
#[derive(Debug)]
pub struct EngineError(Box<Inside>);

#[derive(Debug)]
struct Inside {
    engine: String,
    fault: Fault,
    transcript: Vec<Exchange>,
}

impl EngineError {
    pub(super) fn new(engine: &str, fault: Fault, transcript: Vec<Exchange>) -> EngineError {
        EngineError(Box::new(Inside { engine: engine.to_owned(), fault, transcript }))
    }

    /// The engine, as it calls itself or, before it has, by its file.
    pub fn engine(&self) -> &str {
        &self.0.engine
    }

    /// What went wrong.
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }

    /// The last lines exchanged, oldest first.
    pub fn transcript(&self) -> &[Exchange] {
        &self.0.transcript
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inside { engine, fault, transcript } = &*self.0;
        write!(f, "{engine} {fault}")?;
        let first = transcript.len().saturating_sub(SHOWN);
        for (place, exchange) in transcript[first..].iter().enumerate() {
            write!(f, "{}{exchange}", if place == 0 { "; last lines: " } else { " | " })?;
        }
        Ok(())
    }
}

impl std::error::Error for EngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.fault {
            Fault::Start(error) => Some(error),
            _ => None,
        }
    }
}

/// What went wrong. Messages go on from the name of the engine.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The program cannot be run.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// It ended when it should not have.
    #[error("ended unexpectedly ({0})")]
    Died(String),
    /// It runs but says nothing any more, having closed its standard output.
    #[error("closed its output")]
    Closed,
    /// It took too long.
    #[error("did not answer {awaited} within {after:?}")]
    TimedOut {
        /// What it was to answer.
        awaited: &'static str,
        /// How long it was given.
        after: Duration,
    },
    /// It searched for too long, but answered when it was stopped.
    #[error("had not finished its search within {after:?}")]
    TooSlow {
        /// How long it was given.
        after: Duration,
    },
    /// It declared no such option.
    #[error("has no option `{0}`")]
    UnknownOption(String),
    /// The option takes no such value.
    #[error("does not take `{value}` for `{option}`: {wanted}")]
    BadValue {
        /// The option.
        option: String,
        /// What it was to be set to.
        value: String,
        /// What it takes.
        wanted: String,
    },
    /// It answered with something that is no legal move of the position, or none of those that it was to choose from.
    #[error("answered `{answer}`, which is no move in {fen}")]
    BadMove {
        /// What it answered.
        answer: String,
        /// The position.
        fen: String,
    },
    /// It was to choose from moves that are none of the position's.
    #[error("cannot be asked that: {0}")]
    BadRequest(RequestError),
    /// A command longer than an engine must be able to take in at once.
    #[error("cannot be sent a line of {0} bytes")]
    TooLong(usize),
}

impl Fault {
    /// Whether starting the engine anew may help.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Fault::Died(_) | Fault::Closed | Fault::TimedOut { .. })
    }
}
