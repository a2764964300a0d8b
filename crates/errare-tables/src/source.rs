//! Where values come from.

use crate::error::TableError;
use crate::library::Library;
use crate::material::{MAX_MEN, Material};
use crate::metric::Metric;
use crate::value::Value;
use shakmaty::{Chess, Position};

/// Something that knows the values of positions.
pub trait Source: Sync {
    /// The value of a position in a metric.
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError>;

    /// The value, and whether its depth is exact.
    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        Ok(Reading { value: self.value(position, metric)?, is_rounded: false })
    }

    /// What to ask for where nothing else is asked for.
    fn metric(&self) -> Metric {
        Metric::Dtm
    }

    /// The most men, kings included, that any of its tables may have.
    fn most_men(&self) -> usize {
        MAX_MEN
    }
}

/// A value as a source has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The value.
    pub value: Value,
    /// Whether the depth may be one ply more than the value says.
    pub is_rounded: bool,
}

impl Source for Library {
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        let (material, _) = Material::of_board(position.board());
        if material.men() == 2 {
            return Ok(Value::DRAW);
        }
        let table = self.open(material, metric)?;
        let missing = || TableError::Missing { material, metric, path: self.path(material, metric) };
        table.value(position.board(), position.turn())?.ok_or_else(missing)
    }
}
