//! How the engine plays where there are tables.

use errare_choice::{Competence, Grid, GridError, Kappa, Prior};
use errare_endgame::{AgentSpec, Analysis, EndgameError, Habits, Hold, Model, Part, Scope, Strategy, Ties};
use errare_tables::Metric;

/// The kinds of agents that can be chosen, in the order in which the option lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentKind {
    Player,
    Emulator,
    Predator,
    Infallible,
    Levy,
    Strategy,
}

impl AgentKind {
    pub const ALL: [AgentKind; 6] = [
        AgentKind::Player,
        AgentKind::Emulator,
        AgentKind::Predator,
        AgentKind::Infallible,
        AgentKind::Levy,
        AgentKind::Strategy,
    ];

    /// The name that specifications of agents begin with.
    pub fn name(self) -> &'static str {
        match self {
            AgentKind::Player => "player",
            AgentKind::Emulator => "emulator",
            AgentKind::Predator => "predator",
            AgentKind::Infallible => "infallible",
            AgentKind::Levy => "levy",
            AgentKind::Strategy => "strategy",
        }
    }
}

/// The agent and its parameters. The seed is not among them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaySettings {
    pub agent: AgentKind,
    pub competence: Competence,
    pub kappa: Kappa,
    pub metric: Metric,
    /// Number of moves that a player sees ahead; 0 for none.
    pub horizon: u16,
    pub hold_value: bool,
    pub strategy: Strategy,
    /// Whether fifty quiet moves make a draw.
    pub fifty: bool,
}

impl Default for PlaySettings {
    fn default() -> PlaySettings {
        PlaySettings {
            agent: AgentKind::Player,
            competence: Competence::from(20),
            kappa: Kappa::ONE,
            metric: Metric::Dtc,
            horizon: 0,
            hold_value: false,
            strategy: Strategy::Parts { parts: vec![Part::Goal(3)], starred: true },
            fifty: true,
        }
    }
}

/// Why an opponent cannot be assessed with these settings.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error(transparent)]
    Endgame(#[from] EndgameError),
}

impl PlaySettings {
    pub fn model(&self) -> Model {
        let hold = if self.hold_value { Hold::Value } else { Hold::Nothing };
        let horizon = (self.horizon > 0).then_some(self.horizon);
        Model::power_law(self.kappa, Habits { hold, horizon, ..Habits::default() })
    }

    /// The analysis of an opponent: competences 0(1)50, all alike at first.
    pub fn analysis(&self) -> Result<Analysis, AnalysisError> {
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

    /// The competence with which the engine chooses among evaluated moves where there are no tables.
    pub fn competence_without_tables(&self) -> Competence {
        match self.agent {
            AgentKind::Player | AgentKind::Emulator => self.competence,
            _ => Competence::INFALLIBLE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_names_of_their_specifications() {
        for agent in AgentKind::ALL {
            let spec = PlaySettings { agent, ..PlaySettings::default() }.agent().to_string();
            assert_eq!(spec.split(':').next(), Some(agent.name()));
        }
        assert_eq!(PlaySettings::default().strategy.to_string(), "SR3*");
    }
}
