//! The client against engines that misbehave, each a few lines of shell.

#![cfg(unix)]

use errare_uci::client::{
    Direction, Engine, EngineConfig, EngineError, Fault, Limit, Lines, PositionRequest, Restart, Search, Timeouts,
};
use errare_work::{Cancel, Silent};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// A polite engine; cases put before these go first.
const POLITE: &str = r#"
uci) echo "id name Fake 1.0"; echo "id author A. Nonymous"
     echo "option name Hash type spin default 16 min 1 max 64"
     echo "option name MultiPV type spin default 1 min 1 max 3"
     echo "option name Path type string default <empty>"
     echo "option name Clear Hash type button"
     echo uciok;;
isready) echo readyok;;
go) echo "info depth 1 score cp 20 pv e2e4"; echo "bestmove e2e4 ponder e7e5";;
quit) exit 0;;
"#;

/// A folder with the script of an engine that reacts to commands by these cases of shell.
struct Fake(tempfile::TempDir);

impl Fake {
    fn new(cases: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "cd '{}'\nwhile read -r word rest; do case \"$word\" in\n{cases}\n{POLITE}\nesac; done\n",
            folder.path().display()
        );
        fs::write(folder.path().join("engine.sh"), script).unwrap();
        Fake(folder)
    }

    fn config(&self) -> EngineConfig {
        EngineConfig::new("/bin/sh").arg(self.path("engine.sh"))
    }

    /// For engines that hang in a search.
    fn hasty(&self) -> Engine {
        let short = Duration::from_secs(1);
        let timeouts = Timeouts { search: short, overrun: short, quit: short, ..Timeouts::default() };
        Engine::start(&self.config().timeouts(timeouts), &Silent).unwrap()
    }

    /// For engines that do not even start.
    fn not_starting(&self) -> EngineError {
        let timeouts = Timeouts { start: Duration::from_secs(1), ..Timeouts::default() };
        Engine::start(&self.config().timeouts(timeouts), &Silent).unwrap_err()
    }

    fn start(&self) -> Result<Engine, EngineError> {
        Engine::start(&self.config(), &Silent)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

fn start_position() -> PositionRequest {
    PositionRequest::new(shakmaty::Chess::default())
}

fn search() -> Search {
    Search::new(Limit::Depth(1))
}

/// Asks an engine of these cases for a move, which must fail.
fn failing_search(cases: &str) -> EngineError {
    Fake::new(cases).start().unwrap().analyse(&start_position(), &search(), &Silent).unwrap_err()
}

fn is_running(process: u32) -> bool {
    // A zombie is dead enough, and its state is the word behind the name.
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

#[test]
fn a_polite_engine_is_introduced_set_asked_and_leaves() {
    let fake = Fake::new("setoption|ucinewgame|position) echo \"$word $rest\" >> said;;");
    let mut engine = Engine::start(&fake.config().option("hash", "32"), &Silent).unwrap();
    assert_eq!((engine.identity().name.as_str(), engine.identity().author.as_str()), ("Fake 1.0", "A. Nonymous"));
    assert_eq!(engine.options().len(), 4);
    engine.set_option("path", "", &Silent).unwrap();
    engine.set_option("Clear Hash", "", &Silent).unwrap();
    engine.new_game(&Silent).unwrap();
    let analysis = engine.analyse(&start_position(), &search(), &Silent).unwrap();
    assert_eq!(analysis.best.unwrap().to_string(), "e2e4");
    assert_eq!(analysis.ponder.unwrap().to_string(), "e7e5");
    assert!(analysis.is_complete);
    assert_eq!((analysis.lines[0].depth, analysis.lines[0].score.to_string()), (1, "cp 20".to_owned()));
    let options: Vec<_> = engine.identity().options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(options, ["Hash=32", "Path=<empty>"]);
    assert!(engine.quit(&Silent));
    let said = "setoption name Hash value 32\nsetoption name Path value <empty>\nsetoption name Clear Hash\nucinewgame \n\
                position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    assert_eq!(fake.text("said"), said);
}

#[test]
fn a_missing_file_is_named() {
    let error = Engine::start(&EngineConfig::new("/no/such/engine"), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::Start(_)));
    assert!(error.to_string().starts_with("/no/such/engine cannot be started: No such file"), "{error}");
    let error = Engine::start(&EngineConfig::new("no-such-engine-anywhere"), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::Start(_)));
}

#[test]
fn an_engine_that_never_says_uciok_is_given_up() {
    let began = Instant::now();
    let error = Fake::new("uci) echo id name Mute;;").not_starting();
    assert!(matches!(error.fault(), Fault::TimedOut { awaited: "uci", .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(error.to_string().ends_with("; last lines: > uci | < id name Mute"), "{error}");
}

#[test]
fn a_flood_of_garbage_ends_at_the_deadline() {
    let began = Instant::now();
    let error = Fake::new("uci) yes 'info string garbage';;").not_starting();
    assert!(matches!(error.fault(), Fault::TimedOut { awaited: "uci", .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_flood_between_questions_does_not_drown_the_next() {
    // Blocks of 4,000 bytes are whole lines, and short enough that a pipe never breaks one up: else the engine's own
    // answers could end up in the middle of a `tick`.
    let fake = Fake::new("ucinewgame) yes tick | head -n 100000 | dd obs=4000 2>/dev/null & ;;");
    let mut engine = fake.start().unwrap();
    engine.new_game(&Silent).unwrap();
    thread::sleep(Duration::from_millis(100));
    assert!(engine.analyse(&start_position(), &search(), &Silent).unwrap().best.is_some());
}

#[test]
fn garbage_is_passed_over() {
    let fake = Fake::new(
        r"uci) printf '\377\376\000\n'; head -c 3000000 /dev/zero | tr '\0' x; echo; echo 'option name'; echo uciok;;
          go) echo; echo 'info depth x'; echo 'info score'; head -c 3000000 /dev/zero | tr '\0' y; echo
              echo 'info depth 1 score cp 1 pv d2d4'; printf 'bestmove d2d4\r\n';;",
    );
    let mut engine = fake.start().unwrap();
    assert_eq!(engine.identity().name, "/bin/sh");
    let analysis = engine.analyse(&start_position(), &search(), &Silent).unwrap();
    assert_eq!(analysis.best.unwrap().to_string(), "d2d4");
    assert_eq!(analysis.lines.len(), 1);
}

#[test]
fn a_crash_is_told_with_its_last_words() {
    let error = failing_search("go) echo 'out of luck' >&2; exit 3;;");
    assert!(matches!(error.fault(), Fault::Died(status) if status.contains('3')), "{error}");
    assert_eq!(error.engine(), "Fake 1.0");
    let said: Vec<String> = error.transcript().iter().map(ToString::to_string).collect();
    assert!(said.contains(&"> go depth 1".to_owned()) && said.contains(&"! out of luck".to_owned()), "{said:?}");
    assert!(error.transcript().iter().any(|exchange| exchange.direction == Direction::Received));
    let error = failing_search("go) kill -SEGV $$;;");
    assert!(matches!(error.fault(), Fault::Died(status) if status.contains("SIGSEGV")), "{error}");
}

#[test]
fn an_engine_that_closes_its_output_is_given_up() {
    let error = failing_search("go) exec >&-; sleep 60;;");
    assert!(matches!(error.fault(), Fault::Closed), "{error}");
}

#[test]
fn a_hang_ends_at_the_deadline_and_the_engine_with_it() {
    let fake = Fake::new("go) echo $$ > pid; sleep 60;;");
    let mut engine = fake.hasty();
    let began = Instant::now();
    let error = engine.analyse(&start_position(), &search(), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::TimedOut { awaited: "go", .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(!is_running(fake.text("pid").trim().parse().unwrap()));
    let again = engine.analyse(&start_position(), &search(), &Silent).unwrap_err();
    assert!(matches!(again.fault(), Fault::Died(_)), "{again}");
}

#[test]
fn an_engine_that_is_merely_slow_can_be_asked_again() {
    let fake =
        Fake::new("go) [ -e slow ] || { touch slow; continue; }; echo bestmove e2e4;; stop) echo bestmove d2d4;;");
    let mut engine = fake.hasty();
    let error = engine.analyse(&start_position(), &search(), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::TooSlow { .. }), "{error}");
    assert_eq!(engine.analyse(&start_position(), &search(), &Silent).unwrap().best.unwrap().to_string(), "e2e4");
}

#[test]
fn answers_that_are_no_moves_are_refused() {
    for answer in ["e2e5", "e7e5", "(none)", "0000", "rubbish", ""] {
        let error = failing_search(&format!("go) echo 'bestmove {answer}';;"));
        assert!(matches!(error.fault(), Fault::BadMove { answer: said, .. } if said == answer), "{error}");
    }
    let error = failing_search("go) echo 'info depth 1 score cp 1 pv e2e5'; echo bestmove e2e4;;");
    assert!(matches!(error.fault(), Fault::BadMove { answer, .. } if answer == "e2e5"), "{error}");
}

#[test]
fn where_there_is_no_move_there_is_no_best_one() {
    let mate = PositionRequest::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    for answer in ["(none)", "0000"] {
        let fake = Fake::new(&format!("go) echo 'info depth 0 score mate 0'; echo 'bestmove {answer}';;"));
        let analysis = fake.start().unwrap().analyse(&mate, &search(), &Silent).unwrap();
        assert_eq!(analysis.best, None);
        assert_eq!(analysis.lines[0].score.to_string(), "mate 0");
    }
    let error = Fake::new("").start().unwrap().analyse(&mate, &search(), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::BadMove { .. }), "{error}");
}

#[test]
fn wrong_options_are_refused_before_they_are_sent() {
    let fake = Fake::new("setoption) echo \"$rest\" >> said;;");
    let mut engine = fake.start().unwrap();
    for (name, value) in [("Hsah", "16"), ("Hash", "65"), ("Hash", "x"), ("Clear Hash", "1"), ("Path", "a\nquit")] {
        let error = engine.set_option(name, value, &Silent).unwrap_err();
        assert!(matches!(error.fault(), Fault::UnknownOption(_) | Fault::BadValue { .. }), "{error}");
    }
    let error = Engine::start(&fake.config().option("Hash", "32").option("Hsah", "16"), &Silent).unwrap_err();
    assert_eq!(error.to_string().split(';').next(), Some("Fake 1.0 has no option `Hsah`"));
    assert_eq!(fake.text("said"), "");
}

#[test]
fn no_more_lines_are_asked_for_than_there_can_be() {
    let fake = Fake::new("setoption) echo \"$rest\" >> said;;");
    let mut engine = fake.start().unwrap();
    for lines in [Lines::All, Lines::All, Lines::Count(2), Lines::Count(1)] {
        let analysis = engine.analyse(&start_position(), &search().lines(lines), &Silent).unwrap();
        assert_eq!(analysis.is_complete, lines == Lines::Count(1));
        let asked = if lines == Lines::All { 3 } else { 2 };
        let words = format!("showed 1 line when asked for {asked}: it ignores `MultiPV`");
        assert_eq!(analysis.shortfall(), (lines != Lines::Count(1)).then_some(words));
    }
    assert_eq!(fake.text("said"), "name MultiPV value 3\nname MultiPV value 2\nname MultiPV value 1\n");
    let mut single = Fake::new("uci) echo uciok;;").start().unwrap();
    assert!(single.analyse(&start_position(), &search(), &Silent).is_ok());
    let error = single.analyse(&start_position(), &search().lines(Lines::All), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::UnknownOption(name) if name == "MultiPV"), "{error}");
}

#[test]
fn a_search_among_moves_names_them_and_takes_no_other() {
    let fake = Fake::new("go) echo \"$rest\" > said; echo bestmove d2d4;;");
    let mut engine = fake.start().unwrap();
    let moves = |texts: [&str; 2]| texts.map(|mv| mv.parse().unwrap());
    assert!(engine.analyse(&start_position(), &search().among(moves(["d2d4", "c2c4"])), &Silent).is_ok());
    assert_eq!(fake.text("said"), "depth 1 searchmoves d2d4 c2c4\n");
    let error = engine.analyse(&start_position(), &search().among(moves(["e2e4", "c2c4"])), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::IgnoredSearchMoves { answer, .. } if answer == "d2d4"), "{error}");
    assert!(error.to_string().contains("it ignores `searchmoves`"), "{error}");
    let error = engine.analyse(&start_position(), &search().among(moves(["e2e4", "e2e5"])), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::BadRequest(_)), "{error}");
}

#[test]
fn a_stopped_search_answers_with_what_it_found() {
    let fake = Fake::new("go) echo 'info depth 1 score cp 1 pv e2e4';; stop) echo bestmove e2e4;;");
    let mut engine = fake.start().unwrap();
    let flag = Cancel::new();
    let began = Instant::now();
    let raise = flag.clone();
    let raiser = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        raise.cancel();
    });
    let analysis = engine.analyse(&start_position(), &search().until(&flag), &Silent).unwrap();
    raiser.join().unwrap();
    assert_eq!(analysis.lines.len(), 1);
    assert!(flag.is_cancelled() && began.elapsed() < Duration::from_secs(10));
    assert!(engine.analyse(&start_position(), &search().until(&flag), &Silent).unwrap().best.is_some());
}

/// Cancels after a moment, and checks that the work ends soon after.
fn cancelled<T>(work: impl FnOnce(&Cancel) -> Result<T, EngineError>) -> EngineError {
    let cancel = Cancel::new();
    let canceller = {
        let cancel = cancel.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(150));
            cancel.cancel();
            Instant::now()
        })
    };
    let error = work(&cancel).err().unwrap();
    let took = canceller.join().unwrap().elapsed();
    assert!(error.is_cancelled(), "{error}");
    assert!(took < Duration::from_millis(200), "{took:?}");
    error
}

#[test]
fn cancelling_ends_every_wait_within_a_moment() {
    cancelled(|cancel| Engine::start(&Fake::new("uci) ;;").config(), cancel));
    let mut engine = Fake::new("ucinewgame) sleep 60;;").start().unwrap();
    cancelled(|cancel| engine.new_game(cancel));
    let mut engine = Fake::new("setoption) sleep 60;;").start().unwrap();
    cancelled(|cancel| engine.set_option("Hash", "32", cancel));
    let mut engine = Fake::new("go) exec >&-; sleep 60;;").start().unwrap();
    cancelled(|cancel| engine.analyse(&start_position(), &search(), cancel));
    let began = Instant::now();
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(!Fake::new("quit) sleep 60;;").start().unwrap().quit(&cancel) && began.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_cancelled_search_is_stopped_and_an_engine_that_does_not_stop_is_killed() {
    let stops = Fake::new("go) [ -e again ] && echo bestmove e2e4;; stop) touch again; echo bestmove d2d4;;");
    let mut engine = stops.start().unwrap();
    cancelled(|cancel| engine.analyse(&start_position(), &search(), cancel));
    assert_eq!(engine.analyse(&start_position(), &search(), &Silent).unwrap().best.unwrap().to_string(), "e2e4");

    let hangs = Fake::new("go) echo $$ > pid; sleep 60;;");
    let config = hangs.config().restart(Restart::Once);
    let mut engine = Engine::start(&config, &Silent).unwrap();
    cancelled(|cancel| engine.analyse(&start_position(), &search(), cancel));
    assert_eq!(engine.restarts(), 0);
    assert!(!is_running(hangs.text("pid").trim().parse().unwrap()));
}

#[test]
fn a_crashed_engine_is_started_anew_with_its_options() {
    let crash_once =
        "setoption) echo \"$rest\" >> said;; go) [ -e crashed ] || { touch crashed; exit 1; }; echo bestmove e2e4;;";
    let fake = Fake::new(crash_once);
    let mut engine = Engine::start(&fake.config().restart(Restart::Once).option("Hash", "32"), &Silent).unwrap();
    engine.set_option("Path", "here", &Silent).unwrap();
    engine.set_option("Clear Hash", "", &Silent).unwrap();
    assert_eq!(engine.analyse(&start_position(), &search(), &Silent).unwrap().best.unwrap().to_string(), "e2e4");
    assert_eq!(engine.restarts(), 1);
    let said = "name Hash value 32\nname Path value here\nname Clear Hash\nname Hash value 32\nname Path value here\n";
    assert_eq!(fake.text("said"), said);

    let fake = Fake::new("go) echo crash >> crashes; exit 1;;");
    let mut hopeless = Engine::start(&fake.config().restart(Restart::Once), &Silent).unwrap();
    let error = hopeless.analyse(&start_position(), &search(), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::Died(_)), "{error}");
    assert_eq!(fake.text("crashes"), "crash\ncrash\n");

    let fake = Fake::new(crash_once);
    let mut proud = fake.start().unwrap();
    assert!(matches!(proud.analyse(&start_position(), &search(), &Silent).unwrap_err().fault(), Fault::Died(_)));
}

#[test]
fn an_engine_that_will_not_leave_is_killed() {
    let fake = Fake::new("quit) sleep 60;;");
    let engine = fake.hasty();
    let process = engine.process_id();
    assert!(is_running(process));
    let began = Instant::now();
    assert!(!engine.quit(&Silent));
    assert!(began.elapsed() < Duration::from_secs(10) && !is_running(process));
}

#[test]
fn a_dropped_engine_is_killed_with_what_it_started() {
    let fake = Fake::new("ucinewgame) sleep 60 & echo $! > pid;;");
    let mut engine = fake.start().unwrap();
    engine.new_game(&Silent).unwrap();
    let (engines, childs) = (engine.process_id(), fake.text("pid").trim().parse().unwrap());
    assert!(is_running(engines) && is_running(childs));
    drop(engine);
    assert!(!is_running(engines));
    let is_gone = (0..200).any(|_| {
        thread::sleep(Duration::from_millis(10));
        !is_running(childs)
    });
    assert!(is_gone, "{childs} still runs");
}

/// The kernel ends a child when the thread that started it ends; that must not be the caller's.
#[test]
fn an_engine_outlives_the_thread_that_asked_for_it() {
    let fake = Fake::new("");
    let config = fake.config();
    let mut engine = thread::spawn(move || Engine::start(&config, &Silent).unwrap()).join().unwrap();
    thread::sleep(Duration::from_millis(100));
    assert!(engine.analyse(&start_position(), &search(), &Silent).is_ok());
}

/// An engine that introduces itself and reads nothing after that, with more options to set than a pipe takes in.
fn deaf() -> (Fake, EngineConfig) {
    let fake = Fake::new(
        "uci) echo 'option name Path type string default x'; echo 'option name Motto type string default x'
              echo uciok; exec sleep 60;;",
    );
    let long = "x".repeat(50_000);
    let config = fake.config().option("Path", &*long).option("Motto", long);
    (fake, config)
}

#[test]
fn an_engine_that_does_not_read_is_given_up() {
    let (_fake, config) = deaf();
    let timeouts = Timeouts { write: Duration::from_secs(1), ..Timeouts::default() };
    let began = Instant::now();
    let error = Engine::start(&config.timeouts(timeouts), &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::NotReading { .. }), "{error}");
    assert!(error.to_string().contains("did not read its input within 1s"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10));
    let (_fake, config) = deaf();
    cancelled(|cancel| Engine::start(&config, cancel));
}

#[test]
fn lines_for_the_same_move_are_refused() {
    let twice = "go) echo 'info depth 1 multipv 1 score cp 9 pv e2e4'
                     echo 'info depth 1 multipv 2 score cp 8 pv e2e4'; echo bestmove e2e4;;";
    let two = search().lines(Lines::Count(2));
    let error = Fake::new(twice).start().unwrap().analyse(&start_position(), &two, &Silent).unwrap_err();
    assert!(matches!(error.fault(), Fault::RepeatedMove { mv, .. } if mv.to_string() == "e2e4"), "{error}");
    // Of lines that were not asked for nothing is kept.
    let analysis = Fake::new(twice).start().unwrap().analyse(&start_position(), &search(), &Silent).unwrap();
    assert_eq!((analysis.lines.len(), analysis.is_complete), (1, true));
}

#[test]
fn what_an_engine_calls_itself_cannot_upset_a_terminal() {
    let fake = Fake::new(
        r#"uci) printf 'id name Evil\033]0;owned\007 \302\2331m1\n'; printf 'id author \033[2JA\n'
                printf 'option name Ha\033[31msh type spin default 1 min 1 max 2\n'
                printf 'option name Style type combo default a var a var \033[5mb\n'; echo uciok;;
           go) printf 'bestmove \033[31me2e4\n';;"#,
    );
    let mut engine = fake.start().unwrap();
    let identity = engine.identity();
    assert_eq!((identity.name.as_str(), identity.author.as_str()), ("Evil ]0;owned   1m1", "[2JA"));
    let declared = format!("{:?}", engine.options());
    assert!(!declared.contains("\\u{1b}") && declared.contains("Ha [31msh"), "{declared}");
    let refused = engine.set_option("Style", "c", &Silent).unwrap_err().to_string();
    assert!(!refused.contains(char::is_control), "{refused}");
    let wrong = engine.analyse(&start_position(), &search(), &Silent).unwrap_err().to_string();
    assert!(!wrong.contains(char::is_control), "{wrong}");
    let long = Fake::new("uci) echo id name $(head -c 5000 /dev/zero | tr '\\0' x); echo uciok;;").start().unwrap();
    assert!(long.identity().name.len() < 300);
}

/// Waits a while for a process to end, as its parent may be slow to notice.
fn assert_ends(process: u32) {
    let is_gone = (0..300).any(|_| {
        thread::sleep(Duration::from_millis(10));
        !is_running(process)
    });
    assert!(is_gone, "{process} still runs");
}

#[test]
fn what_an_engine_started_ends_even_if_the_engine_has_ended_first() {
    let fake = Fake::new("ucinewgame) sleep 60 & echo $! > pid; exit 0;;");
    let timeouts = Timeouts { ready: Duration::from_secs(1), ..Timeouts::default() };
    let mut engine = Engine::start(&fake.config().timeouts(timeouts), &Silent).unwrap();
    // The child holds the engine's output open, so that nothing shows the end of the engine.
    engine.new_game(&Silent).unwrap_err();
    let child = fake.text("pid").trim().parse().unwrap();
    drop(engine);
    assert_ends(child);

    let polite = Fake::new("ucinewgame) sleep 60 > /dev/null 2>&1 & echo $! > pid; echo readyok;;");
    let mut engine = polite.start().unwrap();
    engine.new_game(&Silent).unwrap();
    let child = polite.text("pid").trim().parse().unwrap();
    assert!(is_running(child));
    assert!(engine.quit(&Silent));
    assert_ends(child);
}

#[cfg(target_os = "linux")]
#[test]
fn what_leaves_the_group_ends_too() {
    // In a session of its own, and with no parent that is left.
    let fake =
        Fake::new("ucinewgame) (setsid sh -c 'echo $$ > pid; exec sleep 60' > /dev/null 2>&1 &) ; echo readyok;;");
    let mut engine = fake.start().unwrap();
    engine.new_game(&Silent).unwrap();
    let pid = (0..300).find_map(|_| {
        thread::sleep(Duration::from_millis(10));
        fake.text("pid").trim().parse().ok()
    });
    let child = pid.unwrap();
    assert!(is_running(child));
    drop(engine);
    assert_ends(child);

    // Without the mark in its environment, but still a descendant.
    let fake = Fake::new("ucinewgame) env -i /usr/bin/setsid sleep 60 & echo $! > pid; echo readyok;;");
    let mut engine = fake.start().unwrap();
    engine.new_game(&Silent).unwrap();
    let child = fake.text("pid").trim().parse().unwrap();
    drop(engine);
    assert_ends(child);
}
