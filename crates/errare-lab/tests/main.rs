//! The tests of errare-lab in one binary: quicker to build, and tables that one test builds serve the others.

mod assess;
mod clients;
mod common;
mod contest;
mod course;
mod draw;
mod endgames;
mod experiments;
mod matches;
mod play;
mod rate_games;
mod ratings;
mod reproduce;
mod squares;
mod strategies;
