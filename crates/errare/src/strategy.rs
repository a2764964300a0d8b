//! `errare strategy`: how strategies fare under a move rule.

use crate::Verdict;
use crate::output::{Format, Grid, Output, grouped};
use crate::settings::Settings;
use crate::sources::Sources;
use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use errare_endgame::{Comparer, Follower, Strategy, StrategyComparison, Success};
use errare_lab::{Endgame, fen_of, san};
use errare_tables::{Cells, Extent, Material, Metric, tables_to_mate};
use errare_work::{Progress as _, Status};
use serde::Serialize;
use shakmaty::{Chess, Move, Position};

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Compare(CompareFlags),
    Follow(FollowFlags),
}

impl Command {
    pub fn run(self, settings: &Settings) -> Result<Verdict> {
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
/// position that cannot be won under the rule any more. Where there is more to go through than memory is given for, two
/// million positions, a win stays unsettled and the share is of the others. Without --sample or --whole 2,000 placements are drawn.
///
/// JSON: {"material", "rule", "defence", "sample", "seed", "wins", "strategies": [{"strategy", "kept", "slipped",
/// "unsettled", "examples": [{"fen", "line": ["san"]}]}], "all_slip": {"count", "examples": ["fen"]}}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare strategy compare KQKR --strategies SZ,SM --rule 31 --whole
  errare strategy compare KQPKQ --strategies SZ,SC,SM,SM*,SA1,SR3* --sample 20000 --seed 1")]
pub struct CompareFlags {
    /// The endgame, as KQPKQ
    #[arg(value_name = "MATERIAL")]
    endgame: Endgame,
    /// The strategies
    #[arg(long, value_delimiter = ',', required = true, value_name = "S,...")]
    strategies: Vec<Strategy>,
    /// What the defender follows
    #[arg(long, default_value = "SR", value_name = "STRATEGY")]
    defence: Strategy,
    /// Moves of the rule
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=9999))]
    rule: u16,
    /// Go through the whole endgame
    #[arg(long, conflicts_with = "sample")]
    whole: bool,
    /// Draw so many placements
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// What the sample is drawn by
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many examples to show of each
    #[arg(long, default_value_t = 3)]
    examples: usize,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Follow a strategy from a position: does it win under the rule, whatever equally good moves come up?
///
/// The halfmove clock of the FEN counts. The exit status is 1 if the strategy may let the win slip.
///
/// JSON: {"fen", "rule", "defence", "strategies": [{"strategy", "outcome": "wins" | "slips" | "not won" | "unsettled",
/// "line": [san]}]}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare strategy follow '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --strategies SM,SC,SMC --defence SC")]
pub struct FollowFlags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The strategies
    #[arg(long, value_delimiter = ',', required = true, value_name = "S,...")]
    strategies: Vec<Strategy>,
    /// What the defender follows
    #[arg(long, default_value = "SR", value_name = "STRATEGY")]
    defence: Strategy,
    /// Moves of the rule
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=9999))]
    rule: u16,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// All that strategies may ask: values come from DTZ, what can be won under the rule from DTZ by the rule.
fn needed(material: Material, rule: u16, strategies: &[Strategy], defence: &Strategy) -> Vec<(Material, Metric)> {
    let asked = strategies.iter().chain([defence]).flat_map(Strategy::metrics);
    tables_to_mate(material, [Metric::Dtz, Metric::DtzRule(rule)].into_iter().chain(asked))
}

#[derive(Debug, Serialize)]
struct Compared {
    material: String,
    rule: u16,
    defence: String,
    sample: Option<u64>,
    seed: Option<u64>,
    wins: u64,
    strategies: Vec<ComparedStrategy>,
    all_slip: AllSlip,
}

#[derive(Debug, Serialize)]
struct ComparedStrategy {
    strategy: String,
    kept: u64,
    slipped: u64,
    unsettled: u64,
    examples: Vec<Example>,
}

#[derive(Debug, Serialize)]
struct Example {
    fen: String,
    line: Vec<String>,
}

#[derive(Debug, Serialize)]
struct AllSlip {
    count: u64,
    examples: Vec<String>,
}

fn compare(flags: CompareFlags, settings: &Settings) -> Result<Verdict> {
    let sources = Sources::open(settings, None)?;
    let material = flags.endgame.material;
    let extent =
        if flags.whole { Extent::Whole } else { Extent::Sample { placements: flags.sample, seed: flags.seed } };
    let cells = Cells::new(material, extent).ok_or_else(|| anyhow!("two bare kings are always drawn"))?;
    let needed = needed(material, flags.rule, &flags.strategies, &flags.defence);
    let threads = (settings.lab.config().build_memory() / Comparer::MEMORY)
        .clamp(1, rayon::current_num_threads() as u64) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let source = sources.source();
    let found = sources.work_with(&needed, || {
        let comparer = Comparer {
            source: &*source,
            rule: flags.rule,
            strategies: flags.strategies.clone(),
            defence: flags.defence.clone(),
            examples: flags.examples,
        };
        let activity = format!("following strategies in {material}");
        let report = |done, total| sources.progress().report(&Status::new(&activity, "placements").at(done, total));
        pool.install(|| comparer.compare(&cells, &report))
    })?;
    let answer = compared(&flags, &found);
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&answer)?,
        format => {
            let mut grid = Grid::new(&["strategy", "kept", "slipped", "share", "unsettled", "example"]);
            for told in &answer.strategies {
                let share = 100.0 * told.slipped as f64 / (answer.wins - told.unsettled).max(1) as f64;
                grid.push([
                    told.strategy.clone(),
                    told.kept.to_string(),
                    told.slipped.to_string(),
                    format!("{share:.3}%"),
                    told.unsettled.to_string(),
                    told.examples.first().map_or_else(String::new, |example| example.fen.clone()),
                ]);
            }
            if format == Format::Csv {
                output.csv(&grid)?;
                return Ok(Verdict::Clean);
            }
            let of = if flags.whole {
                "the whole endgame".to_owned()
            } else {
                format!("{} placements drawn by seed {}", grouped(flags.sample), flags.seed)
            };
            output.line(&format!(
                "{material}, rule of {} moves, against {}: {} wins in {of}",
                flags.rule,
                flags.defence,
                grouped(answer.wins)
            ))?;
            output.line("")?;
            output.grid(&grid)?;
            output.line("")?;
            output.line(&format!("all of them slip: {}", grouped(answer.all_slip.count)))?;
            answer.all_slip.examples.iter().try_for_each(|fen| output.line(&format!("  {fen}")))?;
        }
    }
    Ok(Verdict::Clean)
}

fn compared(flags: &CompareFlags, found: &StrategyComparison) -> Compared {
    let strategies = flags.strategies.iter().zip(&found.tallies).map(|(strategy, tally)| ComparedStrategy {
        strategy: strategy.to_string(),
        kept: tally.kept,
        slipped: tally.slipped,
        unsettled: tally.unsettled,
        examples: tally
            .examples
            .iter()
            .map(|(position, line)| Example { fen: fen_of(position), line: sans(position, line) })
            .collect(),
    });
    Compared {
        material: flags.endgame.material.to_string(),
        rule: flags.rule,
        defence: flags.defence.to_string(),
        sample: (!flags.whole).then_some(flags.sample),
        seed: (!flags.whole).then_some(flags.seed),
        wins: found.wins,
        strategies: strategies.collect(),
        all_slip: AllSlip { count: found.all_slipped, examples: found.all_slip.iter().map(fen_of).collect() },
    }
}

fn sans(start: &Chess, line: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut written = Vec::new();
    for &mv in line {
        written.push(san(&position, mv));
        position.play_unchecked(mv);
    }
    written
}

#[derive(Debug, Serialize)]
struct Followed {
    fen: String,
    rule: u16,
    defence: String,
    strategies: Vec<FollowedStrategy>,
}

#[derive(Debug, Serialize)]
struct FollowedStrategy {
    strategy: String,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
}

fn follow(flags: FollowFlags, settings: &Settings) -> Result<Verdict> {
    let sources = Sources::open(settings, None)?;
    let position = sources.position(&flags.fen.join(" "))?;
    let (material, _) = Material::of_board(position.board());
    let needed = needed(material, flags.rule, &flags.strategies, &flags.defence);
    let source = sources.source();
    let found: Vec<Success> = sources.work_with(&needed, || {
        Follower::new(&*source, flags.rule, flags.strategies.clone(), flags.defence.clone()).follow(&position)
    })?;
    let told = flags.strategies.iter().zip(&found).map(|(strategy, success)| FollowedStrategy {
        strategy: strategy.to_string(),
        outcome: match success {
            Success::Wins => "wins",
            Success::Slips(_) => "slips",
            Success::NotWon => "not won",
            Success::TooMany => "unsettled",
        },
        line: if let Success::Slips(line) = success { sans(&position, line) } else { Vec::new() },
    });
    let answer = Followed {
        fen: fen_of(&position),
        rule: flags.rule,
        defence: flags.defence.to_string(),
        strategies: told.collect(),
    };
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&answer)?,
        format => {
            let mut grid = Grid::new(&["strategy", "outcome", "line"]);
            answer.strategies.iter().for_each(|told| {
                grid.push([told.strategy.clone(), told.outcome.to_owned(), told.line.join(" ")]);
            });
            if format == Format::Csv {
                output.csv(&grid)?;
            } else {
                output.line(&answer.fen)?;
                output.line(&format!("rule of {} moves, against {}", answer.rule, answer.defence))?;
                output.line("")?;
                output.grid(&grid)?;
            }
        }
    }
    let slips = found.iter().any(|success| matches!(success, Success::Slips(_)));
    Ok(if slips { Verdict::Finding } else { Verdict::Clean })
}
