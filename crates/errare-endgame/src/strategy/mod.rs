//! Strategies: the moves that a player considers, by the depths that tables give under a move rule.
//!
//! The notation is that of G. McC. Haworth, *Strategies for constrained optimisation* (ICGA Journal 23 (1), 2000).

mod clock_choice;
mod clock_masks;
mod clocked_pass;
mod compare;
mod goals;
mod kept_endgames;
mod marks;
mod notation;
mod outlook;
mod packed_position;
mod select;
mod success;
mod web;
mod whole;
mod whole_comparison;
mod whole_field;
mod whole_pass;
mod zeroing_moves;

pub use compare::{StrategyComparer, StrategyComparison, StrategyTally};
pub use goals::{Goal, Goals, Prospect};
pub use notation::StrategyError;
pub use outlook::Outlook;
pub use select::{Situation, WinnerMovesLeft};
pub use success::{Follower, Success};
pub use whole::WholeFollower;
pub use whole_comparison::WholeComparer;

use errare_tables::Metric;

/// A part of a strategy, which keeps some of the moves that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The parts `Z`, `C`, `M`, `R`, `Z50`: the moves of the least depth in a metric for the winner, of the greatest
    /// for the loser.
    Minimax(Metric),
    /// The part `P`: the least in-phase depth by DTR, the plies to the end of the phase if the rule of the position's
    /// dr is kept.
    Phase,
    /// The part `Z'`: the moves after which the phase can still be ended in time.
    Guard,
    /// The parts `R1` to `R4`: the moves that do not exclude the current goal (Haworth 2000, section 6.3).
    Goal(u8),
}

/// A strategy, read and written in the notation of Haworth (2000).
///
/// ```
/// use errare_endgame::Strategy;
/// for text in ["SZ", "SMC", "SZCM", "SZ'", "SC*", "SZ50", "SR3ZCM*", "SA1", "SA2", "SRP"] {
///     assert_eq!(text.parse::<Strategy>()?.to_string(), text);
/// }
/// assert_eq!("SR_3*".parse::<Strategy>()?.to_string(), "SR3*");
/// let refused = "SMX".parse::<Strategy>().unwrap_err().to_string();
/// assert!(refused.starts_with("invalid strategy `SMX`: unknown part `X` at character 3"));
/// # Ok::<(), errare_endgame::StrategyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Parts applied one after the other; `*` makes sure of the phase first.
    Parts {
        /// The parts, each of which keeps some of the moves that the one before has left.
        parts: Vec<Part>,
        /// Whether the strategy ends with `*`: "If dz > mleft then SZ, else SZ' and then the strategy."
        starred: bool,
    },
    /// The strategy `SA1`: if dm <= mleft then SM, else if dc <= mleft then SC, else SZCM.
    A1,
    /// The strategy `SA2`: if dm <= mleft then SM, else if dc <= mleft then SR3C, else SR3ZCM*.
    A2,
}

impl Strategy {
    /// The strategy of any move that keeps the theoretical value, whatever the depth: as a defence, every legal move.
    pub const ANY: Strategy = Strategy::Parts { parts: Vec::new(), starred: false };

    /// The metrics whose tables the strategy needs.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = Vec::new();
        let mut add = |metric: Metric| {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        };
        match self {
            Strategy::Parts { parts, starred } => {
                for part in parts {
                    match part {
                        Part::Minimax(metric) => add(*metric),
                        Part::Phase => add(Metric::Dtr),
                        Part::Guard => add(Metric::Dtz),
                        Part::Goal(_) => [Metric::Dtr, Metric::Dtz].into_iter().for_each(&mut add),
                    }
                }
                if *starred {
                    add(Metric::Dtz);
                }
            }
            Strategy::A1 => [Metric::Dtm, Metric::Dtc, Metric::Dtz].into_iter().for_each(add),
            Strategy::A2 => [Metric::Dtm, Metric::Dtc, Metric::Dtr, Metric::Dtz].into_iter().for_each(add),
        }
        metrics
    }

    fn parts(parts: &[Part]) -> Strategy {
        Strategy::Parts { parts: parts.to_vec(), starred: false }
    }
}
