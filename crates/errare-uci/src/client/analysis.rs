//! The result of a search by an engine.

use super::error::Fault;
use super::info::SearchLine;
use super::iterations::Iterations;
use super::plain_text::plain;
use super::request::PositionRequest;
use shakmaty::uci::UciMove;
use std::collections::HashSet;

/// Number of bytes of a wrong answer that are shown.
const SHOWN: usize = 100;

/// The result of a search: the move, and the lines that were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The move that the engine would make; none where the game is over.
    pub best: Option<UciMove>,
    /// The reply that the engine expects.
    pub ponder: Option<UciMove>,
    /// The lines of the last complete iteration, best first, each of another first move. Of a search that was stopped,
    /// `best` may be of a later iteration. Where the game is over, there may be a line that has a score and no moves.
    pub lines: Vec<SearchLine>,
    /// Whether the lines are all that were asked for, to one depth. If there was no such iteration, the lines are the
    /// newest line of each rank, and a move may come twice.
    pub is_complete: bool,
    /// Number of lines that were asked for.
    pub asked: usize,
}

impl Analysis {
    /// Reads the words after `bestmove`. The moves must be among the choices.
    pub(super) fn new(
        request: &PositionRequest,
        choices: &[UciMove],
        answer: &str,
        iterations: Iterations,
    ) -> Result<Analysis, Fault> {
        let refused = |answer: &str| {
            let is_legal = answer.parse().is_ok_and(|mv: UciMove| mv.to_move(request.position()).is_ok());
            let (answer, fen) = (plain(answer, SHOWN), request.fen());
            if is_legal { Fault::IgnoredSearchMoves { answer, fen } } else { Fault::BadMove { answer, fen } }
        };
        let mut words = answer.split_whitespace();
        let best = match words.next().unwrap_or_default() {
            "(none)" | "0000" if choices.is_empty() => None,
            word => Some(word.parse().ok().filter(|mv| choices.contains(mv)).ok_or_else(|| refused(word))?),
        };
        let ponder = match (words.next(), words.next()) {
            (Some("ponder"), Some(word)) => word.parse().ok().filter(|mv| *mv != UciMove::Null),
            _ => None,
        };
        let asked = iterations.asked();
        let (lines, is_complete) = iterations.finish();
        if let Some(alien) = lines.iter().filter_map(|line| line.pv.first()).find(|mv| !choices.contains(mv)) {
            return Err(refused(&alien.to_string()));
        }
        let mut seen = HashSet::new();
        let mut first_moves = lines.iter().filter_map(|line| line.pv.first());
        if let Some(&mv) = first_moves.find(|mv| is_complete && !seen.insert(**mv)) {
            return Err(Fault::RepeatedMove { mv, fen: request.fen() });
        }
        Ok(Analysis { best, ponder, lines, is_complete, asked })
    }

    /// Why the lines are not all that were asked for, in words that continue the engine's name; none if they are all.
    pub fn shortfall(&self) -> Option<String> {
        let (shown, asked) = (self.lines.len(), self.asked);
        match shown {
            _ if self.is_complete => None,
            1 if asked > 1 => Some(format!("showed 1 line when asked for {asked}: it ignores `MultiPV`")),
            _ => Some(format!("showed {shown} of {asked} lines, not all at one depth")),
        }
    }
}
