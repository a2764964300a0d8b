//! Dialogues with the engine in this process, through pipes.

use errare_engine::{Engine, RunError};
use errare_tables::{Library, Tables};
use std::io::{self, BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

fn engine(folder: &Path) -> Engine {
    Engine::new(Tables::new(Library::new(folder), 1 << 30))
}

/// An engine that runs, and the two ends to speak with it.
struct Dialogue {
    running: JoinHandle<Result<(), RunError>>,
    input: PipeWriter,
    output: BufReader<PipeReader>,
}

impl Dialogue {
    fn new(folder: &Path) -> Dialogue {
        let (engine_input, input) = io::pipe().expect("a pipe");
        let (output, engine_output) = io::pipe().expect("a pipe");
        let engine = engine(folder);
        let running = thread::spawn(move || engine.run(BufReader::new(engine_input), engine_output));
        Dialogue { running, input, output: BufReader::new(output) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("heard");
    }

    /// All lines up to the first that begins like this.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut heard: Vec<String> = Vec::new();
        while !heard.last().is_some_and(|line| line.starts_with(start)) {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a line"), 0, "no {start} after {heard:#?}");
            heard.push(line.trim_end().to_owned());
        }
        heard
    }

    fn end(self) -> Result<(), RunError> {
        self.running.join().expect("no panic")
    }
}

#[test]
fn options_set_beforehand_are_the_defaults_of_the_dialogue() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut engine = engine(folder.path());
    engine.set_option("competence", "12").expect("an option");
    let refused = engine.set_option("Hush", "1").expect_err("no such option").to_string();
    assert_eq!(refused, "unknown option `Hush`");
    let (output, engine_output) = io::pipe().expect("a pipe");
    engine.run(Cursor::new("uci\nquit\n"), engine_output).expect("a dialogue");
    let said: Vec<String> = BufReader::new(output).lines().map_while(Result::ok).collect();
    assert!(said.contains(&"option name Competence type string default 12".to_owned()), "{said:#?}");
    assert!(said.contains(
        &"option name Agent type combo default player var player var infallible var predator var emulator var levy var pitfall \
          var strategy var elo"
            .to_owned()
    ));
    assert!(
        said.contains(
            &"option name Metric type combo default dtc var dtc var dtm var dtz var dtz50 var dtr".to_owned()
        )
    );
}

#[test]
fn tables_are_built_for_the_position_on_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dialogue = Dialogue::new(folder.path());
    dialogue.say("position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    dialogue.say("go movetime 30000");
    let said = dialogue.until("bestmove");
    assert!(said.iter().any(|line| line.starts_with("info string built KRK to dtc")), "{said:#?}");
    assert!(said.iter().any(|line| line.contains(" tbhits ")), "{said:#?}");
    dialogue.say("quit");
    dialogue.end().expect("a good end");
}

#[test]
fn quitting_stops_searches_and_builds() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dialogue = Dialogue::new(folder.path());
    dialogue.say("setoption name Metric value dtr");
    dialogue.say("position fen 8/8/8/2kn4/8/1R6/1K1N4/8 w - - 0 1");
    dialogue.say("go infinite");
    dialogue.until("info string building KRNKN");
    let begun = Instant::now();
    dialogue.say("quit");
    dialogue.end().expect("a good end");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    // Nothing is written after the end, so that the folder can go.
    let left = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = left();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(left(), before);
}

#[test]
fn an_output_that_nobody_reads_ends_the_dialogue() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dialogue = Dialogue::new(folder.path());
    let (closed, _) = io::pipe().expect("a pipe");
    dialogue.output = BufReader::new(closed);
    // The input stays open.
    dialogue.say("isready");
    let Dialogue { running, input, .. } = dialogue;
    running.join().expect("no panic").expect("a good end");
    drop(input);
}

/// An output that fails in another way than by being closed.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::from(io::ErrorKind::StorageFull))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_fails_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let (engine_input, mut input) = io::pipe().expect("a pipe");
    input.write_all(b"isready\n").expect("heard");
    let ended = engine(folder.path()).run(BufReader::new(engine_input), Full);
    assert!(matches!(ended, Err(RunError::Output(_))), "{ended:?}");
}
