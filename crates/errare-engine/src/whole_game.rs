//! Whole games: from any position to the end, by tables where these know the position and by evaluated moves elsewhere.

use crate::advice::AdvisedMove;
use crate::game::GameSoFar;
use crate::open_play::{OpenPlayError, OpenPlayer, OwnSearch};
use crate::scores::uci;
use crate::search::key;
use errare_choice::pick;
use errare_endgame::{EndgameError, EnginePool, Reason};
use errare_ratings::RatingsError;
use errare_uci::client::{Engine, EngineError, Limit, PositionRequest, Search};
use errare_work::{Cancelled, Progress};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use shakmaty::{ByColor, Chess, Color, Move, Position};
use std::sync::Arc;

/// Evaluates the moves of positions that no table knows.
pub trait Adviser {
    /// Evaluates all legal moves of the position that a game has come to.
    ///
    /// # Errors
    /// [`EndgameError::Outside`] if an engine fails; or the work is cancelled.
    fn evaluate(&mut self, game: &GameSoFar, progress: &dyn Progress) -> Result<Vec<AdvisedMove>, EndgameError>;
}

impl Adviser for OwnSearch {
    fn evaluate(&mut self, game: &GameSoFar, progress: &dyn Progress) -> Result<Vec<AdvisedMove>, EndgameError> {
        Ok(OwnSearch::evaluate(self, game, progress)?)
    }
}

/// Moves with their probabilities, of sum 1.
pub type Chances = Vec<(Move, f64)>;

/// Asks tables how the player of a colour chooses; none where no table knows the position.
pub type TableJudge<'a> = dyn Fn(Color, &Chess, &dyn Progress) -> Result<Option<Chances>, EndgameError> + Sync + 'a;

/// The player of one side.
pub enum Seat {
    /// A player who chooses among evaluated moves, and by tables where they know the position.
    Advised(OpenPlayer),
    /// An engine, with the limit of its searches.
    Engine(Arc<EnginePool>, Limit),
}

/// The conditions of a whole game.
pub struct WholeGame<'a> {
    /// The position that the game starts from.
    pub start: Chess,
    /// The players of both sides.
    pub seats: ByColor<&'a Seat>,
    /// The function that chooses by tables.
    pub tables: &'a TableJudge<'a>,
    /// Whether people of an Elo begin games as people do.
    pub openings: bool,
    /// The number of hundredths of a pawn by which a player must be behind, at three turns in a row, to resign; none to play
    /// to the end. Engines do not resign.
    pub resigns: Option<i32>,
    /// Number of moves by each side after which the game is broken off, as a draw.
    pub max_moves: u32,
}

/// A whole game that was played: its moves and its end.
#[derive(Clone, Debug)]
pub struct WholePlayed {
    /// The moves of the game.
    pub moves: Vec<Move>,
    /// The winner of the game; none for a draw.
    pub winner: Option<Color>,
    /// Why the game ended.
    pub reason: Reason,
}

/// Number of turns in a row at which a player must be behind to resign.
const PATIENCE: u32 = 3;

/// Plies without a capture or a pawn move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

impl WholeGame<'_> {
    /// Plays the game. The seed settles every random choice.
    ///
    /// # Errors
    /// [`EndgameError::Outside`] if an engine fails; if a table is damaged, or the work is cancelled.
    pub fn play(
        &self,
        adviser: &mut dyn Adviser,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<WholePlayed, EndgameError> {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut game = GameSoFar::from_position(self.start.clone());
        let mut engines = ByColor { white: None, black: None };
        let mut behind = ByColor { white: 0, black: 0 };
        let (winner, reason) = loop {
            progress.proceed()?;
            if let Some(end) = self.over(&game) {
                break end;
            }
            let turn = game.position().turn();
            let (chances, lead) = match self.seats.get(turn) {
                Seat::Engine(pool, limit) => {
                    let player = engines.get_mut(turn);
                    let mv = match player {
                        Some(engine) => engine_move(engine, &game, *limit, progress)?,
                        None => {
                            let engine = player.insert(pool.lend(progress).map_err(failed)?);
                            engine_move(engine, &game, *limit, progress)?
                        }
                    };
                    (vec![(mv, 1.0)], None)
                }
                Seat::Advised(player) => self.advised(player, &game, adviser, progress)?,
            };
            if let (Some(limit), Some(lead)) = (self.resigns, lead) {
                let count = behind.get_mut(turn);
                *count = if lead <= -limit { *count + 1 } else { 0 };
                if *count == PATIENCE {
                    break (Some(!turn), Reason::Resigned);
                }
            }
            let shares: Vec<f64> = chances.iter().map(|(_, share)| *share).collect();
            let place = pick(&shares, random.random()).ok_or(EndgameError::NoProbability)?;
            game.push(chances[place].0);
        };
        for (seat, engine) in [(self.seats.white, engines.white), (self.seats.black, engines.black)] {
            if let (Seat::Engine(pool, _), Some(engine)) = (seat, engine) {
                pool.take_back(engine);
            }
        }
        Ok(WholePlayed { moves: game.moves().to_vec(), winner, reason })
    }

    /// Finds out how the game ended; none if it goes on.
    fn over(&self, game: &GameSoFar) -> Option<(Option<Color>, Reason)> {
        let position = game.position();
        if position.legal_moves().is_empty() {
            let is_mate = position.is_checkmate();
            return Some((is_mate.then(|| !position.turn()), if is_mate { Reason::Mate } else { Reason::Dead }));
        }
        if position.is_insufficient_material() {
            return Some((None, Reason::Dead));
        }
        if position.halfmoves() >= FIFTY_MOVES {
            return Some((None, Reason::Rule));
        }
        let now = key(position);
        if game.past().iter().filter(|&&before| before == now).count() >= 2 {
            return Some((None, Reason::Repetition));
        }
        (game.plies() as u64 >= 2 * u64::from(self.max_moves)).then_some((None, Reason::Length))
    }

    /// Finds out how an advised player chooses, and the lead that the player sees, in hundredths of a pawn.
    fn advised(
        &self,
        player: &OpenPlayer,
        game: &GameSoFar,
        adviser: &mut dyn Adviser,
        progress: &dyn Progress,
    ) -> Result<(Chances, Option<i32>), EndgameError> {
        let position = game.position();
        if let Some(chances) = (self.tables)(position.turn(), position, progress)? {
            return Ok((chances, None));
        }
        let opening = self.openings.then(|| player.opening(position, &position.legal_moves())).flatten();
        if let Some(chances) = opening {
            return Ok((chances, None));
        }
        let moves = adviser.evaluate(game, progress)?;
        let shares = player.probabilities(&moves, game.ply(), progress).map_err(cannot_choose)?;
        let lead = moves.iter().map(|advised| advised.score).max();
        Ok((moves.iter().map(|advised| advised.mv).zip(shares).collect(), lead))
    }
}

/// Asks an engine, which is given the game so far, for its move.
fn engine_move(
    engine: &mut Engine,
    game: &GameSoFar,
    limit: Limit,
    progress: &dyn Progress,
) -> Result<Move, EndgameError> {
    let mut request = PositionRequest::new(game.start().clone());
    for (_, mv) in game.steps_from(0) {
        request.push(uci(mv)).map_err(|_| EndgameError::Internal("a move of the game is illegal"))?;
    }
    let analysis = engine.analyse(&request, &Search::new(limit), progress).map_err(failed)?;
    let best = analysis.best.and_then(|best| best.to_move(game.position()).ok());
    best.ok_or(EndgameError::Internal("the engine's move is none of the position's"))
}

fn failed(error: EngineError) -> EndgameError {
    if error.is_cancelled() { EndgameError::Cancelled(Cancelled) } else { EndgameError::Outside(Box::new(error)) }
}

fn cannot_choose(error: OpenPlayError) -> EndgameError {
    match error {
        OpenPlayError::Ratings(RatingsError::Cancelled(cancelled)) => EndgameError::Cancelled(cancelled),
        OpenPlayError::Choice(error) => EndgameError::Choice(error),
        error => EndgameError::Outside(Box::new(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::{Cancel, Silent};

    const NO_TABLES: &TableJudge<'static> = &|_, _, _| Ok(None);

    fn seat(agent: &str) -> Seat {
        Seat::Advised(OpenPlayer::of(&agent.parse().expect("an agent")).expect("a player"))
    }

    /// Material alone: quick, and enough to see who is behind.
    struct Material;

    impl Adviser for Material {
        fn evaluate(&mut self, game: &GameSoFar, _: &dyn Progress) -> Result<Vec<AdvisedMove>, EndgameError> {
            let count = |position: &Chess, side: Color| {
                let men = position.board().by_color(side) & position.board().pawns();
                let others = position.board().by_color(side) & !position.board().pawns();
                100 * men.count() as i32 + 400 * others.count() as i32
            };
            let turn = game.position().turn();
            let advised = |mv: Move| {
                let mut after = game.position().clone();
                after.play_unchecked(mv);
                AdvisedMove { score: count(&after, turn) - count(&after, !turn), ..AdvisedMove::bare(mv) }
            };
            Ok(game.position().legal_moves().iter().copied().map(advised).collect())
        }
    }

    fn play(start: Chess, agents: [&str; 2], resigns: Option<i32>, max_moves: u32, seed: u64) -> WholePlayed {
        let (white, black) = (seat(agents[0]), seat(agents[1]));
        let seats = ByColor { white: &white, black: &black };
        let game = WholeGame { start, seats, tables: NO_TABLES, openings: true, resigns, max_moves };
        game.play(&mut Material, seed, &Silent).expect("a game")
    }

    fn position(fen: &str) -> Chess {
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        fen.into_position(shakmaty::CastlingMode::Standard).expect("legal")
    }

    #[test]
    fn a_seed_gives_a_game_from_the_first_move_on() {
        let one = play(Chess::default(), ["elo:1800", "elo:2400"], None, 30, 7);
        assert_eq!(play(Chess::default(), ["elo:1800", "elo:2400"], None, 30, 7).moves, one.moves);
        assert_ne!(play(Chess::default(), ["elo:1800", "elo:2400"], None, 30, 8).moves, one.moves);
        assert_eq!((one.moves.len(), one.reason), (60, Reason::Length));
        let firsts: std::collections::HashSet<String> = (0..20)
            .map(|seed| uci(play(Chess::default(), ["elo:1800", "elo:1800"], None, 1, seed).moves[0]).to_string())
            .collect();
        let known = ["e2e4", "d2d4", "c2c4", "g1f3", "b2b3", "f2f4", "g2g3", "b1c3", "d2d3", "e2e3"];
        assert!(firsts.len() > 1 && firsts.iter().all(|mv| known.contains(&mv.as_str())), "{firsts:?}");
    }

    #[test]
    fn games_end_by_the_rules() {
        let stalemated = play(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ["elo:2000", "elo:2000"], None, 9, 1);
        assert_eq!((stalemated.moves.len(), stalemated.winner, stalemated.reason), (0, None, Reason::Dead));
        let mated = play(position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), ["elo:2000", "elo:2000"], None, 9, 1);
        assert_eq!((mated.winner, mated.reason), (Some(Color::White), Reason::Mate));
        let quiet = play(position("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), ["player:0", "elo:2000"], None, 9, 1);
        assert_eq!((quiet.moves.len(), quiet.reason), (1, Reason::Rule));
        // Kings that have few squares come back to them.
        let shut_in = position("k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1");
        assert_eq!(play(shut_in, ["player:0", "player:0"], None, 99, 1).reason, Reason::Repetition);
    }

    #[test]
    fn who_is_far_behind_resigns_if_that_is_the_custom() {
        let lost = || position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        let resigned = play(lost(), ["elo:2000", "elo:2000"], Some(900), 200, 3);
        assert_eq!((resigned.winner, resigned.reason), (Some(Color::Black), Reason::Resigned));
        // At the third turn, before the move.
        assert_eq!(resigned.moves.len(), 4);
        assert_ne!(play(lost(), ["elo:2000", "elo:2000"], None, 5, 3).reason, Reason::Resigned);
    }

    #[test]
    fn tables_are_asked_first_and_cancelling_ends_a_game() {
        let (white, black) = (seat("elo:2000"), seat("elo:2000"));
        let start = position("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
        let by_tables: &TableJudge<'_> = &|_, position, _| Ok(Some(vec![(position.legal_moves()[0], 1.0)]));
        let seats = ByColor { white: &white, black: &black };
        let game = WholeGame { start, seats, tables: by_tables, openings: true, resigns: None, max_moves: 1 };
        let played = game.play(&mut Material, 1, &Silent).expect("a game");
        assert_eq!(played.moves[0], game.start.legal_moves()[0]);
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(matches!(game.play(&mut Material, 1, &cancel), Err(EndgameError::Cancelled(_))));
    }
}
