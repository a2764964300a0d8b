//! Predictions of how long a position takes, and how likely it is won in time.

use crate::analysis::AnalysisRequest;
use crate::choose::unfinished;
use crate::depth::Outcome;
use crate::error::LabError;
use crate::extent::{bound_sample, extent};
use crate::lab::Lab;
use crate::markov::{MAX_MOVES_FOR_CLIENTS, fifty_moves};
use crate::markov_models::ModelQuestion;
use crate::model::{ModelRequest, ModelSummary};
use crate::notation::fen_of;
use crate::numeric::infinite;
use crate::operation::{Exposure, Operation};
use crate::posterior::{CompetenceRequest, KnownCompetence};
use crate::side::Side;
use errare_choice::{Competence, Posterior};
use errare_endgame::{Hold, Model, Prediction, PredictionQuestion};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Asks how long a position takes, and how likely it is won in time, if one side errs. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PredictRequest {
    /// The position as a FEN.
    pub fen: String,
    /// The competence of the side that errs: a number, "inf", "-inf", a posterior, or a file with one. By default the
    /// prior of the analysis.
    #[serde(default)]
    pub competence: Option<CompetenceRequest>,
    /// The side that errs; by default the winner, in a drawn position the side that is weaker by its men.
    #[serde(default)]
    pub fallible: Option<Side>,
    /// The model of how the side that errs chooses.
    #[serde(default)]
    pub model: ModelRequest,
    /// Numbers of moves within which to win, counted from the last capture or pawn move.
    #[serde(default = "fifty_moves")]
    pub within: Vec<u32>,
    /// Number of placements to draw for the model, instead of going through the whole endgame, which takes minutes for
    /// five men.
    #[serde(default)]
    pub sample: Option<u64>,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
    /// The belief about a side for whom the request gives none.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

impl PredictRequest {
    /// Makes a request for a position and a competence, with defaults for the rest.
    #[must_use]
    pub fn new(fen: impl Into<String>, competence: CompetenceRequest) -> PredictRequest {
        PredictRequest {
            fen: fen.into(),
            competence: Some(competence),
            fallible: None,
            within: fifty_moves(),
            sample: None,
            seed: 0,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}

/// The prediction of an endgame's Markov model for a position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PredictResponse {
    /// The position as a FEN.
    pub fen: String,
    /// The side that errs.
    pub fallible: Side,
    /// The competence of the side that errs, in words where it is not certain.
    pub competence: String,
    /// The model of how the side that errs chooses.
    pub model: ModelSummary,
    /// The outcome of perfect play, as the side that errs sees it.
    pub outcome: Outcome,
    /// The depth in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// The expected number of moves to the end; null if it is infinite.
    #[serde(with = "infinite")]
    #[schemars(with = "Option<f64>")]
    pub expected_moves: f64,
    /// The standard deviation of the number of moves; null if it is infinite.
    #[serde(with = "infinite")]
    #[schemars(with = "Option<f64>")]
    pub sd_moves: f64,
    /// The chances of the side that errs within each number of moves asked about.
    pub within: BTreeMap<u32, ChancesWithin>,
    /// The worst condition number of the equations solved; null if it is infinite.
    #[serde(with = "infinite")]
    #[schemars(with = "Option<f64>")]
    pub condition: f64,
    /// Number of placements that the model is estimated from; null if it is estimated from all.
    pub sample: Option<u64>,
}

/// The chances of the side that errs within some number of moves.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChancesWithin {
    /// Number of moves that the side that errs can still make within that number, by the halfmove clock.
    pub left: u32,
    /// The chance that the side that errs has won by then.
    pub won: f64,
    /// The chance that the side that errs has lost by then.
    pub lost: f64,
}

/// The greatest number of competences that a client may ask to predict for: each takes a matrix.
const MAX_COMPETENCES_FOR_CLIENTS: u64 = 201;

/// The belief about a player's competence.
pub(crate) struct Belief {
    /// The competences that are thought possible, increasing.
    pub competences: Vec<Competence>,
    /// The probabilities of the competences.
    pub probabilities: Vec<f64>,
    /// The belief in words, as responses report it.
    pub in_words: String,
}

impl Belief {
    /// Reads the belief of a request: the competence that it names, else the prior of its analysis.
    pub fn read(
        competence: Option<&CompetenceRequest>,
        analysis: &AnalysisRequest,
        model: &Model,
        lab: &Lab,
    ) -> Result<Belief, LabError> {
        let of = |posterior: &Posterior, in_words: String| Belief {
            competences: posterior.grid().competences(),
            probabilities: posterior.probabilities().to_vec(),
            in_words,
        };
        let belief = match competence.map(|competence| competence.read(lab)).transpose()? {
            Some(KnownCompetence::Point(c)) => {
                Belief { competences: vec![c], probabilities: vec![1.0], in_words: c.to_string() }
            }
            Some(KnownCompetence::Posterior(posterior)) => {
                let in_words = format!("{:.2} expected, of {}", posterior.mean(), posterior.grid());
                of(&posterior, in_words)
            }
            None => {
                let analysis = analysis.analysis(model.clone(), lab)?;
                of(analysis.prior(), format!("{} beforehand", analysis.prior().grid()))
            }
        };
        lab.bound("competences of a belief", belief.competences.len() as u64, MAX_COMPETENCES_FOR_CLIENTS)?;
        Ok(belief)
    }
}

/// The values that players hold unless a request says otherwise.
const HOLD: Hold = Hold::Wins;

impl Operation for PredictRequest {
    const NAME: &'static str = "predict";
    const ABOUT: &'static str = "Predict how long a position takes, and how likely it is won in time";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = PredictResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<PredictResponse, LabError> {
        self.within
            .iter()
            .try_for_each(|&moves| lab.bound("moves to win within", moves.into(), MAX_MOVES_FOR_CLIENTS))?;
        bound_sample(lab, self.sample)?;
        let model = self.model.model(HOLD);
        let (tables, metric) = self.model.tables(lab)?;
        let position = unfinished(&tables, &self.fen)?;
        let belief = Belief::read(self.competence.as_ref(), &self.analysis, &model, lab)?;
        let question = PredictionQuestion {
            position,
            metric,
            model,
            competences: belief.competences,
            probabilities: belief.probabilities,
            fallible: self.fallible.map(Into::into),
            within: self.within.clone(),
            extent: extent(self.sample, self.seed),
        };
        question.check()?;
        let models =
            ModelQuestion { request: &self.model, hold: HOLD, tables: &tables, competences: &question.competences };
        let found = tables.with_tables(&question.tables(), progress, || {
            question.place(&tables)?.answer(|scope| lab.markov_models().model(&models, scope, progress), progress)
        })?;
        Ok(self.response(&question, &found, belief.in_words))
    }
}

impl PredictRequest {
    fn response(&self, question: &PredictionQuestion, found: &Prediction, competence: String) -> PredictResponse {
        let Prediction { fallible, state, left, forecast } = found;
        let chances = left.iter().zip(forecast.won_within.iter().zip(&forecast.lost_within));
        let chances = chances.map(|(&left, (&won, &lost))| ChancesWithin { left, won, lost });
        PredictResponse {
            fen: fen_of(&question.position),
            fallible: (*fallible).into(),
            competence,
            model: self.model.summary(question.metric, HOLD),
            outcome: (*state).into(),
            depth: state.depth().map(|depth| depth.0),
            expected_moves: forecast.length,
            sd_moves: forecast.sd,
            within: self.within.iter().copied().zip(chances).collect(),
            condition: forecast.condition,
            sample: self.sample,
        }
    }
}
