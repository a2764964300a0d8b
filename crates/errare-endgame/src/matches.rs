//! Matches: many games of two agents from one position, and their statistics.

use crate::agents::{AgentSetting, AgentSpec};
use crate::analyser::Analysis;
use crate::duel::{Concession, Duel, Ending, Played, Reason, game_seed};
use crate::error::EndgameError;
use crate::oracle::Oracle;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Color};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A match of two agents from one position.
#[derive(Clone)]
pub struct Match {
    /// The values of moves.
    pub oracle: Arc<Oracle>,
    /// The agents.
    pub agents: ByColor<AgentSpec>,
    /// What they are made with.
    pub setting: AgentSetting,
    /// How their competence is assessed.
    pub analysis: Analysis,
    /// The position that all games start from.
    pub start: Chess,
    /// When a game ends.
    pub ending: Ending,
    /// With the number of the game it settles every random choice.
    pub seed: u64,
    /// Whether the moves are kept.
    pub keep_moves: bool,
}

impl Match {
    /// Plays the game of a number, which with the seed alone decides how it goes.
    ///
    /// # Errors
    /// If an agent cannot be made or cannot choose, a table is missing or damaged, or the work is cancelled.
    pub fn play(&self, number: u64, progress: &dyn Progress) -> Result<Played, EndgameError> {
        let (mut white, mut black) = (self.agents.white.build(&self.setting)?, self.agents.black.build(&self.setting)?);
        let duel = Duel {
            oracle: Arc::clone(&self.oracle),
            analysis: self.analysis.clone(),
            start: self.start.clone(),
            ending: self.ending,
            keep_moves: self.keep_moves,
        };
        duel.play(ByColor { white: &mut *white, black: &mut *black }, game_seed(self.seed, number), progress)
    }

    /// Plays the games of these numbers in parallel; reports how many of `total` are over.
    ///
    /// # Errors
    /// As [`play`](Match::play).
    pub fn play_all(
        &self,
        numbers: Range<u64>,
        total: u64,
        progress: &dyn Progress,
    ) -> Result<Vec<Played>, EndgameError> {
        let done = AtomicU64::new(numbers.start);
        let play = |number: u64| {
            let played = self.play(number, progress)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(&Status::new("playing", "games").at(done, total));
            Ok(played)
        };
        numbers.into_par_iter().map(play).collect()
    }
}

/// Mean, standard deviation and extremes of numbers that come one by one (Welford's method).
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// How many numbers.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    squares: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Default for Moments {
    fn default() -> Moments {
        Moments { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Takes a number in.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
        self.min = self.min.min(number);
        self.max = self.max.max(number);
    }

    /// The standard deviation of the numbers as a sample; 0 for fewer than two.
    pub fn sd(&self) -> f64 {
        if self.count > 1 { (self.squares / (self.count - 1) as f64).sqrt() } else { 0.0 }
    }
}

/// The statistics of the games of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    /// Number of games of each length.
    pub lengths: BTreeMap<u32, u64>,
    /// The lengths of games.
    pub moves: Moments,
    /// Games won by either side.
    pub won: ByColor<u64>,
    /// Games drawn.
    pub drawn: u64,
    /// Games won before a draw could be claimed by the fifty-move rule.
    pub won_in_time: u64,
    /// Number of games by why they ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// The competence that either side seemed to have, game by game.
    pub apparent: ByColor<Moments>,
    /// Games in which either side was the first to give the theoretical value away.
    pub concessions: ByColor<u64>,
    /// The numbers of the moves that did.
    pub concession_moves: Moments,
}

impl MatchTally {
    /// Takes a game in.
    pub fn add(&mut self, game: &Played) {
        let length = game.length();
        *self.lengths.entry(length).or_default() += 1;
        self.moves.add(f64::from(length));
        match game.winner {
            Some(winner) => *self.won.get_mut(winner) += 1,
            None => self.drawn += 1,
        }
        self.won_in_time += u64::from(game.winner.is_some() && !game.claimable);
        *self.reasons.entry(game.reason).or_default() += 1;
        for color in Color::ALL {
            self.apparent.get_mut(color).add(*game.apparent.get(color));
        }
        if let Some(Concession { by, at_move }) = game.first_concession {
            *self.concessions.get_mut(by) += 1;
            self.concession_moves.add(f64::from(at_move));
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.moves.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_a_sample() {
        let mut moments = Moments::default();
        assert_eq!((moments.count, moments.sd()), (0, 0.0));
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|number| moments.add(number));
        assert_eq!((moments.mean, moments.min, moments.max), (5.0, 2.0, 9.0));
        assert!((moments.sd() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }
}
