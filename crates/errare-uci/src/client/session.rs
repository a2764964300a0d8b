//! One run of an engine, from `uci` to its end.

use super::analysis::Analysis;
use super::config::EngineConfig;
use super::error::{EngineError, Fault};
use super::info::Line;
use super::iterations::Iterations;
use super::option::{DeclaredOption, OptionKind};
use super::process::{Heard, Process};
use super::request::{PositionRequest, Search};
use super::{Identity, Timeouts};
use std::time::{Duration, Instant};

/// An engine that has closed its output is about to end, as a rule.
const ENDING: Duration = Duration::from_millis(500);

/// How often a search looks at its flag.
const GLANCE: Duration = Duration::from_millis(20);

/// What a pipe takes in at once: more could block us if the engine does not read.
const MOST_BYTES: usize = 60_000;

/// No engine has more options; one that never ends telling them is cut short.
const MOST_OPTIONS: usize = 1000;

const MULTI_PV: &str = "MultiPV";

/// A running engine that is idle between calls.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    timeouts: Timeouts,
    pub identity: Identity,
    pub options: Vec<DeclaredOption>,
    /// The number of lines that it shows now.
    multi_pv: u32,
}

impl Session {
    pub fn start(config: &EngineConfig) -> Result<Session, EngineError> {
        let process = Process::start(&config.program(), &config.args)
            .map_err(|error| EngineError::new(&config.name(), Fault::Start(error), Vec::new()))?;
        let identity = Identity { name: config.name(), ..Identity::default() };
        let mut session = Session { process, timeouts: config.timeouts, identity, options: Vec::new(), multi_pv: 1 };
        let introduced = session.introduce().and_then(|()| session.set_options(&config.options));
        introduced.map_err(|fault| session.error(fault))?;
        Ok(session)
    }

    pub fn error(&mut self, fault: Fault) -> EngineError {
        EngineError::new(&self.identity.name, fault, self.process.transcript())
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    fn introduce(&mut self) -> Result<(), Fault> {
        self.send("uci")?;
        let (mut name, mut author, mut options) = (None, None, Vec::new());
        self.wait("uci", self.timeouts.start, |line| {
            if let Some(text) = line.strip_prefix("id name ") {
                name = Some(text.trim().to_owned());
            } else if let Some(text) = line.strip_prefix("id author ") {
                author = Some(text.trim().to_owned());
            } else if let Some(text) = line.strip_prefix("option ").filter(|_| options.len() < MOST_OPTIONS) {
                options.extend(DeclaredOption::parse(text));
            }
            (line == "uciok").then_some(())
        })?;
        self.identity.name = name.unwrap_or_else(|| self.identity.name.clone());
        self.identity.author = author.unwrap_or_default();
        self.options = options;
        Ok(())
    }

    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Fault> {
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
                None => self.send(&format!("setoption name {name}"))?,
                Some(value) => {
                    self.send(&format!("setoption name {name} value {value}"))?;
                    if name.eq_ignore_ascii_case(MULTI_PV) {
                        self.multi_pv = value.parse().unwrap_or(1);
                    }
                    self.identity.options.insert(name, value);
                }
            }
        }
        self.ready()
    }

    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send("ucinewgame")?;
        self.ready()
    }

    pub fn analyse(&mut self, request: &PositionRequest, search: &Search) -> Result<Analysis, Fault> {
        let choices = search.choices(request)?;
        self.process.catch_up();
        let lines = self.show_lines(search)?;
        self.send(&request.command())?;
        self.send(&search.command(&choices))?;
        let mut iterations = Iterations::new(choices.len().min(lines as usize).max(1));
        let answer = self.searched(request, search, |line| {
            let has_moves = |line: &Line| choices.is_empty() || !line.pv.is_empty();
            if let Some(line) = Line::parse(line).filter(has_moves) {
                iterations.add(line);
            }
        })?;
        Analysis::new(request, &choices, &answer, iterations)
    }

    /// Asks it to leave, and kills it if it does not. Tells whether it went by itself.
    pub fn quit(mut self) -> bool {
        self.process.send("quit");
        self.process.close_input();
        self.process.ended_within(self.timeouts.quit).is_some()
    }

    /// Has the engine show as many lines as the search wants, or as it can; tells how many.
    fn show_lines(&mut self, search: &Search) -> Result<u32, Fault> {
        let most = match self.declared(MULTI_PV).map(|option| &option.kind) {
            Ok(OptionKind::Spin { max, .. }) => *max,
            Ok(_) => None,
            Err(fault) => return if search.lines.number(None) == 1 { Ok(1) } else { Err(fault) },
        };
        let lines = search.lines.number(most);
        if lines != self.multi_pv {
            self.send(&format!("setoption name {MULTI_PV} value {lines}"))?;
            self.multi_pv = lines;
        }
        Ok(lines)
    }

    /// Tells of what the engine says while it searches, and returns what follows `bestmove`.
    fn searched(
        &mut self,
        request: &PositionRequest,
        search: &Search,
        mut info: impl FnMut(&str),
    ) -> Result<String, Fault> {
        use shakmaty::Position;

        let own_time = search.limit.most_time(request.position().turn());
        let patience = own_time.map_or(self.timeouts.search, |time| time + self.timeouts.overrun);
        let mut deadline = Instant::now() + patience;
        let mut is_stopped = false;
        let mut is_late = false;
        loop {
            if !is_stopped && (search.stop.is_raised() || Instant::now() >= deadline) {
                is_late = !search.stop.is_raised();
                is_stopped = true;
                self.send("stop")?;
                deadline = Instant::now() + self.timeouts.overrun;
            }
            match self.process.hear(if is_stopped { deadline } else { deadline.min(Instant::now() + GLANCE) }) {
                Heard::Line(line) => match line.split_once(' ') {
                    Some(("info", text)) => info(text),
                    Some(("bestmove", _)) if is_late => return Err(Fault::TooSlow { after: patience }),
                    Some(("bestmove", answer)) => return Ok(answer.to_owned()),
                    _ if line == "bestmove" => return Ok(String::new()),
                    _ => {}
                },
                Heard::Nothing if is_stopped => {
                    // Whatever it still answers would be taken for the answer to the next question.
                    self.process.kill();
                    return Err(Fault::TimedOut { awaited: "go", after: patience });
                }
                Heard::Nothing => {}
                Heard::Closed => return Err(self.gone()),
            }
        }
    }

    fn declared(&self, name: &str) -> Result<&DeclaredOption, Fault> {
        let found = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| Fault::UnknownOption(name.to_owned()))
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.process.catch_up();
        self.send("isready")?;
        self.wait("isready", self.timeouts.ready, |line| (line == "readyok").then_some(()))
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        if line.len() > MOST_BYTES {
            return Err(Fault::TooLong(line.len()));
        }
        self.process.send(line);
        Ok(())
    }

    fn wait<T>(
        &mut self,
        awaited: &'static str,
        patience: Duration,
        mut answer: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let deadline = Instant::now() + patience;
        loop {
            match self.process.hear(deadline) {
                Heard::Line(line) => {
                    if let Some(answer) = answer(&line) {
                        return Ok(answer);
                    }
                }
                Heard::Nothing => {
                    self.process.kill();
                    return Err(Fault::TimedOut { awaited, after: patience });
                }
                Heard::Closed => return Err(self.gone()),
            }
        }
    }

    fn gone(&mut self) -> Fault {
        match self.process.ended_within(ENDING) {
            Some(status) => {
                self.process.hear_last_words();
                Fault::Died(status.to_string())
            }
            None => {
                self.process.kill();
                Fault::Closed
            }
        }
    }
}
