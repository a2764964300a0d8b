//! The command `go`: the limits of a search, and the moves to consider.

use super::words::{Words, number};
use shakmaty::Color;
use shakmaty::uci::UciMove;
use std::fmt;

/// The clock of one side, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left, if `go` gives it. A clock that has run out counts as 0.
    pub left: Option<u64>,
    /// Time that each move adds, if `go` gives it.
    pub increment: Option<u64>,
}

/// The parameters of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The only moves to consider; all moves if empty.
    pub search_moves: Vec<UciMove>,
    /// Whether to search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Clock of White.
    pub white: Clock,
    /// Clock of Black.
    pub black: Clock,
    /// Number of moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// Greatest depth in plies.
    pub depth: Option<u64>,
    /// Greatest number of positions to search.
    pub nodes: Option<u64>,
    /// Number of moves within which a mate is looked for.
    pub mate: Option<u64>,
    /// Time for the move in milliseconds.
    pub move_time: Option<u64>,
    /// Whether to search until `stop`.
    pub infinite: bool,
}

impl Go {
    /// The clock of a side.
    pub fn clock(&self, side: Color) -> Clock {
        side.fold_wb(self.white, self.black)
    }

    /// Reads the parameters. Unknown words are skipped, so that any text gives a search.
    pub(super) fn parse(mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            let place = match word {
                "searchmoves" => {
                    while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                        go.search_moves.push(mv);
                        let _ = words.next();
                    }
                    continue;
                }
                "ponder" => {
                    go.ponder = true;
                    continue;
                }
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "wtime" => &mut go.white.left,
                "btime" => &mut go.black.left,
                "winc" => &mut go.white.increment,
                "binc" => &mut go.black.increment,
                "movestogo" => &mut go.moves_to_go,
                "depth" => &mut go.depth,
                "nodes" => &mut go.nodes,
                "mate" => &mut go.mate,
                "movetime" => &mut go.move_time,
                _ => continue,
            };
            if let Some(found) = words.peek().and_then(number) {
                *place = Some(found);
                let _ = words.next();
            }
        }
        go
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, number) in [
            ("wtime", self.white.left),
            ("btime", self.black.left),
            ("winc", self.white.increment),
            ("binc", self.black.increment),
            ("movestogo", self.moves_to_go),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("mate", self.mate),
            ("movetime", self.move_time),
        ] {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
            self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}
