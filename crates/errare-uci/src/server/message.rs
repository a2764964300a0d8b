//! The lines that an engine sends.

use super::option::Declaration;
use crate::Score;
use shakmaty::uci::UciMove;
use std::fmt;

/// A line that an engine sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The engine's name.
    Name(String),
    /// The engine's authors.
    Author(String),
    /// The declaration of an option.
    Option(Declaration),
    /// The end of the introduction: `uciok`.
    UciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// What a search has found so far.
    Info(Info),
    /// A text for people. Line breaks become spaces.
    Text(String),
    /// The answer to `go`.
    BestMove {
        /// The move to make; none without a legal move.
        best: Option<UciMove>,
        /// The reply that the engine expects, to search while the opponent thinks.
        ponder: Option<UciMove>,
    },
}

/// Chances to win, draw and lose, in thousandths, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permille {
    /// Chance to win.
    pub win: u16,
    /// Chance to draw.
    pub draw: u16,
    /// Chance to lose.
    pub loss: u16,
}

/// What a search has found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Depth of the search in plies.
    pub depth: u32,
    /// Rank among several lines, from 1; none if there is only one line.
    pub multi_pv: Option<u32>,
    /// Score of the line for the side to move.
    pub score: Option<Score>,
    /// Chances of the results that the score stands for.
    pub chances: Option<Permille>,
    /// Number of positions searched.
    pub nodes: u64,
    /// Time taken in milliseconds.
    pub time: u64,
    /// Number of positions found in tables.
    pub table_hits: Option<u64>,
    /// The moves of the principal variation.
    pub line: Vec<UciMove>,
}

impl fmt::Display for Permille {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wdl {} {} {}", self.win, self.draw, self.loss)
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info depth {}", self.depth)?;
        if let Some(number) = self.multi_pv {
            write!(f, " multipv {number}")?;
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some(chances) = self.chances {
            write!(f, " {chances}")?;
        }
        write!(f, " nodes {}", self.nodes)?;
        // A rate over less than a millisecond has no meaning.
        if let Some(rate) = self.nodes.saturating_mul(1000).checked_div(self.time) {
            write!(f, " nps {rate}")?;
        }
        if let Some(hits) = self.table_hits {
            write!(f, " tbhits {hits}")?;
        }
        write!(f, " time {}", self.time)?;
        if !self.line.is_empty() {
            f.write_str(" pv")?;
            self.line.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

/// A message is one line, whatever is in it.
fn in_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Name(name) => write!(f, "id name {}", in_one_line(name)),
            Message::Author(author) => write!(f, "id author {}", in_one_line(author)),
            Message::Option(declaration) => f.write_str(&in_one_line(&declaration.to_string())),
            Message::UciOk => f.write_str("uciok"),
            Message::ReadyOk => f.write_str("readyok"),
            Message::Info(info) => info.fmt(f),
            Message::Text(text) => write!(f, "info string {}", in_one_line(text)),
            Message::BestMove { best: None, .. } => f.write_str("bestmove (none)"),
            Message::BestMove { best: Some(best), ponder: None } => write!(f, "bestmove {best}"),
            Message::BestMove { best: Some(best), ponder: Some(ponder) } => {
                write!(f, "bestmove {best} ponder {ponder}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> UciMove {
        text.parse().expect("a move")
    }

    #[test]
    fn messages_are_written_as_the_protocol_has_them() {
        let info = Info {
            depth: 5,
            multi_pv: Some(2),
            score: Some(Score::Centipawns(-35)),
            chances: Some(Permille { win: 300, draw: 300, loss: 400 }),
            nodes: 1200,
            time: 6,
            table_hits: Some(1),
            line: vec![mv("e2e4"), mv("e7e5")],
        };
        let wdl = "score cp -35 wdl 300 300 400";
        assert_eq!(
            Message::Info(info).to_string(),
            format!("info depth 5 multipv 2 {wdl} nodes 1200 nps 200000 tbhits 1 time 6 pv e2e4 e7e5")
        );
        assert_eq!(Message::Info(Info::default()).to_string(), "info depth 0 nodes 0 time 0");
        assert_eq!(Message::Text("seed\n5".to_owned()).to_string(), "info string seed 5");
        let answer = |best, ponder| Message::BestMove { best, ponder }.to_string();
        assert_eq!(answer(None, Some(mv("e2e4"))), "bestmove (none)");
        assert_eq!(answer(Some(mv("e7e8q")), None), "bestmove e7e8q");
        assert_eq!(answer(Some(mv("e2e4")), Some(mv("e7e5"))), "bestmove e2e4 ponder e7e5");
    }
}
