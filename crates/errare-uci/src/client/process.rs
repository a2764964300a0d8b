//! A child process and the threads that read what it writes.

use super::leash;
use super::reader::lines;
use super::transcript::{Direction, Exchange, Transcript};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait to be heard. An engine that floods us has to wait; it cannot fill our memory.
const BACKLOG: usize = 1024;

/// How often a child that is to end is looked at.
const GLANCE: Duration = Duration::from_millis(2);

/// How long the last words of an ended engine may be on their way.
const LAST_WORDS: Duration = Duration::from_millis(200);

enum Event {
    Line(String),
    Complaint(String),
    /// Standard output is closed.
    Closed,
}

/// What came of waiting for a line.
pub(super) enum Heard {
    Line(String),
    /// Nothing until the deadline.
    Nothing,
    /// There will be no more.
    Closed,
}

/// A child process, spoken to in lines. Killed when dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Receiver<Event>,
    is_closed: bool,
    transcript: Transcript,
    /// Dropped with the process, that is after the child: see [`leash`].
    _held: Sender<()>,
}

impl Process {
    pub fn start(program: &Path, args: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        leash::prepare(&mut command);
        let (born, birth) = mpsc::sync_channel(1);
        let (tell, events) = mpsc::sync_channel(BACKLOG);
        let (held, until) = mpsc::channel::<()>();
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let stdout = match command.spawn() {
                Err(error) => return drop(born.send(Err(error))),
                Ok(mut child) => {
                    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
                    if let (Err(error), Ok(())) = (listen_to_complaints(stderr, tell.clone()), born.send(Ok(child))) {
                        tell_all(&tell, Event::Complaint(format!("stderr is not read: {error}")));
                    }
                    stdout
                }
            };
            if let Some(stdout) = stdout {
                lines(stdout, |line| tell_all(&tell, Event::Line(line)));
            }
            tell_all(&tell, Event::Closed);
            drop(tell);
            // Nothing is ever sent; this waits until the other end is dropped.
            let _ = until.recv();
        })?;
        let mut child = birth.recv().map_err(|_| io::Error::other("the thread that starts it ended"))??;
        let stdin = child.stdin.take();
        Ok(Process { child, stdin, events, is_closed: false, transcript: Transcript::default(), _held: held })
    }

    /// Sends a line. An engine that does not take it will be found out when its answer is waited for.
    pub fn send(&mut self, line: &str) {
        self.transcript.add(Direction::Sent, line);
        if let Some(stdin) = &mut self.stdin {
            let written = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
            if written.is_err() {
                self.stdin = None;
            }
        }
    }

    /// The next line of its output.
    pub fn hear(&mut self, deadline: Instant) -> Heard {
        while !self.is_closed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Heard::Nothing;
            }
            match self.events.recv_timeout(left) {
                Ok(Event::Line(line)) => {
                    self.transcript.add(Direction::Received, &line);
                    return Heard::Line(line);
                }
                Ok(Event::Complaint(line)) => self.transcript.add(Direction::Complained, &line),
                Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => self.is_closed = true,
                Err(RecvTimeoutError::Timeout) => return Heard::Nothing,
            }
        }
        Heard::Closed
    }

    /// Notes what has been said unasked, so that it is not taken for an answer.
    pub fn catch_up(&mut self) {
        // Not all there is: of a flood there is always more.
        for event in self.events.try_iter().take(2 * BACKLOG) {
            match event {
                Event::Line(line) => self.transcript.add(Direction::Received, &line),
                Event::Complaint(line) => self.transcript.add(Direction::Complained, &line),
                Event::Closed => self.is_closed = true,
            }
        }
    }

    /// Waits for the child to end by itself.
    pub fn ended_within(&mut self, grace: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + grace;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(GLANCE),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Notes what a process that has ended wrote to its standard error.
    pub fn hear_last_words(&mut self) {
        let deadline = Instant::now() + LAST_WORDS;
        while let Ok(event) = self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if let Event::Complaint(line) = event {
                self.transcript.add(Direction::Complained, &line);
            }
        }
    }

    pub fn transcript(&self) -> Vec<Exchange> {
        self.transcript.lines()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            leash::kill(&mut self.child);
            drop(self.child.wait());
        }
    }

    /// No more is sent; an engine takes that for `quit`.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether anybody listens.
fn tell_all(tell: &SyncSender<Event>, event: Event) -> bool {
    tell.send(event).is_ok()
}

fn listen_to_complaints(stderr: Option<impl Read + Send + 'static>, tell: SyncSender<Event>) -> io::Result<()> {
    let Some(stderr) = stderr else { return Ok(()) };
    let listen = move || lines(stderr, |line| tell_all(&tell, Event::Complaint(line)));
    thread::Builder::new().name("engine errors".to_owned()).spawn(listen).map(drop)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The output of `yes` always has another line to offer.
    #[test]
    fn a_deadline_holds_even_while_lines_are_waiting() {
        let mut process = Process::start(Path::new("yes"), &[]).unwrap();
        let soon = Instant::now() + Duration::from_secs(10);
        assert!(matches!(process.hear(soon), Heard::Line(line) if line == "y"));
        assert!(matches!(process.hear(Instant::now()), Heard::Nothing));
        // The reader may be slow to bring more.
        while process.transcript().len() == 1 && Instant::now() < soon {
            thread::sleep(GLANCE);
            process.catch_up();
        }
        assert!(process.transcript().len() > 1);
    }
}
