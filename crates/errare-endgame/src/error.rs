//! Errors of everything between a position and a decision.

use crate::play::{DrawCount, MoveTextError};
use errare_choice::{
    ChainError, ChoiceError, CompetenceError, MatrixError, PosteriorError, PreferenceError, RuleError, SpectrumError,
    State,
};
use errare_tables::{TableError, TableFailure};
use errare_work::Cancelled;
use std::path::{Path, PathBuf};

/// The result type of this crate.
pub(crate) type Result<T, E = EndgameError> = std::result::Result<T, E>;

/// The reason why no decision, assessment or prediction was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndgameError {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game is over, so that there is nothing to choose.
    #[error("the game is over: no move is legal")]
    NoMove,
    /// Following a strategy needs more memory than it is given.
    #[error("there are more positions to go through than memory is given for")]
    TooManyInWork,
    /// The move is not legal in the position.
    #[error("illegal move {0}")]
    Illegal(String),
    /// A move of a game cannot be made.
    #[error("move {number} of the game: {error}")]
    MoveText {
        /// The number of the move, counting those of both sides from 1.
        number: usize,
        /// The reason why the move cannot be made.
        error: MoveTextError,
    },
    /// A game has moves after its end.
    #[error("move {number} of the game, {text}, comes after its end: leave it out")]
    AfterTheEnd {
        /// The number of the move, counting those of both sides from 1.
        number: usize,
        /// The text of the move.
        text: String,
    },
    /// A game that is over cannot be resigned, nor a draw claimed in it.
    #[error("the game is over: there is nothing to resign or to claim")]
    AlreadyOver,
    /// A draw is claimed too soon.
    #[error("a draw cannot be claimed yet: {}", not_yet(.0))]
    NoClaim(DrawCount),
    /// The competence is invalid.
    #[error(transparent)]
    Competence(#[from] CompetenceError),
    /// The model has no preferences for the states.
    #[error(transparent)]
    Preference(#[from] PreferenceError),
    /// The competences are not in increasing order, or the preference function is invalid.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// A rule gave a weight that is not a finite number of 0 or above.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The choice has no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The prior or an observation is invalid.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
    /// The recorded transitions are not a stochastic matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The Markov chain cannot be solved.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The probabilities of a belief are invalid.
    #[error("invalid belief: expected as many probabilities as competences, none negative and not all 0")]
    Belief,
    /// A sweep has no competence to compare moves against.
    #[error("a sweep needs at least one competence")]
    EmptySweep,
    /// The competence of an emulator is out of range.
    #[error("invalid competence {0} of an emulator: expected a number above 0 and up to 1000")]
    Emulated(f64),
    /// The search depth is 0, too great or odd.
    #[error("invalid search depth {0}: expected an even number of plies from 2 to 64")]
    Plies(u16),
    /// The probability is not from 0 to 1.
    #[error("invalid probability {0}: expected a number from 0 to 1")]
    Probability(f64),
    /// A Markov model is asked for too many competences.
    #[error("too many competences for a Markov model: found {found}, expected at most {limit}", limit = crate::markov::MAX_COMPETENCES)]
    TooManyCompetences {
        /// The number of competences.
        found: usize,
    },
    /// DTR has no Markov model: the depth need not fall with every best move of the winner.
    #[error(
        "no Markov model to dtr: the winner's best moves need not lower it, so it does not count the moves to the end; \
         expected dtc, dtm, dtz, or dtz50 or another move rule"
    )]
    MarkovMetric,
    /// Contests under the metric end with a conversion, so that there can be no blocks of other endgames.
    #[error("invalid metric for a block for each endgame: expected dtm or dtr, which count beyond conversions")]
    BlockMetric,
    /// The endgames that may come up have too many states together for so many competences.
    #[error(
        "a Markov model with a block for each endgame is too large: {states} states and {competences} competences; \
         expected the square of the states times the competences to be at most {limit}",
        limit = crate::markov_blocks::MAX_BLOCK_NUMBERS
    )]
    TooManyStates {
        /// The number of states of all blocks.
        states: usize,
        /// The number of competences.
        competences: usize,
    },
    /// A Markov model has states and no moves, so leanings towards kinds of moves cannot apply.
    #[error("a Markov model has states and no moves, to which leanings could apply: leave the leanings out")]
    Leanings,
    /// The depth is beyond the deepest win of the endgame.
    #[error("invalid depth {depth}: expected at most {deepest}, the depth of the deepest win")]
    TooDeep {
        /// The depth asked about.
        depth: u16,
        /// The depth of the deepest win.
        deepest: u16,
    },
    /// The records of players take more memory than they may.
    #[error(
        "too many players and endgames to remember: their records may take {} MiB; select fewer by player or endgame",
        crate::assess::RECORDS_MEMORY >> 20
    )]
    TooManyPlayers,
    /// The file with a posterior that an agent names has not been read.
    #[error("the posterior in {} has not been read", .0.display())]
    UnreadPosterior(PathBuf),
    /// The probabilities of an engine's moves were needed, which it does not give.
    #[error(
        "an engine names a move and gives no probabilities: it can play a match, and nothing else can be asked of it"
    )]
    EngineElsewhere,
    /// An engine of a match has not been started.
    #[error("the engine `{0}` has not been started")]
    UnstartedEngine(String),
    /// An agent from outside this crate could not choose.
    #[error("{0}")]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A state is deeper than the deepest state of its endgame.
    #[error("internal error (a bug in errare): {state:?} is none of the states of the endgame")]
    UnknownState {
        /// The unknown state.
        state: State,
    },
    /// The place of a move is beyond the last move.
    #[error("internal error (a bug in errare): move {place} of a position with {count} moves")]
    UnknownPlace {
        /// The place that was asked for, from 0.
        place: usize,
        /// The number of moves of the position.
        count: usize,
    },
    /// An agent gives no move a probability.
    #[error("internal error (a bug in errare): the agent gives no move a probability")]
    NoProbability,
    /// Something happened that our own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

/// Explains in words how far the game is from a claim.
fn not_yet(count: &DrawCount) -> String {
    let occurred = if count.repetitions == 1 { "once" } else { "twice" };
    let clock = match count.rule.moves() {
        Some(moves) => {
            format!("{} of the {} plies of the {moves}-move rule have passed", count.plies, 2 * u32::from(moves))
        }
        None => "no move rule is in force".to_owned(),
    };
    format!("{clock}, and the position has occurred {occurred} (three times are needed)")
}

impl EndgameError {
    /// Whether the error is a bug in errare rather than in the request.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(
            self,
            EndgameError::UnknownState { .. }
                | EndgameError::UnknownPlace { .. }
                | EndgameError::NoProbability
                | EndgameError::Internal(_)
        )
    }
}

impl TableFailure for EndgameError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            EndgameError::Table(error) => error.damaged_table(),
            _ => None,
        }
    }
}
