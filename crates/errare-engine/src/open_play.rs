//! Players in positions that no table knows: how they begin games, how they choose among evaluated moves, and a search
//! that evaluates moves where no other engine does.

use crate::advice::{Advice, AdvisedMove, probabilities};
use crate::control::{SearchControl, SearchLimits};
use crate::elo_advice::EloAdvice;
use crate::game::GameSoFar;
use crate::openings::known_moves;
use crate::play_settings::WithoutTables;
use crate::search::{self, Question, TranspositionTable, Wanted};
use errare_choice::Competence;
use errare_endgame::AgentSpec;
use errare_uci::server::Go;
use errare_work::{Cancelled, Progress};
use shakmaty::{Chess, Move, Position};

/// The depth to which our own search evaluates all moves for people of an Elo, so that they play alike however long they
/// think.
pub const OWN_DEPTH: u32 = 5;

/// The memory, in megabytes, in which our own search remembers positions.
const OWN_HASH: usize = 16;

/// A player in positions that no table knows.
#[derive(Debug)]
pub struct OpenPlayer {
    way: WithoutTables,
    elo: Option<EloAdvice>,
}

impl OpenPlayer {
    /// Makes the player that an agent is where there are no tables: people of an Elo choose by the calibration that
    /// comes with the program, players of a competence as R_c by pawns behind the best, all others make the best move.
    /// None for an engine, which needs no evaluations.
    pub fn of(agent: &AgentSpec) -> Option<OpenPlayer> {
        let way = match agent {
            AgentSpec::Engine { .. } => return None,
            AgentSpec::Elo(elo) => WithoutTables::Elo(*elo),
            AgentSpec::Player(competence) => WithoutTables::Competence(*competence),
            AgentSpec::Emulator(c) => Competence::new(*c).map_or(WithoutTables::Best, WithoutTables::Competence),
            _ => WithoutTables::Best,
        };
        Some(OpenPlayer::new(way))
    }

    pub(crate) fn new(way: WithoutTables) -> OpenPlayer {
        OpenPlayer { way, elo: EloAdvice::new() }
    }

    /// The depth of the evaluations by which people of an Elo choose: that of the calibration that comes with the
    /// program.
    pub fn calibrated_depth() -> u16 {
        EloAdvice::new().and_then(|elo| u16::try_from(elo.depth()).ok()).unwrap_or(10)
    }

    /// Explains what makes the strength of people of an Elo approximate, if an engine of this name evaluates to this
    /// depth, or our own search if no engine is named; none if nothing does, or the player has no Elo.
    pub fn caveat(&self, engine: Option<&str>, depth: u32) -> Option<String> {
        let WithoutTables::Elo(elo) = self.way else { return None };
        self.elo.as_ref()?.caveat(elo, engine, depth)
    }

    /// The moves by which people begin games in a position, each with its share; none for players without an Elo, and
    /// where no opening is known.
    pub fn opening(&self, position: &Chess, allowed: &[Move]) -> Option<Vec<(Move, f64)>> {
        matches!(self.way, WithoutTables::Elo(_)).then(|| known_moves(position, allowed)).flatten()
    }

    /// The probability with which the player makes each of the evaluated moves, in a position that so many plies led
    /// to.
    ///
    /// # Errors
    /// If there are no moves, the calibration has no players of the Elo, or the work is cancelled.
    pub fn probabilities(
        &self,
        moves: &[AdvisedMove],
        ply: u16,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, OpenPlayError> {
        match self.way {
            WithoutTables::Best => Ok(probabilities(moves, Competence::INFALLIBLE)?),
            WithoutTables::Competence(competence) => Ok(probabilities(moves, competence)?),
            WithoutTables::Elo(elo) => {
                let model = self.elo.as_ref().ok_or(OpenPlayError::NoCalibration)?;
                Ok(model.probabilities(moves, elo, ply, progress)?)
            }
        }
    }
}

/// Why a player cannot choose among evaluated moves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPlayError {
    /// The choice has no probabilities, as there are no moves.
    #[error(transparent)]
    Choice(#[from] errare_choice::ChoiceError),
    /// The calibration has no probabilities, or the work was cancelled.
    #[error(transparent)]
    Ratings(#[from] errare_ratings::RatingsError),
    /// The calibration that comes with the program cannot be read, which is a bug.
    #[error("no calibration comes with the program")]
    NoCalibration,
}

/// Our own search, as an adviser of players in one game.
#[derive(Default)]
pub struct OwnSearch {
    transpositions: TranspositionTable,
}

impl OwnSearch {
    /// Evaluates all legal moves of the position that a game has come to.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn evaluate(&mut self, game: &GameSoFar, progress: &dyn Progress) -> Result<Vec<AdvisedMove>, Cancelled> {
        let moves = game.position().legal_moves();
        let question =
            Question { position: game.position(), past: game.past(), moves: &moves, wanted: Wanted::All, fifty: true };
        let go = Go { depth: Some(OWN_DEPTH.into()), ..Go::default() };
        let limits = SearchLimits::new(&go, game.position().turn(), std::time::Duration::ZERO);
        self.transpositions.resize(OWN_HASH);
        let is_over = || progress.proceed().is_err();
        let control = SearchControl::new(&go);
        let Advice { moves, .. } =
            search::search(&question, &limits, &control, &mut self.transpositions, &is_over, &mut |_| {});
        progress.proceed()?;
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::{Cancel, Silent};

    #[test]
    fn our_own_search_plays_sensibly_from_the_first_move() {
        let start = GameSoFar::default();
        let moves = OwnSearch::default().evaluate(&start, &Silent).expect("moves");
        assert_eq!(moves.len(), 20);
        for agent in ["elo:1800", "player:20"] {
            let player = OpenPlayer::of(&agent.parse().expect("an agent")).expect("a player");
            let chances = player.probabilities(&moves, 0, &Silent).expect("probabilities");
            let of = |name: &str| {
                let is_it = |advised: &AdvisedMove| crate::scores::uci(advised.mv).to_string() == name;
                chances[moves.iter().position(is_it).expect("a legal move")]
            };
            for bad in ["f2f3", "g2g4", "b1a3", "g1h3"] {
                assert!(of("e2e4").max(of("d2d4")).max(of("g1f3")) > 1.5 * of(bad), "{agent} {bad} {chances:?}");
            }
        }
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(OwnSearch::default().evaluate(&start, &cancel).is_err());
    }

    #[test]
    fn agents_play_as_the_engine_does_without_tables() {
        let player = |text: &str| OpenPlayer::of(&text.parse().expect("an agent"));
        assert!(player("uci:stockfish,depth=4").is_none());
        for (text, way) in [
            ("elo:1700", WithoutTables::Elo(1700)),
            ("player:12", WithoutTables::Competence(Competence::from(12))),
            ("infallible", WithoutTables::Best),
            ("levy", WithoutTables::Best),
        ] {
            assert_eq!(player(text).map(|player| player.way), Some(way), "{text}");
        }
        let (start, elo) = (Chess::default(), player("elo:1700").expect("a player"));
        let legal = start.legal_moves();
        assert!(elo.opening(&start, &legal).is_some_and(|moves| moves.len() > 2));
        assert!(player("player:12").is_some_and(|player| player.opening(&start, &legal).is_none()));
        assert_eq!(player("player:12").and_then(|player| player.caveat(None, 5)), None);
        let weak = player("elo:1000").and_then(|player| player.caveat(None, 5)).expect("a caveat");
        assert!(weak.contains("Elo 1000 is extrapolated") && weak.contains("no engine advises"), "{weak}");
    }
}
