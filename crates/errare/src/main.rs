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
#[cfg(feature = "evaluate")]
mod evaluate;
mod fit;
mod limits;
mod line;
mod markov;
mod matches;
#[cfg(feature = "evaluate")]
mod merge;
mod metrics;
mod modelling;
mod output;
mod pages;
mod predict;
mod rate;
mod report;
mod rules;
mod schema;
mod screen;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod strategy;
mod table;
mod terminal;
mod turns;
mod uci;

use clap::Parser;
use errare_lab::LabError;
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
        Err(error) if is_cancelled(&error) => ExitCode::from(terminal::INTERRUPTED),
        Err(error) => {
            say(&format!("error: {}", told(&error)));
            ExitCode::from(if error.is::<terminal::Interrupted>() { terminal::INTERRUPTED } else { 2 })
        }
    }
}

/// An error with its causes. Most name theirs themselves; what was said is not said again.
fn told(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |said, cause| {
        let cause = cause.to_string();
        if said.contains(&cause) { said } else { format!("{said}: {cause}") }
    })
}

/// Writes a line to stderr. Where even that fails there is nobody left to tell.
fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<output::OutputError>().is_some_and(output::OutputError::is_broken_pipe)
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(LabError::Cancelled(_)))
}

#[cfg(test)]
mod tests {
    use super::told;
    use anyhow::anyhow;

    #[test]
    fn causes_are_told_once() {
        let error = anyhow!("no space").context("cannot write it: no space").context("the page is not there");
        assert_eq!(told(&error), "the page is not there: cannot write it: no space");
        assert_eq!(told(&anyhow!("alone")), "alone");
    }
}
