//! `errare strategy`: how strategies fare under a move rule.

use crate::Exit;
use crate::idle_flag::refuse;
use crate::settings::Settings;
use anyhow::Result;
use clap::{Args, Subcommand};
use errare_endgame::Strategy;
use errare_lab::{Endgame, FollowOutcome, StrategyCompareRequest, StrategyFollowRequest, Text, ToSheet, counted};
use errare_terminal::{Format, Output};

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Compare(CompareFlags),
    Follow(FollowFlags),
}

impl Command {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        match self {
            Command::Compare(flags) => compare(flags, settings),
            Command::Follow(flags) => follow(flags, settings),
        }
    }
}

/// Count how many wins of an endgame strategies let slip under a move rule
///
/// Every win under the rule, with a zero count and the winner to move, is followed to mate: each move that the strategy
/// allows is tried against each that the defender's allows. A win slips when a move that the strategy allows leaves a
/// position that cannot be won under the rule any more. Without --sample or --whole 2,000 placements are drawn, and the
/// share has a 95% interval from low to high.
///
/// With --whole, strategies are decided for every win against every defence, in minutes for five men: those that do not look
/// at the clock (SZ, SC, SM, SR, SRP and their nestings), and at every ply of a phase those with a star, those that begin
/// with Z', and SA1. Those with goals (SR1 to SR4, SA2) are followed from each win, with five men from those of 2,000
/// placements; where memory is not enough for two million positions, a win stays unsettled and does not count. --memory
/// bounds what is taken at every ply: where that is not enough, such strategies are followed like those with goals.
///
/// JSON: see `errare schema strategy-compare`. CSV: the strategies.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare strategy compare KNNKP --strategies SZ,SC,SM,SR,SM*,SA1 --whole
  errare strategy compare KQPKQ --strategies SZ,SC,SM,SM*,SA1,SR3* --sample 20000 --seed 1")]
pub struct CompareFlags {
    /// The endgame, such as KQPKQ
    #[arg(value_name = "MATERIAL")]
    endgame: Endgame,
    #[command(flatten)]
    common: StrategyFlags,
    /// Go through the whole endgame
    #[arg(long)]
    whole: bool,
    /// Draw a sample of so many placements [default: 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Random seed of the sample [default: 0]
    #[arg(long)]
    seed: Option<u64>,
    /// Number of examples of each strategy
    #[arg(long, default_value_t = 3)]
    examples: usize,
}

/// Check whether strategies win from a position under a move rule, whatever equally good moves come up
///
/// The halfmove clock of the FEN counts. A strategy that may let the win slip is a finding: the exit status is then 1,
/// as scripts may want to know, and the output is complete all the same.
///
/// JSON: see `errare schema strategy-follow`. CSV: the strategies.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare strategy follow '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --strategies SM,SC,SMC --defence SC

Exit status: 1 if a strategy may let the win slip.")]
pub struct FollowFlags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    common: StrategyFlags,
}

/// What both subcommands take.
#[derive(Args, Debug)]
pub struct StrategyFlags {
    /// The strategies
    #[arg(long, value_delimiter = ',', required = true, value_name = "S,...")]
    strategies: Vec<Strategy>,
    /// The strategy of the defender, or `any` for every move [default: SR; with --whole: any]
    #[arg(long, value_name = "STRATEGY")]
    defence: Option<Strategy>,
    /// The moves of the rule
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=9999))]
    rule: u16,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Number of placements that are drawn if nothing else is asked for.
const USUAL_SAMPLE: u64 = 2000;

fn texts(strategies: Vec<Strategy>) -> Vec<Text<Strategy>> {
    strategies.into_iter().map(Text).collect()
}

fn compare(flags: CompareFlags, settings: &Settings) -> Result<Exit> {
    refuse(flags.whole && flags.sample.is_some(), "--sample", "with --whole, which goes through all placements")?;
    refuse(flags.whole && flags.seed.is_some(), "--seed", "with --whole, as nothing is drawn")?;
    let found = settings.run(&StrategyCompareRequest {
        material: Text(flags.endgame),
        strategies: texts(flags.common.strategies),
        defence: flags.common.defence.map(Text),
        rule: flags.common.rule,
        sample: (!flags.whole).then_some(flags.sample.unwrap_or(USUAL_SAMPLE)),
        seed: flags.seed.unwrap_or(0),
        examples: flags.examples,
    })?;
    Output::stdout().response(flags.common.format, &found, |output, found| {
        output.lines([&found.headline(), ""])?;
        output.table(&found.table())?;
        output.line("").and_then(|()| output.lines(found.sentences()))
    })?;
    Ok(Exit::Clean)
}

fn follow(flags: FollowFlags, settings: &Settings) -> Result<Exit> {
    let found = settings.run(&StrategyFollowRequest {
        fen: flags.fen.join(" "),
        strategies: texts(flags.common.strategies),
        defence: flags.common.defence.map(Text),
        rule: flags.common.rule,
    })?;
    Output::stdout().response(flags.common.format, &found, |output, found| {
        output.line(&found.fen)?;
        output.line(&format!("rule of {}, against {}\n", counted(found.rule, "move"), found.defence))?;
        output.table(&found.to_sheet())
    })?;
    let slips = found.strategies.iter().any(|strategy| strategy.outcome == FollowOutcome::Slips);
    Ok(if slips { Exit::Finding } else { Exit::Clean })
}
