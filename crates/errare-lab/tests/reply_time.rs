//! How long the reply of an agent takes, the whole game being replayed at every request as boards in a browser ask.

mod common;

use common::new_lab;
use errare_lab::{Lab, PlayRequest, PlayResponse};
use errare_work::Silent;
use serde_json::json;
use std::time::{Duration, Instant};

/// The plies of the longest game that is measured.
const PLIES: usize = 60;

fn play(lab: &Lab, request: &PlayRequest) -> PlayResponse {
    lab.run(request, &Silent).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

/// All requests of a game in which the person keeps the value, but not more.
fn requests(lab: &Lab, start: &serde_json::Value) -> Vec<PlayRequest> {
    let mut request: PlayRequest = serde_json::from_value(start.clone()).expect("a request");
    let mut requests = Vec::new();
    loop {
        let game = play(lab, &request);
        (request.fen, request.material) = (Some(game.start.clone()), None);
        (request.depth, request.outcome) = (None, None);
        if !request.moves.is_empty() {
            requests.push(request.clone());
        }
        request.moves = game.moves.iter().map(|mv| mv.name.uci.clone()).collect();
        let kept = game.legal.iter().filter(|mv| mv.keeps).count();
        if game.end.is_some() || request.moves.len() + 1 > PLIES {
            return requests;
        }
        request.moves.push(game.legal[kept / 2].name.uci.clone());
    }
}

fn percentile(times: &[Duration], share: f64) -> Duration {
    times[((times.len() - 1) as f64 * share).round() as usize]
}

/// The 95th percentile of a reply in each endgame, against each of the opponents that the Practise page offers, printed and
/// compared with the 50 ms that a person does not notice.
fn measure(endgames: &[serde_json::Value]) {
    let lab = new_lab();
    let mut slow = Vec::new();
    for start in endgames {
        for opponent in ["player:12", "emulator:12", "predator", "infallible"] {
            let mut start = start.clone();
            start["opponent"] = json!(opponent);
            start["rule"] = json!("none");
            // Several games, so that one that ends early does not stand alone.
            let games: Vec<PlayRequest> = (0..5)
                .flat_map(|seed| {
                    start["seed"] = json!(seed);
                    requests(&lab, &start)
                })
                .collect();
            let longest = games.iter().map(|request| request.moves.len()).max().unwrap_or(0);
            let time = |request: &PlayRequest| {
                let begun = Instant::now();
                play(&lab, request);
                begun.elapsed()
            };
            // The better of two: a busy machine is not what is measured.
            let mut times: Vec<Duration> = games.iter().map(|request| time(request).min(time(request))).collect();
            times.sort();
            let (half, most, worst) = (percentile(&times, 0.5), percentile(&times, 0.95), percentile(&times, 1.0));
            let name = start["material"].as_str().or(start["fen"].as_str()).unwrap_or("KQKR");
            println!(
                "{name:6} {opponent:12} {:4} replies, up to {longest} plies: median {half:.1?}, 95% {most:.1?}, worst {worst:.1?}",
                times.len()
            );
            if most > Duration::from_millis(50) {
                slow.push(format!("{name} {opponent}: {most:?}"));
            }
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}

#[test]
fn replies_with_four_men_come_at_once() {
    measure(&[json!({"material": "KQKR", "depth": "20.."})]);
}

#[test]
#[ignore = "builds tables of five men"]
fn replies_with_five_men_come_at_once() {
    measure(&[
        json!({"material": "KRPKR", "outcome": "win", "depth": "15.."}),
        json!({"material": "KRPKR", "outcome": "draw"}),
    ]);
}
