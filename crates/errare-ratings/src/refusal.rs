//! Why data that were read well allow no answer.

use crate::provenance::Engine;

/// Why turns allow no fit, calibration, rating or screening.
///
/// A refusal is about the data or the request, never a fault of the program or of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nothing is left to analyse.
    #[error("there are no turns to analyse")]
    NoTurns,
    /// A result from so few turns would mean nothing.
    #[error("too few turns: {turns}, but at least {min} are needed")]
    TooFewTurns {
        /// Number of turns.
        turns: usize,
        /// Number of turns needed.
        min: usize,
    },
    /// The skill of a milepost cannot be fitted to so few turns.
    #[error("too few turns of the milepost {elo}: {turns}, but a calibration needs at least {min} of each")]
    SmallMilepost {
        /// The Elo of the milepost.
        elo: f64,
        /// Number of its turns.
        turns: usize,
        /// Number of turns needed.
        min: usize,
    },
    /// A calibration line needs at least three mileposts of different Elo.
    #[error("too few mileposts: {mileposts}, but a calibration needs at least 3 of different Elo")]
    TooFewMileposts {
        /// Number of mileposts.
        mileposts: usize,
    },
    /// A joint model needs games of players of known Elo.
    #[error(
        "too few turns of players whose Elo is known: {turns} of {games} games, but a model of skill over Elo needs {min_turns} \
         of {min_games}", min_turns = crate::joint::MIN_JOINT_TURNS, min_games = crate::joint::MIN_JOINT_GAMES
    )]
    TooFewElos {
        /// Number of games with players of known Elo.
        games: usize,
        /// Number of turns of players of known Elo.
        turns: usize,
    },
    /// Better play must have the higher rating.
    #[error("the mileposts make no calibration: their expected loss does not fall as Elo rises")]
    NoTrend,
    /// A calibration must name what its evaluations were made with.
    #[error("a calibration must name its engine and depth, but the turns do not: give both")]
    UnnamedEngine,
    /// The calibration was made with another engine, depth or scale than the turns.
    #[error("the calibration was made with {calibration}, but the turns with {turns}: ratings would be meaningless")]
    EngineMismatch {
        /// The engine of the calibration.
        calibration: Box<Engine>,
        /// The engine of the turns.
        turns: Box<Engine>,
    },
    /// No skill on the calibration curve has this Elo.
    #[error("Elo {elo} is outside the range of the calibration")]
    OutsideRange {
        /// The Elo.
        elo: f64,
    },
    /// No rating is known to compare the moves with.
    #[error("no game gives the rating of `{player}`: claim one")]
    NoClaim {
        /// The player.
        player: String,
    },
}
