//! The table of K. W. Regan and G. McC. Haworth, *Intrinsic chess ratings* (AAAI 2011), section 7, games of 2006-2009,
//! evaluated by Rybka 3 at depth 13.

/// A row of the table of Regan and Haworth (2011). Numbers that cannot be read in the copy at hand are none.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub elo: u16,
    pub s: Option<f64>,
    pub c: Option<f64>,
    pub c_fit: f64,
    pub s_fit: f64,
    /// The predicted and the actual move-match, as shares.
    pub mm: (f64, f64),
    /// The predicted and the actual average difference, in pawns.
    pub ad: (f64, f64),
    pub q_fit: f64,
}

pub const ROWS: [Row; 12] = [
    row(2700, None, Some(0.503), (0.513, 0.080), (0.562, 0.563), (0.056, 0.056), 0.009),
    row(2600, Some(0.092), Some(0.523), (0.506, 0.089), (0.550, 0.542), (0.063, 0.064), 0.041),
    row(2500, Some(0.092), Some(0.491), (0.499, 0.093), (0.537, 0.531), (0.067, 0.071), 0.028),
    row(2400, Some(0.098), None, (0.492, 0.100), (0.523, 0.518), (0.072, 0.074), 0.016),
    row(2300, Some(0.108), Some(0.475), (0.485, 0.111), (0.511, 0.503), (0.084, 0.088), 0.044),
    row(2200, Some(0.123), Some(0.490), (0.478, 0.120), (0.494, 0.483), (0.089, 0.092), 0.084),
    row(2100, Some(0.134), Some(0.486), (0.471, 0.130), (0.482, 0.477), (0.099, 0.102), 0.034),
    row(2000, Some(0.139), Some(0.454), (0.464, 0.143), (0.469, 0.461), (0.110, 0.115), 0.065),
    row(1900, Some(0.159), Some(0.474), (0.457, 0.153), (0.465, 0.450), (0.119, 0.125), 0.166),
    row(1800, Some(0.146), Some(0.442), (0.450, 0.149), (0.464, 0.454), (0.117, 0.122), 0.084),
    row(1700, Some(0.153), Some(0.439), (0.443, 0.155), (0.455, 0.445), (0.123, 0.131), 0.065),
    row(1600, Some(0.165), Some(0.431), (0.436, 0.168), (0.440, 0.429), (0.133, 0.137), 0.129),
];

const fn row(
    elo: u16,
    s: Option<f64>,
    c: Option<f64>,
    (c_fit, s_fit): (f64, f64),
    mm: (f64, f64),
    ad: (f64, f64),
    q_fit: f64,
) -> Row {
    Row { elo, s, c, c_fit, s_fit, mm, ad, q_fit }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published c_fit falls by 0.007 from each milepost to the next.
    #[test]
    fn the_line_of_c_is_as_published() {
        for pair in ROWS.windows(2) {
            assert!((pair[0].c_fit - pair[1].c_fit - 0.007).abs() < 1e-9, "{}", pair[1].elo);
            assert_eq!(pair[0].elo, pair[1].elo + 100);
        }
    }
}
