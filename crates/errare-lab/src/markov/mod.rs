//! Markov models of endgames: the time that R_c takes to win, and the chance to win in time.

mod blocks;
mod charts;
mod response;

pub use response::{
    AfterContest, FromDraw, MarkovBlock, MarkovOutlook, MarkovResponse, PassageChances, Transition, TransitionMatrix,
};

use crate::analysis::CompetenceList;
use crate::error::LabError;
use crate::extent::{bound_sample, extent};
use crate::lab::Lab;
use crate::model::ModelRequest;
use crate::numeric::{Lengths, Numeric};
use crate::operation::{Exposure, Operation};
use crate::side::Side;
use crate::text::{Endgame, Text};
use charts::{heat_map, line_chart};
use errare_choice::{Competence, State};
use errare_endgame::{Contest, ContestOutlook, ContestQuestion, EndgameError, Hold, MarkovModel, MarkovScope};
use errare_tables::{Extent, Metric, TableSource, tables_after};
use errare_work::{Progress, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::collections::BTreeMap;

/// Asks for the Markov model of an endgame. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkovRequest {
    /// The endgame; White is the side named first.
    pub material: Text<Endgame>,
    /// The competences: a number, a list of numbers, or a text with numbers and ranges, as in "20,21" or "15:5:40".
    pub competence: CompetencesRequest,
    /// The side whose moves are modelled.
    #[serde(default)]
    pub side: Side,
    /// The competence of the other side, if it errs too.
    #[serde(default)]
    pub opponent: Option<Numeric<Competence>>,
    /// Numbers of moves within which to win.
    #[serde(default = "fifty_moves")]
    pub within: Vec<u32>,
    /// Number of moves already made of those within which to win.
    #[serde(default)]
    pub gone: u32,
    /// Numbers of moves after which the state of contests is wanted.
    #[serde(default)]
    pub after: Vec<u32>,
    /// The number of moves up to which the chances to win after exactly, and at most, each number are wanted.
    #[serde(default)]
    pub passage: Option<u32>,
    /// The depth that `after` and `passage` start from; by default the deepest.
    #[serde(default)]
    pub from_depth: Option<u16>,
    /// Whether the response holds the matrices.
    #[serde(default)]
    pub matrices: bool,
    /// Charts that the response should hold.
    #[serde(default)]
    pub charts: Vec<MarkovChart>,
    /// Number of placements to draw instead of going through the whole table.
    #[serde(default)]
    pub sample: Option<u64>,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
    /// Whether each endgame that may follow has states of its own, so that play goes on past conversions. The metric has
    /// to be dtm or dtr.
    #[serde(default)]
    pub blocks: bool,
    /// The model of how players choose.
    #[serde(default)]
    pub model: ModelRequest,
}

/// The numbers of moves within which a win counts, if a request names none: that of the rule that players know.
pub(crate) fn fifty_moves() -> Vec<u32> {
    vec![50]
}

impl MarkovRequest {
    /// Makes a request for an endgame and competences, with defaults for the rest.
    #[must_use]
    pub fn new(material: Endgame, competences: CompetenceList) -> MarkovRequest {
        MarkovRequest {
            material: Text(material),
            competence: CompetencesRequest::Text(Text(competences)),
            side: Side::White,
            opponent: None,
            within: fifty_moves(),
            gone: 0,
            after: Vec::new(),
            passage: None,
            from_depth: None,
            matrices: false,
            charts: Vec::new(),
            sample: None,
            seed: 0,
            blocks: false,
            model: ModelRequest::default(),
        }
    }
}

/// One competence or several competences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "invalid competences: expected a number, a list of numbers, or a text as in 20,21 or 15:5:40"
)]
pub enum CompetencesRequest {
    /// Numbers and ranges, as in "20,21" or "15:5:40".
    Text(Text<CompetenceList>),
    /// A single competence.
    One(Numeric<Competence>),
    /// A list of competences.
    List(Vec<Numeric<Competence>>),
}

impl CompetencesRequest {
    /// The competences of the request, rising, each once.
    fn competences(&self) -> Vec<Competence> {
        let mut found = match self {
            CompetencesRequest::Text(Text(CompetenceList(list))) => list.clone(),
            CompetencesRequest::One(competence) => vec![competence.0],
            CompetencesRequest::List(list) => list.iter().map(|competence| competence.0).collect(),
        };
        found.sort_by(|one, two| one.value().total_cmp(&two.value()));
        found.dedup();
        found
    }
}

/// The charts of a Markov model; all but the heat map have a line for each competence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkovChart {
    /// Expected length by depth (Andrist and Haworth 2005, Figure 3).
    Lengths,
    /// Chance to win within the first number of moves asked about, by depth (Figure 4).
    Within,
    /// Chance to win in at most m moves (Figure 1).
    AtMost,
    /// Chance to win in exactly m moves (Figure 2).
    Exactly,
    /// The transition matrix of the first competence.
    HeatMap,
}

/// The values that players hold unless a request says otherwise.
const HOLD: Hold = Hold::Wins;

/// The greatest number of moves that a client may ask a chain to look ahead: each is a product of matrices.
pub(crate) const MAX_MOVES_FOR_CLIENTS: u64 = 10_000;

impl Operation for MarkovRequest {
    const NAME: &'static str = "markov";
    const ABOUT: &'static str =
        "Model an endgame as a Markov chain: how long R_c takes to win it, and how likely in time";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = MarkovResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<MarkovResponse, LabError> {
        for &moves in self.within.iter().chain(&self.after).chain(&self.passage) {
            lab.bound("moves to look ahead", moves.into(), MAX_MOVES_FOR_CLIENTS)?;
        }
        bound_sample(lab, self.sample)?;
        if let Some(moves) = self.within.iter().find(|&&moves| moves < self.gone) {
            let gone = self.gone;
            return Err(LabError::Request(format!("invalid number of moves gone {gone}: expected at most {moves}")));
        }
        let (tables, metric) = self.model.tables(lab)?;
        if self.blocks {
            return self.by_blocks(&tables, metric, progress);
        }
        MarkovModel::check(metric, &self.model.model(HOLD), &self.competence.competences())?;
        let needed = tables_after(self.material.material, &[metric]);
        let (own, other) = tables.with_tables(&needed, progress, || self.survey(&tables, metric, progress))?;
        let contests = contests(&own, other.as_ref(), progress)?;
        let mut response = MarkovResponse {
            material: self.material.to_string(),
            side: self.side,
            model: self.model.summary(metric, HOLD),
            opponent: self.opponent,
            results: self.solve(&own, &contests, progress)?,
            matrices: if self.matrices { matrices(&own, progress)? } else { Vec::new() },
            charts: BTreeMap::new(),
            notes: self.unmet(&own).into_iter().collect(),
        };
        for &chart in &self.charts {
            let svg = match chart {
                MarkovChart::HeatMap => heat_map(&response, &own)?.svg(),
                _ => line_chart(chart, &response, &contests, self.from_depth, progress)?.svg(),
            };
            response.charts.insert(chart, svg);
        }
        Ok(response)
    }
}

impl MarkovRequest {
    fn extent(&self) -> Extent {
        extent(self.sample, self.seed)
    }

    /// The modelled side as the table names it: the side typed first is White, which may be Black in the table.
    fn color(&self) -> Color {
        if self.material.swapped { Color::from(self.side).other() } else { self.side.into() }
    }

    /// Makes the models of the chosen side, and of the other side if it errs too.
    fn survey(
        &self,
        tables: &TableSource,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<(MarkovModel, Option<MarkovModel>), EndgameError> {
        let model = self.model.model(HOLD);
        let survey = |side: Color, competences: &[Competence]| {
            let scope = MarkovScope { material: self.material.material, metric, side, extent: self.extent() };
            MarkovModel::of_tables(tables, scope, &model, competences, progress)
        };
        let color = self.color();
        let own = survey(color, &self.competence.competences())?;
        let other = self.opponent.map(|c| survey(color.other(), &[c.0])).transpose()?;
        Ok((own, other))
    }

    fn solve(
        &self,
        own: &MarkovModel,
        contests: &[Contest],
        progress: &dyn Progress,
    ) -> Result<Vec<MarkovOutlook>, LabError> {
        let question = ContestQuestion {
            within: self.within.iter().map(|&moves| moves - self.gone).collect(),
            after: self.after.clone(),
            passage: self.passage,
            from_depth: self.from_depth,
        };
        let mut results = Vec::with_capacity(contests.len());
        for (contest, &competence) in contests.iter().zip(own.competences()) {
            progress.report(&Status::new("solving", "chains").at(results.len() as u64, contests.len() as u64));
            let outlook = ContestOutlook::new(contest, &question, progress)?;
            results.push(self.outlook(competence, outlook));
        }
        Ok(results)
    }

    fn outlook(&self, competence: Competence, outlook: ContestOutlook) -> MarkovOutlook {
        let from_depth = outlook.from_depth;
        let after = outlook.after.into_iter().map(|after| AfterContest {
            from_depth,
            expected_depth: after.expected_depth,
            states: after.states,
        });
        MarkovOutlook {
            competence: Numeric(competence),
            lengths: Lengths(outlook.lengths),
            sd: Lengths(outlook.sds),
            win_within: self.within.iter().copied().zip(outlook.win_within).collect(),
            condition: outlook.condition,
            draw: outlook.draw.map(|draw| FromDraw {
                length: draw.length,
                won: draw.won,
                lost: draw.lost,
                drawn: draw.drawn,
            }),
            lost_lengths: Lengths(outlook.lost_lengths),
            blocks: Vec::new(),
            after: self.after.iter().copied().zip(after).collect(),
            passage: outlook.passage.map(|passage| PassageChances {
                from_depth,
                exactly: passage.exactly,
                at_most: passage.at_most,
            }),
        }
    }

    /// A note about states that a sample did not meet, if there are any.
    fn unmet(&self, own: &MarkovModel) -> Option<String> {
        let unmet = (1..=own.states().draw()).filter(|&state| own.weight(state) == 0.0).count();
        let states = match unmet {
            0 => return None,
            1 => "1 state, which is".to_owned(),
            _ => format!("{unmet} states, which are"),
        };
        let is_sample = matches!(self.extent(), Extent::Sample { .. });
        is_sample.then(|| format!("the sample has no position of {states} assumed to be played without error"))
    }
}

fn contests(own: &MarkovModel, other: Option<&MarkovModel>, progress: &dyn Progress) -> Result<Vec<Contest>, LabError> {
    let contest = |lane: usize| {
        progress.proceed()?;
        match other {
            None => own.against_infallible(lane),
            Some(other) => own.against(lane, other, 0),
        }
    };
    Ok((0..own.competences().len()).map(contest).collect::<Result<_, EndgameError>>()?)
}

fn matrices(model: &MarkovModel, progress: &dyn Progress) -> Result<Vec<TransitionMatrix>, LabError> {
    let mut matrices = Vec::new();
    for (lane, &competence) in model.competences().iter().enumerate() {
        progress.proceed()?;
        let matrix = model.matrix(lane)?;
        let entries = matrix.rows().enumerate().flat_map(|(from, row)| {
            row.iter().enumerate().filter(|(_, probability)| **probability > 0.0).map(move |(to, &probability)| {
                Transition { from: label(model, from), to: label(model, to), probability }
            })
        });
        matrices.push(TransitionMatrix { competence: Numeric(competence), transitions: entries.collect() });
    }
    Ok(matrices)
}

/// The name of a state of the matrix.
fn label(model: &MarkovModel, state: usize) -> String {
    match model.states().state(state) {
        Some(State::Win(depth)) => format!("win {depth}"),
        Some(State::Draw) => "draw".to_owned(),
        Some(State::Loss(depth)) => format!("loss {depth}"),
        None => "dead draw".to_owned(),
    }
}
