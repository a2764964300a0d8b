//! Every checkable statement of five papers on fallible endgame play.
//!
//! [`items`] is the list of statements, with what the papers print.
//!
//! ```
//! let items = errare_reproduce::items()?;
//! let item = items.iter().find(|item| item.id == "001-6-markov-20").expect("an item of the list");
//! assert_eq!(item.printed, "97.20");
//! # Ok::<(), errare_reproduce::ReproduceError>(())
//! ```

mod error;
mod list;

pub use error::ReproduceError;
pub use list::{Item, PAPERS, Paper, items};
