//! Errors of the list.

/// A result of this crate.
pub(crate) type Result<T, E = ReproduceError> = std::result::Result<T, E>;

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A data file of the crate is not as it should be.
    #[error("invalid data file {file}, line {line}: {reason}")]
    Data {
        /// The name of the file.
        file: &'static str,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}
