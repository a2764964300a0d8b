//! `errare choose`, end to end.

use crate::common::{fresh, json, run, shared, stderr, stdout};
use serde_json::Value;

/// Browne - BELLE, second game, after White's tenth move.
const BB2_10B: &str = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";

fn choose(fen: &str, line: &str) -> assert_cmd::Command {
    let mut command = run(shared(), "choose");
    command.arg(fen).args(line.split_whitespace());
    command
}

fn candidate<'a>(answer: &'a Value, san: &str) -> &'a Value {
    answer["candidates"].as_array().unwrap().iter().find(|candidate| candidate["san"] == san).unwrap()
}

#[test]
fn a_player_shows_states_preferences_and_probabilities() {
    let answer = json(&mut choose(BB2_10B, "--agent player:2 --seed 7 --format json"));
    assert_eq!((&answer["agent"], &answer["seed"]), (&"player".into(), &7.into()));
    assert_eq!(answer["model"]["metric"], "dtc");
    assert_eq!(answer["model"]["kappa"], 1.0);
    let candidates = answer["candidates"].as_array().unwrap();
    let sum: f64 = candidates.iter().map(|candidate| candidate["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let move_of = |san: &str| candidate(&answer, san).clone();
    let (best, worst) = (move_of("Re4"), move_of("Rf7"));
    assert_eq!((&best["outcome"], &best["depth"], &worst["depth"]), (&"loss".into(), &22.into(), &1.into()));
    // S_2 of losses in 22 and in 1: as 23^2 to 2^2.
    let ratio = best["preference"].as_f64().unwrap() / worst["preference"].as_f64().unwrap();
    assert!((ratio - 529.0 / 4.0).abs() < 1e-9);
    let again = json(&mut choose(BB2_10B, "--agent player:2 --seed 7 --format json"));
    assert_eq!(answer, again);
    let text = stdout(&mut choose(BB2_10B, "--agent player:inf"));
    assert!(text.contains("player of competence inf; dtc, kappa 1, holding nothing; seed 0"), "{text}");
}

#[test]
fn a_sweep_finds_the_crossover_of_figure_5() {
    let folder = fresh();
    let svg = folder.path().join("figure5.svg");
    let line = format!("--sweep 0:50 --keep-value --kappa 0+ --format json --svg {}", svg.display());
    let answer = json(&mut choose(BB2_10B, &line));
    let sweep = &answer["sweep"];
    let crossovers = sweep["crossovers"].as_array().unwrap();
    assert_eq!(crossovers.len(), 1);
    assert_eq!((&crossovers[0]["below"], &crossovers[0]["above"]), (&"Ra4".into(), &"Re4".into()));
    assert!((crossovers[0]["competence"].as_f64().unwrap() - 5.96504566).abs() < 1e-6);
    assert_eq!(sweep["competences"].as_array().unwrap().len(), 51);
    assert!(std::fs::read_to_string(svg).unwrap().contains("c = 5.97"));
    let csv = stdout(&mut choose(BB2_10B, "--sweep 0:10:50 --keep-value --kappa 0+ --format csv"));
    assert_eq!(csv.lines().count(), 1 + 6 * 2);
    assert!(csv.starts_with("competence,uci,move,expectation\n0,f4a4,Ra4,"), "{csv}");
}

#[test]
fn every_agent_answers() {
    for (line, chosen) in [
        ("--agent infallible --seed 1", None),
        ("--agent predator:20 --keep-value", Some("Re4")),
        ("--agent predator:2 --keep-value", Some("Ra4")),
        ("--agent predator:20,plies=4 --keep-value", None),
        ("--agent emulator:15", None),
        ("--agent levy:plies=2", None),
        ("--agent player:-inf --horizon 3", None),
        ("--agent player:3 --lean check=2,rook=0.5", None),
        ("--agent player:3 --metric dtm", None),
        ("--agent player:3 --metric dtz50", None),
    ] {
        let answer = json(&mut choose(BB2_10B, &format!("{line} --format json")));
        let found = answer["move"]["san"].as_str().unwrap();
        assert!(candidate(&answer, found)["probability"].as_f64().unwrap() > 0.0, "{line}");
        assert!(chosen.is_none_or(|chosen| chosen == found), "{line}: {found}");
    }
}

#[test]
fn agents_are_written_as_in_matches() {
    for text in [
        "player:3",
        "predator:20,plies=4,scope=keeping",
        "predator:inf,metric=dtm",
        "emulator:15",
        "levy:0.05,plies=4",
        "infallible:rook,first",
        "strategy:SZ",
    ] {
        assert_eq!(json(&mut choose(BB2_10B, &format!("--agent {text} --format json")))["spec"], text);
    }
    for flag in ["--competence 3", "--opponent 20", "--depth 4", "--scope all", "--error 0.1", "--opponent-metric dtm"]
    {
        let said = stderr(&mut choose(BB2_10B, &format!("--agent predator {flag}")), 2);
        assert!(said.contains("unexpected argument"), "one way to write an agent: {said}");
    }
}

#[test]
fn flags_that_do_nothing_for_the_agent_are_refused() {
    for (line, sentence) in [
        ("--agent player:3 --rule 50", "--rule has no effect with the agent `player:3`, as only strategies"),
        ("--agent player:3 --grid 0:1:20", "--grid has no effect with the agent `player:3`, as only a predator"),
        ("--agent predator:3 --prior uniform", "--prior has no effect with the agent `predator:3`"),
        ("--agent infallible --kappa 2", "--kappa has no effect with the agent `infallible`, who does not choose"),
        ("--agent levy --keep-value", "--keep-value has no effect with the agent `levy:0.01`"),
        ("--agent strategy:SZ --hold wins", "--hold has no effect with the agent `strategy:SZ`"),
        ("--agent strategy:SZ --lean check=2", "--lean has no effect"),
        ("--agent infallible --avoid-loss", "--avoid-loss has no effect"),
        ("--agent player:5 --keep-value --avoid-loss", "'--keep-value' cannot be used with '--avoid-loss'"),
        ("--agent infallible --horizon 3", "--horizon has no effect"),
        ("--agent predator:3 --svg x.svg", "--svg has no effect without --sweep"),
    ] {
        let said = stderr(&mut choose(BB2_10B, line), 2);
        assert!(said.contains(sentence), "{line}: {said}");
    }
    for line in ["--agent predator --grid 0:1:20", "--agent strategy:SZ --rule none", "--sweep 0:10:50 --prior uniform"]
    {
        stdout(&mut choose(BB2_10B, line));
    }
}

#[test]
fn an_opponent_may_be_a_posterior() {
    let folder = fresh();
    let file = folder.path().join("weak.json");
    std::fs::write(&file, r#"{"grid": [1, 1, 2], "probabilities": [0.5, 0.5]}"#).unwrap();
    let line = format!("--agent predator:{} --keep-value --format json", file.display());
    assert_eq!(json(&mut choose(BB2_10B, &line))["move"]["san"], "Ra4");
    std::fs::write(&file, r#"{"grid": [1, 1, 2], "probabilities": [0.5]}"#).unwrap();
    assert!(
        stderr(&mut choose(BB2_10B, &line), 2).contains("expected 2 numbers, one for each point of the grid, found 1")
    );
    std::fs::write(&file, "no json").unwrap();
    assert!(stderr(&mut choose(BB2_10B, &line), 2).contains("holds no posterior"));
}

#[test]
fn bad_use_is_explained_in_a_sentence() {
    for (fen, line, sentence) in [
        (BB2_10B, "", "--agent <AGENT>"),
        (BB2_10B, "--agent player", "the agent `player` needs a competence, as in player:20"),
        (BB2_10B, "--agent player:x", "invalid competence `x`"),
        (BB2_10B, "--agent player:3 --metric dtx", "invalid metric `dtx`"),
        (BB2_10B, "--agent player:3 --kappa 0", "invalid kappa `0`"),
        (BB2_10B, "--agent player:3 --lean chek=2", "invalid leaning `chek=2`"),
        (BB2_10B, "--agent predatr", "invalid agent `predatr`: expected player"),
        (
            BB2_10B,
            "--agent predator:nobody",
            "invalid competence `nobody`: expected a number from -1e100 to 1e100, inf, -inf or a file with a posterior",
        ),
        (BB2_10B, "--agent predator:20,plies=3", "expected an even number of plies from 2 to 64"),
        (BB2_10B, "--agent levy:2", "invalid error probability `2`"),
        (
            BB2_10B,
            "--agent emulator:inf",
            "invalid competence `inf` of the agent `emulator`: expected a finite number above 0",
        ),
        (BB2_10B, "--agent player:1 --sweep 0:50", "a sweep works with the predator only"),
        (BB2_10B, "--sweep 50:0", "invalid grid"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "--agent player:3", "White has no king"),
        ("8/8/8/3k4/8/8/8/KQR4r b - - 0 1", "--agent player:3 --metric dtm --kappa nan", "invalid kappa `nan`"),
        ("7k/6Q1/6K1/8/8/8/8/r7 b - - 0 1", "--agent player:3", "the game is over: Black has no legal move"),
        ("8/8/8/3k4/8/8/PPP5/KQR4r b - - 0 1", "--agent player:3", "too many men: expected at most 6, found 8"),
        ("8/8/8/3k4/8/8/8/KQ2NNr1 w - - 0 1", "--agent player:3", "errare table build"),
    ] {
        let found = stderr(&mut choose(fen, line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
}
