//! The thread that writes to an engine, so that an engine that does not read cannot block us.

use errare_work::Progress;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks whether a wait was cancelled.
const GLANCE: Duration = Duration::from_millis(20);

/// The outcome of writing a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// The engine's pipe took the line in.
    Done,
    /// The engine has closed its input, or ended.
    Closed,
    /// The pipe was full until the deadline.
    Stuck,
    /// The work was cancelled while the pipe was full.
    Cancelled,
}

/// Hands lines to the thread that writes them. The engine's input is closed when this is dropped.
#[derive(Debug)]
pub(super) struct LineWriter {
    lines: Sender<String>,
    written: Receiver<()>,
}

impl LineWriter {
    pub fn start(mut input: impl Write + Send + 'static) -> io::Result<LineWriter> {
        let (lines, to_write) = mpsc::channel::<String>();
        let (done, written) = mpsc::channel();
        thread::Builder::new().name("engine input".to_owned()).spawn(move || {
            for line in to_write {
                let sent = input.write_all(line.as_bytes()).and_then(|()| input.flush());
                if sent.is_err() || done.send(()).is_err() {
                    break;
                }
            }
        })?;
        Ok(LineWriter { lines, written })
    }

    /// Writes a line, and waits until the pipe has taken it in. After anything but [`Written::Done`] no further line
    /// may be written.
    pub fn write(&self, line: &str, patience: Duration, progress: &dyn Progress) -> Written {
        let deadline = Instant::now() + patience;
        if self.lines.send(format!("{line}\n")).is_err() {
            return Written::Closed;
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.written.recv_timeout(left.min(GLANCE)) {
                Ok(()) => return Written::Done,
                Err(RecvTimeoutError::Disconnected) => return Written::Closed,
                Err(RecvTimeoutError::Timeout) if progress.is_cancelled() => return Written::Cancelled,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Written::Stuck,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::{Cancel, Silent};
    use std::sync::{Arc, Mutex};

    /// Takes in nothing for as long as the mutex is held.
    struct Stuck(Arc<Mutex<()>>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            drop(self.0.lock());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_pipe_does_not_block() {
        let mutex = Arc::new(Mutex::new(()));
        let held = mutex.lock().unwrap();
        let writer = LineWriter::start(Stuck(Arc::clone(&mutex))).unwrap();
        let start = Instant::now();
        assert_eq!(writer.write("uci", Duration::from_millis(50), &Silent), Written::Stuck);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let cancel = Cancel::new();
        cancel.cancel();
        let writer = LineWriter::start(Stuck(Arc::clone(&mutex))).unwrap();
        assert_eq!(writer.write("uci", Duration::from_secs(60), &cancel), Written::Cancelled);
        drop(held);
        let writer = LineWriter::start(Stuck(mutex)).unwrap();
        assert_eq!(writer.write("uci", Duration::from_secs(60), &Silent), Written::Done);
    }
}
