//! One move as the engine and the model judge it.

use crate::pages::ShownMove;
use errare_ratings::{MoveTrace, PlayerSide, Turn, Turns};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A move with the engine's evaluation, and its probability for a player of a rating.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveScreening {
    /// A description of the game.
    pub game: String,
    /// The number of the game among all, from 1.
    pub game_number: usize,
    /// The number of the move.
    #[serde(rename = "move")]
    pub number: u16,
    /// The side that moved.
    pub side: PlayerSide,
    /// The position before the move. The clock of the 50-move rule is not known, and set to 0.
    pub fen: String,
    /// The move that was played, in UCI notation.
    pub played: String,
    /// The move that was played, in standard algebraic notation.
    pub san: String,
    /// The engine's first choice, in UCI notation.
    pub best: String,
    /// The engine's first choice, in standard algebraic notation.
    pub best_san: String,
    /// The evaluation of the first choice in pawns, for the side to move.
    pub evaluation: f64,
    /// The evaluation of the played move in pawns, for the side that moved.
    pub evaluation_after: f64,
    /// The probability of the played move; null without a calibration.
    pub probability: Option<f64>,
    /// The probability of the engine's first choice; null without a calibration.
    pub first_probability: Option<f64>,
    /// The loss by the played move, in pawns.
    pub loss: f64,
    /// The expected loss; null without a calibration.
    pub expected_loss: Option<f64>,
    /// The place of the played move in the engine's order, from 1.
    pub rank: usize,
}

impl MoveScreening {
    pub(crate) fn new(turns: &Turns, trace: &MoveTrace) -> MoveScreening {
        MoveScreening {
            probability: Some(trace.probability),
            first_probability: Some(trace.first_probability),
            expected_loss: Some(trace.expected_loss),
            ..MoveScreening::unmodelled(turns.turn(trace.turn))
        }
    }

    /// Makes a move without probabilities.
    pub(crate) fn unmodelled(turn: Turn<'_>) -> MoveScreening {
        let [played, best] = [turn.played_move(), turn.best_move()].map(|mv| mv.to_string());
        let number = turn.ply() / 2 + 1;
        MoveScreening {
            game: turn.game().to_string(),
            game_number: turn.game_number() + 1,
            number,
            side: turn.side(),
            fen: format!("{} 0 {number}", turn.position()),
            san: ShownMove::new(turn.position(), &played).san,
            best_san: ShownMove::new(turn.position(), &best).san,
            played,
            best,
            evaluation: turn.evaluation(),
            evaluation_after: turn.played_evaluation(),
            probability: None,
            first_probability: None,
            loss: turn.loss(),
            expected_loss: None,
            rank: turn.played() + 1,
        }
    }
}
