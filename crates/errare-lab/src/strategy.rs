//! Strategies under a move rule: whether they win from a position, and how many wins they let slip.

use crate::error::LabError;
use crate::extent::{bound_sample, extent};
use crate::lab::Lab;
use crate::notation::{fen_of, san};
use crate::operation::{Exposure, Operation};
use crate::text::{Endgame, Text};
use errare_endgame::{
    EndgameError, Follower, MoveRule, Strategy, StrategyComparer, StrategyComparison, Success, WholeComparer,
    WholeFollower, wilson_interval,
};
use errare_tables::{Cells, Extent, Material, Metric, tables_to_mate};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position};
use std::sync::Arc;

/// Asks whether strategies win from a position under the rule, whichever of the moves that they allow are chosen.
/// Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrategyFollowRequest {
    /// The position as a FEN. The halfmove clock of the FEN counts towards the rule.
    pub fen: String,
    /// The strategies of the side that wins, such as SZ, SMC or SR3*.
    pub strategies: Vec<Text<Strategy>>,
    /// The strategy of the defender: null for SR, any for every move.
    #[serde(default)]
    pub defence: Option<Text<Strategy>>,
    /// The number of moves of the rule, from 1 to 9999.
    #[serde(default = "fifty")]
    pub rule: u16,
}

/// Asks how many wins of an endgame strategies let slip under a move rule. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrategyCompareRequest {
    /// The endgame, such as KQPKQ.
    pub material: Text<Endgame>,
    /// The strategies of the side that wins, such as SZ, SMC or SR3*.
    pub strategies: Vec<Text<Strategy>>,
    /// The strategy of the defender, or any for every move. Null for SR in a sample, and for any in the whole endgame.
    #[serde(default)]
    pub defence: Option<Text<Strategy>>,
    /// The number of moves of the rule, from 1 to 9999.
    #[serde(default = "fifty")]
    pub rule: u16,
    /// Number of placements to draw; null for the whole endgame.
    #[serde(default = "two_thousand")]
    pub sample: Option<u64>,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
    /// Number of examples to give of each strategy.
    #[serde(default = "three")]
    pub examples: usize,
}

/// The greatest number of examples of each strategy that a client may ask for.
const MAX_EXAMPLES_FOR_CLIENTS: u64 = 100;

/// The strategy of a defender for whom the request gives none.
fn least_dtr() -> Strategy {
    Strategy::Parts { parts: vec![errare_endgame::Part::Minimax(Metric::Dtr)], starred: false }
}

fn fifty() -> u16 {
    50
}

fn two_thousand() -> Option<u64> {
    Some(2000)
}

fn three() -> usize {
    3
}

/// The results of strategies from a position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrategyFollowResponse {
    /// The position as a FEN.
    pub fen: String,
    /// The number of moves of the rule.
    pub rule: u16,
    /// The strategy of the defender.
    pub defence: String,
    /// The results of the strategies, in the order asked for.
    pub strategies: Vec<FollowedStrategy>,
}

/// The result of one strategy from a position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FollowedStrategy {
    /// The strategy, such as SZ or SMC.
    pub strategy: String,
    /// Whether the strategy wins in every line.
    pub outcome: FollowOutcome,
    /// A line that lets the win slip, in SAN, if there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// The result of following a strategy: whether it wins in every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FollowOutcome {
    /// Every line keeps the win.
    #[serde(rename = "wins")]
    Wins,
    /// Some line lets the win slip.
    #[serde(rename = "slips")]
    Slips,
    /// The position is not won under the rule, with the clock as it is.
    #[serde(rename = "not won")]
    NotWon,
    /// The search takes more memory than is given, so that the result is not known.
    #[serde(rename = "unsettled")]
    Unsettled,
}

impl FollowOutcome {
    /// The name of the result as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FollowOutcome::Wins => "wins",
            FollowOutcome::Slips => "slips",
            FollowOutcome::NotWon => "not won",
            FollowOutcome::Unsettled => "unsettled",
        }
    }
}

/// Numbers of wins of an endgame that strategies let slip.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrategyCompareResponse {
    /// The endgame.
    pub material: String,
    /// The number of moves of the rule.
    pub rule: u16,
    /// The strategy of the defender.
    pub defence: String,
    /// Number of placements drawn; null for the whole endgame.
    pub sample: Option<u64>,
    /// Random seed of the sample; null for the whole endgame.
    pub seed: Option<u64>,
    /// Number of positions won under the rule from a zero count, the winner to move.
    pub wins: u64,
    /// The results of the strategies, in the order asked for.
    pub strategies: Vec<ComparedStrategy>,
    /// The positions in which every strategy lets the win slip, apart from strategies for which a sample was drawn.
    pub all_slip: AllSlip,
}

/// Numbers of wins that one strategy keeps and lets slip.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComparedStrategy {
    /// The strategy, such as SZ or SMC.
    pub strategy: String,
    /// Number of wins that the strategy keeps in every line.
    pub kept: u64,
    /// Number of wins that the strategy may let slip.
    pub slipped: u64,
    /// Share of the settled wins that the strategy may let slip; null if none is settled.
    pub share: Option<f64>,
    /// Number of placements drawn for this strategy, because it has goals, or looks at the clock and memory is short, and the
    /// endgame is too large to follow it from every win; null if it was treated as the response says.
    pub drawn: Option<u64>,
    /// Low end of the 95% interval of the share in the endgame; null if the whole endgame was gone through.
    pub low: Option<f64>,
    /// High end of the 95% interval of the share in the endgame; null if the whole endgame was gone through.
    pub high: Option<f64>,
    /// Number of wins that stay unsettled because the search was too large.
    pub unsettled: u64,
    /// Examples of wins that the strategy may let slip.
    pub examples: Vec<SlipExample>,
}

/// A win that a strategy may let slip.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlipExample {
    /// The position as a FEN.
    pub fen: String,
    /// A line that lets the win slip with its last move, in SAN; empty if finding one takes too much memory.
    pub line: Vec<String>,
}

/// The positions in which every strategy lets the win slip.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AllSlip {
    /// Number of positions in which every strategy lets the win slip.
    pub count: u64,
    /// Examples of these positions, as FENs.
    pub examples: Vec<String>,
}

impl Operation for StrategyFollowRequest {
    const NAME: &'static str = "strategy-follow";
    const ABOUT: &'static str = "Follow strategies from a position: do they win under the move rule?";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = StrategyFollowResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<StrategyFollowResponse, LabError> {
        check(self.rule, &self.strategies)?;
        let tables = lab.source(None)?;
        let position = tables.position(&self.fen)?;
        let (material, _) = Material::of_board(position.board());
        let (strategies, source) = (plain(&self.strategies), tables.source());
        let defence = self.defence.as_ref().map_or_else(least_dtr, |defence| defence.0.clone());
        let needed = needed(material, self.rule, &strategies, &defence);
        // Against every defence a line may come to most positions of an endgame: a byte each, if that is enough.
        let marks = WholeFollower::bytes(material) <= lab.config().build_memory() && defence == Strategy::ANY;
        let found = tables.with_tables(&needed, progress, || {
            let whole: Vec<Option<WholeFollower<'_>>> = strategies
                .iter()
                .map(|strategy| WholeFollower::new(&*source, material, strategy, self.rule).filter(|_| marks))
                .collect();
            let others = strategies.iter().zip(&whole).filter(|(_, whole)| whole.is_none());
            let others = others.map(|(strategy, _)| strategy.clone()).collect();
            let mut follower = Follower::new(&*source, self.rule, others, defence.clone());
            let mut followed = follower.follow(&position, progress)?.into_iter();
            let one = |whole: &Option<WholeFollower<'_>>| match whole {
                Some(whole) => whole.follow(&position, progress),
                None => followed.next().ok_or(EndgameError::Internal("a strategy was not followed")),
            };
            whole.iter().map(one).collect::<Result<Vec<Success>, _>>()
        })?;
        Ok(StrategyFollowResponse {
            fen: fen_of(&position),
            rule: self.rule,
            defence: defence.to_string(),
            strategies: strategies
                .iter()
                .zip(&found)
                .map(|(strategy, success)| FollowedStrategy::new(strategy, success, &position))
                .collect(),
        })
    }
}

impl FollowedStrategy {
    fn new(strategy: &Strategy, success: &Success, position: &Chess) -> FollowedStrategy {
        let (outcome, line) = match success {
            Success::Wins => (FollowOutcome::Wins, Vec::new()),
            Success::Slips(line) => (FollowOutcome::Slips, sans(position, line)),
            Success::NotWon => (FollowOutcome::NotWon, Vec::new()),
            Success::TooMany => (FollowOutcome::Unsettled, Vec::new()),
        };
        FollowedStrategy { strategy: strategy.to_string(), outcome, line }
    }
}

impl Operation for StrategyCompareRequest {
    const NAME: &'static str = "strategy-compare";
    const ABOUT: &'static str = "Count the wins of an endgame that strategies let slip under a move rule";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = StrategyCompareResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<StrategyCompareResponse, LabError> {
        check(self.rule, &self.strategies)?;
        let tables = lab.source(None)?;
        let material = self.material.material;
        bound_sample(lab, self.sample)?;
        lab.bound("examples", self.examples as u64, MAX_EXAMPLES_FOR_CLIENTS)?;
        let extent = extent(self.sample, self.seed);
        let no_men = || LabError::request("two bare kings are always drawn: there is nothing to compare");
        let cells = Cells::new(material, extent).ok_or_else(no_men)?;
        let (strategies, defence, source) = (plain(&self.strategies), self.defence(), tables.source());
        let needed = needed(material, self.rule, &strategies, &defence);
        let memory = lab.config().build_memory();
        let found = tables.with_tables(&needed, progress, || {
            let (rule, examples) = (self.rule, self.examples);
            if self.sample.is_none() && defence == Strategy::ANY {
                let library = tables.our_library().map(|library| &**library);
                let (source, strategies) = (&*source, &*strategies);
                let comparer = WholeComparer { source, library, material, rule, strategies, examples, memory };
                check_memory(comparer.bytes(), memory)?;
                return Ok(comparer.compare(progress)?);
            }
            let (source, strategies, defence) = (Arc::clone(&source), strategies.clone(), defence.clone());
            let comparer = StrategyComparer { source, rule, strategies, defence, examples };
            let most = (memory / StrategyComparer::MEMORY).max(1);
            with_threads(most, || comparer.compare(&cells, progress).map_err(LabError::from))
        })?;
        Ok(self.response(extent, &strategies, &defence, &found))
    }
}

fn check_memory(needed: u64, memory: u64) -> Result<(), LabError> {
    let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    if needed > memory {
        let (needed, memory) = (gib(needed), gib(memory));
        let reason =
            format!("the whole endgame needs {needed} of memory, more than the {memory} allowed: draw a sample");
        return Err(LabError::Request(reason));
    }
    Ok(())
}

impl StrategyCompareRequest {
    /// The strategy of the defender.
    fn defence(&self) -> Strategy {
        match (&self.defence, self.sample) {
            (Some(defence), _) => defence.0.clone(),
            (None, Some(_)) => least_dtr(),
            (None, None) => Strategy::ANY,
        }
    }

    fn response(
        &self,
        extent: Extent,
        strategies: &[Strategy],
        defence: &Strategy,
        found: &StrategyComparison,
    ) -> StrategyCompareResponse {
        let example =
            |(position, line): &(Chess, Vec<Move>)| SlipExample { fen: fen_of(position), line: sans(position, line) };
        let (_, sample, seed) = crate::extent::report(extent);
        StrategyCompareResponse {
            material: self.material.material.to_string(),
            rule: self.rule,
            defence: defence.to_string(),
            sample,
            seed,
            wins: found.wins,
            strategies: strategies
                .iter()
                .zip(&found.tallies)
                .map(|(strategy, tally)| {
                    let settled = (tally.kept + tally.slipped) as f64;
                    let share = (settled > 0.0).then(|| tally.slipped as f64 / settled);
                    let is_sample = sample.or(tally.drawn).is_some();
                    let interval = share.filter(|_| is_sample).map(|share| wilson_interval(share, settled));
                    ComparedStrategy {
                        strategy: strategy.to_string(),
                        kept: tally.kept,
                        slipped: tally.slipped,
                        share,
                        drawn: tally.drawn,
                        low: interval.map(|(low, _)| low),
                        high: interval.map(|(_, high)| high),
                        unsettled: tally.unsettled,
                        examples: tally.examples.iter().map(example).collect(),
                    }
                })
                .collect(),
            all_slip: AllSlip { count: found.all_slipped, examples: found.all_slip.iter().map(fen_of).collect() },
        }
    }
}

/// Works with at most a number of threads, each of which needs much memory.
fn with_threads<T: Send>(most: u64, work: impl FnOnce() -> Result<T, LabError> + Send) -> Result<T, LabError> {
    let count = usize::try_from(most).unwrap_or(usize::MAX).min(rayon::current_num_threads());
    if count == rayon::current_num_threads() {
        return work();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    pool.map_err(|error| LabError::Threads { count, reason: error.to_string() })?.install(work)
}

fn check(rule: u16, strategies: &[Text<Strategy>]) -> Result<(), LabError> {
    MoveRule::new(rule).map_err(LabError::request)?;
    if strategies.is_empty() {
        return Err(LabError::request("no strategy: expected at least one, such as SZ"));
    }
    Ok(())
}

fn plain(strategies: &[Text<Strategy>]) -> Vec<Strategy> {
    strategies.iter().map(|strategy| strategy.0.clone()).collect()
}

/// The tables that strategies need: values are read from DTZ, and whether a win is possible under the rule from DTZ by
/// the rule.
fn needed(material: Material, rule: u16, strategies: &[Strategy], defence: &Strategy) -> Vec<(Material, Metric)> {
    let asked = strategies.iter().chain([defence]).flat_map(Strategy::metrics);
    tables_to_mate(material, [Metric::Dtz, Metric::DtzRule(rule)].into_iter().chain(asked))
}

fn sans(start: &Chess, line: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut written = Vec::new();
    for &mv in line {
        written.push(san(&position, mv));
        position.play_unchecked(mv);
    }
    written
}
