//! The rectangle that data are drawn in, with title, axis labels and ticks around it.

use crate::lettering::{LABEL, SMALL, TITLE, fit, width, wrap};
use crate::palette::FRAME;
use crate::svg::{Element, line, ruled, tenth, text};

/// The space around a picture, in pixels.
pub const MARGIN: f64 = 16.0;
/// The space between things that belong together, in pixels.
pub const GAP: f64 = 8.0;

/// The distance of two lines of a title.
const TITLE_LINE: f64 = TITLE * 1.3;

/// The title of a picture, in as many lines as it takes.
#[derive(Clone, Debug)]
pub struct Title {
    lines: Vec<String>,
    left: f64,
    /// The width of the picture.
    width: f64,
}

impl Title {
    /// Makes a title that begins at `left`, in a picture of this width.
    pub fn new(title: &str, left: f64, width: f64, most_lines: usize) -> Title {
        Title { lines: wrap(title, TITLE, width - left - MARGIN, most_lines), left, width }
    }

    /// The height that the title takes, with the space left free below it.
    pub fn room(&self) -> f64 {
        match self.lines.len() {
            0 => 0.0,
            lines => TITLE + (lines - 1) as f64 * TITLE_LINE + GAP * 1.5,
        }
    }
}

/// The rectangle that data are drawn in, by its edges in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The place of a share of the frame's width, from left to right.
    pub fn across(&self, share: f64) -> f64 {
        self.left + share * self.width()
    }

    /// The place of a share of the frame's height, from the bottom up.
    pub fn up(&self, share: f64) -> f64 {
        self.bottom - share * self.height()
    }

    /// Writes the title above the frame, and the labels of the axes below and at the left.
    ///
    /// The label of the horizontal axis ends above `below`; under it may be a legend.
    pub fn label(&self, svg: &mut Element, title: &Title, below: f64, x_label: &str, y_label: &str) {
        for (number, line) in title.lines.iter().enumerate() {
            let y = MARGIN + TITLE / 2.0 + number as f64 * TITLE_LINE;
            svg.push(text(line, (title.left, y)).with("font-size", TITLE));
        }
        let (middle, side) = (tenth(self.up(0.5)), MARGIN + LABEL / 2.0);
        // Centred on the frame, unless it is longer and has to use the room beside it.
        let x_label = fit(x_label, LABEL, title.width - 2.0 * MARGIN);
        let half = width(&x_label, LABEL) / 2.0;
        let centre = self.across(0.5).min(title.width - MARGIN - half).max(MARGIN + half);
        let x_label = text(&x_label, (centre, below - side));
        let y_label = text(&fit(y_label, LABEL, self.height()), (side, middle));
        let y_label = y_label.with("transform", format!("rotate(-90 {side} {middle})"));
        svg.push_group(Element::new("g").with("font-size", LABEL).with("text-anchor", "middle"), [x_label, y_label]);
    }

    /// Draws labelled ticks below the frame.
    pub fn x_ticks(&self, svg: &mut Element, ticks: &[(f64, &str)]) {
        let lines = ticks.iter().map(|&(x, _)| line((x, self.bottom), (x, self.bottom + 5.0)));
        svg.push_group(ruled(FRAME), lines);
        let labels = ticks.iter().map(|&(x, label)| text(label, (x, self.bottom + GAP + SMALL / 2.0)));
        svg.push_group(small("middle"), labels);
    }

    /// Draws labelled ticks at the left of the frame.
    pub fn y_ticks(&self, svg: &mut Element, ticks: &[(f64, &str)]) {
        svg.push_group(ruled(FRAME), ticks.iter().map(|&(y, _)| line((self.left - 5.0, y), (self.left, y))));
        svg.push_group(small("end"), ticks.iter().map(|&(y, label)| text(label, (self.left - GAP, y))));
    }
}

/// The room that the label of an axis takes.
pub fn label_room(label: &str) -> f64 {
    if label.is_empty() { 0.0 } else { LABEL + GAP }
}

/// A group of small texts of which this part (start, middle or end) is at their points.
pub fn small(anchor: &str) -> Element {
    Element::new("g").with("font-size", SMALL).with("text-anchor", anchor)
}
