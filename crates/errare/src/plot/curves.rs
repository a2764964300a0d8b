//! Curves over a common axis, with their names to the right and crossings marked above.

use super::PlotError;
use super::canvas::{Anchor, Canvas, GAP, Letters, MARGIN, Point, Stroke};
use super::lettering::{LABEL, SMALL, TITLE, fit, width};
use super::marks::{Mark, rows};
use super::palette::{FRAME, GRID, INK, line};
use super::scale::{Scale, Tick};

const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 520.0;
/// From one line of small text to the next.
const LINE: f64 = 18.0;
/// What a legend shows of a line.
const SAMPLE: f64 = 36.0;
/// So much of a long name or label is shown.
const NAME: f64 = 190.0;
/// Labels at this many heights have room even under many rows of marks; twelve powers of ten have theirs each.
const Y_TICKS: usize = 13;
/// More rows of marks would leave too little for the curves; these get no label.
const ROWS: usize = 8;

/// Curves that share their axes, about twelve at most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Whether the common axis is logarithmic; what is not positive is then left out.
    pub x_log: bool,
    /// Whether heights are logarithmic; what is not positive is then left out.
    pub y_log: bool,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
}

/// One curve. It is broken where a point has no place; a point without neighbours is a dot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

impl Curves {
    pub fn svg(&self) -> Result<String, PlotError> {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, &self.title);
        let frame = Frame::of(self);
        frame.axes(&mut canvas);
        for (mark, row) in frame.marks.iter().zip(&frame.rows) {
            frame.mark(&mut canvas, mark, *row);
        }
        for (index, series) in self.series.iter().enumerate() {
            frame.curve(&mut canvas, index, series);
        }
        frame.legend(&mut canvas);
        canvas.svg()
    }
}

/// Where everything goes.
struct Frame<'a> {
    curves: &'a Curves,
    x: Scale,
    y: Scale,
    y_ticks: Vec<Tick>,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// From left to right, with the row of each.
    marks: Vec<&'a Mark>,
    rows: Vec<usize>,
}

impl<'a> Frame<'a> {
    fn of(curves: &'a Curves) -> Frame<'a> {
        let points = || curves.series.iter().flat_map(|series| &series.points);
        let y = Scale::round(points().map(|point| point.1), curves.y_log, Y_TICKS);
        // A point that has no height leaves its place on the other axis all the same.
        let x = Scale::tight(points().map(|point| point.0).chain(curves.marks.iter().map(|mark| mark.x)), curves.x_log);
        let mut marks: Vec<&Mark> = curves.marks.iter().filter(|mark| x.place(mark.x).is_some()).collect();
        marks.sort_by(|one, other| one.x.total_cmp(&other.x));

        let y_ticks = y.ticks(Y_TICKS);
        let y_labels = y_ticks.iter().map(|tick| width(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = MARGIN + if curves.y_label.is_empty() { 0.0 } else { LABEL + GAP } + y_labels + GAP + 4.0;
        let legend = curves.series.iter().map(|series| width(&series.name, SMALL).min(NAME)).fold(0.0, f64::max);
        let legend = if legend > 0.0 { GAP * 2.0 + SAMPLE + GAP + legend } else { GAP };
        let right = marks.iter().filter_map(|mark| {
            // The flag must end within the picture; its pole is at a share of what is left of its width.
            let share = x.place(mark.x).filter(|share| *share > 0.0)?;
            Some(left + (WIDTH - MARGIN - flag_width(mark) - left) / share)
        });
        let right = right.fold(WIDTH - MARGIN - legend, f64::min);

        let poles = marks.iter().map(|mark| {
            let pole = left + x.place(mark.x).unwrap_or(0.0) * (right - left);
            (pole, flag_width(mark))
        });
        let rows = rows(&poles.collect::<Vec<_>>());
        let flags = rows.iter().filter(|row| **row < ROWS).map(|row| row + 1).max().unwrap_or(0);
        let title = if curves.title.is_empty() { 0.0 } else { TITLE + GAP + 4.0 };
        let top = MARGIN + title + flags as f64 * LINE;
        let label = if curves.x_label.is_empty() { 0.0 } else { LABEL + GAP };
        let bottom = HEIGHT - MARGIN - label - SMALL - GAP;
        Frame { curves, x, y, y_ticks, left, right, top, bottom, marks, rows }
    }

    fn across(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    fn down(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    /// As many ticks as there is room for their labels.
    fn x_ticks(&self) -> Vec<Tick> {
        let fits = |ticks: &Vec<Tick>| {
            ticks.windows(2).all(|pair| {
                let room = self.across(pair[1].share) - self.across(pair[0].share);
                room > (width(&pair[0].label, SMALL) + width(&pair[1].label, SMALL)) / 2.0 + GAP
            })
        };
        (2..=10).rev().map(|most| self.x.ticks(most)).find(fits).unwrap_or_default()
    }

    fn axes(&self, canvas: &mut Canvas) {
        let x_ticks = self.x_ticks();
        let (grid, line) = (Stroke::solid(GRID, 1.0), Stroke::solid(FRAME, 1.0));
        for tick in &x_ticks {
            let x = self.across(tick.share);
            canvas.path([(x, self.top), (x, self.bottom)], grid);
        }
        for tick in &self.y_ticks {
            let y = self.down(tick.share);
            canvas.path([(self.left, y), (self.right, y)], grid);
        }
        canvas.path([(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)], line);

        let letters = Letters { size: SMALL, colour: INK, anchor: Anchor::Middle };
        for tick in &x_ticks {
            let x = self.across(tick.share);
            canvas.path([(x, self.bottom), (x, self.bottom + 5.0)], line);
            canvas.text(&tick.label, (x, self.bottom + GAP + SMALL / 2.0), letters);
        }
        for tick in &self.y_ticks {
            let y = self.down(tick.share);
            canvas.path([(self.left - 5.0, y), (self.left, y)], line);
            canvas.text(&tick.label, (self.left - GAP, y), Letters { anchor: Anchor::End, ..letters });
        }
        for share in self.y.minor() {
            let y = self.down(share);
            canvas.path([(self.left - 3.0, y), (self.left, y)], line);
        }

        let (across, down) = (self.across(0.5), self.down(0.5));
        let letters = Letters { size: LABEL, ..letters };
        let label = fit(&self.curves.x_label, LABEL, self.right - self.left);
        canvas.text(&label, (across, HEIGHT - MARGIN - LABEL / 2.0), letters);
        let label = fit(&self.curves.y_label, LABEL, self.bottom - self.top);
        canvas.text(&label, (MARGIN + LABEL / 2.0, down), Letters { anchor: Anchor::Upwards, ..letters });
        let title = fit(&self.curves.title, TITLE, WIDTH - self.left - MARGIN);
        let letters = Letters { size: TITLE, anchor: Anchor::Start, ..letters };
        canvas.text(&title, (self.left, MARGIN + TITLE / 2.0), letters);
    }

    fn mark(&self, canvas: &mut Canvas, mark: &Mark, row: usize) {
        let Some(x) = self.x.place(mark.x).map(|share| self.across(share)) else { return };
        let flies = row < ROWS && !mark.label.is_empty();
        let top = if flies { self.top - (row + 1) as f64 * LINE + 3.0 } else { self.top };
        canvas.path([(x, top), (x, self.bottom)], Stroke { dash: Some("40 30"), ..Stroke::solid(FRAME, 1.0) });
        if flies {
            let letters = Letters { size: SMALL, colour: INK, anchor: Anchor::Start };
            canvas.text(&fit(&mark.label, SMALL, NAME), (x + 4.0, top + SMALL / 2.0), letters);
        }
    }

    fn curve(&self, canvas: &mut Canvas, index: usize, series: &Series) {
        let (colour, dash) = line(index);
        let places = series.points.iter().map(|&(x, y)| {
            let (x, y) = (self.x.place(x)?, self.y.place(y)?);
            // As exact as the file is, so that points on one spot are known for what they are.
            Some((tenth(self.across(x)), tenth(self.down(y))))
        });
        let places: Vec<Option<Point>> = places.collect();
        for run in places.split(Option::is_none) {
            let mut run: Vec<Point> = run.iter().copied().flatten().collect();
            run.dedup();
            match run.as_slice() {
                [] => {}
                [alone] => canvas.dot(*alone, 3.0, colour),
                _ => canvas.path(run, Stroke { colour, width: 1.8, dash }),
            }
        }
    }

    fn legend(&self, canvas: &mut Canvas) {
        let named: Vec<(usize, &Series)> =
            self.curves.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()).collect();
        let room = ((self.bottom - self.top) / LINE).floor() as usize;
        let shown = if named.len() > room { room.saturating_sub(1) } else { named.len() };
        let left = self.right + GAP * 2.0;
        let letters = Letters { size: SMALL, colour: INK, anchor: Anchor::Start };
        let height = |row: usize| self.top + row as f64 * LINE + SMALL / 2.0;
        for (row, (index, series)) in named.iter().take(shown).enumerate() {
            let (colour, dash) = line(*index);
            let y = height(row);
            canvas.path([(left, y), (left + SAMPLE, y)], Stroke { colour, width: 1.8, dash });
            canvas.text(&fit(&series.name, SMALL, NAME), (left + SAMPLE + GAP, y), letters);
        }
        if shown < named.len() {
            canvas.text(&format!("and {} more", named.len() - shown), (left + SAMPLE + GAP, height(shown)), letters);
        }
    }
}

fn flag_width(mark: &Mark) -> f64 {
    if mark.label.is_empty() { 0.0 } else { width(&mark.label, SMALL).min(NAME) + 4.0 + GAP }
}

fn tenth(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}
