//! `errare fit`.

use crate::Exit;
use crate::idle_flag::refuse;
use crate::say;
use crate::settings::Settings;
use crate::turns::{ModelFlags, ScaleFlags, TurnFlags};
use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use errare_lab::{FitRequest, FitResponse, FittedGroup, Sheet, ToSheet, counted, describe_turns};
use errare_ratings::{Grouping, Method};
use errare_terminal::{Format, Output, OutputError};

/// Fit skill to turns with engine evaluations
///
/// Finds the s (sensitivity) and c (competence) of the model of Regan and Haworth (2011) that best explain which moves were
/// played: by percentiles, by likelihood, or by matching move-match (mm) and average difference (ad). Reports standard
/// errors (over samples of games), expected and actual mm and ad, Q_fit (the sum of squares of R_q - q), and the
/// log-likelihood. A smaller s or greater c is more skill; see `errare rate` for one number. Losses are in pawns,
/// corrected for the size of the evaluation.
///
/// Turns come in files that `errare evaluate` writes, or in lines of JSON: {"fen", "ply", "played", "lines": [["e2e4", 31], ["d2d4", "#-3"], ...]} with all legal
/// moves, best first, seen by the side to move; also "game", "milepost", "white", "black", "white_elo", "black_elo",
/// "date", "event", "engine", "depth", "settings", and "other_depths": {"8": [["e2e4", 20], ...]}. A line may end with
/// "crc32", the checksum of what stands before it; a line whose checksum is wrong is refused.
///
/// A game counts once, however often it is in the files: games with the same players, date and moves are one.
///
/// JSON: see `errare schema fit`. CSV: a row for each fit, with all digits.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare fit 2500.jsonl.gz
  errare fit *.jsonl.gz --by milepost --method percentile,likelihood,moments
  errare fit 2500.jsonl.gz --compare --method likelihood
  errare fit games.jsonl --by player --bootstrap 1000 --seed 1 --format json")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    #[command(flatten)]
    scale: ScaleFlags,
    #[command(flatten)]
    model: ModelFlags,
    /// Methods of fitting, separated by commas: percentile, likelihood, moments
    #[arg(long, default_value = "percentile", value_name = "METHOD", value_delimiter = ',')]
    method: Vec<Method>,
    /// Fit each group of turns by itself
    #[arg(long, value_parser = grouping())]
    by: Option<Grouping>,
    /// Pass over groups of fewer turns
    #[arg(long, alias = "least-turns", default_value_t = 50, value_name = "TURNS")]
    min_turns: usize,
    /// Fit all fifteen pairs of model and curve, most likely first
    #[arg(long)]
    compare: bool,
    /// Number of samples of games to draw and fit, for intervals
    #[arg(long, default_value_t = 0, value_name = "DRAWS")]
    bootstrap: u32,
    /// Random seed of --bootstrap [default: 0]
    #[arg(long)]
    seed: Option<u64>,
    /// Also show R_q for each q (JSON always does)
    #[arg(long)]
    percentiles: bool,
    /// Estimate the constant of the scale correction
    #[arg(long)]
    estimate_a: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn grouping() -> impl TypedValueParser<Value = Grouping> {
    PossibleValuesParser::new(Grouping::ALL.map(Grouping::name)).try_map(|name| name.parse())
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    refuse(flags.seed.is_some() && flags.bootstrap == 0, "--seed", "without --bootstrap, as nothing is drawn")?;
    refuse(flags.percentiles && flags.format == Format::Json, "--percentiles", "with --format json, which has them")?;
    refuse(flags.percentiles && flags.format == Format::Csv, "--percentiles", "with --format csv: JSON has them")?;
    if flags.compare {
        flags.model.refuse_formula("with --compare, which fits all models and curves")?;
    }
    let request = FitRequest {
        turns: flags.turns.into(),
        scale: flags.scale.into(),
        model: flags.model.into(),
        methods: flags.method,
        by: flags.by,
        min_turns: flags.min_turns,
        compare: flags.compare,
        bootstrap: flags.bootstrap,
        seed: flags.seed.unwrap_or(0),
        estimate_a: flags.estimate_a,
    };
    let found = settings.run(&request)?;
    if flags.format == Format::Csv {
        found.read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
    }
    for skipped in &found.skipped {
        say(&format!("{}: passed over, as it has only {}", skipped.group, counted(skipped.turns, "turn")));
    }
    Output::stdout().response(flags.format, &found, |output, found| {
        output.line(&describe_turns(&found.data, &found.engine, found.left_out))?;
        output.lines(found.read.duplicates_sentence())?;
        if request.estimate_a {
            output.line(&estimate(found))?;
        }
        output.line("")?;
        output.table(&rounded(found))?;
        if flags.percentiles {
            output.line("")?;
            output.table(&percentiles(&found.fits))?;
        }
        Ok::<_, OutputError>(())
    })?;
    Ok(Exit::Clean)
}

fn estimate(found: &FitResponse) -> String {
    found.scale_estimate.map_or_else(
        || "no scale correction makes the mean loss independent of the evaluation".to_owned(),
        |found| format!("scale correction estimated: a = {:.3} (se {:.3})", found.a, found.se),
    )
}

/// A row for each fit, with as many digits as people read.
fn rounded(found: &FitResponse) -> Sheet {
    let is_counted = |column: &str| matches!(column, "games" | "turns");
    let sheet = found.to_sheet().formatted(|column| column == "q_fit", |value| format!("{value:.5}"));
    let sheet = sheet.formatted(|column| column == "log_likelihood", |value| format!("{value:.1}"));
    let is_settled = |column: &str| matches!(column, "q_fit" | "log_likelihood" | "group") || is_counted(column);
    sheet.formatted(|column| !is_settled(column), |value| format!("{value:.4}"))
}

fn percentiles(fits: &[FittedGroup]) -> Sheet {
    let name = |fit: &FittedGroup| format!("{} {} {}/{}", fit.group, fit.method, fit.model, fit.curve);
    let mut grid = Sheet::with_columns(["q".to_owned()].into_iter().chain(fits.iter().map(name)).collect());
    let steps = fits.first().map_or(0, |fit| fit.percentiles.len());
    for step in 0..steps {
        let q = format!("{:.2}", fits[0].percentiles[step].0);
        grid.push([q].into_iter().chain(fits.iter().map(|fit| format!("{:.4}", fit.percentiles[step].1))));
    }
    grid
}
