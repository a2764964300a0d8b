//! `errare assess`, end to end.

use crate::common::{fresh, json, run, shared, stderr, stdout};
use serde_json::Value;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/browne_belle.pgn");

fn assess(line: &str) -> assert_cmd::Command {
    let mut command = run(shared(), "assess");
    command.arg(GAMES).args(line.split_whitespace());
    command
}

/// A queen is thrown away: White has won and loses.
const THROWN_AWAY: &str = "[White \"A\"]\n[Black \"B\"]\n[Round \"1\"]\n[SetUp \"1\"]\n\
    [FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n\n1. Qd8+ Rxd8+ 0-1\n\n";

const BROKEN: &str = "[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Kxe5 *\n\n";

/// Rook against knight, drawn: Black loses a piece in eleven moves, and White does not take the chance (after the
/// game of Inarkiev and Demchenko, 2015).
const DRAWN: &str = "[White \"Ann\"]\n[Black \"Anna\"]\n[Date \"2020.01.01\"]\n[SetUp \"1\"]\n\
    [FEN \"4k3/3R4/4K3/8/8/2n5/8/8 b - - 0 1\"]\n\n1... Ne4 2. Rd4 Ng5+ 3. Kf6 1/2-1/2\n\n";

/// Five men: two bishops against a knight.
const FIVE_MEN: &str = "[White \"E\"]\n[Black \"F\"]\n[SetUp \"1\"]\n\
    [FEN \"8/8/8/3k4/8/1n1K4/8/2B2B2 w - - 0 1\"]\n\n1. Be3 Na5 2. Bg2+ Ke5 *\n\n";

/// Writes games to a file, and assesses it.
fn assess_games(folder: &std::path::Path, games: &str, line: &str) -> assert_cmd::Command {
    let file = folder.join("games.pgn");
    std::fs::write(&file, games).unwrap();
    let mut command = run(shared(), "assess");
    command.arg(&file).args(line.split_whitespace());
    command
}

#[test]
fn browne_and_belle_in_json() {
    let answer = json(&mut assess("--keep-value --kappa 0+ --format json"));
    let games = answer["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["white"], &games[1]["black"]), (&"Browne, Walter".into(), &"BELLE".into()));
    let moves = |game: usize| games[game]["segments"][0]["moves"].as_array().unwrap();
    assert_eq!(games[0]["segments"][0]["material"], "KQKR");
    assert_eq!(games[0]["segments"][0]["metric"], "dtc");
    // 17.Qc6 of the first game: +3/+4, Qd2+ and Qe4+ optimal.
    let slip = &moves(0)[32];
    assert_eq!((&slip["ply"], &slip["side"], &slip["san"]), (&33.into(), &"white".into(), &"Qc6".into()));
    assert_eq!((&slip["depth_before"], &slip["depth_after"]), (&16.into(), &18.into()));
    assert_eq!((&slip["conceded"], &slip["conceded_total"]), (&3.into(), &4.into()));
    assert_eq!(slip["optimal"], serde_json::json!(["Qd2+", "Qe4+"]));
    assert!((slip["expected_c"].as_f64().unwrap() - 32.19).abs() < 0.01);
    // 12...Rf4 of the second: the model prefers Rg4.
    assert_eq!(moves(1)[23]["model_choice"], "Rg4");
    let last = |game: usize, side: &str| -> &Value { moves(game).iter().rfind(|mv| mv["side"] == side).unwrap() };
    assert!((last(0, "white")["expected_c"].as_f64().unwrap() - 18.0214236661).abs() < 1e-6);
    assert!((last(1, "white")["expected_c"].as_f64().unwrap() - 18.3901698341).abs() < 1e-6);
    assert_eq!((&last(0, "white")["conceded_total"], &last(1, "white")["conceded_total"]), (&27.into(), &19.into()));
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players[1]["name"], "Browne, Walter");
    assert_eq!(
        (&players[1]["games"], &players[1]["moves"], &players[1]["conceded"]),
        (&2.into(), &95.into(), &46.into())
    );
    // Both games together say more than either.
    assert!(players[1]["sd_c"].as_f64().unwrap() < last(0, "white")["sd_c"].as_f64().unwrap());
    let probabilities = players[1]["posterior"]["probabilities"].as_array().unwrap();
    assert_eq!(probabilities.len(), 51);
}

#[test]
fn one_players_posterior_is_an_opponent_and_a_prior() {
    let folder = fresh();
    let file = folder.path().join("browne.json");
    std::fs::write(&file, stdout(&mut assess("--keep-value --player browne --format json"))).unwrap();
    let opponent = file.display();
    let mut choose = run(shared(), &format!("choose --agent predator:{opponent} --keep-value --format json"));
    choose.arg("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1");
    assert_eq!(json(&mut choose)["move"]["san"], "Re4");
    let carried = json(&mut assess(&format!("--keep-value --player Browne --format json --prior {opponent}")));
    let afresh = json(&mut assess("--keep-value --player Browne --format json"));
    let sd = |answer: &Value| answer["players"][0]["sd_c"].as_f64().unwrap();
    assert!(sd(&carried) < 0.8 * sd(&afresh));
    assert_eq!(afresh["players"].as_array().unwrap().len(), 1);
    assert!(afresh["games"][0]["segments"][0]["moves"].as_array().unwrap().iter().all(|mv| mv["side"] == "white"));
    let normal = json(&mut assess("--keep-value --player Browne --format json --prior normal:40,1"));
    assert!(normal["players"][0]["expected_c"].as_f64().unwrap() > 25.0);
}

#[test]
fn tables_annotations_and_csv() {
    let folder = fresh();
    let file = folder.path().join("annotated.pgn");
    let text = stdout(&mut assess(&format!("--keep-value --annotate {}", file.display())));
    assert!(text.contains("17. Qc6") && text.contains("+3") && text.contains("26... Ke7°"), "{text}");
    assert!(
        text.contains("\nBrowne, Walter  KQKR     attack       2     95    0    0    0        46  19.26 (16 to 23)"),
        "{text}"
    );
    let annotated = std::fs::read_to_string(file).unwrap().replace('\n', " ");
    let slip = "17. Qc6 $6 {win in 16, now in 18; 3 moves conceded, 4 so far; better: Qd2+, Qe4+; E[c] ";
    assert!(annotated.contains(slip), "{annotated}");
    let brief = stdout(&mut assess("--keep-value --brief --worst 2"));
    // The worst moves, the first of equals first; what was better.
    let worst: Vec<&str> =
        brief.lines().skip_while(|line| !line.starts_with("worst moves (--worst N")).skip(1).take(4).collect();
    assert!(worst[1].starts_with("   1  32. ") && worst[1].contains("Browne, Walter  KQKR     win"), "{brief}");
    assert!(worst[1].contains("  +4  ") && worst[2].contains("  +3  ") && worst[3].is_empty(), "{brief}");
    for output in [&text, &brief] {
        assert!(output.lines().all(|line| line.chars().count() <= 100), "{output}");
    }
    let csv = stdout(&mut assess("--keep-value --format csv"));
    assert_eq!(csv.lines().count(), 1 + 189);
}

#[test]
fn an_impossible_move_is_listed_and_not_fatal() {
    let folder = fresh();
    let file = folder.path().join("games.pgn");
    // 1.Qd8+ throws the queen away: lost.
    let game = THROWN_AWAY;
    let again = game.replace("Round \"1\"", "Round \"2\"");
    std::fs::write(&file, format!("{game}{BROKEN}{again}")).unwrap();
    let mut command = run(shared(), "assess --keep-value --format json");
    command.arg(&file);
    let output = command.assert().code(0).get_output().clone();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let slip = &answer["games"][0]["segments"][0]["moves"][0];
    assert_eq!(
        (&slip["impossible"], &slip["conceded"], &slip["outcome_after"]),
        (&true.into(), &Value::Null, &"loss".into())
    );
    assert_eq!(slip["expected_c"], 25.0);
    assert_eq!(answer["games"].as_array().unwrap().len(), 2);
    assert_eq!(answer["players"][0]["impossible"], 2);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("game 2 (C - D)") && said.contains("illegal move 2. Kxe5; skipped"), "{said}");
    assert!(said.contains("note: 1 broken game was skipped"), "{said}");
    // A move that drops into another endgame goes on there.
    assert_eq!(answer["games"][0]["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn bad_use_is_told_in_a_sentence() {
    let folder = fresh();
    let file = folder.path().join("empty.pgn");
    std::fs::write(&file, "").unwrap();
    // Nothing is written before there is something to say.
    let silent =
        run(shared(), &format!("assess {} --format json", file.display())).assert().code(2).get_output().clone();
    assert!(silent.stdout.is_empty());
    for (line, sentence) in [
        (format!("assess {}", folder.path().join("none.pgn").display()), "cannot open"),
        (format!("assess {}", file.display()), "there is no game to assess"),
        (format!("assess {GAMES} --grid 0:50:x"), "invalid grid"),
        (format!("assess {GAMES} --prior odd"), "cannot read odd"),
        (format!("assess {GAMES} --prior normal:x,2"), "invalid prior `normal:x,2`"),
        (format!("assess {GAMES} --prior normal:2,0"), "invalid normal prior"),
        (format!("assess {GAMES} --annotate {GAMES}"), "is being read: write the output to another file"),
        (format!("assess {GAMES} --grid 0:0.0001:50"), "points are too fine"),
        (format!("assess {GAMES} --metric dt"), "invalid metric `dt`"),
        (format!("assess {GAMES} --hold on"), "invalid hold `on`"),
        (format!("assess {GAMES} --material KQKX"), "invalid endgame `KQKX`"),
        (format!("assess {GAMES} --worst 100000"), "invalid number of worst moves 100000: expected at most 10000"),
    ] {
        let found = stderr(&mut run(shared(), &line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
}

#[test]
fn endgames_of_too_many_men_are_counted_and_the_flag_is_named() {
    let folder = fresh();
    let both = format!("{THROWN_AWAY}{FIVE_MEN}");
    let mut command = assess_games(folder.path(), &both, "--format json");
    let output = command.assert().code(0).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    let left_out = "note: left out: 4 moves of 1 game in endgames of 5 men (KBBKN): --men 5 builds the tables";
    assert!(said.contains(left_out), "{said}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::json!([{"men": 5, "reason": "men", "remedy": "--men 5", "games": 1, "moves": 4,
        "endgames": [{"material": "KBBKN", "games": 1, "moves": 4}]}]);
    assert_eq!(answer["left_out"], expected);
    assert_eq!(answer["totals"], serde_json::json!({"games": 2, "assessed": 1, "broken": 0, "duplicates": 0}));
    // Nothing at all: one sentence, and no empty table.
    let alone = assess_games(folder.path(), FIVE_MEN, "--brief").assert().code(0).get_output().clone();
    let said = String::from_utf8(alone.stderr).unwrap();
    let why = "nothing was assessed: the only game has no move in an endgame of up to 4 men; left out: 4 moves of 1 game in endgames of 5 men";
    assert!(said.contains(why) && said.lines().count() == 1, "{said}");
    assert_eq!(String::from_utf8(alone.stdout).unwrap().lines().count(), 1);
    let named = stderr(&mut assess_games(folder.path(), FIVE_MEN, "--brief --material KBBKN"), 0);
    assert!(
        named.contains("the only game has no move in KBBKN, as far as there are tables; left out: 4 moves"),
        "{named}"
    );
    // An endgame that was not asked for is not missed; the other player's moves are not either.
    let quiet = stderr(&mut assess_games(folder.path(), &both, "--material KRKQ"), 0);
    assert_eq!(quiet, "");
    let of_one = stderr(&mut assess_games(folder.path(), &both, "--player E"), 0);
    assert!(of_one.contains("E made no move in an endgame of up to 4 men in 1 game; left out: 2 moves of 1 game"));
}

#[test]
fn what_was_given_up_is_counted_by_endgame_and_task() {
    let folder = fresh();
    let games = format!("{THROWN_AWAY}{DRAWN}{}", std::fs::read_to_string(GAMES).unwrap());
    let answer = json(&mut assess_games(folder.path(), &games, "--format json --brief"));
    let player = |name: &str| {
        answer["players"].as_array().unwrap().iter().find(|player| player["name"] == name).unwrap().clone()
    };
    let part = |name: &str, place: usize| player(name)["parts"][place].clone();
    let belle = part("BELLE", 0);
    assert_eq!(
        (&belle["material"], &belle["task"], &belle["conceded"]),
        (&"KQKR".into(), &"defence".into(), &0.into())
    );
    assert_eq!(belle["too_little_to_say"], false);
    let thrown = part("A", 0);
    assert_eq!((&thrown["task"], &thrown["wins_to_losses"]), (&"attack".into(), &1.into()));
    assert_eq!((&thrown["moves"], &thrown["choices"]), (&1.into(), &1.into()));
    // One move is too little, whatever it was.
    assert_eq!((&thrown["too_little_to_say"], &player("A")["too_little_to_say"]), (&true.into(), &true.into()));
    // 1...Ne4 loses a drawn position, and 2.Rd4 gives the win up again, as `table probe` has it.
    let black = player("Anna");
    assert_eq!((&black["draws_to_losses"], &black["parts"][0]["material"]), (&1.into(), &"KRKN".into()));
    let white = player("Ann");
    let tasks: Vec<&Value> = white["parts"].as_array().unwrap().iter().map(|part| &part["task"]).collect();
    assert_eq!(tasks, ["attack", "defence"]);
    assert_eq!((&white["wins_to_draws"], &white["parts"][0]["wins_to_draws"]), (&1.into(), &1.into()));
    assert_eq!((&white["moves"], &white["games"]), (&2.into(), &1.into()));
    // The worst first: a win lost, then what half a point was given up for, in the order of the games.
    let worst: Vec<(&Value, &Value, &Value)> = answer["worst"].as_array().unwrap()[..4]
        .iter()
        .map(|mv| (&mv["player"], &mv["san"], &mv["given_up"]))
        .collect();
    assert_eq!(worst[0], (&"A".into(), &"Qd8+".into(), &"win-to-loss".into()));
    assert_eq!(worst[1], (&"Anna".into(), &"Ne4".into(), &"draw-to-loss".into()));
    assert_eq!(worst[2], (&"Ann".into(), &"Rd4".into(), &"win-to-draw".into()));
    assert_eq!((worst[3].0, worst[3].2), (&"Browne, Walter".into(), &Value::Null));
    assert_eq!(answer["worst"][0]["fen"], "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1");
    // Only the endgames asked for.
    let only = json(&mut assess_games(folder.path(), &games, "--format json --brief --material KRKN,KNK"));
    let names: Vec<&Value> = only["players"].as_array().unwrap().iter().map(|player| &player["name"]).collect();
    assert_eq!(names, ["Ann", "Anna"]);
}

#[test]
fn players_in_text_and_csv() {
    let folder = fresh();
    let games = format!("{DRAWN}{}", std::fs::read_to_string(GAMES).unwrap());
    let text = stdout(&mut assess_games(folder.path(), &games, "--brief"));
    let row = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("Anna  ").ends_with("too little to say"), "{text}");
    assert!(!text.contains("impossible"), "{text}");
    let csv = stdout(&mut assess_games(folder.path(), &games, "--brief --format csv"));
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let header = rows.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|other| other == name).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    // Ann attacked and defended: two rows and the total; the others have one and the total.
    assert_eq!(rows.len(), 3 + 3 * 2);
    let browne = rows.iter().find(|row| &row[0] == "Browne, Walter" && &row[1] == "all").unwrap();
    let interval = format!("({} to {})", &browne[column("low")], &browne[column("high")]);
    // No rated people play the ending so well.
    assert!(row("Browne, Walter").ends_with(&format!("{interval}, a player above 2700")), "{text}");
    let people = json(&mut assess_games(folder.path(), &games, "--brief --format json"));
    let browne_part =
        &people["players"].as_array().unwrap().iter().find(|one| one["name"] == "Browne, Walter").unwrap()["parts"][0];
    assert_eq!(
        (&browne_part["like"]["words"], &browne_part["like"]["elo"]),
        (&"a player above 2700".into(), &Value::Null)
    );
    assert_eq!(&browne[column("too_little_to_say")], "false");
    let answer = json(&mut assess_games(folder.path(), &games, "--brief --format json --player browne"));
    let expected = answer["players"][0]["expected_c"].as_f64().unwrap();
    assert_eq!(browne[column("expected_c")].parse::<f64>().unwrap(), expected);
}

#[test]
fn a_player_is_one_player() {
    let folder = fresh();
    let games = format!("{DRAWN}{THROWN_AWAY}");
    let assess = |line: &str| assess_games(folder.path(), &games, line);
    // The exact name goes before a longer one that contains it.
    let exact = json(&mut assess("--player Ann --format json"));
    assert_eq!(exact["players"].as_array().unwrap().len(), 1);
    assert_eq!(exact["players"][0]["name"], "Ann");
    let ambiguous = assess("--player ann --format json").assert().code(2).get_output().clone();
    let said = String::from_utf8(ambiguous.stderr).unwrap();
    assert!(said.contains("ambiguous player `ann`: 2 names contain it: Ann; Anna"), "{said}");
    assert!(ambiguous.stdout.is_empty());
    let nobody = stderr(&mut assess("--player Hanna"), 2);
    assert!(nobody.contains("no player matches `Hanna`; similar names: Anna"), "{nobody}");
    // What can be read only once is read once.
    let mut piped = run(shared(), "assess - --player nna --format json");
    let answer = json(piped.write_stdin(games.as_str()));
    assert_eq!((&answer["players"][0]["name"], &answer["games"][0]["file"]), (&"Anna".into(), &"-".into()));
}

#[test]
fn copies_of_games_count_once() {
    let folder = fresh();
    // The same game from another collection.
    let copy = DRAWN.replace("[White", "[Event \"Elsewhere\"]\n[White").replace("Rd4", "Rd4 {Why?}");
    let once = json(&mut assess_games(folder.path(), DRAWN, "--brief --format json"));
    let mut command = assess_games(folder.path(), &format!("{DRAWN}{copy}{DRAWN}"), "--brief --format json");
    let output = command.assert().code(0).get_output().clone();
    let twice: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&twice["players"], &twice["totals"]["duplicates"]), (&once["players"], &2.into()));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("note: 2 copies of games read before were left out: same players, date"), "{said}");
    // Another day, another game.
    let other = format!("{DRAWN}{}", copy.replace("2020.01.01", "2020.01.02"));
    let both = json(&mut assess_games(folder.path(), &other, "--brief --format json"));
    assert_eq!((&both["players"][0]["games"], &both["totals"]["duplicates"]), (&2.into(), &0.into()));
}

#[test]
fn annotated_games_read_back() {
    let folder = fresh();
    let file = folder.path().join("annotated.pgn");
    let games = format!("{THROWN_AWAY}{DRAWN}");
    let before =
        json(&mut assess_games(folder.path(), &games, &format!("--format json --annotate {}", file.display())));
    let annotated = std::fs::read_to_string(&file).unwrap();
    let flat = annotated.replace('\n', " ");
    let blunder = "1. Qd8+ $4 {KQKR, depths by dtc. gives up the win in 31, now loss in ";
    assert!(flat.contains(blunder) && flat.contains("; better: Ka7, Kb7"), "{annotated}");
    assert!(
        flat.contains("1... Ne4 $4 {KRKN, depths by dtc. gives up the draw, now loss in 11; better: "),
        "{annotated}"
    );
    assert!(annotated.lines().all(|line| line.len() < 80), "{annotated}");
    // The same moves with the same marks are assessed as before.
    let again = json(&mut run(shared(), &format!("assess {} --format json", file.display())));
    assert_eq!(again["players"], before["players"]);
    let games: Vec<_> = errare_games::Games::new(annotated.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(games[0].moves()[0].nags, [errare_games::Nag::BLUNDER]);
    assert!(games[1].moves()[1].comments[0].starts_with("gives up the win in 11, now draw; better: "));
}

#[test]
fn a_file_that_is_not_pgn_is_named_for_what_it_is() {
    let folder = fresh();
    for (bytes, sentence) in [
        (&b"{\"game\": 1, \"fen\": \"8/8\"}\n"[..], "games.pgn is not PGN but JSON; `errare fit`"),
        (b"PAR1\x15\x04\x15", "is not PGN but a Parquet file"),
        (b"BZh91AY&SY", "is not PGN but a bzip2 file: unpack it first"),
        (b"\x7fELF\x02\x01\x01\x03\0\0\x03\0>\0\x01\0\0", "is not PGN but a binary file"),
        (b"hello world\n", "there is no game to assess: the only one is broken"),
    ] {
        let file = folder.path().join("games.pgn");
        std::fs::write(&file, bytes).unwrap();
        for line in ["", "--player x"] {
            let found = stderr(&mut run(shared(), &format!("assess {} {line}", file.display())), 2);
            assert!(found.contains(sentence), "{found}");
        }
    }
}
