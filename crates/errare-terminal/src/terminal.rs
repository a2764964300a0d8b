//! The terminal that the user sits at: progress on stderr, and Ctrl-C.

use crate::output::say;
use crate::safe_text::safe_line;
use crate::time_left::{TimeLeft, duration, left, rate};
use errare_lab::grouped;
use errare_work::{Cancel, PlanStatus, Progress, Status};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time before a bar is shown: work that is over by then needs none.
const PATIENCE: Duration = Duration::from_secs(1);

/// The exit status of a command that Ctrl-C stopped, as shells have it.
pub const INTERRUPTED: u8 = 130;

/// The error of a command that Ctrl-C stopped, where more is to be reported than the interruption.
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
    /// The time that the whole plan will still take, if there is a plan.
    plan_left: Mutex<TimeLeft>,
    running: Mutex<Option<Running>>,
}

/// The activity that is shown now.
struct Running {
    activity: String,
    has_total: bool,
    bar: ProgressBar,
    started: Instant,
    /// Number of units that were done when the activity began, as in a run that continues another.
    done_before: u64,
    time_left: TimeLeft,
    /// Ends the wait before the bar is shown: dropped when the work is over, so that a bar not yet shown never is.
    _until: Sender<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Terminal {
    /// A terminal that shows progress unless it is to be quiet.
    #[must_use]
    pub fn new(quiet: bool) -> Terminal {
        let is_shown = !quiet && io::stderr().is_terminal();
        let cancel = Cancel::new();
        Terminal {
            is_shown,
            cancel,
            watching: Once::new(),
            started: Instant::now(),
            plan_left: Mutex::default(),
            running: Mutex::default(),
        }
    }

    /// Watches for Ctrl-C from now on. The first one stops the work, a second one ends the program at once.
    pub fn watch(&self) {
        self.watching.call_once(|| watch(self.cancel.clone()));
    }

    /// Takes the bar away: the work is over, one way or another, or a line of data follows.
    pub fn clear(&self) {
        *self.running() = None;
    }

    /// Estimates the time that the rest of the work takes: of the plan, where the activity is part of one, else of the
    /// activity.
    fn time_left(&self, status: &Status<'_>, running: &mut Running) -> Option<Duration> {
        if let Some(plan) = status.plan {
            let mut plan_left = self.plan_left.lock().unwrap_or_else(PoisonError::into_inner);
            return plan_left.update(self.started.elapsed(), plan.share);
        }
        let all = status.total?.saturating_sub(running.done_before);
        let share = status.done.saturating_sub(running.done_before) as f64 / all.max(1) as f64;
        running.time_left.update(running.started.elapsed(), share)
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
        if let Some(running) = &mut *running {
            let time_left = self.time_left(status, running);
            running.bar.set_prefix(prefix(status));
            match status.total {
                Some(total) => {
                    running.bar.set_length(total);
                    running.bar.set_position(status.done);
                    running.bar.set_message(rest(status.plan, time_left));
                }
                None => {
                    let rate = rate(status.done.saturating_sub(running.done_before), running.started.elapsed());
                    running.bar.set_message(so_far(status, rate) + &rest(status.plan, time_left));
                }
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

/// The template for a line of progress. The numbers beside the bar always count the units of the activity that the bar
/// shows.
fn template(status: &Status<'_>) -> String {
    match status.total {
        Some(total) => {
            format!("{{prefix}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {}{{msg}}", unit(status, total))
        }
        None => "{spinner} {prefix}{msg}, {passed} so far".to_owned(),
    }
}

fn start(status: &Status<'_>) -> Option<Running> {
    let template = template(status);
    let passed = |state: &ProgressState, text: &mut dyn Write| {
        // Progress that cannot be written is not worth an error.
        let _ = text.write_str(&duration(state.elapsed()));
    };
    let style = ProgressStyle::with_template(&template).ok()?.with_key("passed", passed);
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
    Some(Running {
        activity: status.activity.to_owned(),
        has_total: status.total.is_some(),
        bar,
        started: Instant::now(),
        done_before: status.done,
        time_left: TimeLeft::default(),
        _until: until,
    })
}

/// Formats the activity, after its number in the plan that it is part of.
fn prefix(status: &Status<'_>) -> String {
    let activity = safe_line(status.activity);
    match status.plan {
        Some(PlanStatus { part, parts, .. }) => format!("{part} of {parts}: {activity}"),
        None => activity.into_owned(),
    }
}

/// Formats the time left, and what it is left for if there is a plan.
fn rest(plan: Option<PlanStatus>, time_left: Option<Duration>) -> String {
    match (plan, time_left) {
        (_, None) => String::new(),
        (None, Some(time)) => format!(", {}", left(time)),
        (Some(PlanStatus { parts, .. }), Some(time)) => format!(", {} for all {parts}", left(time)),
    }
}

/// Formats the step, the count and the rate of work of unknown length.
fn so_far(status: &Status<'_>, rate: Option<String>) -> String {
    let step = status.step.map_or_else(String::new, |step| format!(": {}", safe_line(step)));
    let rate = rate.map_or_else(String::new, |rate| format!(", {rate}"));
    match status.done {
        0 => step,
        done => format!("{step}, {} {} done{rate}", grouped(done), unit(status, done)),
    }
}

/// The unit that is counted, in the singular for a count of one.
fn unit(status: &Status<'_>, count: u64) -> String {
    match (count, status.unit.strip_suffix("ies"), status.unit.strip_suffix('s')) {
        (1, Some(stem), _) => format!("{stem}y"),
        (1, None, Some(stem)) => stem.to_owned(),
        _ => status.unit.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_unknown_length_shows_its_step_and_its_pace() {
        let status = Status { done: 1234, step: Some("ply 17"), ..Status::new("building KQKR to dtm", "positions") };
        assert_eq!(so_far(&status, None), ": ply 17, 1,234 positions done");
        let rate = Some("about 300 a second".to_owned());
        assert_eq!(so_far(&status, rate), ": ply 17, 1,234 positions done, about 300 a second");
        assert_eq!(so_far(&Status { done: 1, step: None, ..status }, None), ", 1 position done");
        assert_eq!(unit(&Status::new("", "strategies"), 1), "strategy");
    }

    #[test]
    fn numbers_beside_the_bar_count_what_the_bar_shows() {
        let status = Status::new("evaluating", "turns").at(3, 40);
        assert_eq!(template(&status), "{prefix} [{wide_bar}] {human_pos} of {human_len} turns{msg}");
        let plan = Some(PlanStatus { part: 2, parts: 4, share: 0.2 });
        assert_eq!(
            template(&Status { plan, ..Status::new("rating", "players").at(0, 1) }).rsplit(' ').next(),
            Some("player{msg}")
        );
        assert!(!template(&Status::new("building KRK", "positions")).contains("human_"), "nothing to count up to");
    }

    #[test]
    fn there_is_one_time_left_and_it_says_of_what() {
        let plan = Some(PlanStatus { part: 2, parts: 4, share: 0.2 });
        let time = Some(Duration::from_secs(240));
        assert_eq!(rest(None, time), ", about 4 min left");
        assert_eq!(rest(plan, time), ", about 4 min left for all 4");
        assert_eq!(rest(plan, None), "");
        let status = Status { plan, ..Status::new("reading \u{1b}[2J.pgn", "games") };
        assert_eq!(prefix(&status), "2 of 4: reading \\u{1b}[2J.pgn");
    }
}
