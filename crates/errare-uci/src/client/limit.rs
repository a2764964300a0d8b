//! Limits of a search: depth, nodes, time or clocks.

use shakmaty::{ByColor, Color};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limit of a search: depth, nodes, time or clocks.
///
/// Read from text as `depth=8`, `nodes=20000` or `movetime=100ms` (also `2s`), and written so. Clocks are not read: they
/// change with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Number of plies, as the engine counts them.
    Depth(u32),
    /// Number of positions.
    Nodes(u64),
    /// Time for this move.
    MoveTime(Duration),
    /// The clocks of a game: the engine divides the time itself.
    Clocks(Clocks),
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Time left to each side.
    pub time: ByColor<Duration>,
    /// Time that each side gains with every move.
    pub increment: ByColor<Duration>,
    /// Number of moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Limit {
    /// The command that starts a search of this kind.
    pub(super) fn command(&self) -> String {
        match self {
            Limit::Depth(depth) => format!("go depth {depth}"),
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::MoveTime(time) => format!("go movetime {}", time.as_millis().max(1)),
            Limit::Clocks(Clocks { time, increment, moves_to_go }) => {
                let ByColor { white, black } = time.map(|time| time.as_millis());
                let gain = increment.map(|time| time.as_millis());
                let mut go = format!("go wtime {white} btime {black} winc {} binc {}", gain.white, gain.black);
                if let Some(moves) = moves_to_go {
                    go += &format!(" movestogo {moves}");
                }
                go
            }
        }
    }

    /// The longest time that the limit allows a search, if it limits time.
    pub(super) fn most_time(&self, turn: Color) -> Option<Duration> {
        match self {
            Limit::Depth(_) | Limit::Nodes(_) => None,
            Limit::MoveTime(time) => Some(*time),
            Limit::Clocks(clocks) => Some(*clocks.time.get(turn)),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(depth) => write!(f, "depth={depth}"),
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::MoveTime(time) => write!(f, "movetime={}ms", time.as_millis()),
            Limit::Clocks(Clocks { time, increment, moves_to_go }) => {
                let ByColor { white, black } = time.map(|time| time.as_millis());
                let gain = increment.map(|time| time.as_millis());
                write!(f, "clocks={white}ms+{}ms/{black}ms+{}ms", gain.white, gain.black)?;
                moves_to_go.map_or(Ok(()), |moves| write!(f, "/{moves}"))
            }
        }
    }
}

/// The error of a text that is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid limit `{0}`: expected depth=8, nodes=20000 or movetime=100ms, or other numbers above 0")]
pub struct LimitError(String);

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        let refused = || LimitError(text.to_owned());
        let (key, value) = text.trim().split_once('=').ok_or_else(refused)?;
        let number = |digits: &str| {
            let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|&number| all_digits && number > 0)
        };
        let limit = match key {
            "depth" => number(value).and_then(|depth| u32::try_from(depth).ok()).map(Limit::Depth),
            "nodes" => number(value).map(Limit::Nodes),
            "movetime" => match (value.strip_suffix("ms"), value.strip_suffix('s')) {
                (Some(millis), _) => number(millis),
                (None, Some(seconds)) => number(seconds).and_then(|seconds| seconds.checked_mul(1000)),
                (None, None) => None,
            }
            // An engine counts milliseconds in 32 bits at worst: three weeks.
            .filter(|&millis| millis <= i32::MAX as u64)
            .map(|millis| Limit::MoveTime(Duration::from_millis(millis))),
            _ => None,
        };
        limit.ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_they_are_read() {
        for text in ["depth=8", "nodes=20000", "movetime=100ms"] {
            assert_eq!(text.parse::<Limit>().map(|limit| limit.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("movetime=2s".parse(), Ok(Limit::MoveTime(Duration::from_secs(2))));
        let wrong = [
            "",
            "8",
            "depth",
            "depth=",
            "depth=0",
            "depth=-1",
            "depth=+1",
            "depth=4294967296",
            "nodes=1e6",
            "movetime=100",
            "movetime=s",
            "movetime=0ms",
            "movetime=9999999999s",
            "time=3s",
            "clocks=1ms+0ms/1ms+0ms",
        ];
        for text in wrong {
            assert_eq!(text.parse::<Limit>(), Err(LimitError(text.to_owned())));
        }
    }

    #[test]
    fn commands_are_those_of_uci() {
        assert_eq!(Limit::Depth(8).command(), "go depth 8");
        assert_eq!(Limit::Nodes(9).command(), "go nodes 9");
        assert_eq!(Limit::MoveTime(Duration::from_micros(10)).command(), "go movetime 1");
        let clocks = Clocks {
            time: ByColor { white: Duration::from_secs(60), black: Duration::from_secs(50) },
            increment: ByColor { white: Duration::from_millis(500), black: Duration::ZERO },
            moves_to_go: Some(40),
        };
        let limit = Limit::Clocks(clocks);
        assert_eq!(limit.command(), "go wtime 60000 btime 50000 winc 500 binc 0 movestogo 40");
        assert_eq!(limit.to_string(), "clocks=60000ms+500ms/50000ms+0ms/40");
        assert_eq!(limit.most_time(Color::Black), Some(Duration::from_secs(50)));
    }
}
