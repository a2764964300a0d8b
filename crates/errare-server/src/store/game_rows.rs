//! Saved games in the database.

use super::{NOW, Store};
use crate::refusal::Refusal;
use rusqlite::{OptionalExtension, Row, ToSql, params};

/// A row of the table of games. `play`, `belief_before` and `belief_now` are JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRow {
    pub id: String,
    pub version: i64,
    pub lesson: Option<String>,
    pub title: Option<String>,
    pub endgame: String,
    pub theory: String,
    pub human: String,
    pub opponent: String,
    pub moves: i64,
    pub result: Option<String>,
    pub is_over: bool,
    pub expected_c: f64,
    pub low: f64,
    pub high: f64,
    /// The times at which the game began and was last changed; set by the store.
    pub started: String,
    pub updated: String,
    pub belief_before: String,
    pub belief_now: String,
    pub play: String,
    pub pgn: String,
}

/// The evidence that a game gave about the person, and its day.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceRow {
    pub endgame: String,
    pub theory: String,
    pub moves: i64,
    /// The day of the last change, as in 2026-01-31.
    pub day: String,
    pub belief_before: String,
    pub belief_now: String,
}

const COLUMNS: &str = "id, version, lesson, title, endgame, theory, human, opponent, moves, result, is_over, expected_c, \
                       low, high, started, updated, belief_before, belief_now, play, pgn";

fn read(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        version: row.get(1)?,
        lesson: row.get(2)?,
        title: row.get(3)?,
        endgame: row.get(4)?,
        theory: row.get(5)?,
        human: row.get(6)?,
        opponent: row.get(7)?,
        moves: row.get(8)?,
        result: row.get(9)?,
        is_over: row.get(10)?,
        expected_c: row.get(11)?,
        low: row.get(12)?,
        high: row.get(13)?,
        started: row.get(14)?,
        updated: row.get(15)?,
        belief_before: row.get(16)?,
        belief_now: row.get(17)?,
        play: row.get(18)?,
        pgn: row.get(19)?,
    })
}

/// The columns of a game except for its times, from ?1 on.
fn parameters(game: &GameRow) -> [&dyn ToSql; 18] {
    [
        &game.id,
        &game.version,
        &game.lesson,
        &game.title,
        &game.endgame,
        &game.theory,
        &game.human,
        &game.opponent,
        &game.moves,
        &game.result,
        &game.is_over,
        &game.expected_c,
        &game.low,
        &game.high,
        &game.belief_before,
        &game.belief_now,
        &game.play,
        &game.pgn,
    ]
}

impl Store {
    /// Adds a game, and returns it with the times that the store gave it.
    pub fn add_game(&self, game: &GameRow) -> Result<GameRow, Refusal> {
        let sql = format!(
            "INSERT INTO game ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, {NOW}, \
             {NOW}, ?15, ?16, ?17, ?18) RETURNING {COLUMNS}"
        );
        self.change(|connection| connection.prepare_cached(&sql)?.query_row(parameters(game), read))
    }

    /// Replaces the fields that change in a game, if the stored version is the one before; else nothing is changed, and
    /// nothing is returned. Returns the game with its times.
    pub fn change_game(&self, game: &GameRow) -> Result<Option<GameRow>, Refusal> {
        let sql = format!(
            "UPDATE game SET version = ?2, moves = ?9, result = ?10, is_over = ?11, expected_c = ?12, low = ?13, high = ?14, \
             updated = {NOW}, belief_now = ?16, play = ?17, pgn = ?18 WHERE id = ?1 AND version = ?2 - 1 RETURNING {COLUMNS}"
        );
        self.change(|connection| {
            let changed = connection.prepare_cached(&sql)?.query_row(parameters(game), read);
            changed.optional()
        })
    }

    /// The game of an id.
    pub fn game(&self, id: &str) -> Result<GameRow, Refusal> {
        let sql = format!("SELECT {COLUMNS} FROM game WHERE id = ?1");
        let found = self.read(|connection| connection.prepare_cached(&sql)?.query_row([id], read).optional())?;
        found.ok_or_else(|| Refusal::not_found("there is no such game: it may have been erased"))
    }

    /// Lists games, the last begun first, but no more than `limit`.
    pub fn games(&self, limit: usize) -> Result<Vec<GameRow>, Refusal> {
        let sql = format!("SELECT {COLUMNS} FROM game ORDER BY started DESC, id LIMIT ?1");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(|connection| connection.prepare_cached(&sql)?.query_map([limit], read)?.collect())
    }

    /// Calls a function with the PGN of each game, the first begun first.
    pub fn each_pgn(&self, mut each: impl FnMut(&str)) -> Result<(), Refusal> {
        self.read(|connection| {
            let mut query = connection.prepare_cached("SELECT pgn FROM game ORDER BY started, id")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                each(row.get_ref(0)?.as_str()?);
            }
            Ok(())
        })
    }

    /// Lists the evidence that the games of one endgame and task gave, the first begun first; of all endgames if none
    /// is named.
    pub fn evidence(&self, of: Option<(&str, &str)>) -> Result<Vec<EvidenceRow>, Refusal> {
        let (endgame, theory) = of.unzip();
        let sql = "SELECT endgame, theory, moves, substr(updated, 1, 10), belief_before, belief_now FROM game \
                   WHERE moves > 0 AND (?1 IS NULL OR endgame = ?1 AND theory = ?2) ORDER BY started, id";
        let read = |row: &Row<'_>| {
            Ok(EvidenceRow {
                endgame: row.get(0)?,
                theory: row.get(1)?,
                moves: row.get(2)?,
                day: row.get(3)?,
                belief_before: row.get(4)?,
                belief_now: row.get(5)?,
            })
        };
        self.read(|connection| connection.prepare_cached(sql)?.query_map(params![endgame, theory], read)?.collect())
    }

    /// Erases a game.
    pub fn erase_game(&self, id: &str) -> Result<(), Refusal> {
        match self.change(|connection| connection.execute("DELETE FROM game WHERE id = ?1", [id]))? {
            0 => Err(Refusal::not_found("there is no such game: it may have been erased")),
            _ => Ok(()),
        }
    }

    /// Erases all games, and returns how many there were. The file does not keep what was erased.
    pub fn erase_games(&self) -> Result<usize, Refusal> {
        let erased = self.change(|connection| connection.execute("DELETE FROM game", []))?;
        self.read(|connection| {
            // What was erased is zeros by now. To make the file smaller takes room, which there may not be.
            let _ = connection.execute_batch("VACUUM");
            connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        })?;
        Ok(erased)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str) -> GameRow {
        let (endgame, theory) = ("KQKR".to_owned(), "win".to_owned());
        GameRow { id: id.to_owned(), version: 1, endgame, theory, moves: 2, ..GameRow::default() }
    }

    #[test]
    fn games_are_kept_and_changed_once_a_version() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let added = store.add_game(&row("a")).unwrap();
        assert!(added.started.ends_with('Z') && added.started.len() == 24, "{}", added.started);
        let next = GameRow { version: 2, moves: 4, pgn: "1. Qa1 *".to_owned(), ..added.clone() };
        assert_eq!(store.change_game(&next).unwrap().unwrap().moves, 4);
        // From another window, which has not seen that.
        assert_eq!(store.change_game(&GameRow { moves: 3, ..next.clone() }).unwrap(), None);
        // Another server, or this one after it was killed.
        let other = Store::open(folder.path()).unwrap();
        assert!(store.is_alone() && !other.is_alone());
        assert_eq!((other.game("a").unwrap().moves, other.games(10).unwrap().len()), (4, 1));
        assert_eq!(other.evidence(Some(("KQKR", "win"))).unwrap().len(), 1);
        assert_eq!(other.evidence(Some(("KQKR", "draw"))).unwrap().len(), 0);
        assert_eq!(other.evidence(None).unwrap().len(), 1);
        let mut pgn = String::new();
        other.each_pgn(|game| pgn.push_str(game)).unwrap();
        assert_eq!(pgn, "1. Qa1 *");
        other.erase_game("a").unwrap();
        assert!(store.game("a").is_err() && store.erase_game("a").is_err());
        store.add_game(&row("b")).unwrap();
        assert_eq!((store.erase_games().unwrap(), store.games(10).unwrap().len()), (1, 0));
    }
}
