//! Matches as operations of the lab: engines in shell as players, several starts, scores.

#![cfg(unix)]

use crate::common::LAB;
use errare_lab::{EndReason, LabError, MatchRequest, MatchResponse, WholeGamesResponse};
use errare_work::{Cancel, Silent};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// White mates in one move by either rook; Black, to move after another move, has one move.
const MATE_IN_ONE: &str = "k7/7R/8/1K6/8/8/8/6R1 w - - 0 1";
const KQK: &str = "8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1";
const KRK: &str = "8/8/8/4k3/8/8/3R4/4K3 w - - 0 1";

/// An engine in shell that reacts to commands by these cases. It writes the numbers of its processes to a file.
fn engine(folder: &Path, cases: &str) -> String {
    let path = folder.join("engine");
    let script = format!(
        "cd '{}'\necho $$ >> pids\nwhile read -r word rest; do case \"$word\" in\n{cases}\n\
         uci) echo 'id name Fa\u{1b}[31mke'; echo 'option name Style type string default calm'; echo uciok;;\n\
         isready) echo readyok;;\nsetoption) echo \"$rest\" >> options;;\nquit) exit 0;;\nesac; done\n",
        folder.display()
    );
    fs::write(&path, script).expect("a script");
    format!("uci:sh {}", path.display())
}

/// Plays the first legal rook move that it finds in a list for this start, and mates.
const MATES: &str = "go) echo \"$rest\" >> limits; echo bestmove g1g8;;";

fn is_running(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

fn processes(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("pids")).expect("numbers").lines().map(str::to_owned).collect()
}

fn play(request: Value) -> MatchResponse {
    let found = LAB.call("match", request, &Silent).expect("a match");
    let read: MatchResponse = serde_json::from_value(found.clone()).expect("the same shape");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), found);
    read
}

fn refused(request: Value) -> String {
    LAB.call("match", request, &Silent).expect_err("an error").to_string()
}

fn tag<'a>(game: &'a str, name: &str) -> &'a str {
    let line = game.lines().find_map(|line| line.strip_prefix(&format!("[{name} \""))).unwrap_or_default();
    line.trim_end_matches("\"]")
}

#[test]
fn an_engine_plays_and_is_named_in_the_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), MATES);
    let pgn = folder.path().join("games.pgn");
    let white = format!("{engine},nodes=77,option.Style=wild, yet calm");
    let request = json!({"white": white, "black": "player:5", "fen": MATE_IN_ONE, "games": 3, "pgn": pgn,
        "model": {"metric": "dtm"}});
    let found = play(request);
    assert_eq!((found.games, found.results.white, found.min_moves, found.max_moves), (3, 3, 1, 1));
    assert_eq!(found.names.white, "Fa [31mke nodes=77, Style=wild, yet calm");
    let score = found.score.expect("a score");
    assert_eq!((score.won, score.share, score.elo.0, score.elo_interval[1].0), (3, 1.0, f64::INFINITY, f64::INFINITY));
    // 3 of 3: the share is at least 1 / (1 + z^2 / 3).
    assert!((score.share_interval[0] - 0.438_503).abs() < 1e-6, "{score:?}");
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("1. Rg8# 1-0").count(), 3, "{games}");
    assert!(!games.contains('\u{1b}'));
    let tags: Vec<&str> = ["Event", "Site", "Round", "White", "Black", "Result", "Termination", "SetUp", "FEN"]
        .iter()
        .map(|name| tag(&games, name))
        .collect();
    let expected = [
        "errare match, seed 0",
        "?",
        "1",
        "Fa [31mke nodes=77, Style=wild, yet calm",
        "player:5",
        "1-0",
        "normal",
        "1",
        MATE_IN_ONE,
    ];
    assert_eq!(tags, expected);
    let date: Vec<&str> = tag(&games, "Date").split('.').collect();
    assert!(
        matches!(date[..], [year, month, day] if year.parse::<u32>().is_ok_and(|year| year >= 2024)
        && month.parse::<u32>().is_ok_and(|month| (1..=12).contains(&month)) && day.len() == 2),
        "{date:?}"
    );
    let said = |name: &str| fs::read_to_string(folder.path().join(name)).expect("lines");
    assert!(said("options").starts_with("name Style value wild, yet calm\n"));
    assert_eq!(said("limits"), "nodes 77\n".repeat(3));
    assert!(processes(folder.path()).iter().all(|process| !is_running(process)));
}

#[test]
fn engines_that_fail_break_their_games() {
    let folder = tempfile::tempdir().expect("a folder");
    // The engine answers from the start alone, so that it fails when it has to move again.
    let engine = engine(folder.path(), "go) [ -e done ] && exit 3; touch done; echo bestmove d2d8;;");
    let found =
        play(json!({"white": engine, "black": "infallible", "fen": KQK, "games": 2, "rule": 50, "most_moves": 1}));
    assert_eq!((found.games, found.broken.len()), (1, 1));
    assert!(found.broken[0].reason.starts_with("Fa [31mke ended unexpectedly"), "{:?}", found.broken);
    assert_eq!(found.broken[0].fen, KQK);
    let error = refused(json!({"white": engine, "black": "infallible", "fen": KQK, "games": 2}));
    assert!(error.starts_with("no game was finished; the last one broke because Fa [31mke ended"), "{error}");
    assert!(processes(folder.path()).iter().all(|process| !is_running(process)));
}

#[test]
fn cancelling_ends_engines() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), "go) touch searching; sleep 60;;");
    let pgn = folder.path().join("games.pgn");
    let request = json!({"white": engine, "black": engine, "fen": KQK, "games": 50, "pgn": pgn});
    let request: MatchRequest = serde_json::from_value(request).expect("a request");
    let cancel = Cancel::new();
    let running = thread::spawn({
        let cancel = cancel.clone();
        move || LAB.run(&request, &cancel)
    });
    while !folder.path().join("searching").exists() {
        assert!(!running.is_finished(), "{:?}", running.join());
        thread::sleep(Duration::from_millis(5));
    }
    cancel.cancel();
    let begun = Instant::now();
    let ended = running.join().expect("no panic");
    assert!(matches!(ended, Err(LabError::Cancelled(_))), "{ended:?}");
    // 200 ms on an idle machine; this one may be busy.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(!pgn.exists() && processes(folder.path()).iter().all(|process| !is_running(process)));
}

/// From a single start and with one colour nothing but the number of the game and the seed decides: figures that were
/// found before matches had several starts.
#[test]
fn several_starts_and_colours_are_counted_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("starts.txt");
    fs::write(&file, format!("# two endgames\n{KQK}\n\n  {KRK}  \n")).expect("a file");
    let pgn: PathBuf = folder.path().join("games.pgn");
    let request = |both: bool| {
        json!({"white": "infallible", "black": "player:0", "fens_file": file, "games": 2, "both_colours": both, "rule": 50,
            "pgn": pgn, "model": {"metric": "dtm"}})
    };
    let found = play(request(false));
    assert_eq!((found.games, found.fen, found.starts.len()), (4, None, 2));
    assert_eq!((found.starts[0].fen.as_str(), found.starts[1].fen.as_str()), (KQK, KRK));
    assert_eq!((found.starts[0].results.white, found.starts[1].results.white), (2, 2));
    let found = play(request(true));
    assert_eq!(found.games, 8);
    let score = found.score.expect("a score");
    assert_eq!((score.pairs, score.won + score.drawn + score.lost), (Some(4), 8));
    // The infallible agent wins as White, and loses or draws as Black: it has nothing but the king then.
    assert_eq!(score.won, 4);
    assert_eq!(score.drawn, found.results.drawn);
    let games = fs::read_to_string(&pgn).expect("games");
    let whites: Vec<&str> = games.lines().filter(|line| line.starts_with("[White ")).collect();
    assert_eq!(whites.len(), 8);
    assert!(whites.chunks(2).all(|pair| pair == ["[White \"infallible\"]", "[White \"player:0\"]"]), "{whites:?}");
    // One game from each position unless a number is given.
    let found =
        play(json!({"white": "infallible", "black": "infallible", "fens": [KQK, KRK], "model": {"metric": "dtm"}}));
    assert_eq!(found.games, 2);
}

#[test]
fn what_makes_no_match_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("starts.txt");
    fs::write(&file, format!("{KQK}\nrubbish\n")).expect("a file");
    let with = |field: &str, value: Value| {
        let mut request = json!({"white": "player:3", "black": "player:3"});
        request[field] = value;
        refused(request)
    };
    assert_eq!(with("seed", json!(1)), "no position to start from: give a FEN, or a file with at least one");
    assert!(with("fens_file", json!(file)).contains("starts.txt, line 2: "));
    assert!(with("fens_file", json!("no such file")).starts_with("cannot open no such file"));
    assert!(
        refused(json!({"white": "player:3", "black": "player:3", "fens": [KQK, KRK], "games": 900_000_000}))
            .starts_with("too many games")
    );
    assert!(
        refused(json!({"white": "uci:/no/such/engine", "black": "player:3", "fen": KQK}))
            .starts_with("/no/such/engine cannot be started")
    );
    assert!(refused(json!({"white": "uci:", "black": "player:3", "fen": KQK})).contains("missing engine"));
    // Where probabilities are asked for.
    let asked = json!({"fen": KQK, "agent": "uci:stockfish"});
    let error = LAB.call("choose", asked, &Silent).expect_err("an error").to_string();
    assert!(error.starts_with("an engine names a move and gives no probabilities"), "{error}");
}

/// A server takes games against agents, so that no text of an agent may start a program there.
#[test]
fn nobody_plays_against_a_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), MATES);
    let error = LAB.call("play", json!({"fen": KQK, "opponent": engine}), &Silent).expect_err("an error").to_string();
    assert!(error.contains("an engine names a move and gives no probabilities"), "{error}");
    assert!(!folder.path().join("pids").exists());
}

/// A request that names a program must not come from outside.
#[test]
fn servers_start_no_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), MATES);
    let clients = LAB.for_clients();
    for (operation, request) in [
        ("match", json!({"white": engine, "black": "player:3", "fen": KQK})),
        ("choose", json!({"fen": KQK, "agent": engine})),
        ("contest", json!({"engines": [engine], "limits": ["depth=1"], "material": "KQK"})),
    ] {
        let error = clients.call(operation, request, &Silent).expect_err("an error");
        assert_ne!(error.kind(), errare_lab::ErrorKind::Failed, "{operation}: {error}");
        assert!(!folder.path().join("pids").exists(), "{operation} started the engine: {error}");
    }
}

#[test]
fn contests_take_engines_as_matches_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), "go) echo \"$rest\" >> limits; exit 1;;");
    let own = format!("{engine},nodes=5,option.Style=own");
    let plain = engine.trim_start_matches("uci:").to_owned();
    let asked = json!({"engines": [own, plain], "limits": ["depth=2", "depth=3"], "options": ["Style=shared"],
        "material": "KQK", "positions": 1, "side": "strong"});
    let found = LAB.call("contest", asked, &Silent).expect("a contest");
    let limits: Vec<&str> =
        found["results"].as_array().expect("results").iter().filter_map(|row| row["limit"].as_str()).collect();
    assert_eq!(limits, ["nodes=5", "depth=2", "depth=3"]);
    let names: Vec<&str> =
        found["results"].as_array().expect("results").iter().filter_map(|row| row["engine"].as_str()).collect();
    assert_eq!(names[0], format!("Fa [31mke ({plain},option.Style=own)"));
    let options = fs::read_to_string(folder.path().join("options")).expect("options");
    assert!(options.starts_with("name Style value own\nname Style value shared\n"), "{options}");
}

fn play_whole(request: Value) -> WholeGamesResponse {
    let found = LAB.call("whole-games", request, &Silent).expect("games");
    let read: WholeGamesResponse = serde_json::from_value(found.clone()).expect("the same shape");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), found);
    read
}

#[test]
fn whole_games_begin_at_the_first_move_and_name_elos() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = |name: &str| {
        let pgn = folder.path().join(name);
        let request = json!({
            "white": "elo:1800", "black": "elo:2400", "advice": "search", "games": 2, "both_colours": true, "seed": 5,
            "most_moves": 4, "pgn": pgn,
        });
        (play_whole(request), fs::read_to_string(pgn).expect("games"))
    };
    let (found, pgn) = games("one.pgn");
    assert_eq!((found.games, found.results.drawn, found.max_moves), (4, 4, 4));
    assert_eq!(found.reasons.get(&EndReason::BrokenOff), Some(&4));
    let advice = found.advice.as_ref().expect("an adviser");
    assert!(advice.engine.is_none() && advice.depth == 5, "{advice:?}");
    assert!(advice.caveats.iter().any(|caveat| caveat.contains("no engine advises")), "{advice:?}");
    let parts: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(parts.len(), 4);
    for (number, game) in parts.iter().enumerate() {
        let (white, black) = if number % 2 == 0 { ("1800", "2400") } else { ("2400", "1800") };
        assert_eq!((tag(game, "WhiteElo"), tag(game, "BlackElo")), (white, black), "{game}");
        assert_eq!(tag(game, "White"), format!("elo:{white}"));
        assert!(game.contains("\n1. ") && game.contains(" 4. "), "{game}");
    }
    // The same seed gives the same games, on any number of threads.
    assert_eq!(games("two.pgn").1, pgn);
    let said = found.sentences().join("\n");
    assert!(said.contains("4 whole games, elo:1800 against elo:2400, each with both colours"), "{said}");
}

#[test]
fn whole_games_come_to_endings_that_tables_decide() {
    // White takes the last pawn and mates by tables, whatever a search would do with three men.
    let request = json!({
        "white": "infallible", "black": "elo:1800", "advice": "search", "fens": ["8/8/8/4k3/8/8/1p1Q4/4K3 w - - 0 1"],
        "resign": null,
    });
    let found = play_whole(request);
    assert_eq!((found.results.white, found.reasons.get(&EndReason::Mate)), (1, Some(&1)), "{found:?}");
}

#[test]
fn whole_games_are_won_by_the_stronger() {
    // Random moves against the best of our own search: lost by mate or resignation within a few dozen moves.
    let request = json!({"white": "player:0", "black": "infallible", "advice": "search", "seed": 3});
    let found = play_whole(request);
    assert_eq!(found.results.black, 1, "{found:?}");
}

#[test]
fn requests_for_whole_games_that_make_no_sense_are_refused() {
    let refused = |changes: Value| {
        let mut request = json!({"white": "elo:1800", "black": "elo:2400", "advice": "search"});
        for (name, value) in changes.as_object().expect("fields") {
            request[name] = value.clone();
        }
        LAB.call("whole-games", request, &Silent).expect_err("an error").to_string()
    };
    assert!(refused(json!({"games": 0})).contains("invalid number of games 0"));
    assert!(refused(json!({"resign": 0.0})).contains("expected 1 to 100"));
    assert!(refused(json!({"advice": "friend"})).contains("expected engine or search"));
    assert!(refused(json!({"fens": ["8/8"]})).contains("invalid FEN"));
    assert!(refused(json!({"fens": ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]})).contains("the game is over"));
    let (request, cancel) = (json!({"white": "elo:1800", "black": "elo:2400", "advice": "search"}), Cancel::new());
    cancel.cancel();
    assert!(matches!(LAB.call("whole-games", request, &cancel), Err(LabError::Cancelled(_))));
}
