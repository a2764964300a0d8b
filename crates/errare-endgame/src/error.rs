//! Errors of everything between a position and a decision.

use errare_choice::{
    ChainError, ChoiceError, CompetenceError, MatrixError, PosteriorError, PreferenceError, RuleError, SpectrumError,
    State,
};
use errare_tables::{TableError, TableFailure};
use errare_work::Cancelled;
use std::path::{Path, PathBuf};

/// A result of this crate.
pub(crate) type Result<T, E = EndgameError> = std::result::Result<T, E>;

/// Why there is no decision, assessment or prediction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EndgameError {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game is over: there is nothing to choose.
    #[error("the game is over: there is no legal move")]
    NoMove,
    /// A move that the position does not have.
    #[error("illegal move {0}")]
    Illegal(String),
    /// Not a competence.
    #[error(transparent)]
    Competence(#[from] CompetenceError),
    /// The model has no preferences for the states.
    #[error(transparent)]
    Preference(#[from] PreferenceError),
    /// The competences make no spectrum.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// A rule gave a weight that is not a finite number of 0 or above.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The choice has no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The prior or an observation makes no sense.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
    /// What was counted makes no stochastic matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The Markov chain cannot be solved.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A belief without probability.
    #[error("invalid belief: expected as many probabilities as competences, none negative and not all 0")]
    Belief,
    /// Nothing to compare moves against.
    #[error("a sweep needs at least one competence")]
    EmptySweep,
    /// An emulator needs something to emulate.
    #[error("invalid competence {0} of an emulator: expected a number above 0 and up to 1000")]
    Emulated(f64),
    /// The search is too shallow, too deep or uneven.
    #[error("invalid search depth {0}: expected an even number of plies from 2 to 64")]
    Plies(u16),
    /// Not a probability.
    #[error("invalid probability {0}: expected a number from 0 to 1")]
    Probability(f64),
    /// A Markov chain is asked about too many competences.
    #[error("too many competences for a Markov model: {found}, at most {limit} are possible", limit = crate::markov::MAX_COMPETENCES)]
    TooManyCompetences {
        /// How many there are.
        found: usize,
    },
    /// A Markov model knows states, so that it cannot tell moves to the same state apart.
    #[error("a Markov model knows states and no moves: leave the leanings out")]
    Leanings,
    /// A depth that the endgame does not have.
    #[error("invalid depth {depth}: the deepest win is {deepest}")]
    TooDeep {
        /// The depth asked about.
        depth: u16,
        /// The deepest win.
        deepest: u16,
    },
    /// An agent names a file with a posterior that nobody has read for it.
    #[error("the posterior in {} has not been read", .0.display())]
    UnreadPosterior(PathBuf),
    /// An agent that is none of ours could not choose.
    #[error("{0}")]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// The work was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A state that is deeper than the deepest of its endgame.
    #[error("internal error (a bug in errare): {state:?} is none of the states of the endgame")]
    UnknownState {
        /// The state.
        state: State,
    },
    /// The place of a move beyond the last.
    #[error("internal error (a bug in errare): move {place} of a position with {count} moves")]
    UnknownPlace {
        /// The place asked for, from 0.
        place: usize,
        /// The number of moves.
        count: usize,
    },
    /// An agent made up its mind for no move at all.
    #[error("internal error (a bug in errare): the agent gives no move a probability")]
    NoProbability,
    /// Something that our own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
    /// Something computed is not a number.
    #[error("internal error (a bug in errare): the {0} is not a number")]
    NotANumber(&'static str),
}

impl EndgameError {
    /// Whether the error is a bug in errare, and not in what it was asked.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        matches!(
            self,
            EndgameError::UnknownState { .. }
                | EndgameError::UnknownPlace { .. }
                | EndgameError::NoProbability
                | EndgameError::NotANumber(_)
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
