//! The error of an operation that gave no response.

use errare_cluster::ClusterError;
use errare_endgame::EndgameError;
#[cfg(feature = "evaluate")]
use errare_evaluate::EvaluateError;
use errare_ratings::{CalibrationFileError, NoSuchPage, PlayerNameError, RatingsError, Refusal};
use errare_reproduce::ReproduceError;
use errare_tables::{FenError, TableError, TableFailure};
use errare_uci::client::EngineError;
use errare_work::{Cancelled, OutputClash, WriteError};
use std::path::{Path, PathBuf};

/// The reason why an operation gave no response. Every interface shows its text as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The request makes no sense as it is; the text explains what is wrong and what is expected.
    #[error("{0}")]
    Request(String),
    /// The operation does not exist.
    #[error("unknown operation `{0}`")]
    UnknownOperation(String),
    /// A request in JSON does not have the shape of its schema.
    #[error("invalid request for `{operation}`: {reason}")]
    Shape {
        /// The name of the operation.
        operation: &'static str,
        /// The fault of the JSON.
        reason: String,
    },
    /// The position is not one that can be asked about.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No folder of tables was given, and there is no default one.
    #[error("no folder for tables: neither XDG_CACHE_HOME nor HOME is set; give --tables or ERRARE_TABLES")]
    NoTablesFolder,
    /// No file for evaluations was given, and there is no default one.
    #[error("no place for evaluations: neither XDG_CACHE_HOME nor HOME is set; give --cache")]
    NoCacheFolder,
    /// The threads cannot be started.
    #[error("cannot start {count} threads: {reason}")]
    Threads {
        /// Number of threads that were asked for.
        count: usize,
        /// The message of the system.
        reason: String,
    },
    /// A table is missing, damaged or cannot be built.
    #[error(transparent)]
    Table(TableError),
    /// A position, agent or model of an endgame failed.
    #[error(transparent)]
    Endgame(EndgameError),
    /// Turns cannot be read, or allow no answer.
    #[error(transparent)]
    Ratings(RatingsError),
    /// A calibration file cannot be read or written.
    #[error(transparent)]
    Calibration(#[from] CalibrationFileError),
    /// A text names no player, or several.
    #[error(transparent)]
    PlayerName(#[from] PlayerNameError),
    /// The list of players has no page of this number.
    #[error(transparent)]
    NoSuchPage(#[from] NoSuchPage),
    /// A bench was made without turns.
    #[error("no turns were loaded")]
    NoTurns,
    /// Players cannot be rated, as no calibration was given and the turns make none.
    #[error("players are rated by a calibration: give --calibration, as the turns make none ({0})")]
    NoCalibration(Refusal),
    /// No calibration was named, and none comes with the program for the engine; the text names those that do.
    #[error("{0}")]
    Uncalibrated(String),
    /// A client asked for an operation that works on files.
    #[error("`{0}` cannot be used here: it works on files of the server")]
    NotServed(&'static str),
    /// A client's request names something outside the lab.
    #[error("`{0}` cannot be used here: it would name a file, folder or program of the server")]
    Outside(String),
    /// A file could not be opened for reading.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file as the request names it.
        path: PathBuf,
        /// The reason why the file could not be opened.
        source: std::io::Error,
    },
    /// Games could not be read to their end.
    #[error("cannot read {name}: {source}")]
    Read {
        /// The file, or the other source of the games.
        name: String,
        /// The reason why the games could not be read.
        source: std::io::Error,
    },
    /// All games of a match broke because an engine failed.
    #[error("no game was finished; the last one broke because {reason}")]
    NoGame {
        /// The reason why the last game broke.
        reason: String,
    },
    /// An engine could not be started, or failed.
    #[error(transparent)]
    Engine(EngineError),
    /// There is no engine to evaluate games with.
    #[error("{}", no_engine(.named.as_deref()))]
    NoEngine {
        /// The engine that was named; none if the default one was looked for.
        named: Option<String>,
    },
    /// The engine that games are evaluated with does not start.
    #[error("the engine {program} does not start: {reason}")]
    BadEngine {
        /// The file of the engine's program.
        program: String,
        /// The reason why the engine does not start.
        reason: String,
    },
    /// Games could not be evaluated, or results not merged.
    #[cfg(feature = "evaluate")]
    #[error(transparent)]
    Evaluate(EvaluateError),
    /// A run on many machines could not be planned, submitted or worked on.
    #[error(transparent)]
    Cluster(ClusterError),
    /// An output would replace one of the inputs, or another output.
    #[error(transparent)]
    OutputClash(#[from] OutputClash),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A bug in errare: something that its own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

/// Explains which engine is missing, and how to get one.
fn no_engine(named: Option<&str>) -> String {
    match named {
        Some(name) => format!("there is no engine `{name}`: name another with --engine or ERRARE_ENGINE"),
        None => "no chess engine was found: there is no `stockfish` in PATH or /usr/games. Install Stockfish (Debian and \
                 Ubuntu: `apt-get install stockfish`; macOS: `brew install stockfish`; others: stockfishchess.org), or name \
                 an engine with --engine or ERRARE_ENGINE"
            .to_owned(),
    }
}

/// The kind of an error, as it matters to whoever asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is wrong, and would be wrong anywhere.
    Request,
    /// A thing that the request names does not exist.
    Unknown,
    /// The request is not allowed here.
    Forbidden,
    /// The request is understood, but data or memory do not allow an answer.
    Impossible,
    /// The work was stopped.
    Stopped,
    /// The program, its files or its machine failed.
    Failed,
}

impl LabError {
    /// The kind of the error, as it matters to whoever asked.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            LabError::Endgame(error) if error.is_internal() => ErrorKind::Failed,
            LabError::Cluster(
                ClusterError::NoRun(_)
                | ClusterError::OtherRun(_)
                | ClusterError::NoJobs
                | ClusterError::NoSuchJob { .. },
            ) => ErrorKind::Request,
            LabError::Request(_)
            | LabError::Shape { .. }
            | LabError::Fen(_)
            | LabError::Endgame(_)
            | LabError::OutputClash(_) => ErrorKind::Request,
            LabError::PlayerName(PlayerNameError::Unknown { .. }) => ErrorKind::Unknown,
            LabError::PlayerName(_) => ErrorKind::Request,
            LabError::UnknownOperation(_) | LabError::NoSuchPage(_) | LabError::NoTurns => ErrorKind::Unknown,
            LabError::NotServed(_) | LabError::Outside(_) => ErrorKind::Forbidden,
            LabError::Table(error) => table_kind(error),
            LabError::Ratings(RatingsError::Refused(_))
            | LabError::NoCalibration(_)
            | LabError::Uncalibrated(_)
            | LabError::NoEngine { .. } => ErrorKind::Impossible,
            LabError::Cancelled(_) => ErrorKind::Stopped,
            #[cfg(feature = "evaluate")]
            LabError::Evaluate(EvaluateError::NoGames { .. }) => ErrorKind::Impossible,
            #[cfg(feature = "evaluate")]
            LabError::Evaluate(_) => ErrorKind::Failed,
            LabError::Ratings(_)
            | LabError::Calibration(_)
            | LabError::Engine(_)
            | LabError::BadEngine { .. }
            | LabError::NoGame { .. }
            | LabError::Open { .. }
            | LabError::Read { .. }
            | LabError::NoTablesFolder
            | LabError::NoCacheFolder
            | LabError::Threads { .. }
            | LabError::Write(_)
            | LabError::Cluster(_)
            | LabError::Internal(_) => ErrorKind::Failed,
        }
    }

    /// The error of writing a file, if writing one failed.
    #[must_use]
    pub fn write_error(&self) -> Option<&WriteError> {
        match self {
            LabError::Write(error)
            | LabError::Ratings(RatingsError::WriteFile(error))
            | LabError::Calibration(CalibrationFileError::Write(error)) => Some(error),
            #[cfg(feature = "evaluate")]
            LabError::Evaluate(error) => error.write_error(),
            _ => None,
        }
    }

    /// Makes the error of a request that makes no sense, from the reason in words.
    pub(crate) fn request(reason: impl ToString) -> LabError {
        LabError::Request(reason.to_string())
    }
}

impl From<TableError> for LabError {
    fn from(error: TableError) -> LabError {
        match error {
            TableError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            error => LabError::Table(error),
        }
    }
}

/// The kind of a table's error: tables that do not exist and cannot be built are no failure.
fn table_kind(error: &TableError) -> ErrorKind {
    match error {
        TableError::Missing { .. }
        | TableError::TooManyWithPawns { .. }
        | TableError::OnlyByName { .. }
        | TableError::RuleNotBuilt { .. }
        | TableError::BareKings
        | TableError::Memory { .. } => ErrorKind::Impossible,
        _ => ErrorKind::Failed,
    }
}

impl From<ClusterError> for LabError {
    fn from(error: ClusterError) -> LabError {
        match error {
            ClusterError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            ClusterError::Write(error) => LabError::Write(error),
            error => LabError::Cluster(error),
        }
    }
}

impl From<RatingsError> for LabError {
    fn from(error: RatingsError) -> LabError {
        match error {
            RatingsError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            error => LabError::Ratings(error),
        }
    }
}

impl From<Refusal> for LabError {
    fn from(refusal: Refusal) -> LabError {
        LabError::Ratings(refusal.into())
    }
}

impl From<EndgameError> for LabError {
    fn from(error: EndgameError) -> LabError {
        match error {
            EndgameError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            EndgameError::Table(error) => error.into(),
            error => LabError::Endgame(error),
        }
    }
}

impl From<ReproduceError> for LabError {
    fn from(error: ReproduceError) -> LabError {
        match error {
            ReproduceError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            ReproduceError::Table(error) => error.into(),
            ReproduceError::Endgame(error) => error.into(),
            ReproduceError::UnknownItem { .. }
            | ReproduceError::UnknownExperiment { .. }
            | ReproduceError::EndgameOfExperiment { .. } => LabError::Request(error.to_string()),
            ReproduceError::Internal(reason) => LabError::Internal(reason),
            _ => LabError::Internal("the data of the papers do not fit together"),
        }
    }
}

impl From<EngineError> for LabError {
    fn from(error: EngineError) -> LabError {
        if error.is_cancelled() { LabError::Cancelled(Cancelled) } else { LabError::Engine(error) }
    }
}

#[cfg(feature = "evaluate")]
impl From<EvaluateError> for LabError {
    fn from(error: EvaluateError) -> LabError {
        match error {
            EvaluateError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            error => LabError::Evaluate(error),
        }
    }
}

impl TableFailure for LabError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            LabError::Table(error) => error.damaged_table(),
            _ => None,
        }
    }
}
