//! The list of agents, which help texts, error messages and options are made from.

use super::spec::AgentSpec;
use std::fmt;

/// The kinds of agent there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentKind {
    /// R_c.
    Player,
    /// Plays optimal moves.
    Infallible,
    /// Makes the most of what it knows about the opponent.
    Predator,
    /// Looks like R_c.
    Emulator,
    /// Attacks drawn positions.
    Levy,
    /// Follows a strategy.
    Strategy,
}

/// An agent as help texts list it.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The kind.
    pub kind: AgentKind,
    /// The word that the text of an agent begins with.
    pub name: &'static str,
    /// How it is written, with its parameters.
    pub syntax: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The parameters that it takes.
    pub parameters: &'static [Parameter],
}

/// The parameters that agents take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parameter {
    /// The competence of the agent itself.
    Competence,
    /// The belief about the opponent.
    Opponent,
    /// The metric that the opponent plays to.
    Metric,
    /// Number of plies to look ahead.
    Plies,
    /// Which moves are considered.
    Scope,
    /// The probability of each losing move.
    Probability,
    /// How to choose among equals.
    Ties,
    /// The strategy to follow.
    Strategy,
}

impl AgentSpec {
    /// All agents, in the order of their kinds.
    pub const LIST: &'static [AgentInfo] = &[
        AgentInfo {
            kind: AgentKind::Player,
            name: "player",
            syntax: "player:C",
            about: "R_c, a fallible player of competence C, by chance",
            parameters: &[Parameter::Competence],
        },
        AgentInfo {
            kind: AgentKind::Infallible,
            name: "infallible",
            syntax: "infallible[:PIECE,...,first]",
            about: "optimal moves, by chance among equals; moves of these PIECEs before others, and with first always the same one",
            parameters: &[Parameter::Ties],
        },
        AgentInfo {
            kind: AgentKind::Predator,
            name: "predator",
            syntax: "predator[:C|FILE][,plies=N][,scope=optimal|keeping|all][,metric=METRIC]",
            about: "the best expectation against an opponent of competence C or of the posterior in FILE, or learnt from \
                    the opponent's moves",
            parameters: &[Parameter::Opponent, Parameter::Plies, Parameter::Scope, Parameter::Metric],
        },
        AgentInfo {
            kind: AgentKind::Emulator,
            name: "emulator",
            syntax: "emulator:C",
            about: "the move after which it looks most like R_c",
            parameters: &[Parameter::Competence],
        },
        AgentInfo {
            kind: AgentKind::Levy,
            name: "levy",
            syntax: "levy[:P][,plies=N]",
            about: "in a drawn position, the move after which an opponent who makes each losing move with probability P \
                    most likely goes wrong; else an optimal one",
            parameters: &[Parameter::Probability, Parameter::Plies],
        },
        AgentInfo {
            kind: AgentKind::Strategy,
            name: "strategy",
            syntax: "strategy:S...",
            about: "a move that a strategy such as SZ, SMC or SR3* allows",
            parameters: &[Parameter::Strategy],
        },
    ];
}

impl AgentInfo {
    /// The agent of a kind.
    pub fn of(kind: AgentKind) -> &'static AgentInfo {
        &AgentSpec::LIST[kind as usize]
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Parameter::Competence => "competence",
            Parameter::Opponent => "opponent",
            Parameter::Metric => "metric of the opponent",
            Parameter::Plies => "search depth",
            Parameter::Scope => "scope",
            Parameter::Probability => "error probability",
            Parameter::Ties => "piece",
            Parameter::Strategy => "strategy",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed_in_its_place() {
        for (place, agent) in AgentSpec::LIST.iter().enumerate() {
            assert_eq!((agent.kind as usize, AgentInfo::of(agent.kind).name), (place, agent.name));
            assert!(agent.syntax.starts_with(agent.name));
        }
        for text in ["player:1", "infallible", "predator", "emulator:1", "levy", "strategy:SZ"] {
            let kind = text.parse::<AgentSpec>().map(|spec| spec.kind()).expect("an agent");
            assert!(text.starts_with(AgentInfo::of(kind).name));
        }
        assert_eq!(AgentKind::Strategy as usize + 1, AgentSpec::LIST.len());
    }
}
