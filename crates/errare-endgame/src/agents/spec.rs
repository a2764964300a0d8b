//! Agents as people write them: `player:20`, `infallible:rook`, `predator:20,plies=4,scope=keeping`.

use super::{Agent, Belief, Emulator, Infallible, Levy, Player, Predator, Scope, Strategist, Ties, check_plies};
use crate::analyser::Analysis;
use crate::error::EndgameError;
use crate::habits::{role, role_name};
use crate::model::Model;
use crate::strategy::{Strategy, StrategyError};
use errare_choice::Competence;
use errare_tables::Metric;
use std::fmt;
use std::str::FromStr;

/// Which agent, with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSpec {
    /// `player:C`
    Player(Competence),
    /// `infallible`, `infallible:first`, `infallible:rook,king`, `infallible:rook,first`
    Infallible(Ties),
    /// `predator:C` against a known competence, `predator` for one that learns
    Predator {
        /// The opponent's competence, if it is known.
        opponent: Option<Competence>,
        /// How far it looks.
        plies: u16,
        /// What it considers.
        scope: Scope,
        /// What the opponent plays to, if it is something else.
        metric: Option<Metric>,
    },
    /// `emulator:C`
    Emulator(f64),
    /// `levy`, `levy:P`
    Levy {
        /// How far it looks.
        plies: u16,
        /// With what probability each losing move is made.
        probability: f64,
    },
    /// `strategy:SR3*`
    Strategy(Strategy),
}

/// What agents are made with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// How fallible players choose, the agent itself or its opponent.
    pub model: Model,
    /// How a Predator that learns begins.
    pub analysis: Analysis,
    /// The move rule that strategies play under.
    pub rule: Option<u16>,
}

/// Why a text is no agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentSpecError {
    /// No such agent.
    #[error(
        "`{0}` is no agent: use player:C, infallible, infallible:first, infallible:PIECE, predator, predator:C, \
         emulator:C, levy, levy:P or strategy:S..., as in player:20"
    )]
    Unknown(String),
    /// The agent needs a competence.
    #[error("`{0}` needs a competence, as in {0}:20")]
    Missing(String),
    /// A strategy that is none.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// A parameter that is none of the agent's.
    #[error("`{value}` is no {what}, in the agent `{text}`")]
    Parameter {
        /// The parameter.
        value: String,
        /// What it should be.
        what: &'static str,
        /// The whole.
        text: String,
    },
}

impl AgentSpec {
    /// The agent, ready to play.
    pub fn build(&self, setting: &Setting) -> Result<Box<dyn Agent>, EndgameError> {
        let model = || setting.model.clone();
        Ok(match self {
            AgentSpec::Player(competence) => Box::new(Player::new(model(), *competence)),
            AgentSpec::Infallible(ties) => Box::new(Infallible::new(ties.clone())),
            AgentSpec::Predator { opponent: Some(c), plies, scope, metric } => {
                let belief = Belief::point(model(), *c);
                let belief = metric.map_or(belief.clone(), |metric| belief.in_metric(metric));
                Box::new(Predator::new(belief, *plies, *scope)?)
            }
            AgentSpec::Predator { opponent: None, plies, scope, .. } => {
                Box::new(Predator::learning(&setting.analysis, *plies, *scope)?)
            }
            AgentSpec::Emulator(c) => Box::new(Emulator::new(model(), *c)?),
            AgentSpec::Levy { plies, probability } => Box::new(Levy::new(*plies, *probability)?),
            AgentSpec::Strategy(strategy) => Box::new(Strategist::new(strategy.clone(), setting.rule)),
        })
    }

    /// The metrics whose tables it asks besides the one that everything is measured by.
    pub fn metrics(&self) -> Vec<Metric> {
        match self {
            // Values come from DTZ.
            AgentSpec::Strategy(strategy) => strategy.metrics().into_iter().chain([Metric::Dtz]).collect(),
            AgentSpec::Predator { metric: Some(metric), .. } => vec![*metric],
            _ => Vec::new(),
        }
    }

    /// Whether the agent never errs by the metric.
    pub fn is_infallible(&self) -> bool {
        matches!(self, AgentSpec::Infallible(_) | AgentSpec::Player(Competence::INFALLIBLE))
    }
}

/// How far Predator and Levy search look if nothing else is said.
const PLIES: u16 = 2;

/// Levy's own figure.
const LEVY: f64 = 0.01;

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentSpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let parameters: Vec<&str> = rest.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let refused =
            |value: &str, what| AgentSpecError::Parameter { value: value.to_owned(), what, text: text.to_owned() };
        let competence = |value: &str| value.parse::<Competence>().map_err(|_| refused(value, "competence"));
        let only = || match parameters[..] {
            [one] => Ok(one),
            [] => Err(AgentSpecError::Missing(name.to_owned())),
            [_, extra, ..] => Err(refused(extra, "parameter of this agent")),
        };
        match name {
            "player" => Ok(AgentSpec::Player(competence(only()?)?)),
            "infallible" => {
                let first = parameters.last() == Some(&"first");
                let pieces = &parameters[..parameters.len() - usize::from(first)];
                let piece = |name: &&str| role(name).ok_or_else(|| refused(name, "piece"));
                let pieces = pieces.iter().map(piece).collect::<Result<_, _>>()?;
                Ok(AgentSpec::Infallible(Ties { pieces, first }))
            }
            "predator" | "levy" => {
                let (mut plies, mut scope, mut metric, mut number) = (PLIES, Scope::Optimal, None, None);
                for &parameter in &parameters {
                    match parameter.split_once('=') {
                        Some(("plies", value)) => {
                            let even = value.parse().ok().filter(|plies| check_plies(*plies).is_ok());
                            plies = even.ok_or_else(|| refused(value, "even number of plies from 2 to 64"))?;
                        }
                        Some(("scope", value)) if name == "predator" => {
                            scope = value.parse().map_err(|_| refused(value, "scope: use optimal, keeping or all"))?;
                        }
                        Some(("metric", value)) if name == "predator" => {
                            metric = Some(value.parse().map_err(|_| refused(value, "metric"))?);
                        }
                        None if number.is_none() => number = Some(parameter),
                        _ => return Err(refused(parameter, "parameter of this agent")),
                    }
                }
                if name == "predator" {
                    let opponent = number.map(competence).transpose()?;
                    if opponent.is_none() && metric.is_some() {
                        // A learner reads moves in its own metric.
                        return Err(AgentSpecError::Missing(name.to_owned()));
                    }
                    return Ok(AgentSpec::Predator { opponent, plies, scope, metric });
                }
                let probability = number.map_or(Some(LEVY), |value| value.parse().ok());
                let probability = probability.filter(|p| (0.0..=1.0).contains(p));
                let probability = probability.ok_or_else(|| refused(number.unwrap_or(""), "probability"))?;
                Ok(AgentSpec::Levy { plies, probability })
            }
            "emulator" => {
                let value = only()?;
                let c = value.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0);
                Ok(AgentSpec::Emulator(c.ok_or_else(|| refused(value, "finite competence above 0"))?))
            }
            "strategy" => Ok(AgentSpec::Strategy(rest.parse()?)),
            _ => Err(AgentSpecError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let looks = |plies: &u16| if *plies == PLIES { String::new() } else { format!("plies={plies}") };
        let parts: Vec<String> = match self {
            AgentSpec::Player(c) => vec![c.to_string()],
            AgentSpec::Infallible(Ties { pieces, first }) => {
                let names = pieces.iter().map(|&role| role_name(role).to_owned());
                names.chain(first.then(|| "first".to_owned())).collect()
            }
            AgentSpec::Predator { opponent, plies, scope, metric } => {
                let scope = if *scope == Scope::Optimal { String::new() } else { format!("scope={scope}") };
                let metric = metric.map_or_else(String::new, |metric| format!("metric={metric}"));
                vec![opponent.map_or_else(String::new, |c| c.to_string()), looks(plies), scope, metric]
            }
            AgentSpec::Emulator(c) => vec![c.to_string()],
            AgentSpec::Levy { plies, probability } => vec![probability.to_string(), looks(plies)],
            AgentSpec::Strategy(strategy) => vec![strategy.to_string()],
        };
        let name = match self {
            AgentSpec::Player(_) => "player",
            AgentSpec::Infallible(_) => "infallible",
            AgentSpec::Predator { .. } => "predator",
            AgentSpec::Emulator(_) => "emulator",
            AgentSpec::Levy { .. } => "levy",
            AgentSpec::Strategy(_) => "strategy",
        };
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { f.write_str(name) } else { write!(f, "{name}:{}", parts.join(",")) }
    }
}

/// Why a text is no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no scope: use optimal, keeping or all")]
pub struct ScopeError(String);

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Scope, ScopeError> {
        match text {
            "optimal" => Ok(Scope::Optimal),
            "keeping" => Ok(Scope::Keeping),
            "all" => Ok(Scope::All),
            _ => Err(ScopeError(text.to_owned())),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scope::Optimal => "optimal",
            Scope::Keeping => "keeping",
            Scope::All => "all",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_written_as_they_are_read() {
        for text in [
            "player:20",
            "player:-inf",
            "infallible",
            "infallible:first",
            "infallible:rook,king",
            "infallible:rook,first",
            "predator",
            "predator:20",
            "predator:15.5,plies=4,scope=keeping",
            "predator:inf,metric=dtm",
            "emulator:15",
            "levy:0.01",
            "levy:0.2,plies=6",
            "strategy:SR3ZCM*",
        ] {
            assert_eq!(text.parse::<AgentSpec>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("levy".parse(), Ok(AgentSpec::Levy { plies: 2, probability: 0.01 }));
    }

    #[test]
    fn what_is_no_agent_is_refused_by_name() {
        let refused =
            |text: &str| text.parse::<AgentSpec>().map_err(|error| error.to_string()).err().unwrap_or_default();
        assert!(refused("playr:20").starts_with("`playr:20` is no agent"));
        assert_eq!(refused("player"), "`player` needs a competence, as in player:20");
        assert!(refused("player:x").contains("invalid competence `x`"));
        assert!(refused("predator:20,plies=3").contains("`3` is no even number of plies"));
        assert!(refused("levy:plies=60000").contains("`60000` is no even number of plies from 2 to 64"));
        assert!(refused("predator:20,30").contains("`30` is no parameter"));
        assert!(refused("predator:20,metric=dtx").contains("invalid metric `dtx`"));
        assert!(refused("predator:metric=dtm").contains("needs a competence"));
        assert!(refused("levy:2").contains("`2` is no probability"));
        assert!(refused("levy:scope=all").contains("`scope=all` is no parameter"));
        assert!(refused("emulator:-3").contains("`-3` is no finite competence"));
        assert!(refused("infallible:rok").contains("`rok` is no piece"));
        assert!(refused("infallible:first,rook").contains("`first` is no piece"));
    }
}
