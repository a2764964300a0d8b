//! The games of a contest, several at a time.

use super::engines::Entrant;
use super::player::{EnginePlayer, Record};
use super::positions::Start;
use anyhow::{Context, Result};
use errare_endgame::{Analysis, Duel, EndgameError, Ending, Infallible, Oracle, Played, game_seed};
use errare_games::Game as Scoresheet;
use errare_tables::Material;
use errare_uci::client::{Limit, Search};
use errare_work::{Progress, Silent, Status};
use rayon::prelude::*;
use shakmaty::{ByColor, KnownOutcome, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The rule of chess.
const FIFTY: u32 = 50;

/// Which side an engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Strong,
    Weak,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Side::Strong => "strong",
            Side::Weak => "weak",
        }
    }
}

/// Who plays whom from where.
pub struct Contest<'a> {
    pub entrants: &'a [Entrant],
    pub limits: &'a [Limit],
    pub starts: &'a [Start],
    pub sides: &'static [Side],
    pub analysis: &'a Analysis,
    pub seed: u64,
}

/// A game, played or broken; the numbers are places in the contest's lists.
pub struct Game {
    pub entrant: usize,
    pub limit: usize,
    pub start: usize,
    pub side: Side,
    /// Or why it broke.
    pub result: Result<(Played, Record), String>,
}

impl Contest<'_> {
    /// Plays all games, in the order of engines, limits, positions and sides.
    pub fn play(
        &self,
        oracle: &Arc<Oracle>,
        progress: &dyn Progress,
        keep_moves: bool,
    ) -> Result<Vec<Game>, EndgameError> {
        let per_start = self.sides.len();
        let per_limit = self.starts.len() * per_start;
        let per_entrant = self.limits.len() * per_limit;
        let total = self.entrants.len() * per_entrant;
        let done = AtomicU64::new(0);
        let play = |number: usize| {
            let (entrant, limit) = (number / per_entrant, number % per_entrant / per_limit);
            let (start, side) = (number % per_limit / per_start, self.sides[number % per_start]);
            let result = self.play_one(oracle, (entrant, limit, start, side), keep_moves, progress)?;
            let game = Game { entrant, limit, start, side, result };
            if !progress.is_cancelled() {
                if let Err(reason) = &game.result {
                    progress.warn(&format!("a game of {} is broken: {reason}", self.name(&game)));
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.report(&Status::new("playing", "games").at(done, total as u64));
            }
            Ok(game)
        };
        (0..total).into_par_iter().map(play).collect()
    }

    fn play_one(
        &self,
        oracle: &Arc<Oracle>,
        (entrant, limit, start, side): (usize, usize, usize, Side),
        keep_moves: bool,
        progress: &dyn Progress,
    ) -> Result<Result<(Played, Record), String>, EndgameError> {
        if progress.is_cancelled() {
            return Ok(Err("interrupted".to_owned()));
        }
        let (entrant, limit) = (&self.entrants[entrant], self.limits[limit]);
        let position = &self.starts[start].position;
        let mut engine = match entrant.lend(progress) {
            Ok(engine) => engine,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let mut player = EnginePlayer::new(&mut engine, &Search::new(limit), progress, self.analysis, position);
        let mut infallible = Infallible::default();
        let duel = Duel {
            oracle: Arc::clone(oracle),
            analysis: self.analysis.clone(),
            start: position.clone(),
            ending: Ending { rule: Some(FIFTY), ..Ending::usual(oracle.metric(), oracle.state(position)?) },
            keep_moves,
        };
        let agents: ByColor<&mut dyn errare_endgame::Agent> = match side {
            Side::Strong => ByColor { white: &mut player, black: &mut infallible },
            Side::Weak => ByColor { white: &mut infallible, black: &mut player },
        };
        // The same for every engine and limit: they meet the same opponent.
        let seed = game_seed(self.seed, 2 * start as u64 + u64::from(side == Side::Weak));
        let played = duel.play(agents, seed, &Silent);
        let record = player.record;
        match played {
            Ok(played) => {
                entrant.take_back(engine);
                Ok(Ok((played, record)))
            }
            Err(EndgameError::Outside(error)) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// The engine of a game and its limit.
    fn name(&self, game: &Game) -> String {
        format!("{} {}", self.entrants[game.entrant].name, self.limits[game.limit])
    }

    pub fn scoresheet(&self, game: &Game, material: Material, number: usize) -> Result<Scoresheet> {
        let mut sheet = Scoresheet::new(self.starts[game.start].position.clone());
        sheet.set_tag("Event", &format!("errare contest, {material}, seed {}", self.seed));
        sheet.set_tag("Round", &(number + 1).to_string());
        let infallible = "infallible".to_owned();
        let (white, black) = match game.side {
            Side::Strong => (self.name(game), infallible),
            Side::Weak => (infallible, self.name(game)),
        };
        sheet.set_tag("White", &white);
        sheet.set_tag("Black", &black);
        if let Ok((played, _)) = &game.result {
            for &mv in &played.moves {
                sheet.push(mv).context("a game of a contest")?;
            }
            sheet.result = Some(Outcome::Known(match played.winner {
                Some(winner) => KnownOutcome::Decisive { winner },
                None => KnownOutcome::Draw,
            }));
        }
        Ok(sheet)
    }
}
