//! Pictures as SVG: curves and heat maps.
//!
//! | module | knows |
//! | --- | --- |
//! | `curves`, `heat_map` | the two kinds of picture, and where everything in them goes |
//! | `marks` | labels above a frame that never meet |
//! | `scale` | numbers to places on an axis, round ticks and their labels |
//! | `palette` | colours and dashes of lines, colours of cells |
//! | `lettering` | how wide text is, where no font can be asked |
//! | `canvas` | the SVG itself; the one place that draws with plotters |
//!
//! The same picture always comes out as the same bytes.

mod canvas;
mod curves;
mod heat_map;
mod lettering;
mod marks;
mod palette;
mod scale;
#[cfg(test)]
mod tests;

pub use curves::{Curves, Series};
pub use heat_map::HeatMap;
pub use marks::Mark;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

/// Writes a picture by way of a temporary name, so that nobody ever reads half of one.
pub fn write(path: &Path, svg: &str) -> Result<(), PlotError> {
    let refused = |source| PlotError::Write { path: path.to_owned(), source };
    let name = path.file_name().ok_or_else(|| refused(io::ErrorKind::InvalidInput.into()))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    // Two runs may write the same picture at the same time.
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(svg.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    written.inspect_err(|_| drop(fs::remove_file(&temporary))).map_err(refused)
}
