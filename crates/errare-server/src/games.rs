//! Games of a person against an agent that are saved as they happen.
//!
//! A game is the request that replays it. Each change has the version that it is made in: of two windows with the same
//! game the slower one is shown what the other did.

use crate::beliefs;
use crate::refusal::Refusal;
use crate::saved_game::{
    ExportedGame, FinishGame, GameExport, GameList, GameSummary, NewGame, NewMove, SavedGame, TakeBack, stored,
};
use crate::store::{GameRow, Store};
use crate::unique_id::unique_id;
use axum::http::StatusCode;
use errare_lab::{GameEvidence, Lab, Outcome, PlayRequest, PlayResponse, PriorRequest, Side};
use errare_work::Progress;

/// The greatest number of letters of a title or the name of a lesson.
const MAX_NAME: usize = 200;

/// The greatest number of games in a list.
const MAX_LISTED: usize = 1000;

/// Saved games, and the lab that plays them.
#[derive(Clone)]
pub struct Games {
    lab: Lab,
    store: Store,
}

impl Games {
    /// Makes the games of a store, played by a lab that reaches no files of its clients' choice.
    pub fn new(lab: Lab, store: Store) -> Games {
        Games { lab, store }
    }

    /// Begins a game and saves it.
    pub fn add(&self, new: NewGame, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        let NewGame { mut play, lesson, title } = new;
        for name in [&lesson, &title].into_iter().flatten() {
            if name.chars().count() > MAX_NAME {
                return Err(Refusal::bad(format!("a name is too long: expected at most {MAX_NAME} letters")));
            }
        }
        let mut game = self.lab.run(&play, progress)?;
        // From now on the start is known, and need not be drawn again.
        play = PlayRequest { fen: Some(game.start.clone()), material: None, depth: None, outcome: None, ..play };
        if play.analysis.prior == PriorRequest::default()
            && let Some(belief) = beliefs::of(&self.store, &game.endgame, game.theory, play.analysis.grid.0)?
        {
            play.analysis.prior = PriorRequest::Posterior(belief);
            game = self.lab.run(&play, progress)?;
        }
        let before = if play.moves.is_empty() {
            game.posterior.clone()
        } else {
            let start = PlayRequest { moves: Vec::new(), finish: None, ..play.clone() };
            self.lab.run(&start, progress)?.posterior
        };
        play.moves = moves_of(&game);
        let row = GameRow {
            id: unique_id()?,
            version: 1,
            lesson,
            title,
            endgame: game.endgame.clone(),
            theory: name_of(game.theory),
            human: game.human.name().to_owned(),
            opponent: game.opponent.to_string(),
            belief_before: json_of(&before)?,
            ..GameRow::default()
        };
        let row = self.store.add_game(&changed(row, &play, &game)?)?;
        Ok(SavedGame::new(row, play, game))
    }

    /// Reads a game as it stands.
    pub fn get(&self, id: &str, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        self.saved(self.store.game(id)?, progress)
    }

    /// Makes a move in a game, and the agent's reply.
    pub fn make_move(&self, id: &str, new: NewMove, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        let (row, mut play) = self.open(id, new.version, progress)?;
        play.moves.push(new.text);
        let game = self.lab.run(&play, progress)?;
        self.save(row, play, game, progress)
    }

    /// Ends a game by the person's resignation or claim.
    pub fn finish(&self, id: &str, end: &FinishGame, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        let (row, mut play) = self.open(id, end.version, progress)?;
        play.finish = Some(end.finish);
        let game = self.lab.run(&play, progress)?;
        self.save(row, play, game, progress)
    }

    /// Takes the person's last move back, or else the resignation or claim that ended the game. What a move showed of
    /// the person is put into the belief that the game begins with, so that it counts even though the move is gone.
    pub fn take_back(&self, id: &str, asked: &TakeBack, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        let (row, mut play) = self.open(id, asked.version, progress)?;
        if play.finish.take().is_none() {
            let last = last_own_move(&play);
            let last = last.ok_or_else(|| Refusal::bad("there is no move of yours to take back"))?;
            play.moves.truncate(last);
            let without = self.lab.run(&play, progress)?.posterior;
            let shown = GameEvidence::new(&without, &stored(&row.belief_now)?)?;
            let start = PlayRequest { moves: Vec::new(), ..play.clone() };
            let prior = self.lab.run(&start, progress)?.posterior.after(&shown)?;
            play.analysis.prior = PriorRequest::Posterior(prior);
        }
        let game = self.lab.run(&play, progress)?;
        self.save(row, play, game, progress)
    }

    /// Lists games, the last begun first.
    pub fn list(&self) -> Result<GameList, Refusal> {
        let games = self.store.games(MAX_LISTED)?.into_iter().map(GameSummary::from).collect();
        Ok(GameList { games })
    }

    /// Writes all games in PGN, the first begun first.
    pub fn pgn(&self) -> Result<String, Refusal> {
        let mut all = String::new();
        self.store.each_pgn(|game| {
            all.push_str(game.trim_end());
            all.push_str("\n\n");
        })?;
        Ok(all)
    }

    /// Exports all games with everything that is kept of them.
    pub fn export(&self) -> Result<GameExport, Refusal> {
        let games = self.store.games(usize::MAX)?.into_iter().map(ExportedGame::new);
        Ok(GameExport { games: games.collect::<Result<_, _>>()? })
    }

    /// Erases a game.
    pub fn erase(&self, id: &str) -> Result<(), Refusal> {
        self.store.erase_game(id)
    }

    /// Erases all games, and returns how many there were.
    pub fn erase_all(&self) -> Result<usize, Refusal> {
        self.store.erase_games()
    }

    /// Reads the game of an id for a change, if the version is the one that the client has seen.
    fn open(&self, id: &str, version: i64, progress: &dyn Progress) -> Result<(GameRow, PlayRequest), Refusal> {
        let row = self.store.game(id)?;
        if row.version != version {
            return Err(self.conflict(row, progress)?);
        }
        let play = stored(&row.play)?;
        Ok((row, play))
    }

    fn save(
        &self,
        row: GameRow,
        play: PlayRequest,
        game: PlayResponse,
        progress: &dyn Progress,
    ) -> Result<SavedGame, Refusal> {
        let play = PlayRequest { moves: moves_of(&game), ..play };
        let next = changed(GameRow { version: row.version + 1, ..row }, &play, &game)?;
        match self.store.change_game(&next)? {
            Some(row) => Ok(SavedGame::new(row, play, game)),
            // Another window was quicker.
            None => Err(self.conflict(self.store.game(&next.id)?, progress)?),
        }
    }

    fn saved(&self, row: GameRow, progress: &dyn Progress) -> Result<SavedGame, Refusal> {
        let play: PlayRequest = stored(&row.play)?;
        let game = self.lab.run(&play, progress)?;
        Ok(SavedGame::new(row, play, game))
    }

    fn conflict(&self, row: GameRow, progress: &dyn Progress) -> Result<Refusal, Refusal> {
        let current = serde_json::to_value(self.saved(row, progress)?).map_err(|_| crate::work::broken())?;
        let sentence = "the game has gone on elsewhere, perhaps in another window: this is how it stands now";
        Ok(Refusal::new(StatusCode::CONFLICT, sentence).with("current", current))
    }
}

/// Puts the fields that change with each move into a row.
fn changed(row: GameRow, play: &PlayRequest, game: &PlayResponse) -> Result<GameRow, Refusal> {
    let result = game.review.as_ref().and_then(|review| review.result);
    let own_moves = game.moves.iter().filter(|made| made.side == game.human).count();
    Ok(GameRow {
        moves: i64::try_from(own_moves).unwrap_or(i64::MAX),
        result: result.map(name_of),
        is_over: game.end.is_some(),
        expected_c: game.competence.expected_c,
        low: game.competence.interval[0],
        high: game.competence.interval[1],
        belief_now: json_of(&game.posterior)?,
        play: json_of(play)?,
        pgn: game.pgn.clone(),
        ..row
    })
}

/// The place of the person's last move among all moves.
fn last_own_move(play: &PlayRequest) -> Option<usize> {
    let white_starts = play.fen.as_ref().is_none_or(|fen| fen.split_whitespace().nth(1) != Some("b"));
    let is_own = |place: &usize| (place.is_multiple_of(2) == white_starts) == (play.human == Side::White);
    (0..play.moves.len()).rev().find(is_own)
}

fn moves_of(game: &PlayResponse) -> Vec<String> {
    game.moves.iter().map(|made| made.name.uci.clone()).collect()
}

fn name_of(outcome: Outcome) -> String {
    outcome.name().to_owned()
}

fn json_of(value: &impl serde::Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|_| crate::work::broken())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_of_ones_own_is_found_whoever_starts() {
        let play = |fen: &str, human, moves: usize| PlayRequest {
            fen: Some(fen.to_owned()),
            human,
            moves: vec![String::new(); moves],
            ..PlayRequest::default()
        };
        let (white, black) = ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 b - - 0 1");
        assert_eq!(last_own_move(&play(white, Side::White, 4)), Some(2));
        assert_eq!(last_own_move(&play(white, Side::White, 3)), Some(2));
        assert_eq!(last_own_move(&play(white, Side::Black, 3)), Some(1));
        assert_eq!(last_own_move(&play(black, Side::White, 3)), Some(1));
        assert_eq!(last_own_move(&play(black, Side::Black, 1)), Some(0));
        assert_eq!(last_own_move(&play(black, Side::White, 1)), None);
    }
}
