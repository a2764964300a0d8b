//! The values of many positions at once, without their moves.

use crate::default_metric::TABLE_METRIC;
use crate::depth::Depth;
use crate::error::LabError;
use crate::lab::Lab;
use errare_tables::{ManyError, Metric, Reading, SourceSpec, readings};
use errare_work::Progress;

/// The values of many positions, in the order in which they were given.
#[derive(Clone, Debug)]
pub struct ProbedPositions {
    /// The metric of all depths.
    pub metric: Metric,
    /// The values of the positions, in the order of the FENs.
    pub readings: Vec<Reading>,
}

impl ProbedPositions {
    /// The value of each position for its side to move.
    pub fn depths(&self) -> impl Iterator<Item = Depth> {
        self.readings.iter().map(|reading| Depth::of(&reading.value, self.metric))
    }

    /// Whether the depth of some position may be one ply more than its value says.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        self.readings.iter().any(|reading| reading.is_rounded)
    }
}

impl Lab {
    /// Looks up the values of many positions, given as FENs, on the lab's threads. Missing tables are built first.
    ///
    /// This is a [`ProbeRequest`](crate::ProbeRequest) for each position without the values of its moves: a million of them
    /// take about a second.
    ///
    /// # Errors
    /// If a FEN is invalid (the first such is named by its place, from 0), a table is missing, damaged or too large to be
    /// built on demand, the source does not have the metric, or the work is cancelled.
    pub fn probe_many(
        &self,
        fens: &[&str],
        metric: Option<Metric>,
        source: Option<&SourceSpec>,
        progress: &dyn Progress,
    ) -> Result<ProbedPositions, LabError> {
        let tables = self.source(source)?;
        let metric = tables.metric(metric, TABLE_METRIC);
        let found = self.install(progress, || {
            readings(&tables, fens, metric, progress).map_err(|error| match error {
                ManyError::Table(error) => error.into(),
                error => LabError::request(error),
            })
        })?;
        Ok(ProbedPositions { metric, readings: found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LabConfig;
    use crate::error::ErrorKind;
    use crate::probe::ProbeRequest;
    use errare_work::{Cancel, Silent};

    #[test]
    fn many_positions_have_the_values_of_single_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
        // A win, a loss, bare kings, stalemate, and a pawn that may be captured en passant.
        let fens = [
            "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
            "8/8/8/8/8/2k5/1R6/K7 b - - 0 1",
            "8/8/8/8/8/2k5/8/K7 w - - 0 1",
            "8/8/8/8/8/1q6/8/K1k5 w - - 0 1",
            "8/8/8/8/k2Pp2K/8/8/8 b - d3 0 1",
        ];
        let many = lab.probe_many(&fens, None, None, &Silent).expect("values");
        let single = fens.map(|fen| lab.run(&ProbeRequest::new(fen), &Silent).expect("a value").depth);
        assert_eq!(many.depths().collect::<Vec<_>>(), single);
        assert!(!many.is_rounded());
        let wrong = lab.probe_many(&[fens[0], "x", "y"], None, None, &Silent).expect_err("not a FEN");
        assert_eq!((wrong.kind(), &wrong.to_string()[..28]), (ErrorKind::Request, "position 1: invalid FEN `x`:"));
        let cancel = Cancel::new();
        cancel.cancel();
        let stopped = lab.probe_many(&fens, None, None, &cancel).expect_err("cancelled");
        assert_eq!(stopped.kind(), ErrorKind::Stopped);
    }
}
