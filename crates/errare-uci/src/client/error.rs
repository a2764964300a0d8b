//! Errors of driving an engine, with the last lines exchanged.

use super::request::RequestError;
use super::transcript::Exchange;
use errare_work::Cancelled;
use shakmaty::uci::UciMove;
use std::fmt;
use std::io;
use std::time::Duration;

/// Number of the last lines exchanged that the message shows.
const SHOWN: usize = 3;

/// The error of an engine: which one, what went wrong, and the last lines exchanged.
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

    /// The engine's name, or its file if it has not named itself yet.
    pub fn engine(&self) -> &str {
        &self.0.engine
    }

    /// The fault that the engine showed.
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }

    /// Whether the work was cancelled, so that nothing is wrong with the engine.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0.fault, Fault::Cancelled(_))
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

/// A fault of an engine. Messages continue the engine's name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The program cannot be run.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// The engine's process ended when it should not have.
    #[error("ended unexpectedly ({0})")]
    Died(String),
    /// The engine closed its standard output although its process still runs.
    #[error("closed its output")]
    Closed,
    /// The engine did not answer in time, and was killed.
    #[error("did not answer {awaited} within {after:?}")]
    TimedOut {
        /// The command that the engine did not answer.
        awaited: &'static str,
        /// The time that the engine had to answer.
        after: Duration,
    },
    /// The engine did not read what it was sent, and was killed.
    #[error("did not read its input within {after:?}")]
    NotReading {
        /// The time that the engine had to read.
        after: Duration,
    },
    /// The engine searched for too long, but answered when it was stopped.
    #[error("had not finished its search within {after:?}")]
    TooSlow {
        /// The time that the engine had to search.
        after: Duration,
    },
    /// The engine declared no option of this name.
    #[error("has no option `{0}`")]
    UnknownOption(String),
    /// The option does not take this value.
    #[error("does not take `{value}` for `{option}`: {wanted}")]
    BadValue {
        /// The option's name.
        option: String,
        /// The value that was refused.
        value: String,
        /// The values that are accepted, in words.
        wanted: String,
    },
    /// The engine answered with an illegal move.
    #[error("answered `{answer}`, which is not a possible move in {fen}")]
    BadMove {
        /// The move that the engine gave.
        answer: String,
        /// The position that was searched, as a FEN.
        fen: String,
    },
    /// The engine answered with a legal move although the search was restricted to others.
    #[error(
        "answered `{answer}`, which is not among the moves it was asked to search in {fen}: it ignores `searchmoves`"
    )]
    IgnoredSearchMoves {
        /// The move that the engine gave.
        answer: String,
        /// The position that was searched, as a FEN.
        fen: String,
    },
    /// The engine showed two lines that begin with the same move.
    #[error("showed two lines for the move {mv} in {fen}")]
    RepeatedMove {
        /// The move that begins both lines.
        mv: UciMove,
        /// The position that was searched, as a FEN.
        fen: String,
    },
    /// The search was restricted to moves of which some are illegal.
    #[error("cannot be asked that: {0}")]
    BadRequest(RequestError),
    /// The command is longer than engines can be expected to read.
    #[error("cannot be sent a line of {0} bytes")]
    TooLong(usize),
    /// The work was cancelled. An engine that did not stop at once was killed.
    #[error("was stopped: {0}")]
    Cancelled(#[from] Cancelled),
}

impl Fault {
    /// Whether starting the engine anew may help.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Fault::Died(_) | Fault::Closed | Fault::TimedOut { .. } | Fault::NotReading { .. })
    }
}
