//! The tables of the workbench's file, version by version.

use super::StoreError;
use rusqlite::Connection;
use std::path::Path;

/// The number of our files in the header of a database: "errw".
const APPLICATION: i64 = 0x6572_7277;

/// The steps from one version of the file to the next, the first from an empty file to version 1. A step that was
/// released is never changed: files that have taken it would differ from files that take it now.
const STEPS: &[&str] = &["
    CREATE TABLE game (
        id TEXT PRIMARY KEY,
        -- rises with every change, so that two windows do not overwrite each other's moves
        version INTEGER NOT NULL,
        lesson TEXT,
        title TEXT,
        -- the endgame of the start, the person's men first, as in KQKR
        endgame TEXT NOT NULL,
        -- what the person should achieve: the outcome of the start for them
        theory TEXT NOT NULL,
        human TEXT NOT NULL,
        opponent TEXT NOT NULL,
        moves INTEGER NOT NULL,
        -- win, draw or loss for the person; none while the game goes on
        result TEXT,
        is_over INTEGER NOT NULL,
        expected_c REAL NOT NULL,
        low REAL NOT NULL,
        high REAL NOT NULL,
        started TEXT NOT NULL,
        updated TEXT NOT NULL,
        -- the belief when the game began, and now: what the game showed is their quotient
        belief_before TEXT NOT NULL,
        belief_now TEXT NOT NULL,
        -- the request that the game is replayed by, with all its moves
        play TEXT NOT NULL,
        pgn TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX game_by_time ON game (started);
    CREATE INDEX game_by_ending ON game (endgame, theory, started);

    CREATE TABLE job (
        id TEXT PRIMARY KEY,
        operation TEXT NOT NULL,
        request TEXT NOT NULL,
        -- waiting, running, done or failed; one that is cancelled is deleted
        state TEXT NOT NULL,
        -- how often it was begun, by this server or one before it
        starts INTEGER NOT NULL,
        started TEXT NOT NULL,
        -- the status of the answer, and the answer: JSON, or a sentence
        status INTEGER,
        answer BLOB
    ) WITHOUT ROWID;
    CREATE INDEX job_by_time ON job (started);"];

/// Brings a file up to date, in one transaction.
pub fn migrate(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::File { path: path.to_owned(), source };
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let migrated = (|| {
        let tables = "SELECT count(*) FROM sqlite_schema";
        let tables: i64 = connection.query_row(tables, [], |row| row.get(0)).map_err(failed)?;
        if tables > 0 && number("application_id")? != APPLICATION {
            return Err(StoreError::Foreign(path.to_owned()));
        }
        let version = usize::try_from(number("user_version")?).unwrap_or(usize::MAX);
        let steps = STEPS.get(version..).ok_or_else(|| StoreError::Newer(path.to_owned()))?;
        steps.iter().try_for_each(|step| connection.execute_batch(step)).map_err(failed)?;
        connection.pragma_update(None, "application_id", APPLICATION).map_err(failed)?;
        connection.pragma_update(None, "user_version", STEPS.len() as i64).map_err(failed)
    })();
    connection.execute_batch(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" }).map_err(failed)?;
    migrated
}

#[cfg(test)]
mod tests {
    use super::super::{Store, StoreError};
    use rusqlite::Connection;

    #[test]
    fn files_are_made_once_and_foreign_or_newer_ones_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("workbench.sqlite");
        drop(Store::open(folder.path()).unwrap());
        drop(Store::open(folder.path()).unwrap());
        let tables = |path| {
            let connection = Connection::open(path).unwrap();
            let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'";
            connection.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(tables(&path), 2);
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Newer(_))));
        let foreign = tempfile::tempdir().unwrap();
        let path = foreign.path().join("workbench.sqlite");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE precious (a)").unwrap();
        assert!(matches!(Store::open(foreign.path()), Err(StoreError::Foreign(_))));
        assert_eq!(tables(&path), 1);
    }
}
