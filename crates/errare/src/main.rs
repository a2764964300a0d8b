//! The command line of errare, a laboratory for fallible chess play.
//!
//! Raw flags ([`cli`]) become [`settings`]; each subcommand is one file that asks the libraries
//! and shapes the answer. JSON and CSV shapes live here and nowhere else.

mod assess;
mod calibrate;
mod choose;
mod cli;
mod contest;
mod depth;
mod endgame;
mod evaluate;
mod fit;
mod line;
mod markov;
mod matches;
mod merge;
mod modelling;
mod notation;
mod output;
mod overall;
mod pages;
mod plot;
mod predict;
mod progress;
mod rate;
mod report;
mod rules;
mod scoresheets;
mod screen;
mod serve;
mod settings;
mod sources;
mod strategy;
mod table;
mod turn_output;
mod uci;
mod whole_file;
mod workshop;

use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Nothing to complain about.
    Clean,
    /// What was looked for was found, such as a wrong entry.
    Finding,
}

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(Verdict::Clean) => ExitCode::SUCCESS,
        Ok(Verdict::Finding) => ExitCode::from(1),
        // A reader that has seen enough, such as `head`, is no error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Writes a line to stderr. Where even that fails there is nobody left to tell.
fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<output::OutputError>().is_some_and(output::OutputError::is_broken_pipe)
}
