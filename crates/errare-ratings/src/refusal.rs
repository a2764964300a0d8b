//! Refusals: why data that were read well allow no answer.

use crate::provenance::Engine;

/// Why turns allow no fit, calibration, rating or screening.
///
/// A refusal is about the data or the request, never a fault of the program or of a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There are no turns left to analyse.
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
        /// Number of the milepost's turns.
        turns: usize,
        /// Number of turns needed.
        min: usize,
    },
    /// There are fewer than three mileposts of different Elo, which a calibration line needs.
    #[error("too few mileposts: {mileposts}, but a calibration needs at least 3 of different Elo")]
    TooFewMileposts {
        /// Number of mileposts.
        mileposts: usize,
    },
    /// There are too few games or turns of players of known Elo, which a joint model needs.
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
    /// Expected losses do not fall as Elo rises, so that the mileposts make no calibration.
    #[error("the mileposts make no calibration: their expected loss does not fall as Elo rises")]
    NoTrend,
    /// The engine or the depth of the turns is not named, which a calibration must know.
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
        /// The Elo that was asked for.
        elo: f64,
    },
    /// No rating is known to compare the moves with.
    #[error("no game gives the rating of `{player}`: claim one")]
    NoClaim {
        /// The name of the player.
        player: String,
    },
}
