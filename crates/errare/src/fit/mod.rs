//! `errare fit`.

mod report;
pub mod turns;

use crate::Verdict;
use crate::output::Format;
use crate::say;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use errare_ratings::{Draws, FitPlan, Grouping, Method, Sample, estimate_scale};
use errare_work::Silent;
use report::Report;
use turns::{ModelFlags, ScaleFlags, TurnFlags};

/// Fit skill to turns with engine evaluations
///
/// Finds the s (sensitivity) and c (competence) of the model of Regan and Haworth (2011) that best explain which moves were
/// played: by percentiles, by likelihood, or by matching move-match (mm) and average difference (ad). Reports standard
/// errors (over samples of games), expected and actual mm and ad, Q_fit (the sum of squares of R_q - q), and the
/// log-likelihood. A smaller s or greater c is more skill; see `errare rate` for one number.
///
/// Turns are lines of JSON: {"fen", "ply", "played", "lines": [["e2e4", 31], ["d2d4", "#-3"], ...]} with all legal
/// moves, best first, seen by the side to move; also "game", "milepost", "white", "black", "white_elo", "black_elo",
/// "date", "event", "engine", "depth", "settings", and "other_depths": {"8": [["e2e4", 20], ...]}.
///
/// JSON: {"data", "engine", "scale", "left_out", "scale_estimate", "fits": [{"group", "games", "turns", "method", "model",
/// "curve", "s", "se_s", "c", "se_c", "covariance", "settled", "mm", "mm_expected", "mm_sd", "ad", "ad_expected",
/// "ad_sd", "q_fit", "log_likelihood", "percentiles": [[q, R_q], ...], "bootstrap": {"draws", "failed", "seed", "se_s",
/// "se_c", "s_interval", "c_interval"}}]}. Losses are in pawns, corrected.
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
    #[arg(long, default_value_t = 50, value_name = "TURNS")]
    least_turns: usize,
    /// Fit all fifteen pairs of model and curve, most likely first
    #[arg(long)]
    compare: bool,
    /// Number of samples of games to draw and fit, for intervals
    #[arg(long, default_value_t = 0, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    bootstrap: u32,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
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

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let scale = flags.scale.scale();
    let set = flags.turns.load(scale, &Silent)?;
    let plan = FitPlan {
        model: flags.model.model(&set.turns)?,
        methods: flags.method,
        all_formulas: flags.compare,
        by: flags.by,
        min_turns: flags.least_turns,
        draws: (flags.bootstrap > 0).then_some(Draws { count: flags.bootstrap as usize, seed: flags.seed }),
    };
    let found = plan.run(&set.turns, &Silent)?;
    for skipped in &found.skipped {
        say(&format!("{}: passed over, as it has only {} turns", skipped.group, skipped.turns));
    }
    let estimate = if flags.estimate_a { estimate_scale(&Sample::all(&set.turns), scale, &Silent)? } else { None };
    let report = Report { set: &set, fits: &found.fits, estimate, wanted_estimate: flags.estimate_a };
    report.write(flags.format, flags.percentiles)?;
    Ok(Verdict::Clean)
}
