//! Reads the small CSV files of published facts in `tests/data`.

/// The rows of a file without its comments and its heading, cut into `N` fields; the last field
/// takes what is left of the line.
pub fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.splitn(N, ',').collect();
            fields.try_into().unwrap_or_else(|_| panic!("{N} fields expected in `{line}`"))
        })
        .collect()
}

/// A number of a row.
pub fn number<T: std::str::FromStr>(field: &str) -> T {
    field.parse().unwrap_or_else(|_| panic!("invalid number `{field}`"))
}
