//! What the workbench keeps: games and jobs, in an SQLite file in the user's data folder.
//!
//! Everything is committed as it happens. With a write-ahead log a server that is killed loses nothing that was
//! committed, and several servers may use the file at once.

mod game_rows;
mod job_rows;
mod migrations;

pub use game_rows::{EvidenceRow, GameRow};
pub use job_rows::{JobRow, StoredOutcome};

use crate::refusal::Refusal;
use axum::http::StatusCode;
use errare_work::open_lock;
use rusqlite::{Connection, ErrorCode};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name of the file in the data folder.
const FILE: &str = "workbench.sqlite";

/// The name of the lock that the one server has that takes up jobs of earlier servers.
const LOCK: &str = "workbench.lock";

/// How long to wait for another server that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the workbench cannot keep anything.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("cannot make the data folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be used.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file is not one of the workbench.
    #[error("{} is not a file of the workbench: move it away, or name another folder with --data", .0.display())]
    Foreign(PathBuf),
    /// The file was written by a newer version.
    #[error("{} was written by a newer version of errare: update errare, or name another folder with --data", .0.display())]
    Newer(PathBuf),
}

/// What the workbench keeps. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
    /// Held as long as the store is open, if no other server had it.
    lock: Option<Arc<File>>,
}

impl Store {
    /// Opens the file in a data folder, making both if they do not exist.
    ///
    /// # Errors
    /// If the folder cannot be made, or the file is damaged, foreign or of a newer version.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        fs::create_dir_all(folder).map_err(|source| StoreError::Folder { path: folder.to_owned(), source })?;
        let path = folder.join(FILE);
        let failed = |source| StoreError::File { path: path.clone(), source };
        let connection = Connection::open(&path).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
        // A crash of the system may lose the last moves, that of the server none; to sync each move would make every
        // reply wait for the disk.
        connection.pragma_update(None, "synchronous", "normal").map_err(failed)?;
        // What is erased does not stay in the file.
        connection.pragma_update(None, "secure_delete", true).map_err(failed)?;
        migrations::migrate(&connection, &path)?;
        let lock = open_lock(&folder.join(LOCK)).ok().filter(|lock| lock.try_lock().is_ok());
        Ok(Store { connection: Arc::new(Mutex::new(connection)), lock: lock.map(Arc::new) })
    }

    /// A store that lasts as long as the server.
    ///
    /// # Errors
    /// If SQLite does not work at all.
    pub fn in_memory() -> Result<Store, StoreError> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory();
        let connection = connection.map_err(|source| StoreError::File { path: path.clone(), source })?;
        migrations::migrate(&connection, &path)?;
        Ok(Store { connection: Arc::new(Mutex::new(connection)), lock: None })
    }

    /// Whether no other server uses the folder, so that unfinished jobs in it belong to nobody.
    pub fn is_alone(&self) -> bool {
        self.lock.is_some()
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the database, and puts its failures into words.
    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, Refusal> {
        work(&mut self.connection()).map_err(|error| refusal(&error))
    }
}

/// A failure of the database, in words. Nothing was changed.
fn refusal(error: &rusqlite::Error) -> Refusal {
    let code = error.sqlite_error_code();
    let (status, sentence) = match code {
        Some(ErrorCode::DiskFull) => (
            StatusCode::INSUFFICIENT_STORAGE,
            "this could not be saved: the disk is full. Nothing is lost: make room and try again".to_owned(),
        ),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "this could not be saved: another program is using the file of games. Try again".to_owned(),
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => (
            StatusCode::INSUFFICIENT_STORAGE,
            format!("this could not be saved: the file of games cannot be written ({error})"),
        ),
        Some(ErrorCode::SystemIoFailure) => (
            StatusCode::INSUFFICIENT_STORAGE,
            format!("this could not be saved: the disk is full or damaged ({error}). Nothing that was saved is lost"),
        ),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, format!("the file of games does not work: {error}")),
    };
    Refusal::new(status, sentence)
}

/// The time now, as `2026-01-31T12:00:00.000Z`, in SQL.
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
