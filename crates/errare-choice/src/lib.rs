//! A model of fallible choice: how players who err choose, how good they are, and how long it takes them.
//!
//! A player chooses between [`Candidate`]s that lead to ordered [`State`]s: wins, a draw, losses, each with a depth.
//! A [`Preference`] function turns a [`Competence`] and a state into a preference, [`Rule`]s change weights, and
//! preferences and weights give [`probabilities`](probabilities()). Observed choices turn into a [`Posterior`] over
//! competences. Averaged over a whole contest the probabilities are a [`StochasticMatrix`], from which an
//! [`AbsorbingChain`] computes how long the contest lasts and how it ends.
//!
//! The model is that of G. McC. Haworth, *Reference fallible endgame play*, ICGA Journal 26 (2), 2003 (cited as
//! Haworth (2003)), and R. B. Andrist and G. McC. Haworth, *Deeper model endgame analysis*, Theoretical Computer
//! Science 349 (2), 2005 (cited as Andrist and Haworth (2005)).
//!
//! ```
//! use errare_choice::*;
//!
//! // Wins to depth 31, losses to depth 3; three ways to go on.
//! let states = States::new(Depth(31), Depth(3));
//! let law = PowerLaw::new(states, Kappa::ONE)?;
//! let mut candidates = [
//!     Candidate::new("shorten", State::Win(Depth(9))),
//!     Candidate::new("dither", State::Win(Depth(12))),
//!     Candidate::new("blunder", State::Draw),
//! ];
//! let weighing = weigh(&mut candidates, &[&KeepValue])?;
//! assert!(weighing.stepped_aside.is_empty());
//!
//! // A player of competence 20, who never gives up a win: 10^-20 against 13^-20.
//! let chances = probabilities(&law, Competence::new(20.0)?, &candidates)?;
//! assert!((chances[0] - 1.0 / (1.0 + (10.0_f64 / 13.0).powi(20))).abs() < 1e-12);
//! assert_eq!(chances[2], 0.0);
//!
//! // A player who was seen to dither appears less competent.
//! let mut posterior = Posterior::new(Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?;
//! let update = posterior.observe_choice(&law, &candidates, 1)?;
//! assert!(matches!(update, Update::Learned { .. }));
//! assert!(posterior.mean() < 5.0);
//!
//! // A choice that the model excludes is reported as impossible, and nothing is learned from it.
//! assert_eq!(posterior.observe_choice(&law, &candidates, 2)?, Update::Impossible);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where candidates are known by what they lose against the best, instead of by states, [`Skilled`] players choose by a
//! [`Formula`] of a second family: K. W. Regan and G. McC. Haworth, *Intrinsic chess ratings*, AAAI 2011 (cited as
//! Regan and Haworth (2011)). [`Odds`] holds their probabilities, with the derivatives that fits need. Both families
//! share the trait [`Chooser`].
//!
//! For loops over millions of choices there is a [`Spectrum`] of many competences at once, which works by look-up on a
//! [`Tally`] of each choice and fills the [`Transitions`] of a Markov model.

mod candidate;
mod chain;
mod chooser;
mod competence;
mod condition;
mod curve;
mod deviation;
mod evaluated;
mod grid;
mod gth;
mod kappa;
mod matrix;
mod odds;
mod omega;
mod posterior;
mod power_law;
mod preference;
mod probability;
mod relation;
mod rule;
mod skill;
mod spectrum;
mod state;
mod stretched;
mod tally;
mod transitions;

pub use candidate::{Candidate, WeightError};
pub use chain::{AbsorbingChain, ChainError, Solution};
pub use chooser::{Chooser, Fallible};
pub use competence::{Competence, CompetenceError};
pub use condition::Condition;
pub use curve::{Curve, CurveError};
pub use evaluated::probabilities_by_loss;
pub use grid::{Grid, GridError};
pub use kappa::{Kappa, KappaError};
pub use matrix::{MatrixError, StochasticMatrix};
pub use odds::Odds;
pub use posterior::{Posterior, PosteriorError, Prior, Update};
pub use power_law::PowerLaw;
pub use preference::{DrawDepths, Preference, PreferenceError};
pub use probability::{ChoiceError, log_probability, pick, probabilities};
pub use relation::{Relation, RelationError};
pub use rule::{AvoidLoss, Custom, Horizon, KeepValue, KeepWin, Overview, Rule, RuleError, StateRule, Weighing, weigh};
pub use skill::{Formula, Skill, SkillError, Skilled};
pub use spectrum::{Spectrum, SpectrumError};
pub use state::{Depth, Outcome, State, States};
pub use stretched::StretchedExponential;
pub use tally::Tally;
pub use transitions::Transitions;
