//! The model of how fallible players choose: the part that requests share, and its form in responses.

use crate::default_metric::MODEL_METRIC;
use crate::error::LabError;
use crate::lab::Lab;
use crate::numeric::Numeric;
use crate::text::Text;
use errare_choice::Kappa;
use errare_endgame::{Habits, Hold, Leaning, Model};
use errare_tables::{Metric, SourceSpec, TableSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The model of how fallible players choose, and the tables that give the values of moves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModelRequest {
    /// The metric that players count depths to: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtc, as
    /// in the papers on the model, or the metric of the source.
    pub metric: Option<Text<Metric>>,
    /// The number kappa that is added to every depth before the power is taken: a number above 0, or "0+" for the
    /// limit.
    pub kappa: Numeric<Kappa>,
    /// The values that players never give up: nothing, wins or value. By default wins for match, markov and predict,
    /// nothing for choose, assess, contest, draw and play.
    pub hold: Option<Text<Hold>>,
    /// Whether players avoid a lost position where any other can be reached.
    pub avoid_loss: bool,
    /// Number of moves within which players see wins and losses.
    pub horizon: Option<u16>,
    /// Factors by which players are more likely to make moves of a kind, as in check=2 or rook=0.5: check, capture,
    /// approach, confine or a piece.
    pub leanings: Vec<Text<Leaning>>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere. Nothing is built there.
    pub source: Option<Text<SourceSpec>>,
}

impl Default for ModelRequest {
    fn default() -> ModelRequest {
        ModelRequest {
            metric: None,
            kappa: Numeric(Kappa::ONE),
            hold: None,
            avoid_loss: false,
            horizon: None,
            leanings: Vec::new(),
            source: None,
        }
    }
}

impl ModelRequest {
    /// The tables that give the values of moves, and the metric to read them in: by default DTC as in Haworth (2003),
    /// or the only one that others' tables have.
    pub(crate) fn tables(&self, lab: &Lab) -> Result<(TableSource, Metric), LabError> {
        let tables = lab.source(self.source.as_deref())?;
        let metric = tables.metric(self.metric.map(|metric| metric.0), MODEL_METRIC);
        Ok((tables, metric))
    }

    /// Makes the model, which holds the values `hold` unless the request names others.
    #[must_use]
    pub fn model(&self, hold: Hold) -> Model {
        let habits = Habits {
            hold: self.hold.map_or(hold, |hold| hold.0),
            avoid_loss: self.avoid_loss,
            horizon: self.horizon,
            leanings: self.leanings.iter().map(|leaning| leaning.0).collect(),
        };
        Model::power_law(self.kappa.0, habits)
    }

    /// Summarises the model for responses.
    #[must_use]
    pub fn summary(&self, metric: Metric, hold: Hold) -> ModelSummary {
        ModelSummary {
            metric: Text(metric),
            kappa: self.kappa,
            hold: self.hold.unwrap_or(Text(hold)),
            avoid_loss: self.avoid_loss,
            horizon: self.horizon,
            leanings: self.leanings.clone(),
        }
    }
}

/// The parameters of a model of fallible players.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModelSummary {
    /// The metric of all depths.
    pub metric: Text<Metric>,
    /// The number kappa that is added to every depth before the power is taken; "0+" for the limit.
    pub kappa: Numeric<Kappa>,
    /// The values that players never give up: nothing, wins or value.
    pub hold: Text<Hold>,
    /// Whether players avoid a lost position where any other can be reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub avoid_loss: bool,
    /// Number of moves within which players see wins and losses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u16>,
    /// Factors by which players are more likely to make moves of a kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leanings: Vec<Text<Leaning>>,
}

impl ModelSummary {
    /// Describes the model in words, for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut text = format!("{}, kappa {}, holding {}", self.metric, self.kappa, self.hold);
        if self.avoid_loss {
            text += ", avoiding loss";
        }
        if let Some(moves) = self.horizon {
            text += &format!(", horizon {moves}");
        }
        self.leanings.iter().for_each(|leaning| text += &format!(", {leaning}"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_what_it_is_unless_something_is_said() {
        let plain: ModelRequest = serde_json::from_str("{}").expect("a model");
        assert_eq!(plain.summary(Metric::Dtc, Hold::Wins).sentence(), "dtc, kappa 1, holding wins");
        let given = r#"{"kappa": "0+", "hold": "value", "avoid_loss": true, "horizon": 3, "leanings": ["check=2"]}"#;
        let given: ModelRequest = serde_json::from_str(given).expect("a model");
        let sentence = given.summary(Metric::Dtm, Hold::Wins).sentence();
        assert_eq!(sentence, "dtm, kappa 0+, holding value, avoiding loss, horizon 3, check=2");
        assert!(serde_json::from_str::<ModelRequest>(r#"{"kapa": 1}"#).is_err());
    }
}
