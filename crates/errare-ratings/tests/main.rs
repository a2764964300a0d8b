//! The tests of errare-ratings in one binary, which is quicker to build than one a file.

mod closed_loop;
mod common;
mod duplicates;
mod fits;
mod joint;
mod progress;
mod ratings;
mod recovery;
mod studies;
