//! `errare fit`.

mod report;
pub mod turns;

use crate::Verdict;
use crate::output::Format;
use crate::say;
use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use errare_choice::Formula;
use errare_ratings::{Bootstrap, Fit, Fitter, Method, Sample, Turn, Turns, estimate_scale};
use report::Report;
use std::collections::BTreeMap;
use turns::{LensFlags, ScaleFlags, TurnFlags};

/// Fit skill to turns with engine evaluations
///
/// Finds the s (sensitivity) and c (competence) of Regan and Haworth's model that explain which moves were played,
/// by the paper's percentiles, by likelihood, or by matching move-match (mm) and average difference (ad), and tells
/// standard errors (over samples of games), predicted and actual mm and ad, Q_fit (the sum of squares of R_q - q), and
/// the log-likelihood. A smaller s or greater c is more skill; see `errare rate` for one number.
///
/// Turns are lines of JSON: {"fen", "ply", "played", "lines": [["e2e4", 31], ["d2d4", "#-3"], ...]} with all legal
/// moves, best first, seen by the side to move; also "game", "milepost", "white", "black", "white_elo", "black_elo",
/// "date", "event", "engine", "depth", "settings", and "other_depths": {"8": [["e2e4", 20], ...]}.
///
/// JSON: {"data", "engine", "scale", "left_out", "scale_estimate", "fits": [{"group", "games", "turns", "method", "model",
/// "curve", "s", "se_s", "c", "se_c", "covariance", "settled", "mm", "mm_predicted", "mm_sd", "ad", "ad_predicted",
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
    lens: LensFlags,
    /// What makes a fit the best: percentile, likelihood, moments, or several of them
    #[arg(long, default_value = "percentile", value_name = "METHOD", value_delimiter = ',')]
    method: Vec<Method>,
    /// A fit for each of these
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Pass groups of fewer turns over
    #[arg(long, default_value_t = 50, value_name = "TURNS")]
    least_turns: usize,
    /// Fit all fifteen pairs of model and curve, most likely first
    #[arg(long)]
    compare: bool,
    /// Draw so many samples of games, and fit each
    #[arg(long, default_value_t = 0, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    bootstrap: u32,
    /// What samples are drawn by
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Tell R_q for each q too (JSON always does)
    #[arg(long)]
    percentiles: bool,
    /// Estimate the constant of the scale correction
    #[arg(long)]
    estimate_a: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What turns are put together by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The Elo that both players are near to
    Milepost,
    /// Who moved
    Player,
    /// The event
    Event,
    /// The year of the date
    Year,
}

impl By {
    fn group(self, turn: Turn<'_>) -> String {
        let game = turn.game();
        match self {
            By::Milepost => game.milepost.map_or_else(String::new, |elo| elo.to_string()),
            By::Player => turn.player().name.clone(),
            By::Event => game.event.clone(),
            By::Year => game.year().map_or_else(String::new, |year| year.to_string()),
        }
    }
}

/// A fit with the group it is of.
#[derive(Debug)]
pub struct Fitted {
    pub group: String,
    pub games: usize,
    pub fit: Fit,
    pub drawn: Option<Bootstrap>,
}

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let loaded = flags.turns.load(flags.scale.scale())?;
    let groups = groups(&loaded.turns, flags.by);
    let mut fits = Vec::new();
    for (group, sample) in &groups {
        if sample.count() < flags.least_turns.max(1) {
            if flags.by.is_some() {
                say(&format!("{group}: {} turns are too few; passed over", sample.count()));
            }
            continue;
        }
        for &method in &flags.method {
            fits.extend(fit(&flags, group, sample, method)?);
        }
    }
    if fits.is_empty() {
        bail!("there are no {} turns to fit", flags.least_turns);
    }
    let estimate =
        if flags.estimate_a { estimate_scale(&Sample::all(&loaded.turns), flags.scale.scale())? } else { None };
    let report = Report { loaded: &loaded, fits: &fits, estimate, wanted_estimate: flags.estimate_a };
    report.write(flags.format, flags.percentiles)?;
    Ok(Verdict::Clean)
}

/// The groups of turns, by name.
fn groups(turns: &Turns, by: Option<By>) -> Vec<(String, Sample<'_>)> {
    let Some(by) = by else { return vec![("all".to_owned(), Sample::all(turns))] };
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for turn in turns.iter() {
        members.entry(by.group(turn)).or_default().push(turn.index());
    }
    let named = |name: String| if name.is_empty() { "unknown".to_owned() } else { name };
    members.into_iter().map(|(name, indices)| (named(name), Sample::listed(turns, indices))).collect()
}

fn fit(flags: &Flags, group: &str, sample: &Sample<'_>, method: Method) -> Result<Vec<Fitted>> {
    let lens = flags.lens.lens(sample.source())?;
    let formulas: Vec<Formula> = if flags.compare { Formula::all().collect() } else { vec![lens.formula()] };
    let mut fits = Vec::new();
    for formula in formulas {
        let fitter = Fitter::new(lens.with_formula(formula), method);
        let (fit, drawn) = match flags.bootstrap as usize {
            0 => (fitter.fit(sample)?, None),
            draws => fitter.bootstrap(sample, draws, flags.seed).map(|(fit, drawn)| (fit, Some(drawn)))?,
        };
        fits.push(Fitted { group: group.to_owned(), games: sample.games(), fit, drawn });
    }
    fits.sort_by(|one, other| other.fit.log_likelihood.total_cmp(&one.fit.log_likelihood));
    Ok(fits)
}
