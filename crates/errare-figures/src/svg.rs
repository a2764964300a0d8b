//! SVG elements, with every attribute and text escaped. Coordinates are in pixels and written to a tenth of one.

use crate::palette::{INK, PAPER};
use std::fmt::{self, Display, Formatter};

/// A point in pixels, from the upper left corner.
pub type Point = (f64, f64);

/// An element with its attributes, its text and the elements inside it.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    pub fn new(name: &'static str) -> Element {
        Element { name, attributes: Vec::new(), text: String::new(), children: Vec::new() }
    }

    /// Adds an attribute.
    pub fn with(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    fn with_text(mut self, text: &str) -> Element {
        self.text = text.to_owned();
        self
    }

    pub fn push(&mut self, child: Element) {
        self.children.push(child);
    }

    /// Adds a group of elements that share attributes, unless it is empty.
    pub fn push_group(&mut self, group: Element, children: impl IntoIterator<Item = Element>) {
        let group = Element { children: children.into_iter().collect(), ..group };
        if !group.children.is_empty() {
            self.push(group);
        }
    }
}

/// Writes an element on each line, as its text has no line ends.
impl Display for Element {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", escaped(value))?;
        }
        if self.text.is_empty() && self.children.is_empty() {
            return writeln!(f, "/>");
        }
        write!(f, ">{}", escaped(&self.text))?;
        if !self.children.is_empty() {
            writeln!(f)?;
        }
        self.children.iter().try_for_each(|child| child.fmt(f))?;
        writeln!(f, "</{}>", self.name)
    }
}

/// A picture with a white background, since a transparent one cannot be read on a dark page.
pub fn picture(width: f64, height: f64, title: &str, description: &str) -> Element {
    let mut svg = Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("role", "img")
        .with("width", tenth(width))
        .with("height", tenth(height))
        .with("viewBox", format!("0 0 {} {}", tenth(width), tenth(height)))
        .with("font-family", "system-ui, sans-serif")
        .with("fill", INK);
    svg.push(Element::new("title").with_text(title));
    svg.push(Element::new("desc").with_text(description));
    svg.push(rectangle((0.0, 0.0), (width, height)).with("fill", PAPER));
    svg
}

/// A group of straight lines along the axes, sharp on any screen.
pub fn ruled(colour: impl Display) -> Element {
    Element::new("g").with("fill", "none").with("stroke", colour).with("shape-rendering", "crispEdges")
}

pub fn line((x1, y1): Point, (x2, y2): Point) -> Element {
    let line = Element::new("line").with("x1", tenth(x1)).with("y1", tenth(y1));
    line.with("x2", tenth(x2)).with("y2", tenth(y2))
}

pub fn polyline(points: &[Point]) -> Element {
    let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", tenth(x), tenth(y))).collect();
    Element::new("polyline").with("points", points.join(" "))
}

/// A closed shape with these corners.
pub fn polygon(points: &[Point]) -> Element {
    Element { name: "polygon", ..polyline(points) }
}

/// A shape in SVG's own language of paths.
pub fn path(shape: &str) -> Element {
    Element::new("path").with("d", shape)
}

/// A rectangle between two corners. Rectangles with an edge in common meet without a seam, however they are rounded.
pub fn rectangle((left, top): Point, (right, bottom): Point) -> Element {
    let size = |from: f64, to: f64| tenth(tenth(to) - tenth(from));
    let corner = Element::new("rect").with("x", tenth(left)).with("y", tenth(top));
    corner.with("width", size(left, right)).with("height", size(top, bottom))
}

pub fn dot((x, y): Point, radius: f64) -> Element {
    Element::new("circle").with("cx", tenth(x)).with("cy", tenth(y)).with("r", tenth(radius))
}

/// Text whose letters are centred on the height of its point.
pub fn text(text: &str, (x, y): Point) -> Element {
    let element = Element::new("text").with("x", tenth(x)).with("y", tenth(y));
    element.with("dy", "0.35em").with_text(text)
}

/// Rounds to a tenth of a pixel, and never to a negative zero.
pub fn tenth(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0 + 0.0
}

/// Escapes markup, and replaces line ends, and whatever XML cannot hold, by spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            _ if letter.is_control() => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_written_with_everything_escaped() {
        let mut group = Element::new("g").with("class", "a\"><b>");
        group.push(text("<i> & \"q\"\n\u{0}\u{ffff}", (1.04, -0.04)));
        group.push(polyline(&[(0.0, 0.25), (10.0, 100.0)]));
        group.push_group(Element::new("g"), []);
        let expected = "\
<g class=\"a&quot;&gt;&lt;b&gt;\">
<text x=\"1\" y=\"0\" dy=\"0.35em\">&lt;i&gt; &amp; &quot;q&quot;   </text>
<polyline points=\"0,0.3 10,100\"/>
</g>
";
        assert_eq!(group.to_string(), expected);
        roxmltree::Document::parse(expected).expect("well-formed");
    }

    #[test]
    fn rectangles_with_a_common_edge_meet() {
        let edges: Vec<f64> = (0..100).map(|step| f64::from(step) * 4.447).collect();
        let rectangles = edges.windows(2).map(|pair| rectangle((0.0, pair[0]), (16.0, pair[1])).to_string());
        let ends: Vec<[f64; 2]> = rectangles
            .map(|svg| {
                let document = roxmltree::Document::parse(&svg).expect("well-formed");
                let [y, height] = ["y", "height"].map(|name| document.root_element().attribute(name).expect("set"));
                let [y, height]: [f64; 2] = [y, height].map(|number| number.parse().expect("a number"));
                [y, tenth(y + height)]
            })
            .collect();
        assert!(ends.windows(2).all(|pair| pair[0][1] == pair[1][0]), "{ends:?}");
    }

    #[test]
    fn pictures_scale_and_describe_themselves() {
        let svg = picture(20.0, 10.5, "a < b", "why").to_string();
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        let root = document.root_element();
        assert_eq!((root.attribute("viewBox"), root.attribute("role")), (Some("0 0 20 10.5"), Some("img")));
        let texts: Vec<_> = root.children().filter_map(|node| Some((node.tag_name().name(), node.text()?))).collect();
        assert!(texts.contains(&("title", "a < b")) && texts.contains(&("desc", "why")), "{texts:?}");
    }
}
