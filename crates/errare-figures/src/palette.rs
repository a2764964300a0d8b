//! Colours and dashes. Lines stay distinct for colour-blind readers and, by their dashes, in grey; cells darken evenly.

use std::fmt::{self, Display, Formatter};

/// A colour by its red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour(u8, u8, u8);

impl Colour {
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
        Colour(red, green, blue)
    }
}

impl Display for Colour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

pub const INK: Colour = Colour(0x22, 0x22, 0x22);
pub const FRAME: Colour = Colour(0x66, 0x66, 0x66);
pub const GRID: Colour = Colour(0xe4, 0xe4, 0xe4);
pub const PAPER: Colour = Colour(0xff, 0xff, 0xff);
/// The colour of a cell that holds no number.
pub const UNKNOWN: Colour = Colour(0xcc, 0xcc, 0xcc);

/// The colours of Okabe and Ito (<https://jfly.uni-koeln.de/color/>) without their yellow, which is lost on white.
/// Neighbours differ in lightness, and so do lines with the same dashes, since there is one dash fewer than colours.
const LINES: [Colour; 7] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0x00, 0x00, 0x00),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x56, 0xb4, 0xe9),
    Colour(0xcc, 0x79, 0xa7),
];

/// Colours that change on a dark page, with those that they become there.
const IN_THE_DARK: [(Colour, Colour); 6] = [
    (INK, Colour(0xdd, 0xdd, 0xdd)),
    (PAPER, DARK_PAPER),
    (FRAME, Colour(0x99, 0x99, 0x99)),
    (GRID, Colour(0x3a, 0x3a, 0x3a)),
    (LINES[0], Colour(0x4a, 0xa8, 0xe8)),
    (LINES[3], Colour(0xf4, 0xf4, 0xf4)),
];

/// The ground of pictures on a dark page.
pub const DARK_PAPER: Colour = Colour(0x1b, 0x1b, 0x1b);

/// Style rules for a page that is dark, by which pictures in it are dark too. Within `@media(prefers-color-scheme:dark)`
/// they follow what the reader prefers; pictures by themselves stay light.
#[must_use]
pub fn dark_style() -> String {
    let rule = |(light, dark): &(Colour, Colour)| {
        let of =
            |property: &str| format!("svg[{property}=\"{light}\"],svg [{property}=\"{light}\"]{{{property}:{dark}}}");
        of("fill") + &of("stroke")
    };
    IN_THE_DARK.iter().map(rule).collect()
}

/// Lengths of dashes and gaps in pixels; none for a solid line.
const DASHES: [Option<&str>; 6] =
    [None, Some("7 3"), Some("2.4 2"), Some("10 2.4 2 2.4"), Some("6 2 2 2 2 2"), Some("14 4")];

/// The colour and dashes of a series, by its place among them. Repeats after 42 series.
pub fn line(series: usize) -> (Colour, Option<&'static str>) {
    (LINES[series % LINES.len()], DASHES[series % DASHES.len()])
}

/// Number of colours for cells: few enough that neighbours often share one, too many to tell apart.
const SHADES: f64 = 100.0;

/// The colour of a cell, from 0 (light) to 1 (nearly black).
///
/// This is viridis reversed, so that more is darker, by a polynomial that Matt Zucker fitted
/// (<https://www.shadertoy.com/view/WlfXRN>).
pub fn shade(share: f64) -> Colour {
    const RED: [f64; 7] = [0.2777, 0.1051, -0.3309, -4.6342, 6.2283, 4.7764, -5.4355];
    const GREEN: [f64; 7] = [0.0054, 1.4046, 0.2148, -5.7991, 14.1799, -13.7451, 4.6459];
    const BLUE: [f64; 7] = [0.3341, 1.3846, 0.0951, -19.3324, 56.6906, -65.3530, 26.3124];
    let t = 1.0 - (share.clamp(0.0, 1.0) * SHADES).round() / SHADES;
    let channel = |factors: [f64; 7]| {
        let value = factors.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
        (value.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    Colour(channel(RED), channel(GREEN), channel(BLUE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// CIE lightness, 0 to 100.
    fn lightness(Colour(r, g, b): Colour) -> f64 {
        let linear = |channel: u8| {
            let v = f64::from(channel) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        116.0 * (0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)).cbrt() - 16.0
    }

    #[test]
    fn shades_darken_evenly() {
        let lightness: Vec<f64> = (0..=10).map(|tenth| lightness(shade(f64::from(tenth) / 10.0))).collect();
        assert!(lightness[0] > 88.0 && lightness[10] < 20.0, "{lightness:?}");
        for pair in lightness.windows(2) {
            assert!((5.5..9.5).contains(&(pair[0] - pair[1])), "{lightness:?}");
        }
    }

    #[test]
    fn lines_and_letters_can_be_seen_in_the_dark() {
        let ground = lightness(DARK_PAPER);
        let dark = |colour: Colour| {
            let known = IN_THE_DARK.iter().find(|(light, _)| *light == colour);
            known.map_or(colour, |(_, dark)| *dark)
        };
        for colour in LINES.into_iter().chain([INK, FRAME]) {
            assert!(lightness(dark(colour)) - ground > 35.0, "{colour}");
        }
        assert_eq!(LINES.map(dark).into_iter().collect::<HashSet<_>>().len(), LINES.len());
        assert!(dark_style().contains("svg [fill=\"#ffffff\"]{fill:#1b1b1b}"));
    }

    #[test]
    fn twelve_lines_differ_even_in_grey() {
        assert_eq!((0..42).map(line).collect::<HashSet<_>>().len(), 42);
        for (one, other) in (0..12).flat_map(|one| (0..one).map(move |other| (line(one), line(other)))) {
            assert!(one.1 != other.1 || (lightness(one.0) - lightness(other.0)).abs() > 10.0, "{one:?} {other:?}");
        }
    }
}
