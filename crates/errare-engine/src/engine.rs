//! The engine as its user runs it: options set beforehand, then a dialogue until its end.

use crate::dialogue::{Dialogue, Next};
use crate::options::{EngineOptions, SetOptionError};
use crate::search_thread::SearchThread;
use crate::table_builder::TableBuilder;
use crate::writer::UciWriter;
use errare_tables::Tables;
use errare_uci::server::{InputLine, Lines};
use errare_work::Cancel;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes of stack for the search, which goes deep and holds the moves of each ply.
const SEARCH_STACK: usize = 32 << 20;

/// Number of lines that are read ahead of the dialogue.
const LINES_AHEAD: usize = 64;

/// The time for which the end waits for the threads. A thread that is blocked by an output that nobody reads is left
/// behind.
const GRACE: Duration = Duration::from_millis(500);

/// A UCI engine that has not begun its dialogue yet.
pub struct Engine {
    tables: Tables,
    options: EngineOptions,
}

/// Why a dialogue ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    /// The system starts no more threads.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The search thread ended, so that no `go` would be answered any more.
    #[error("internal error (a bug in errare): the search thread has ended")]
    SearchEnded,
}

impl Engine {
    /// Makes an engine that asks these tables, and builds missing tables.
    #[must_use]
    pub fn new(tables: Tables) -> Engine {
        let options = EngineOptions::new(tables.library().folder().to_owned());
        Engine { tables, options }
    }

    /// Sets a UCI option before the dialogue begins, where a chess program will find it as the default.
    ///
    /// # Errors
    /// If no such option exists, or it does not take the value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), SetOptionError> {
        self.options.set(name, Some(value)).map(drop)
    }

    /// Speaks UCI until `quit`, the end of the input, or until nobody reads the output any more.
    ///
    /// A thread reads the input. If the dialogue ends before the input does, that thread stays until its read returns.
    ///
    /// # Errors
    /// If the output cannot be written for another reason than that its reader has gone, or a thread cannot be started.
    pub fn run(
        self,
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Result<(), RunError> {
        let (events, inbox) = mpsc::sync_channel(LINES_AHEAD);
        let alarm = Arc::new(Alarm { raised: Mutex::default(), events: events.clone() });
        let writer = Arc::new(UciWriter::new(output, Arc::clone(&alarm)));
        let shutdown = Cancel::new();
        // Each thread holds one end, so that the other hears when all of them are gone.
        let (running, all_gone) = mpsc::channel::<()>();
        let builder = TableBuilder::start(Arc::clone(&writer), shutdown.clone(), running.clone())?;
        let search = SearchThread::new(Arc::clone(&writer), builder, self.tables, shutdown.clone());
        let (jobs, job_inbox) = mpsc::channel();
        let guard = Guard { alarm: Arc::clone(&alarm), _running: running };
        spawn(Some(SEARCH_STACK), move || {
            let _guard = guard;
            search.work(&job_inbox);
        })?;
        spawn(None, move || read(input, &events))?;
        let mut dialogue = Dialogue::new(Arc::clone(&writer), jobs, self.options);
        let ended = listen(&mut dialogue, &inbox, &alarm);
        writer.close();
        dialogue.stop_search();
        shutdown.cancel();
        drop((dialogue, inbox));
        // Nothing is ever sent: this returns when the last thread has gone.
        let _ = all_gone.recv_timeout(GRACE);
        ended
    }
}

/// Starts a thread.
pub(crate) fn spawn(stack: Option<usize>, work: impl FnOnce() + Send + 'static) -> Result<(), RunError> {
    let builder = stack.into_iter().fold(thread::Builder::new(), thread::Builder::stack_size);
    builder.spawn(work).map(drop).map_err(RunError::Thread)
}

/// An event that the dialogue waits for.
enum Event {
    Line(InputLine),
    EndOfInput,
    /// The alarm was raised.
    Alarm,
}

/// Ends the dialogue from another thread.
pub(crate) struct Alarm {
    raised: Mutex<Option<RunError>>,
    events: SyncSender<Event>,
}

impl Alarm {
    /// Ends the dialogue for a reason; of several reasons the first counts.
    pub fn raise(&self, reason: RunError) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        // If it is full the dialogue is awake already, and looks at the alarm before the next line.
        let _ = self.events.try_send(Event::Alarm);
    }

    fn take(&self) -> Option<RunError> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Raises the alarm when the search thread ends, even by a panic.
struct Guard {
    alarm: Arc<Alarm>,
    _running: Sender<()>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.alarm.raise(RunError::SearchEnded);
    }
}

/// Hands lines over until the dialogue is over. An input that cannot be read counts as ended.
fn read(input: impl BufRead, events: &SyncSender<Event>) {
    let mut lines = Lines::new(input).map_while(Result::ok).map(Event::Line);
    let _ = lines.try_for_each(|line| events.send(line)).and_then(|()| events.send(Event::EndOfInput));
}

fn listen(dialogue: &mut Dialogue, inbox: &Receiver<Event>, alarm: &Alarm) -> Result<(), RunError> {
    for event in inbox {
        match alarm.take() {
            // The chess program has gone.
            Some(RunError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Some(error) => return Err(error),
            None => {}
        }
        match event {
            Event::Line(line) => {
                if dialogue.handle(line) == Next::Quit {
                    return Ok(());
                }
            }
            Event::EndOfInput => return Ok(()),
            Event::Alarm => {}
        }
    }
    Ok(())
}
