//! A session with the lab: build a table, probe it, choose a move, assess a game, cancel a long job.

use errare_lab::{AssessRequest, BuildRequest, ChooseRequest, Lab, LabConfig, LabError, ProbeRequest};
use errare_work::{Cancel, Silent};
use serde_json::{from_value, json};
use std::thread;
use std::time::Duration;

const FEN: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";
const GAME: &str =
    "[SetUp \"1\"]\n[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n[White \"Ann\"]\n\n1. Kb7 Re7+ 2. Kc6 Re6+ *";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lab = Lab::new(LabConfig { tables: Some(std::env::temp_dir().join("errare-session")), ..LabConfig::default() });

    let build: BuildRequest = from_value(json!({"materials": ["KQKR"], "metrics": ["dtc"]}))?;
    for table in lab.run(&build, &Silent)? {
        println!("{} to {}: {} bytes", table.material, table.metric, table.bytes);
    }
    let found = lab.run(&ProbeRequest { metric: Some("dtc".parse()?), ..ProbeRequest::new(FEN) }, &Silent)?;
    println!("{} in {:?} plies; best: {}", found.depth.outcome.name(), found.depth.plies, found.successors[0].san);

    let choose: ChooseRequest = from_value(json!({"fen": FEN, "agent": "player:20", "seed": 1}))?;
    println!("R_20 plays {}", lab.run(&choose, &Silent)?.chosen.san);

    let assess: AssessRequest = from_value(json!({"pgn": GAME, "detail": "none"}))?;
    for player in lab.run(&assess, &Silent)?.players {
        println!("{}: E[c] = {:.1}", player.name, player.total.expected_c);
    }

    let cancel = Cancel::new();
    let (long, token) = (lab.clone(), cancel.clone());
    let job = thread::spawn(move || long.call("build", json!({"materials": ["KBBKN"], "metrics": ["dtr"]}), &token));
    thread::sleep(Duration::from_millis(100));
    cancel.cancel();
    assert!(matches!(job.join(), Ok(Err(LabError::Cancelled(_)))), "the job was stopped");
    Ok(())
}
