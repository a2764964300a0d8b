//! Charts and chess diagrams as SVG from plain data: line charts, heat maps, boards.
//!
//! ```
//! use errare_figures::{Axis, LineChart, Mark, Series};
//!
//! let chart = LineChart {
//!     title: "Expected depth".to_owned(),
//!     x: Axis::linear("competence"),
//!     y: Axis::log("moves"),
//!     series: vec![Series::line("Ra4", [(0.0, 22.8), (50.0, 21.2)]), Series::dots("Re4", [(0.0, 22.7), (50.0, 21.3)])],
//!     marks: vec![Mark { x: 5.97, label: "c = 5.97".to_owned() }],
//! };
//! assert!(chart.svg().starts_with("<svg "));
//! ```
//!
//! A chart is drawn whatever its data are: a point without a place on its axes (not a finite number, or not positive on
//! a logarithmic axis) is left out. The same chart always gives the same bytes.
//!
//! | module | contents |
//! | --- | --- |
//! | `line_chart`, `heat_map` | the two kinds of chart, and where everything in them goes |
//! | `board` | chess diagrams: what men look like, and arrows for moves |
//! | `frame` | the rectangle that data are drawn in, with title, axis labels and ticks around it |
//! | `marks` | how labels above a frame keep clear of each other |
//! | `scale` | numbers to places on an axis, round ticks and their labels |
//! | `palette` | colours and dashes of lines, colours of cells, and what becomes of colours on a dark page |
//! | `lettering` | estimates of how wide text is |
//! | `svg` | elements, with attributes and text escaped |

mod board;
mod frame;
mod heat_map;
mod lettering;
mod line_chart;
mod marks;
mod palette;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

pub use board::{Arrow, ArrowStyle, Board};
pub use heat_map::{HeatMap, Row};
pub use line_chart::{Axis, LineChart, Series, Style};
pub use marks::Mark;
pub use palette::dark_style;
