//! The command line of errare, a laboratory for fallible chess play.
//!
//! Raw flags ([`cli`]) become [`settings`]; each subcommand is one file that turns its flags into a request to the lab,
//! and the response into text for people. JSON and CSV are the lab's.

mod assess;
mod calibrate;
mod choose;
mod cli;
mod cluster;
mod contest;
mod course;
mod draw;
#[cfg(feature = "evaluate")]
mod evaluate;
mod experiment;
mod fit;
mod help;
mod idle_flag;
mod limits;
mod line;
mod markov;
mod matches;
#[cfg(feature = "evaluate")]
mod merge;
mod metrics;
mod modelling;
mod pages;
mod play;
mod predict;
mod rate;
#[cfg(feature = "evaluate")]
mod rate_games;
mod report;
mod reproduce;
mod rules;
mod scale;
mod schema;
mod screen;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod strategy;
mod table;
mod turns;
mod uci;

use errare_lab::LabError;
use errare_terminal::{INTERRUPTED, Interrupted, OutputError, say};
use errare_work::WriteError;
use std::process::ExitCode;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Nothing to complain about.
    Clean,
    /// What was looked for was found, such as a wrong entry.
    Finding,
}

fn main() -> ExitCode {
    let cli = match help::parse() {
        Ok(cli) => cli,
        Err(refused) => return refused.show(),
    };
    match cli::run(cli) {
        Ok(Exit::Clean) => ExitCode::SUCCESS,
        Ok(Exit::Finding) => ExitCode::from(1),
        // A reader that has seen enough, such as `head`, is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if is_cancelled(&error) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            say(&format!("error: {}", described(&error)));
            ExitCode::from(if error.is::<Interrupted>() { INTERRUPTED } else { 2 })
        }
    }
}

/// An error with its causes. Most errors name theirs already; none is named twice.
fn described(error: &anyhow::Error) -> String {
    error.chain().skip(1).fold(error.to_string(), |said, cause| {
        let cause = cause.to_string();
        if said.contains(&cause) { said } else { format!("{said}: {cause}") }
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let lab = error.downcast_ref::<LabError>().and_then(LabError::write_error);
    let file = error.downcast_ref::<WriteError>().or(lab);
    file.is_some_and(WriteError::is_closed_stdout)
        || error.downcast_ref::<OutputError>().is_some_and(OutputError::is_broken_pipe)
}

fn is_cancelled(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(LabError::Cancelled(_)))
}

#[cfg(test)]
mod tests {
    use super::described;
    use anyhow::anyhow;

    #[test]
    fn causes_are_named_once() {
        let error = anyhow!("no space").context("cannot write it: no space").context("the page is not there");
        assert_eq!(described(&error), "the page is not there: cannot write it: no space");
        assert_eq!(described(&anyhow!("alone")), "alone");
    }
}
