//! `errare table build`.

use crate::Exit;
use crate::metrics::{Metrics, wanted};
use crate::settings::Settings;
use anyhow::Result;
use clap::{ArgGroup, Args};
use errare_lab::{BuildRequest, Text};
use errare_tables::{MAX_MEN, Material};
use errare_terminal::{BuiltTables, Format};

/// Build endgame tables
///
/// Every table that was built is reported with what it cost, the endgames that captures and
/// promotions lead to included; tables that are there already are reported as present. Times are in
/// seconds, CPU times over all threads; the peak memory is that of the whole run so far. The deepest
/// wins of White, the side named first, and of Black are in plies. What a killed run has finished is
/// not done again.
///
/// JSON: see `errare schema build`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table build KQKR                       # KQKR, KQK and KRK, to mate
  errare table build KQKR KRKN --metric dtc     # to conversion, as models of players need them
  errare table build KRPKR --metric dtz,dtm     # with pawns, and all that promotions lead to
  errare table build --men 5 --metric dtz       # every endgame of 3 to 5 men; a second run goes on
  errare table build KRBKR --memory 1G --format json")]
pub struct Flags {
    #[command(flatten)]
    what: What,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

// What is built.
#[derive(Args, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("what").required(true).args(["materials", "men"])))]
pub struct What {
    /// Endgames, such as KQKR, kbbkn or KQvKR
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// Metrics, separated by commas: dtm, dtc, dtz, dtz50 (or another move rule), dtr; or all [default: dtm]
    #[arg(long, value_name = "METRIC,...")]
    metric: Option<Metrics>,
    /// Every endgame of 3 to N men; with pawns up to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,
    /// With --men: only endgames without pawns
    #[arg(long, requires = "men")]
    no_pawns: bool,
}

impl What {
    pub fn request(self) -> BuildRequest {
        BuildRequest {
            materials: self.materials.into_iter().map(Text).collect(),
            men: self.men,
            without_pawns: self.no_pawns,
            metrics: wanted(self.metric.as_ref()),
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let mut shown = BuiltTables::new(flags.format)?;
    let built = settings.run_each(&flags.what.request(), |table| shown.push(table));
    // What was built before something failed was built all the same.
    shown.finish()?;
    built.map(|()| Exit::Clean)
}
