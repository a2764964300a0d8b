//! What engines have answered, in an SQLite file that several processes may use at once.
//!
//! Every answer is committed as it comes. With a write-ahead log a process that is killed loses nothing that was
//! committed, and leaves nothing half done.

use super::error::EvaluateError;
use super::question::{Answer, Question};
use super::setup::Setup;
use crate::evaluation::Evaluation;
use rusqlite::{Connection, ErrorCode, OptionalExtension};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(60);

/// In the header of the file: "erra", and what the tables are like.
const APPLICATION: i64 = 0x6572_7261;
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
pub struct Cache {
    path: PathBuf,
    connection: Connection,
    engine: i64,
}

impl Cache {
    /// Opens a cache, or begins one, for the answers of an engine.
    pub fn open(path: &Path, setup: &Setup) -> Result<Cache, EvaluateError> {
        Cache::of(path, &setup.key())
    }

    fn of(path: &Path, description: &str) -> Result<Cache, EvaluateError> {
        let failed = |source| EvaluateError::Cache { path: path.to_owned(), source };
        let connection = connect(path)?;
        let engine = || {
            connection.execute("INSERT OR IGNORE INTO engine (description) VALUES (?)", [description])?;
            connection.query_row("SELECT id FROM engine WHERE description = ?", [description], |row| row.get(0))
        };
        let engine = engine().map_err(failed)?;
        Ok(Cache { path: path.to_owned(), connection, engine })
    }

    /// Takes over what other caches know, of any engine. Tells how many answers were new.
    pub fn absorb(path: &Path, others: &[PathBuf]) -> Result<u64, EvaluateError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| EvaluateError::Cache { path, source }
        };
        for other in others {
            connect(other)?;
        }
        let connection = connect(path)?;
        let mut gained = 0;
        for other in others {
            let attach = || {
                connection.execute("ATTACH ? AS other", [other.to_string_lossy()])?;
                connection.execute_batch("BEGIN IMMEDIATE")?;
                connection
                    .execute("INSERT OR IGNORE INTO engine (description) SELECT description FROM other.engine", [])?;
                let added = connection.execute(
                    "INSERT OR IGNORE INTO evaluation
                     SELECT own.id, position, lines FROM other.evaluation AS found
                     JOIN other.engine AS theirs ON theirs.id = found.engine
                     JOIN main.engine AS own ON own.description = theirs.description
                     ORDER BY own.id, position",
                    [],
                )?;
                connection.execute_batch("COMMIT; DETACH other")?;
                Ok(added as u64)
            };
            gained += attach().map_err(failed(other))?;
        }
        Ok(gained)
    }

    /// The answer to a question; none if there is none, or a damaged one.
    pub(super) fn find(&self, question: &Question<'_>) -> Result<Option<Answer>, EvaluateError> {
        let find = || {
            let sql = "SELECT lines FROM evaluation WHERE engine = ? AND position = ?";
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_row((self.engine, &question.key), |row| row.get::<_, String>(0)).optional()
        };
        let text = find().map_err(|source| self.failed(source))?;
        Ok(text.and_then(|text| parse(&text)).filter(|answer| question.is_answered_by(answer)))
    }

    /// Keeps an answer.
    pub(super) fn keep(&self, question: &Question<'_>, answer: &Answer) -> Result<(), EvaluateError> {
        let keep = || {
            let sql = "INSERT OR REPLACE INTO evaluation (engine, position, lines) VALUES (?, ?, ?)";
            self.connection.prepare_cached(sql)?.execute((self.engine, &question.key, written(answer)))
        };
        keep().map(|_| ()).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> EvaluateError {
        EvaluateError::Cache { path: self.path.clone(), source }
    }
}

fn connect(path: &Path) -> Result<Connection, EvaluateError> {
    let failed = |source| EvaluateError::Cache { path: path.to_owned(), source };
    let connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(failed);
    let is_new = pragma("schema_version")? == 0;
    if !is_new && (pragma("application_id")? != APPLICATION || pragma("user_version")? != VERSION) {
        return Err(EvaluateError::ForeignCache { path: path.to_owned() });
    }
    // Two processes that begin a cache at once are not made to wait by the time-out: one of them is refused.
    let deadline = Instant::now() + PATIENCE;
    loop {
        let set_up = || {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; {TABLES} COMMIT"
            ))
        };
        match if is_new { set_up() } else { connection.pragma_update(None, "synchronous", "NORMAL") } {
            Ok(()) => return Ok(connection),
            Err(error) if is_busy(&error) && Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(failed(error)),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn written(answer: &Answer) -> String {
    let line = |(name, evaluation): &(String, Evaluation)| match evaluation {
        Evaluation::Centipawns(value) => format!("{name} {value}"),
        Evaluation::Mate(moves) => format!("{name} #{moves}"),
    };
    answer.iter().map(line).collect::<Vec<_>>().join(",")
}

fn parse(text: &str) -> Option<Answer> {
    let line = |line: &str| {
        let (name, score) = line.split_once(' ')?;
        let evaluation = match score.strip_prefix('#') {
            Some(moves) => Evaluation::Mate(moves.parse().ok()?),
            None => Evaluation::Centipawns(score.parse().ok()?),
        };
        Some((name.to_owned(), evaluation))
    };
    text.split(',').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_uci::client::Lines;
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
        let cache = Cache::of(&one, "E; depth 10").unwrap();
        cache.keep(&here, &answer()).unwrap();
        assert_eq!(cache.find(&here).unwrap(), Some(answer()));
        assert_eq!(cache.find(&there).unwrap(), None);
        assert_eq!(Cache::of(&one, "E; depth 11").unwrap().find(&here).unwrap(), None);
        assert_eq!(Cache::of(&one, "E; depth 10").unwrap().find(&here).unwrap(), Some(answer()));
        Cache::of(&two, "E; depth 12").unwrap().keep(&there, &answer()).unwrap();
        assert_eq!(Cache::absorb(&all, &[one.clone(), two.clone()]).unwrap(), 2);
        assert_eq!(Cache::absorb(&all, &[two, one]).unwrap(), 0);
        assert_eq!(Cache::of(&all, "E; depth 10").unwrap().find(&here).unwrap(), Some(answer()));
        assert_eq!(Cache::of(&all, "E; depth 12").unwrap().find(&there).unwrap(), Some(answer()));
        assert_eq!(Cache::of(&all, "E; depth 12").unwrap().find(&here).unwrap(), None);
    }

    #[test]
    fn a_damaged_answer_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::of(&folder.path().join("cache"), "E").unwrap();
        let position = Chess::default();
        let question = question(&position, "here");
        for damaged in ["", "e2e4", "e2e4 1", "e2e4 1,e2e4 1", "e2e4 1,e2e5 1", "e2e4 1,d2d4 x", "e2e4 1,d2d4 2,a2a3 3"]
        {
            let sql = "INSERT OR REPLACE INTO evaluation VALUES (1, 'here', ?)";
            cache.connection.execute(sql, [damaged]).unwrap();
            assert_eq!(cache.find(&question).unwrap(), None, "{damaged}");
        }
        cache.keep(&question, &answer()).unwrap();
        assert_eq!(cache.find(&question).unwrap(), Some(answer()));
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        assert!(matches!(Cache::of(&path, "E"), Err(EvaluateError::ForeignCache { .. })));
        std::fs::write(&path, "some text that is no database, long enough to be looked at as one".repeat(20)).unwrap();
        assert!(Cache::of(&path, "E").unwrap_err().to_string().contains("not a database"));
        assert!(Cache::of(&folder.path().join("no/such/folder"), "E").is_err());
    }
}
