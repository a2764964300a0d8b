//! The flags that every command shares, and the commands.

use crate::limits::thread_count;
#[cfg(feature = "serve")]
use crate::serve;
use crate::settings::Settings;
use crate::{
    Exit, assess, calibrate, choose, cluster, contest, course, draw, experiment, fit, line, markov, matches, pages,
    play, predict, rate, report, reproduce, scale, schema, screen, strategy, table, uci,
};
#[cfg(feature = "evaluate")]
use crate::{evaluate, merge};
use clap::{Args, Parser, Subcommand};
use errare_terminal::ByteSize;
use std::path::PathBuf;

/// A laboratory for fallible chess play.
#[derive(Debug, Parser)]
#[command(
    name = "errare",
    version,
    after_help = "\
Examples:
  errare table probe '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1'                # the value of a position, and of each move
  errare choose 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --agent player:20  # how a player who errs chooses
  errare markov KQKR --competence 20                                  # how long such a player takes to win

Metrics: tables (errare table) count to mate, dtm, unless --metric names another; models of players (play, draw, choose, \
match, assess, markov, predict, contest) count to conversion, dtc, as in Andrist and Haworth (2005).

Exit status: 0 if all is well, 1 for a finding (such as a wrong entry in a table), 2 for bad use or trouble, 130 if Ctrl-C stopped the work."
)]
pub struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Shared options")]
pub struct Shared {
    /// Folder of the tables [default: errare/tables in the user's cache folder]
    #[arg(long, global = true, env = "ERRARE_TABLES", value_name = "DIR", hide_env_values = true)]
    pub tables: Option<PathBuf>,
    /// Threads to work with [default: one for each processor]
    #[arg(long, global = true, value_name = "N", value_parser = thread_count())]
    pub threads: Option<u16>,
    /// Memory that building a table may take, such as 800M or 2G [default: half of what is free]
    #[arg(long, global = true, value_name = "SIZE")]
    pub memory: Option<ByteSize>,
    /// No progress on stderr
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Endgame tables: build, probe, count, search, verify, compare, list
    #[command(after_help = "\
Examples:
  errare table build KQKR
  errare table probe '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1'
  errare table stats KRKN")]
    Table {
        #[command(subcommand)]
        command: table::Command,
    },
    Choose(choose::Flags),
    Assess(assess::Flags),
    Scale(scale::Flags),
    Markov(markov::Flags),
    Match(Box<matches::Flags>),
    Course(course::Flags),
    Draw(draw::Flags),
    Play(play::Flags),
    Contest(contest::Flags),
    Predict(predict::Flags),
    Line(line::Flags),
    #[cfg(feature = "evaluate")]
    Evaluate(evaluate::Flags),
    #[cfg(feature = "evaluate")]
    Merge(merge::Flags),
    Fit(fit::Flags),
    Calibrate(calibrate::Flags),
    Rate(rate::Flags),
    Screen(screen::Flags),
    /// Write pages in HTML: ratings of mileposts, a player
    #[command(after_help = "\
Examples:
  errare report ratings *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --out ratings.html
  errare report player games.jsonl.gz --calibration sf15-d10.json --player Karjakin --out karjakin.html")]
    Report {
        #[command(subcommand)]
        command: report::Command,
    },
    /// Tables and evaluations on many machines: Slurm, xargs, Kubernetes
    #[command(after_help = "\
Examples:
  errare cluster slurm tables KRNKNN --metric dtc --run /shared/krnknn --dry-run
  errare cluster status /shared/krnknn")]
    Cluster {
        #[command(subcommand)]
        command: cluster::Command,
    },
    #[cfg(feature = "serve")]
    Serve(serve::Flags),
    /// Compare and follow strategies under a move rule
    #[command(after_help = "\
Examples:
  errare strategy follow '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --strategies SM,SC,SMC --defence SC
  errare strategy compare KQKR --strategies SZ,SM --rule 31 --whole")]
    Strategy {
        #[command(subcommand)]
        command: strategy::Command,
    },
    Reproduce(reproduce::Flags),
    Experiment(experiment::Flags),
    Uci(uci::Flags),
    Schema(schema::Flags),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  errare completions bash > ~/.local/share/bash-completion/completions/errare")]
    Completions(pages::Completions),
    /// Print the manual page of a command
    #[command(after_help = "Examples:\n  errare man | man -l -\n  errare man table build | man -l -")]
    Man(pages::Man),
}

/// Runs what the user asked for.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command {
        Command::Table { command } => command.run(&Settings::new(cli.shared)),
        Command::Choose(flags) => choose::run(flags, &Settings::new(cli.shared)),
        Command::Assess(flags) => assess::run(flags, &Settings::new(cli.shared)),
        Command::Scale(flags) => scale::run(flags, &Settings::new(cli.shared)),
        Command::Markov(flags) => markov::run(flags, &Settings::new(cli.shared)),
        Command::Match(flags) => {
            let config = flags.lab_config();
            matches::run(*flags, &Settings::with(cli.shared, config))
        }
        Command::Course(flags) => course::run(flags, &Settings::new(cli.shared)),
        Command::Draw(flags) => draw::run(flags, &Settings::new(cli.shared)),
        Command::Play(flags) => play::run(flags, &Settings::new(cli.shared)),
        Command::Contest(flags) => contest::run(flags, &Settings::new(cli.shared)),
        Command::Predict(flags) => predict::run(flags, &Settings::new(cli.shared)),
        Command::Line(flags) => line::run(flags, &Settings::new(cli.shared)),
        #[cfg(feature = "evaluate")]
        Command::Evaluate(flags) => evaluate::run(flags, &Settings::new(cli.shared)),
        #[cfg(feature = "evaluate")]
        Command::Merge(flags) => merge::run(flags, &Settings::new(cli.shared)),
        Command::Fit(flags) => fit::run(flags, &Settings::new(cli.shared)),
        Command::Calibrate(flags) => calibrate::run(flags, &Settings::new(cli.shared)),
        Command::Rate(flags) => {
            let config = flags.rated.lab_config();
            rate::run(flags, &Settings::with(cli.shared, config))
        }
        Command::Screen(flags) => {
            let config = flags.rated.lab_config();
            screen::run(flags, &Settings::with(cli.shared, config))
        }
        Command::Cluster { command } => command.run(&Settings::new(cli.shared)),
        Command::Report { command } => command.run(&Settings::new(cli.shared)),
        #[cfg(feature = "serve")]
        Command::Serve(flags) => {
            let config = flags.lab_config();
            serve::run(flags, &Settings::with(cli.shared, config))
        }
        Command::Strategy { command } => command.run(&Settings::new(cli.shared)),
        Command::Reproduce(flags) => reproduce::run(flags, &Settings::new(cli.shared)),
        Command::Experiment(flags) => experiment::run(flags, &Settings::new(cli.shared)),
        Command::Uci(flags) => uci::run(flags, &Settings::new(cli.shared)),
        Command::Schema(flags) => schema::run(flags),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    }
}
