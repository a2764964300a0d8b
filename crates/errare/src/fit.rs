//! `errare fit`.

use crate::Verdict;
use crate::idle_flag::refuse;
use crate::output::{Format, Grid, Output, counted, exact};
use crate::say;
use crate::settings::Settings;
use crate::turns::{ModelFlags, ScaleFlags, TurnFlags};
use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use errare_lab::{FitRequest, FitResponse, FittedGroup, describe_turns};
use errare_ratings::{Grouping, Method};

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

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
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
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&grid(&found.fits, Precision::Exact))?,
        Format::Table => {
            output.line(&describe_turns(&found.data, &found.engine, found.left_out))?;
            found.read.duplicates_sentence().iter().try_for_each(|sentence| output.line(sentence))?;
            if request.estimate_a {
                output.line(&estimate(&found))?;
            }
            output.line("")?;
            output.grid(&grid(&found.fits, Precision::Rounded))?;
            if flags.percentiles {
                output.line("")?;
                output.grid(&percentiles(&found.fits))?;
            }
        }
    }
    Ok(Verdict::Clean)
}

fn estimate(found: &FitResponse) -> String {
    found.scale_estimate.map_or_else(
        || "no scale correction makes the mean loss independent of the evaluation".to_owned(),
        |found| format!("scale correction estimated: a = {:.3} (se {:.3})", found.a, found.se),
    )
}

/// How numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    /// For people.
    Rounded,
    /// For programs: all digits, and one number a cell.
    Exact,
}

/// One row per fit.
fn grid(fits: &[FittedGroup], precision: Precision) -> Grid {
    let mut header = vec!["group", "games", "turns", "method", "model", "curve", "s", "se_s", "c", "se_c"];
    header.extend(["mm_expected", "mm", "ad_expected", "ad", "q_fit", "log_likelihood", "settled"]);
    let is_drawn = fits.iter().any(|fit| fit.bootstrap.is_some());
    match precision {
        _ if !is_drawn => {}
        Precision::Exact => header.extend(["s_low", "s_high", "c_low", "c_high"]),
        Precision::Rounded => header.extend(["s 95%", "c 95%"]),
    }
    let mut grid = Grid::new(&header);
    let number = |value: f64, digits: usize| match precision {
        Precision::Exact => exact(value),
        Precision::Rounded => format!("{value:.digits$}"),
    };
    for fit in fits {
        let mut row = vec![fit.group.clone(), fit.games.to_string(), fit.turns.to_string()];
        row.extend([fit.method.name(), &fit.model, &fit.curve].map(str::to_owned));
        row.extend([fit.s, fit.se_s, fit.c, fit.se_c].map(|value| number(value, 4)));
        row.extend([fit.mm_expected, fit.mm, fit.ad_expected, fit.ad].map(|value| number(value, 4)));
        row.extend([number(fit.q_fit, 5), number(fit.log_likelihood, 1)]);
        row.push(if fit.settled { "yes" } else { "no" }.to_owned());
        if is_drawn {
            let drawn = fit.bootstrap.as_ref();
            for interval in [drawn.and_then(|drawn| drawn.s_interval), drawn.and_then(|drawn| drawn.c_interval)] {
                let ends = interval.map(|(low, high)| [low, high].map(|end| number(end, 4)));
                match precision {
                    Precision::Exact => row.extend(ends.unwrap_or_default()),
                    Precision::Rounded => row.push(ends.map_or_else(String::new, |ends| ends.join(" to "))),
                }
            }
        }
        grid.push(row);
    }
    grid
}

fn percentiles(fits: &[FittedGroup]) -> Grid {
    let name = |fit: &FittedGroup| format!("{} {} {}/{}", fit.group, fit.method, fit.model, fit.curve);
    let mut grid = Grid::with_columns(["q".to_owned()].into_iter().chain(fits.iter().map(name)).collect());
    let steps = fits.first().map_or(0, |fit| fit.percentiles.len());
    for step in 0..steps {
        let q = format!("{:.2}", fits[0].percentiles[step].0);
        grid.push([q].into_iter().chain(fits.iter().map(|fit| format!("{:.4}", fit.percentiles[step].1))));
    }
    grid
}
