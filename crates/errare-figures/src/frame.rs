//! The rectangle that data are drawn in, with title, axis labels and ticks around it.

use crate::lettering::{LABEL, SMALL, TITLE, fit};
use crate::palette::FRAME;
use crate::svg::{Element, line, ruled, tenth, text};

/// The space around a picture, in pixels.
pub const MARGIN: f64 = 16.0;
/// The space between things that belong together, in pixels.
pub const GAP: f64 = 8.0;

/// The edges of the rectangle in pixels.
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

    /// The place of a share of the width, from left to right.
    pub fn across(&self, share: f64) -> f64 {
        self.left + share * self.width()
    }

    /// The place of a share of the height, from the bottom up.
    pub fn up(&self, share: f64) -> f64 {
        self.bottom - share * self.height()
    }

    /// Writes the title above, and the labels of the axes below and at the left, of a picture of this size.
    pub fn label(&self, svg: &mut Element, (width, height): (f64, f64), title: &str, x_label: &str, y_label: &str) {
        let title = fit(title, TITLE, width - self.left - MARGIN);
        let title = text(&title, (self.left, MARGIN + TITLE / 2.0)).with("font-size", TITLE);
        let (middle, side) = (tenth(self.up(0.5)), MARGIN + LABEL / 2.0);
        let x_label = text(&fit(x_label, LABEL, self.width()), (self.across(0.5), height - side));
        let y_label = text(&fit(y_label, LABEL, self.height()), (side, middle));
        let y_label = y_label.with("transform", format!("rotate(-90 {side} {middle})"));
        svg.push(title);
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
