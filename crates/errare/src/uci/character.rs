//! How the engine plays where there are tables.

use errare_choice::{Competence, Grid, Kappa, Prior};
use errare_endgame::{AgentSpec, Analysis, Habits, Hold, Model, Scope, Strategy, Ties};
use errare_tables::Metric;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentKind {
    Player,
    Emulator,
    Predator,
    Infallible,
    Levy,
    Strategy,
}

/// How the engine plays where there are tables, but for the dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    pub agent: AgentKind,
    pub competence: Competence,
    pub kappa: Kappa,
    pub metric: Metric,
    /// Moves that are seen ahead; none for 0.
    pub horizon: u16,
    pub hold_value: bool,
    pub strategy: Strategy,
    /// Whether fifty quiet moves make a draw.
    pub fifty: bool,
}

impl Character {
    pub fn model(&self) -> Model {
        let hold = if self.hold_value { Hold::Value } else { Hold::Nothing };
        let horizon = (self.horizon > 0).then_some(self.horizon);
        Model::power_law(self.kappa, Habits { hold, horizon, ..Habits::default() })
    }

    /// What is thought possible of an opponent: 0(1)50, all alike at first.
    pub fn analysis(&self) -> anyhow::Result<Analysis> {
        Ok(Analysis::new(self.model(), Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?)
    }

    pub fn agent(&self) -> AgentSpec {
        match self.agent {
            AgentKind::Player => AgentSpec::Player(self.competence),
            AgentKind::Emulator => AgentSpec::Emulator(self.competence.value()),
            AgentKind::Predator => {
                AgentSpec::Predator { opponent: None, plies: 2, scope: Scope::Optimal, metric: None }
            }
            AgentKind::Infallible => AgentSpec::Infallible(Ties::UNIFORM),
            AgentKind::Levy => AgentSpec::Levy { plies: 2, probability: 0.01 },
            AgentKind::Strategy => AgentSpec::Strategy(self.strategy.clone()),
        }
    }

    pub fn rule(&self) -> Option<u16> {
        self.fifty.then_some(50)
    }

    /// How well it chooses from an adviser's list, where there are no tables.
    pub fn competence_without_tables(&self) -> Competence {
        match self.agent {
            AgentKind::Player | AgentKind::Emulator => self.competence,
            _ => Competence::INFALLIBLE,
        }
    }
}
