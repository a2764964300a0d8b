//! `errare line` and strategies in `errare choose`, end to end.

use crate::common::{fresh, json, run, shared, stderr, stdout};

/// KRBK-like lines need five men; KQKR has all that a line needs.
const START: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

fn line(fen: &str, flags: &str) -> assert_cmd::Command {
    let mut command = run(shared(), "line");
    command.arg(fen).args(flags.split_whitespace());
    command
}

#[test]
fn a_line_keeps_to_both_strategies() {
    let folder = fresh();
    let pgn = folder.path().join("line.pgn");
    let answer = json(&mut line(START, &format!("--white SC --black SC --format json --pgn {}", pgn.display())));
    let told = &answer["lines"][0];
    assert_eq!((&told["end"], &answer["rule"], &answer["mleft"]), (&"mate".into(), &50.into(), &50.into()));
    let phases = told["phases"].as_array().unwrap();
    assert_eq!(phases[0]["depths"]["dtc"]["moves"], 31);
    // 31 moves to the conversion, or to mate.
    let first_phase = phases.get(1).map_or(&told["plies"], |phase| &phase["ply"]);
    assert_eq!(first_phase, 61);
    let moves = told["moves"].as_array().unwrap();
    assert_eq!((&moves[0]["san"], &moves[0]["mark"]), (&"Ka7".into(), &"".into()));
    assert_eq!(moves[0]["alternatives"], serde_json::json!(["Kb7"]));
    let text = stdout(&mut line(START, "--white SC --black SC"));
    assert!(text.contains("1. Ka7 [Kb7] Re7+'"), "{text}");
    // What is written can be read, and no move of either side concedes anything.
    let assessed = json(&mut run(shared(), &format!("assess {} --format json", pgn.display())));
    let moves = assessed["games"][0]["segments"][0]["moves"].as_array().unwrap().clone();
    assert!(moves.len() == 61 && moves.iter().all(|mv| mv["conceded"] == 0));
}

#[test]
fn given_moves_are_marked() {
    // Browne's first moves of the first game, and his first slip.
    let moves = "1. Kb7 Re7+ 2. Kc6 Re6+ 3. Kd7 Re7+ 4. Kd8 Re4 5. Qc5 Re5 6. Qd4 Kf5";
    let mut command = line(START, "--white SC --black SC");
    command.arg("--moves").arg(moves);
    let text = stdout(&mut command);
    assert!(text.contains("4. Kd8' Re4' 5. Qc5 ["), "{text}");
    assert!(text.contains("6. Qd4-1 Kf5'"), "{text}");
    let mut command = line(START, "--white SC --black SC");
    command.arg("--moves").arg("Qd8+");
    assert!(stdout(&mut command).contains("1. Qd8+v"));
}

#[test]
fn all_lines_and_lines_by_chance() {
    // Mate in two at most: every line ends with it.
    let near = "8/8/8/8/8/1K6/7Q/k6r w - - 0 1";
    let answer = json(&mut line(near, "--white SM --black SM --all --format json"));
    let lines = answer["lines"].as_array().unwrap();
    assert!(lines.len() > 1 && lines.iter().all(|line| line["end"] == "mate" && line["plies"] == lines[0]["plies"]));
    let once = stdout(&mut line(START, "--white SM --black SM --seed 3"));
    assert_eq!(once, stdout(&mut line(START, "--white SM --black SM --seed 3")));
    assert_ne!(once, stdout(&mut line(START, "--white SM --black SM --seed 4")));
}

#[test]
fn the_clock_counts() {
    // Eleven moves too late.
    let answer = json(&mut line("K3r3/8/5k2/Q7/8/8/8/8 w - - 60 31", "--white SC --black SC --format json"));
    assert_eq!((&answer["mleft"], &answer["lines"][0]["end"]), (&20.into(), &"draw claim".into()));
    let ignored =
        json(&mut line("K3r3/8/5k2/Q7/8/8/8/8 w - - 60 31", "--white SC --black SC --ignore-rule --format json"));
    assert_eq!(ignored["lines"][0]["end"], "mate");
}

#[test]
fn a_strategy_is_an_agent() {
    let mut choose = run(shared(), "choose --agent strategy:SMC* --format json");
    choose.arg(START);
    let answer = json(&mut choose);
    assert_eq!((&answer["agent"], &answer["mleft"]), (&"strategy:SMC*".into(), &50.into()));
    let mut choose = run(shared(), "choose --agent strategy:SMX");
    choose.arg(START);
    assert!(stderr(&mut choose, 2).contains("invalid strategy `SMX`: unknown part `X` at character 3"));
    assert!(
        stderr(&mut line(START, "--white ZC --black SC"), 2)
            .contains("invalid strategy `ZC`: expected S and its parts")
    );
}

#[test]
fn strategies_are_followed_and_compared() {
    // Sixteen moves of KRK are too many for a rule of fifteen: the knight must not be taken just anywhere.
    let line = "strategy compare KRKN --strategies SZ,SM --defence SM --rule 15 --sample 1200 --format json";
    let answer = json(&mut run(shared(), line));
    let wins = answer["wins"].as_u64().unwrap();
    for told in answer["strategies"].as_array().unwrap() {
        assert_eq!(told["kept"].as_u64().unwrap() + told["slipped"].as_u64().unwrap(), wins);
    }
    let slip = &answer["strategies"][0]["examples"][0];
    let mut follow = run(shared(), "strategy follow --strategies SZ,SM* --defence SM --rule 15 --format json");
    follow.arg(slip["fen"].as_str().unwrap());
    let output = follow.assert().code(1).get_output().clone();
    let followed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&followed["strategies"][0]["outcome"], &followed["strategies"][0]["line"]),
        (&"slips".into(), &slip["line"])
    );
    assert_eq!(answer, json(&mut run(shared(), &format!("--threads 1 {line}"))));
    let lost = "strategy follow 8/8/8/3k4/8/3K4/3R4/8 b --strategies SZ --defence SM";
    assert!(stdout(&mut run(shared(), lost)).contains("SZ        wins"));
    let drawn = "strategy follow 8/8/8/4k3/8/2n5/4K3/7R w --strategies SZ --defence SM";
    assert!(stdout(&mut run(shared(), drawn)).contains("not won"));
}
