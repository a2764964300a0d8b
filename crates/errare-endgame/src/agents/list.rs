//! The list of agents, which help texts, error messages and options are made from.

use super::spec::AgentSpec;
use std::fmt;

/// The kinds of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentKind {
    /// The Player, which plays as R_c, by chance.
    Player,
    /// The infallible player, which plays optimal moves.
    Infallible,
    /// The Predator, which exploits what it knows about the opponent.
    Predator,
    /// The Emulator, which keeps its apparent competence near c.
    Emulator,
    /// The agent that attacks drawn positions as Levy (1987) proposed.
    Levy,
    /// The agent that attacks drawn positions and counts errors of all plies.
    Pitfall,
    /// The strategist, which follows a strategy.
    Strategy,
    /// The agent that plays as people of an Elo do.
    Elo,
    /// The agent that asks a UCI engine.
    Engine,
}

/// An agent as help texts list it.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The kind of the agent.
    pub kind: AgentKind,
    /// The word that the text of an agent begins with.
    pub name: &'static str,
    /// The syntax of the agent's text, with parameters.
    pub syntax: &'static str,
    /// A description, in one line, of what the agent does.
    pub about: &'static str,
    /// The parameters that the agent takes.
    pub parameters: &'static [Parameter],
}

/// The parameters that agents take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parameter {
    /// The competence of the agent.
    Competence,
    /// The belief about the opponent.
    Opponent,
    /// The metric that the opponent plays to.
    Metric,
    /// Number of plies to look ahead.
    Plies,
    /// The set of moves that are considered.
    Scope,
    /// The probability of each losing move.
    Probability,
    /// The choice among moves that are equally good.
    Ties,
    /// The strategy that the agent follows.
    Strategy,
    /// The Elo of the people that the agent plays like.
    Elo,
    /// The command of an engine, its limit and its options.
    Engine,
}

impl AgentSpec {
    /// The agents that give every move a probability, in the order of their kinds. An engine does not: see
    /// [`ENGINE`](AgentSpec::ENGINE).
    pub const LIST: &'static [AgentInfo] = &[
        AgentInfo {
            kind: AgentKind::Player,
            name: "player",
            syntax: "player:C",
            about: "R_c, a fallible player of competence C, by chance; C alone means the same",
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
                    most likely goes wrong at the last ply of the search (Levy 1987); else an optimal one",
            parameters: &[Parameter::Probability, Parameter::Plies],
        },
        AgentInfo {
            kind: AgentKind::Pitfall,
            name: "pitfall",
            syntax: "pitfall[:P][,plies=N]",
            about: "as levy, but the opponent may go wrong at every ply of the search",
            parameters: &[Parameter::Probability, Parameter::Plies],
        },
        AgentInfo {
            kind: AgentKind::Strategy,
            name: "strategy",
            syntax: "strategy:S...",
            about: "a move that a strategy such as SZ, SMC or SR3* allows",
            parameters: &[Parameter::Strategy],
        },
        AgentInfo {
            kind: AgentKind::Elo,
            name: "elo",
            syntax: "elo:N",
            about: "as people of Elo N play, by the competence that they show in the endgame, as attackers or as defenders",
            parameters: &[Parameter::Elo],
        },
    ];

    /// The agent that is a UCI engine. It names a move and gives no probabilities, so that it can play in matches and
    /// nothing else.
    pub const ENGINE: AgentInfo = AgentInfo {
        kind: AgentKind::Engine,
        name: "uci",
        syntax: "uci:COMMAND[,depth=N|nodes=N|movetime=T][,option.NAME=VALUE]...",
        about: "a UCI engine: a file or a command, with arguments after spaces; it searches to depth 8 unless another \
                limit is given",
        parameters: &[Parameter::Engine],
    };

    /// All agents that can play a match: those of the list, and engines.
    pub fn players() -> impl Iterator<Item = &'static AgentInfo> {
        AgentSpec::LIST.iter().chain([&AgentSpec::ENGINE])
    }
}

impl AgentInfo {
    /// The agent of a kind.
    pub fn of(kind: AgentKind) -> &'static AgentInfo {
        AgentSpec::LIST.get(kind as usize).unwrap_or(&AgentSpec::ENGINE)
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
            Parameter::Elo => "Elo",
            Parameter::Engine => "engine",
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
        for text in ["player:1", "infallible", "predator", "emulator:1", "levy", "pitfall", "strategy:SZ", "elo:1800"] {
            let kind = text.parse::<AgentSpec>().map(|spec| spec.kind()).expect("an agent");
            assert!(text.starts_with(AgentInfo::of(kind).name));
        }
        assert_eq!(AgentKind::Elo as usize + 1, AgentSpec::LIST.len());
        assert_eq!(AgentInfo::of(AgentKind::Engine).name, "uci");
    }
}
