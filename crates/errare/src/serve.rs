//! `errare serve`: the workbench in a browser.

use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use crate::{Exit, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{BenchRequest, EngineSpec, LabConfig, default_data_folder};
use errare_ratings::StudyOptions;
use errare_server::{HostName, Server};
use errare_terminal::{Output, open_browser};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Open the workbench: practise, explore, assess and rate in a browser
///
/// Serves the workbench until Ctrl-C. When all is ready its address is written to stdout, one line. Games are saved in the
/// data folder as they are played. With turns it also shows their mileposts and players; without --calibration these are
/// rated by a calibration made from the turns themselves, if they have mileposts.
///
/// For programs there is JSON under /api/v1: POST /api/v1/OPERATION runs an operation, POST /api/v1/jobs/OPERATION starts
/// it as a job, and GET /api/v1/openapi.json describes everything.
#[derive(Args, Debug)]
#[command(
    mut_arg("files", |files| files.required(false)),
    // --engine is the program that evaluates games here.
    mut_arg("engine", |engine| engine.long("turns-engine")),
    mut_args(|flag| if OF_A_CALIBRATION.contains(&flag.get_id().as_str()) { flag.conflicts_with("calibration") } else { flag }),
    after_help = "\
Examples:
  errare serve --open
  errare serve *.jsonl.gz --turns-engine 'Stockfish 15.1' --depth 10
  errare serve games.parquet --calibration sf15-d10.json --port 8080
  errare serve --listen 0.0.0.0 --allow-host lab.example.org"
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
    /// The address to listen on. Any but a loopback address lets other machines in that have the token, which is in the
    /// address that is printed
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS", value_parser = address)]
    listen: IpAddr,
    /// Also answer to this host name; may be repeated. Needed if others reach the server by a name
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// The folder that games and jobs are kept in [default: errare in the user's data folder]
    #[arg(long, env = "ERRARE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Open the first page in a browser, if there is a display
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

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    // First what fails at once, then what takes long.
    if !flags.input.turns.has_files() {
        flags.input.turns.refuse_without_files()?;
    }
    let mut server = Server::bind(SocketAddr::new(flags.listen, flags.port))?.allow_hosts(flags.allow_host);
    server = match flags.data.or_else(default_data_folder) {
        Some(folder) => server.keep_in(&folder)?,
        None => {
            say(
                "warning: there is no folder to keep games in: they are forgotten when the server ends (--data names one)",
            );
            server
        }
    };
    if !flags.listen.is_loopback() {
        server = server.ask_for_token()?;
    }
    let input = flags.input.turns.has_files().then(|| flags.input.into());
    let request = BenchRequest { input, calibration: flags.calibration, min_turns: flags.min_turns };
    let bench = settings.watched(|progress| settings.lab.rating_bench(&request, progress))?;
    let (address, page) = (server.address(), server.page());
    if !address.ip().is_loopback() {
        say(&format!(
            "warning: whoever can reach {address} and has the token in the address below can read and change all of this, \
             and have the machine work. There is no encryption: others on the network may read the token"
        ));
    }
    Output::stdout().line(&page)?;
    if flags.open {
        open_browser(&page);
    }
    server.serve(settings.lab.clone(), bench, &settings.terminal)?;
    Ok(Exit::Clean)
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
