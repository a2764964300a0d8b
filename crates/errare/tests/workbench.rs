//! Saved games and jobs of the workbench, over HTTP.

use crate::common;
use crate::common::fresh;
use crate::common::server::{JSON, Reply, Server};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

fn value(reply: &Reply) -> Value {
    serde_json::from_str(&reply.body).unwrap_or_else(|_| panic!("{}", reply.body))
}

fn ok(reply: &Reply) -> Value {
    assert!((200..300).contains(&reply.status), "{}", reply.body);
    value(reply)
}

/// A move of the person by its place among the legal ones, best first.
fn play(server: &Server, game: &Value, place: usize) -> Reply {
    let (id, version) = (game["id"].as_str().unwrap(), &game["version"]);
    let mv = &game["game"]["legal"][place]["uci"];
    server.call(&format!("games/{id}/moves"), &json!({"version": version, "move": mv}))
}

fn begin(server: &Server, play: &Value) -> Value {
    ok(&server.call("games", &json!({"play": play})))
}

/// A win of the queen against the rook that is not far away.
fn near_win() -> Value {
    json!({"material": "KQKR", "depth": "5..7", "outcome": "win", "seed": 3, "opponent": "infallible"})
}

#[test]
fn a_game_is_saved_move_by_move_and_survives_the_server() {
    let folder = fresh();
    let mut server = Server::start(folder.path(), "");
    let mut game = begin(&server, &near_win());
    assert_eq!((&game["version"], &game["game"]["endgame"]), (&json!(1), &json!("KQKR")));
    let mut before = game.clone();
    while game["game"]["end"].is_null() {
        before = game.clone();
        game = ok(&play(&server, &game, 0));
        if game["version"] == 3 {
            // Killed between two moves.
            let id = server.child.id().to_string();
            assert!(Command::new("kill").args(["-9", &id]).status().unwrap().success());
            server = Server::start(folder.path(), "");
        }
    }
    let path = format!("/api/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(server.json(&path), game);
    assert_eq!(game["game"]["end"]["winner"], "white");
    // From another window, which has not seen the last move.
    let late = play(&server, &before, 0);
    assert_eq!(late.status, 409, "{}", late.body);
    assert_eq!(value(&late)["current"], game);
    let listed = server.json("/api/v1/games");
    let summary = &listed["games"][0];
    let seen = [&summary["material"], &summary["theory"], &summary["result"], &summary["over"]];
    assert_eq!(seen, [&json!("KQKR"), &json!("win"), &json!("win"), &json!(true)]);
    let own = game["game"]["moves"].as_array().unwrap().iter().filter(|mv| mv["side"] == "white").count();
    assert_eq!((&summary["moves"], own > 3), (&json!(own), true), "those of the person");
    let pgn = server.get("/api/v1/games.pgn");
    assert!(pgn.head.contains("attachment; filename=\"errare-games.pgn\"") && pgn.body.contains("1-0"), "{}", pgn.body);
    let exported = server.json("/api/v1/games.json");
    assert_eq!(
        exported["games"][0]["play"]["moves"].as_array().unwrap().len(),
        game["game"]["moves"].as_array().unwrap().len()
    );
    assert_eq!(server.ask("DELETE", &path, "").status, 200);
    server.refused(&path, 404, "no such game");
    assert_eq!(server.json("/api/v1/games")["games"], json!([]));
}

/// What a person showed carries from game to game, counts even if the move is taken back, and goes with its game.
#[test]
fn beliefs_are_carried_from_game_to_game() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    assert_eq!(server.json("/api/v1/beliefs"), json!({"beliefs": []}));
    let mut game = begin(&server, &json!({"seed": 4}));
    assert_eq!(game["game"]["competence"]["expected_c"], 25.0);
    for _ in 0..6 {
        let worst = game["game"]["legal"].as_array().unwrap().iter().rposition(|mv| mv["keeps"] == true).unwrap();
        game = ok(&play(&server, &game, worst));
    }
    let shown = game["game"]["competence"]["expected_c"].as_f64().unwrap();
    assert!(shown < 10.0, "{shown}");
    let path = format!("games/{}/take-back", game["id"].as_str().unwrap());
    let less = ok(&server.call(&path, &json!({"version": game["version"]})));
    assert_eq!(less["game"]["moves"].as_array().unwrap().len(), 10);
    let still = less["game"]["competence"]["expected_c"].as_f64().unwrap();
    assert!((still - shown).abs() < 1e-9, "{still} {shown}");
    let beliefs = server.json("/api/v1/beliefs")["beliefs"].clone();
    assert_eq!(
        (&beliefs[0]["material"], &beliefs[0]["task"], &beliefs[0]["games"]),
        (&json!("KQKR"), &json!("win"), &json!(1))
    );
    assert_eq!(beliefs[0]["moves"], 5, "of six one was taken back");
    assert!((beliefs[0]["expected_c"].as_f64().unwrap() - shown).abs() < 1e-9);
    let begun = |play: &Value| begin(&server, play)["game"]["competence"]["expected_c"].as_f64().unwrap();
    assert!((begun(&json!({"seed": 5})) - shown).abs() < 1e-9, "the next game begins with it");
    assert_eq!(begun(&json!({"material": "KRK", "seed": 5})), 25.0, "not in another endgame");
    assert_eq!(begun(&json!({"seed": 5, "human": "black"})), 25.0, "nor with another task");
    assert_eq!(ok(&server.ask("DELETE", "/api/v1/games", ""))["erased"], 4);
    assert_eq!(begun(&json!({"seed": 5})), 25.0, "nor once it is erased");
}

#[test]
fn wrong_moves_and_requests_change_nothing() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let game = begin(&server, &near_win());
    let id = game["id"].as_str().unwrap();
    let refused = |path: &str, request: &Value, status: u16, words: &str| {
        let reply = server.call(path, request);
        let problem = value(&reply);
        assert_eq!((reply.status, &problem["status"]), (status, &json!(status)), "{path} {request}: {}", reply.body);
        assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
    };
    let moves = format!("games/{id}/moves");
    refused(&moves, &json!({"version": 1, "move": "a1a1"}), 400, "a1a1");
    refused(&moves, &json!({"version": 1, "move": "castle"}), 400, "castle");
    refused(&moves, &json!({"version": 1}), 400, "missing field `move`");
    refused(&moves, &json!({"version": 7, "move": "a1a2"}), 409, "gone on elsewhere");
    refused(&format!("games/{id}/take-back"), &json!({"version": 1}), 400, "no move of yours");
    refused(&format!("games/{id}/finish"), &json!({"version": 1, "finish": "claim-draw"}), 400, "draw");
    refused("games/0123/moves", &json!({"version": 1, "move": "a1a2"}), 404, "no such game");
    refused("games", &json!({"play": {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}}), 400, "king");
    refused("games", &json!({"play": {"fen": "rubbish"}}), 400, "rubbish");
    refused("games", &json!({"play": {"material": "KXK"}}), 400, "KXK");
    refused("games", &json!({"play": {"opponent": "predator:/etc/passwd"}}), 403, "/etc/passwd");
    refused("games", &json!({"play": {}, "title": "x".repeat(300)}), 400, "too long");
    assert_eq!(server.json(&format!("/api/v1/games/{id}")), game);
    assert_eq!(server.json("/api/v1/games")["games"].as_array().unwrap().len(), 1);
    let resigned = ok(&server.call(&format!("games/{id}/finish"), &json!({"version": 1, "finish": "resign"})));
    assert_eq!(resigned["game"]["end"]["winner"], "black");
    let again = ok(&server.call(&format!("games/{id}/take-back"), &json!({"version": 2})));
    assert_eq!(again["game"]["end"], Value::Null);
}

/// On a full disk a move is refused in a sentence, what was saved stays, and with room the game goes on.
#[test]
fn a_full_disk_loses_no_move() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let long = json!({"material": "KQKR", "depth": "25..31", "outcome": "win", "seed": 3, "opponent": "infallible"});
    let first = begin(&server, &long);
    drop(server);
    let server = Server::start_on_full_disk(folder.path(), 400);
    let path = format!("/api/v1/games/{}", first["id"].as_str().unwrap());
    let mut game = server.json(&path);
    assert_eq!(game, first);
    let refused = loop {
        let reply = play(&server, &game, 0);
        if reply.status != 200 {
            break reply;
        }
        game = value(&reply);
        assert_eq!(game["game"]["end"], Value::Null, "the disk is never full");
    };
    assert_eq!(refused.status, 507, "{}", refused.body);
    assert!(refused.head.contains("content-type: application/problem+json"), "{}", refused.head);
    assert!(value(&refused)["detail"].as_str().unwrap().contains("the disk is full"), "{}", refused.body);
    // Nothing hangs, and what was saved is read.
    let is_kept = |server: &Server| {
        let found = server.json(&path);
        assert_eq!((&found["version"], &found["game"]["moves"]), (&game["version"], &game["game"]["moves"]));
    };
    is_kept(&server);
    assert_eq!(server.call("games", &json!({"play": near_win()})).status, 507);
    assert_eq!(server.call("jobs/stats", &json!({"materials": ["KQKR"]})).status, 507);
    server.page("/");
    drop(server);
    let server = Server::start(folder.path(), "");
    is_kept(&server);
    ok(&play(&server, &game, 0));
}

/// Whatever else is worked out, moves and probes are answered at once, even by a server with one thread.
#[test]
fn long_work_does_not_hold_up_a_move() {
    let folder = fresh();
    let server = Server::start(folder.path(), "--threads 1");
    let mut game = begin(&server, &near_win());
    // With five men, and no tables yet, each of these takes minutes.
    let predict = json!({"fen": "3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1", "competence": 20});
    let draw = json!({"lesson": "lucena", "competence": 20});
    let ask = |(operation, request): (&str, &Value)| {
        let (mut stream, body) = (server.connect(), request.to_string());
        let head = format!("POST /api/v1/{operation} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}", body.len());
        stream.write_all(format!("{head}\r\n{JSON}\r\n{body}").as_bytes()).unwrap();
        stream
    };
    let asking: Vec<TcpStream> = [("predict", &predict), ("draw", &draw), ("predict", &predict)].map(ask).into();
    thread::sleep(Duration::from_millis(500));
    let probe = json!({"fen": game["game"]["fen"], "metric": "dtc"});
    for _ in 0..3 {
        let start = Instant::now();
        game = ok(&play(&server, &game, 0));
        ok(&server.call("probe", &probe));
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
    // And it is still at work.
    let built = common::files(folder.path());
    assert!(!built.iter().any(|name| name == "KRPKR.dtc.egt"), "{built:?}");
    drop(asking);
}

/// A folder that cannot be written is named, with what to do.
#[test]
fn a_data_folder_that_cannot_be_used_is_named() {
    let folder = fresh();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for data in [file.clone(), file.join("inside")] {
        let mut command = common::run(folder.path(), "serve --port 0 --data");
        let said = common::stderr(command.arg(&data), 2);
        assert!(said.contains("data folder") && said.contains("--data"), "{said}");
    }
    let taken = folder.path().join("taken");
    std::fs::create_dir_all(taken.join("workbench.sqlite")).unwrap();
    let said = common::stderr(common::run(folder.path(), "serve --port 0 --data").arg(&taken), 2);
    assert!(said.contains("cannot use") && said.contains("--data"), "{said}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

/// Work that a stop or a kill interrupts is begun again; what is done stays done.
#[test]
fn jobs_survive_the_server() {
    let folder = fresh();
    let mut server = Server::start(folder.path(), "");
    let done = server.job("stats", &json!({"materials": ["KPK"]}));
    assert_eq!(server.finished(&done)["state"], "done");
    let long = server.job("build", &json!({"materials": ["KRRKR"], "metrics": ["dtm"]}));
    let start = Instant::now();
    while server.json(&long)["state"] != "running" {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(10));
    }
    for signal in ["-TERM", "-KILL"] {
        assert!(Command::new("kill").args([signal, &server.child.id().to_string()]).status().unwrap().success());
        server.ended();
        server = Server::start(folder.path(), "");
        let known: BTreeMap<String, String> = server.json("/api/v1/jobs")["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|job| (job["operation"].as_str().unwrap().to_owned(), job["state"].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(known["stats"], "done", "{signal}");
        assert!(["waiting", "running"].contains(&known["build"].as_str()), "{signal} {known:?}");
        let part = server.json(&format!("{done}/response?at=/0/material"));
        assert_eq!(part, "KPK");
    }
    server.refused(&format!("{done}/response?at=/9"), 404, "nothing at /9");
    assert_eq!(server.ask("DELETE", &long, "").status, 200);
}

/// Too much to upload is refused in words that arrive, even though the client is still sending.
#[test]
fn large_uploads_are_refused_in_a_sentence() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let much = json!({"pgn": " ".repeat(100_000)});
    assert_eq!(server.call("assess", &much).status, 413);
    let job = server.job("assess", &much);
    assert_eq!(server.finished(&job)["state"], "failed");
    let reply = server.call("jobs/assess", &json!({"pgn": " ".repeat(100_000_000)}));
    assert_eq!(reply.status, 413, "{}", reply.body);
    assert!(reply.body.contains("at most 64 MB"), "{}", reply.body);
}
