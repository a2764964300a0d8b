//! From games to evaluated turns: an engine is asked about every turn that counts, once, and its answers are kept.
//!
//! The work is three walks through the same games. [`Collection::each`] with [`Lookup::find`] tells what is missing;
//! [`Crew::evaluate`] has engines answer that, in any order, into the [`Cache`]; and the same walk again writes turns in
//! the order of games, from the cache alone. So what is written depends neither on the number of engines nor on how
//! often the work was broken off.

mod cache;
mod candidate;
mod collection;
mod crew;
mod error;
mod examiner;
mod fingerprint;
mod question;
mod setup;
mod shard;

pub use cache::Cache;
pub use candidate::Candidate;
pub use collection::{Collection, Rules, Seen};
pub use crew::{Crew, Told};
pub use error::EvaluateError;
pub use question::Lookup;
pub use setup::Setup;
pub use shard::{Shard, ShardError};
