//! Tables on disk: the only module that knows their bytes.

mod cache;
mod format;
mod read;
mod write;

pub use cache::BlockCache;
pub use format::{Counts, Header};
pub use read::Table;
pub use write::write_table;
