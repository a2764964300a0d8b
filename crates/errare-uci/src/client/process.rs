//! A child process, and the threads that write to it and read what it writes.

use super::leash::{self, Mark};
use super::reader::lines;
use super::transcript::{Direction, Exchange, Transcript};
use super::writer::{LineWriter, Written};
use errare_work::Progress;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// The number of lines that are buffered until they are read. An engine that writes more has to wait; it cannot fill
/// our memory.
const BACKLOG: usize = 1024;

/// The time between two checks of a child that should end.
const GLANCE: Duration = Duration::from_millis(2);

/// The time to wait for the last lines that an ended engine wrote to its standard error.
const LAST_WORDS: Duration = Duration::from_millis(200);

enum Event {
    Line(String),
    Complaint(String),
    /// Standard output was closed.
    Closed,
}

/// The result of waiting for a line.
pub(super) enum Heard {
    Line(String),
    /// No line came until the deadline.
    Nothing,
    /// The output was closed: no line will follow.
    Closed,
}

/// A child process that exchanges lines with us. The child is killed when this is dropped, with all that it started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    mark: Mark,
    /// Whether the child has been killed or has ended, and has been waited for.
    is_over: bool,
    input: Option<LineWriter>,
    events: Receiver<Event>,
    is_closed: bool,
    transcript: Transcript,
    /// Tells the thread that started the child to end, as it is dropped with the process, that is after the child: see
    /// [`leash`].
    _held: Sender<()>,
}

impl Process {
    pub fn start(program: &Path, args: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mark = leash::prepare(&mut command);
        let (born, birth) = mpsc::sync_channel(1);
        let (sender, events) = mpsc::sync_channel(BACKLOG);
        let (held, until) = mpsc::channel::<()>();
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let stdout = match command.spawn() {
                Err(error) => return drop(born.send(Err(error))),
                Ok(mut child) => {
                    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
                    if let (Err(error), Ok(())) = (listen_to_complaints(stderr, sender.clone()), born.send(Ok(child))) {
                        pass_on(&sender, Event::Complaint(format!("stderr is not read: {error}")));
                    }
                    stdout
                }
            };
            if let Some(stdout) = stdout {
                lines(stdout, |line| pass_on(&sender, Event::Line(line)));
            }
            pass_on(&sender, Event::Closed);
            drop(sender);
            // Nothing is ever sent; this waits until the other end is dropped.
            let _ = until.recv();
        })?;
        let mut child = birth.recv().map_err(|_| io::Error::other("the thread that starts it ended"))??;
        let stdin = child.stdin.take();
        let transcript = Transcript::default();
        let mut process =
            Process { child, mark, is_over: false, input: None, events, is_closed: false, transcript, _held: held };
        process.input = stdin.map(LineWriter::start).transpose()?;
        Ok(process)
    }

    /// Sends a line, and waits until the pipe has taken it in.
    pub fn send(&mut self, line: &str, patience: Duration, progress: &dyn Progress) -> Written {
        self.transcript.add(Direction::Sent, line);
        let written = self.input.as_ref().map_or(Written::Closed, |input| input.write(line, patience, progress));
        if written != Written::Done {
            self.input = None;
        }
        written
    }

    /// Reads the next line of the child's output.
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

    /// Records lines that were written without being asked for, so that they are not taken for an answer.
    pub fn catch_up(&mut self) {
        // Bounded: an engine that floods its output always has more.
        for event in self.events.try_iter().take(2 * BACKLOG) {
            match event {
                Event::Line(line) => self.transcript.add(Direction::Received, &line),
                Event::Complaint(line) => self.transcript.add(Direction::Complained, &line),
                Event::Closed => self.is_closed = true,
            }
        }
    }

    /// Waits for the child to end by itself; none if it does not end in time, or the work is cancelled. When the child
    /// has ended, the processes that it started are killed.
    pub fn ended_within(&mut self, grace: Duration, progress: &dyn Progress) -> Option<ExitStatus> {
        let deadline = Instant::now() + grace;
        while !self.is_over && !leash::has_ended(&mut self.child) {
            if Instant::now() >= deadline || progress.is_cancelled() {
                return None;
            }
            thread::sleep(GLANCE);
        }
        self.kill();
        self.child.try_wait().ok().flatten()
    }

    /// Records the last lines that a process that has ended wrote to its standard error.
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

    /// Kills the child and all that it started, even if the child itself has ended.
    pub fn kill(&mut self) {
        if !self.is_over {
            leash::kill(&mut self.child, &self.mark);
            drop(self.child.wait());
            self.is_over = true;
        }
    }

    /// Closes the child's standard input, which engines treat as `quit`.
    pub fn close_input(&mut self) {
        self.input = None;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Passes an event on; returns whether anybody still reads events.
fn pass_on(sender: &SyncSender<Event>, event: Event) -> bool {
    sender.send(event).is_ok()
}

fn listen_to_complaints(stderr: Option<impl Read + Send + 'static>, sender: SyncSender<Event>) -> io::Result<()> {
    let Some(stderr) = stderr else { return Ok(()) };
    let listen = move || lines(stderr, |line| pass_on(&sender, Event::Complaint(line)));
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
