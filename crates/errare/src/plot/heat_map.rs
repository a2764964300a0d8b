//! A matrix as a picture: each entry a cell, the greater the darker.

use super::PlotError;
use super::canvas::{Anchor, Canvas, GAP, Letters, MARGIN, Stroke};
use super::lettering::{LABEL, SMALL, TITLE, fit, width};
use super::palette::{Colour, FRAME, INK, UNKNOWN, shade};
use super::scale::Scale;

/// The cells together take at most this much.
const WIDEST: f64 = 600.0;
const HIGHEST: f64 = 450.0;
/// So much of a long label is shown.
const NAME: f64 = 110.0;
/// The colour bar.
const BAR: f64 = 16.0;
const BAR_GAP: f64 = 24.0;

/// A matrix, of about 150 rows and columns at most; the first row is on top.
///
/// On a logarithmic scale zeros stay blank. A cell without a number, or below zero there, is grey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<f64>>,
    pub log: bool,
}

impl HeatMap {
    pub fn svg(&self) -> Result<String, PlotError> {
        if self.cells.len() != self.rows.len() || self.cells.iter().any(|row| row.len() != self.columns.len()) {
            let (rows, columns) = (self.rows.len(), self.columns.len());
            return Err(PlotError::Shape { title: self.title.clone(), rows, columns });
        }
        let sheet = Sheet::of(self);
        let mut canvas = Canvas::new(sheet.width, sheet.height, &self.title).crisp();
        sheet.cells(&mut canvas);
        sheet.axes(&mut canvas);
        sheet.bar(&mut canvas);
        canvas.svg()
    }
}

/// Where everything goes.
struct Sheet<'a> {
    map: &'a HeatMap,
    scale: Scale,
    width: f64,
    height: f64,
    left: f64,
    top: f64,
    /// Of all cells together.
    across: f64,
    down: f64,
}

impl<'a> Sheet<'a> {
    fn of(map: &'a HeatMap) -> Sheet<'a> {
        let scale = Scale::tight(map.cells.iter().flatten().copied(), map.log);
        let (columns, rows) = (map.columns.len().max(1) as f64, map.rows.len().max(1) as f64);
        // Square cells, but for matrices so long that they would become lines.
        let side = (WIDEST / columns).min(HIGHEST / rows);
        let cell = |count: f64| (side * count).max(120.0) / count;
        // Whole pixels, where that leaves enough of them, make all cells alike.
        let whole = |cell: f64| if cell >= 2.0 { cell.floor() } else { cell };
        let (across, down) = (whole(cell(columns)) * columns, whole(cell(rows)) * rows);

        // The label of the first column may reach further to the left than its cell.
        let left = (MARGIN + side_label(&map.y_label) + widest(&map.rows) + GAP).max(GAP + widest(&map.columns) / 2.0);
        let top = MARGIN + if map.title.is_empty() { 0.0 } else { TITLE + GAP * 1.5 };
        let ticks = scale.ticks(bar_ticks(down)).iter().map(|tick| width(&tick.label, SMALL)).fold(0.0, f64::max);
        let right = left + across + (BAR_GAP + BAR + GAP + ticks + MARGIN).max(GAP + widest(&map.columns) / 2.0);
        let titled = left + width(&map.title, TITLE).min(WIDEST) + MARGIN;
        let height = top + down + GAP + SMALL + side_label(&map.x_label) + MARGIN;
        Sheet { map, scale, width: right.max(titled).ceil(), height: height.ceil(), left, top, across, down }
    }

    /// The colour of a cell; none where the paper is to be seen.
    fn colour(&self, value: f64) -> Option<Colour> {
        match self.scale.place(value) {
            Some(share) => Some(shade(share)),
            None if value == 0.0 => None,
            None => Some(UNKNOWN),
        }
    }

    fn cells(&self, canvas: &mut Canvas) {
        let edge = |column: usize| self.left + self.across * column as f64 / self.map.columns.len() as f64;
        let height = self.down / self.map.rows.len().max(1) as f64;
        for (index, row) in self.map.cells.iter().enumerate() {
            let top = self.top + height * index as f64;
            let colours: Vec<Option<Colour>> = row.iter().map(|&value| self.colour(value)).collect();
            let mut column = 0;
            for run in colours.chunk_by(PartialEq::eq) {
                let (from, to) = (edge(column), edge(column + run.len()));
                if let Some(colour) = run[0] {
                    canvas.rectangle((from, top), (to, top + height), colour);
                }
                column += run.len();
            }
        }
    }

    fn axes(&self, canvas: &mut Canvas) {
        let (left, top) = (self.left, self.top);
        let (right, bottom) = (left + self.across, top + self.down);
        frame(canvas, (left, top), (right, bottom));
        let line = Stroke::solid(FRAME, 1.0);
        let letters = Letters { size: SMALL, colour: INK, anchor: Anchor::Middle };

        let widths: Vec<f64> = self.map.columns.iter().map(|name| width(name, SMALL).min(NAME)).collect();
        for (index, place) in sparse(&self.map.columns, self.across, &widths) {
            let x = left + place;
            canvas.path([(x, bottom), (x, bottom + 4.0)], line);
            canvas.text(&fit(&self.map.columns[index], SMALL, NAME), (x, bottom + GAP + SMALL / 2.0), letters);
        }
        let heights = vec![SMALL; self.map.rows.len()];
        for (index, place) in sparse(&self.map.rows, self.down, &heights) {
            let y = top + place;
            canvas.path([(left - 4.0, y), (left, y)], line);
            let letters = Letters { anchor: Anchor::End, ..letters };
            canvas.text(&fit(&self.map.rows[index], SMALL, NAME), (left - GAP, y), letters);
        }

        let letters = Letters { size: LABEL, ..letters };
        let at = ((left + right) / 2.0, self.height - MARGIN - LABEL / 2.0);
        canvas.text(&fit(&self.map.x_label, LABEL, self.across), at, letters);
        let at = (MARGIN + LABEL / 2.0, (top + bottom) / 2.0);
        canvas.text(&fit(&self.map.y_label, LABEL, self.down), at, Letters { anchor: Anchor::Upwards, ..letters });
        let letters = Letters { size: TITLE, anchor: Anchor::Start, ..letters };
        let title = fit(&self.map.title, TITLE, self.width - left - MARGIN);
        canvas.text(&title, (left, MARGIN + TITLE / 2.0), letters);
    }

    fn bar(&self, canvas: &mut Canvas) {
        let left = self.left + self.across + BAR_GAP;
        let (top, bottom) = (self.top, self.top + self.down);
        const STEPS: u32 = 100;
        for step in 0..STEPS {
            let height = |step: u32| bottom - self.down * f64::from(step) / f64::from(STEPS);
            let colour = shade((f64::from(step) + 0.5) / f64::from(STEPS));
            canvas.rectangle((left, height(step + 1)), (left + BAR, height(step)), colour);
        }
        frame(canvas, (left, top), (left + BAR, bottom));
        for tick in self.scale.ticks(bar_ticks(self.down)) {
            let y = bottom - tick.share * self.down;
            canvas.path([(left + BAR, y), (left + BAR + 4.0, y)], Stroke::solid(FRAME, 1.0));
            let letters = Letters { size: SMALL, colour: INK, anchor: Anchor::Start };
            canvas.text(&tick.label, (left + BAR + GAP, y), letters);
        }
    }
}

fn side_label(label: &str) -> f64 {
    if label.is_empty() { 0.0 } else { LABEL + GAP }
}

fn widest(labels: &[String]) -> f64 {
    labels.iter().map(|label| width(label, SMALL).min(NAME)).fold(0.0, f64::max)
}

fn bar_ticks(height: f64) -> usize {
    (height / 40.0).max(5.0) as usize
}

fn frame(canvas: &mut Canvas, (left, top): (f64, f64), (right, bottom): (f64, f64)) {
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    canvas.path(corners, Stroke::solid(FRAME, 1.0));
}

/// Which labels are shown, and where: words at the ends, such as a draw among depths, then round
/// numbers, then the last and the first label, and never two that meet.
fn sparse(labels: &[String], length: f64, extents: &[f64]) -> Vec<(usize, f64)> {
    let cell = length / labels.len() as f64;
    let needed = extents.iter().copied().fold(0.0, f64::max) + GAP;
    let strides = [1, 2, 5, 10, 20, 50, 100];
    let stride = strides.into_iter().find(|&stride| stride as f64 * cell >= needed).unwrap_or(labels.len().max(1));
    let round = |label: &String| label.parse::<usize>().is_ok_and(|number| number.is_multiple_of(stride));
    let first = labels.iter().position(round).unwrap_or(0);
    let mut shown: Vec<(usize, f64)> = Vec::new();
    let ends = [labels.len().saturating_sub(1), 0];
    let words = ends.into_iter().filter(|&end| labels.get(end).is_some_and(|label| label.parse::<i64>().is_err()));
    for index in words.chain((first..labels.len()).step_by(stride)).chain(ends) {
        let place = (index as f64 + 0.5) * cell;
        let clear = |&(other, there): &(usize, f64)| {
            (place - there).abs() >= (extents[index] + extents[other]) / 2.0 + GAP / 2.0
        };
        if index < labels.len() && shown.iter().all(clear) {
            shown.push((index, place));
        }
    }
    shown.sort_by_key(|(index, _)| *index);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(labels: impl Iterator<Item = String>, length: f64) -> Vec<String> {
        let labels: Vec<String> = labels.collect();
        let extents: Vec<f64> = labels.iter().map(|label| width(label, SMALL)).collect();
        sparse(&labels, length, &extents).into_iter().map(|(index, _)| labels[index].clone()).collect()
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
        assert_eq!(shown(["win", "draw", "loss"].map(str::to_owned).into_iter(), 300.0), ["win", "draw", "loss"]);
        assert!(shown(std::iter::empty(), 300.0).is_empty());
    }
}
