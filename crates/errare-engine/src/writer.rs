//! The lines that the engine writes.

use crate::engine::{Alarm, RunError};
use errare_uci::server::Message;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The engine's output, shared by its threads. A line is written at once and whole.
pub struct UciWriter {
    output: Mutex<Box<dyn Write + Send>>,
    /// Whether writing has stopped. It is not behind the lock: a reader who reads nothing blocks a writer, and must not
    /// keep the engine from ending.
    is_closed: AtomicBool,
    alarm: Arc<Alarm>,
}

impl UciWriter {
    /// Makes the writer of an output. If writing fails, the alarm is raised and nothing more is written.
    pub fn new(output: impl Write + Send + 'static, alarm: Arc<Alarm>) -> UciWriter {
        UciWriter { output: Mutex::new(Box::new(output)), is_closed: AtomicBool::new(false), alarm }
    }

    /// Writes a message.
    pub fn send(&self, message: &Message) {
        let line = format!("{message}\n");
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_closed.load(Ordering::SeqCst) {
            return;
        }
        if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
            self.close();
            self.alarm.raise(RunError::Output(error));
        }
    }

    /// Writes a text for people, as `info string`.
    pub fn note(&self, text: impl Into<String>) {
        self.send(&Message::Text(text.into()));
    }

    /// Stops writing: all further lines are dropped.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
    }
}
