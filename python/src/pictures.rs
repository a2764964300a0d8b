//! Boards and charts as SVG.

use errare_figures::{Arrow, ArrowStyle, Axis, Board, HeatMap, LineChart, Mark, Row, Series, Style};
use pyo3::prelude::*;

/// Draws the board of a FEN, with arrows for moves: each is a move in UCI notation, and whether it is pointed out faintly.
#[pyfunction]
#[pyo3(signature = (fen, arrows, black_below=false, title="", /))]
pub fn board_svg(fen: &str, arrows: Vec<(String, bool)>, black_below: bool, title: &str) -> String {
    let arrow = |(uci, faint): &(String, bool)| {
        let place = |start: usize| {
            let [file, rank] = uci.as_bytes().get(start..start + 2)?.try_into().ok()?;
            Some((u8::checked_sub(file, b'a')?, u8::checked_sub(rank, b'1')?))
        };
        let style = if *faint { ArrowStyle::Faint } else { ArrowStyle::Strong };
        Some(Arrow { from: place(0)?, to: place(2)?, style })
    };
    let placement = fen.split_whitespace().next().unwrap_or_default().to_owned();
    Board { title: title.to_owned(), placement, black_below, arrows: arrows.iter().filter_map(arrow).collect() }.svg()
}

/// A series as Python gives it: the name, the points, and whether they are dots rather than a line.
type GivenSeries = (String, Vec<(f64, f64)>, bool);

/// Draws a line chart. Each axis is a label and whether it is logarithmic; each mark a place on the x axis and its label.
#[pyfunction]
#[pyo3(signature = (title, x, y, series, marks, /))]
pub fn line_chart_svg(
    title: String,
    x: (String, bool),
    y: (String, bool),
    series: Vec<GivenSeries>,
    marks: Vec<(f64, String)>,
) -> String {
    let axis = |(label, log): (String, bool)| Axis { label, log };
    let one = |(name, points, dots): GivenSeries| {
        let style = if dots { Style::Dots } else { Style::Line };
        Series { name, style, points, whiskers: Vec::new() }
    };
    let marks = marks.into_iter().map(|(x, label)| Mark { x, label }).collect();
    LineChart { title, x: axis(x), y: axis(y), series: series.into_iter().map(one).collect(), marks }.svg()
}

/// Draws a heat map: labels of both axes and of columns, and rows of a label and its cells.
#[pyfunction]
#[pyo3(signature = (title, x_label, y_label, columns, rows, log=false, /))]
pub fn heat_map_svg(
    title: String,
    x_label: String,
    y_label: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<f64>)>,
    log: bool,
) -> String {
    let rows = rows.into_iter().map(|(label, cells)| Row { label, cells }).collect();
    HeatMap { title, x_label, y_label, columns, rows, log }.svg()
}
