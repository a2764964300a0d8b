//! The tests of the program in one binary: quicker to build, and tables that one test builds serve the others.

mod assess;
mod book;
mod build;
mod choose;
mod cli;
mod cluster;
mod common;
mod contest;
mod course;
mod dialogue;
mod documents;
mod evaluate;
mod files;
mod find;
mod flags;
mod line;
mod list;
mod models;
mod owned;
mod play;
mod probe;
mod rate_games;
mod ratings;
mod reproduce;
mod robust;
mod serve;
mod slurm;

mod shown;
mod squares;
mod stats;
mod uci;
mod uci_fuzz;
mod uci_match;
mod verify;
mod workbench;
