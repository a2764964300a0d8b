//! A model of fallible choice: who errs, and how much, chooses between states that are better and worse.
//!
//! The model is that of G. McC. Haworth, *Reference fallible endgame play* (ICGA Journal 26 (2), 2003: "the paper"),
//! and R. B. Andrist and G. McC. Haworth, *Deeper model endgame analysis* (Theoretical Computer Science 349 (2), 2005:
//! "the second paper").

mod candidate;
mod chain;
mod competence;
mod condition;
mod grid;
mod gth;
mod kappa;
mod matrix;
mod posterior;
mod power_law;
mod preference;
mod probability;
mod rule;
mod state;
mod stretched;

pub use candidate::{Candidate, WeightError};
pub use chain::{AbsorbingChain, ChainError, Solution};
pub use competence::{Competence, CompetenceError};
pub use condition::Condition;
pub use grid::{Grid, GridError};
pub use kappa::{Kappa, KappaError};
pub use matrix::{MatrixError, StochasticMatrix};
pub use posterior::{Posterior, PosteriorError, Prior, Update};
pub use power_law::PowerLaw;
pub use preference::{DrawDepths, Preference, PreferenceError};
pub use probability::{ChoiceError, log_probability, pick, probabilities};
pub use rule::{AvoidLoss, Custom, Horizon, KeepValue, Overview, Rule, RuleError, StateRule, Weighing, weigh};
pub use state::{Depth, Outcome, State, States};
pub use stretched::StretchedExponential;
