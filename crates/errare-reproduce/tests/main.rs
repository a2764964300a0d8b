//! The tests of errare-reproduce in one binary, which is quicker to build than one a file.

mod experiments;
mod reproduce_list;
mod reproduce_quick;
mod reproduce_whole;
mod support;
