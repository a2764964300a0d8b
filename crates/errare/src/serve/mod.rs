//! `errare serve`: the workbench in a browser.

mod browser;

use crate::output::Output;
use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{BenchRequest, EngineSpec, LabConfig};
use errare_ratings::StudyOptions;
use errare_server::{HostName, Server};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Browse ratings: mileposts, players, and moves compared with any rating
///
/// Reads turns and serves pages on them, the same as those of `errare report`, until Ctrl-C. Without --calibration
/// players are rated by one made from the turns themselves, if they have mileposts. When all is ready the address is
/// written to stdout, one line.
///
/// JSON: GET /api/players?search=PART&page=N (see `errare schema players`), /api/player?name=NAME&claimed=ELO (the study
/// of `errare schema report-player`), /api/ratings (see `errare schema calibrate`). POST /api/OPERATION runs an operation
/// on tables or endgames, such as probe or choose, for requests that name no files; POST /api/jobs/OPERATION starts it as a
/// job. GET /api/openapi.json describes all of it. What is refused is {"error": "why"}.
#[derive(Args, Debug)]
#[command(
    mut_arg("files", |files| files.required(false)),
    // --engine is the program that evaluates games here.
    mut_arg("engine", |engine| engine.long("turns-engine")),
    mut_args(|flag| if OF_A_CALIBRATION.contains(&flag.get_id().as_str()) { flag.conflicts_with("calibration") } else { flag }),
    after_help = "\
Examples:
  errare serve *.jsonl.gz --turns-engine 'Stockfish 15.1' --depth 10 --open
  errare serve games.parquet --calibration sf15-d10.json --port 8080
  errare serve --address 0.0.0.0 --allow-host lab.example.org"
)]
pub struct Flags {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Calibration file, made by `errare calibrate` [default: made from the turns, if they have mileposts]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Engine that evaluates games: a file or a command, with arguments after spaces [default: stockfish, if there is one]
    #[arg(id = "program", long = "engine", env = "ERRARE_ENGINE", value_name = "PROGRAM", hide_env_values = true)]
    program: Option<EngineSpec>,
    /// Refuse to rate players with fewer turns
    #[arg(long, alias = "least-turns", default_value_t = StudyOptions::default().min_turns, value_name = "TURNS")]
    min_turns: usize,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 7341)]
    port: u16,
    /// The address to listen on; any but a loopback address lets other machines in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    address: IpAddr,
    /// Also answer to this host name; may be repeated. Needed if others reach the server by a name
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// Open the first page in a browser
    #[arg(long)]
    open: bool,
}

impl Flags {
    /// What the flags say of the lab.
    pub fn lab_config(&self) -> LabConfig {
        LabConfig { engine: self.program.clone(), calibration: self.calibration.clone(), ..LabConfig::default() }
    }
}

/// What a calibration settles, by the names of the flags.
const OF_A_CALIBRATION: [&str; 6] = ["a", "cap", "model", "curve", "weights", "method"];

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    // First what fails at once, then what takes long.
    if !flags.input.turns.has_files() {
        flags.input.turns.refuse_without_files()?;
    }
    let server = Server::bind(SocketAddr::new(flags.address, flags.port))?.allow_hosts(flags.allow_host);
    let input = flags.input.turns.has_files().then(|| flags.input.into());
    let request = BenchRequest { input, calibration: flags.calibration, min_turns: flags.min_turns };
    let bench = settings.watched(|progress| settings.lab.rating_bench(&request, progress))?;
    let (address, page) = (server.address(), server.page());
    if !address.ip().is_loopback() {
        say(&format!(
            "warning: whoever can reach {address} can read all of this, and have the machine work: there is no password \
             and no encryption"
        ));
    }
    Output::stdout().line(&page)?;
    if flags.open {
        browser::open(&page);
    }
    server.serve(settings.lab.clone(), bench, &settings.terminal)?;
    Ok(Verdict::Clean)
}

/// Reads an address; names of other machines would have to be looked up, and may have several.
fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => text.parse().map_err(|_| format!("invalid IP address `{text}`: expected one such as 127.0.0.1 or ::1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_is_the_one_name_among_addresses() {
        assert_eq!(address("localhost"), Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert!(address("example.org").is_err());
    }
}
