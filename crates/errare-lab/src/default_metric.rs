//! The metrics that operations count to if a request names none: two, for two kinds of operation.

use errare_tables::Metric;

/// The metric of operations on tables (build, probe, stats, zugzwangs, find, verify) if a request names none: depth to mate,
/// which chess players mean by depth.
pub const TABLE_METRIC: Metric = Metric::Dtm;

/// The metric of operations on players (play, draw, choose, assess, match, contest, markov, predict) if a request names none:
/// depth to conversion, as in Haworth (2003) and Andrist and Haworth (2005).
pub const MODEL_METRIC: Metric = Metric::Dtc;
