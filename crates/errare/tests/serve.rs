//! `errare serve`, spoken to as a browser would, over plain connections.

use crate::common::server::{JSON, Reply, Server};
use crate::common::{TURNS, calibration, errare, files, fresh, json as json_of, run, stderr, stdout};
use serde_json::{Value, json};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const ENGINE: &str = "--engine Stockfish-15.1 --depth 10";
/// The engine of the turns as a server is told of it: `--engine` is another one there.
const TURNS_ENGINE: &str = "--turns-engine Stockfish-15.1 --depth 10";
const PLAYER: &str = "Karjakin,Sergey";

/// The turns as lines of text, each changed, and so without its checksum.
fn lines(folder: &Path, name: &str, change: impl Fn(&str) -> String) -> String {
    let plain = folder.join("plain.jsonl");
    stdout(&mut run(folder, &format!("merge {TURNS} --out {}", plain.display())));
    let text = std::fs::read_to_string(plain).unwrap();
    let unchecked = |line: &str| format!("{}}}", line.split(",\"crc32\"").next().unwrap());
    let changed: Vec<String> = text.lines().map(|line| change(&unchecked(line))).collect();
    let file = folder.join(name);
    std::fs::write(&file, changed.join("\n")).unwrap();
    file.display().to_string()
}

/// Turns that make no calibration, which takes seconds, and one to go with them.
fn calibrated(folder: &Path, change: impl Fn(&str) -> String) -> String {
    let file = lines(folder, "plain_turns.jsonl", |line| change(&without_milepost(line)));
    format!("{file} {TURNS_ENGINE} --calibration {}", calibration())
}

fn without_milepost(line: &str) -> String {
    line.replace("\"milepost\":", "\"was_milepost\":")
}

/// The words of a page, without its markup.
fn words(html: &str) -> String {
    let unescaped =
        |text: &str| text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    unescaped(&html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect::<String>())
}

/// What the workbench shows of turns has all the words of the reports.
#[test]
fn the_workbench_has_the_words_of_the_reports() {
    let folder = fresh();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let server = Server::start(folder.path(), &format!("{TURNS} {TURNS_ENGINE} --least-turns 10"));
    many_ask_at_once(&server);
    let (ratings, player, calibration) = (path("ratings.html"), path("player.html"), path("calibration.json"));
    stdout(&mut run(folder.path(), &format!("report ratings {TURNS} {ENGINE} --out {ratings}")));
    let written = words(&std::fs::read_to_string(ratings).unwrap());
    let shown = server.json("/api/v1/ratings");
    let blocks = shown["page"].as_array().unwrap();
    assert_eq!(blocks.iter().filter(|block| block["kind"] == "chart").count(), 4);
    for text in blocks.iter().filter_map(|block| block["text"].as_str()) {
        assert!(written.contains(text), "{text}");
    }
    let cautious =
        |text: &&str| text.contains("cannot be surer than that") || text.contains("Warning: weak calibration");
    assert!(blocks.iter().filter_map(|block| block["text"].as_str()).filter(cautious).count() >= 2);

    stdout(&mut run(folder.path(), &format!("calibrate {TURNS} {ENGINE} --out {calibration}")));
    let line = format!("report player {TURNS} {ENGINE} --calibration {calibration} --least-turns 10");
    for (flags, query) in [("", ""), ("--claimed 2100", "&claimed=2100")] {
        stdout(&mut run(folder.path(), &format!("{line} --player {PLAYER} {flags} --out {player}")));
        let written = words(&std::fs::read_to_string(&player).unwrap());
        let shown = server.json(&format!("/api/v1/player?name=Karjakin%2CSergey{query}"));
        for name in ["basis", "rating", "reach", "caution", "posterior", "screening", "shift"] {
            let text = shown["words"][name].as_str().unwrap();
            assert!(written.contains(text), "{name}: {text}");
        }
        assert!(written.contains(shown["screening"]["note"].as_str().unwrap()));
        assert!(shown["words"]["own_calibration"].as_str().unwrap().contains("from these turns themselves"));
        assert_eq!(shown["charts"].as_array().unwrap().len(), 2);
    }
}

/// Pages that were there before the workbench lead into it.
#[test]
fn old_addresses_lead_to_the_workbench() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    for (old, new) in [
        ("/turns", "/rate"),
        ("/ratings", "/rate/mileposts"),
        ("/players?search=a%20b", "/rate/players?search=a%20b"),
        ("/player?name=a&claimed=2000", "/rate/player?name=a&claimed=2000"),
    ] {
        let reply = server.get(old);
        assert_eq!(reply.status, 308, "{old}");
        assert!(reply.head.contains(&format!("location: {new}\r\n")), "{}", reply.head);
        server.page(new);
    }
}

#[test]
fn players_are_listed_most_turns_first_and_searched() {
    let folder = fresh();
    let turns = calibrated(folder.path(), str::to_owned);
    let server = Server::start(folder.path(), &format!("{turns} --least-turns 10"));
    let fits = json_of(&mut run(folder.path(), &format!("fit {TURNS} --by player --least-turns 20 --format json")));
    let listed = server.json("/api/v1/players");
    let players = listed["players"].as_array().unwrap();
    assert_eq!(listed["total"].as_u64().unwrap() as usize, players.len());
    assert!(players.windows(2).all(|pair| pair[0]["turns"].as_u64() >= pair[1]["turns"].as_u64()));
    // What `errare fit` counts, player by player.
    for fit in fits["fits"].as_array().unwrap() {
        let player = players.iter().find(|player| player["name"] == fit["group"]).unwrap();
        assert_eq!((&player["games"], &player["turns"]), (&fit["games"], &fit["turns"]));
        for key in ["mm", "ad"] {
            assert!((player[key].as_f64().unwrap() - fit[key].as_f64().unwrap()).abs() < 1e-9, "{player} {fit}");
        }
        assert!(player["elo"].as_f64().unwrap() > 1000.0);
    }
    let found = server.json("/api/v1/players?search=KARJ");
    assert_eq!((&found["total"], &found["players"][0]["name"]), (&1.into(), &PLAYER.into()));
    assert_eq!(found["rated"], true);
    assert_eq!(server.json("/api/v1/players?search=nobody")["total"], 0);
    server.refused("/api/v1/players?page=2", 404, "there is no page 2");
    server.refused("/api/v1/players?page=x", 400, "invalid page `x`");

    let strict = Server::start(folder.path(), &format!("{turns} --least-turns 5000"));
    let listed = strict.json("/api/v1/players");
    assert_eq!(listed["min_turns"], 5000);
    assert!(listed["notes"].to_string().contains("A rating takes 5000 turns"), "{listed}");
    strict.refused("/api/v1/player?name=Karjakin,Sergey", 422, "at least 5000 are needed");
}

#[test]
fn programs_get_what_the_commands_write() {
    let folder = fresh();
    let server = Server::start(folder.path(), &format!("{TURNS} {TURNS_ENGINE} --least-turns 10"));
    let file = folder.path().join("calibration.json");
    std::fs::write(&file, server.get("/api/v1/ratings").body).unwrap();
    let made = json_of(&mut run(folder.path(), &format!("calibrate {TURNS} {ENGINE} --format json")));
    let mut shown = server.json("/api/v1/ratings");
    assert!(shown.as_object_mut().unwrap().remove("page").is_some());
    assert_eq!(shown, made);
    let line = format!("{TURNS} {ENGINE} --calibration {} --player {PLAYER} --format json", file.display());
    let rating = json_of(&mut run(folder.path(), &format!("rate {line} --least-turns 10")));
    let screening = json_of(&mut run(folder.path(), &format!("screen {line} --least-turns 10 --claimed 2500")));
    let player = server.json("/api/v1/player?name=Karjakin,Sergey&claimed=2500");
    assert_eq!(player["calibration"]["from_these_turns"], true);
    assert!((player["rating"]["ipr"].as_f64().unwrap() - rating["ipr"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!((&player["rating"]["turns"], &player["rating"]["games"]), (&rating["turns"], &rating["games"]));
    let z = |told: &Value| told["overall"]["z_ad"].as_f64().unwrap();
    assert!((z(&player["screening"]) - z(&screening)).abs() < 1e-6);

    // By a calibration that these turns make in another way, players have other ratings.
    let other = folder.path().join("moments.json").display().to_string();
    stdout(&mut run(folder.path(), &format!("calibrate {TURNS} {ENGINE} --method moments --out {other}")));
    let line = format!("{TURNS} {ENGINE} --calibration {other} --least-turns 10");
    let rating = json_of(&mut run(folder.path(), &format!("rate {line} --player {PLAYER} --format json")));
    let server = Server::start(folder.path(), &line.replace(ENGINE, TURNS_ENGINE));
    let given = server.json("/api/v1/player?name=Karjakin,Sergey&claimed=2500");
    assert_eq!(given["calibration"]["from_these_turns"], false);
    let ipr = |told: &Value| told["ipr"].as_f64().unwrap();
    assert!((ipr(&given["rating"]) - ipr(&rating)).abs() < 1e-6);
    assert!((ipr(&given["rating"]) - ipr(&player["rating"])).abs() > 1.0);
    assert_eq!(given["words"]["own_calibration"], Value::Null);
    server.refused("/api/v1/player?name=Karjakin,Sergey&claimed=9000", 422, "outside the range of the calibration");
    for bad in ["claimed=high", "claimed=0", "claimed=NaN", "name=again", "strange=1"] {
        server.refused(&format!("/api/v1/player?name=Karjakin,Sergey&{bad}"), 400, "detail");
    }
    server.refused("/api/v1/player", 400, "name");
    server.refused("/api/v1/nothing", 404, "there is nothing at /api/v1/nothing");
}

/// A name is whatever a file says: it is shown as it is, linked to as it is, and found by any part of it.
#[test]
fn names_are_neither_markup_nor_patterns() {
    let folder = fresh();
    let odd = "<script>alert('1')</script> & \"100%\" +ü/../";
    let quoted = odd.replace('"', "\\\"");
    let turns = calibrated(folder.path(), |line| line.replace(PLAYER, &quoted));
    let server = Server::start(folder.path(), &format!("{turns} --least-turns 10"));
    let listed = server.json("/api/v1/players?search=%3Cscript");
    assert_eq!((&listed["total"], &listed["players"][0]["name"]), (&1.into(), &odd.into()));
    // A part that no other name contains is enough.
    for part in ["script", "%3CSCRIPT%3E", "%25"] {
        assert_eq!(server.json(&format!("/api/v1/player?name={part}"))["rating"]["player"], odd);
    }
    for unknown in ["Karjakin", "%00", "%ff%fe", "..%2F..%2Fetc%2Fpasswd", "%3Cscript%3Ex"] {
        server.refused(&format!("/api/v1/player?name={unknown}"), 404, "no player matches");
    }
    for (bad, words) in [("", "mpty player name"), ("%20", "mpty player name"), ("a", "mbiguous player `a`")] {
        server.refused(&format!("/api/v1/player?name={bad}"), 400, words);
    }
    let echoed = server.get("/<script>x".replace('<', "%3C").replace('>', "%3E").as_str());
    assert!(!echoed.body.contains("<script>x"), "{}", echoed.body);
}

#[test]
fn only_harmless_requests_are_answered() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let (page, head) = (server.get("/"), server.ask("HEAD", "/", ""));
    for reply in [&page, &head, &server.get("/nothing"), &server.ask("POST", "/", "")] {
        for header in [
            "content-security-policy: default-src 'none'; ",
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cache-control: no-",
        ] {
            assert!(reply.head.contains(header), "{}", reply.head);
        }
    }
    assert!(page.head.contains("script-src 'self'; style-src 'self'; "), "{}", page.head);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert!(head.head.contains(&format!("content-length: {}", page.body.len())), "{}", head.head);

    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        for target in ["/", "/players", "/nothing"] {
            let reply = server.ask(method, target, "");
            assert_eq!(reply.status, 405, "{method} {target}");
            assert!(reply.head.contains("allow: get, head"), "{}", reply.head);
        }
    }
    assert_eq!(server.ask("GET", "/", "Content-Length: 3\r\n").status, 400);
    assert_eq!(server.ask("GET", "/", "Transfer-Encoding: chunked\r\n").status, 400);
    assert_eq!(server.get(&format!("/players?search={}", "a".repeat(3000))).status, 414);
    assert_eq!(server.get(&format!("/{}", "a".repeat(3000))).status, 414);

    let with_host = |target: &str, host: &str| server.send(format!("GET {target} HTTP/1.1\r\n{host}\r\n").as_bytes());
    for host in ["localhost", "localhost:1", "127.0.0.1", "[::1]:7341"] {
        assert_eq!(with_host("/", &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    for host in ["evil.example", "evil.example:7341", "localhost.evil.example", "192.168.0.1", "a@b@c", ""] {
        assert_eq!(with_host("/", &format!("Host: {host}\r\n")).status, 421, "{host}");
    }
    assert_eq!(with_host("/", "Host: localhost\r\nHost: evil.example\r\n").status, 421);
    assert_eq!(with_host("http://evil.example/", "Host: localhost\r\n").status, 421);
    assert_eq!(with_host("/", "").status, 400);

    for target in ["/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/players/", "/.", "/%00", "/%ff"] {
        let reply = server.get(target);
        assert_eq!(reply.status, 404, "{target}");
        assert!(!reply.body.contains("root:"), "{target}");
    }
    for garbage in
        [&b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n \r\n\r\n"]
    {
        assert_eq!(server.send(garbage).status, 400, "{garbage:?}");
    }
    // More than fits: whether the refusal is still read is up to the system, but the server goes on.
    drop(server.connect().write_all(&[b'a'; 1 << 20]));
    drop(server.connect().write_all(b"GET / HTT"));
    assert_eq!(server.get("/").status, 200);
}

/// All who ask at once get the same.
fn many_ask_at_once(server: &Server) {
    let targets = ["/api/v1/player?name=Karjakin,Sergey", "/api/v1/players", "/", "/api/v1/ratings"];
    // Some who never say anything are in nobody's way.
    let _silent: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    let pages: Vec<(usize, String)> = thread::scope(|scope| {
        let ask = |which: usize| (which, server.get(targets[which]).body);
        let asking: Vec<_> = (0..40).map(|number| scope.spawn(move || ask(number % targets.len()))).collect();
        asking.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    for (which, target) in targets.iter().enumerate() {
        let expected = server.get(target);
        assert_eq!(expected.status, 200, "{target}");
        assert!(pages.iter().filter(|(asked, _)| *asked == which).all(|(_, page)| *page == expected.body), "{target}");
    }
}

/// Every operation is listed with its schemas; those that name no files are called, and answer as the command does.
#[test]
fn operations_answer_as_the_commands_do() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let operations = server.json("/api/v1/schema");
    let mut called = 0;
    for operation in operations.as_array().unwrap() {
        let name = operation["name"].as_str().unwrap();
        let schemas = server.json(&format!("/api/v1/schema/{name}"));
        for (of, key) in [("request", "request"), ("response", "response")] {
            let printed = json_of(&mut run(folder.path(), &format!("schema {name} --of {of}")));
            assert_eq!(schemas[key], printed, "{name}");
        }
        let (request, line) = match name {
            "probe" => (json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"}), "table probe 8/8/8/8/8/2k5/1R6/K7 w - - 0 1"),
            "stats" => (json!({"materials": ["KRK"], "zugzwangs": true}), "table stats KRK --zugzwangs"),
            "find" => (json!({"materials": ["KRK"], "depth": 16}), "table find KRK --depth 16"),
            "play" => (json!({"material": "KRK", "moves": []}), "play KRK"),
            "list" => (json!({}), "table list"),
            "choose" => (
                json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "agent": "player:20"}),
                "choose 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 --agent player:20",
            ),
            "predict" => (
                json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "competence": 20}),
                "predict 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 --competence 20",
            ),
            _ => {
                let status = server.call(name, &json!({"nonsense": 1})).status;
                let expected = match name {
                    "players" => 405,
                    _ if operation["callable"] == true => 400,
                    _ => 403,
                };
                assert_eq!(status, expected, "{name}");
                continue;
            }
        };
        let reply = server.call(name, &request);
        assert_eq!(reply.status, 200, "{name}: {}", reply.body);
        assert!(reply.head.contains("content-type: application/json"), "{}", reply.head);
        let answer: Value = serde_json::from_str(&reply.body).unwrap();
        assert_eq!(answer, json_of(&mut run(folder.path(), &format!("{line} --format json"))), "{name}");
        called += 1;
    }
    assert_eq!(called, 7);
}

/// With one thread the next call has to wait for this one, which takes minutes unless it is stopped.
#[test]
fn work_stops_when_its_client_leaves() {
    let folder = fresh();
    let server = Server::start(folder.path(), "--threads 1");
    let request = json!({"materials": ["KRRKQ", "KQRKQ", "KQBKR"], "metrics": ["dtm"]}).to_string();
    let mut leaving = server.connect();
    let head =
        format!("POST /api/v1/build HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{JSON}\r\n", request.len());
    leaving.write_all(format!("{head}{request}").as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(500));
    drop(leaving);
    let reply = server.call("probe", &json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"}));
    assert_eq!(reply.status, 200, "{}", reply.body);
    let built = files(folder.path());
    assert!(!built.iter().any(|name| name.contains("KQBKR")), "{built:?}");
}

#[test]
fn calls_that_are_wrong_are_refused_with_the_reason() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let refused = |reply: Reply, status: u16, words: &str| {
        assert_eq!(reply.status, status, "{}", reply.body);
        let error: Value = serde_json::from_str(&reply.body).unwrap();
        assert!(error["detail"].as_str().unwrap().contains(words), "{error}");
    };
    refused(server.call("probe", &json!({"fen": "nonsense"})), 400, "nonsense");
    refused(server.call("probe", &json!({"fen": fen, "sauce": 1})), 400, "unknown field `sauce`");
    refused(server.call("probe", &json!({"fen": fen, "source": "syzygy:/"})), 403, "`syzygy:/` cannot be used here");
    let weak = json!({"fen": fen, "agent": "predator:/etc/passwd"});
    refused(server.call("choose", &weak), 403, "`/etc/passwd` cannot be used here");
    let many = json!({"fen": fen, "white": "infallible", "black": "player:1", "games": 1_000_000_000});
    refused(server.call("match", &many), 400, "too many games: 1,000,000,000 were asked for, a server allows at most");
    let with_source = json!({"fen": fen, "model": {"source": "syzygy:/"}});
    refused(server.call("play", &with_source), 403, "`syzygy:/` cannot be used here");
    refused(server.call("rate", &json!({})), 403, "`rate` cannot be used here");
    refused(server.call("divine", &json!({})), 404, "unknown operation `divine`");
    // Six men with pawns have no table.
    refused(server.call("stats", &json!({"materials": ["KPPKPP"]})), 422, "men");
    refused(server.post("/api/v1/probe", JSON, "{"), 400, "invalid JSON");
    refused(server.post("/api/v1/probe", "Content-Type: text/plain\r\n", "{}"), 415, "expected application/json");
    refused(server.post("/api/v1/probe", "", "{}"), 415, "expected application/json");
    // An address that takes no POST says so, whatever the body is; a list is not a request, nor part of one.
    refused(server.post("/api/v1/players", "", "{}"), 405, "expected GET, HEAD");
    for list in ["[null, null]", " [{}]"] {
        refused(server.post("/api/v1/play", JSON, list), 400, "expected a JSON object");
        refused(server.post("/api/v1/jobs/play", JSON, list), 400, "expected a JSON object");
    }
    refused(server.post("/api/v1/games", JSON, r#"{"play": [null, null]}"#), 400, "expected an object");
    refused(server.post("/api/v1/probe", JSON, &" ".repeat(70_000)), 413, "at most 64 KB");
    let from_elsewhere = format!("{JSON}Origin: http://evil.example\r\n");
    refused(server.post("/api/v1/probe", &from_elsewhere, "{}"), 403, "pages from elsewhere");
    let by_a_page = format!("{JSON}Sec-Fetch-Site: cross-site\r\n");
    refused(server.post("/api/v1/probe", &by_a_page, "{}"), 403, "pages from elsewhere");
    assert_eq!(server.ask("GET", "/players", "Sec-Fetch-Site: cross-site\r\n").status, 403);
    let from_here = format!("{JSON}Origin: http://{}\r\n", server.address);
    assert_eq!(server.post("/api/v1/probe", &from_here, &json!({"fen": fen}).to_string()).status, 200);
    let reply = server.get("/api/v1/probe");
    assert_eq!((reply.status, reply.head.contains("allow: post")), (405, true), "{}", reply.head);
    server.refused("/api/v1/schema/divine", 404, "unknown operation `divine`");
}

/// Whoever asks for ever new claims has no more than a share of the server: a request by somebody else is answered soon.
#[test]
fn ever_new_claims_starve_nobody() {
    let folder = fresh();
    let server = Server::start(folder.path(), &format!("{TURNS} {TURNS_ENGINE} --min-turns 10"));
    // What everybody may ask for is worked out without being asked.
    server.settle();
    let other = server.json("/api/v1/players")["players"][1]["name"].as_str().unwrap().to_owned();
    assert_ne!(other, PLAYER);
    let other = other.replace(' ', "+");
    for name in [PLAYER, &other] {
        assert_eq!(server.get(&format!("/api/v1/player?name={name}")).status, 200);
    }
    let end = Instant::now() + Duration::from_secs(5);
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for client in 0..60 {
            let (server, answered) = (&server, &answered);
            scope.spawn(move || {
                for number in 0.. {
                    if Instant::now() > end {
                        break;
                    }
                    let claimed = 1900.0 + f64::from(client) + f64::from(number) / 1000.0;
                    let reply = server.get(&format!("/api/v1/player?name=Karjakin,Sergey&claimed={claimed}"));
                    assert!([200, 503].contains(&reply.status), "{}", reply.body);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::sleep(Duration::from_millis(500));
        for claimed in 0.. {
            if Instant::now() > end {
                break;
            }
            let compared = format!("/api/v1/player?name={other}&claimed={}", 2000 + claimed);
            for target in ["/api/v1/ratings", "/api/v1/players", "/api/v1/player?name=Karjakin,Sergey", &compared] {
                let start = Instant::now();
                assert_eq!(server.get(target).status, 200, "{target}");
                assert!(start.elapsed() < Duration::from_secs(2), "{target} took {:?}", start.elapsed());
            }
        }
    });
    assert!(answered.into_inner() > 60);
}

/// Ratings are there before anybody asks: the first page on a player takes as little as a comparison, so that whoever asks
/// for all players at once holds up nobody.
#[test]
#[ignore = "slow: make test-full"]
fn players_are_rated_before_anybody_asks() {
    let folder = fresh();
    let server = Server::start(folder.path(), &format!("{TURNS} {TURNS_ENGINE} --min-turns 10"));
    server.settle();
    let players = server.json("/api/v1/players");
    let names = players["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap());
    let names: Vec<String> = names.take(16).map(|name| name.replace(' ', "+")).collect();
    assert_eq!(names.len(), 16);
    let taken = |rest: &str| {
        let before = server.taken();
        for name in &names {
            assert_eq!(server.get(&format!("/api/v1/player?name={name}{rest}")).status, 200, "{name}");
        }
        server.taken() - before
    };
    let (first, compared) = (taken(""), taken("&claimed=2345"));
    assert!(first <= 2 * compared + 4, "{first} for pages that nobody had asked for, {compared} for comparisons");
}

/// 500 who connect and say nothing, or half of something, are in nobody's way.
#[test]
fn idle_connections_block_nobody() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let begun = Instant::now();
    let mut idle: Vec<TcpStream> = (0..500).map(|_| server.connect()).collect();
    for (number, stream) in idle.iter_mut().enumerate() {
        let said: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET / HT",
            _ => b"POST /api/v1/probe HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
        };
        // Those that were closed to make room may refuse it.
        drop(stream.write_all(said));
    }
    let start = Instant::now();
    assert_eq!(server.get("/").status, 200);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    // Nor did any of them wait to be let in until others had been silent for ten seconds.
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn who_lets_others_in_names_the_hosts() {
    let folder = fresh();
    let server = Server::start(folder.path(), "--listen 0.0.0.0 --allow-host lab.example --quiet");
    let token = server.token.as_deref().unwrap();
    let send = |host: &str, rest: &str| server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n{rest}\r\n").as_bytes());
    let status = |host: &str| send(host, &format!("Authorization: Bearer {token}\r\n")).status;
    assert_eq!(send("localhost", "").status, 401);
    let welcome = server.get(&format!("/explore?fen=x&token={token}"));
    assert_eq!((welcome.status, welcome.head.contains("location: /explore?fen=x\r\n")), (303, true));
    let cookie = welcome.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("; httponly; samesite=strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(send("localhost", &format!("Cookie: {cookie}\r\n")).status, 200);
    assert_eq!(server.get("/api/v1/games?token=wrong").status, 401);
    for host in ["lab.example", "LAB.example:7341", "localhost", "127.0.0.1", "192.168.1.2:7341"] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["evil.example", "lab.example.evil.example"] {
        assert_eq!(status(host), 421, "{host}");
    }
}

#[test]
fn long_work_is_a_job() {
    let folder = fresh();
    let server = Server::start(folder.path(), "--threads 1");
    // Long enough to be met while it runs.
    let job = server.job("build", &json!({"materials": ["KQKR", "KRKN", "KRKB"], "metrics": ["dtm"]}));
    server.refused(&format!("{job}/response"), 409, "not finished");
    // Short work does not wait for it, even with one thread.
    let krk = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"});
    assert_eq!(server.call("probe", &krk).status, 200);
    let events = server.get(&format!("{job}/events"));
    assert!(events.head.contains("content-type: text/event-stream"), "{}", events.head);
    assert!(
        events.body.contains("event: progress\ndata: {") && events.body.contains("event: done\n"),
        "{}",
        events.body
    );
    assert!(events.body.contains("\"activity\":\"building "), "{}", events.body);
    let done = server.finished(&job);
    assert_eq!((&done["state"], &done["operation"]), (&json!("done"), &json!("build")));
    let built = server.json(&format!("{job}/response"));
    let built = built.as_array().unwrap();
    assert!(built.iter().filter(|table| table["state"] == "built").count() >= 3, "{built:?}");
    // The same as the answer without a job.
    let again = server.call("build", &json!({"materials": ["KQKR"], "metrics": ["dtm"]}));
    let again: Value = serde_json::from_str(&again.body).unwrap();
    let table = built.iter().find(|table| table["material"] == "KQKR").unwrap();
    assert_eq!((&again[0]["state"], &again[0]["white_max_plies"]), (&json!("present"), &table["white_max_plies"]));

    // What is wrong with a request is said at once, or when it comes up.
    assert_eq!(server.call("jobs/probe", &json!({"sauce": 1})).status, 400);
    assert_eq!(server.call("jobs/rate", &json!({})).status, 403);
    assert_eq!(server.call("jobs/divine", &json!({})).status, 404);
    let failed = server.job("probe", &json!({"fen": "nonsense"}));
    let status = server.finished(&failed);
    assert!(status["state"] == "failed" && status["error"].as_str().unwrap().contains("nonsense"), "{status}");
    server.refused(&format!("{failed}/response"), 400, "nonsense");

    // A job that takes minutes ends when it is cancelled, and makes room for the next.
    let long = server.job("build", &json!({"materials": ["KRRKQ", "KQRKQ"], "metrics": ["dtm"]}));
    assert_eq!(server.ask("GET", &format!("{long}?cancel=1"), "").status, 200);
    let cancelled = server.ask("DELETE", &long, "");
    let status: Value = serde_json::from_str(&cancelled.body).unwrap();
    assert_eq!((cancelled.status, &status["state"]), (200, &json!("cancelled")));
    server.refused(&long, 404, "no such job");
    assert_eq!(server.finished(&server.job("probe", &krk))["state"], "done");
    assert!(server.json("/api/v1/jobs")["jobs"].as_array().unwrap().len() > 1);
    let wrong = server.ask("DELETE", "/api/v1/probe", "");
    assert_eq!((wrong.status, wrong.head.contains("allow: post")), (405, true));
    let wrong = server.ask("PUT", &job, "");
    assert_eq!((wrong.status, wrong.head.contains("allow: post, get, head, delete")), (405, true));
}

/// Each schema in the description is that of the operation; `errare-server` tests what refers to what.
#[test]
fn everything_for_programs_is_described() {
    let folder = fresh();
    let server = Server::start(folder.path(), "");
    let description = server.json("/api/v1/openapi.json");
    assert_eq!(description["openapi"], "3.1.0");
    for operation in server.json("/api/v1/schema").as_array().unwrap() {
        let path = format!("/api/v1/{}", operation["name"].as_str().unwrap());
        assert_eq!(description["paths"][&path]["post"].is_object(), operation["callable"] == true, "{path}");
    }
    // Each address takes the methods that are described, and no others.
    for (path, described) in description["paths"].as_object().unwrap() {
        let target = path.replace("{id}", "x").replace("{operation}", "x");
        for method in ["get", "post", "put", "patch", "delete"] {
            let reply = match method {
                // Broken, so that nothing is begun.
                "post" => server.post(&target, JSON, "{"),
                _ => server.ask(&method.to_uppercase(), &target, ""),
            };
            let is_taken = reply.status != 405 && !reply.body.contains("there is nothing at");
            // The name of an operation may also be that of a job, and then there is none of that name.
            let of_jobs = path.starts_with("/api/v1/jobs/") && ["get", "post", "delete"].contains(&method);
            let is_described = described[method].is_object() || (of_jobs && path.matches('/').count() == 4);
            assert_eq!(is_taken, is_described, "{method} {path}: {} {}", reply.status, reply.body);
        }
    }
    let request = &description["components"]["schemas"]["ProbeRequest"];
    assert_eq!(request["properties"]["fen"]["type"], "string", "{request}");
}

#[test]
fn what_is_missing_is_said() {
    let folder = fresh();
    let bare = Server::start(folder.path(), "");
    assert_eq!(bare.json("/api/v1/about")["has_turns"], false);
    for target in ["/api/v1/ratings", "/api/v1/players", "/api/v1/player?name=a"] {
        bare.refused(target, 404, "started without turns");
    }
    let file = lines(folder.path(), "no_mileposts.jsonl", without_milepost);
    let server = Server::start(folder.path(), &format!("{file} {TURNS_ENGINE} --least-turns 10"));
    assert!(server.json("/api/v1/ratings")["mileposts"].is_array(), "mileposts are made from the players' Elos");
    let file = lines(folder.path(), "no_elos.jsonl", |line| without_milepost(line).replace("_elo\":", "_was\":"));
    let server = Server::start(folder.path(), &format!("{file} {TURNS_ENGINE} --least-turns 10"));
    server.refused("/api/v1/ratings", 422, "too few mileposts: 0");
    server.refused("/api/v1/player?name=Karjakin,Sergey", 422, "give --calibration");
    server.refused("/api/v1/player?name=nobody", 404, "no player matches `nobody`");
    let listed = server.json("/api/v1/players");
    assert_eq!(listed["rated"], false);
    assert!(listed["notes"].to_string().contains("give --calibration"), "{listed}");
    let server = Server::start(folder.path(), &format!("{TURNS} --least-turns 10"));
    server.refused("/api/v1/ratings", 422, "must name its engine and depth");
}

#[cfg(unix)]
#[test]
fn it_ends_well_when_asked_to() {
    let folder = fresh();
    for (signal, input) in [("-TERM", format!("{TURNS} {TURNS_ENGINE}")), ("-INT", String::new())] {
        let mut server = Server::start(folder.path(), &input);
        // Neither who says nothing nor work in hand keeps it.
        let (_silent, mut asking) = (server.connect(), server.connect());
        asking.write_all(b"GET /api/v1/ratings HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let status = Command::new("kill").args([signal, &server.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        assert_eq!(server.ended().code(), Some(0), "{signal}");
    }
}

#[test]
fn bad_use_is_explained_in_a_sentence() {
    let folder = fresh();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{}").unwrap();
    let broken = broken.display();
    for (line, sentence) in [
        (format!("serve --port {port}"), "another program does. Give another --port"),
        ("serve --listen example.org".to_owned(), "invalid IP address"),
        ("serve --listen 192.0.2.1 --port 0".to_owned(), "cannot listen on 192.0.2.1:0"),
        ("serve --port 70000".to_owned(), "70000"),
        ("serve --allow-host lab.example:80".to_owned(), "invalid host name `lab.example:80`"),
        ("serve none.jsonl --port 0".to_owned(), "none.jsonl: cannot open it"),
        (format!("serve --calibration {broken} --port 0"), "not a calibration"),
        (format!("serve --calibration {broken} --a 2 --port 0"), "cannot be used with"),
        (format!("serve --calibration {broken} --method moments --port 0"), "cannot be used with"),
    ] {
        let found = stderr(&mut run(folder.path(), &line), 2);
        assert!(found.contains(sentence) && !found.contains("panicked"), "{line}: {found}");
    }
    let help = stdout(errare().args(["serve", "--help"]));
    assert!(help.contains("Examples:") && help.contains("[TURNS]..."), "{help}");
}
