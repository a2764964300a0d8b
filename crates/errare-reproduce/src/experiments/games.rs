//! Games of agents, as experiments play them.

use crate::bench::{Bench, analysis};
use crate::error::{ReproduceError, Result};
use errare_choice::{Kappa, Outcome};
use errare_endgame::{
    AgentSetting, AgentSpec, Ending, EnginePools, Habits, Match, MatchStart, Model, Moments, Oracle, Played, Schedule,
};
use errare_tables::{Cells, Extent, Metric};
use shakmaty::{ByColor, Chess, Color, Position};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The seed of all experiments' games and positions.
pub const SEED: u64 = 1;

/// A match of two agents from some positions, kappa 1; games end as those of Andrist and Haworth (2005) do.
pub struct Meeting<'a> {
    pub bench: &'a Bench<'a>,
    pub metric: Metric,
    pub white: AgentSpec,
    pub black: AgentSpec,
    pub starts: &'a [Chess],
    /// Number of games from each start.
    pub games: u64,
    /// The habits of both players: whether they may give up wins and draws.
    pub habits: Habits,
    pub keep_moves: bool,
}

impl Meeting<'_> {
    /// Plays all games, start by start.
    pub fn play(&self) -> Result<Vec<Played>> {
        let oracle: Arc<Oracle> = self.bench.oracle(self.metric);
        let mut starts = Vec::new();
        for position in self.starts {
            let ending = Ending::usual(self.metric, oracle.state(position)?);
            starts.push(MatchStart { position: position.clone(), ending });
        }
        let analysis = analysis(Kappa::ONE, 0.0, 1.0, 50.0)?;
        let model = Model::power_law(Kappa::ONE, self.habits.clone());
        let setting = AgentSetting { model, analysis: analysis.clone(), rule: None, posteriors: BTreeMap::new() };
        let schedule = Schedule { starts: starts.len(), games: self.games, both_colours: false };
        let agents = ByColor { white: self.white.clone(), black: self.black.clone() };
        let engines = EnginePools::new();
        let keep_moves = self.keep_moves;
        let all = Match { oracle, agents, engines, setting, analysis, starts, schedule, seed: SEED, keep_moves };
        let broken = |_| ReproduceError::Internal("a game without engines broke");
        let games = all.play_all(0..schedule.total().unwrap_or(0), self.bench.progress)?;
        games.into_iter().map(|game| game.result.map_err(broken)).collect()
    }
}

/// Computes the mean, the deviation and the extremes of some numbers.
pub fn moments(numbers: impl IntoIterator<Item = f64>) -> Moments {
    let mut moments = Moments::default();
    numbers.into_iter().for_each(|number| moments.add(number));
    moments
}

/// The standard error of the mean of some numbers.
pub fn standard_error(moments: &Moments) -> f64 {
    moments.sd() / (moments.count as f64).sqrt()
}

/// Draws positions of an endgame by a seed: the first ones with White to move that have this outcome for White, and all
/// men of the endgame.
pub fn drawn_starts(bench: &Bench<'_>, name: &str, outcome: Outcome, count: usize) -> Result<Vec<Chess>> {
    let oracle = bench.oracle(Metric::Dtc);
    let extent = Extent::Sample { placements: 1_000_000, seed: SEED };
    let no_men = ReproduceError::Internal("an experiment with bare kings");
    let cells = Cells::new(crate::bench::material(name)?, extent).ok_or(no_men)?;
    let mut starts = Vec::new();
    for position in (0..cells.count()).filter_map(|n| cells.position(n)).filter(|at| at.turn() == Color::White) {
        bench.progress.proceed()?;
        if starts.len() == count {
            break;
        }
        if oracle.state(&position)?.outcome() == outcome {
            starts.push(position);
        }
    }
    Ok(starts)
}
