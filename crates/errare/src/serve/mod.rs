//! `errare serve`: the workbench in a browser.
//!
//! A request passes `connections`, `guard` and `routes`; `work` has done what takes time. Nothing that a request says
//! reaches the file system, and nothing it does lasts but for answers that are kept.

mod api;
mod bench;
mod browser;
mod connections;
mod content;
mod guard;
mod pages;
mod questions;
mod refusal;
mod routes;
mod work;

use crate::calibrate::CalibrationFlags;
use crate::output::Output;
use crate::settings::Settings;
use crate::{Verdict, say};
use anyhow::{Result, anyhow};
use bench::{Bench, Data};
use clap::Args;
use errare_ratings::{Calibration, StudyOptions};
use errare_work::Silent;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;

/// Browse ratings: mileposts, players, and moves compared with any rating
///
/// Reads turns and serves pages on them, the same as those of `errare report`, until Ctrl-C. Without --calibration
/// players are rated by one made from the turns themselves, if they have mileposts. When all is ready the address is
/// written to stdout, one line.
///
/// JSON: /api/players?search=PART&page=N {"data", "engine", "least_turns", "total", "page", "pages", "players": [{"name",
/// "games", "turns", "elo", "mm", "ad"}]}; /api/player?name=NAME&claimed=ELO {"calibration": {"data",
/// "from_these_turns"}, "rating", "screening"} as `errare rate` and `errare screen` write them; /api/ratings is the
/// calibration that `errare calibrate` makes of the turns. What is refused is {"error": "why"}.
#[derive(Args, Debug)]
#[command(
    mut_arg("files", |files| files.required(false)),
    mut_args(|flag| if OF_A_CALIBRATION.contains(&flag.get_id().as_str()) { flag.conflicts_with("calibration") } else { flag }),
    after_help = "\
Examples:
  errare serve *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --open
  errare serve games.parquet --calibration sf15-d10.json --port 8080"
)]
pub struct Flags {
    #[command(flatten)]
    making: CalibrationFlags,
    /// Calibration file, made by `errare calibrate` [default: made from the turns, if they have mileposts]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Refuse to rate players with fewer turns
    #[arg(long, default_value_t = StudyOptions::default().min_turns, value_name = "TURNS")]
    least_turns: usize,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 7341)]
    port: u16,
    /// The address to listen on; any but a loopback address lets other machines in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    address: IpAddr,
    /// Open the first page in a browser
    #[arg(long)]
    open: bool,
}

/// What a calibration settles, by the names of the flags.
const OF_A_CALIBRATION: [&str; 6] = ["a", "cap", "model", "curve", "weights", "method"];

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    // First what fails at once, then what takes long.
    let listener = listen(SocketAddr::new(flags.address, flags.port))?;
    let bound = listener.local_addr().map_err(|error| anyhow!("cannot tell the address: {error}"))?;
    let bench = bench(&flags)?;
    let end = Arc::new(Notify::new());
    let ending = Arc::clone(&end);
    ctrlc::set_handler(move || ending.notify_one()).map_err(|error| anyhow!("cannot wait for Ctrl-C: {error}"))?;
    let runtime = runtime().map_err(|error| anyhow!("cannot start the server: {error}"))?;
    if !bound.ip().is_loopback() {
        say(&format!(
            "warning: whoever can reach {bound} can read all of this, and have ratings worked out: there is no password \
             and no encryption"
        ));
    }
    let page = format!("http://{}/", reachable(bound));
    Output::stdout().line(&page)?;
    if flags.open {
        browser::open(&page);
    }
    let router = routes::router(bench, bound.ip(), rayon::current_num_threads());
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        connections::serve(listener, router, &end).await;
        Ok::<(), std::io::Error>(())
    });
    // Work that nobody waits for any more ends with the process.
    runtime.shutdown_background();
    served.map(|()| Verdict::Clean).map_err(|error| anyhow!("cannot serve {page}: {error}"))
}

/// One thread is plenty to speak with clients; what takes time has its own.
fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// Where a browser on this machine finds the server: "any address" is none to go to.
fn reachable(bound: SocketAddr) -> SocketAddr {
    let here = match bound.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(here, bound.port())
}

fn listen(address: SocketAddr) -> Result<TcpListener> {
    let bound = TcpListener::bind(address).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    bound.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!("cannot listen on {address}: another program does. Give another --port, or 0 for any that is free")
        }
        _ => anyhow!("cannot listen on {address}: {error}"),
    })
}

fn bench(flags: &Flags) -> Result<Bench> {
    let given = flags.calibration.as_deref().map(Calibration::read).transpose()?;
    let making = &flags.making;
    let data = if making.turns.files.is_empty() {
        None
    } else {
        let scale = given.as_ref().map_or_else(|| making.scale.scale(), |given| given.scale);
        let set = making.turns.load(scale, &Silent)?;
        let (model, method) = match &given {
            Some(given) => {
                given.check(&set.turns)?;
                (given.model.clone(), given.method)
            }
            None => (making.model.model(&set.turns)?, making.method),
        };
        Some(Data::new(set, model, method, &Silent)?)
    };
    Ok(Bench { given, data, least_turns: flags.least_turns })
}

/// Reads an address; names of other machines would have to be looked up, and may have several.
fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => text.parse().map_err(|_| format!("`{text}` is no IP address: give one such as 127.0.0.1 or ::1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_shown_is_one_to_go_to() {
        for (bound, shown) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("127.0.0.1:7341", "127.0.0.1:7341")]
        {
            assert_eq!(reachable(bound.parse().unwrap()).to_string(), shown);
        }
        assert_eq!(address("localhost"), Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert!(address("example.org").is_err());
    }
}
