//! `errare play`, end to end: whole games through a pipe.

use crate::common::{errare, fresh, json, program, run, shared, stderr, stdout};
use errare_games::Games;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The response to some moves.
fn response(line: &str, moves: &[String]) -> Value {
    json(run(shared(), line).args(["--format", "json", "--moves", &moves.join(" ")]))
}

/// Plays a game with the best moves, one request after the other; the person's moves in standard algebraic notation.
fn best_game(line: &str) -> (Vec<String>, Value) {
    let (mut moves, mut typed) = (Vec::new(), Vec::new());
    loop {
        let state = response(line, &moves);
        if !state["end"].is_null() {
            return (typed, state);
        }
        moves = state["moves"].as_array().unwrap().iter().map(|mv| mv["uci"].as_str().unwrap().to_owned()).collect();
        let best = &state["legal"][0];
        moves.push(best["uci"].as_str().unwrap().to_owned());
        typed.push(best["san"].as_str().unwrap().to_owned());
        assert!(moves.len() < 100);
    }
}

/// A session with these lines typed.
fn session(line: &str, typed: &[&str]) -> String {
    let input = typed.join("\n") + "\n";
    stdout(run(shared(), line).write_stdin(input))
}

#[test]
fn a_rook_mates_through_a_pipe() {
    let folder = fresh();
    let pgn = folder.path().join("game.pgn");
    let line = "play KRK --depth 14..16 --against infallible --seed 11";
    let (typed, end) = best_game(line);
    assert!(typed.len() >= 14, "{typed:?}");
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let text = session(&format!("{line} --pgn {}", pgn.display()), &typed);
    assert!(
        text.starts_with("KRK: you are White, against infallible (dtc, kappa 1, holding nothing; seed 11).\n"),
        "{text}"
    );
    assert!(text.contains("the position is won for you. Type a move, or help."), "{text}");
    let summary: Vec<String> =
        end["review"]["summary"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect();
    assert!(text.contains(&summary.join("\n")) && summary[0].starts_with("You won by checkmate; "), "{text}");
    assert!(text.contains("All your "), "{text}");
    assert!(text.ends_with(&format!("The game is in {}.\n", pgn.display())), "{text}");
    let games: Vec<_> = Games::new(&fs::read(&pgn).unwrap()[..]).map(|game| game.unwrap()).collect();
    assert_eq!((games.len(), games[0].moves().len()), (1, end["moves"].as_array().unwrap().len()));
    assert_eq!(games[0].tag("Result"), Some("1-0"));
    assert!(games[0].moves().iter().all(|mv| !mv.comments.is_empty()));
    assert!(!text.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn a_queen_mates_for_black_too() {
    let line = "play KKQ --as black --against 5 --seed 2";
    let (typed, end) = best_game(line);
    assert_eq!((&end["human"], &end["end"]["winner"]), (&"black".into(), &"black".into()));
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let text = session(line, &typed);
    assert!(text.contains("You won by checkmate;"), "{text}");
    // Black is at the bottom.
    assert!(text.contains("    h  g  f  e  d  c  b  a\n"), "{text}");
}

const ROOKS: &str = "play 8/8/8/R6R/4k3/8/8/4K3 w - - 0 1 --against infallible --seed 1";

#[test]
fn what_is_unclear_is_explained() {
    let text = session(ROOKS, &["Rd5", "Qh9", "Ke3", "nonsense", "", "save", "help", "back", "draw"]);
    for words in [
        "> Rd5\nRd5 is ambiguous: Rad5 or Rhd5.\n",
        "> Qh9\nQh9: no such square as h9.\n",
        "Ke3 is not legal: no king of White can go to e3.",
        "nonsense is not a move: expected one as in Qd5, exd5 or d1d5. Type help for the commands.",
        "Give the name of a file, as in save game.pgn.",
        "  hint       show the best moves",
        "You have made no move that could be taken back.",
        "a draw cannot be claimed yet: 0 of the 100 plies of the 50-move rule have passed",
        "The game stops here, after 0 moves of yours.\n",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

#[test]
fn commands_do_what_help_says() {
    let folder = fresh();
    let pgn = folder.path().join("a game.pgn");
    let save = format!("save {}", pgn.display());
    let text = session(ROOKS, &["hint", "moves", "Rad5", "flip", &save, "back", "Rhd5", "resign"]);
    assert!(text.contains("Best: ") && text.contains("Moves that keep the value: "), "{text}");
    assert!(text.contains("  outcome  depth  value\n") && text.contains("kept, best"), "{text}");
    assert!(text.contains("\n1. Rad5 K") && text.contains("\n1. Rhd5 K"), "one move was taken back: {text}");
    assert!(text.contains("\n 1 ") && text.contains("    h  g  f  e  d  c  b  a\n"), "the board was turned: {text}");
    assert!(text.contains(&format!("The game is in {}.", pgn.display())));
    assert!(fs::read_to_string(&pgn).unwrap().contains("1. Rad5 "));
    let resigned = "You lost by resigning; the position was won for you, so a whole point was lost.\n";
    assert!(text.contains(resigned) && text.contains("You resigned a position that was still won.\n"), "{text}");
    assert!(text.contains("That is too little to say how strong you are in this endgame."), "{text}");
    let stopped = session(ROOKS, &["Rad5", "quit", "Rhd5"]);
    assert!(stopped.ends_with("The game stops here, after 1 move of yours.\n"), "{stopped}");
    // The last move is marked.
    assert!(stopped.contains("[R]") || stopped.contains("[k]"), "{stopped}");
    let beautiful = session(&format!("{ROOKS} --board unicode"), &["quit"]);
    assert!(beautiful.contains('♖') && beautiful.contains('♚'), "{beautiful}");
}

#[test]
fn a_draw_is_claimed_when_the_rule_allows_it() {
    // The side with the rook wins, and would rather not.
    let text = session("play 8/8/8/8/4k3/8/8/K6R b - - 100 90 --as black --against infallible", &["draw"]);
    assert!(text.contains("The 50-move rule allows a draw: `draw` claims it."), "{text}");
    assert!(text.contains("The game is drawn: you claimed a draw by the 50-move rule;"), "{text}");
    assert!(text.contains("the position was lost for you, so you gained half a point."), "{text}");
    let shuffle = "Rg1 Ke5 Rh1 Ke4 Rg1 Ke5 Rh1 Ke4";
    let mut command = run(shared(), "play 8/8/8/8/4k3/8/8/K6R w - - 0 1 --against infallible");
    let text = stdout(command.args(["--moves", shuffle]).write_stdin("draw\n"));
    assert!(text.contains("The position is on the board for the third time: `draw` claims a draw."), "{text}");
    assert!(text.contains("you claimed a draw by repetition;"), "{text}");
}

#[test]
fn a_game_without_arguments_can_be_played() {
    let text = session("play", &["hint", "quit"]);
    assert!(text.starts_with("KQKR: you are White, against player:12 ("), "{text}");
    assert!(text.contains("Best: "), "{text}");
    let one = session("play --seed 4", &["quit"]);
    assert_eq!(one, session("play --seed 4", &["quit"]));
    assert_eq!(stdout(run(shared(), "play --seed 4").write_stdin("")).lines().count(), one.lines().count() - 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_loses_nothing() {
    let folder = fresh();
    let pgn = folder.path().join("game.pgn");
    stdout(&mut run(shared(), "table build KRK"));
    let mut command = Command::new(program());
    command.arg("--tables").arg(shared()).args("play KRK --seed 1 --against infallible --pgn".split(' ')).arg(&pgn);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let first = response("play KRK --seed 1 --against infallible", &[])["legal"][0]["san"].as_str().unwrap().to_owned();
    // Kept open: the end of the input would stop the game, too.
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{first}").unwrap();
    let moved = format!("1. {first} ");
    let is_saved = || fs::read_to_string(&pgn).is_ok_and(|text| text.contains(&moved));
    let saved = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        is_saved()
    });
    assert!(saved, "the game is on disk after every move");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin);
    assert!(is_saved());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half-written");
}

#[test]
fn wrong_arguments_are_bad_use() {
    for (line, words) in [
        ("play KX", "invalid start `KX`: expected an endgame or a FEN"),
        ("play 8/8 w", "invalid FEN"),
        ("play KRK --against nobody", "invalid agent `nobody`"),
        ("play KRK --depth 40", "no game of KRK can start like that with White to move"),
        ("play KRK --as green", "invalid value 'green'"),
        ("play KRK --moves Zz9", "move 1 of the game: Zz9: no such square as z9"),
        ("play 8/8/8/8/8/2k5/1R6/K7 w --depth 3", "the start is given as a FEN"),
        ("play KRK --format csv", "invalid value 'csv'"),
    ] {
        let said = stderr(run(shared(), line).write_stdin(""), 2);
        assert!(said.contains(words), "{line}: {said}");
    }
    assert!(stdout(errare().args(["play", "--help"])).contains("Examples:"));
    assert!(!Path::new("game.pgn").exists());
}
