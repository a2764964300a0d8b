//! Rating the players of games, with an engine that this file is itself: it knows Stockfish's evaluations by heart.

#![cfg(all(unix, feature = "evaluate"))]
#![allow(clippy::disallowed_methods, reason = "the fake engine and the folders of the tests")]

use errare_lab::{
    ErrorKind, Lab, LabConfig, LabError, RateGamesRequest, RateGamesResponse, RateRequest, TraceBasis, TurnsRequest,
};
use errare_ratings::TurnRows;
use errare_work::{Progress, Silent, Status};
use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data");

fn games() -> String {
    fs::read_to_string(format!("{DATA}/mileposts.pgn")).expect("games")
}

fn turns() -> PathBuf {
    format!("{DATA}/mileposts.jsonl.gz").into()
}

/// This file as an engine. It gives the evaluations of the turn file, writes what it is asked to `asked`, and dies of
/// positions that `deadly` names.
#[test]
#[ignore = "an engine, not a test"]
fn engine() {
    let Ok(folder) = std::env::var("FAKE_FOLDER") else { return };
    let folder = Path::new(&folder);
    let rows = TurnRows::open(&turns()).expect("turns").map(|row| row.expect("a turn"));
    let known: HashMap<String, Vec<_>> = rows.map(|row| (row.position(), row.lines)).collect();
    let mut position = String::new();
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!(
                "id name Stockfish 15.1\noption name Threads type spin default 1 min 1 max 9\noption name Hash type spin \
                 default 16 min 1 max 999\noption name MultiPV type spin default 1 min 1 max 500\noption name EvalFile \
                 type string default nn-ad9b42354671.nnue\nuciok"
            ),
            ["isready"] => println!("readyok"),
            ["position", "fen", ref words @ ..] => position = words[..4].join(" "),
            ["go", "depth", depth] => {
                let mut asked =
                    OpenOptions::new().create(true).append(true).open(folder.join("asked")).expect("a file");
                writeln!(asked, "{position}").expect("written");
                let deadly = fs::read_to_string(folder.join("deadly")).unwrap_or_default();
                if deadly.lines().any(|part| position.contains(part)) {
                    std::process::exit(3);
                }
                for (rank, (mv, score)) in (1..).zip(&known[&position]) {
                    let score = score.to_string();
                    let score = score.strip_prefix('#').map_or(format!("cp {score}"), |moves| format!("mate {moves}"));
                    println!("info depth {depth} multipv {rank} score {score} pv {mv}");
                }
                println!("bestmove {}", known[&position][0].0);
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

/// A folder with the engine as a program of its own, which needs no arguments: Stockfish has none either.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        let (program, folder) = (std::env::current_exe().expect("a program"), place.0.path().display());
        let script = format!(
            "#!/bin/sh\nFAKE_FOLDER='{folder}' exec '{}' --ignored --exact rate_games::engine --nocapture\n",
            program.display()
        );
        fs::write(place.path("stockfish"), script).expect("written");
        fs::set_permissions(place.path("stockfish"), fs::Permissions::from_mode(0o755)).expect("executable");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn lab(&self) -> Lab {
        Lab::new(LabConfig {
            threads: Some(2),
            engine: self.path("stockfish").to_str().and_then(|name| name.parse().ok()),
            evaluations: Some(self.path("cache.sqlite")),
            ..LabConfig::default()
        })
    }

    fn rate(&self, request: &RateGamesRequest) -> Result<RateGamesResponse, LabError> {
        self.lab().for_clients().run(request, &Silent)
    }

    /// Number of positions that the engine was asked about.
    fn asked(&self) -> usize {
        fs::read_to_string(self.path("asked")).map_or(0, |asked| asked.lines().count())
    }
}

fn request() -> RateGamesRequest {
    RateGamesRequest { min_turns: 40, ..RateGamesRequest::of_pgn(games()) }
}

fn one(player: &str) -> RateGamesRequest {
    RateGamesRequest { player: Some(player.to_owned()), ..request() }
}

#[test]
fn games_and_turns_give_the_same_ratings() {
    let place = Place::new();
    let found = place.rate(&request()).expect("ratings");
    assert_eq!((found.games, found.broken_games, found.failed, found.turns), (14, 0, 0, 740));
    assert_eq!((found.evaluated, place.asked()), (871, 871));
    assert!(
        found.calibration.as_ref().is_some_and(|used| used.shipped && used.range.0 < 1900.0 && used.range.1 > 2700.0)
    );
    assert_eq!(found.no_calibration, None);
    let rated: Vec<&str> = found.rows.iter().filter(|row| row.ipr.is_some()).map(|row| row.player.as_str()).collect();
    // Those with 40 turns or more.
    assert_eq!(rated.len(), 6, "{rated:?}");
    let ratings: Vec<f64> = found.rows.iter().map_while(|row| row.ipr).collect();
    assert!(ratings.is_sorted_by(|one, other| one >= other) && ratings.len() == 6, "{ratings:?}");
    let turns = TurnsRequest { engine: Some("Stockfish 15.1".into()), depth: Some(10), ..TurnsRequest::new([turns()]) };
    for row in found.rows.iter().filter(|row| row.ipr.is_some()) {
        let player = Some(row.player.clone());
        let rate = RateRequest { calibration: None, player, min_turns: 40, ..RateRequest::new(turns.clone(), "") };
        let alone = place.lab().run(&rate, &Silent).expect("a rating");
        assert_eq!((row.turns, row.games), (alone.turns, alone.games));
        let close = |one: Option<f64>, other: f64| assert!((one.unwrap_or(f64::NAN) - other).abs() < 1e-6, "{row:?}");
        close(row.ipr, alone.ipr);
        close(row.low, alone.interval.0);
        close(row.high, alone.interval.1);
        close(row.se, alone.se);
        close(Some(row.mm), alone.mm);
        assert!(row.elo.is_some() && row.z == row.z_mm.zip(row.z_ad).map(|(mm, ad)| mm.max(ad)));
        let note = row.note.as_deref().unwrap_or_default();
        assert!(note.contains("leave the rating uncertain"), "{row:?}");
        // More turns never make a rating less certain.
        let about = |before: &str| -> Option<f64> {
            note.split_once(before)?.1.split(' ').next()?.replace(',', "").parse().ok()
        };
        let now = about("uncertain by about ").expect("a number");
        assert!(about("would leave about ").is_none_or(|later| later < now), "{note}");
    }
    let few = found.rows.last().expect("a row");
    assert!(few.ipr.is_none() && few.note.as_ref().is_some_and(|note| note.ends_with("a rating takes 40")), "{few:?}");
    assert!(found.cautions.iter().any(|words| words.contains("not a verdict")), "{:?}", found.cautions);
    // The cache has every answer now, so that the engine is not asked again.
    assert_eq!(place.rate(&request()).expect("ratings").evaluated, 0);
    let pooled = RateGamesRequest { pooled: true, ..request() };
    let pooled = place.rate(&pooled).expect("a rating").rows;
    assert_eq!((pooled.len(), pooled[0].turns, pooled[0].games), (1, 740, 14));
}

#[test]
fn one_player_is_evaluated_alone_and_shown_move_by_move() {
    let place = Place::new();
    let found = place.rate(&one("popovic")).expect("a rating");
    let detail = found.player.expect("a player");
    assert_eq!((detail.player.as_str(), found.games), ("Popovic, Petar", 1));
    assert_eq!((place.asked(), found.rows.len()), (71, 1));
    let study = detail.study.expect("a study");
    let screening = study.screening.expect("a screening");
    assert_eq!((detail.trace_basis, screening.overall.turns), (TraceBasis::Claimed, detail.trace.len()));
    assert!(screening.opponents.is_none() && screening.trace.is_empty());
    assert_eq!(study.charts.len(), 2);
    for words in ["leave the rating uncertain", "not how strong a player is"] {
        assert!([&study.words.reach, &study.words.caution].iter().any(|text| text.contains(words)), "{words}");
    }
    let first = &detail.trace[0];
    assert_eq!((first.number, first.fen.split(' ').nth(1)), (9, Some("b")));
    assert!(first.san.chars().any(|c| c.is_ascii_digit() || c == 'O') && !first.san.contains(&first.played));
    assert!(first.probability.is_some_and(|probability| (0.0..=1.0).contains(&probability)));
    assert!((first.evaluation - first.evaluation_after).abs() < 1e-9 || first.rank > 1);
    // The opponents too, if asked for.
    let both = RateGamesRequest { opponents: true, ..one("popovic") };
    let found = place.rate(&both).expect("a rating");
    assert_eq!((place.asked(), found.rows.len(), found.evaluated), (141, 1, 70));
    let screening = found.player.and_then(|player| player.study?.screening).expect("a screening");
    assert!(screening.opponents.is_some_and(|opponents| opponents.turns > 0));
    // Without a rating in the games the moves are compared with the rating that they have.
    let unrated = games().replace("[BlackElo \"2489\"]\n", "");
    let found = place.rate(&RateGamesRequest { pgn: Some(unrated), ..one("popovic") }).expect("a rating");
    let detail = found.player.expect("a player");
    assert!(detail.trace_basis == TraceBasis::Own && detail.trace[0].probability.is_some());
    assert_eq!((found.rows[0].z, found.rows[0].elo), (None, None));
}

/// Watches, and cancels at a certain number of evaluated turns.
#[derive(Default)]
struct Watch {
    cancel_at: Option<u64>,
    done: AtomicU64,
    seen: Mutex<Vec<(u64, u64)>>,
}

impl Progress for Watch {
    fn report(&self, status: &Status<'_>) {
        if status.activity == "evaluating with Stockfish 15.1 at depth 10" {
            self.done.fetch_max(status.done, Ordering::Relaxed);
            self.seen.lock().expect("no panic").push((status.done, status.total.unwrap_or(0)));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel_at.is_some_and(|at| self.done.load(Ordering::Relaxed) >= at)
    }
}

#[test]
fn a_cancelled_run_goes_on_where_it_was() {
    let place = Place::new();
    let watch = Watch { cancel_at: Some(30), ..Watch::default() };
    let stopped = place.lab().run(&request(), &watch);
    assert!(matches!(stopped, Err(LabError::Cancelled(_))), "{stopped:?}");
    let before = place.asked();
    assert!((30..60).contains(&before), "{before}");
    let watch = Watch::default();
    let found = place.lab().run(&request(), &watch).expect("ratings");
    let seen = watch.seen.into_inner().expect("no panic");
    assert!(seen[0].0 >= 30 && seen[0].1 == 871 && seen[seen.len() - 1] == (871, 871), "{:?}", seen[0]);
    assert!(found.evaluated <= 871 - 30 && found.turns == 740);
    let whole = Place::new().rate(&request()).expect("ratings");
    assert_eq!(found.rows, whole.rows);
}

#[test]
fn an_engine_that_dies_costs_a_turn_or_says_so() {
    let place = Place::new();
    let trace = place.rate(&one("popovic")).expect("a rating").player.expect("a player").trace;
    let deadly = trace[3].fen.split(' ').next().expect("a placement").to_owned();
    let place = Place::new();
    fs::write(place.path("deadly"), deadly).expect("written");
    let found = place.rate(&one("popovic")).expect("a rating");
    assert_eq!((found.failed, found.rows[0].turns), (1, trace.len() - 1));
    assert!(found.summary.contains("The engine failed at 1 turn"), "{}", found.summary);
    // All positions have a king.
    let place = Place::new();
    fs::write(place.path("deadly"), "k").expect("written");
    let error = place.rate(&one("popovic")).expect_err("no engine");
    assert!(error.to_string().contains("the engine failed at"), "{error}");
}

#[test]
fn without_an_engine_the_way_to_one_is_said() {
    let lab = |engine: &str| Lab::new(LabConfig { engine: engine.parse().ok(), ..LabConfig::default() });
    let missing = lab("/nowhere/stockfish");
    for error in [missing.engine(&Silent).expect_err("none"), missing.run(&request(), &Silent).expect_err("none")] {
        assert!(matches!(error, LabError::NoEngine { .. }) && error.kind() == ErrorKind::Impossible);
        assert!(error.to_string().contains("ERRARE_ENGINE"), "{error}");
    }
    let usual = LabError::NoEngine { named: None }.to_string();
    assert!(usual.contains("apt-get install stockfish") && usual.contains("--engine"), "{usual}");
    let error = lab("/bin/true").engine(&Silent).expect_err("not an engine");
    assert!(error.to_string().contains("/bin/true does not start"), "{error}");
    let place = Place::new();
    let info = place.lab().engine(&Silent).expect("an engine");
    assert_eq!((info.name.as_str(), info.program), ("Stockfish 15.1", place.path("stockfish").display().to_string()));
}

#[test]
fn without_a_calibration_there_is_no_rating() {
    let place = Place::new();
    let found = place.rate(&RateGamesRequest { depth: 9, ..one("popovic") }).expect("turns");
    let row = &found.rows[0];
    assert!(found.calibration.is_none() && row.ipr.is_none() && row.z.is_none() && row.turns > 40 && row.mm > 0.0);
    let words = found.no_calibration.expect("words");
    for part in ["Stockfish 15.1 at depth 9", "Stockfish 15.1 at depth 10", "errare calibrate"] {
        assert!(words.contains(part), "{words}");
    }
    let detail = found.player.expect("a player");
    assert!(detail.study.is_none() && detail.trace_basis == TraceBasis::None && detail.trace.len() == row.turns);
    assert!(detail.trace.iter().all(|traced| traced.probability.is_none()));
}

#[test]
fn games_that_say_nothing_are_no_failure_and_wrong_requests_are() {
    let place = Place::new();
    let short = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n";
    let found = place.rate(&RateGamesRequest::of_pgn(short)).expect("nothing");
    assert_eq!((found.rows.len(), found.games, found.left_out.early), (0, 1, 3));
    assert!(found.summary.starts_with("0 turns of 1 game count"), "{}", found.summary);
    let base = RateGamesRequest::of_pgn(short);
    for (request, kind, words) in [
        (RateGamesRequest { pgn: None, ..base.clone() }, ErrorKind::Request, "no games"),
        (RateGamesRequest::of_pgn("nothing of the kind"), ErrorKind::Impossible, "no games"),
        (RateGamesRequest { player: Some("C".into()), ..base.clone() }, ErrorKind::Unknown, "no player matches `C`"),
        (RateGamesRequest { depth: 0, ..base.clone() }, ErrorKind::Request, "invalid depth 0"),
        (RateGamesRequest { depth: 30, ..base.clone() }, ErrorKind::Request, "a server allows at most 16"),
        (RateGamesRequest { first_move: 0, ..base.clone() }, ErrorKind::Request, "invalid first move"),
        (RateGamesRequest { claimed: Some(0.0), ..base.clone() }, ErrorKind::Request, "invalid rating"),
        (RateGamesRequest { opponents: true, ..base.clone() }, ErrorKind::Request, "opponents of whom"),
        (RateGamesRequest { files: vec!["x.pgn".into()], ..base }, ErrorKind::Forbidden, "`x.pgn` cannot be used here"),
    ] {
        let error = place.rate(&request).expect_err("refused");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
