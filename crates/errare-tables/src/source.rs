//! Where values come from.

use crate::error::TableError;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::value::Value;
use shakmaty::{Chess, Position};

/// Something that knows the values of positions.
pub trait Source: Sync {
    /// The value of a position in a metric.
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError>;
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
