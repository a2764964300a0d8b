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

/// Tries mutations; panics with the smallest input that fails.
fn mutate(target: &Target, runner: &mut TestRunner) {
    let seeds = target.seeds().into_iter().map(|(_, bytes)| bytes).collect();
    let outcome = runner.run(&mutated(seeds), |bytes| {
        attempt(target, &bytes);
        Ok(())
    });
    if let Err(TestError::Fail(reason, bytes)) = outcome {
        panic!("{} failed: {reason}\ninput: \"{}\"", target.name, bytes.escape_ascii());
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
    mutate(target, &mut TestRunner::new_with_rng(config(target.short), rng));
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

/// New mutations for so many seconds in all: ERRARE_FUZZ_SECONDS, by default an hour.
#[test]
#[ignore = "takes an hour"]
fn long() {
    let seconds = std::env::var("ERRARE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3600);
    let share = Duration::from_secs(seconds) / u32::try_from(TARGETS.len()).expect("few targets");
    for target in TARGETS {
        let start = Instant::now();
        let mut tried = 0;
        while start.elapsed() < share {
            mutate(target, &mut TestRunner::new(config(target.short.min(200))));
            tried += target.short.min(200);
        }
        eprintln!("{}: {tried} inputs", target.name);
    }
}
