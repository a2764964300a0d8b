//! Every checkable statement of five papers on fallible endgame play, computed anew.
//!
//! [`items`] is the list of statements, with what the papers print; [`reproduce`] computes them and compares.
//! Figures are drawn anew as charts. [`Experiment`]s answer questions that the papers leave open. Results do not depend on the number of threads, and repeat exactly.
//!
//! ```
//! let items = errare_reproduce::items()?;
//! let item = items.iter().find(|item| item.id == "001-6-markov-20").expect("an item of the list");
//! assert_eq!(item.printed, "97.20");
//! # Ok::<(), errare_reproduce::ReproduceError>(())
//! ```

mod andrist_haworth_2005;
mod bench;
mod browne_belle;
mod compare;
mod error;
mod experiments;
mod finding;
mod haworth_2000;
mod haworth_2003;
mod levy_1987;
mod list;
mod markov;
mod marks;
mod numerals;
mod properties;
mod regan_haworth_2011;
mod study;

pub use compare::RULE;
pub use error::ReproduceError;
pub use experiments::{Account, EXPERIMENTS, Experiment, ResultTable};
pub use finding::{Finding, Picture, Verdict};
pub use list::{Item, PAPERS, Paper, items};
pub use study::{Reproduced, is_quick, reproduce, select};
