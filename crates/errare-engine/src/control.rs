//! The limits of a search, and how the chess program stops it.

use errare_uci::server::Go;
use shakmaty::Color;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for a move if `go` gives no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Number of moves that the time left is divided by, where `movestogo` is not given.
const MOVES_TO_GO: u64 = 30;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// The time after which the search ends; none without a limit.
    pub most: Option<Duration>,
    /// The time after which no deeper iteration is begun; none without a limit.
    pub enough: Option<Duration>,
    pub depth: u32,
    pub nodes: u64,
    /// The number of moves within which a mate ends the search.
    pub mate: Option<u32>,
}

impl SearchLimits {
    /// The limits that `go` sets for a side, if messages take `overhead` to arrive.
    pub fn new(go: &Go, side: Color, overhead: Duration) -> SearchLimits {
        let is_bounded = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let least = Duration::from_millis(1);
        let clock = go.clock(side);
        let most = match (go.move_time, clock.left) {
            _ if go.infinite => None,
            (Some(time), _) => Some(Duration::from_millis(time).saturating_sub(overhead).max(least)),
            (None, Some(left)) => {
                let left = Duration::from_millis(left);
                let moves = go.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO) as u32;
                let gained = Duration::from_millis(clock.increment.unwrap_or(0)).saturating_mul(3) / 4;
                // Some time is kept in any case.
                let most = left.saturating_sub(overhead) / 10 * 9;
                Some((left / moves).saturating_add(gained).min(most).max(least))
            }
            (None, None) if is_bounded => None,
            (None, None) => Some(DEFAULT_TIME),
        };
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mate = go.mate.map(small);
        // A mate in n moves is seen n - 1 replies and a ply ahead.
        let by_mate = mate.map_or(u32::MAX, |moves| moves.saturating_mul(2));
        SearchLimits {
            most,
            enough: most.map(|most| most / 2),
            depth: go.depth.map_or(u32::MAX, small).min(by_mate),
            nodes: go.nodes.unwrap_or(u64::MAX),
            mate,
        }
    }
}

/// The state of one `go`, shared by the search and the dialogue.
#[derive(Debug)]
pub struct SearchControl {
    begun: Instant,
    is_infinite: bool,
    is_stopped: AtomicBool,
    is_answered: AtomicBool,
    /// The time, in microseconds after the beginning, from which the clock runs; the greatest number while pondering.
    runs_from: AtomicU64,
    waiting: Mutex<()>,
    changed: Condvar,
}

impl SearchControl {
    pub fn new(go: &Go) -> SearchControl {
        SearchControl {
            begun: Instant::now(),
            is_infinite: go.infinite,
            is_stopped: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
            runs_from: AtomicU64::new(if go.ponder { u64::MAX } else { 0 }),
            waiting: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Stops the search, so that it answers at once.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.wake();
    }

    /// Records that the answer has been given.
    pub fn answered(&self) {
        self.is_answered.store(true, Ordering::Release);
    }

    /// Whether the answer has been given.
    pub fn is_answered(&self) -> bool {
        self.is_answered.load(Ordering::Acquire)
    }

    /// Starts the clock: the opponent has made the expected move.
    pub fn ponder_hit(&self) {
        let now = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX - 1);
        let _ = self.runs_from.compare_exchange(u64::MAX, now, Ordering::AcqRel, Ordering::Acquire);
        self.wake();
    }

    fn wake(&self) {
        drop(self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// The time since `go`.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the search was stopped, or this much time on the clock has gone.
    pub fn is_up(&self, time: Option<Duration>) -> bool {
        if self.is_stopped() {
            return true;
        }
        match (time, self.runs_from.load(Ordering::Acquire)) {
            (None, _) | (_, u64::MAX) => false,
            (Some(time), from) => self.begun.elapsed().saturating_sub(Duration::from_micros(from)) >= time,
        }
    }

    fn may_answer(&self) -> bool {
        let is_pondering = self.runs_from.load(Ordering::Acquire) == u64::MAX;
        self.is_stopped() || !(self.is_infinite || is_pondering)
    }

    /// Waits until an answer is allowed: after `infinite` and while pondering the chess program must ask for it.
    pub fn wait(&self) {
        let mut guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.may_answer() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_uci::server::Command;

    fn limits(line: &str) -> SearchLimits {
        let Ok(Some(Command::Go(go))) = Command::parse(line) else { panic!("{line}") };
        SearchLimits::new(&go, Color::White, Duration::from_millis(10))
    }

    fn most(line: &str) -> Option<u128> {
        limits(line).most.map(|time| time.as_millis())
    }

    #[test]
    fn time_is_shared_out_and_never_all_spent() {
        assert_eq!(most("go movetime 100"), Some(90));
        assert_eq!(most("go movetime 3"), Some(1));
        assert_eq!(most("go wtime 60000 btime 1"), Some(2000));
        assert_eq!(most("go wtime 60000 winc 1000"), Some(2750));
        assert_eq!(most("go wtime 1010 movestogo 1"), Some(900));
        assert_eq!(most("go wtime 5 winc 3000"), Some(1));
        assert_eq!(most("go wtime -5 btime 7"), Some(1));
        assert_eq!(most("go infinite wtime 5"), None);
        assert_eq!(most("go depth 3"), None);
        assert_eq!(most("go"), Some(1000));
        assert!(most("go wtime 18446744073709551615 winc 18446744073709551615 movestogo 0").is_some());
    }

    #[test]
    fn bounds_of_the_tree_are_taken_over() {
        assert_eq!((limits("go depth 7").depth, limits("go nodes 9").nodes), (7, 9));
        assert_eq!((limits("go mate 2").depth, limits("go mate 2").mate), (4, Some(2)));
        assert_eq!(limits("go mate 99999999999 depth 99999999999").depth, u32::MAX);
    }

    #[test]
    fn pondering_waits_for_the_hit_and_the_clock_starts_there() {
        let Ok(Some(Command::Go(go))) = Command::parse("go ponder movetime 5") else { panic!("go") };
        let control = SearchControl::new(&go);
        std::thread::sleep(Duration::from_millis(20));
        assert!(!control.is_up(Some(Duration::from_millis(5))) && !control.may_answer());
        control.ponder_hit();
        assert!(!control.is_up(Some(Duration::from_millis(500))) && control.may_answer());
        control.stop();
        assert!(control.is_up(Some(Duration::from_millis(500))));
        control.wait();
    }
}
