//! Pictures as SVG: curves and heat maps.
//!
//! | module | knows |
//! | --- | --- |
//! | `scale` | numbers to places on an axis, round ticks and their labels |
//! | `palette` | colours and dashes of lines, colours of cells |
//! | `lettering` | how wide text is, where no font can be asked |
//! | `canvas` | the SVG itself; the one place that draws with plotters |
//!
//! The same picture always comes out as the same bytes.

mod canvas;
mod lettering;
mod palette;
mod scale;

use std::io;
use std::path::PathBuf;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The cells are not as many as the labels say.
    #[error("{rows} rows by {columns} columns do not fit the cells of the heat map \"{title}\"")]
    Shape { title: String, rows: usize, columns: usize },
    /// The drawing library gave up.
    #[error("cannot draw the picture: {0}")]
    Drawing(String),
    /// The file system refused.
    #[error("cannot write the picture {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}
