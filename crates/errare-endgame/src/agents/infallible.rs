//! The infallible player: an agent that makes optimal moves only.

use super::{Agent, Judgement};
use crate::error::{EndgameError, Result};
use crate::oracle::{Options, Oracle};
use errare_work::Progress;
use shakmaty::{Move, Role};
use std::cmp::Reverse;

/// The rule by which the infallible player chooses between moves that are equally good: by chance, or by preference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// Kinds of pieces whose moves are preferred, in this order.
    pub pieces: Vec<Role>,
    /// Whether the first of the remaining moves is made, in the order of the squares from and to (a1 before b1), so that
    /// the choice is always the same.
    pub first: bool,
}

impl Ties {
    /// The rule that chooses evenly by chance.
    pub const UNIFORM: Ties = Ties { pieces: Vec::new(), first: false };

    /// The rule that always chooses the same move.
    pub const FIRST: Ties = Ties { pieces: Vec::new(), first: true };
}

/// An agent that plays only moves that are optimal by the metric.
#[derive(Clone, Debug, Default)]
pub struct Infallible {
    ties: Ties,
}

impl Infallible {
    /// Makes a player that breaks ties in this way.
    pub fn new(ties: Ties) -> Infallible {
        Infallible { ties }
    }
}

impl Agent for Infallible {
    fn judge(&mut self, _: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        let mut places = options.optimal();
        if places.is_empty() {
            return Err(EndgameError::NoMove);
        }
        let mv = |place: usize| options.candidates[place].choice().mv;
        let Ties { pieces, first } = &self.ties;
        keep_least(&mut places, |place| {
            pieces.iter().position(|&role| role == mv(place).role()).unwrap_or(pieces.len())
        });
        if *first {
            keep_least(&mut places, |place| order_of(mv(place)));
        }
        Ok(Judgement::evenly(options.candidates.len(), &places))
    }
}

fn keep_least<K: Ord>(places: &mut Vec<usize>, key: impl Fn(usize) -> K) {
    let least = places.iter().map(|&place| key(place)).min();
    places.retain(|&place| Some(key(place)) == least);
}

/// A key for the order of squares, with promotions to stronger pieces first.
fn order_of(mv: Move) -> (u32, u32, Reverse<u32>) {
    (mv.from().map_or(0, u32::from), mv.to().into(), Reverse(mv.promotion().map_or(0, u32::from)))
}
