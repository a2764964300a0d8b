//! Questions to an engine about a turn, and whether an answer is complete.

use crate::cache::Cache;
use crate::candidate::Candidate;
use crate::error::EvaluateError;
use errare_ratings::Evaluation;
use errare_uci::Score;
use errare_uci::client::Lines;
use errare_work::Progress;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Moves in UCI notation with their evaluations, best first.
pub(crate) type Answer = Vec<(String, Evaluation)>;

/// The evaluation that a score of the engine stands for.
pub(crate) fn evaluation(score: Score) -> Evaluation {
    match score {
        Score::Centipawns(value) => Evaluation::Centipawns(value),
        Score::Mate(moves) => Evaluation::Mate(moves),
    }
}

/// A position, and whether all its moves or one of them is to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Question<'a> {
    pub position: &'a Chess,
    pub lines: Lines,
    pub only: Option<UciMove>,
    /// The key of the answer in the cache: the FEN that the engine is sent. It has the counters too, since draws by the
    /// 50-move rule come nearer with them.
    pub key: String,
}

impl Question<'_> {
    /// Whether an answer has as many legal moves as it should, each once.
    pub fn is_answered_by(&self, answer: &Answer) -> bool {
        let legal: HashSet<String> = match self.only {
            Some(mv) => [mv.to_string()].into(),
            None => {
                self.position.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string()).collect()
            }
        };
        let expected = match self.lines {
            Lines::All => legal.len(),
            Lines::Count(count) => legal.len().min(count as usize),
        };
        let named: HashSet<&String> = answer.iter().map(|(name, _)| name).collect();
        named.len() == answer.len() && answer.len() == expected && named.into_iter().all(|name| legal.contains(name))
    }
}

/// The lines of a turn, by as many questions as are needed; none if one of the questions has no answer. Where not all
/// moves are shown and the played one is not, it is asked about by itself and inserted in its place.
pub(crate) fn lines<E>(
    turn: &Candidate,
    lines: Lines,
    mut ask: impl FnMut(&Question<'_>) -> Result<Option<Answer>, E>,
) -> Result<Option<Answer>, E> {
    let (position, key) = (&turn.position, turn.row.fen.clone());
    let Some(mut answer) = ask(&Question { position, lines, only: None, key })? else { return Ok(None) };
    if !answer.iter().any(|(name, _)| *name == turn.row.played) {
        let key = format!("{} searchmoves {}", turn.row.fen, turn.row.played);
        let only = Question { position, lines: Lines::Count(1), only: Some(turn.played), key };
        let Some(own) = ask(&only)? else { return Ok(None) };
        answer.extend(own);
    }
    answer.sort_by_key(|&(_, evaluation)| Reverse(evaluation));
    Ok(Some(answer))
}

/// The evaluations of a turn that the cache has, best first; none if not all are there.
pub(crate) fn known(
    turn: &Candidate,
    number: Lines,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Option<Answer>, EvaluateError> {
    lines(turn, number, |question| cache.find(question, progress))
}
