//! The answers of engines, in an SQLite file that several processes may use at once.
//!
//! Every answer is committed as it comes. With a write-ahead log a process that is killed loses nothing that was
//! committed, and leaves nothing half done. Every answer has a checksum; a damaged one counts as none, and is asked for
//! again. Answers of early versions have none, and are read unchecked.

use crate::error::EvaluateError;
use crate::question::{Answer, Question};
use crate::setup::Setup;
use errare_work::{Cancelled, Progress, Status, check_regular};
use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a wait checks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(20);

/// The number of our files in the header of a database: "erra".
const APPLICATION: i64 = 0x6572_7261;

/// The version of the database's tables.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS engine (
        id INTEGER PRIMARY KEY,
        -- all that answers depend on beside the position; see fingerprint.rs
        description TEXT NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS evaluation (
        engine INTEGER NOT NULL REFERENCES engine,
        -- the FEN as the engine is sent it
        position TEXT NOT NULL,
        -- e2e4 31,d2d4 #-3
        lines TEXT NOT NULL,
        -- CRC-32 of the engine's description, the position and the lines; none in answers of early versions
        checksum INTEGER,
        UNIQUE (engine, position)
    );";

/// The SQL statement that brings the table of an early version up to date.
const ADD_CHECKSUM: &str = "ALTER TABLE evaluation ADD COLUMN checksum INTEGER";

/// The cached answers of one engine.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    connection: Connection,
    engine: i64,
    /// Everything that the answers depend on beside the question.
    description: String,
}

/// Why the database did not carry out a request.
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
        Ok(Cache { path: path.to_owned(), connection, engine, description: description.to_owned() })
    }

    /// Whether the cache has answers of an engine of this description.
    pub fn has_answers_of(&self, description: &str, progress: &dyn Progress) -> Result<bool, EvaluateError> {
        let find = || {
            let sql = "SELECT EXISTS (SELECT * FROM evaluation JOIN engine ON engine = id WHERE description = ?)";
            self.connection.query_row(sql, [description], |row| row.get(0))
        };
        patiently(progress, find).map_err(Fault::at(&self.path))
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
            let sql = "SELECT lines, checksum FROM evaluation WHERE engine = ? AND position = ?";
            let mut statement = self.connection.prepare_cached(sql)?;
            let stored = |row: &Row<'_>| Ok(Stored { lines: bytes(row, 0)?, checksum: row.get_ref(1)?.as_i64().ok() });
            statement.query_row((self.engine, &question.key), stored).optional()
        };
        let stored = patiently(progress, find).map_err(Fault::at(&self.path))?;
        let sound = stored.filter(|stored| stored.is_sound(&self.description, question.key.as_bytes()));
        let answer = sound.and_then(|stored| parse(str::from_utf8(&stored.lines).ok()?));
        Ok(answer.filter(|answer| question.is_answered_by(answer)))
    }

    /// Keeps an answer.
    pub fn keep(&self, question: &Question<'_>, answer: &Answer, progress: &dyn Progress) -> Result<(), EvaluateError> {
        let text = written(answer);
        let checksum = checksum(&self.description, question.key.as_bytes(), text.as_bytes());
        let keep = || {
            let sql = "INSERT OR REPLACE INTO evaluation (engine, position, lines, checksum) VALUES (?, ?, ?, ?)";
            self.connection.prepare_cached(sql)?.execute((self.engine, &question.key, &text, checksum))
        };
        patiently(progress, keep).map(drop).map_err(Fault::at(&self.path))
    }
}

/// An answer as it is stored.
struct Stored {
    lines: Vec<u8>,
    checksum: Option<i64>,
}

impl Stored {
    /// Whether the answer is what was written; an answer of an early version is taken as it is.
    fn is_sound(&self, description: &str, position: &[u8]) -> bool {
        self.checksum.is_none_or(|expected| expected == checksum(description, position, &self.lines))
    }
}

/// The bytes of a text; no bytes if something else is stored.
fn bytes(row: &Row<'_>, column: usize) -> Result<Vec<u8>, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_bytes().unwrap_or_default().to_vec())
}

/// The checksum of an answer, computed together with the engine and the position that it belongs to.
fn checksum(description: &str, position: &[u8], lines: &[u8]) -> i64 {
    let mut hasher = crc32fast::Hasher::new();
    for text in [description.as_bytes(), position, lines] {
        hasher.update(text);
        hasher.update(&[0]);
    }
    hasher.finalize().into()
}

/// Copies the answers of another cache that ours does not have, in one transaction. Damaged ones stay behind. `before` were added from others.
fn copy(connection: &Connection, other: &Path, before: u64, progress: &dyn Progress) -> Result<u64, Fault> {
    let activity = format!("adding {}", other.display());
    patiently(progress, || connection.execute("ATTACH ? AS other", [other.to_string_lossy()]))?;
    let begin = || Transaction::new_unchecked(connection, TransactionBehavior::Immediate);
    let transaction = patiently(progress, begin)?;
    transaction.execute("INSERT OR IGNORE INTO engine (description) SELECT description FROM other.engine", [])?;
    let engines: Vec<(i64, i64, String)> = transaction
        .prepare(
            "SELECT own.id, theirs.id, own.description FROM main.engine AS own
             JOIN other.engine AS theirs ON own.description = theirs.description ORDER BY own.id",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let mut added = 0;
    for (own, theirs, description) in engines {
        // Row by row and by the index, not by one statement: so it can be cancelled at any time.
        let mut insert = transaction.prepare_cached(
            "INSERT OR IGNORE INTO main.evaluation (engine, position, lines, checksum) VALUES (?, ?, ?, ?)",
        )?;
        let mut select = transaction.prepare_cached(
            "SELECT position, lines, checksum FROM other.evaluation WHERE engine = ? ORDER BY position",
        )?;
        let mut rows = select.query([theirs])?;
        while let Some(row) = rows.next()? {
            progress.proceed()?;
            let stored = Stored { lines: bytes(row, 1)?, checksum: row.get_ref(2)?.as_i64().ok() };
            if !stored.is_sound(&description, &bytes(row, 0)?) {
                continue;
            }
            let [position, lines] = [ToSqlOutput::Borrowed(row.get_ref(0)?), ToSqlOutput::Borrowed(row.get_ref(1)?)];
            added += insert.execute((own, position, lines, stored.checksum))? as u64;
            progress.report(&Status { done: before + added, ..Status::new(&activity, "answers") });
        }
    }
    transaction.commit()?;
    connection.flush_prepared_statement_cache();
    connection.execute_batch("DETACH other")?;
    Ok(added)
}

/// Repeats an action that another process prevents by writing, until it is done, the patience ends, or the work is
/// cancelled.
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
    // A pipe or a device would be waited for without end. The file is not opened to find out: closing it again would take
    // away the locks of all connections that this process has, and another process could remove the log that they write.
    match path.metadata().and_then(|found| check_regular(&found)) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            return Err(EvaluateError::File { path: path.to_owned(), source });
        }
        _ => {}
    }
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
    let column =
        || connection.prepare("SELECT 1 FROM pragma_table_info('evaluation') WHERE name = 'checksum'")?.exists([]);
    if !patiently(progress, column).map_err(Fault::at(path))? {
        match patiently(progress, || connection.execute_batch(ADD_CHECKSUM)) {
            // Another process may have been faster.
            Err(Fault::Sqlite(error)) if !patiently(progress, column).map_err(Fault::at(path))? => {
                return Err(failed(error));
            }
            Err(Fault::Cancelled(cancelled)) => return Err(cancelled.into()),
            _ => {}
        }
    }
    Ok(connection)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Formats an answer as the cache stores it: `e2e4 31,d2d4 #-3`.
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

    /// This test as another process that looks into a cache.
    #[test]
    #[ignore = "a visitor, not a test"]
    fn visitor() {
        let Ok(path) = std::env::var("VISITED_CACHE") else { return };
        let connection = Connection::open(path).unwrap();
        connection.query_row("SELECT count(*) FROM evaluation", [], |row| row.get::<_, i64>(0)).unwrap();
    }

    #[test]
    fn another_process_takes_nothing_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let first = Cache::of(&path, "E", &Silent).unwrap();
        // Another connection of this process, as each engine at work has one.
        drop(Cache::of(&path, "E", &Silent).unwrap());
        let position = Chess::default();
        first.keep(&question(&position, "before"), &answer(), &Silent).unwrap();
        let visit = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "cache::tests::visitor"])
            .env("VISITED_CACHE", &path)
            .output()
            .unwrap();
        assert!(visit.status.success(), "{visit:?}");
        assert!(folder.path().join("cache-wal").exists(), "the log is gone, and with it what is written next");
        first.keep(&question(&position, "after"), &answer(), &Silent).unwrap();
    }

    #[test]
    fn a_damaged_answer_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::of(&folder.path().join("cache"), "E", &Silent).unwrap();
        let position = Chess::default();
        let question = question(&position, "here");
        for damaged in ["", "e2e4", "e2e4 1", "e2e4 1,e2e4 1", "e2e4 1,e2e5 1", "e2e4 1,d2d4 x", "e2e4 1,d2d4 2,a2a3 3"]
        {
            let sql = "INSERT OR REPLACE INTO evaluation VALUES (1, 'here', ?, NULL)";
            cache.connection.execute(sql, [damaged]).unwrap();
            assert_eq!(cache.find(&question, &Silent).unwrap(), None, "{damaged}");
        }
        cache.keep(&question, &answer(), &Silent).unwrap();
        assert_eq!(cache.find(&question, &Silent).unwrap(), Some(answer()));
    }

    /// Whatever bit of a cache flips, an answer comes back as it was, or not at all.
    #[test]
    fn no_flipped_bit_gives_another_answer() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, flipped] = ["whole", "flipped"].map(|name| folder.path().join(name));
        let position = Chess::default();
        let question = question(&position, "here");
        let cache = Cache::of(&whole, "E; depth 10", &Silent).unwrap();
        cache.keep(&question, &answer(), &Silent).unwrap();
        // All into one file, in the usual mode.
        cache.connection.pragma_update(None, "journal_mode", "DELETE").unwrap();
        drop(cache);
        let bytes = std::fs::read(&whole).unwrap();
        // The rest of the pages is empty.
        let written = (0..bytes.len()).filter(|&place| bytes[place] != 0);
        let (mut same, mut lost) = (0, 0);
        for bit in written.flat_map(|place| (0..8).map(move |bit| 8 * place + bit)).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            for ending in ["-wal", "-shm", "-journal"] {
                drop(std::fs::remove_file(folder.path().join(format!("flipped{ending}"))));
            }
            std::fs::write(&flipped, &damaged).unwrap();
            match Cache::of(&flipped, "E; depth 10", &Silent).and_then(|cache| cache.find(&question, &Silent)) {
                Ok(Some(found)) => {
                    assert_eq!(found, answer(), "bit {bit}");
                    same += 1;
                }
                Ok(None) | Err(_) => lost += 1,
            }
        }
        assert!(same > 100 && lost > 50, "{same} {lost}");
    }

    /// A digit of an answer, of its position or of its engine is another answer.
    #[test]
    fn a_changed_answer_is_asked_for_again_and_not_merged() {
        let folder = tempfile::tempdir().unwrap();
        let position = Chess::default();
        let question = question(&position, "here");
        for change in [
            "UPDATE evaluation SET lines = replace(lines, '-31', '-30')",
            "UPDATE evaluation SET checksum = checksum + 1",
            "UPDATE engine SET description = 'F'",
        ] {
            let [path, all] = ["cache", "all"].map(|name| folder.path().join(format!("{name}{}", change.len())));
            let engine = if change.contains("'F'") { "F" } else { "E" };
            let cache = Cache::of(&path, "E", &Silent).unwrap();
            cache.keep(&question, &answer(), &Silent).unwrap();
            cache.connection.execute_batch(change).unwrap();
            let cache = Cache::of(&path, engine, &Silent).unwrap();
            assert_eq!(cache.find(&question, &Silent).unwrap(), None, "{change}");
            assert_eq!(Cache::absorb(&all, std::slice::from_ref(&path), &Silent).unwrap(), 0, "{change}");
            cache.keep(&question, &answer(), &Silent).unwrap();
            assert_eq!(cache.find(&question, &Silent).unwrap(), Some(answer()), "{change}");
        }
    }

    #[test]
    fn caches_of_early_versions_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old");
        let position = Chess::default();
        let [here, there] = ["here", "there"].map(|key| question(&position, key));
        let old = Connection::open(&path).unwrap();
        old.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};
             CREATE TABLE engine (id INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE);
             CREATE TABLE evaluation (engine INTEGER NOT NULL REFERENCES engine, position TEXT NOT NULL,
                 lines TEXT NOT NULL, UNIQUE (engine, position));
             INSERT INTO engine VALUES (1, 'E'); INSERT INTO evaluation VALUES (1, 'here', 'e2e4 -31,a2a3 #-3');"
        ))
        .unwrap();
        drop(old);
        let cache = Cache::of(&path, "E", &Silent).unwrap();
        assert_eq!(cache.find(&here, &Silent).unwrap(), Some(answer()));
        cache.keep(&there, &answer(), &Silent).unwrap();
        assert_eq!(Cache::of(&path, "E", &Silent).unwrap().find(&there, &Silent).unwrap(), Some(answer()));
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
            let sql = "INSERT INTO evaluation VALUES (1, ?, 'e2e4 31', NULL)";
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
