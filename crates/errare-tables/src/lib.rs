//! Endgame tables.
#![allow(missing_docs, dead_code)]
mod address;
mod attacks;
mod build;
mod census;
mod error;
mod kernel;
mod kings;
mod layout;
mod legality;
mod library;
mod material;
mod metric;
mod packed;
mod retrograde;
mod rule;
mod seeds;
mod solve;
mod store;
mod symmetry;
pub mod usage;
mod value;
mod view;
mod words;

pub use address::Address;
pub use build::{BuildReport, Builder, Observer, Silent};
pub use census::{Counting, CountingError};
pub use error::{Fault, TableError};
pub use kings::Kings;
pub use layout::Layout;
pub use library::{Library, Listed};
pub use material::{MAX_MEN, Man, Material, MaterialError};
pub use metric::{Metric, MetricError};
pub use store::{Counts, Header, Table};
pub use value::{Outcome, Plies, Value, WinnerMoves};
