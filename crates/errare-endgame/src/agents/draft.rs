//! Incomplete agents: a kind, and the parameters that are known so far.

use super::check_plies;
use super::infallible::Ties;
use super::list::{AgentInfo, AgentKind, Parameter};
use super::predator::Scope;
use super::spec::{AgentSpec, AgentSpecError, Opponent};
use crate::habits::{role, role_name};
use crate::strategy::Strategy;
use errare_choice::Competence;
use errare_tables::Metric;
use errare_uci::client::{EngineEntry, EngineEntryError, EngineSpecError};
use std::fmt;
use std::str::FromStr;

/// An agent whose parameters may be incomplete, as a text describes it.
///
/// ```
/// use errare_endgame::{AgentDraft, AgentParameters};
/// let given = AgentParameters { plies: Some(4), ..AgentParameters::default() };
/// let spec = "predator:20".parse::<AgentDraft>()?.fill(&given)?.finish()?;
/// assert_eq!(spec.to_string(), "predator:20,plies=4");
/// # Ok::<(), errare_endgame::AgentSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDraft {
    /// The kind of agent.
    pub kind: AgentKind,
    /// The parameters known so far.
    pub parameters: AgentParameters,
}

/// Parameters of an agent; none for those that are not given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentParameters {
    /// The competence of the agent.
    pub competence: Option<Competence>,
    /// The belief about the opponent.
    pub opponent: Option<Opponent>,
    /// The metric that the opponent plays to.
    pub metric: Option<Metric>,
    /// Number of plies to look ahead.
    pub plies: Option<u16>,
    /// The set of moves that are considered.
    pub scope: Option<Scope>,
    /// The probability of each losing move.
    pub probability: Option<f64>,
    /// The choice among moves that are equally good.
    pub ties: Option<Ties>,
    /// The strategy that the agent follows.
    pub strategy: Option<Strategy>,
    /// The Elo of the people that the agent plays like.
    pub elo: Option<u16>,
    /// The engine that plays.
    pub engine: Option<EngineEntry>,
}

impl AgentDraft {
    /// Makes an agent of a kind without parameters.
    pub fn new(kind: AgentKind) -> AgentDraft {
        AgentDraft { kind, parameters: AgentParameters::default() }
    }

    /// Fills in parameters that were given apart from the text.
    ///
    /// # Errors
    /// If the agent takes no such parameter, or the text has another value for it.
    pub fn fill(mut self, given: &AgentParameters) -> Result<AgentDraft, AgentSpecError> {
        let info = AgentInfo::of(self.kind);
        let own = &mut self.parameters;
        fill(info, Parameter::Competence, &mut own.competence, &given.competence)?;
        fill(info, Parameter::Opponent, &mut own.opponent, &given.opponent)?;
        fill(info, Parameter::Metric, &mut own.metric, &given.metric)?;
        fill(info, Parameter::Plies, &mut own.plies, &given.plies)?;
        fill(info, Parameter::Scope, &mut own.scope, &given.scope)?;
        fill(info, Parameter::Probability, &mut own.probability, &given.probability)?;
        fill(info, Parameter::Ties, &mut own.ties, &given.ties)?;
        fill(info, Parameter::Strategy, &mut own.strategy, &given.strategy)?;
        fill(info, Parameter::Elo, &mut own.elo, &given.elo)?;
        fill(info, Parameter::Engine, &mut own.engine, &given.engine)?;
        Ok(self)
    }

    /// Completes the agent, with defaults for what is missing.
    ///
    /// # Errors
    /// If a parameter without a default is missing, or one has a value that it cannot have.
    pub fn finish(self) -> Result<AgentSpec, AgentSpecError> {
        let AgentInfo { name, .. } = *AgentInfo::of(self.kind);
        let given = self.parameters;
        let refused = |parameter, value: String, expected| {
            Err(AgentSpecError::Value { parameter, value, agent: name.to_owned(), expected })
        };
        let competence = || given.competence.ok_or(AgentSpecError::MissingCompetence(name));
        let plies = given.plies.unwrap_or(AgentSpec::DEFAULT_PLIES);
        if check_plies(plies).is_err() {
            return refused(Parameter::Plies, plies.to_string(), EVEN_PLIES);
        }
        Ok(match self.kind {
            AgentKind::Player => AgentSpec::Player(competence()?),
            AgentKind::Infallible => AgentSpec::Infallible(given.ties.unwrap_or_default()),
            AgentKind::Predator => {
                if given.opponent.is_none() && given.metric.is_some() {
                    return Err(AgentSpecError::LearnsInOneMetric);
                }
                let scope = given.scope.unwrap_or_default();
                AgentSpec::Predator { opponent: given.opponent, plies, scope, metric: given.metric }
            }
            AgentKind::Emulator => match competence()?.value() {
                c if c.is_finite() && c > 0.0 => AgentSpec::Emulator(c),
                c => return refused(Parameter::Competence, c.to_string(), "a finite number above 0"),
            },
            AgentKind::Levy | AgentKind::Pitfall => {
                let probability = given.probability.unwrap_or(AgentSpec::DEFAULT_PROBABILITY);
                if !(0.0..=1.0).contains(&probability) {
                    return refused(Parameter::Probability, probability.to_string(), PROBABILITY);
                }
                match self.kind {
                    AgentKind::Levy => AgentSpec::Levy { plies, probability },
                    _ => AgentSpec::Pitfall { plies, probability },
                }
            }
            AgentKind::Strategy => AgentSpec::Strategy(match given.strategy {
                Some(strategy) => strategy,
                None => "".parse::<Strategy>()?,
            }),
            AgentKind::Elo => match given.elo.ok_or(AgentSpecError::MissingElo)? {
                elo if AgentSpec::ELOS.contains(&elo) => AgentSpec::Elo(elo),
                elo => return refused(Parameter::Elo, elo.to_string(), ELO),
            },
            AgentKind::Engine => {
                let entry = given.engine.ok_or(EngineEntryError::Engine(EngineSpecError))?;
                let limit = entry.limit.unwrap_or(AgentSpec::DEFAULT_LIMIT);
                AgentSpec::Engine { entry: EngineEntry { limit: Some(limit), ..entry }, limit }
            }
        })
    }
}

const COMPETENCE: &str = "a number from -1e100 to 1e100, inf or -inf";
const EVEN_PLIES: &str = "an even number of plies from 2 to 64";
const PROBABILITY: &str = "a number from 0 to 1";
const ELO: &str = "a whole number from 1000 to 3000";

fn fill<T: Clone + PartialEq + fmt::Display>(
    info: &AgentInfo,
    parameter: Parameter,
    own: &mut Option<T>,
    given: &Option<T>,
) -> Result<(), AgentSpecError> {
    let Some(given) = given else { return Ok(()) };
    if !info.parameters.contains(&parameter) {
        return Err(AgentSpecError::Inapplicable { agent: info.name, parameter, value: given.to_string() });
    }
    match own {
        Some(own) if own != given => {
            let (one, other) = (own.to_string(), given.to_string());
            Err(AgentSpecError::Conflict { agent: info.name, parameter, one, other })
        }
        own => {
            *own = Some(given.clone());
            Ok(())
        }
    }
}

impl FromStr for AgentDraft {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<AgentDraft, AgentSpecError> {
        // A bare number is the player of that competence.
        if let Ok(competence) = text.parse::<Competence>() {
            let parameters = AgentParameters { competence: Some(competence), ..AgentParameters::default() };
            return Ok(AgentDraft { kind: AgentKind::Player, parameters });
        }
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let info = AgentSpec::players().find(|agent| agent.name == name);
        let info = info.ok_or_else(|| AgentSpecError::Unknown(text.to_owned()))?;
        let mut draft = AgentDraft::new(info.kind);
        let parts: Vec<&str> = rest.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        match info.kind {
            AgentKind::Strategy | AgentKind::Engine if rest.is_empty() => {}
            AgentKind::Engine => draft.parameters.engine = Some(rest.parse::<EngineEntry>()?),
            AgentKind::Strategy => draft.parameters.strategy = Some(rest.parse::<Strategy>()?),
            AgentKind::Infallible if parts.is_empty() => {}
            AgentKind::Infallible => draft.parameters.ties = Some(ties(&parts, text)?),
            _ => parts.iter().try_for_each(|part| draft.parameters.read(part, info, text))?,
        }
        Ok(draft)
    }
}

impl AgentParameters {
    /// Reads one parameter of an agent's text: `name=value`, or a bare value.
    fn read(&mut self, part: &str, info: &AgentInfo, text: &str) -> Result<(), AgentSpecError> {
        let named = match part.split_once('=') {
            Some(("plies", value)) => Some((Parameter::Plies, value)),
            Some(("scope", value)) => Some((Parameter::Scope, value)),
            Some(("metric", value)) => Some((Parameter::Metric, value)),
            Some(_) => None,
            // The first parameter in the list is the one without a name.
            None => info.parameters.first().map(|&first| (first, part)),
        };
        let unexpected =
            || AgentSpecError::Unexpected { value: part.to_owned(), text: text.to_owned(), syntax: info.syntax };
        let (parameter, value) =
            named.filter(|(parameter, _)| info.parameters.contains(parameter)).ok_or_else(unexpected)?;
        let refused =
            |expected| AgentSpecError::Value { parameter, value: value.to_owned(), agent: text.to_owned(), expected };
        let twice = match parameter {
            Parameter::Competence => self.competence.replace(value.parse().map_err(|_| refused(COMPETENCE))?).is_some(),
            Parameter::Opponent => {
                let Ok(opponent) = value.parse();
                self.opponent.replace(opponent).is_some()
            }
            Parameter::Metric => {
                self.metric.replace(value.parse().map_err(|_| refused("dtm, dtc, dtz, dtz50 or dtr"))?).is_some()
            }
            Parameter::Plies => {
                let even = value.parse().ok().filter(|plies| check_plies(*plies).is_ok());
                self.plies.replace(even.ok_or_else(|| refused(EVEN_PLIES))?).is_some()
            }
            Parameter::Scope => {
                self.scope.replace(value.parse().map_err(|_| refused("optimal, keeping or all"))?).is_some()
            }
            Parameter::Probability => {
                let probability = value.parse().ok().filter(|p| (0.0..=1.0).contains(p));
                self.probability.replace(probability.ok_or_else(|| refused(PROBABILITY))?).is_some()
            }
            Parameter::Elo => {
                let elo = value.parse().ok().filter(|elo| AgentSpec::ELOS.contains(elo));
                self.elo.replace(elo.ok_or_else(|| refused(ELO))?).is_some()
            }
            Parameter::Ties | Parameter::Strategy | Parameter::Engine => true,
        };
        if twice { Err(unexpected()) } else { Ok(()) }
    }
}

fn ties(parts: &[&str], text: &str) -> Result<Ties, AgentSpecError> {
    let first = parts.last() == Some(&"first");
    let piece = |name: &&str| {
        role(name).ok_or_else(|| AgentSpecError::Value {
            parameter: Parameter::Ties,
            value: (*name).to_owned(),
            agent: text.to_owned(),
            expected: "king, queen, rook, bishop, knight or pawn, and at the end perhaps first",
        })
    };
    let pieces = parts[..parts.len() - usize::from(first)].iter().map(piece).collect::<Result<_, _>>()?;
    Ok(Ties { pieces, first })
}

impl fmt::Display for AgentDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentParameters { competence, opponent, metric, plies, scope, probability, ties, strategy, elo, engine } =
            &self.parameters;
        let parts = [
            competence.map(|c| c.to_string()),
            opponent.as_ref().map(ToString::to_string),
            probability.map(|p| p.to_string()),
            strategy.as_ref().map(ToString::to_string),
            elo.map(|elo| elo.to_string()),
            engine.as_ref().map(ToString::to_string),
            ties.as_ref().map(ToString::to_string),
            plies.map(|plies| format!("plies={plies}")),
            scope.map(|scope| format!("scope={scope}")),
            metric.map(|metric| format!("metric={metric}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let name = AgentInfo::of(self.kind).name;
        if parts.is_empty() { f.write_str(name) } else { write!(f, "{name}:{}", parts.join(",")) }
    }
}

/// Writes the preferred pieces in their order, and `first`; nothing for a choice by chance.
impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.pieces.iter().map(|&role| role_name(role));
        let parts: Vec<&str> = names.chain(self.first.then_some("first")).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, given: &AgentParameters) -> Result<String, String> {
        let draft: AgentDraft = text.parse().map_err(|error: AgentSpecError| error.to_string())?;
        let spec = draft.fill(given).and_then(AgentDraft::finish);
        spec.map(|spec| spec.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn parameters_given_apart_fill_gaps() {
        let none = AgentParameters::default();
        let c = AgentParameters { competence: Competence::new(20.0).ok(), ..none.clone() };
        assert_eq!(filled("player", &c), Ok("player:20".to_owned()));
        assert_eq!(filled("player:20", &c), Ok("player:20".to_owned()));
        let none_given = AgentParameters::default();
        for text in ["20", "20.0", " 20"] {
            assert_eq!(filled(text, &none_given), Ok("player:20".to_owned()));
        }
        assert_eq!(filled("-inf", &none_given), Ok("player:-inf".to_owned()));
        let deep = AgentParameters { plies: Some(4), scope: Some(Scope::All), ..none.clone() };
        assert_eq!(filled("predator:browne.json", &deep), Ok("predator:browne.json,plies=4,scope=all".to_owned()));
        let careless = AgentParameters { probability: Some(0.5), ..none.clone() };
        assert_eq!(filled("levy:plies=4", &careless), Ok("levy:0.5,plies=4".to_owned()));
        for text in
            ["player", "predator:20,plies=4", "levy:plies=6", "pitfall:0.1", "infallible:rook,first", "strategy:SZ"]
        {
            assert_eq!(text.parse::<AgentDraft>().map(|draft| draft.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn conflicts_and_gaps_are_refused() {
        let none = AgentParameters::default();
        let c = AgentParameters { competence: Competence::new(20.0).ok(), ..none.clone() };
        let expected = "conflicting competence of the agent `player`: both 15 and 20 are given";
        assert_eq!(filled("player:15", &c), Err(expected.to_owned()));
        let expected = "the agent `predator` takes no competence: leave out 20";
        assert_eq!(filled("predator", &c), Err(expected.to_owned()));
        assert_eq!(
            filled("emulator", &none),
            Err("the agent `emulator` needs a competence, as in emulator:20".to_owned())
        );
        let odd = AgentParameters { plies: Some(3), ..none };
        let expected = "invalid search depth `3` of the agent `levy`: expected an even number of plies from 2 to 64";
        assert_eq!(filled("levy", &odd), Err(expected.to_owned()));
    }
}
