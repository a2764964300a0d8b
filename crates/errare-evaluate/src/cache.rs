//! The answers of engines, in an SQLite file that several processes may use at once.
//!
//! Every answer is committed as it comes. With a write-ahead log a process that is killed loses nothing that was
//! committed, and leaves nothing half done.

use crate::error::EvaluateError;
use crate::question::{Answer, Question};
use crate::setup::Setup;
use errare_work::{Cancelled, Progress, Status};
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a wait checks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(20);

/// The number of our files in the header of a database: "erra".
const APPLICATION: i64 = 0x6572_7261;

/// The version of the tables.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS engine (
        id INTEGER PRIMARY KEY,
        -- name, file, net, options and depth
        description TEXT NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS evaluation (
        engine INTEGER NOT NULL REFERENCES engine,
        -- the FEN as the engine is sent it
        position TEXT NOT NULL,
        -- e2e4 31,d2d4 #-3
        lines TEXT NOT NULL,
        UNIQUE (engine, position)
    );";

/// The answers of one engine.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    connection: Connection,
    engine: i64,
}

/// Why the database did not do something.
#[derive(Debug)]
enum Fault {
    Sqlite(rusqlite::Error),
    Cancelled(Cancelled),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sqlite(error)
    }
}

impl From<Cancelled> for Fault {
    fn from(cancelled: Cancelled) -> Fault {
        Fault::Cancelled(cancelled)
    }
}

impl Fault {
    fn at(path: &Path) -> impl Fn(Fault) -> EvaluateError + use<'_> {
        move |fault| match fault {
            Fault::Sqlite(source) => EvaluateError::Cache { path: path.to_owned(), source },
            Fault::Cancelled(cancelled) => EvaluateError::Cancelled(cancelled),
        }
    }
}

impl Cache {
    /// Opens a cache, or creates one, for the answers of an engine.
    pub fn open(path: &Path, setup: &Setup, progress: &dyn Progress) -> Result<Cache, EvaluateError> {
        Cache::of(path, &setup.key(), progress)
    }

    fn of(path: &Path, description: &str, progress: &dyn Progress) -> Result<Cache, EvaluateError> {
        let connection = connect(path, progress)?;
        let engine = || {
            connection.execute("INSERT OR IGNORE INTO engine (description) VALUES (?)", [description])?;
            connection.query_row("SELECT id FROM engine WHERE description = ?", [description], |row| row.get(0))
        };
        let engine = patiently(progress, engine).map_err(Fault::at(path))?;
        Ok(Cache { path: path.to_owned(), connection, engine })
    }

    /// Adds the answers of other caches, of any engine. Returns the number of new ones. What is added of one cache is
    /// added together or not at all.
    pub fn absorb(path: &Path, others: &[PathBuf], progress: &dyn Progress) -> Result<u64, EvaluateError> {
        for other in others {
            connect(other, progress)?;
        }
        let connection = connect(path, progress)?;
        let mut added = 0;
        for other in others {
            added += copy(&connection, other, added, progress).map_err(Fault::at(other))?;
        }
        Ok(added)
    }

    /// The answer to a question; none if there is none, or a damaged one.
    pub fn find(&self, question: &Question<'_>, progress: &dyn Progress) -> Result<Option<Answer>, EvaluateError> {
        let find = || {
            let sql = "SELECT lines FROM evaluation WHERE engine = ? AND position = ?";
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_row((self.engine, &question.key), |row| row.get::<_, String>(0)).optional()
        };
        let text = patiently(progress, find).map_err(Fault::at(&self.path))?;
        Ok(text.and_then(|text| parse(&text)).filter(|answer| question.is_answered_by(answer)))
    }

    /// Keeps an answer.
    pub fn keep(&self, question: &Question<'_>, answer: &Answer, progress: &dyn Progress) -> Result<(), EvaluateError> {
        let text = written(answer);
        let keep = || {
            let sql = "INSERT OR REPLACE INTO evaluation (engine, position, lines) VALUES (?, ?, ?)";
            self.connection.prepare_cached(sql)?.execute((self.engine, &question.key, &text))
        };
        patiently(progress, keep).map(drop).map_err(Fault::at(&self.path))
    }
}

/// Copies the answers of another cache that ours does not have, in one transaction. `before` were added from others.
fn copy(connection: &Connection, other: &Path, before: u64, progress: &dyn Progress) -> Result<u64, Fault> {
    let activity = format!("adding {}", other.display());
    patiently(progress, || connection.execute("ATTACH ? AS other", [other.to_string_lossy()]))?;
    let begin = || Transaction::new_unchecked(connection, TransactionBehavior::Immediate);
    let transaction = patiently(progress, begin)?;
    transaction.execute("INSERT OR IGNORE INTO engine (description) SELECT description FROM other.engine", [])?;
    let engines: Vec<(i64, i64)> = transaction
        .prepare(
            "SELECT own.id, theirs.id FROM main.engine AS own
             JOIN other.engine AS theirs ON own.description = theirs.description ORDER BY own.id",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut added = 0;
    for (own, theirs) in engines {
        // Row by row and by the index, not by one statement: so it can be cancelled at any time.
        let mut insert = transaction
            .prepare_cached("INSERT OR IGNORE INTO main.evaluation (engine, position, lines) VALUES (?, ?, ?)")?;
        let mut select = transaction
            .prepare_cached("SELECT position, lines FROM other.evaluation WHERE engine = ? ORDER BY position")?;
        let mut rows = select.query([theirs])?;
        while let Some(row) = rows.next()? {
            progress.proceed()?;
            let [position, lines] = [ToSqlOutput::Borrowed(row.get_ref(0)?), ToSqlOutput::Borrowed(row.get_ref(1)?)];
            added += insert.execute((own, position, lines))? as u64;
            progress.report(&Status { done: before + added, ..Status::new(&activity, "answers") });
        }
    }
    transaction.commit()?;
    connection.flush_prepared_statement_cache();
    connection.execute_batch("DETACH other")?;
    Ok(added)
}

/// Repeats what another process prevents by writing, until it is done, the patience ends, or the work is cancelled.
fn patiently<T>(progress: &dyn Progress, mut act: impl FnMut() -> Result<T, rusqlite::Error>) -> Result<T, Fault> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match act() {
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                progress.proceed()?;
                // SQLite has waited by itself, but for some locks it does not.
                thread::sleep(Duration::from_millis(1));
            }
            done => return Ok(done?),
        }
    }
}

fn connect(path: &Path, progress: &dyn Progress) -> Result<Connection, EvaluateError> {
    let failed = |error| Fault::at(path)(Fault::Sqlite(error));
    let connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(GLANCE).map_err(failed)?;
    let pragma = |name: &str| {
        patiently(progress, || connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)))
            .map_err(Fault::at(path))
    };
    let is_new = pragma("schema_version")? == 0;
    if !is_new && (pragma("application_id")? != APPLICATION || pragma("user_version")? != VERSION) {
        return Err(EvaluateError::ForeignCache { path: path.to_owned() });
    }
    let set_up = || {
        if is_new {
            connection.pragma_update(None, "journal_mode", "WAL")?;
        }
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        if is_new {
            connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; {TABLES} COMMIT"
            ))?;
        }
        Ok(())
    };
    patiently(progress, set_up).map_err(Fault::at(path))?;
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// An answer as the cache has it: `e2e4 31,d2d4 #-3`.
fn written(answer: &Answer) -> String {
    answer.iter().map(|(name, evaluation)| format!("{name} {evaluation}")).collect::<Vec<_>>().join(",")
}

fn parse(text: &str) -> Option<Answer> {
    let line = |line: &str| {
        let (name, evaluation) = line.split_once(' ')?;
        Some((name.to_owned(), evaluation.parse().ok()?))
    };
    text.split(',').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_ratings::Evaluation;
    use errare_uci::client::Lines;
    use errare_work::{Cancel, Silent};
    use shakmaty::Chess;

    fn question<'a>(position: &'a Chess, key: &str) -> Question<'a> {
        Question { position, lines: Lines::Count(2), only: None, key: key.to_owned() }
    }

    fn answer() -> Answer {
        vec![("e2e4".to_owned(), Evaluation::Centipawns(-31)), ("a2a3".to_owned(), Evaluation::Mate(-3))]
    }

    #[test]
    fn answers_are_kept_by_engine_and_question() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two, all] = ["one", "two", "all"].map(|name| folder.path().join(name));
        let position = Chess::default();
        let [here, there] = ["here", "there"].map(|key| question(&position, key));
        let cache = Cache::of(&one, "E; depth 10", &Silent).unwrap();
        cache.keep(&here, &answer(), &Silent).unwrap();
        assert_eq!(cache.find(&here, &Silent).unwrap(), Some(answer()));
        assert_eq!(cache.find(&there, &Silent).unwrap(), None);
        assert_eq!(Cache::of(&one, "E; depth 11", &Silent).unwrap().find(&here, &Silent).unwrap(), None);
        assert_eq!(Cache::of(&one, "E; depth 10", &Silent).unwrap().find(&here, &Silent).unwrap(), Some(answer()));
        Cache::of(&two, "E; depth 12", &Silent).unwrap().keep(&there, &answer(), &Silent).unwrap();
        assert_eq!(Cache::absorb(&all, &[one.clone(), two.clone()], &Silent).unwrap(), 2);
        assert_eq!(Cache::absorb(&all, &[two, one], &Silent).unwrap(), 0);
        assert_eq!(Cache::of(&all, "E; depth 10", &Silent).unwrap().find(&here, &Silent).unwrap(), Some(answer()));
        assert_eq!(Cache::of(&all, "E; depth 12", &Silent).unwrap().find(&there, &Silent).unwrap(), Some(answer()));
        assert_eq!(Cache::of(&all, "E; depth 12", &Silent).unwrap().find(&here, &Silent).unwrap(), None);
    }

    #[test]
    fn a_damaged_answer_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::of(&folder.path().join("cache"), "E", &Silent).unwrap();
        let position = Chess::default();
        let question = question(&position, "here");
        for damaged in ["", "e2e4", "e2e4 1", "e2e4 1,e2e4 1", "e2e4 1,e2e5 1", "e2e4 1,d2d4 x", "e2e4 1,d2d4 2,a2a3 3"]
        {
            let sql = "INSERT OR REPLACE INTO evaluation VALUES (1, 'here', ?)";
            cache.connection.execute(sql, [damaged]).unwrap();
            assert_eq!(cache.find(&question, &Silent).unwrap(), None, "{damaged}");
        }
        cache.keep(&question, &answer(), &Silent).unwrap();
        assert_eq!(cache.find(&question, &Silent).unwrap(), Some(answer()));
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        assert!(matches!(Cache::of(&path, "E", &Silent), Err(EvaluateError::ForeignCache { .. })));
        std::fs::write(&path, "some text that is not a database, long enough to be read as one".repeat(20)).unwrap();
        assert!(Cache::of(&path, "E", &Silent).unwrap_err().to_string().contains("not a database"));
        assert!(Cache::of(&folder.path().join("no/such/folder"), "E", &Silent).is_err());
    }

    /// Cancels after a moment, and returns how long the work took to end after that.
    fn time_to_end(work: impl FnOnce(&Cancel) -> Result<u64, EvaluateError>) -> Duration {
        let cancel = Cancel::new();
        thread::scope(|scope| {
            let canceller = scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                cancel.cancel();
                Instant::now()
            });
            assert!(matches!(work(&cancel), Err(EvaluateError::Cancelled(_))));
            canceller.join().unwrap().elapsed()
        })
    }

    #[test]
    fn waiting_for_another_writer_can_be_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let cache = Cache::of(&path, "E", &Silent).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let position = Chess::default();
        let question = question(&position, "here");
        let took = time_to_end(|cancel| cache.keep(&question, &answer(), cancel).map(|()| 0));
        assert!(took < Duration::from_millis(200), "{took:?}");
        other.execute_batch("ROLLBACK").unwrap();
        cache.keep(&question, &answer(), &Silent).unwrap();
        assert_eq!(cache.find(&question, &Silent).unwrap(), Some(answer()));
    }

    #[test]
    fn a_cancelled_merge_adds_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [one, all] = ["one", "all"].map(|name| folder.path().join(name));
        let cache = Cache::of(&one, "E", &Silent).unwrap();
        cache.connection.execute_batch("BEGIN").unwrap();
        for number in 0..400_000 {
            let sql = "INSERT INTO evaluation VALUES (1, ?, 'e2e4 31')";
            cache.connection.prepare_cached(sql).unwrap().execute([number.to_string()]).unwrap();
        }
        cache.connection.execute_batch("COMMIT").unwrap();
        let took = time_to_end(|cancel| Cache::absorb(&all, std::slice::from_ref(&one), cancel));
        assert!(took < Duration::from_millis(200), "{took:?}");
        let count = |path: &Path| {
            let connection = Connection::open(path).unwrap();
            connection.query_row("SELECT count(*) FROM evaluation", [], |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(count(&all), 0);
        assert_eq!(Cache::absorb(&all, &[one], &Silent).unwrap(), 400_000);
        assert_eq!(count(&all), 400_000);
    }
}
