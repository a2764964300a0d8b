//! Progress on stderr: only on a terminal, and only for work of more than a second.

use crate::output::grouped;
use crate::overall::Overall;
use crate::say;
use errare_tables::Planned;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Work that is over by then needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is being done now, if the user wants to see it.
#[derive(Debug)]
pub struct Progress {
    is_shown: bool,
    now: Mutex<Option<Running>>,
    /// The set of tables that the work is part of.
    overall: Mutex<Option<Overall>>,
}

#[derive(Debug)]
struct Running {
    bar: ProgressBar,
    what: String,
    positions: u64,
    /// Dropped when the work is over, so that a bar not yet shown never is.
    _until: Sender<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        Progress { is_shown: !quiet && io::stderr().is_terminal(), now: Mutex::default(), overall: Mutex::default() }
    }

    /// What is solved from now on belongs to a plan.
    pub fn plan(&self, plan: &[Planned]) {
        *self.overall() = (plan.len() > 1).then(|| Overall::new(plan));
    }

    /// A table of the plan is finished.
    pub fn finished(&self, effort: f64) {
        if let Some(overall) = &mut *self.overall() {
            overall.finished(effort);
        }
    }

    /// Solving, of which nobody knows how long it takes.
    pub fn solving(&self, what: String) {
        self.start(
            ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            "{spinner} {prefix}: {msg} {elapsed}",
            what,
        );
        self.tell_overall(0.0);
    }

    /// So many pawn structures of so many are solved, of a table of so much effort.
    pub fn structures(&self, done: usize, all: usize, effort: f64) {
        if let Some(running) = &*self.now() {
            running.bar.set_message(format!("{done} of {all} pawn structures solved,"));
        }
        self.tell_overall(effort * done as f64 / all.max(1) as f64);
    }

    /// Puts the state of the whole plan before that of the table.
    fn tell_overall(&self, current: f64) {
        if let (Some(running), Some(overall)) = (&*self.now(), &*self.overall()) {
            let what = &running.what;
            running.bar.set_prefix(format!("{}; {what}", overall.line(current)));
        }
    }

    fn overall(&self) -> MutexGuard<'_, Option<Overall>> {
        self.overall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Going through something of known size.
    pub fn going_through(&self, what: String) {
        let template = "{prefix} [{wide_bar}] {percent:>3}% {eta}";
        self.start(ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()), template, what);
    }

    /// Playing games, of which there is a known number.
    pub fn playing(&self, what: String) {
        let template = "{prefix} [{wide_bar}] {pos} of {len} games, {per_sec}, {eta} left";
        self.start(ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()), template, what);
    }

    /// Counting units, with or without a known total.
    pub fn counting(&self, what: String, unit: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => format!("{{prefix}} [{{wide_bar}}] {{pos}} of {{len}} {unit}, {{per_sec}}, {{eta}} left"),
            None => format!("{{spinner}} {{prefix}}: {{pos}} {unit}, {{per_sec}}"),
        };
        self.start(ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden()), &template, what);
    }

    /// This number of units is done.
    pub fn counted(&self, done: u64) {
        if let Some(running) = &*self.now() {
            running.bar.set_position(done);
        }
    }

    fn start(&self, bar: ProgressBar, template: &str, what: String) {
        if !self.is_shown {
            return;
        }
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style.progress_chars("=> ")).with_prefix(what.clone()),
            Err(_) => return,
        };
        let (until, over) = mpsc::channel::<()>();
        let waiting = bar.clone();
        thread::spawn(move || {
            if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                waiting.set_draw_target(ProgressDrawTarget::stderr());
                waiting.enable_steady_tick(Duration::from_millis(100));
            }
        });
        *self.now() = Some(Running { bar, what, positions: 0, _until: until });
    }

    /// A ply of the solver is done.
    pub fn ply(&self, ply: u16, positions: u64) {
        if let Some(running) = &mut *self.now() {
            running.positions += positions;
            let rate = running.positions as f64 / running.bar.elapsed().as_secs_f64().max(1e-3);
            let (solved, rate) = (grouped(running.positions), grouped(rate as u64));
            running.bar.set_message(format!("ply {ply}, {solved} positions solved, {rate}/s,"));
        }
    }

    /// The solver is done and the table is being written.
    pub fn storing(&self) {
        if let Some(running) = &*self.now() {
            // With pawns positions are not told one ply after the other.
            let solved = match running.positions {
                0 => String::new(),
                positions => format!("{} positions solved, ", grouped(positions)),
            };
            running.bar.set_message(format!("{solved}storing,"));
        }
    }

    /// So much of so much is done.
    pub fn done(&self, done: u64, total: u64) {
        if let Some(running) = &*self.now() {
            running.bar.set_length(total);
            running.bar.set_position(done);
        }
    }

    /// The work is over, one way or another.
    pub fn clear(&self) {
        *self.now() = None;
    }

    /// A line for the user, clear of any bar.
    pub fn note(&self, line: &str) {
        match &*self.now() {
            Some(running) => running.bar.suspend(|| say(line)),
            None => say(line),
        }
    }

    fn now(&self) -> MutexGuard<'_, Option<Running>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
