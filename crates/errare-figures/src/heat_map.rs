//! A matrix as a picture: each entry is a cell, the greater the darker.

use crate::frame::{Frame, GAP, MARGIN, Title, label_room, small};
use crate::lettering::{SMALL, TITLE, fit, widest, width};
use crate::palette::{Colour, FRAME, UNKNOWN, shade};
use crate::scale::{Scale, Tick, extent};
use crate::svg::{Element, line, picture, rectangle, ruled, text};
use std::borrow::Cow;

/// The greatest width of all cells together.
const MAX_WIDTH: f64 = 600.0;
/// The greatest height of all cells together.
const MAX_HEIGHT: f64 = 450.0;
/// The greatest width of a label of rows or columns; longer labels are cut.
const MAX_NAME: f64 = 110.0;
/// The width of the colour bar.
const BAR: f64 = 16.0;
/// The distance of the colour bar from the cells.
const BAR_GAP: f64 = 24.0;
/// The number of shades in the colour bar.
const BAR_STEPS: u32 = 100;

/// A matrix, of about 150 rows and columns at most.
///
/// Zeros are blank on a logarithmic scale. A cell that has no place on the scale, or no number at all, is grey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// The title above the heat map; may be empty.
    pub title: String,
    /// The label below the columns; may be empty.
    pub x_label: String,
    /// The label beside the rows; may be empty.
    pub y_label: String,
    /// The labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// The rows, from the top down.
    pub rows: Vec<Row>,
    /// Whether colours follow the logarithm of the numbers.
    pub log: bool,
}

/// A row of a heat map. Cells beyond the last column are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The label beside the row.
    pub label: String,
    /// The numbers of the row, from left to right.
    pub cells: Vec<f64>,
}

impl Row {
    /// The numbers of the row under so many columns, not a number where the row is too short.
    fn under(&self, columns: usize) -> impl Iterator<Item = f64> {
        self.cells.iter().copied().chain(std::iter::repeat(f64::NAN)).take(columns)
    }
}

impl HeatMap {
    /// The heat map as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let layout = Layout::of(self);
        let mut svg = picture(layout.width, layout.height, &self.title, &layout.description());
        layout.cells(&mut svg);
        layout.axes(&mut svg);
        layout.bar(&mut svg);
        svg.to_string()
    }
}

/// Positions and sizes of the parts of a heat map.
struct Layout<'a> {
    map: &'a HeatMap,
    /// The labels of rows and columns, cut where they are too long.
    rows: Vec<Cow<'a, str>>,
    columns: Vec<Cow<'a, str>>,
    scale: Scale,
    bar_ticks: Vec<Tick>,
    width: f64,
    height: f64,
    /// The edges of all cells together.
    frame: Frame,
}

impl<'a> Layout<'a> {
    fn of(map: &'a HeatMap) -> Layout<'a> {
        let cells = map.rows.iter().flat_map(|row| row.under(map.columns.len()));
        let scale = Scale::tight(cells, map.log);
        let rows: Vec<_> = map.rows.iter().map(|row| fit(&row.label, SMALL, MAX_NAME)).collect();
        let columns: Vec<_> = map.columns.iter().map(|label| fit(label, SMALL, MAX_NAME)).collect();
        let (cells_across, cells_down) = (columns.len().max(1) as f64, rows.len().max(1) as f64);
        // Square cells, except in matrices so long that they would become lines.
        let side = (MAX_WIDTH / cells_across).min(MAX_HEIGHT / cells_down);
        let cell = |count: f64| (side * count).max(120.0) / count;
        // Whole pixels, where a cell has enough of them, make all cells alike.
        let whole = |cell: f64| if cell >= 2.0 { cell.floor() } else { cell };
        let (across, down) = (whole(cell(cells_across)) * cells_across, whole(cell(cells_down)) * cells_down);

        let bar_ticks = scale.ticks((down / 40.0).max(5.0) as usize);
        let column_overhang = GAP + widest(&columns) / 2.0;
        let left = (MARGIN + label_room(&map.y_label) + widest(&rows) + GAP).max(column_overhang);
        let top = MARGIN + if map.title.is_empty() { 0.0 } else { TITLE + GAP * 1.5 };
        let bar = BAR_GAP + BAR + GAP + widest(bar_ticks.iter().map(|tick| &tick.label)) + MARGIN;
        let frame = Frame { left, right: left + across, top, bottom: top + down };
        let title = left + width(&map.title, TITLE).min(MAX_WIDTH) + MARGIN;
        let width = (frame.right + bar.max(column_overhang)).max(title).ceil();
        let height = (frame.bottom + GAP + SMALL + label_room(&map.x_label) + MARGIN).ceil();
        Layout { map, rows, columns, scale, bar_ticks, width, height, frame }
    }

    /// Describes the heat map, for people who cannot see it.
    fn description(&self) -> String {
        let (rows, columns, values) = (self.rows.len(), self.columns.len(), extent(&self.bar_ticks));
        let HeatMap { x_label, y_label, log, .. } = self.map;
        let scale = if *log { ", logarithmic" } else { "" };
        format!(
            "Heat map. {rows} rows: {y_label}. {columns} columns: {x_label}. Values: {values}{scale}, darker if greater."
        )
    }

    /// The colour of a cell; none for a blank one.
    fn colour(&self, value: f64) -> Option<Colour> {
        match self.scale.place(value) {
            Some(share) => Some(shade(share)),
            None if value == 0.0 => None,
            None => Some(UNKNOWN),
        }
    }

    fn cells(&self, svg: &mut Element) {
        let (across, down) = (self.columns.len() as f64, self.rows.len() as f64);
        let mut cells: Vec<Element> = Vec::new();
        for (index, row) in self.map.rows.iter().enumerate() {
            let top = self.frame.up(1.0 - index as f64 / down);
            let bottom = self.frame.up(1.0 - (index + 1) as f64 / down);
            let colours: Vec<Option<Colour>> = row.under(self.columns.len()).map(|value| self.colour(value)).collect();
            let mut column = 0;
            // Neighbours of one colour are one rectangle, which keeps the file small.
            for run in colours.chunk_by(PartialEq::eq) {
                let left = self.frame.across(column as f64 / across);
                column += run.len();
                let right = self.frame.across(column as f64 / across);
                cells.extend(run[0].map(|colour| rectangle((left, top), (right, bottom)).with("fill", colour)));
            }
        }
        svg.push_group(Element::new("g").with("shape-rendering", "crispEdges"), cells);
    }

    fn axes(&self, svg: &mut Element) {
        let Frame { left, right, top, bottom } = self.frame;
        svg.push_group(ruled(FRAME), [rectangle((left, top), (right, bottom))]);

        let widths: Vec<f64> = self.columns.iter().map(|label| width(label, SMALL)).collect();
        let shown = sparse(&self.columns, self.frame.width(), &widths).into_iter();
        self.frame.x_ticks(svg, &shown.map(|(index, place)| (left + place, &*self.columns[index])).collect::<Vec<_>>());
        let shown = sparse(&self.rows, self.frame.height(), &vec![SMALL; self.rows.len()]).into_iter();
        self.frame.y_ticks(svg, &shown.map(|(index, place)| (top + place, &*self.rows[index])).collect::<Vec<_>>());
        let title = Title::new(&self.map.title, self.frame.left, self.width, 1);
        self.frame.label(svg, &title, self.height, &self.map.x_label, &self.map.y_label);
    }

    fn bar(&self, svg: &mut Element) {
        let left = self.frame.right + BAR_GAP;
        let right = left + BAR;
        let step = |step: u32| f64::from(step) / f64::from(BAR_STEPS);
        let shades = (0..BAR_STEPS).map(|index| {
            let (top, bottom) = (self.frame.up(step(index + 1)), self.frame.up(step(index)));
            rectangle((left, top), (right, bottom)).with("fill", shade(step(index) + step(1) / 2.0))
        });
        svg.push_group(Element::new("g").with("shape-rendering", "crispEdges"), shades);
        let edge = rectangle((left, self.frame.top), (right, self.frame.bottom));
        let ticks: Vec<(f64, &Tick)> = self.bar_ticks.iter().map(|tick| (self.frame.up(tick.share), tick)).collect();
        let lines = ticks.iter().map(|&(y, _)| line((right, y), (right + 4.0, y)));
        svg.push_group(ruled(FRAME), lines.chain([edge]));
        svg.push_group(small("start"), ticks.iter().map(|&(y, tick)| text(&tick.label, (right + GAP, y))));
    }
}

/// The labels that are shown, by index, with their places along an axis of this length.
///
/// These are words at the ends, such as a draw after depths, then words and round numbers, then the last and the first
/// label, and never two that meet.
fn sparse(labels: &[Cow<'_, str>], length: f64, extents: &[f64]) -> Vec<(usize, f64)> {
    let cell = length / labels.len() as f64;
    let needed = extents.iter().copied().fold(0.0, f64::max) + GAP;
    let strides = [1, 2, 5, 10, 20, 50, 100];
    let stride = strides.into_iter().find(|&stride| stride as f64 * cell >= needed).unwrap_or(labels.len().max(1));
    let is_word = |index: &usize| number(&labels[*index]).is_none();
    let is_round = |index: &usize| number(&labels[*index]).is_none_or(|number| number.is_multiple_of(stride));
    let ends = [labels.len().saturating_sub(1), 0];
    let ends = || ends.into_iter().filter(|&end| end < labels.len());
    let mut shown: Vec<(usize, f64)> = Vec::new();
    for index in ends().filter(is_word).chain((0..labels.len()).filter(is_round)).chain(ends()) {
        let place = (index as f64 + 0.5) * cell;
        let clear = |&(other, there): &(usize, f64)| {
            (place - there).abs() >= (extents[index] + extents[other]) / 2.0 + GAP / 2.0
        };
        if shown.iter().all(clear) {
            shown.push((index, place));
        }
    }
    shown.sort_by_key(|(index, _)| *index);
    shown
}

/// The number that a label such as `20` or `win 20` ends with.
fn number(label: &str) -> Option<usize> {
    label.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(labels: impl Iterator<Item = String>, length: f64) -> Vec<String> {
        let labels: Vec<Cow<'_, str>> = labels.map(Cow::Owned).collect();
        let extents: Vec<f64> = labels.iter().map(|label| width(label, SMALL)).collect();
        sparse(&labels, length, &extents).into_iter().map(|(index, _)| labels[index].to_string()).collect()
    }

    #[test]
    fn labels_are_round_numbers_and_words_at_the_ends() {
        let numbers = || (1..=37).map(|number| number.to_string());
        assert_eq!(shown(numbers(), 400.0), ["1", "5", "10", "15", "20", "25", "30", "35", "37"]);
        let ends = numbers().chain(["draw".to_owned()]);
        assert_eq!(shown(ends.clone(), 400.0), ["1", "5", "10", "15", "20", "25", "30", "35", "draw"]);
        assert_eq!(
            shown(ends.skip(2).take(34).chain(["draw".to_owned()]), 340.0),
            ["3", "5", "10", "15", "20", "25", "30", "draw"]
        );
        let states =
            (1..=31).map(|depth| format!("win {depth}")).chain(["draw", "loss 2", "loss 1"].map(str::to_owned));
        assert_eq!(
            shown(states, 400.0),
            ["win 1", "win 5", "win 10", "win 15", "win 20", "win 25", "win 30", "loss 1"]
        );
        assert_eq!(shown(["win", "draw", "loss"].map(str::to_owned).into_iter(), 300.0), ["win", "draw", "loss"]);
        assert!(shown(std::iter::empty(), 300.0).is_empty());
    }
}
