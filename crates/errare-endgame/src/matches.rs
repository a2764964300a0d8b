//! Matches: many games of two agents, and their statistics.

use crate::agents::{Agent, AgentSetting, AgentSpec, EnginePlayer, EnginePool};
use crate::analyser::Analysis;
use crate::duel::{Concession, Duel, Ending, Played, Reason, game_seed};
use crate::error::EndgameError;
use crate::match_score::MatchScore;
use crate::oracle::Oracle;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Color};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The started engines of a match, by the texts of their agents.
pub type EnginePools = BTreeMap<String, Arc<EnginePool>>;

/// A match of two agents.
#[derive(Clone)]
pub struct Match {
    /// The source of the values of moves.
    pub oracle: Arc<Oracle>,
    /// The agents, by the colours that they have in games without exchanged colours.
    pub agents: ByColor<AgentSpec>,
    /// The started engines of agents that are engines.
    pub engines: EnginePools,
    /// The setting that the agents are made with.
    pub setting: AgentSetting,
    /// The analysis by which the agents' competence is assessed.
    pub analysis: Analysis,
    /// The positions that games start from.
    pub starts: Vec<MatchStart>,
    /// The schedule of the games that are played.
    pub schedule: Schedule,
    /// Random seed, which with the number of a game determines every random choice.
    pub seed: u64,
    /// Whether the moves are kept.
    pub keep_moves: bool,
}

/// A position that games start from.
#[derive(Clone, Debug)]
pub struct MatchStart {
    /// The position to start from.
    pub position: Chess,
    /// The conditions under which a game from this start ends.
    pub ending: Ending,
}

/// The schedule of games: a number from each start, all with the same colours or each of them with both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Number of starts.
    pub starts: usize,
    /// Number of games from each start, or of pairs of games.
    pub games: u64,
    /// Whether each game is followed by another one with the colours exchanged.
    pub both_colours: bool,
}

/// The place of a game in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The place of the game's start among the starts.
    pub start: usize,
    /// Whether the agents have exchanged their colours.
    pub is_exchanged: bool,
}

impl Schedule {
    /// The number of all games; none if it is greater than the type can hold.
    pub fn total(&self) -> Option<u64> {
        (self.starts as u64).checked_mul(self.games)?.checked_mul(self.colours())
    }

    /// The slot of the game with a number, from 0 on: start by start, and the two games of a pair one after the other.
    pub fn slot(&self, number: u64) -> Slot {
        let per_start = self.games.saturating_mul(self.colours()).max(1);
        Slot { start: (number / per_start) as usize, is_exchanged: number % self.colours() == 1 }
    }

    fn colours(&self) -> u64 {
        if self.both_colours { 2 } else { 1 }
    }
}

/// A game of a match, played or broken.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// The number of the game, from 0.
    pub number: u64,
    /// The place of the game in the schedule.
    pub slot: Slot,
    /// The result of the game, or why it broke: an engine failed.
    pub result: Result<Played, String>,
}

impl MatchGame {
    /// The points that the agent named as White made: 1, one half or 0; none if the game broke.
    fn points(&self) -> Option<f64> {
        let played = self.result.as_ref().ok()?;
        Some(
            played
                .winner
                .map_or(0.5, |winner| if (winner == Color::White) != self.slot.is_exchanged { 1.0 } else { 0.0 }),
        )
    }

    /// The colour by which a match names the agent that has this colour in the game.
    fn agent(&self, color: Color) -> Color {
        if self.slot.is_exchanged { !color } else { color }
    }
}

impl Match {
    /// Plays the game with a number. The number and the seed determine every random choice.
    ///
    /// # Errors
    /// If an agent cannot be made or cannot choose, a table is missing or damaged, or the work is cancelled. That an
    /// engine fails is not an error: its game is broken.
    pub fn play(&self, number: u64, progress: &dyn Progress) -> Result<MatchGame, EndgameError> {
        let slot = self.schedule.slot(number);
        let MatchStart { position, ending } =
            self.starts.get(slot.start).ok_or(EndgameError::Internal("a game without a start"))?.clone();
        let (mut white, mut black) = (self.agent(&self.agents.white)?, self.agent(&self.agents.black)?);
        if slot.is_exchanged {
            std::mem::swap(&mut white, &mut black);
        }
        let duel = Duel {
            oracle: Arc::clone(&self.oracle),
            analysis: self.analysis.clone(),
            start: position,
            ending,
            keep_moves: self.keep_moves,
        };
        let agents: ByColor<&mut dyn Agent> = ByColor { white: &mut *white, black: &mut *black };
        let result = match duel.play(agents, game_seed(self.seed, number), progress) {
            Ok(played) => Ok(played),
            Err(EndgameError::Outside(error)) => Err(error.to_string()),
            Err(error) => return Err(error),
        };
        Ok(MatchGame { number, slot, result })
    }

    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent>, EndgameError> {
        let AgentSpec::Engine { limit, .. } = spec else { return spec.build(&self.setting) };
        let name = spec.to_string();
        let pool = self.engines.get(&name).ok_or(EndgameError::UnstartedEngine(name))?;
        Ok(Box::new(EnginePlayer::new(Arc::clone(pool), *limit)))
    }

    /// Plays the games with these numbers in parallel; reports how many of all are over, and warns of broken ones.
    ///
    /// # Errors
    /// As [`play`](Match::play).
    pub fn play_all(&self, numbers: Range<u64>, progress: &dyn Progress) -> Result<Vec<MatchGame>, EndgameError> {
        let done = AtomicU64::new(numbers.start);
        let total = self.schedule.total().unwrap_or(u64::MAX);
        let play = |number: u64| {
            let game = self.play(number, progress)?;
            if let Err(reason) = &game.result {
                progress.warn(&format!("game {} is broken: {reason}", number + 1));
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(&Status::new("playing", "games").at(done, total));
            Ok(game)
        };
        numbers.into_par_iter().map(play).collect()
    }
}

/// The mean, standard deviation and extremes of values that are added one by one (Welford's method).
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    /// The mean of the values.
    pub mean: f64,
    squares: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

impl Default for Moments {
    fn default() -> Moments {
        Moments { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    /// Adds a value.
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

/// The statistics of the games of a match. Broken games do not count.
#[derive(Clone, Debug)]
pub struct MatchTally {
    /// Number of games of each length.
    pub lengths: BTreeMap<u32, u64>,
    /// The moments of the lengths of games.
    pub moves: Moments,
    /// Number of games by result.
    pub results: ResultTally,
    /// Number of games won before a draw could be claimed by the fifty-move rule.
    pub won_in_time: u64,
    /// Number of games by the reason why they ended.
    pub reasons: BTreeMap<Reason, u64>,
    /// The apparent competence of either agent, by game. Agents are named by the colours that they have where colours
    /// are not exchanged.
    pub apparent: ByColor<Moments>,
    /// Number of games in which either agent was the first to give up the theoretical value.
    pub concessions: ByColor<u64>,
    /// The moments of the numbers of the moves that first gave up the theoretical value.
    pub concession_moves: Moments,
    /// Number of games by result, start by start.
    pub by_start: Vec<ResultTally>,
    /// The score of the agent named as White. A pair of games with both colours counts only if neither game broke.
    pub score: MatchScore,
    schedule: Schedule,
    /// The points of the first game of a pair; none if that game broke.
    first_of_pair: Option<f64>,
}

/// Number of games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultTally {
    /// Number of games won by either colour.
    pub won: ByColor<u64>,
    /// Number of games drawn.
    pub drawn: u64,
}

impl ResultTally {
    fn add(&mut self, game: &Played) {
        match game.winner {
            Some(winner) => *self.won.get_mut(winner) += 1,
            None => self.drawn += 1,
        }
    }
}

impl MatchTally {
    /// Makes a tally without games.
    pub fn new(schedule: Schedule) -> MatchTally {
        MatchTally {
            lengths: BTreeMap::new(),
            moves: Moments::default(),
            results: ResultTally::default(),
            won_in_time: 0,
            reasons: BTreeMap::new(),
            apparent: ByColor::default(),
            concessions: ByColor::default(),
            concession_moves: Moments::default(),
            by_start: vec![ResultTally::default(); schedule.starts],
            score: MatchScore::default(),
            schedule,
            first_of_pair: None,
        }
    }

    /// Adds a game. Games are added in the order of their numbers.
    pub fn add(&mut self, game: &MatchGame) {
        self.add_to_score(game);
        let Ok(played) = &game.result else { return };
        let length = played.length();
        *self.lengths.entry(length).or_default() += 1;
        self.moves.add(f64::from(length));
        self.results.add(played);
        if let Some(start) = self.by_start.get_mut(game.slot.start) {
            start.add(played);
        }
        self.won_in_time += u64::from(played.winner.is_some() && !played.claimable);
        *self.reasons.entry(played.reason).or_default() += 1;
        for color in Color::ALL {
            self.apparent.get_mut(game.agent(color)).add(*played.apparent.get(color));
        }
        if let Some(Concession { by, at_move }) = played.first_concession {
            *self.concessions.get_mut(game.agent(by)) += 1;
            self.concession_moves.add(f64::from(at_move));
        }
    }

    fn add_to_score(&mut self, game: &MatchGame) {
        let points = game.points();
        if !self.schedule.both_colours {
            points.iter().for_each(|&points| self.score.add(&[points]));
        } else if !game.slot.is_exchanged {
            self.first_of_pair = points;
        } else if let (Some(first), Some(second)) = (self.first_of_pair.take(), points) {
            self.score.add(&[first, second]);
        }
    }

    /// The number of games in the tally.
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

    fn won_by(winner: Option<Color>) -> Result<Played, String> {
        Ok(Played {
            moves: Vec::new(),
            claimable: false,
            winner,
            reason: Reason::Mate,
            made: ByColor { white: 3, black: 2 },
            apparent: ByColor { white: 10.0, black: 20.0 },
            first_concession: Some(Concession { by: Color::Black, at_move: 1 }),
        })
    }

    #[test]
    fn schedules_go_through_starts_and_colours() {
        let schedule = Schedule { starts: 2, games: 2, both_colours: true };
        assert_eq!(schedule.total(), Some(8));
        let slots: Vec<(usize, bool)> =
            (0..8).map(|n| (schedule.slot(n).start, schedule.slot(n).is_exchanged)).collect();
        let expected = [(0, false), (0, true), (0, false), (0, true), (1, false), (1, true), (1, false), (1, true)];
        assert_eq!(slots, expected);
        let single = Schedule { starts: 1, games: 3, both_colours: false };
        assert!((0..3).all(|n| single.slot(n) == Slot { start: 0, is_exchanged: false }));
        assert_eq!(Schedule { starts: 3, games: u64::MAX, both_colours: false }.total(), None);
    }

    #[test]
    fn figures_of_exchanged_games_belong_to_agents() {
        let schedule = Schedule { starts: 1, games: 3, both_colours: true };
        let mut tally = MatchTally::new(schedule);
        // White wins both games of a pair; then the agent named as White wins both; then a game is broken.
        let results = [
            won_by(Some(Color::White)),
            won_by(Some(Color::White)),
            won_by(Some(Color::White)),
            won_by(Some(Color::Black)),
            won_by(Some(Color::White)),
            Err("crash".to_owned()),
        ];
        for (number, result) in (0..).zip(results) {
            tally.add(&MatchGame { number, slot: schedule.slot(number), result });
        }
        assert_eq!((tally.games(), tally.results.won.white, tally.results.won.black), (5, 4, 1));
        assert_eq!((tally.score.won, tally.score.lost, tally.score.units), (3, 1, 2));
        assert_eq!(tally.by_start, [tally.results]);
        assert_eq!((tally.apparent.white.mean, tally.apparent.black.mean), (14.0, 16.0));
        assert_eq!((tally.concessions.white, tally.concessions.black), (2, 3));
    }
}
