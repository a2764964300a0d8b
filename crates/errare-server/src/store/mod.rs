//! The store of the workbench: games and jobs, in an SQLite file in the user's data folder.
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
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name of the store's file in the data folder.
const FILE: &str = "workbench.sqlite";

/// The name of the lock file: the one server that holds the lock takes up jobs of earlier servers.
const LOCK: &str = "workbench.lock";

/// The longest time to wait for another server that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the workbench cannot keep games and jobs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("cannot make the data folder {}: {source}; name another with --data", path.display())]
    Folder {
        /// The folder that cannot be made.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file cannot be used.
    #[error("cannot use {}: {source}; make room or name another folder with --data", path.display())]
    File {
        /// The file that cannot be used.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// The file is not one of the workbench.
    #[error("{} is not a file of the workbench: move it away, or name another folder with --data", .0.display())]
    Foreign(PathBuf),
    /// The file was written by a newer version.
    #[error("{} was written by a newer version of errare: update errare, or name another folder with --data", .0.display())]
    Newer(PathBuf),
}

/// The store of the workbench's games and jobs. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
    /// The lock that is held as long as the store is open, if no other server had it.
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

    /// Makes a store in memory, which lasts as long as the server.
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

    /// Reads something from the database, and turns a failure into a sentence.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Refusal> {
        work(&self.connection()).map_err(|error| refusal(&error))
    }

    /// Changes something in the database: all of it, or nothing and a failure as a sentence.
    ///
    /// A statement that returns a row returns it before it is committed, and what fails then would go unnoticed. So the
    /// commit is a step of its own.
    fn change<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Refusal> {
        let mut connection = self.connection();
        // At once for writing, so that another server that writes is waited for.
        let changed = connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|transaction| {
            let changed = work(&transaction)?;
            transaction.commit()?;
            Ok(changed)
        });
        changed.map_err(|error| refusal(&error))
    }
}

/// The refusal that explains a failure of the database. Nothing was changed.
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

/// The SQL expression for the time now, as `2026-01-31T12:00:00.000Z`.
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize) -> GameRow {
        GameRow { id: number.to_string(), version: 1, play: "x".repeat(10_000), ..GameRow::default() }
    }

    /// A file that may not grow stands in for a full disk, and one that may not be written for a folder that is not ours.
    #[test]
    fn what_cannot_be_saved_is_said_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let pragma = |name: &str, value: i64| store.connection().pragma_update(None, name, value).unwrap();
        pragma("max_page_count", 40);
        let (saved, refused) =
            (0..).map(|number| (number, store.add_game(&game(number)))).find(|(_, game)| game.is_err()).unwrap();
        let refused = refused.unwrap_err();
        assert_eq!(refused.status, StatusCode::INSUFFICIENT_STORAGE);
        assert!(refused.sentence.contains("the disk is full"), "{}", refused.sentence);
        assert!(saved > 0);
        let grown = GameRow { version: 2, play: "x".repeat(100_000), ..game(0) };
        assert_eq!(store.change_game(&grown).unwrap_err().status, StatusCode::INSUFFICIENT_STORAGE);
        assert_eq!((store.games(1000).unwrap().len(), store.game("0").unwrap().version), (saved, 1));
        pragma("max_page_count", 1_000_000);
        assert!(store.change_game(&grown).unwrap().is_some());
        pragma("query_only", 1);
        let refused = store.add_game(&game(saved)).unwrap_err();
        assert_eq!(refused.status, StatusCode::INSUFFICIENT_STORAGE);
        assert!(refused.sentence.contains("cannot be written"), "{}", refused.sentence);
        drop(store);
        assert_eq!(Store::open(folder.path()).unwrap().games(1000).unwrap().len(), saved);
    }
}
