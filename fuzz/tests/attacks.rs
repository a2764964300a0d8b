//! The corpus and mutations of it, on every target. A short run by default; an hour, divided among the targets, if asked.

use errare_fuzz::{TARGETS, Target, mutated};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::time::{Duration, Instant};

/// No reader takes as long for an input as small as these, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn attempt(target: &Target, bytes: &[u8]) {
    let start = Instant::now();
    (target.run)(bytes);
    let took = start.elapsed();
    assert!(took < PATIENCE, "{} took {took:?}", target.name);
}

/// Tries mutations; returns the smallest input that fails, with the reason.
fn mutate(target: &Target, runner: &mut TestRunner) -> Result<(), String> {
    let seeds = target.seeds().into_iter().map(|(_, bytes)| bytes).collect();
    let outcome = runner.run(&mutated(seeds), |bytes| {
        attempt(target, &bytes);
        Ok(())
    });
    match outcome {
        Err(TestError::Fail(reason, bytes)) => {
            Err(format!("{} failed: {reason}\ninput: \"{}\"", target.name, bytes.escape_ascii()))
        }
        Err(TestError::Abort(reason)) => Err(format!("{} was given up: {reason}", target.name)),
        Ok(()) => Ok(()),
    }
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() }
}

/// Every input that was ever found, and some mutations, the same in every run.
fn short(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    for (name, bytes) in target.seeds() {
        eprintln!("{name}");
        attempt(target, &bytes);
    }
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    mutate(target, &mut TestRunner::new_with_rng(config(target.short), rng)).unwrap_or_else(|found| panic!("{found}"));
}

macro_rules! short_runs {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            short($name);
        })*

        /// A target that no test names would never be attacked.
        #[test]
        fn every_target_has_a_short_run() {
            let named = [$($name),*];
            assert_eq!(TARGETS.iter().map(|target| target.name).collect::<Vec<_>>(), named);
        }
    };
}

short_runs! {
    short_texts: "fen",
    games: "pgn",
    commands_of_chess_programs: "uci-command",
    answers_of_engines: "uci-engine",
    turn_files: "turns",
    calibrations: "calibration",
    posteriors: "posterior",
    tables: "table",
    requests_over_http: "http",
}

/// New mutations for so many seconds in all: ERRARE_FUZZ_SECONDS, by default an hour. ERRARE_FUZZ_TARGETS names the
/// targets, separated by commas, by default all. A target that fails does not keep the others from their turn.
#[test]
#[ignore = "takes an hour"]
fn long() {
    let seconds = std::env::var("ERRARE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3600);
    let wanted = std::env::var("ERRARE_FUZZ_TARGETS").ok();
    let is_wanted =
        |target: &&Target| wanted.as_ref().is_none_or(|list| list.split(',').any(|name| name == target.name));
    let targets: Vec<&Target> = TARGETS.iter().filter(is_wanted).collect();
    assert!(!targets.is_empty(), "no target of this name: {wanted:?}");
    let share = Duration::from_secs(seconds) / u32::try_from(targets.len()).expect("few targets");
    let mut failures = Vec::new();
    for target in targets {
        let start = Instant::now();
        let mut tried = 0;
        while start.elapsed() < share {
            tried += target.short.min(200);
            if let Err(found) = mutate(target, &mut TestRunner::new(config(target.short.min(200)))) {
                eprintln!("{found}");
                failures.push(found);
                break;
            }
        }
        eprintln!("{}: {tried} inputs", target.name);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
