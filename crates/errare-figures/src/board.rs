//! A chess diagram: a placement of men with arrows for moves. The module knows how men are drawn, and no rules of
//! chess.

use crate::lettering::SMALL;
use crate::palette::{Colour, FRAME};
use crate::svg::{Element, Point, line, path, picture, polygon, rectangle, ruled, text};

/// The side of a square, in pixels.
const SQUARE: f64 = 30.0;
/// The room for the names of files and ranks, in pixels.
const NAMES: f64 = 16.0;
/// The space around the diagram, in pixels.
const MARGIN: f64 = 4.0;
/// The side of the square that men are designed in.
const DESIGN: f64 = 45.0;

const LIGHT: Colour = Colour::rgb(0xee, 0xdc, 0xbe);
const DARK: Colour = Colour::rgb(0xb4, 0x8a, 0x64);
const WHITE_MAN: Colour = Colour::rgb(0xfd, 0xfd, 0xfd);
const BLACK_MAN: Colour = Colour::rgb(0x2b, 0x2b, 0x2b);
const OUTLINE: Colour = Colour::rgb(0x11, 0x11, 0x11);

/// A chess diagram.
///
/// ```
/// use errare_figures::{Arrow, ArrowStyle, Board};
///
/// let board = Board {
///     title: "1. Rb1".to_owned(),
///     placement: "8/8/8/8/8/2k5/1R6/K7".to_owned(),
///     black_below: false,
///     arrows: vec![Arrow { from: (1, 1), to: (1, 0), style: ArrowStyle::Strong }],
/// };
/// assert!(board.svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// The title for screen readers; it is not drawn.
    pub title: String,
    /// Where the men are, as the first field of a FEN has it. What cannot be read is left out.
    pub placement: String,
    /// Whether Black's side is at the bottom.
    pub black_below: bool,
    /// Moves to point out, the first at the back.
    pub arrows: Vec<Arrow>,
}

/// An arrow from one square to another. Squares are the numbers of file and rank, from 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The square where the arrow begins.
    pub from: (u8, u8),
    /// The square where the arrow ends.
    pub to: (u8, u8),
    /// The style in which the arrow is drawn.
    pub style: ArrowStyle,
}

/// How an arrow is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArrowStyle {
    /// A broad orange arrow.
    #[default]
    Strong,
    /// A thin, dashed blue arrow.
    Faint,
}

impl ArrowStyle {
    /// The colour and width of the arrow, and its dashes if it has any.
    fn stroke(self) -> (Colour, f64, Option<&'static str>) {
        match self {
            ArrowStyle::Strong => (Colour::rgb(0xd5, 0x5e, 0x00), 5.0, None),
            ArrowStyle::Faint => (Colour::rgb(0x00, 0x5f, 0xa8), 3.0, Some("5 3")),
        }
    }
}

impl Board {
    /// The diagram as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let edge = MARGIN + NAMES + 8.0 * SQUARE;
        let mut svg = picture(edge + MARGIN, edge + MARGIN, &self.title, &self.description());
        self.squares(&mut svg);
        self.names(&mut svg);
        for ((file, rank), man) in men(&self.placement) {
            svg.push(self.man(file, rank, man));
        }
        self.arrows.iter().filter(|arrow| is_on_board(arrow)).for_each(|arrow| self.arrow(&mut svg, *arrow));
        svg.to_string()
    }

    /// Describes which men stand where, for people who cannot see the diagram.
    fn description(&self) -> String {
        let side = |is_white: bool| {
            let men = men(&self.placement).filter(|(_, man)| man.is_ascii_uppercase() == is_white);
            men.map(|((file, rank), man)| format!("{}{}", man.to_ascii_uppercase(), square_name(file, rank)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        format!("Chess diagram. White: {}. Black: {}.", side(true), side(false))
    }

    /// The upper left corner of a square.
    fn corner(&self, file: u8, rank: u8) -> Point {
        let (across, down) = if self.black_below { (7 - file, rank) } else { (file, 7 - rank) };
        (MARGIN + NAMES + f64::from(across) * SQUARE, MARGIN + f64::from(down) * SQUARE)
    }

    fn middle(&self, (file, rank): (u8, u8)) -> Point {
        let (x, y) = self.corner(file, rank);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }

    fn squares(&self, svg: &mut Element) {
        let (left, top) = (MARGIN + NAMES, MARGIN);
        let (right, bottom) = (left + 8.0 * SQUARE, top + 8.0 * SQUARE);
        svg.push(rectangle((left, top), (right, bottom)).with("fill", LIGHT));
        let dark = (0..64_u8).map(|square| (square % 8, square / 8)).filter(|(file, rank)| (file + rank) % 2 == 0);
        let dark = dark.map(|(file, rank)| {
            let (x, y) = self.corner(file, rank);
            rectangle((x, y), (x + SQUARE, y + SQUARE))
        });
        svg.push_group(Element::new("g").with("fill", DARK).with("shape-rendering", "crispEdges"), dark);
        svg.push_group(ruled(FRAME), [rectangle((left, top), (right, bottom))]);
    }

    fn names(&self, svg: &mut Element) {
        let bottom = if self.black_below { 7 } else { 0 };
        let files = (0..8).map(|file| {
            let (x, y) = self.middle((file, bottom));
            text(&file_name(file).to_string(), (x, y + SQUARE / 2.0 + NAMES / 2.0))
        });
        let ranks = (0..8).map(|rank| {
            let (_, y) = self.middle((0, rank));
            text(&(rank + 1).to_string(), (MARGIN + NAMES / 2.0, y))
        });
        let group = Element::new("g").with("font-size", SMALL).with("text-anchor", "middle");
        svg.push_group(group, files.chain(ranks));
    }

    /// Draws a man on a square; a capital is White's.
    fn man(&self, file: u8, rank: u8, man: char) -> Element {
        let (x, y) = self.corner(file, rank);
        let is_white = man.is_ascii_uppercase();
        let (fill, detail) = if is_white { (WHITE_MAN, OUTLINE) } else { (BLACK_MAN, WHITE_MAN) };
        let mut group = Element::new("g")
            .with("transform", format!("translate({x} {y}) scale({:.4})", SQUARE / DESIGN))
            .with("fill", fill)
            .with("stroke", OUTLINE)
            .with("stroke-width", 1.7)
            .with("stroke-linejoin", "round");
        let Shape { outline, details } = shape(man);
        group.push(path(outline));
        if !details.is_empty() {
            group.push(path(details).with("fill", "none").with("stroke", detail).with("stroke-linecap", "round"));
        }
        group
    }

    fn arrow(&self, svg: &mut Element, arrow: Arrow) {
        let (from, to) = (self.middle(arrow.from), self.middle(arrow.to));
        let (across, down) = (to.0 - from.0, to.1 - from.1);
        let length = across.hypot(down);
        let (colour, width, dashes) = arrow.style.stroke();
        let head = 4.0 + 1.6 * width;
        // A point so far before the end, and so far to the side.
        let at = |back: f64, aside: f64| {
            let share = (length - back) / length;
            (from.0 + across * share - down / length * aside, from.1 + down * share + across / length * aside)
        };
        let shaft = line(from, at(head, 0.0)).with("stroke", colour).with("stroke-width", width);
        let shaft = dashes.into_iter().fold(shaft, |shaft, dashes| shaft.with("stroke-dasharray", dashes));
        let tip = polygon(&[at(0.0, 0.0), at(head, head / 2.0), at(head, -head / 2.0)]).with("fill", colour);
        svg.push_group(Element::new("g").with("opacity", "0.8"), [shaft, tip]);
    }
}

fn is_on_board(arrow: &Arrow) -> bool {
    let (from, to) = (arrow.from, arrow.to);
    from != to && [from.0, from.1, to.0, to.1].iter().all(|&number| number < 8)
}

fn file_name(file: u8) -> char {
    char::from(b'a' + file)
}

fn square_name(file: u8, rank: u8) -> String {
    format!("{}{}", file_name(file), rank + 1)
}

/// The men of a placement with the files and ranks of their squares.
fn men(placement: &str) -> impl Iterator<Item = ((u8, u8), char)> {
    placement.split('/').zip((0..8_u8).rev()).flat_map(|(row, rank)| {
        let mut file = 0_u32;
        row.chars().filter_map(move |letter| {
            let at = file;
            file = file.saturating_add(letter.to_digit(10).unwrap_or(1));
            let is_man = "pnbrqkPNBRQK".contains(letter);
            (is_man && at < 8).then_some(((at as u8, rank), letter))
        })
    })
}

/// The shape of a man: an outline that is filled, and lines on it.
struct Shape {
    outline: &'static str,
    details: &'static str,
}

fn shape(man: char) -> Shape {
    let (outline, details) = match man.to_ascii_lowercase() {
        'p' => (
            "M22.5 9a5.2 5.2 0 0 1 3.4 9.1c2 1.3 3.3 3.3 3.3 5.7 0 2-.9 3.8-2.4 5 3.2 1.4 6 4.8 6.2 10.2h-21c.2-5.4 3-8.8 \
             6.2-10.2a6.4 6.4 0 0 1-2.4-5c0-2.4 1.3-4.4 3.3-5.7A5.2 5.2 0 0 1 22.5 9z",
            "",
        ),
        'n' => (
            "M13 39h21.5c.8-11 .2-20-6-26-2-2-4-3.1-6.3-3.6L21 5.5l-3.2 4.2c-3.8 2-5.8 5.8-7.8 10.8l-3.6 5.2c-.9 2.2.8 4.4 3 \
             4.3l4.2-2.8c3.2 0 6-1 8.2-3.2C21.5 29 13 32 13 39z",
            "M16.5 16.5l.6.6M29 15c3.5 5 4 11 3.5 20",
        ),
        'b' => (
            "M22.5 5.2a2.8 2.8 0 0 1 1.9 4.9c4.2 3.2 7.1 7.6 7.1 12 0 3.5-1.8 5.8-3.5 7.2l1.2 4.7H35v5H10v-5h5.8l1.2-4.7c-1.7-1.4\
             -3.5-3.7-3.5-7.2 0-4.4 2.9-8.8 7.1-12a2.8 2.8 0 0 1 1.9-4.9z",
            "M22.5 16v8.5M18.2 20h8.6M17 29.5h11",
        ),
        'r' => (
            "M10.5 39h24v-4.5h-3L30 20l3.5-3V8.5h-5v3h-3.3v-3h-5.4v3h-3.3v-3h-5V17l3.5 3-1.5 14.5h-3z",
            "M15 20h15M13.5 34.5h18",
        ),
        'q' => (
            "M11.5 39h22v-4l1.6-3.5L38 13.5l-6.6 10-1.2-13.2-5 12.4L22.5 8l-2.7 14.7-5-12.4-1.2 13.2-6.6-10 2.9 18 1.6 3.5z",
            "M10.5 31.5c7-1.8 17-1.8 24 0M11.5 35c7-1.5 15-1.5 22 0",
        ),
        _ => (
            "M21 4.5h3v3h3v3h-3v4.2c1.3.9 2.3 2.2 3 3.8 1.8-1.7 3.9-2.5 6-2.5 3.6 0 6 2.6 6 6.3 0 4.2-2.8 7.9-5.5 10.7v6h-22v-6C8.8 \
             30.2 6 26.5 6 22.3c0-3.7 2.4-6.3 6-6.3 2.1 0 4.2.8 6 2.5.7-1.6 1.7-2.9 3-3.8v-4.2h-3v-3h3z",
            "M22.5 21v10M11.5 33c7-2 15-2 22 0",
        ),
    };
    Shape { outline, details }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_stand_where_the_placement_has_them() {
        let found: Vec<_> = men("r3k3/8/8/8/8/8/7P/K7").collect();
        assert_eq!(found, [((0, 7), 'r'), ((4, 7), 'k'), ((7, 1), 'P'), ((0, 0), 'K')]);
        assert_eq!(men("xyz/9p/44p/ppppppppp/////////").count(), 8, "what cannot be read is left out");
        let board = Board { placement: "r3k3/8/8/8/8/8/7P/K7".to_owned(), ..Board::default() };
        assert_eq!(board.description(), "Chess diagram. White: Ph2 Ka1. Black: ra8 ke8.".replace("ra8 ke8", "Ra8 Ke8"));
        assert_eq!(board.corner(0, 0), (MARGIN + NAMES, MARGIN + 7.0 * SQUARE));
        let turned = Board { black_below: true, ..board };
        assert_eq!(turned.corner(0, 0), (MARGIN + NAMES + 7.0 * SQUARE, MARGIN));
    }

    #[test]
    fn diagrams_are_well_formed_whatever_they_show() {
        let everywhere = |style| Arrow { from: (0, 0), to: (6, 7), style };
        let nowhere = Arrow { from: (3, 3), to: (3, 3), style: ArrowStyle::Strong };
        let outside = Arrow { from: (9, 0), to: (0, 200), style: ArrowStyle::Strong };
        for placement in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "", "<&>", "KQRBNP/99999999999999999999"] {
            let arrows = vec![everywhere(ArrowStyle::Strong), everywhere(ArrowStyle::Faint), nowhere, outside];
            let board = Board { title: "<b>".to_owned(), placement: placement.to_owned(), black_below: true, arrows };
            let svg = board.svg();
            let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{placement}: {error}"));
            let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
            assert_eq!(count("polygon"), 2, "{placement}");
            let size: f64 = document.root_element().attribute("width").expect("a width").parse().expect("a number");
            assert!(size <= 300.0 && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        let start = Board { placement: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".to_owned(), ..Board::default() };
        assert_eq!(start.svg().matches("scale(").count(), 32);
    }
}
