//! Engines whose answers must not be taken for something else.

#![cfg(unix)]

use errare_evaluate::{Audit, EvaluationJob, GameEvaluation, GameSource, Lines, Rules, Summary, audit};
use errare_ratings::Selection;
use errare_work::{Progress, Silent};
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// A game of one turn, in which Black has one move.
const GAME: &str = "[FEN \"7k/4Q3/8/8/8/8/8/K7 b - - 0 9\"]\n\n9... Kg8 *\n";

/// An engine whose evaluation is its first argument, and whose depth is the second, or else what it was asked for.
const ENGINE: &str = r#"
while read -r word rest; do case "$word" in
uci) echo 'id name Fake'; echo 'option name MultiPV type spin default 1 min 1 max 500'; echo uciok;;
isready) echo readyok;;
go) echo "info depth ${2:-${rest#depth }} multipv 1 score cp $1 pv h8g8"; echo "bestmove h8g8";;
quit) exit 0;;
esac; done
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.pgn"), GAME).unwrap();
        fs::write(folder.path().join("engine.sh"), ENGINE).unwrap();
        Place(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Evaluates with an engine that gets these arguments, and returns the summary and the turns.
    fn evaluate(&self, arguments: &str, progress: &dyn Progress) -> (Summary, String) {
        let engine = format!("/bin/sh {} {arguments}", self.path("engine.sh").display());
        let selection = Selection { first_move: 1, ..Rules::default().selection };
        let evaluation = GameEvaluation {
            games: vec![GameSource::File(self.path("games.pgn"))],
            whose: None,
            rules: Rules { selection, keep_forced: true, ..Rules::default() },
            engine: engine.parse().unwrap(),
            depth: 20,
            lines: Lines::All,
            patience: Duration::from_secs(60),
            workers: NonZeroUsize::MIN,
            cache: self.path("cache.sqlite"),
        };
        let job = EvaluationJob { evaluation, folder: self.path("out"), jsonl: true };
        let summary = job.run(progress).unwrap();
        (summary, fs::read_to_string(self.path("out/turns.jsonl")).unwrap())
    }
}

/// Keeps warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Progress for Warnings {
    fn warn(&self, warning: &str) {
        self.0.lock().unwrap().push(warning.to_owned());
    }
}

#[test]
fn an_engine_with_other_arguments_is_another_engine() {
    let place = Place::new();
    let (weak, turns) = place.evaluate("-100", &Silent);
    assert!(turns.contains("[\"h8g8\",-100]"), "{turns}");
    assert!(turns.contains("\"settings\":\"arguments engine.sh (sha256:"), "{turns}");
    let (strong, turns) = place.evaluate("250", &Silent);
    assert!(turns.contains("[\"h8g8\",250]"), "{turns}");
    assert_eq!((weak.evaluated, strong.evaluated), (1, 1));
    assert_ne!(weak.settings, strong.settings);
    let (again, turns) = place.evaluate("-100", &Silent);
    assert!(again.evaluated == 0 && turns.contains("[\"h8g8\",-100]"), "{turns}");
}

#[test]
fn a_shallow_answer_is_refused_and_not_signed_as_a_deep_one() {
    let place = Place::new();
    let warnings = Warnings::default();
    let (summary, turns) = place.evaluate("7 1", &warnings);
    assert_eq!((summary.written, summary.evaluated, turns.as_str()), (0, 0, ""));
    let warnings = warnings.0.into_inner().unwrap();
    assert!(warnings.iter().any(|text| text.contains("searched to depth 1 when asked for depth 20")), "{warnings:?}");
    assert_eq!(place.evaluate("7 21", &Silent).0.written, 1);
}

#[test]
fn answers_without_the_arguments_of_their_engine_are_left_alone() {
    let place = Place::new();
    let (_, turns) = place.evaluate("-100", &Silent);
    let file = turns.split("\"engine_file\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let cache = rusqlite::Connection::open(place.path("cache.sqlite")).unwrap();
    let old = format!("Fake; {file}; MultiPV=all; depth 20");
    assert_eq!(cache.execute("UPDATE engine SET description = ?", [old]).unwrap(), 1);
    drop(cache);
    let warnings = Warnings::default();
    let (summary, turns) = place.evaluate("250", &warnings);
    assert!(summary.evaluated == 1 && turns.contains("[\"h8g8\",250]"), "{turns}");
    let warnings = warnings.0.into_inner().unwrap();
    assert!(warnings.iter().any(|text| text.contains("did not record the engine's arguments")), "{warnings:?}");
}

#[test]
fn an_engine_that_shows_one_line_for_all_moves_is_named() {
    let place = Place::new();
    fs::write(place.path("games.pgn"), "[FEN \"7k/8/8/8/8/8/8/K3Q3 b - - 0 9\"]\n\n9... Kg8 *\n").unwrap();
    let warnings = Warnings::default();
    let (summary, _) = place.evaluate("7", &warnings);
    assert_eq!((summary.written, summary.evaluated), (0, 0));
    let warnings = warnings.0.into_inner().unwrap();
    let words = "Fake showed 1 line when asked for 3: it ignores `MultiPV`";
    assert!(warnings.iter().any(|text| text.contains(words)), "{warnings:?}");
}

#[test]
fn turns_that_are_missing_double_or_foreign_are_found() {
    let place = Place::new();
    let (_, line) = place.evaluate("7", &Silent);
    let selection = Selection { first_move: 1, ..Rules::default().selection };
    let rules = Rules { selection, keep_forced: true, ..Rules::default() };
    let check = |games: &str, turns: &str| {
        fs::write(place.path("some.pgn"), games).unwrap();
        fs::write(place.path("some.jsonl"), turns).unwrap();
        let found =
            audit(&[GameSource::File(place.path("some.pgn"))], rules, &place.path("some.jsonl"), &Silent).unwrap();
        let Audit { games, turns, missing, double, foreign, examples } = found;
        ([games, turns, missing, double, foreign], examples)
    };
    assert_eq!(check(GAME, &line), ([1, 1, 0, 0, 0], vec![]));
    assert_eq!(check(GAME, &format!("{line}{line}")).0, [1, 1, 0, 1, 0]);
    let another = GAME.replace("\"]\n\n", "\"]\n[White \"A\"]\n\n");
    let (found, examples) = check(&format!("{GAME}\n{another}"), &line);
    assert_eq!((found, examples), ([2, 1, 1, 0, 0], vec!["some.pgn, game 2, 9... h8g8 is missing".to_owned()]));
    let (found, examples) = check("[White \"Nobody\"]\n\n*\n", &line);
    assert_eq!(found[1..], [0, 0, 0, 1], "{examples:?}");
}
