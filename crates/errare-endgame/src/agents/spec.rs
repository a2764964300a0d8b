//! Agents as text: `player:20`, `infallible:rook`, `predator:20,plies=4,scope=keeping`, `uci:stockfish`.

use super::draft::{AgentDraft, AgentParameters};
use super::list::{AgentKind, Parameter};
use super::{Agent, Belief, EloPlayer, Emulator, Infallible, Levy, Player, Predator, Scope, Strategist, Ties};
use crate::analyser::Analysis;
use crate::error::EndgameError;
use crate::model::Model;
use crate::strategy::{Strategy, StrategyError};
use errare_choice::{Competence, Posterior};
use errare_tables::{Material, Metric, endgames_after, tables_after, tables_to_mate};
use errare_uci::client::{EngineEntry, EngineEntryError, Limit};
use errare_work::did_you_mean;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// An agent with all its parameters.
///
/// ```
/// use errare_endgame::AgentSpec;
/// let spec: AgentSpec = "predator:20,plies=4".parse()?;
/// assert_eq!(spec.to_string(), "predator:20,plies=4");
/// assert!(AgentSpec::LIST.iter().any(|agent| agent.name == "predator"));
/// # Ok::<(), errare_endgame::AgentSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AgentSpec {
    /// The Player: `player:C`
    Player(Competence),
    /// The infallible player: `infallible`, `infallible:first`, `infallible:rook,king`, `infallible:rook,first`
    Infallible(Ties),
    /// The Predator: `predator:C` or `predator:FILE` with a fixed belief, `predator` for one that learns
    Predator {
        /// The belief about the opponent, if it is fixed.
        opponent: Option<Opponent>,
        /// Number of plies that the Predator looks ahead.
        plies: u16,
        /// The set of moves that the Predator considers.
        scope: Scope,
        /// The metric that the opponent plays to, if it is not the Predator's.
        metric: Option<Metric>,
    },
    /// The Emulator: `emulator:C`
    Emulator(f64),
    /// The attacker of drawn positions by Levy (1987): `levy`, `levy:P`
    Levy {
        /// Number of plies that the agent looks ahead.
        plies: u16,
        /// The probability that the opponent makes each losing move.
        probability: f64,
    },
    /// The attacker of drawn positions that counts errors of all plies: `pitfall`, `pitfall:P`
    Pitfall {
        /// Number of plies that the agent looks ahead.
        plies: u16,
        /// The probability that the opponent makes each losing move.
        probability: f64,
    },
    /// The follower of a strategy: `strategy:SR3*`
    Strategy(Strategy),
    /// The player like people of an Elo: `elo:1800`
    Elo(u16),
    /// A UCI engine: `uci:stockfish,depth=4`
    Engine {
        /// The engine that plays, with its limit.
        entry: EngineEntry,
        /// The limit of each search.
        limit: Limit,
    },
}

impl AgentSpec {
    /// Number of plies that agents look ahead by default.
    pub const DEFAULT_PLIES: u16 = 2;

    /// The probability of each losing move of Levy (1987).
    pub const DEFAULT_PROBABILITY: f64 = 0.01;

    /// The Elos of people that can be imitated.
    pub const ELOS: std::ops::RangeInclusive<u16> = 1000..=3000;

    /// The limit of an engine's searches where no other is given.
    pub const DEFAULT_LIMIT: Limit = Limit::Depth(8);

    /// The kind of agent.
    pub fn kind(&self) -> AgentKind {
        match self {
            AgentSpec::Player(_) => AgentKind::Player,
            AgentSpec::Infallible(_) => AgentKind::Infallible,
            AgentSpec::Predator { .. } => AgentKind::Predator,
            AgentSpec::Emulator(_) => AgentKind::Emulator,
            AgentSpec::Levy { .. } => AgentKind::Levy,
            AgentSpec::Pitfall { .. } => AgentKind::Pitfall,
            AgentSpec::Strategy(_) => AgentKind::Strategy,
            AgentSpec::Elo(_) => AgentKind::Elo,
            AgentSpec::Engine { .. } => AgentKind::Engine,
        }
    }

    /// Makes the agent, ready to play.
    ///
    /// # Errors
    /// If a parameter is invalid, or the posterior of the opponent is not among those of the setting; or if the agent
    /// is an engine, which [`Match`](crate::Match) plays with.
    pub fn build(&self, setting: &AgentSetting) -> Result<Box<dyn Agent>, EndgameError> {
        let model = || setting.model.clone();
        Ok(match self {
            AgentSpec::Player(competence) => Box::new(Player::new(model(), *competence)),
            AgentSpec::Infallible(ties) => Box::new(Infallible::new(ties.clone())),
            AgentSpec::Predator { opponent: Some(opponent), plies, scope, metric } => {
                let belief = setting.belief(opponent)?;
                let belief = metric.map_or(belief.clone(), |metric| belief.in_metric(metric));
                Box::new(Predator::new(belief, *plies, *scope)?)
            }
            AgentSpec::Predator { opponent: None, plies, scope, .. } => {
                Box::new(Predator::learning(&setting.analysis, *plies, *scope)?)
            }
            AgentSpec::Emulator(c) => Box::new(Emulator::new(model(), *c)?),
            AgentSpec::Levy { plies, probability } => Box::new(Levy::new(*plies, *probability)?),
            AgentSpec::Pitfall { plies, probability } => Box::new(Levy::pitfall(*plies, *probability)?),
            AgentSpec::Strategy(strategy) => Box::new(Strategist::new(strategy.clone(), setting.rule)),
            AgentSpec::Elo(elo) => Box::new(EloPlayer::new(*elo)?),
            AgentSpec::Engine { .. } => return Err(EndgameError::EngineElsewhere),
        })
    }

    /// The metrics whose tables the agent needs besides that of the game.
    pub fn metrics(&self) -> Vec<Metric> {
        match self {
            // Values come from DTZ.
            AgentSpec::Strategy(strategy) => [Metric::Dtz].into_iter().chain(strategy.metrics()).collect(),
            AgentSpec::Predator { metric: Some(metric), .. } => vec![*metric],
            _ => Vec::new(),
        }
    }

    /// The tables that the agent may need to choose a move in an endgame, the table of the endgame itself first.
    pub fn tables_to_choose(&self, material: Material, metric: Metric) -> Vec<(Material, Metric)> {
        let metrics = [metric].into_iter().chain(self.metrics());
        match self {
            // An agent that looks ahead may look past a conversion and the recapture.
            AgentSpec::Predator { .. } | AgentSpec::Levy { .. } | AgentSpec::Pitfall { .. } => {
                tables_to_mate(material, metrics)
            }
            _ => tables_after(material, &metrics.collect::<Vec<_>>()),
        }
    }

    /// The tables that games of these agents may need; tables after a conversion only if play goes on there.
    pub fn tables_to_play(
        agents: [&AgentSpec; 2],
        material: Material,
        metric: Metric,
        at_conversion: bool,
    ) -> Vec<(Material, Metric)> {
        let metrics = [metric].into_iter().chain(agents.into_iter().flat_map(AgentSpec::metrics));
        if !at_conversion {
            return tables_to_mate(material, metrics);
        }
        let reach = endgames_after(material, Metric::Dtc);
        metrics.flat_map(|metric| reach.iter().map(move |&material| (material, metric)).collect::<Vec<_>>()).collect()
    }

    /// The file with the posterior of the opponent, if the agent names one.
    pub fn posterior_file(&self) -> Option<&Path> {
        match self {
            AgentSpec::Predator { opponent: Some(Opponent::Posterior(path)), .. } => Some(path),
            _ => None,
        }
    }

    /// Whether the agent never errs by the metric.
    pub fn is_infallible(&self) -> bool {
        matches!(self, AgentSpec::Infallible(_) | AgentSpec::Player(Competence::INFALLIBLE))
    }
}

/// The belief of a Predator about its opponent as text: `20`, or the name of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Opponent {
    /// A certain competence.
    Competence(Competence),
    /// A posterior, by the name of the file that holds it.
    Posterior(PathBuf),
}

impl FromStr for Opponent {
    type Err = std::convert::Infallible;

    /// Reads a competence; any other text is the name of a file.
    fn from_str(text: &str) -> Result<Opponent, Self::Err> {
        Ok(text.parse().map_or_else(|_| Opponent::Posterior(text.into()), Opponent::Competence))
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Competence(competence) => competence.fmt(f),
            Opponent::Posterior(path) => path.display().fmt(f),
        }
    }
}

/// The setting that agents are made with.
#[derive(Clone, Debug)]
pub struct AgentSetting {
    /// The model by which fallible players choose, the agent itself or its opponent.
    pub model: Model,
    /// The analysis whose prior a Predator that learns begins with.
    pub analysis: Analysis,
    /// The move rule that strategies play under.
    pub rule: Option<u16>,
    /// The posteriors of the files that agents name.
    pub posteriors: BTreeMap<PathBuf, Posterior>,
}

impl AgentSetting {
    fn belief(&self, opponent: &Opponent) -> Result<Belief, EndgameError> {
        match opponent {
            Opponent::Competence(competence) => Ok(Belief::point(self.model.clone(), *competence)),
            Opponent::Posterior(path) => {
                let unread = || EndgameError::UnreadPosterior(path.clone());
                Ok(Belief::posterior(self.model.clone(), self.posteriors.get(path).ok_or_else(unread)?))
            }
        }
    }
}

/// A text that is not a valid agent, or a parameter that an agent cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentSpecError {
    /// No agent has this name.
    #[error("invalid agent `{0}`: expected {expected}{near}", near = near(.0), expected = syntaxes())]
    Unknown(String),
    /// The agent needs a competence.
    #[error("the agent `{0}` needs a competence, as in {0}:20")]
    MissingCompetence(&'static str),
    /// The agent needs an Elo.
    #[error("the agent `elo` needs an Elo, as in elo:1800")]
    MissingElo,
    /// A Predator that learns can play to its opponent's metric only.
    #[error(
        "a predator that learns cannot play against another metric: give the opponent, as in predator:20,metric=dtm"
    )]
    LearnsInOneMetric,
    /// The strategy is invalid.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The engine is invalid.
    #[error(transparent)]
    Engine(#[from] EngineEntryError),
    /// A parameter cannot have this value.
    #[error("invalid {parameter} `{value}` of the agent `{agent}`: expected {expected}")]
    Value {
        /// The parameter with the invalid value.
        parameter: Parameter,
        /// The invalid value.
        value: String,
        /// The text or name of the agent.
        agent: String,
        /// A description of what the value should be.
        expected: &'static str,
    },
    /// A word is not a parameter of the agent.
    #[error("unexpected parameter `{value}` in the agent `{text}`: expected {syntax}")]
    Unexpected {
        /// The unexpected word.
        value: String,
        /// The whole text of the agent.
        text: String,
        /// The syntax of the agent.
        syntax: &'static str,
    },
    /// The agent does not take this parameter.
    #[error("the agent `{agent}` takes no {parameter}: leave out {value}")]
    Inapplicable {
        /// The name of the agent.
        agent: &'static str,
        /// The parameter that does not apply.
        parameter: Parameter,
        /// The value given for the parameter.
        value: String,
    },
    /// A parameter is given twice, with different values.
    #[error("conflicting {parameter} of the agent `{agent}`: both {one} and {other} are given")]
    Conflict {
        /// The name of the agent.
        agent: &'static str,
        /// The parameter that is given twice.
        parameter: Parameter,
        /// The value in the agent's text.
        one: String,
        /// The value that is given apart from the text.
        other: String,
    },
}

fn syntaxes() -> String {
    let syntaxes: Vec<&str> = AgentSpec::players().map(|agent| agent.syntax).collect();
    syntaxes.join(", ")
}

/// The agent that was meant, with the parameters that were given.
fn near(text: &str) -> String {
    let (name, parameters) = text.find(':').map_or((text, ""), |colon| text.split_at(colon));
    let question = did_you_mean(name, AgentSpec::LIST.iter().map(|agent| agent.name));
    question.strip_suffix('?').map_or_else(String::new, |question| format!("{question}{parameters}?"))
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentSpecError> {
        text.parse::<AgentDraft>()?.finish()
    }
}

impl From<AgentSpec> for AgentDraft {
    /// Converts an agent to a draft. Parameters that have their default values are left out.
    fn from(spec: AgentSpec) -> AgentDraft {
        let kind = spec.kind();
        let plies = |plies: u16| (plies != AgentSpec::DEFAULT_PLIES).then_some(plies);
        let none = AgentParameters::default();
        let parameters = match spec {
            AgentSpec::Player(competence) => AgentParameters { competence: Some(competence), ..none },
            AgentSpec::Infallible(ties) => AgentParameters { ties: Some(ties), ..none },
            AgentSpec::Predator { opponent, plies: ahead, scope, metric } => AgentParameters {
                opponent,
                plies: plies(ahead),
                scope: (scope != Scope::default()).then_some(scope),
                metric,
                ..none
            },
            AgentSpec::Emulator(c) => AgentParameters { competence: Competence::new(c).ok(), ..none },
            AgentSpec::Levy { plies: ahead, probability } | AgentSpec::Pitfall { plies: ahead, probability } => {
                AgentParameters { plies: plies(ahead), probability: Some(probability), ..none }
            }
            AgentSpec::Strategy(strategy) => AgentParameters { strategy: Some(strategy), ..none },
            AgentSpec::Elo(elo) => AgentParameters { elo: Some(elo), ..none },
            AgentSpec::Engine { entry, .. } => AgentParameters { engine: Some(entry), ..none },
        };
        AgentDraft { kind, parameters }
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        AgentDraft::from(self.clone()).fmt(f)
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
            "predator:browne.json,plies=4",
            "elo:1800",
            "emulator:15",
            "levy:0.01",
            "levy:0.2,plies=6",
            "pitfall:0.2,plies=6",
            "strategy:SR3ZCM*",
            "uci:stockfish,depth=4",
            "uci:./my engine -v,nodes=100,option.Hash=64,option.Skill Level=3",
        ] {
            assert_eq!(text.parse::<AgentSpec>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            "uci:stockfish".parse::<AgentSpec>().map(|spec| spec.to_string()),
            Ok("uci:stockfish,depth=8".to_owned())
        );
        assert_eq!("levy".parse(), Ok(AgentSpec::Levy { plies: 2, probability: 0.01 }));
        let file = "predator:browne.json".parse::<AgentSpec>();
        assert_eq!(file.map(|spec| spec.posterior_file().map(Path::to_owned)), Ok(Some("browne.json".into())));
    }

    #[test]
    fn invalid_agents_are_refused_by_name() {
        let refused =
            |text: &str| text.parse::<AgentSpec>().map_err(|error| error.to_string()).err().unwrap_or_default();
        assert!(refused("playr:20").starts_with("invalid agent `playr:20`: expected player:C, infallible"));
        assert!(refused("playr:20").ends_with("; did you mean player:20?"), "{}", refused("playr:20"));
        assert!(!refused("bishop").contains("did you mean"), "{}", refused("bishop"));
        assert_eq!(refused("player"), "the agent `player` needs a competence, as in player:20");
        assert_eq!(
            refused("player:x"),
            "invalid competence `x` of the agent `player:x`: expected a number from -1e100 to 1e100, inf or -inf"
        );
        assert!(refused("player:20,30").contains("unexpected parameter `30` in the agent `player:20,30`"));
        assert!(refused("predator:20,plies=3").contains("invalid search depth `3`"));
        assert!(refused("levy:plies=60000").contains("invalid search depth `60000`"));
        assert!(refused("levy:plies=60000").ends_with("expected an even number of plies from 2 to 64"));
        assert!(refused("predator:20,30").contains("unexpected parameter `30`"));
        assert!(refused("predator:20,metric=dtx").contains("invalid metric of the opponent `dtx`"));
        assert!(refused("predator:metric=dtm").contains("give the opponent"));
        assert!(refused("levy:2").contains("invalid error probability `2`"));
        assert!(refused("levy:scope=all").contains("unexpected parameter `scope=all`"));
        assert!(refused("emulator:-3").contains("invalid competence `-3`"));
        assert!(refused("uci").contains("missing engine"));
        assert!(refused("uci:x,depth=0").contains("invalid limit `depth=0`"));
        assert!(refused("infallible:rok").contains("invalid piece `rok`"));
        assert!(refused("infallible:first,rook").contains("invalid piece `first`"));
    }
}
