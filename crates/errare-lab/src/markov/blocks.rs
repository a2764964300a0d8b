//! Markov models with a block of states for each endgame that may follow.

use super::{HOLD, MarkovBlock, MarkovOutlook, MarkovRequest, MarkovResponse};
use crate::error::LabError;
use crate::numeric::{Lengths, Numeric};
use errare_choice::Competence;
use errare_endgame::{Block, BlockModel, BlockOpponent, BlockOutlook, Blocks, EndgameError};
use errare_tables::{Library, Metric, TableSource, tables_to_mate};
use errare_work::{Progress, Status};
use std::collections::BTreeMap;

impl MarkovRequest {
    /// Answers a request for a model with a block for each endgame.
    pub(super) fn by_blocks(
        &self,
        tables: &TableSource,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<MarkovResponse, LabError> {
        self.check_blocks()?;
        Blocks::check(metric)?;
        let no_tables = || LabError::request("a block for each endgame needs tables built here: leave the source out");
        let library = tables.our_library().ok_or_else(no_tables)?;
        let needed = tables_to_mate(self.material.material, [metric]);
        let results = tables.with_tables(&needed, progress, || self.solve_blocks(library, metric, progress))?;
        Ok(MarkovResponse {
            material: self.material.to_string(),
            side: self.side,
            model: self.model.summary(metric, HOLD),
            opponent: self.opponent,
            results,
            matrices: Vec::new(),
            charts: BTreeMap::new(),
            notes: Vec::new(),
        })
    }

    /// Refuses requests for results that only a model with one block gives.
    fn check_blocks(&self) -> Result<(), LabError> {
        let refused = [
            ("a sample", self.sample.is_some()),
            ("states after some moves", !self.after.is_empty()),
            ("passage times", self.passage.is_some()),
            ("a depth to start from", self.from_depth.is_some()),
            ("matrices", self.matrices),
            ("charts", !self.charts.is_empty()),
        ];
        match refused.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((what, _)) => Err(LabError::Request(format!("a block for each endgame goes without {what}"))),
            None => Ok(()),
        }
    }

    fn solve_blocks(
        &self,
        library: &Library,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<Vec<MarkovOutlook>, EndgameError> {
        let (model, competences) = (self.model.model(HOLD), self.competence.competences());
        let blocks = Blocks::new(library, self.material.material, metric, self.color(), progress)?;
        let own = BlockModel::new(library, blocks, &model, &competences, progress)?;
        let blocks = own.blocks();
        let opponent = match self.opponent {
            Some(c) => BlockOpponent::fallible(library, blocks, &model, c.0, progress)?,
            None => BlockOpponent::infallible(library, blocks, progress)?,
        };
        let within: Vec<u32> = self.within.iter().map(|&moves| moves - self.gone).collect();
        let mut results = Vec::new();
        for (lane, &competence) in competences.iter().enumerate() {
            progress.report(&Status::new("solving", "chains").at(lane as u64, competences.len() as u64));
            let (outlooks, condition) = own.against(lane, &opponent)?.solve(blocks, &within, progress)?;
            results.push(self.block_outlook(competence, blocks.list(), outlooks, condition)?);
        }
        Ok(results)
    }

    fn block_outlook(
        &self,
        competence: Competence,
        blocks: &[Block],
        outlooks: Vec<BlockOutlook>,
        condition: f64,
    ) -> Result<MarkovOutlook, EndgameError> {
        let mut described = blocks.iter().zip(outlooks).map(|(block, outlook)| MarkovBlock {
            material: block.material.oriented(block.swapped != self.material.swapped),
            lengths: Lengths(outlook.lengths),
            sd: Lengths(outlook.sds),
            win_within: self.within.iter().copied().zip(outlook.win_within).collect(),
        });
        let first = described.next().ok_or(EndgameError::Internal("a model without a block"))?;
        Ok(MarkovOutlook {
            competence: Numeric(competence),
            lengths: first.lengths,
            sd: first.sd,
            win_within: first.win_within,
            condition,
            draw: None,
            lost_lengths: Lengths::default(),
            // An endgame that this side cannot win has nothing but the finished win.
            blocks: described.filter(|block| block.lengths.len() > 1).collect(),
            after: BTreeMap::new(),
            passage: None,
        })
    }
}
