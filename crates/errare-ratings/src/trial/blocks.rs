//! Blocks of games of players near one Elo, and folds of blocks.

use crate::provenance::PlayerSide;
use crate::sample::Sample;
use crate::turns::{Turn, Turns};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Games of players near one Elo.
pub(super) struct Block {
    pub games: Vec<usize>,
    pub fold: usize,
}

/// The turns of players of known Elo, game by game.
pub(super) struct KnownGames {
    turns: Arc<Turns>,
    /// The indices of the turns of known Elo, for each game that has any.
    pub games: BTreeMap<usize, Vec<usize>>,
}

impl KnownGames {
    pub fn new(turns: &Arc<Turns>) -> KnownGames {
        let mut games: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for turn in turns.iter().filter(|turn| turn.player().elo.is_some()) {
            games.entry(turn.game_number()).or_default().push(turn.index());
        }
        KnownGames { turns: Arc::clone(turns), games }
    }

    fn turn(&self, index: usize) -> Turn<'_> {
        self.turns.turn(index)
    }

    fn hundred(&self, game: usize) -> u32 {
        let elos = self.games[&game].iter().filter_map(|&index| self.turn(index).player().elo).map(f64::from);
        let (sum, count) = elos.fold((0.0, 0.0), |(sum, count), elo| (sum + elo, count + 1.0));
        (sum / f64::max(count, 1.0) / 100.0).round() as u32
    }

    /// Puts games near the same hundred into blocks of at least `size` turns a side, and blocks into folds. Games that
    /// are left over belong to no block.
    pub fn blocks(&self, size: usize, folds: usize, seed: u64) -> Vec<Block> {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut by_hundred: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &game in self.games.keys() {
            by_hundred.entry(self.hundred(game)).or_default().push(game);
        }
        let (mut blocks, mut next) = (Vec::new(), random.random_range(0..folds.max(1)));
        for games in by_hundred.values_mut() {
            games.shuffle(&mut random);
            let (mut block, mut turns) = (Vec::new(), 0);
            for &game in games.iter() {
                block.push(game);
                turns += self.games[&game].len();
                if turns >= 2 * size {
                    blocks.push(Block { games: std::mem::take(&mut block), fold: next });
                    (turns, next) = (0, (next + 1) % folds.max(1));
                }
            }
        }
        blocks
    }

    /// Selects the turns of one side of some games.
    pub fn side(&self, games: &[usize], side: PlayerSide) -> Sample {
        let indices = games.iter().flat_map(|game| &self.games[game]).copied();
        Sample::listed(&self.turns, indices.filter(|&index| self.turn(index).side() == side))
    }

    /// Selects the turns by which a fold is rated: those of all games but its own and those of its players.
    pub fn others(&self, blocks: &[Block], fold: usize) -> Sample {
        let own: HashSet<usize> =
            blocks.iter().filter(|block| block.fold == fold).flat_map(|block| block.games.iter().copied()).collect();
        let names = |game: usize| {
            let record = &self.turns.games()[game];
            [record.white.name.as_str(), record.black.name.as_str()]
        };
        let known: HashSet<&str> = own.iter().flat_map(|&game| names(game)).filter(|name| !name.is_empty()).collect();
        let is_other = |game: usize| !own.contains(&game) && !names(game).iter().any(|name| known.contains(name));
        let others = self.games.iter().filter(|(game, _)| is_other(**game));
        Sample::listed(&self.turns, others.flat_map(|(_, indices)| indices.iter().copied()))
    }
}
