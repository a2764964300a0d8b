//! Colours. Lines stay apart for the colour-blind and, by their dashes, in grey; cells grow evenly darker.

pub type Colour = (u8, u8, u8);

pub const INK: Colour = (0x22, 0x22, 0x22);
pub const FRAME: Colour = (0x66, 0x66, 0x66);
pub const GRID: Colour = (0xe4, 0xe4, 0xe4);
pub const PAPER: Colour = (0xff, 0xff, 0xff);
/// For a cell that holds no number.
pub const UNKNOWN: Colour = (0xcc, 0xcc, 0xcc);

/// By Okabe and Ito (<https://jfly.uni-koeln.de/color/>), without their yellow, which is lost on white. Neighbours
/// differ in lightness, and so do lines with the same dashes, since there is one dash fewer than colours.
const LINES: [Colour; 7] = [
    (0x00, 0x72, 0xb2),
    (0xe6, 0x9f, 0x00),
    (0x00, 0x9e, 0x73),
    (0x00, 0x00, 0x00),
    (0xd5, 0x5e, 0x00),
    (0x56, 0xb4, 0xe9),
    (0xcc, 0x79, 0xa7),
];

/// On and off, in tenths of a pixel.
pub type Dash = &'static str;

const DASHES: [Option<Dash>; 6] =
    [None, Some("70 30"), Some("24 20"), Some("100 24 20 24"), Some("60 20 20 20 20 20"), Some("140 40")];

/// How the line of a series is drawn. Repeats after 42 of them.
pub fn line(series: usize) -> (Colour, Option<Dash>) {
    (LINES[series % LINES.len()], DASHES[series % DASHES.len()])
}

/// How many colours cells have: few enough that neighbours often share one, too many to tell apart.
const SHADES: f64 = 100.0;

/// The colour of a cell, from 0, nearly the paper's, to 1, nearly black: viridis turned round, so that more
/// is darker, by a polynomial fitted by Matt Zucker (<https://www.shadertoy.com/view/WlfXRN>).
pub fn shade(share: f64) -> Colour {
    const RED: [f64; 7] = [0.2777, 0.1051, -0.3309, -4.6342, 6.2283, 4.7764, -5.4355];
    const GREEN: [f64; 7] = [0.0054, 1.4046, 0.2148, -5.7991, 14.1799, -13.7451, 4.6459];
    const BLUE: [f64; 7] = [0.3341, 1.3846, 0.0951, -19.3324, 56.6906, -65.3530, 26.3124];
    let t = 1.0 - (share.clamp(0.0, 1.0) * SHADES).round() / SHADES;
    let channel = |factors: [f64; 7]| {
        let value = factors.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
        (value.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    (channel(RED), channel(GREEN), channel(BLUE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// CIE lightness, 0 to 100.
    fn lightness((r, g, b): Colour) -> f64 {
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
    fn twelve_lines_differ_even_in_grey() {
        assert_eq!((0..42).map(line).collect::<HashSet<_>>().len(), 42);
        for (one, other) in (0..12).flat_map(|one| (0..one).map(move |other| (line(one), line(other)))) {
            assert!(one.1 != other.1 || (lightness(one.0) - lightness(other.0)).abs() > 10.0, "{one:?} {other:?}");
        }
    }
}
