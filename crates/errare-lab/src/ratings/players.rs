//! Listing and searching the players of some turns.

use super::input::{ScaleRequest, TurnsRequest};
use super::load::TurnsRead;
use super::rate::default_min_turns;
use super::words::LIST_COLUMNS;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_ratings::{Engine, PlayerSummary, Players, PlayersPage, TurnSet};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for a page of the list of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {
    /// The turns whose players are listed.
    pub turns: TurnsRequest,
    /// The scale by which evaluations become losses.
    #[serde(default)]
    pub scale: ScaleRequest,
    /// The text that names of listed players contain, regardless of case.
    #[serde(default)]
    pub search: String,
    /// The number of the page, from 1.
    #[serde(default = "first_page")]
    pub page: usize,
    /// The least number of turns that a rating takes, which the response repeats.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
}

fn first_page() -> usize {
    1
}

impl PlayersRequest {
    /// Makes a request for the first page of all players.
    #[must_use]
    pub fn new(turns: TurnsRequest) -> PlayersRequest {
        let (scale, min_turns) = (ScaleRequest::default(), default_min_turns());
        PlayersRequest { turns, scale, search: String::new(), page: first_page(), min_turns }
    }
}

/// A page of the list of players, those with the most turns first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayersResponse {
    /// A description of the turns: the names of the files, the numbers of turns and games.
    pub data: String,
    /// The engine that made the evaluations.
    pub engine: Engine,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// The least number of turns that a rating takes.
    pub min_turns: usize,
    /// Number of players on all pages.
    pub total: usize,
    /// The number of the page, from 1.
    pub page: usize,
    /// Number of pages, at least one.
    pub pages: usize,
    /// The players on the page.
    pub players: Vec<PlayerSummary>,
    /// Whether there is a calibration to rate players by, where that is known.
    #[serde(default)]
    pub rated: bool,
    /// Notes on the list, a sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl PlayersResponse {
    pub(super) fn new(set: &TurnSet, found: PlayersPage, min_turns: usize) -> PlayersResponse {
        let PlayersPage { players, total, page, pages } = found;
        let (data, engine, read) = (set.data.clone(), set.turns.engine().clone(), TurnsRead::new(set));
        let notes = vec![LIST_COLUMNS.to_owned()];
        PlayersResponse { data, engine, read, min_turns, total, page, pages, players, rated: false, notes }
    }
}

impl Operation for PlayersRequest {
    const NAME: &'static str = "players";
    const ABOUT: &'static str = "List or search the players of some turns";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = PlayersResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<PlayersResponse, LabError> {
        let set = lab.turns(&self.turns, self.scale.scale()?, progress)?;
        let found = Players::new(&set.turns, progress)?.search(self.search.trim(), self.page)?;
        Ok(PlayersResponse::new(&set, found, self.min_turns))
    }
}
