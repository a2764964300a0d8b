//! `errare markov`, `match` and `predict`, end to end.

use crate::common::{fresh, json, run, shared, stderr, stdout};

const START: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

fn with_fen(line: &str, fen: &str) -> assert_cmd::Command {
    let mut command = run(shared(), line);
    command.arg("--fen").arg(fen);
    command
}

#[test]
fn the_published_lengths() {
    let answer = json(&mut run(shared(), "markov KQKR --competence 20,21 --format json"));
    assert_eq!(
        (&answer["material"], &answer["metric"], &answer["kappa"]),
        (&"KQKR".into(), &"dtc".into(), &1.0.into())
    );
    let length = |place: usize| answer["results"][place]["lengths"][31].as_f64().unwrap();
    assert!((length(0) - 97.196).abs() < 1e-3 && (length(1) - 83.702).abs() < 1e-3);
    let first = &answer["results"][0];
    assert_eq!((first["lengths"].as_array().unwrap().len(), &first["competence"]), (32, &20.0.into()));
    assert!((first["win_within"]["50"][31].as_f64().unwrap() - 0.126691230483).abs() < 1e-9);
    assert!((first["condition"].as_f64().unwrap() - 134.44).abs() < 0.01);
    // The same endgame named the other way round: Black has the queen.
    let swapped = json(&mut run(shared(), "markov KRKQ --side black --competence 20 --format json"));
    assert_eq!(swapped["results"][0]["lengths"], first["lengths"]);
    assert_eq!(swapped["material"], "KRKQ");
}

#[test]
fn matrices_pictures_and_the_rest() {
    let folder = fresh();
    let file = |name: &str| folder.path().join(name);
    let (matrix, heat, curves) = (file("m.csv"), file("m.svg"), file("c.svg"));
    let line = format!(
        "markov KQKR -c 20 --hold nothing --within 30,50 --gone 10 --after 5 --passage 40 --from-depth 10 --format json \
         --matrix {} --heat-map {} --svg {} --picture at-most",
        matrix.display(),
        heat.display(),
        curves.display()
    );
    let answer = json(&mut run(shared(), &line));
    let result = &answer["results"][0];
    assert_eq!(result["passage"]["exactly"].as_array().unwrap().len(), 41);
    let states = result["after"]["5"]["states"].as_array().unwrap();
    let sum: f64 = states.iter().map(|p| p.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let expected = result["after"]["5"]["expected_depth"].as_f64().unwrap();
    assert!(expected > 5.0 && expected < 6.5, "{expected}");
    let matrix = std::fs::read_to_string(matrix).unwrap();
    assert!(matrix.starts_with("competence,from,to,probability\n20,win 0,win 0,1\n"), "{matrix}");
    let rows = matrix.lines().skip(1).filter(|line| line.starts_with("20,win 7,"));
    let sum: f64 = rows.map(|line| line.rsplit(',').next().unwrap().parse::<f64>().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    for picture in [heat, curves] {
        assert!(std::fs::read_to_string(picture).unwrap().contains("</svg>"));
    }
    let sampled = json(&mut run(shared(), "markov KQKR -c 20 --sample 100000 --seed 3 --format json"));
    let length = sampled["results"][0]["lengths"][20].as_f64().unwrap();
    assert!((length - 45.0).abs() < 15.0, "{length}");
}

#[test]
fn a_match_is_told_and_repeated() {
    let line = "match --white player:20 --black infallible --games 60 --seed 5 --format json";
    let folder = fresh();
    let pgn = folder.path().join("games.pgn");
    let answer = json(&mut with_fen(&format!("{line} --pgn {}", pgn.display()), START));
    assert_eq!((&answer["games"], &answer["seed"], &answer["results"]["1-0"]), (&60.into(), &5.into(), &60.into()));
    let mean = answer["mean_moves"].as_f64().unwrap();
    assert!((mean - 102.4).abs() < 5.0 * 49.7 / 60_f64.sqrt(), "{mean}");
    assert!(answer["apparent_c"]["mean"].as_f64().unwrap() > 19.0);
    assert_eq!(answer["apparent_c"]["side"], "white");
    let lengths = answer["lengths"].as_object().unwrap();
    let (count, sum) = lengths.iter().fold((0, 0.0), |(count, sum), (moves, games)| {
        (count + games.as_u64().unwrap(), sum + moves.parse::<f64>().unwrap() * games.as_f64().unwrap())
    });
    assert!(count == 60 && (sum / 60.0 - mean).abs() < 1e-9);
    let one_thread = json(&mut with_fen(&format!("--threads 1 {line}"), START));
    assert_eq!(answer, one_thread);
    // The games can be read back, and are assessed as they were played.
    let assessed =
        json(&mut run(shared(), &format!("assess {} --hold wins --format json --player player", pgn.display())));
    assert_eq!(assessed["games"].as_array().unwrap().len(), 60);
    let last = |game: &serde_json::Value| {
        game["segments"][0]["moves"].as_array().unwrap().last().unwrap()["expected_c"].as_f64().unwrap()
    };
    let mean: f64 = assessed["games"].as_array().unwrap().iter().map(last).sum::<f64>() / 60.0;
    assert!((mean - answer["apparent_c"]["mean"].as_f64().unwrap()).abs() < 1e-9);
    let text = stdout(&mut with_fen("match --white player:20 --black predator:20 --games 1", START));
    assert!(text.contains("1 game, player:20 against predator:20"), "{text}");
    let follows = "match --white strategy:SZCM --black strategy:SC --games 3 --format json";
    assert_eq!(json(&mut with_fen(follows, START))["mean_moves"], 31.0);
}

#[test]
fn a_match_has_a_score_in_every_format() {
    let line = "match --white infallible --black player:3 --games 5 --both-colours --rule 50";
    let answer = json(&mut with_fen(&format!("{line} --format json"), START));
    let score = &answer["score"];
    assert_eq!((&score["pairs"], &answer["games"]), (&5.into(), &10.into()));
    let elo = score["elo"].as_f64().unwrap_or_else(|| panic!("{score}"));
    let text = stdout(&mut with_fen(line, START));
    assert!(text.contains(&format!("Elo difference {elo:+.0}, 95% interval ")), "{text}");
    assert!(text.contains("(by 5 pairs)") && text.contains("apparent c of infallible: mean "), "{text}");
    let csv = stdout(&mut with_fen(&format!("{line} --format csv"), START));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("moves,games,score,elo,elo_low,elo_high"));
    let in_csv = |line: &str| line.split(',').nth(3).and_then(|field| field.parse::<f64>().ok());
    assert!(lines.all(|line| in_csv(line).is_some_and(|found| (found - elo).abs() < 1e-9)), "{csv}");
    // All points: no upper bound.
    let csv = stdout(&mut with_fen("match --white player:20 --black infallible --games 3 --format csv", START));
    assert!(csv.lines().skip(1).all(|line| line.contains(",1,inf,") && line.ends_with(",inf")), "{csv}");
}

#[test]
fn matches_start_from_a_file_or_stdin() {
    let folder = fresh();
    let file = folder.path().join("starts");
    std::fs::write(&file, format!("# one\n{START}\n\n2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1\n")).unwrap();
    let line = "match --white infallible --black infallible --format json --fens";
    let named = json(&mut run(shared(), &format!("{line} {}", file.display())));
    let piped = json(run(shared(), &format!("{line} -")).write_stdin(std::fs::read(&file).unwrap()));
    assert_eq!(named, piped);
    assert_eq!(
        (&named["games"], &named["fen"], &named["mean_moves"]),
        (&2.into(), &serde_json::Value::Null, &31.0.into())
    );
    // Without a position whole games are meant, to which rules of tables do not apply.
    let said = stderr(&mut run(shared(), "match --white infallible --black infallible --rule 50"), 2);
    assert!(said.contains("--rule"), "{said}");
    let said = stderr(&mut run(shared(), "match --white elo:1800 --black infallible --advice friend"), 2);
    assert!(said.contains("expected engine or search"), "{said}");
    let said = stderr(run(shared(), &format!("{line} -")).write_stdin("\nnonsense\n"), 2);
    assert!(said.contains("stdin, line 2: "), "{said}");
}

/// Two who hold a draw without a thought of their own go in circles: a third occurrence ends the game if that is asked for.
#[test]
fn repetitions_end_games_on_request() {
    let drawn = "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1";
    let line = "match --white infallible:king,first --black infallible:king,first --games 1 --format json";
    let without = json(&mut with_fen(line, drawn));
    let with = json(&mut with_fen(&format!("{line} --repetition"), drawn));
    assert_eq!((&without["repetition"], &without["reasons"]["move rule"]), (&false.into(), &1.into()), "{without}");
    assert_eq!((&with["repetition"], &with["reasons"]["repetition"]), (&true.into(), &1.into()), "{with}");
    assert!(with["mean_moves"].as_f64() < without["mean_moves"].as_f64());
}

#[cfg(feature = "stockfish-tests")]
#[test]
fn stockfish_plays_a_match() {
    let engine = std::env::var("ERRARE_STOCKFISH").unwrap_or_else(|_| "stockfish".to_owned());
    let folder = fresh();
    let pgn = folder.path().join("games.pgn");
    let mut command = with_fen("match --black infallible --games 2 --rule 50 --repetition --format json", START);
    command.args(["--white", &format!("uci:{engine},depth=3,option.Hash=1"), "--pgn"]).arg(&pgn);
    let answer = json(&mut command);
    assert_eq!((&answer["games"], &answer["broken"]), (&2.into(), &serde_json::json!([])));
    let games = std::fs::read_to_string(&pgn).unwrap();
    let name = answer["names"]["white"].as_str().unwrap();
    assert!(name.starts_with("Stockfish ") && name.ends_with(" depth=3, Hash=1"), "{name}");
    assert_eq!(games.matches(&format!("[White \"{name}\"]")).count(), 2, "{games}");
}

#[test]
fn a_drawn_start_is_attacked() {
    let drawn = "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1";
    let answer =
        json(&mut with_fen("match --white levy:0.05,plies=2 --black player:0 --games 40 --format json", drawn));
    let wins = answer["results"]["1-0"].as_u64().unwrap();
    assert!(wins > 20, "{answer}");
    assert_eq!(answer["first_concession"]["black"], wins);
    assert!(answer["first_concession"]["mean_moves"].as_f64().unwrap() >= 1.0);
    assert_eq!(answer["apparent_c"]["side"], "white");
    let infallible = json(&mut with_fen("match --white infallible --black player:3 --games 10 --format json", drawn));
    assert_eq!(infallible["apparent_c"]["side"], "black");
}

#[test]
fn predictions_count_from_the_clock() {
    let predict = |fen: &str, line: &str| {
        let mut command = run(shared(), &format!("predict --format json {line}"));
        command.arg(fen);
        json(&mut command)
    };
    let answer = predict(START, "--competence 20");
    assert!((answer["expected_moves"].as_f64().unwrap() - 97.196).abs() < 1e-3);
    assert_eq!(
        (&answer["fallible"], &answer["outcome"], &answer["depth"]),
        (&"white".into(), &"win".into(), &31.into())
    );
    let later = predict("K3r3/8/5k2/Q7/8/8/8/8 w - - 20 31", "--competence 20 --within 60");
    assert_eq!(later["within"]["60"]["left"], 50);
    assert_eq!(later["within"]["60"]["won"], answer["within"]["50"]["won"]);
    // A fallible defender is beaten sooner, and loses.
    let defender = predict(START, "-c 5 --fallible black");
    assert!(defender["expected_moves"].as_f64().unwrap() < 31.0);
    assert!(defender["within"]["50"]["lost"].as_f64().unwrap() > 0.999);
    // An infallible one in 31 moves to the move.
    let sure = predict(START, "--opponent inf --fallible black --within 30,31");
    assert_eq!((&sure["within"]["30"]["lost"], &sure["within"]["31"]["lost"]), (&0.0.into(), &1.0.into()));
}

#[test]
fn bad_use_is_told_in_a_sentence() {
    for (line, sentence) in [
        ("markov KQKX -c 20", "invalid endgame `KQKX`"),
        ("markov KQKR -c 20,x", "invalid competence `x`"),
        ("markov KQKR -c 20 --after 5 --from-depth 40", "invalid depth 40: expected at most 31"),
        ("markov KQKR -c 20 --within 10 --gone 20", "invalid number of moves gone 20: expected at most 10"),
        ("markov KQKR -c 20 --lean check=2", "leave the leanings out"),
        ("markov KK -c 20", "two bare kings are always drawn"),
        ("markov KQRKQR -c 20", "errare table build"),
        ("match --white playr:20 --black infallible --fen x", "invalid agent `playr:20`"),
        ("match --white player --black infallible --fen x", "the agent `player` needs a competence"),
        ("match --white player:20 --black infallible --fen x", "invalid FEN"),
        ("match --white player:20 --black infallible --fen x --rule few", "invalid move rule `few`"),
        ("predict x --competence 20", "invalid FEN"),
        ("predict x --competence nobody", "invalid FEN"),
        ("predict K3r3/8/5k2/Q7/8/8/8/8 w -c nobody", "invalid competence `nobody`"),
        ("predict K3r3/8/5k2/Q7/8/8/8/8 w --opponent 20 --lean check=2", "leave the leanings out"),
        ("predict K3r3/8/5k2/Q7/8/8/8/8 w --grid 0:0.01:50", "at most"),
        ("markov KQKR -c 20 --passage 4000000000", "is not in 0..=1000000"),
        ("markov KQKR -c 1e308", "invalid competence `1e308`: expected a number from -1e100 to 1e100, inf or -inf"),
        ("markov KQKR -c -1e308 --kappa 0+", "invalid competence `-1e308`"),
        ("markov KQKR -c 20 --metric dtr", "no Markov model to dtr"),
        ("predict K3r3/8/5k2/Q7/8/8/8/8 w -c 20 --metric dtr", "no Markov model to dtr"),
        ("predict K3r3/8/5k2/Q7/8/8/8/8 w -c 1e308", "invalid competence `1e308`"),
        ("choose K3r3/8/5k2/Q7/8/8/8/8 w --agent player:1e308", "invalid competence `1e308` of the agent"),
        ("choose K3r3/8/5k2/Q7/8/8/8/8 w --sweep 0:1e308:1e308", "invalid grid"),
        ("match --white player:-1e308 --black infallible --fen x", "invalid competence `-1e308` of the agent"),
        ("match --white levy:plies=60000 --black infallible --fen x", "invalid search depth `60000`"),
    ] {
        let found = stderr(&mut run(shared(), line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
}
