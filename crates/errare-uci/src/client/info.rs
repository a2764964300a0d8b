//! What an engine says of a move while it searches.

use crate::Score;
use shakmaty::uci::UciMove;
use std::str::FromStr;
use std::time::Duration;

/// A line of play and what the engine thinks of it, from an `info` with a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Plies searched, as the engine counts them.
    pub depth: u32,
    /// The deepest it went.
    pub seldepth: Option<u32>,
    /// The rank among the lines, from 1.
    pub multipv: u32,
    /// From the side of the player to move.
    pub score: Score,
    /// Whether the score is only a bound; none if it is exact.
    pub bound: Option<Bound>,
    /// Chances by the engine's own model, if it shows them.
    pub wdl: Option<Wdl>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Time taken.
    pub time: Option<Duration>,
    /// The moves; empty where there is none to make.
    pub pv: Vec<UciMove>,
}

/// Which way a score may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Chances in thousandths, from the side of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl Line {
    /// Reads what follows the word `info`; none if it has no depth and score, or a number is none.
    pub(super) fn parse(text: &str) -> Option<Line> {
        let mut words = text.split_whitespace().peekable();
        let (mut depth, mut score) = (None, None);
        let (mut seldepth, mut multipv, mut bound, mut wdl, mut nodes, mut time) = (None, 1, None, None, None, None);
        let mut pv = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = Some(number(words.next())?),
                "seldepth" => seldepth = Some(number(words.next())?),
                "multipv" => multipv = number(words.next())?,
                "nodes" => nodes = Some(number(words.next())?),
                "time" => time = Some(Duration::from_millis(number(words.next())?)),
                "score" => {
                    score = Some(match words.next()? {
                        "cp" => Score::Centipawns(number(words.next())?),
                        "mate" => Score::Mate(number(words.next())?),
                        _ => return None,
                    });
                }
                "lowerbound" => bound = Some(Bound::Lower),
                "upperbound" => bound = Some(Bound::Upper),
                "wdl" => {
                    let (win, draw, loss) = (number(words.next())?, number(words.next())?, number(words.next())?);
                    wdl = Some(Wdl { win, draw, loss });
                }
                "pv" => {
                    while let Some(mv) = words.peek().and_then(|word| word.parse::<UciMove>().ok()) {
                        pv.push(mv);
                        words.next();
                    }
                }
                // Free text to the end of the line.
                "string" => break,
                // Other facts, or their values.
                _ => {}
            }
        }
        let is_ranked = multipv > 0;
        let (depth, score) = (depth?, score?);
        is_ranked.then_some(Line { depth, seldepth, multipv, score, bound, wdl, nodes, time, pv })
    }
}

fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stockfish_is_read() {
        let line = Line::parse(
            "depth 10 seldepth 14 multipv 2 score cp -31 upperbound wdl 9 970 21 nodes 24034 nps 801133 hashfull 1 \
             tbhits 0 time 30 pv e2e4 e7e5 a7a8q",
        );
        let pv = ["e2e4", "e7e5", "a7a8q"].map(|mv| mv.parse().unwrap()).to_vec();
        let expected = Line {
            depth: 10,
            seldepth: Some(14),
            multipv: 2,
            score: Score::Centipawns(-31),
            bound: Some(Bound::Upper),
            wdl: Some(Wdl { win: 9, draw: 970, loss: 21 }),
            nodes: Some(24034),
            time: Some(Duration::from_millis(30)),
            pv,
        };
        assert_eq!(line, Some(expected));
    }

    #[test]
    fn the_order_of_facts_is_free() {
        let line = Line::parse("pv d2d4 score mate -3 time 2 depth 1").unwrap();
        assert_eq!((line.score, line.depth, line.multipv, line.pv.len()), (Score::Mate(-3), 1, 1, 1));
    }

    #[test]
    fn what_tells_no_score_is_no_line() {
        let others = [
            "",
            "depth 3",
            "score cp 3",
            "string depth 3 score cp 1",
            "depth 3 currmove e2e4 currmovenumber 1",
            "depth x score cp 3",
            "depth 3 score cp",
            "depth 3 score x 3",
            "depth 3 score cp 99999999999",
            "depth 3 multipv 0 score cp 1",
            "depth 3 score cp 1 wdl 1 2",
        ];
        for text in others {
            assert_eq!(Line::parse(text), None, "{text}");
        }
    }
}
