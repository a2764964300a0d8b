//! Tables on disk: the only module that knows their bytes.

mod cache;
mod exceptions;
mod expansion;
mod format;
mod order;
mod read;
mod recent;
mod slice_reader;
mod symbols;
#[cfg(test)]
mod tests;
mod write;

pub use cache::BlockCache;
pub use format::{Counts, Header, Stored};
pub use read::Table;
pub use slice_reader::SliceReader;
pub use write::{is_one_side_enough, write_table};
