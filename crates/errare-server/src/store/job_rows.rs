//! Jobs in the database: their requests and their outcomes.

use super::{NOW, Store};
use crate::refusal::Refusal;
use rusqlite::{OptionalExtension, params};

/// A row of the table of jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct JobRow {
    pub id: String,
    pub operation: String,
    /// The name of the job's state.
    pub state: String,
    /// The time at which the job was asked for.
    pub started: String,
    /// Why the job failed.
    pub error: Option<String>,
}

/// The outcome of a job: a status of HTTP, and the bytes of JSON or of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredOutcome {
    pub status: u16,
    pub bytes: Vec<u8>,
}

/// The status of HTTP of a job that has a response.
const DONE: i64 = 200;

impl Store {
    /// Adds a waiting job, and returns the time at which it was added.
    pub fn add_job(&self, id: &str, operation: &str, request: &str) -> Result<String, Refusal> {
        let sql = format!(
            "INSERT INTO job (id, operation, request, state, starts, started) VALUES (?1, ?2, ?3, 'waiting', 0, {NOW}) \
             RETURNING started"
        );
        self.change(|connection| connection.query_row(&sql, [id, operation, request], |row| row.get(0)))
    }

    /// Notes that a job is begun.
    pub fn begin_job(&self, id: &str) -> Result<(), Refusal> {
        let sql = "UPDATE job SET state = 'running', starts = starts + 1 WHERE id = ?1";
        self.change(|connection| connection.execute(sql, [id]).map(drop))
    }

    /// Notes that a job is to be begun again by the next server, without counting the attempt of this one.
    pub fn park_job(&self, id: &str) -> Result<(), Refusal> {
        let sql = "UPDATE job SET state = 'waiting', starts = starts - 1 WHERE id = ?1 AND state = 'running'";
        self.change(|connection| connection.execute(sql, [id]).map(drop))
    }

    /// Stores the outcome of a job, and deletes its request, which is not needed any more.
    pub fn finish_job(&self, id: &str, outcome: &StoredOutcome) -> Result<(), Refusal> {
        let sql = "UPDATE job SET state = ?2, status = ?3, answer = ?4, request = '' WHERE id = ?1";
        let state = if i64::from(outcome.status) == DONE { "done" } else { "failed" };
        self.change(|connection| connection.execute(sql, params![id, state, outcome.status, outcome.bytes]).map(drop))
    }

    /// The outcome of a job; none if the job is not finished, or not known.
    pub fn job_outcome(&self, id: &str) -> Result<Option<StoredOutcome>, Refusal> {
        let sql = "SELECT status, answer FROM job WHERE id = ?1 AND status IS NOT NULL";
        self.read(|connection| {
            let read = |row: &rusqlite::Row<'_>| Ok(StoredOutcome { status: row.get(0)?, bytes: row.get(1)? });
            connection.query_row(sql, [id], read).optional()
        })
    }

    /// All jobs, the oldest first.
    pub fn jobs(&self) -> Result<Vec<JobRow>, Refusal> {
        let sql = "SELECT id, operation, state, started, CASE WHEN status <> 200 THEN CAST(answer AS TEXT) END FROM job \
                   ORDER BY started, id";
        self.read(|connection| {
            let read = |row: &rusqlite::Row<'_>| {
                Ok(JobRow {
                    id: row.get(0)?,
                    operation: row.get(1)?,
                    state: row.get(2)?,
                    started: row.get(3)?,
                    error: row.get(4)?,
                })
            };
            connection.prepare_cached(sql)?.query_map([], read)?.collect()
        })
    }

    /// The request of a job, and the number of times that it was begun.
    pub fn job_request(&self, id: &str) -> Result<Option<(String, u32)>, Refusal> {
        let sql = "SELECT request, starts FROM job WHERE id = ?1";
        self.read(|connection| connection.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).optional())
    }

    /// Forgets a job.
    pub fn forget_job(&self, id: &str) -> Result<(), Refusal> {
        self.change(|connection| connection.execute("DELETE FROM job WHERE id = ?1", [id]).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_kept_with_what_came_of_them() {
        let store = Store::in_memory().unwrap();
        store.add_job("a", "match", "{\"games\": 2}").unwrap();
        store.begin_job("a").unwrap();
        assert_eq!(store.job_request("a").unwrap(), Some(("{\"games\": 2}".to_owned(), 1)));
        assert_eq!(store.job_outcome("a").unwrap(), None);
        store.park_job("a").unwrap();
        assert_eq!(
            (store.jobs().unwrap()[0].state.as_str(), store.job_request("a").unwrap().unwrap().1),
            ("waiting", 0)
        );
        let outcome = StoredOutcome { status: 200, bytes: b"{}".to_vec() };
        store.finish_job("a", &outcome).unwrap();
        assert_eq!(store.job_outcome("a").unwrap(), Some(outcome));
        store.add_job("b", "match", "{}").unwrap();
        store.finish_job("b", &StoredOutcome { status: 400, bytes: b"too many games".to_vec() }).unwrap();
        let jobs = store.jobs().unwrap();
        let seen: Vec<_> = jobs.iter().map(|job| (job.state.as_str(), job.error.as_deref())).collect();
        assert_eq!(seen, [("done", None), ("failed", Some("too many games"))]);
        store.forget_job("a").unwrap();
        assert_eq!(store.jobs().unwrap().len(), 1);
    }
}
