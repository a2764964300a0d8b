//! The lines of play that an engine shows while it searches.

use crate::Score;
use shakmaty::uci::UciMove;
use std::str::FromStr;
use std::time::Duration;

/// A line of play with the engine's score, from an `info` that has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLine {
    /// Depth of the search in plies, as the engine counts them.
    pub depth: u32,
    /// Greatest depth that the search reached in plies, if the engine shows it.
    pub seldepth: Option<u32>,
    /// Rank among the lines, from 1.
    pub multipv: u32,
    /// Score for the side to move.
    pub score: Score,
    /// The kind of bound if the score is only a bound; none if it is exact.
    pub bound: Option<Bound>,
    /// Chances of the results by the engine's own model, if it shows them.
    pub wdl: Option<Wdl>,
    /// Number of positions searched, if the engine shows it.
    pub nodes: Option<u64>,
    /// Time taken, if the engine shows it.
    pub time: Option<Duration>,
    /// The moves of the line, at most 256 of them; empty where the game is over.
    pub pv: Vec<UciMove>,
}

/// The kind of bound that a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least the score shown.
    Lower,
    /// The true score is at most the score shown.
    Upper,
}

/// Chances of the results in thousandths, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Chance to win.
    pub win: u16,
    /// Chance to draw.
    pub draw: u16,
    /// Chance to lose.
    pub loss: u16,
}

/// Number of moves of a line that are kept: more than any search sees, and few enough for the memory.
const MAX_PV: usize = 256;

impl SearchLine {
    /// Reads what follows the word `info`; none if it lacks a depth or a score, or a number cannot be read.
    pub(super) fn parse(text: &str) -> Option<SearchLine> {
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
                        if pv.len() < MAX_PV {
                            pv.push(mv);
                        }
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
        is_ranked.then_some(SearchLine { depth, seldepth, multipv, score, bound, wdl, nodes, time, pv })
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
        let line = SearchLine::parse(
            "depth 10 seldepth 14 multipv 2 score cp -31 upperbound wdl 9 970 21 nodes 24034 nps 801133 hashfull 1 \
             tbhits 0 time 30 pv e2e4 e7e5 a7a8q",
        );
        let pv = ["e2e4", "e7e5", "a7a8q"].map(|mv| mv.parse().unwrap()).to_vec();
        let expected = SearchLine {
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
        let line = SearchLine::parse("pv d2d4 score mate -3 time 2 depth 1").unwrap();
        assert_eq!((line.score, line.depth, line.multipv, line.pv.len()), (Score::Mate(-3), 1, 1, 1));
    }

    #[test]
    fn endless_lines_are_cut() {
        let line = SearchLine::parse(&format!("depth 1 score cp 1 pv{} nodes 7", " e2e4".repeat(1000))).unwrap();
        assert_eq!((line.pv.len(), line.nodes), (MAX_PV, Some(7)));
    }

    #[test]
    fn texts_without_a_score_are_not_lines() {
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
            assert_eq!(SearchLine::parse(text), None, "{text}");
        }
    }
}
