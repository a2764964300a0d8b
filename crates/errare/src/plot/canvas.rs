//! The SVG itself. Everything is said in pixels; the file counts in tenths of them, because plotters draws at
//! whole numbers only, and a view box makes that no difference.

use super::PlotError;
use super::palette::{Colour, Dash, PAPER};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};
use std::fmt::Display;

/// A point in pixels, from the upper left corner.
pub type Point = (f64, f64);

/// Around a picture, and between things that belong together, in pixels.
pub const MARGIN: f64 = 16.0;
pub const GAP: f64 = 8.0;

const UNITS: f64 = 10.0;
/// What plotters divides the size of letters by.
const SVG_LETTERS: f64 = 1.24;

/// A line as it is drawn: width in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f64,
    pub dash: Option<Dash>,
}

impl Stroke {
    pub fn solid(colour: Colour, width: f64) -> Stroke {
        Stroke { colour, width, dash: None }
    }
}

/// Which end of a text is at its point; half its height always is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
    /// The middle, of text that runs upwards.
    Upwards,
}

/// How a text is written: its size is the height of its letters in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    pub size: f64,
    pub colour: Colour,
    pub anchor: Anchor,
}

enum Shape {
    Path(Vec<Point>, Stroke),
    Rectangle(Point, Point, Colour),
    Dot(Point, f64, Colour),
    Text(String, Point, Letters),
}

/// What is on a picture, in the order in which it was put there.
pub struct Canvas {
    width: f64,
    height: f64,
    title: String,
    crisp: bool,
    shapes: Vec<Shape>,
}

impl Canvas {
    pub fn new(width: f64, height: f64, title: &str) -> Canvas {
        // Transparent pictures cannot be read where pages are dark.
        let shapes = vec![Shape::Rectangle((0.0, 0.0), (width, height), PAPER)];
        Canvas { width, height, title: printable(title), crisp: false, shapes }
    }

    /// Leaves no seams between rectangles that touch, at the price of rough curves.
    pub fn crisp(mut self) -> Canvas {
        self.crisp = true;
        self
    }

    pub fn path(&mut self, points: impl IntoIterator<Item = Point>, stroke: Stroke) {
        self.shapes.push(Shape::Path(points.into_iter().collect(), stroke));
    }

    pub fn rectangle(&mut self, upper_left: Point, lower_right: Point, colour: Colour) {
        self.shapes.push(Shape::Rectangle(upper_left, lower_right, colour));
    }

    pub fn dot(&mut self, centre: Point, radius: f64, colour: Colour) {
        self.shapes.push(Shape::Dot(centre, radius, colour));
    }

    pub fn text(&mut self, text: &str, at: Point, letters: Letters) {
        if !text.is_empty() {
            self.shapes.push(Shape::Text(printable(text), at, letters));
        }
    }

    pub fn svg(&self) -> Result<String, PlotError> {
        let mut drawn = String::new();
        let mut backend = SVGBackend::with_string(&mut drawn, (units(self.width) as u32, units(self.height) as u32));
        for shape in &self.shapes {
            draw(&mut backend, shape)?;
        }
        backend.present().map_err(failed)?;
        drop(backend);
        Ok(self.finish(&drawn))
    }

    /// Adds what plotters cannot say, and leaves out what goes without saying. Every element is a line of its own,
    /// and nothing in a text or an attribute can look like one: quotes and angles are escaped.
    fn finish(&self, drawn: &str) -> String {
        let mut dashes = self.shapes.iter().filter_map(|shape| match shape {
            Shape::Path(_, stroke) => Some(stroke.dash),
            _ => None,
        });
        let mut svg = String::with_capacity(drawn.len());
        let mut lines = drawn.lines();
        svg += &self.opening(lines.next().unwrap_or_default());
        for line in lines {
            let dash = if line.starts_with("<polyline ") { dashes.next().flatten() } else { None };
            let line = match dash {
                Some(dash) => line.replacen("<polyline", &format!("<polyline stroke-dasharray=\"{dash}\""), 1),
                None if line.starts_with("<text ") => even_letters(line).unwrap_or_else(|| line.to_owned()),
                None => line.to_owned(),
            };
            svg += &tidy(&line);
            // Text without line ends is copied without them.
            let within_text = line.starts_with("<text ") || !line.starts_with('<');
            svg += if within_text { "" } else { "\n" };
        }
        svg
    }

    fn opening(&self, tag: &str) -> String {
        let full = format!("<svg width=\"{}\" height=\"{}\"", units(self.width), units(self.height));
        let shown = format!("<svg role=\"img\" width=\"{}\" height=\"{}\"", self.width, self.height);
        let manner = if self.crisp { " shape-rendering=\"crispEdges\">" } else { " stroke-linejoin=\"round\">" };
        let tag = tag.replacen(&full, &shown, 1);
        let tag = tag.strip_suffix('>').unwrap_or(&tag);
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("{tag}{manner}\n<title>{title}</title>\n")
    }
}

fn draw(backend: &mut SVGBackend<'_>, shape: &Shape) -> Result<(), PlotError> {
    let filled = |colour: Colour| ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: 0 };
    match shape {
        Shape::Path(points, stroke) => {
            let style = ShapeStyle {
                color: rgb(stroke.colour).into(),
                filled: false,
                stroke_width: units(stroke.width).unsigned_abs(),
            };
            backend.draw_path(points.iter().copied().map(place), &style).map_err(failed)
        }
        Shape::Rectangle(upper_left, lower_right, colour) => {
            backend.draw_rect(place(*upper_left), place(*lower_right), &filled(*colour), true).map_err(failed)
        }
        Shape::Dot(centre, radius, colour) => {
            let radius = units(*radius).unsigned_abs();
            backend.draw_circle(place(*centre), radius, &filled(*colour), true).map_err(failed)
        }
        Shape::Text(text, at, letters) => {
            let horizontal = match letters.anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle | Anchor::Upwards => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let turned = if letters.anchor == Anchor::Upwards { FontTransform::Rotate270 } else { FontTransform::None };
            let font = ("sans-serif", letters.size * UNITS * SVG_LETTERS).into_font().transform(turned);
            let colour = rgb(letters.colour);
            let style = TextStyle::from(font).color(&colour).pos(Pos::new(horizontal, VPos::Center));
            backend.draw_text(text, &style, place(*at)).map_err(failed)
        }
    }
}

fn failed(error: impl Display) -> PlotError {
    PlotError::Drawing(error.to_string())
}

fn rgb((red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

/// Whatever comes in, a number comes out: casts saturate.
fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

fn place((x, y): Point) -> (i32, i32) {
    (units(x), units(y))
}

/// Multiplied and divided again, the size of letters may be off by a bit, and be written with all its digits.
fn even_letters(text: &str) -> Option<String> {
    let (before, rest) = text.split_once(" font-size=\"")?;
    let (size, after) = rest.split_once('"')?;
    Some(format!("{before} font-size=\"{}\"{after}", size.parse::<f64>().ok()?.round()))
}

/// Leaves out attributes that say what holds anyway.
fn tidy(element: &str) -> String {
    [" opacity=\"1\"", " stroke=\"none\"", " stroke-width=\"0\""]
        .iter()
        .fold(element.replace(" \"/>", "\"/>"), |element, idle| element.replace(idle, ""))
}

/// Without what XML cannot hold, and on one line.
fn printable(text: &str) -> String {
    let odd = |letter: char| letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|letter| if odd(letter) { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::palette::INK;

    #[test]
    fn only_the_path_that_asked_for_dashes_gets_them() {
        let mut canvas = Canvas::new(20.0, 10.0, "a < b & \"c\"");
        let stroke = Stroke::solid(INK, 1.5);
        canvas.path([(0.0, 0.0), (1.04, 1.06)], stroke);
        canvas.text(
            "<polyline opacity=\"1\"\n",
            (1.0, 1.0),
            Letters { size: 11.0, colour: INK, anchor: Anchor::Start },
        );
        canvas.path([(0.0, 0.0), (2.0, 2.0)], Stroke { dash: Some("5 5"), ..stroke });
        canvas.dot((f64::NAN, f64::INFINITY), 1.0, INK);
        let expected = "\
<svg role=\"img\" width=\"20\" height=\"10\" viewBox=\"0 0 200 100\" xmlns=\"http://www.w3.org/2000/svg\" stroke-linejoin=\"round\">
<title>a &lt; b &amp; \"c\"</title>
<rect x=\"0\" y=\"0\" width=\"200\" height=\"100\" fill=\"#FFFFFF\"/>
<polyline fill=\"none\" stroke=\"#222222\" stroke-width=\"15\" points=\"0,0 10,11\"/>
<text x=\"10\" y=\"10\" dy=\"0.5ex\" text-anchor=\"start\" font-family=\"sans-serif\" font-size=\"110\" fill=\"#222222\">\
&lt;polyline opacity=&quot;1&quot; </text>
<polyline stroke-dasharray=\"5 5\" fill=\"none\" stroke=\"#222222\" stroke-width=\"15\" points=\"0,0 20,20\"/>
<circle cx=\"0\" cy=\"2147483647\" r=\"10\" fill=\"#222222\"/>
</svg>
";
        assert_eq!(canvas.svg().expect("drawn"), expected);
    }
}
