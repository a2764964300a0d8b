//! The tests of errare-choice in one binary, which is quicker to build than one a file.

#[macro_use]
mod common;
mod exact;
mod properties;
mod skilled;
mod theorems;
