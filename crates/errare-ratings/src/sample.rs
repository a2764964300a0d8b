//! The turns that something is to be said about, game by game.

use crate::error::RatingsError;
use crate::turns::{Turn, Turns};
use rayon::prelude::*;

/// Some of the turns, in the order of their games. Games are what is independent: errors are counted by them.
#[derive(Clone, Debug)]
pub struct Sample<'a> {
    turns: &'a Turns,
    order: Vec<u32>,
    /// Where each game begins in `order`; one more than games.
    starts: Vec<usize>,
}

/// From fewer games nobody can tell how games differ: with one, errors counted by games would be none at all.
const MANY_GAMES: usize = 10;

/// Games to a piece of parallel work. Fixed, so that sums do not depend on the number of threads.
const PIECE: usize = 8;

impl<'a> Sample<'a> {
    /// Those that are wanted.
    pub fn new(turns: &'a Turns, mut wanted: impl FnMut(Turn<'_>) -> bool) -> Sample<'a> {
        Sample::listed(turns, turns.iter().filter(|&turn| wanted(turn)).map(Turn::index))
    }

    /// Those of these indices.
    ///
    /// # Panics
    /// If there is none of an index.
    pub fn listed(turns: &'a Turns, indices: impl IntoIterator<Item = usize>) -> Sample<'a> {
        let mut order: Vec<u32> = indices.into_iter().map(|index| index as u32).collect();
        // Stable: the turns of a game stay in their order.
        order.sort_by_key(|&index| turns.turn(index as usize).game_number());
        Sample::of(turns, order)
    }

    fn of(turns: &'a Turns, order: Vec<u32>) -> Sample<'a> {
        let game = |place: usize| turns.turn(order[place] as usize).game_number();
        let mut starts = vec![0];
        starts.extend((1..order.len()).filter(|&place| game(place - 1) != game(place)));
        if !order.is_empty() {
            starts.push(order.len());
        }
        Sample { turns, order, starts }
    }

    /// All of them.
    pub fn all(turns: &'a Turns) -> Sample<'a> {
        Sample::new(turns, |_| true)
    }

    /// At most so many turns, evenly spread.
    pub fn thinned(&self, most: usize) -> Sample<'a> {
        let step = self.order.len().div_ceil(most.max(1)).max(1);
        Sample::of(self.turns, self.order.iter().copied().step_by(step).collect())
    }

    /// The same turns in pieces that errors are counted by: games, or single turns where games are few.
    pub(crate) fn in_independent_pieces(&self) -> Sample<'a> {
        let mut pieces = self.clone();
        if self.games() < MANY_GAMES {
            pieces.starts = (0..=self.order.len()).collect();
        }
        pieces
    }

    /// What it was taken from.
    pub fn source(&self) -> &'a Turns {
        self.turns
    }

    /// How many turns.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// How many games.
    pub fn games(&self) -> usize {
        self.starts.len() - 1
    }

    /// All turns.
    pub fn iter(&self) -> impl Iterator<Item = Turn<'a>> + '_ {
        self.order.iter().map(|&index| self.turns.turn(index as usize))
    }

    /// The turns of a game, by its place in the sample.
    pub fn game(&self, place: usize) -> impl Iterator<Item = Turn<'a>> + '_ {
        self.order[self.starts[place]..self.starts[place + 1]].iter().map(|&index| self.turns.turn(index as usize))
    }

    /// Goes through all games and sums up what is found, in parallel and always in the same order.
    pub(crate) fn gather<A: Send>(
        &self,
        make: impl Fn() -> A + Sync,
        each_game: impl Fn(&mut A, usize) -> Result<(), RatingsError> + Sync,
        merge: impl Fn(&mut A, A),
    ) -> Result<A, RatingsError> {
        let pieces = 0..self.games().div_ceil(PIECE);
        let found: Vec<Result<A, RatingsError>> = pieces
            .into_par_iter()
            .map(|piece| {
                let mut sum = make();
                for game in piece * PIECE..((piece + 1) * PIECE).min(self.games()) {
                    each_game(&mut sum, game)?;
                }
                Ok(sum)
            })
            .collect();
        let mut sum = make();
        for part in found {
            merge(&mut sum, part?);
        }
        Ok(sum)
    }
}
