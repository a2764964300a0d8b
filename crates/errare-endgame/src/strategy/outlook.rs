//! The moves of a position with their depths, whatever the clock is.

use crate::error::EndgameError;
use errare_tables::{Metric, Outcome, Source, Successor, Value, successors};
use shakmaty::{Chess, Move, Position};
use std::cell::OnceCell;

/// A position and its moves, with their depths in every metric, each looked up once.
pub struct Outlook<'a> {
    source: &'a dyn Source,
    position: Chess,
    moves: Vec<Move>,
    value: Outcome,
    depths: ByMetric<Value>,
    successors: ByMetric<Vec<Successor>>,
}

impl<'a> Outlook<'a> {
    /// Looks up the value of a position. Depths are looked up when they are needed.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn new(source: &'a dyn Source, position: &Chess) -> Result<Outlook<'a>, EndgameError> {
        let value = source.value(position, Metric::Dtz)?;
        let depths = ByMetric::default();
        depths.get(Metric::Dtz, || Ok(value))?;
        Ok(Outlook {
            source,
            position: position.clone(),
            moves: position.legal_moves().to_vec(),
            value: value.outcome,
            depths,
            successors: ByMetric::default(),
        })
    }

    /// The position that is looked at.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// All legal moves, in the order of places.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The theoretical value for the side to move, whatever the rule.
    pub fn value(&self) -> Outcome {
        self.value
    }

    /// The depth of the position in a metric, in plies.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn depth(&self, metric: Metric) -> Result<Value, EndgameError> {
        self.depths.get(metric, || Ok(self.source.value(&self.position, metric)?)).copied()
    }

    /// The values of the moves in a metric, in the order of places.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn successors(&self, metric: Metric) -> Result<&[Successor], EndgameError> {
        let found = self.successors.get(metric, || Ok(successors(self.source, &self.position, metric)?))?;
        Ok(found)
    }

    /// The places of the moves that keep the theoretical value.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn keeping(&self) -> Result<Vec<usize>, EndgameError> {
        let after = self.successors(Metric::Dtz)?;
        Ok((0..after.len()).filter(|&place| after[place].value.outcome == self.value).collect())
    }
}

/// A value for each metric, computed when it is first needed.
struct ByMetric<T> {
    plain: [OnceCell<T>; 4],
    /// Values for DTZ under a rule; a strategy that names several rules has one cell for each.
    ruled: OnceCell<(Metric, OnceCell<T>, Box<ByMetric<T>>)>,
}

impl<T> Default for ByMetric<T> {
    fn default() -> ByMetric<T> {
        ByMetric { plain: Default::default(), ruled: OnceCell::new() }
    }
}

impl<T> ByMetric<T> {
    fn cell(&self, metric: Metric) -> &OnceCell<T> {
        match metric {
            Metric::Dtz => &self.plain[0],
            Metric::Dtc => &self.plain[1],
            Metric::Dtm => &self.plain[2],
            Metric::Dtr => &self.plain[3],
            Metric::DtzRule(_) => {
                let (first, cell, others) = self.ruled.get_or_init(|| (metric, OnceCell::new(), Box::default()));
                if *first == metric { cell } else { others.cell(metric) }
            }
        }
    }

    fn get(&self, metric: Metric, find: impl FnOnce() -> Result<T, EndgameError>) -> Result<&T, EndgameError> {
        let cell = self.cell(metric);
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let found = find()?;
        Ok(cell.get_or_init(|| found))
    }
}
