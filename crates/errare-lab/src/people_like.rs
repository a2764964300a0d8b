//! The meaning of a competence: the people who typically play an endgame with it.

use crate::model::ModelSummary;
use errare_endgame::{CompetenceScale, Hold, LikeElo, Task};
use errare_tables::Material;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The people who typically play an endgame with some competence, by the games that come with the program as a scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeopleLike {
    /// A description in words: "about a 1900 player", or "a player above 2600" beyond the ratings of the games.
    pub words: String,
    /// The Elo of these people; null if it is below or above the ratings of the games.
    pub elo: Option<f64>,
    /// The 95% interval of the Elo; null where there is none.
    pub interval: Option<[f64; 2]>,
}

impl PeopleLike {
    /// Finds the people who attack or defend an endgame with this competence; none if the model is not that of the
    /// scale, the endgame is not in it, or competence does not clearly rise with Elo there.
    pub(crate) fn of(model: &ModelSummary, material: Material, task: Task, competence: f64) -> Option<PeopleLike> {
        let scale = CompetenceScale::shipped()?;
        let is_plain = *model.hold == Hold::Nothing
            && !model.avoid_loss
            && model.horizon.is_none()
            && model.leanings.is_empty()
            && scale.suits(*model.metric, model.kappa.value());
        let like = scale.like_elo(material, task, competence).filter(|_| is_plain)?;
        let known = match like {
            LikeElo::About(elo) => Some(elo),
            LikeElo::Below(_) | LikeElo::Above(_) => None,
        };
        Some(PeopleLike {
            words: like.to_string(),
            elo: known.map(|elo| elo.value.round()),
            interval: known.map(|elo| [elo.low.round(), elo.high.round()]),
        })
    }
}
