//! What a user names: an endgame as typed, and one metric or several.

use errare_tables::{Material, MaterialError, Metric, MetricError};
use std::str::FromStr;

/// An endgame with its sides in the order in which they were typed: the first is White.
#[derive(Clone, Copy, Debug)]
pub struct Endgame {
    /// The endgame, stronger side first.
    pub material: Material,
    /// Whether the weaker side was typed first.
    pub swapped: bool,
}

impl Endgame {
    /// The signature in the order typed.
    pub fn name(&self) -> String {
        self.material.oriented(self.swapped)
    }
}

impl FromStr for Endgame {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Endgame, MaterialError> {
        let (material, swapped) = Material::parse_oriented(text)?;
        Ok(Endgame { material, swapped })
    }
}

/// Metrics separated by commas, or `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metrics(pub Vec<Metric>);

impl FromStr for Metrics {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Metrics, MetricError> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Metrics(Metric::ALL.to_vec()));
        }
        text.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>().map(Metrics)
    }
}

/// Tables to work on, each once: asking for DTZ and DTC of an endgame without pawns asks for one.
pub fn requests(materials: &[Material], metrics: &Metrics) -> Vec<(Material, Metric)> {
    let mut found: Vec<(Material, Metric)> = Vec::new();
    for &material in materials {
        for &metric in &metrics.0 {
            let stored = metric.stored(material);
            if !found.iter().any(|&(known, other)| known == material && other.stored(known) == stored) {
                found.push((material, metric));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_come_in_lists() {
        assert_eq!("dtm,DTZ50".parse(), Ok(Metrics(vec![Metric::Dtm, Metric::DtzRule(50)])));
        assert_eq!("All".parse::<Metrics>().map(|metrics| metrics.0.len()), Ok(5));
        for text in ["", "dtm,", "dtm;dtc", "all,dtm"] {
            assert!(text.parse::<Metrics>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_table_is_asked_for_once() {
        let both: Vec<Material> = ["KQKR", "KRKQ"].iter().filter_map(|name| name.parse().ok()).collect();
        let metrics = Metrics(vec![Metric::Dtz, Metric::Dtc, Metric::Dtm]);
        let asked: Vec<Metric> = requests(&both, &metrics).into_iter().map(|(_, metric)| metric).collect();
        assert_eq!(asked, [Metric::Dtz, Metric::Dtm]);
    }
}
