//! The games of a contest, several at a time.

use super::ContestSide;
use super::entrants::Entrant;
use super::recorded_player::RecordedPlayer;
use crate::error::LabError;
use crate::game_sheet::GameSheet;
use errare_endgame::{
    Agent, Analysis, Duel, EndgameError, Ending, EnginePlayer, Infallible, Oracle, PlayRecord, Played, WonStart,
    game_seed,
};
use errare_games::Game;
use errare_tables::Material;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::ByColor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of moves of the fifty-move rule of chess.
const FIFTY: u32 = 50;

/// The games of a contest: entrants, positions and sides.
pub struct ContestGames<'a> {
    pub entrants: &'a [Entrant],
    pub starts: &'a [WonStart],
    /// The sides that engines play: strong, weak, or one after the other.
    pub sides: &'static [ContestSide],
    pub analysis: &'a Analysis,
    pub seed: u64,
}

/// A game of a contest, played or broken. The numbers are places in the contest's lists.
pub struct ContestGame {
    pub entrant: usize,
    pub start: usize,
    pub side: ContestSide,
    /// The game and the record of the engine's moves, or why the game broke.
    pub result: Result<(Played, PlayRecord), String>,
}

impl ContestGames<'_> {
    /// Plays all games, in the order of entrants, positions and sides.
    pub fn play(
        &self,
        oracle: &Arc<Oracle>,
        keep_moves: bool,
        progress: &dyn Progress,
    ) -> Result<Vec<ContestGame>, EndgameError> {
        let per_start = self.sides.len();
        let per_entrant = self.starts.len() * per_start;
        let total = self.entrants.len() * per_entrant;
        let done = AtomicU64::new(0);
        progress.report(&Status::new("playing", "games").at(0, total as u64));
        let play = |number: usize| {
            let entrant = number / per_entrant;
            let (start, side) = (number % per_entrant / per_start, self.sides[number % per_start]);
            let result = self.play_one(oracle, (entrant, start, side), keep_moves, progress)?;
            let game = ContestGame { entrant, start, side, result };
            if let Err(reason) = &game.result {
                progress.warn(&format!("a game of {} is broken: {reason}", self.name(&game)));
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(&Status::new("playing", "games").at(done, total as u64));
            Ok(game)
        };
        (0..total).into_par_iter().map(play).collect()
    }

    fn play_one(
        &self,
        oracle: &Arc<Oracle>,
        (entrant, start, side): (usize, usize, ContestSide),
        keep_moves: bool,
        progress: &dyn Progress,
    ) -> Result<Result<(Played, PlayRecord), String>, EndgameError> {
        progress.proceed()?;
        let entrant = &self.entrants[entrant];
        let position = &self.starts[start].position;
        let mut player =
            RecordedPlayer::new(EnginePlayer::new(Arc::clone(&entrant.pool), entrant.limit), self.analysis);
        let mut infallible = Infallible::default();
        let duel = Duel {
            oracle: Arc::clone(oracle),
            analysis: self.analysis.clone(),
            start: position.clone(),
            ending: Ending { rule: Some(FIFTY), ..Ending::usual(oracle.metric(), oracle.state(position)?) },
            keep_moves,
        };
        let is_weak = side == ContestSide::Weak;
        let agents: ByColor<&mut dyn Agent> = if is_weak {
            ByColor { white: &mut infallible, black: &mut player }
        } else {
            ByColor { white: &mut player, black: &mut infallible }
        };
        // One seed for every engine and limit: they meet the same opponent.
        let seed = game_seed(self.seed, 2 * start as u64 + u64::from(is_weak));
        match duel.play(agents, seed, progress) {
            Ok(played) => Ok(Ok((played, player.record))),
            Err(EndgameError::Outside(error)) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// The name of a game's engine, with its limit.
    fn name(&self, game: &ContestGame) -> String {
        let Entrant { name, limit, .. } = &self.entrants[game.entrant];
        format!("{name} {limit}")
    }

    /// Converts a finished game to PGN.
    pub fn pgn(
        &self,
        game: &ContestGame,
        played: &Played,
        material: Material,
        number: usize,
    ) -> Result<Game, LabError> {
        let (engine, infallible) = (self.name(game), "infallible".to_owned());
        let (white, black) = if game.side == ContestSide::Weak { (infallible, engine) } else { (engine, infallible) };
        let sheet = GameSheet {
            start: &self.starts[game.start].position,
            event: &format!("errare contest, {material}, seed {}", self.seed),
            round: number as u64 + 1,
            white: &white,
            black: &black,
        };
        sheet.game(played)
    }
}
