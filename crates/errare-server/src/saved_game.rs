//! Saved games as clients see them.

use crate::refusal::Refusal;
use crate::store::GameRow;
use axum::http::StatusCode;
use errare_lab::{PlayFinish, PlayRequest, PlayResponse, StoredPosterior};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Reads a structure from a JSON object. A list is refused, which serde would read too, item by item.
fn object<'a, T: DeserializeOwned, D: Deserializer<'a>>(from: D) -> Result<T, D::Error> {
    let value = Value::deserialize(from)?;
    if !value.is_object() {
        return Err(D::Error::custom("expected an object"));
    }
    T::deserialize(value).map_err(D::Error::custom)
}

/// Asks for a new game, which is saved from its first position on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The game as the operation `play` takes it. If its prior is the default one, uniform, the belief from earlier
    /// games of the same endgame and task is used.
    #[serde(deserialize_with = "object")]
    pub play: PlayRequest,
    /// The lesson of the course that the game belongs to.
    #[serde(default)]
    pub lesson: Option<String>,
    /// A name for the game.
    #[serde(default)]
    pub title: Option<String>,
}

/// Makes a move in a saved game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
    /// The version of the game that the move is made in.
    pub version: i64,
    /// The move in UCI or standard algebraic notation.
    #[serde(rename = "move")]
    pub text: String,
}

/// Takes the person's last move in a saved game back, with the reply to it, or else the resignation or claim that ended
/// the game. What the move showed of the person still counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeBack {
    /// The version of the game that the client has seen.
    pub version: i64,
}

/// Ends a saved game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinishGame {
    /// The version of the game that the client has seen.
    pub version: i64,
    /// What the person does instead of a move.
    pub finish: PlayFinish,
}

/// A saved game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedGame {
    /// The id of the game.
    pub id: String,
    /// The version of the game, which rises with each change.
    pub version: i64,
    /// The lesson of the course that the game belongs to.
    pub lesson: Option<String>,
    /// The name of the game.
    pub title: Option<String>,
    /// When the game began, as in 2026-01-31T12:00:00.000Z.
    pub started: String,
    /// When the game was last changed.
    pub updated: String,
    /// The request that the game is replayed by.
    pub play: PlayRequest,
    /// The game as it stands.
    pub game: PlayResponse,
}

/// A saved game in the list of games.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameSummary {
    /// The id of the game.
    pub id: String,
    /// The version of the game, which rises with each change.
    pub version: i64,
    /// The lesson of the course that the game belongs to.
    pub lesson: Option<String>,
    /// The name of the game.
    pub title: Option<String>,
    /// The endgame of the start; the person's men are named first.
    pub material: String,
    /// The side that the person plays.
    pub human: String,
    /// The agent that plays the other side.
    pub opponent: String,
    /// The outcome of the start for the person: win, draw or loss.
    pub theory: String,
    /// What the person made of the game: win, draw or loss; null while the game goes on, and if it could not be
    /// finished.
    pub result: Option<String>,
    /// Number of moves that the person made.
    pub moves: i64,
    /// When the game began.
    pub started: String,
    /// When the game was last changed.
    pub updated: String,
    /// The person's expected competence at the end of the game, or so far.
    pub expected_c: f64,
    /// The interval that holds nine tenths of the probability of the competence.
    pub interval: [f64; 2],
    /// Whether the game is over.
    pub over: bool,
}

/// Saved games, the last begun first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameList {
    /// The saved games, the last begun first.
    pub games: Vec<GameSummary>,
}

/// A saved game as it is exported.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExportedGame {
    /// The summary of the game, as the list of games has it.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The request that the game is replayed by.
    pub play: PlayRequest,
    /// The belief about the person's competence when the game began.
    pub belief_before: StoredPosterior,
    /// The belief about the person's competence at the end of the game, or so far.
    pub belief_now: StoredPosterior,
    /// The game in PGN, with comments.
    pub pgn: String,
}

/// All saved games.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GameExport {
    /// The saved games, the last begun first.
    pub games: Vec<ExportedGame>,
}

impl SavedGame {
    pub fn new(row: GameRow, play: PlayRequest, game: PlayResponse) -> SavedGame {
        let GameRow { id, version, lesson, title, started, updated, .. } = row;
        SavedGame { id, version, lesson, title, started, updated, play, game }
    }
}

impl From<GameRow> for GameSummary {
    fn from(row: GameRow) -> GameSummary {
        GameSummary {
            id: row.id,
            version: row.version,
            lesson: row.lesson,
            title: row.title,
            material: row.endgame,
            human: row.human,
            opponent: row.opponent,
            theory: row.theory,
            result: row.result,
            moves: row.moves,
            started: row.started,
            updated: row.updated,
            expected_c: row.expected_c,
            interval: [row.low, row.high],
            over: row.is_over,
        }
    }
}

impl ExportedGame {
    pub fn new(row: GameRow) -> Result<ExportedGame, Refusal> {
        Ok(ExportedGame {
            play: stored(&row.play)?,
            belief_before: stored(&row.belief_before)?,
            belief_now: stored(&row.belief_now)?,
            pgn: row.pgn.clone(),
            summary: row.into(),
        })
    }
}

/// Reads JSON that the workbench stored.
pub fn stored<T: DeserializeOwned>(json: &str) -> Result<T, Refusal> {
    let damaged = |error| {
        let sentence = format!("a saved game cannot be read: its file is damaged, or of another version ({error})");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    };
    serde_json::from_str(json).map_err(damaged)
}
