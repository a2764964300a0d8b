//! Bounds of numbers that several commands take.

use clap::builder::{RangedI64ValueParser, RangedU64ValueParser};
use clap::value_parser;

/// A number of threads, or of processes at work at once.
pub fn thread_count() -> RangedI64ValueParser<u16> {
    value_parser!(u16).range(1..=1024)
}

/// How long an engine may take for a move, in seconds: up to a day.
pub fn patience() -> RangedU64ValueParser<u64> {
    value_parser!(u64).range(1..=86_400)
}
