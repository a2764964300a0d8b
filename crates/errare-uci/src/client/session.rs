//! One run of an engine's process, from `uci` to its end.

use super::analysis::Analysis;
use super::config::EngineConfig;
use super::error::{EngineError, Fault};
use super::info::SearchLine;
use super::iterations::Iterations;
use super::option::{DeclaredOption, OptionKind};
use super::plain_text::plain;
use super::process::{Heard, Process};
use super::request::{PositionRequest, Search};
use super::writer::Written;
use super::{Identity, Timeouts};
use errare_work::{Cancelled, Progress, Silent};
use std::time::{Duration, Instant};

/// The time that an engine that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(500);

/// The time between two checks whether a wait was cancelled or stopped.
const GLANCE: Duration = Duration::from_millis(20);

/// The time that a cancelled search may take to answer `stop` before the engine is killed.
const CANCEL_GRACE: Duration = Duration::from_millis(50);

/// The longest command, in bytes, that engines can be expected to read.
const MAX_COMMAND: usize = 60_000;

/// The longest name of an engine or its author, in bytes.
const MAX_NAME: usize = 200;

/// The longest line of an engine that introduces itself, in bytes.
const MAX_LINE: usize = 16 << 10;

/// The greatest number of options that are read of an engine; further declarations are ignored.
const MAX_OPTIONS: usize = 1000;

const MULTI_PV: &str = "MultiPV";

/// A running engine that is idle between calls.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    timeouts: Timeouts,
    pub identity: Identity,
    pub options: Vec<DeclaredOption>,
    /// The number of lines that the engine shows now.
    multi_pv: u32,
}

impl Session {
    pub fn start(config: &EngineConfig, progress: &dyn Progress) -> Result<Session, EngineError> {
        let process = Process::start(&config.program(), &config.args)
            .map_err(|error| EngineError::new(&config.name(), Fault::Start(error), Vec::new()))?;
        let identity = Identity { name: config.name(), ..Identity::default() };
        let mut session = Session { process, timeouts: config.timeouts, identity, options: Vec::new(), multi_pv: 1 };
        let introduced = session.introduce(progress).and_then(|()| session.set_options(&config.options, progress));
        introduced.map_err(|fault| session.error(fault))?;
        Ok(session)
    }

    pub fn error(&mut self, fault: Fault) -> EngineError {
        EngineError::new(&self.identity.name, fault, self.process.transcript())
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    fn introduce(&mut self, progress: &dyn Progress) -> Result<(), Fault> {
        self.send("uci", progress)?;
        let (mut name, mut author, mut options) = (None, None, Vec::new());
        self.wait("uci", self.timeouts.start, progress, |line| {
            // Names end up on terminals and in files.
            let line = plain(line, MAX_LINE);
            let line = line.trim();
            if let Some(text) = line.strip_prefix("id name ") {
                name = Some(plain(text.trim(), MAX_NAME));
            } else if let Some(text) = line.strip_prefix("id author ") {
                author = Some(plain(text.trim(), MAX_NAME));
            } else if let Some(text) = line.strip_prefix("option ").filter(|_| options.len() < MAX_OPTIONS) {
                options.extend(DeclaredOption::parse(text));
            }
            (line == "uciok").then_some(())
        })?;
        self.identity.name = name.unwrap_or_else(|| self.identity.name.clone());
        self.identity.author = author.unwrap_or_default();
        self.options = options;
        Ok(())
    }

    pub fn set_options(&mut self, options: &[(String, String)], progress: &dyn Progress) -> Result<(), Fault> {
        // All are checked before any is sent.
        let checked: Result<Vec<_>, Fault> = options
            .iter()
            .map(|(name, value)| {
                let option = self.declared(name)?;
                Ok((option.name.clone(), option.accept(value)?))
            })
            .collect();
        for (name, value) in checked? {
            match value {
                None => self.send(&format!("setoption name {name}"), progress)?,
                Some(value) => {
                    self.send(&format!("setoption name {name} value {value}"), progress)?;
                    if name.eq_ignore_ascii_case(MULTI_PV) {
                        self.multi_pv = value.parse().unwrap_or(1);
                    }
                    self.identity.options.insert(name, value);
                }
            }
        }
        self.ready(progress)
    }

    pub fn new_game(&mut self, progress: &dyn Progress) -> Result<(), Fault> {
        self.send("ucinewgame", progress)?;
        self.ready(progress)
    }

    pub fn analyse(
        &mut self,
        request: &PositionRequest,
        search: &Search,
        progress: &dyn Progress,
    ) -> Result<Analysis, Fault> {
        let choices = search.choices(request)?;
        self.process.catch_up();
        let lines = self.show_lines(search, progress)?;
        self.send(&request.command(), progress)?;
        self.send(&search.command(&choices), progress)?;
        let mut iterations = Iterations::new(choices.len().min(lines as usize).max(1));
        let answer = self.searched(request, search, progress, |line| {
            let has_moves = |line: &SearchLine| choices.is_empty() || !line.pv.is_empty();
            if let Some(line) = SearchLine::parse(line).filter(has_moves) {
                iterations.add(line);
            }
        })?;
        Analysis::new(request, &choices, &answer, iterations)
    }

    /// Asks the engine to quit, and kills it if it does not. Returns whether it ended by itself.
    pub fn quit(mut self, progress: &dyn Progress) -> bool {
        self.process.send("quit", self.timeouts.quit, progress);
        self.process.close_input();
        self.process.ended_within(self.timeouts.quit, progress).is_some()
    }

    /// Sets the number of lines that the engine shows to what the search wants, or the most it can; returns that
    /// number.
    fn show_lines(&mut self, search: &Search, progress: &dyn Progress) -> Result<u32, Fault> {
        let most = match self.declared(MULTI_PV).map(|option| &option.kind) {
            Ok(OptionKind::Spin { max, .. }) => *max,
            Ok(_) => None,
            Err(fault) => return if search.lines.number(None) == 1 { Ok(1) } else { Err(fault) },
        };
        let lines = search.lines.number(most);
        if lines != self.multi_pv {
            self.send(&format!("setoption name {MULTI_PV} value {lines}"), progress)?;
            self.multi_pv = lines;
        }
        Ok(lines)
    }

    /// Waits for the end of a search, hands over what follows `info`, and returns what follows `bestmove`.
    fn searched(
        &mut self,
        request: &PositionRequest,
        search: &Search,
        progress: &dyn Progress,
        mut info: impl FnMut(&str),
    ) -> Result<String, Fault> {
        use shakmaty::Position;

        let own_time = search.limit.most_time(request.position().turn());
        let patience = own_time.map_or(self.timeouts.search, |time| time + self.timeouts.overrun);
        let mut deadline = Instant::now() + patience;
        let mut is_stopped = false;
        let mut is_late = false;
        loop {
            if progress.is_cancelled() {
                return Err(self.cancelled_search());
            }
            if !is_stopped && (search.stop.is_cancelled() || Instant::now() >= deadline) {
                is_late = !search.stop.is_cancelled();
                is_stopped = true;
                self.send("stop", progress)?;
                deadline = Instant::now() + self.timeouts.overrun;
            }
            match self.process.hear(deadline.min(Instant::now() + GLANCE)) {
                Heard::Line(line) => match line.split_once(' ') {
                    Some(("info", text)) => info(text),
                    Some(("bestmove", _)) if is_late => return Err(Fault::TooSlow { after: patience }),
                    Some(("bestmove", answer)) => return Ok(answer.to_owned()),
                    _ if line == "bestmove" => return Ok(String::new()),
                    _ => {}
                },
                Heard::Nothing if is_stopped && Instant::now() >= deadline => {
                    // Whatever it still answers would be taken for the answer to the next question.
                    self.process.kill();
                    return Err(Fault::TimedOut { awaited: "go", after: patience });
                }
                Heard::Nothing => {}
                Heard::Closed => return Err(self.gone(progress)),
            }
        }
    }

    /// Ends a search whose answer is not wanted any more; the engine is killed if it does not stop at once.
    fn cancelled_search(&mut self) -> Fault {
        let deadline = Instant::now() + CANCEL_GRACE;
        self.process.send("stop", CANCEL_GRACE, &Silent);
        loop {
            match self.process.hear(deadline) {
                Heard::Line(line) if line.split(' ').next() == Some("bestmove") => break,
                Heard::Line(_) => {}
                Heard::Nothing | Heard::Closed => {
                    self.process.kill();
                    break;
                }
            }
        }
        Fault::Cancelled(Cancelled)
    }

    fn declared(&self, name: &str) -> Result<&DeclaredOption, Fault> {
        let found = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| Fault::UnknownOption(name.to_owned()))
    }

    fn ready(&mut self, progress: &dyn Progress) -> Result<(), Fault> {
        self.process.catch_up();
        self.send("isready", progress)?;
        self.wait("isready", self.timeouts.ready, progress, |line| (line == "readyok").then_some(()))
    }

    /// Sends a line. Where the engine has ended, the wait for its answer will fail; an engine that does not read is
    /// killed.
    fn send(&mut self, line: &str, progress: &dyn Progress) -> Result<(), Fault> {
        if line.len() > MAX_COMMAND {
            return Err(Fault::TooLong(line.len()));
        }
        match self.process.send(line, self.timeouts.write, progress) {
            Written::Done | Written::Closed => Ok(()),
            Written::Stuck => {
                self.process.kill();
                Err(Fault::NotReading { after: self.timeouts.write })
            }
            Written::Cancelled => {
                self.process.kill();
                Err(Fault::Cancelled(Cancelled))
            }
        }
    }

    /// Waits for an answer to the command `awaited`, at most as long as `patience`.
    fn wait<T>(
        &mut self,
        awaited: &'static str,
        patience: Duration,
        progress: &dyn Progress,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            if let Err(cancelled) = progress.proceed() {
                // A late answer would be taken for that to another question.
                self.process.kill();
                return Err(cancelled.into());
            }
            match self.process.hear(deadline.min(Instant::now() + GLANCE)) {
                Heard::Line(line) => {
                    if let Some(answer) = answer(&line) {
                        return Ok(answer);
                    }
                }
                Heard::Nothing if Instant::now() >= deadline => {
                    self.process.kill();
                    return Err(Fault::TimedOut { awaited, after: patience });
                }
                Heard::Nothing => {}
                Heard::Closed => return Err(self.gone(progress)),
            }
        }
    }

    /// Finds out why the engine's output has ended.
    fn gone(&mut self, progress: &dyn Progress) -> Fault {
        match self.process.ended_within(ENDING, progress) {
            Some(status) => {
                self.process.hear_last_words();
                Fault::Died(status.to_string())
            }
            None => {
                self.process.kill();
                progress.proceed().map_or_else(Fault::Cancelled, |()| Fault::Closed)
            }
        }
    }
}
