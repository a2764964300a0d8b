//! One metric or several, as people list them.

use errare_lab::Text;
use errare_tables::{Metric, MetricError};
use std::str::FromStr;

/// Metrics separated by commas, or `all`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metrics(pub Vec<Metric>);

/// The metrics that were asked for, as requests have them: none for the metric that the lab counts to by default.
pub fn wanted(metrics: Option<&Metrics>) -> Vec<Text<Metric>> {
    metrics.into_iter().flat_map(|metrics| &metrics.0).map(|&metric| Text(metric)).collect()
}

impl FromStr for Metrics {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Metrics, MetricError> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Metrics(Metric::ALL.to_vec()));
        }
        text.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>().map(Metrics)
    }
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
}
