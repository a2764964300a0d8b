//! The terminal that the user sits at: progress on stderr, and Ctrl-C.

use crate::output::grouped;
use crate::say;
use errare_work::{Cancel, PlanStatus, Progress, Status};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Work that is over by then needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Before so much time has passed nobody knows the pace of a plan.
const FIRST_GUESS: Duration = Duration::from_secs(5);

/// The exit status of a command that Ctrl-C stopped, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// The error of a command that Ctrl-C stopped, where there is more to say than that.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Interrupted(pub String);

/// Shows progress on stderr, if that is a terminal and the work takes more than a second, and stops the work when
/// the user asks for it.
pub struct Terminal {
    is_shown: bool,
    cancel: Cancel,
    watching: Once,
    started: Instant,
    running: Mutex<Option<Running>>,
}

/// The activity that is shown now.
struct Running {
    activity: String,
    has_total: bool,
    bar: ProgressBar,
    /// Dropped when the work is over, so that a bar not yet shown never is.
    _until: Sender<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Terminal {
    pub fn new(quiet: bool) -> Terminal {
        let is_shown = !quiet && io::stderr().is_terminal();
        let cancel = Cancel::new();
        Terminal { is_shown, cancel, watching: Once::new(), started: Instant::now(), running: Mutex::default() }
    }

    /// Watches for Ctrl-C from now on. The first one stops the work, a second one ends the program at once.
    pub fn watch(&self) {
        self.watching.call_once(|| watch(self.cancel.clone()));
    }

    /// Takes the bar away: the work is over, one way or another, or a line of data follows.
    pub fn clear(&self) {
        *self.running() = None;
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn watch(cancel: Cancel) {
    let watching = ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(INTERRUPTED.into());
        }
        cancel.cancel();
    });
    if let Err(error) = watching {
        say(&format!("warning: Ctrl-C cannot be handled: {error}"));
    }
}

impl Progress for Terminal {
    fn report(&self, status: &Status<'_>) {
        if !self.is_shown {
            return;
        }
        let mut running = self.running();
        let is_same = |known: &Running| known.activity == status.activity && known.has_total == status.total.is_some();
        if !running.as_ref().is_some_and(is_same) {
            *running = None;
            *running = start(status);
        }
        if let Some(running) = &*running {
            running.bar.set_prefix(prefix(status, self.started.elapsed()));
            match status.total {
                Some(total) => {
                    running.bar.set_length(total);
                    running.bar.set_position(status.done);
                }
                None => running.bar.set_message(message(status)),
            }
        }
    }

    fn warn(&self, warning: &str) {
        let line = format!("warning: {warning}");
        match &*self.running() {
            Some(running) => running.bar.suspend(|| say(&line)),
            None => say(&line),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

fn start(status: &Status<'_>) -> Option<Running> {
    let template = match status.total {
        Some(_) => format!("{{prefix}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {}, {{eta}} left", status.unit),
        None => "{spinner} {prefix}{msg} {elapsed}".to_owned(),
    };
    let style = ProgressStyle::with_template(&template).ok()?;
    let bar = ProgressBar::with_draw_target(status.total, ProgressDrawTarget::hidden())
        .with_style(style.progress_chars("=> "));
    let (until, over) = mpsc::channel::<()>();
    let waiting = bar.clone();
    thread::spawn(move || {
        if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            waiting.set_draw_target(ProgressDrawTarget::stderr());
            waiting.enable_steady_tick(Duration::from_millis(100));
        }
    });
    let (activity, has_total) = (status.activity.to_owned(), status.total.is_some());
    Some(Running { activity, has_total, bar, _until: until })
}

/// The activity, after the state of the plan that it is part of.
fn prefix(status: &Status<'_>, elapsed: Duration) -> String {
    match status.plan {
        Some(plan) => format!("{}; {}", place(plan, elapsed), status.activity),
        None => status.activity.to_owned(),
    }
}

fn place(plan: PlanStatus, elapsed: Duration) -> String {
    let place = format!("table {} of {}", plan.part, plan.parts);
    if elapsed < FIRST_GUESS || plan.share <= 0.0 {
        return place;
    }
    let left = elapsed.mul_f64((1.0 - plan.share) / plan.share);
    format!("{place}, {:.0}% of the work, about {} left", 100.0 * plan.share, duration(left))
}

/// How far work of unknown length is.
fn message(status: &Status<'_>) -> String {
    let step = status.step.map_or_else(String::new, |step| format!(": {step}"));
    match status.done {
        0 => format!("{step},"),
        done => format!("{step}, {} {} done,", grouped(done), status.unit),
    }
}

/// As exact as a guess deserves.
fn duration(time: Duration) -> String {
    match time.as_secs() {
        0..90 => format!("{} s", time.as_secs()),
        90..5400 => format!("{} min", (time.as_secs() + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_pace_so_far() {
        let at = |seconds, part, share| place(PlanStatus { part, parts: 4, share }, Duration::from_secs(seconds));
        assert_eq!(at(1, 1, 0.01), "table 1 of 4");
        assert_eq!(at(60, 2, 0.2), "table 2 of 4, 20% of the work, about 4 min left");
        assert_eq!(at(90, 3, 0.9), "table 3 of 4, 90% of the work, about 10 s left");
        assert_eq!(at(90, 4, 1.0), "table 4 of 4, 100% of the work, about 0 s left");
    }

    #[test]
    fn long_times_are_given_in_hours() {
        assert_eq!(duration(Duration::from_secs(3 * 3600)), "3.0 h");
    }

    #[test]
    fn work_of_unknown_length_shows_its_step() {
        let status = Status { done: 1234, step: Some("ply 17"), ..Status::new("building KQKR to dtm", "positions") };
        assert_eq!(message(&status), ": ply 17, 1,234 positions done,");
    }
}
