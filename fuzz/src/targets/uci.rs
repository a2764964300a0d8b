//! UCI, in both directions.

use errare_tables::parse_fen;
use errare_uci::client::{Engine, EngineConfig, Limit, PositionRequest, Search, Timeouts};
use errare_uci::server::{Command, InputLine, Lines};
use errare_work::Silent;
use std::io::Write;
use std::time::Duration;

/// Lines that a chess program sends.
pub fn command(bytes: &[u8]) {
    for line in Lines::new(bytes).flatten() {
        if let InputLine::Text(text) = line {
            let _ = Command::parse(&text);
        }
    }
}

/// What an engine answers, whatever it is asked: its process writes the input and then waits.
pub fn engine(bytes: &[u8]) {
    let mut output = tempfile::NamedTempFile::new().expect("a temporary file");
    output.write_all(bytes).expect("a temporary file");
    let soon = Duration::from_millis(150);
    let timeouts = Timeouts { start: soon, write: soon, ready: soon, search: soon, overrun: soon, quit: soon };
    let script = "cat \"$0\"; exec cat > /dev/null";
    let config = EngineConfig::new("/bin/sh").arg("-c").arg(script).arg(output.path().display().to_string());
    let Ok(mut engine) = Engine::start(&config.timeouts(timeouts), &Silent) else { return };
    let position = parse_fen("8/8/8/8/2r5/8/2k5/K6Q w - - 0 1").expect("a position");
    let search = Search::new("depth=3".parse::<Limit>().expect("a limit"));
    if let Ok(analysis) = engine.analyse(&PositionRequest::new(position), &search, &Silent) {
        assert!(analysis.lines.len() <= 1, "more lines than were asked for");
    }
    engine.quit(&Silent);
}
