//! What an engine is asked about a turn, and whether an answer is one.

use super::cache::Cache;
use super::candidate::Candidate;
use super::error::EvaluateError;
use super::setup::Setup;
use crate::evaluation::Evaluation;
use crate::row::sort_lines;
use errare_uci::client::Lines;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use std::collections::HashSet;

/// Moves with what they are worth, best first.
pub(super) type Answer = Vec<(String, Evaluation)>;

/// A position, and whether all its moves or one of them is to be looked at.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub position: &'a Chess,
    pub lines: Lines,
    pub only: Option<UciMove>,
    /// The engine is sent this, so it is what answers are kept by: counters too, since draws by the 50-move rule come
    /// nearer with them.
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
        let told: HashSet<&String> = answer.iter().map(|(name, _)| name).collect();
        told.len() == answer.len() && answer.len() == expected && told.into_iter().all(|name| legal.contains(name))
    }
}

/// The lines of a turn, by asking as often as is needed; none if an answer is not to be had. Where not all moves are
/// shown and the played one is not, it is asked about by itself, and comes in its place.
pub(super) fn lines<E>(
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
    sort_lines(&mut answer);
    Ok(Some(answer))
}

/// What the cache knows of turns.
#[derive(Debug)]
pub struct Lookup<'a> {
    setup: &'a Setup,
    cache: Cache,
}

impl<'a> Lookup<'a> {
    /// What this engine has answered.
    pub fn new(setup: &'a Setup, cache: Cache) -> Lookup<'a> {
        Lookup { setup, cache }
    }

    /// The evaluations of a turn, best first; none if not all are there.
    pub fn find(&self, turn: &Candidate) -> Result<Option<Vec<(String, Evaluation)>>, EvaluateError> {
        lines(turn, self.setup.lines, |question| self.cache.find(question))
    }
}
