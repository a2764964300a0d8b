//! Positions that games of a person start from, drawn from an endgame by a seed.

use crate::error::LabError;
use crate::find::search;
use crate::lab::Lab;
use crate::side::Side;
use crate::text::Endgame;
use errare_endgame::turned_by_seed;
use errare_tables::{Criteria, DepthRange, Listing, Metric, TableSource, WantedOutcome};
use errare_work::Progress;
use shakmaty::{Chess, Position};

/// The endgame and the depths of a start unless a request says otherwise.
pub(crate) const MATERIAL: &str = "KQKR";
pub(crate) const DEPTH: &str = "15..";

/// The number of positions drawn to find a start that is not over yet.
const STARTS: usize = 32;

/// The conditions of a start that is drawn: positions with the person to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnStart {
    pub endgame: Endgame,
    pub human: Side,
    pub depth: Option<DepthRange>,
    pub outcome: Option<WantedOutcome>,
    pub seed: u64,
}

impl DrawnStart {
    /// Refuses tables of others, from which nothing can be drawn.
    pub fn check(tables: &TableSource) -> Result<(), LabError> {
        match tables.our_library() {
            Some(_) => Ok(()),
            None => Err(LabError::request("a start can be drawn from our own tables only: give a FEN with a source")),
        }
    }

    /// Draws a position in which the game is not over; each is as likely as any other, and the board is turned by
    /// chance.
    pub fn draw(&self, lab: &Lab, metric: Metric, progress: &dyn Progress) -> Result<Chess, LabError> {
        let DrawnStart { endgame, human, depth, outcome, seed } = *self;
        let criteria = Criteria { turn: Some(human.into()), outcome, depth, ..Criteria::default() };
        let listing = Listing::Sample { count: STARTS, seed };
        let found = search(lab, endgame, metric, &criteria, listing, progress)?;
        let unfinished =
            found.positions.iter().find(|found| found.legal > 0 && !found.position.is_insufficient_material());
        match unfinished {
            Some(found) => Ok(turned_by_seed(&found.position, seed)?),
            None => Err(self.none_like_that(metric)),
        }
    }

    /// Makes the error that there is no position of this kind.
    pub fn none_like_that(&self, metric: Metric) -> LabError {
        let DrawnStart { endgame, human, .. } = self;
        LabError::Request(format!(
            "no game of {endgame} can start like that with {} to move: `errare table find {endgame} --metric {metric}` \
             shows what there is",
            human.title()
        ))
    }
}
