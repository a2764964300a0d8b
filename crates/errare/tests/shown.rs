//! What reaches terminals and spreadsheets: text from outside, and numbers.

use crate::common::{errare, fresh, json, run, shared, stderr, stdout};
use std::fs;

/// A game of rook against king between players whose names are out to do harm.
const GAME: &str = "[Event \"\u{1b}]0;title\u{7}\"]\n[White \"=1+1\u{1b}[2J\"]\n[Black \"@\u{202e}kcalB\u{9b}31m\"]\n\
                    [SetUp \"1\"]\n[FEN \"8/8/8/8/8/2k5/1R6/K7 w - - 0 1\"]\n\n1. Rb8 Kc4 2. Ka2 Kc5 *\n";

#[test]
fn text_of_others_cannot_command_the_terminal() {
    let folder = fresh();
    let games = folder.path().join("\u{1b}[31mgames.pgn");
    fs::write(&games, GAME).unwrap();
    for flags in [&[][..], &["--brief"]] {
        let text = stdout(run(shared(), "assess").arg(&games).args(flags));
        assert!(text.contains("\\u{1b}[2J") && text.contains("\\u{202e}kcalB\\u{9b}31m"), "{text}");
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
    }
    let exact = json(run(shared(), "assess --format json").arg(&games));
    assert_eq!(exact["games"][0]["white"], "=1+1\u{1b}[2J", "JSON is exact");

    let missing = folder.path().join("\u{1b}[31mmissing.pgn");
    let messages = [
        stderr(run(shared(), "assess").arg(&missing), 2),
        stderr(run(shared(), "table probe").arg("\u{1b}[2J/8/8/8 w - - 0 1"), 2),
        stderr(run(shared(), "table stats").arg("K\u{1b}[2JK"), 2),
        stderr(errare().arg("\u{9b}2J"), 2),
        stderr(run(shared(), "contest --material KRK --engine").arg("\u{1b}[2Jengine"), 2),
    ];
    for said in messages {
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
        assert!(said.contains("\\u{1b}[") || said.contains("\\u{9b}2J"), "{said:?}");
    }
}

#[test]
fn spreadsheets_get_no_formulas_and_whole_numbers() {
    let folder = fresh();
    let games = folder.path().join("games.pgn");
    fs::write(&games, GAME).unwrap();
    let players = stdout(run(shared(), "assess --brief --format csv").arg(&games));
    let mut lines = players.lines();
    assert!(lines.next().is_some_and(|line| line.contains(",expected_c,sd_c,low,high,")), "{players}");
    let texts: Vec<&str> = lines.collect();
    assert!(texts.iter().all(|line| line.starts_with("'=") || line.starts_with("'@")), "{players}");
    assert!(texts.iter().all(|line| !line.contains(" to ")), "{players}");
    let moves = stdout(run(shared(), "assess --format csv").arg(&games));
    assert!(moves.contains(",'=1+1") && moves.contains(",'@\u{202e}kcalB"), "{moves}");

    // The least chance of R_0 to win in time is tiny, and its expected length is large.
    let lengths = stdout(&mut run(shared(), "markov KRK --competence 50,0 --within 1 --format csv"));
    assert_eq!(lengths.lines().next(), Some("c,depth,length,sd,within_1"));
    for cell in lengths.lines().skip(1).flat_map(|line| line.split(',')) {
        assert!(cell.parse::<f64>().is_ok() && cell.len() < 26, "{cell}");
    }
    let compared = stdout(&mut run(shared(), "strategy compare KRK --strategies SZ --sample 20 --format csv"));
    let share = compared.lines().nth(1).unwrap().split(',').nth(3).unwrap();
    assert!(share.parse::<f64>().is_ok(), "{compared}");
}

#[test]
fn one_is_one_ply_and_nothing_takes_no_time() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRKN"));
    let again = stdout(&mut run(folder.path(), "table build KRKN KRK"));
    assert!(again.contains("1 ply\n") && !again.contains("1 plies"), "{again}");
    assert!(again.contains("; 0 built in 0.0 s, 0.0 CPU s;"), "{again}");
}
