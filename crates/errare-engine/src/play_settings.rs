//! Settings of the engine's play where there are tables.

use errare_choice::{Competence, Grid, GridError, Kappa, Prior};
use errare_endgame::{
    AgentDraft, AgentInfo, AgentKind, AgentParameters, AgentSpec, AgentSpecError, Analysis, EndgameError, Habits, Hold,
    Model, Parameter, Part, Strategy,
};
use errare_tables::Metric;

/// The agent that plays and its parameters, except for the seed.
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
    /// Whether to play like people of an Elo, whatever the agent.
    pub limit_strength: bool,
    /// The Elo to play at with limited strength, and that of the agent `elo`.
    pub elo: u16,
}

/// The way in which the engine chooses among evaluated moves where there are no tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WithoutTables {
    /// The engine makes the best move.
    Best,
    /// The engine chooses as R_c, by the pawns that a move is behind the best.
    Competence(Competence),
    /// The engine chooses as people of this Elo do.
    Elo(u16),
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
            limit_strength: false,
            elo: PlaySettings::DEFAULT_ELO,
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
    /// The Elo that is used unless another is set.
    pub const DEFAULT_ELO: u16 = 2000;

    /// The agent that plays: the one that is set, unless strength is limited.
    pub fn kind(&self) -> AgentKind {
        if self.limit_strength { AgentKind::Elo } else { self.agent }
    }

    pub fn model(&self) -> Model {
        let hold = if self.hold_value { Hold::Value } else { Hold::Nothing };
        let horizon = (self.horizon > 0).then_some(self.horizon);
        Model::power_law(self.kappa, Habits { hold, horizon, ..Habits::default() })
    }

    /// The analysis of an opponent: competences 0(1)50, all equally likely at first.
    ///
    /// # Errors
    /// If the model cannot be assessed.
    pub fn analysis(&self) -> Result<Analysis, AnalysisError> {
        Ok(Analysis::new(self.model(), Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?)
    }

    /// The agent that plays, with those of its parameters that can be set.
    ///
    /// # Errors
    /// If the agent cannot have these parameters, such as an emulator of a competence below 0.
    pub fn agent(&self) -> Result<AgentSpec, AgentSpecError> {
        let given = AgentParameters {
            competence: self.takes(Parameter::Competence).then_some(self.competence),
            strategy: self.takes(Parameter::Strategy).then(|| self.strategy.clone()),
            elo: self.takes(Parameter::Elo).then_some(self.elo),
            ..AgentParameters::default()
        };
        AgentDraft::new(self.kind()).fill(&given)?.finish()
    }

    /// Whether the agent has a parameter.
    pub fn takes(&self, parameter: Parameter) -> bool {
        AgentInfo::of(self.kind()).parameters.contains(&parameter)
    }

    pub fn rule(&self) -> Option<u16> {
        self.fifty.then_some(50)
    }

    /// The way in which the engine chooses among evaluated moves where there are no tables.
    pub fn without_tables(&self) -> WithoutTables {
        if self.takes(Parameter::Elo) {
            WithoutTables::Elo(self.elo)
        } else if self.takes(Parameter::Competence) && self.competence != Competence::INFALLIBLE {
            WithoutTables::Competence(self.competence)
        } else {
            WithoutTables::Best
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_can_be_made() {
        for info in AgentSpec::LIST {
            let settings = PlaySettings { agent: info.kind, ..PlaySettings::default() };
            assert_eq!(settings.agent().map(|spec| spec.kind()), Ok(info.kind));
        }
        let settings = PlaySettings { agent: AgentKind::Strategy, ..PlaySettings::default() };
        assert_eq!(settings.agent().map(|spec| spec.to_string()), Ok("strategy:SR3*".to_owned()));
    }

    #[test]
    fn only_agents_of_a_competence_or_an_elo_err_without_tables() {
        let fallible: Vec<&str> = AgentSpec::LIST
            .iter()
            .filter(|info| {
                let settings = PlaySettings { agent: info.kind, ..PlaySettings::default() };
                settings.without_tables() != WithoutTables::Best
            })
            .map(|info| info.name)
            .collect();
        assert_eq!(fallible, ["player", "emulator", "elo"]);
        let limited = PlaySettings { limit_strength: true, agent: AgentKind::Levy, ..PlaySettings::default() };
        assert_eq!(limited.without_tables(), WithoutTables::Elo(2000));
        assert_eq!(limited.agent().map(|spec| spec.to_string()), Ok("elo:2000".to_owned()));
    }
}
