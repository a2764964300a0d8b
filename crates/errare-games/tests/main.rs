//! The tests of errare-games in one binary, which is quicker to build than one a file.

mod common;
mod reading;
mod robust;
mod round_trip;
