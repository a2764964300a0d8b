//! A part of the turns, grouped by game: what every analysis works on.

use crate::error::RatingsError;
use crate::turns::{Turn, Turns};
use rayon::prelude::*;
use std::sync::Arc;

/// A part of some turns, in the order of their games.
///
/// Clones share all data. Standard errors take games as the independent units.
#[derive(Clone, Debug)]
pub struct Sample {
    turns: Arc<Turns>,
    order: Arc<[u32]>,
    /// The places where games begin in `order`; one entry more than there are games.
    starts: Arc<[usize]>,
}

/// The number of games below which errors are counted by turns: a single game would show no variation at all.
const MANY_GAMES: usize = 10;

/// The number of games in a piece of parallel work. It is fixed, so that sums do not depend on the number of threads.
const PIECE: usize = 8;

impl Sample {
    /// Selects the turns for which `wanted` is true.
    pub fn new(turns: &Arc<Turns>, mut wanted: impl FnMut(Turn<'_>) -> bool) -> Sample {
        Sample::listed(turns, turns.iter().filter(|&turn| wanted(turn)).map(Turn::index))
    }

    /// Selects the turns of these indices.
    ///
    /// # Panics
    /// If a turn of some index does not exist.
    pub fn listed(turns: &Arc<Turns>, indices: impl IntoIterator<Item = usize>) -> Sample {
        let mut order: Vec<u32> = indices.into_iter().map(|index| index as u32).collect();
        // Stable: the turns of a game stay in their order.
        order.sort_by_key(|&index| turns.turn(index as usize).game_number());
        Sample::of(Arc::clone(turns), order)
    }

    fn of(turns: Arc<Turns>, order: Vec<u32>) -> Sample {
        let game = |place: usize| turns.turn(order[place] as usize).game_number();
        let mut starts = vec![0];
        starts.extend((1..order.len()).filter(|&place| game(place - 1) != game(place)));
        if !order.is_empty() {
            starts.push(order.len());
        }
        Sample { turns, order: order.into(), starts: starts.into() }
    }

    /// Selects all turns.
    pub fn all(turns: &Arc<Turns>) -> Sample {
        Sample::new(turns, |_| true)
    }

    /// Selects the turns of the player of exactly this name.
    pub fn of_player(turns: &Arc<Turns>, name: &str) -> Sample {
        Sample::new(turns, |turn| turn.player().name == name)
    }

    /// Takes at most `max` turns, evenly spread.
    pub fn thinned(&self, max: usize) -> Sample {
        let step = self.order.len().div_ceil(max.max(1)).max(1);
        Sample::of(Arc::clone(&self.turns), self.order.iter().copied().step_by(step).collect())
    }

    /// Splits the turns into the units that errors are counted by: games, or single turns where games are few.
    pub(crate) fn in_independent_pieces(&self) -> Sample {
        let mut pieces = self.clone();
        if self.games() < MANY_GAMES {
            pieces.starts = (0..=self.order.len()).collect();
        }
        pieces
    }

    /// All turns that this sample is a part of.
    pub fn source(&self) -> &Arc<Turns> {
        &self.turns
    }

    /// Number of turns.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.starts.len() - 1
    }

    /// Goes through the turns, game by game.
    pub fn iter(&self) -> impl Iterator<Item = Turn<'_>> {
        self.order.iter().map(|&index| self.turns.turn(index as usize))
    }

    /// Goes through the turns of one game, given by its place in the sample.
    pub fn game(&self, place: usize) -> impl Iterator<Item = Turn<'_>> {
        self.order[self.starts[place]..self.starts[place + 1]].iter().map(|&index| self.turns.turn(index as usize))
    }

    /// Goes through all games in parallel and adds up the results, always in the same order.
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
