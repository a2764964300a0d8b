//! What the engine says, line by line.

use errare_uci::server::Message;
use std::io::{self, Write};
use std::process;

/// Stdout, shared by the threads. A line is written at once and whole.
#[derive(Debug, Default)]
pub struct Voice;

impl Voice {
    /// Says a line. Where nobody listens any more there is nothing left to do, and the process ends.
    pub fn say(&self, message: &Message) {
        let line = format!("{message}\n");
        let mut out = io::stdout().lock();
        match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
            Err(error) => {
                crate::say(&format!("error: cannot write the output: {error}"));
                process::exit(2);
            }
        }
    }

    /// Says something to people.
    pub fn tell(&self, text: impl Into<String>) {
        self.say(&Message::Text(text.into()));
    }
}
