//! `errare screen`.

mod doubt;
pub mod report;

use crate::Verdict;
use crate::calibrate::file;
use crate::fit::turns::{TurnFlags, Wanted, positive};
use crate::output::Format;
use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::Args;
pub use doubt::Doubt;
use errare_ratings::{Calibration, Sample, Screening, Turn, Turns, Widening};
use report::Report;
use std::path::PathBuf;

/// Hold a player's moves against a claimed rating
///
/// For a player of the claimed Elo the calibration tells how often the engine's first choice is to be expected (mm), and
/// how much is lost on average (ad). z-scores tell by how many standard deviations play was better than that: positive is
/// more like the engine, or less lost. The standard deviations are the model's, widened by 1.15 and 1.4 for what it
/// leaves out. The opponents' moves of the same games are held against their own ratings: what made everybody look good
/// or bad, such as the openings or the engine, shows there too. z takes the calibration as it is; how far its own error
/// could move z is told besides.
///
/// This is a screening, no verdict. It tells how unusual play is for a rating, and nothing of why. Among many players
/// somebody always is unusual; the words under the table say how many to expect.
///
/// JSON: {"player", "claimed", "widening", "overall", "games": [...], "opponents", "if_calibration_off":
/// {"elo", "z_mm", "z_ad"}, "trace": [...]} with scores {"game",
/// "turns", "mm", "mm_expected", "mm_sd", "z_mm", "ad", "ad_expected", "ad_sd", "z_ad"} and moves {"game", "move", "side",
/// "played", "best", "evaluation", "probability", "first_probability", "loss", "expected_loss", "rank"}. CSV: a row for
/// each game, or with --trace for each move.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --trace")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    /// A file that `errare calibrate` wrote
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// The player: those whose name contains it, whatever the case
    #[arg(long, value_name = "NAME")]
    player: String,
    /// The rating to hold against [default: that of each game]
    #[arg(long, value_name = "ELO", value_parser = positive)]
    claimed: Option<f64>,
    /// Multiplies the standard deviation of mm
    #[arg(long, default_value_t = Widening::default().mm, value_name = "FACTOR", value_parser = positive)]
    widen_mm: f64,
    /// Multiplies the standard deviation of ad
    #[arg(long, default_value_t = Widening::default().ad, value_name = "FACTOR", value_parser = positive)]
    widen_ad: f64,
    /// Refuse fewer turns
    #[arg(long, default_value_t = 50, value_name = "TURNS")]
    least_turns: usize,
    /// Tell every move
    #[arg(long)]
    trace: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let calibration = file::read(&flags.calibration)?;
    let loaded = flags.turns.load(calibration.scale)?;
    calibration.check(&loaded.turns)?;
    let wanted = Wanted::Part(&flags.player);
    let sample = Sample::new(&loaded.turns, |turn| wanted.is(&turn.player().name));
    if sample.count() < flags.least_turns.max(1) {
        bail!(
            "{} turns of `{}` are too few to mean anything: at least {} are needed",
            sample.count(),
            flags.player,
            flags.least_turns.max(1)
        );
    }
    let claim = Claim(flags.claimed);
    if sample.iter().all(|turn| claim.of(turn).is_none()) {
        bail!("no game tells the rating of `{}`: give --claimed", flags.player);
    }
    let widening = Widening { mm: flags.widen_mm, ad: flags.widen_ad };
    let screening = calibration.screen(&sample, |turn| claim.of(turn), widening)?;
    let opponents = opponents(&calibration, &loaded.turns, wanted, widening)?;
    let report = Report {
        turns: &loaded.turns,
        player: &flags.player,
        claimed: flags.claimed,
        widening,
        screening: &screening,
        opponents: opponents.as_ref(),
        doubt: Doubt::new(&calibration, &sample, &claim, widening)?,
    };
    report.write(flags.format, flags.trace)?;
    Ok(Verdict::Clean)
}

/// What a player is said to be worth: one rating, or that of each game.
#[derive(Clone, Copy, Debug)]
pub struct Claim(pub Option<f64>);

impl Claim {
    pub fn of(&self, turn: Turn<'_>) -> Option<f64> {
        self.0.or_else(|| turn.player().elo.map(f64::from))
    }
}

/// The opponents of a player held against their own ratings, if any of these is known.
pub fn opponents(
    calibration: &Calibration,
    turns: &Turns,
    player: Wanted<'_>,
    widening: Widening,
) -> Result<Option<Screening>> {
    let others = Sample::new(turns, |turn| {
        !player.is(&turn.player().name) && player.is(&turn.game().opponent(turn.side()).name)
    });
    let own = Claim(None);
    if others.iter().all(|turn| own.of(turn).is_none()) {
        return Ok(None);
    }
    Ok(Some(calibration.screen(&others, |turn| own.of(turn), widening)?))
}
