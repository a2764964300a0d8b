//! Assessed players over all their games, as programs read them.

use super::response::Task;
use crate::model::ModelSummary;
use crate::people_like::PeopleLike;
use crate::posterior::StoredPosterior;
use errare_endgame::{Assessment, INTERVAL_SHARE, PlayerAssessment, Unlisted};
use errare_tables::Material;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A player over all games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedPlayer {
    /// The name of the player.
    pub name: String,
    /// The record over all endgames and tasks.
    #[serde(flatten)]
    pub total: AssessedRecord,
    /// The records by endgame and task.
    pub parts: Vec<AssessedPart>,
    /// The probability of each competence, over all endgames and tasks; not beside rows of games, for brevity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub posterior: Option<StoredPosterior>,
}

/// The record of a player in one endgame with one task.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedPart {
    /// The endgame of the record, such as KQKR.
    pub material: String,
    /// The task of the player.
    pub task: Task,
    /// The counts of what the player did, with the competence that they show.
    #[serde(flatten)]
    pub record: AssessedRecord,
}

/// Counts of what a player did, with the competence that they show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedRecord {
    /// Number of games with an assessed move of the player.
    pub games: u64,
    /// Number of assessed moves of the player.
    pub moves: u64,
    /// Number of moves with a real choice: between moves that the model tells apart.
    pub choices: u64,
    /// Number of moves that turned a win into a draw.
    pub wins_to_draws: u64,
    /// Number of moves that turned a win into a loss.
    pub wins_to_losses: u64,
    /// Number of moves that turned a draw into a loss.
    pub draws_to_losses: u64,
    /// Number of moves of depth given away where the value was kept.
    pub conceded: u64,
    /// Number of moves that the model calls impossible; nothing was learned from them.
    pub impossible: u64,
    /// The expected competence.
    pub expected_c: f64,
    /// Standard deviation of the competence.
    pub sd_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
    /// The standard deviation of the competence as a share of the prior's.
    pub sd_ratio: f64,
    /// Whether the moves say too little about the competence: fewer than 5 real choices, or a standard deviation above
    /// three quarters of the prior's.
    pub too_little_to_say: bool,
    /// The people who typically play the endgame with the expected competence; null over several endgames, where the moves
    /// say too little, and where too few games of people are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<PeopleLike>,
}

/// The total of games and moves by players who are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnlistedPlayers {
    /// Number of times that a player who is not listed appeared in a game.
    pub games: u64,
    /// Number of moves by players who are not listed.
    pub moves: u64,
}

impl From<Unlisted> for UnlistedPlayers {
    fn from(unlisted: Unlisted) -> UnlistedPlayers {
        UnlistedPlayers { games: unlisted.games, moves: unlisted.moves }
    }
}

impl AssessedPlayer {
    pub(super) fn new(player: PlayerAssessment, model: &ModelSummary, has_posterior: bool) -> AssessedPlayer {
        let parts = player.parts.iter().map(|(material, task, part)| AssessedPart {
            material: material.to_string(),
            task: (*task).into(),
            record: AssessedRecord::new(part).liken(model, *material, *task),
        });
        AssessedPlayer {
            parts: parts.collect(),
            total: AssessedRecord::new(&player.total),
            posterior: has_posterior.then(|| StoredPosterior::of(&player.total.posterior)),
            name: player.name,
        }
    }
}

impl AssessedRecord {
    fn new(assessment: &Assessment) -> AssessedRecord {
        let Assessment { counts, posterior, certainty } = assessment;
        let (low, high) = posterior.interval(INTERVAL_SHARE);
        AssessedRecord {
            games: counts.games,
            moves: counts.moves,
            choices: counts.choices,
            wins_to_draws: counts.wins_to_draws,
            wins_to_losses: counts.wins_to_losses,
            draws_to_losses: counts.draws_to_losses,
            conceded: counts.conceded,
            impossible: counts.impossible,
            expected_c: posterior.mean(),
            sd_c: posterior.sd(),
            interval: [low, high],
            sd_ratio: certainty.sd_ratio,
            too_little_to_say: certainty.is_too_little(),
            like: None,
        }
    }

    /// Adds the people who play like this in one endgame with one task.
    fn liken(self, model: &ModelSummary, material: Material, task: errare_endgame::Task) -> AssessedRecord {
        let like = || PeopleLike::of(model, material, task, self.expected_c);
        AssessedRecord { like: if self.too_little_to_say { None } else { like() }, ..self }
    }
}
