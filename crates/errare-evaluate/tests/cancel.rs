//! Jobs that are cancelled, wherever they are: they end at once, leave nothing half done, and go on when run again.

#![cfg(unix)]

use errare_evaluate::{EvaluateError, EvaluationJob, GameEvaluation, GameSource, Lines, MergeSummary, Rules, merge};
use errare_ratings::Selection;
use errare_work::{Cancel, Progress, Silent, Status};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const GAMES: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n\
                     [White \"C\"]\n[Black \"D\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *\n";

/// This file as an engine, when a job under test runs it so. All moves are worth the same to it.
#[test]
#[ignore = "an engine, not a test"]
fn engine() {
    let mut position = Chess::default();
    for command in std::io::stdin().lines().map_while(Result::ok) {
        if let Some(fen) = command.strip_prefix("position fen ") {
            position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        }
        match command.split(' ').next() {
            Some("uci") => println!("id name Flat\noption name MultiPV type spin default 1 min 1 max 500\nuciok"),
            Some("isready") => println!("readyok"),
            Some("go") => {
                let moves = position.legal_moves();
                for (rank, mv) in (1..).zip(&moves) {
                    let mv = mv.to_uci(CastlingMode::Standard);
                    println!("info depth 1 multipv {rank} score cp 0 pv {mv}");
                }
                println!("bestmove {}", moves[0].to_uci(CastlingMode::Standard));
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
        Place(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn job(&self, out: &str, cache: &str) -> EvaluationJob {
        let engine = format!("{} --ignored --exact engine --nocapture", std::env::current_exe().unwrap().display());
        let selection = Selection { first_move: 2, ..Rules::default().selection };
        let evaluation = GameEvaluation {
            games: vec![GameSource::File(self.path("games.pgn"))],
            whose: None,
            rules: Rules { selection, ..Rules::default() },
            engine: engine.parse().unwrap(),
            depth: 1,
            lines: Lines::All,
            patience: Duration::from_secs(60),
            workers: NonZeroUsize::new(2).unwrap(),
            cache: self.path(cache),
        };
        EvaluationJob { evaluation, folder: self.path(out), jsonl: true }
    }

    /// A job whose engine does what these cases of shell say.
    fn job_of(&self, cases: &str) -> EvaluationJob {
        let polite = "uci) echo 'option name MultiPV type spin default 1 min 1 max 500'; echo uciok;;
                      isready) echo readyok;; quit) exit;;";
        let script = format!("while read -r word rest; do case \"$word\" in\n{cases}\n{polite}\nesac; done\n");
        fs::write(self.path("engine.sh"), script).unwrap();
        let engine = format!("/bin/sh {}", self.path("engine.sh").display()).parse().unwrap();
        let mut job = self.job("out", "cache");
        job.evaluation.engine = engine;
        job
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).map(|entries| {
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
        });
        entries.unwrap_or_default()
    }
}

fn assert_sound(cache: &Path) {
    let connection = rusqlite::Connection::open(cache).unwrap();
    let verdict: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

/// Runs a job that hangs, cancels it after a moment, and checks that it ends at once.
fn assert_cancellable(place: &Place, job: &EvaluationJob) {
    let cancel = Cancel::new();
    let took = thread::scope(|scope| {
        let canceller = scope.spawn(|| {
            thread::sleep(Duration::from_millis(400));
            cancel.cancel();
            Instant::now()
        });
        let result = job.run(&cancel);
        let took = canceller.join().unwrap().elapsed();
        assert!(matches!(result, Err(EvaluateError::Cancelled(_))), "{result:?}");
        took
    });
    assert!(took < Duration::from_millis(200), "{took:?}");
    assert_eq!(place.files("out"), [""; 0]);
}

#[test]
fn engines_that_think_or_hang_are_stopped_at_once() {
    for cases in ["go) ;; stop) echo bestmove e2e4;;", "go) sleep 60;;", "ucinewgame) sleep 60;;"] {
        let place = Place::new();
        assert_cancellable(&place, &place.job_of(cases));
        assert_sound(&place.path("cache"));
    }
    let place = Place::new();
    assert_cancellable(&place, &place.job_of("uci) sleep 60;;"));
}

#[test]
fn a_file_without_end_can_be_cancelled() {
    let place = Place::new();
    // The engine starts within the moment before the cancellation; nobody ever writes to the pipe's other end but us.
    let pipe = place.path("pipe.pgn");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = thread::spawn({
        let pipe = pipe.clone();
        move || {
            use std::io::Write;
            let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
            while pipe.write_all(&[b'{'; 1 << 16]).is_ok() {}
        }
    });
    let mut job = place.job("out", "cache");
    job.evaluation.games = vec![GameSource::File(pipe)];
    assert_cancellable(&place, &job);
    writer.join().unwrap();
}

/// Cancels at a certain check.
struct CancelAt {
    checks: AtomicU64,
    at: u64,
}

impl Progress for CancelAt {
    fn is_cancelled(&self) -> bool {
        self.checks.fetch_add(1, Ordering::Relaxed) >= self.at
    }
}

#[test]
fn a_job_cancelled_anywhere_goes_on_and_ends_the_same() {
    let place = Place::new();
    let whole = place.job("whole", "other-cache").run(&Silent).unwrap();
    assert_eq!((whole.survey.games, whole.written, whole.failed()), (2, 10, 0));
    let job = place.job("out", "cache");
    let mut cancelled = 0;
    for at in (0..).map(|step| step * step) {
        match job.run(&CancelAt { checks: AtomicU64::new(0), at }) {
            Err(EvaluateError::Cancelled(_)) => assert_eq!(place.files("out"), [""; 0]),
            done => {
                let done = done.unwrap();
                assert_eq!((done.survey, done.written), (whole.survey, whole.written));
                break;
            }
        }
        cancelled += 1;
    }
    assert!(cancelled > 5, "{cancelled}");
    for name in ["turns.parquet", "turns.jsonl"] {
        let [one, other] = ["whole", "out"].map(|folder| fs::read(place.path(folder).join(name)).unwrap());
        assert!(one == other, "{name}");
    }
    assert_sound(&place.path("cache"));
}

#[test]
fn progress_names_each_walk() {
    #[derive(Default)]
    struct Activities(Mutex<Vec<(String, u64, Option<u64>)>>);
    impl Progress for Activities {
        fn report(&self, status: &Status<'_>) {
            let mut seen = self.0.lock().unwrap();
            let now = (status.activity.to_owned(), status.done, status.total);
            match seen.last_mut().filter(|last| last.0 == now.0) {
                Some(last) => last.1 = last.1.max(now.1),
                None => seen.push(now),
            }
        }
    }
    let place = Place::new();
    let activities = Activities::default();
    place.job("out", "cache").run(&activities).unwrap();
    let expected = [
        ("reading games", 2, None),
        ("evaluating with Flat at depth 1", 10, Some(10)),
        ("writing turns", 10, Some(10)),
    ];
    assert_eq!(activities.0.into_inner().unwrap(), expected.map(|(name, done, all)| (name.to_owned(), done, all)));
}

#[test]
fn a_cancelled_merge_of_turns_leaves_nothing_behind() {
    let place = Place::new();
    place.job("whole", "cache").run(&Silent).unwrap();
    let (part, out) = (place.path("whole"), place.path("merged.jsonl"));
    for at in [0, 5] {
        let result = merge(std::slice::from_ref(&part), &out, &CancelAt { checks: AtomicU64::new(0), at });
        assert!(matches!(result, Err(EvaluateError::Cancelled(_))), "{result:?}");
        assert!(!place.files("").iter().any(|name| name.starts_with("merged")));
    }
    let merged = merge(&[part], &out, &Silent).unwrap();
    assert!(matches!(merged, MergeSummary::Turns(merged) if merged.turns == 10));
}
