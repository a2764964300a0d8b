//! Estimates for people who wait: how long the rest takes, and how fast it goes.

use errare_lab::grouped;
use std::time::Duration;

/// The time before which no guess is made, because the pace is not known yet.
const FIRST_GUESS: Duration = Duration::from_secs(5);

/// The time, in seconds, in which half of the difference between the time shown and a new guess is made up.
const HALF_LIFE: f64 = 5.0;

/// The time that work will still take. It counts down as time goes by, and follows a change of pace slowly.
#[derive(Debug, Default)]
pub struct TimeLeft {
    /// The time at which the last guess was made, and the guess in seconds.
    last: Option<(Duration, f64)>,
}

impl TimeLeft {
    /// Estimates the time left after so much time, with this share of the work done, from 0 to 1; none if it is too
    /// early for a guess.
    pub fn update(&mut self, elapsed: Duration, share: f64) -> Option<Duration> {
        if elapsed < FIRST_GUESS || share.is_nan() || share <= 0.0 {
            return None;
        }
        let share = share.min(1.0);
        let guess = elapsed.as_secs_f64() * (1.0 - share) / share;
        let left = self.last.map_or(guess, |(at, left)| {
            let passed = elapsed.saturating_sub(at).as_secs_f64();
            let expected = (left - passed).max(0.0);
            expected + (1.0 - 0.5_f64.powf(passed / HALF_LIFE)) * (guess - expected)
        });
        self.last = Some((elapsed, left));
        // Longer than a century is as good as unknown.
        Duration::try_from_secs_f64(left).ok().filter(|left| left.as_secs() < 3_000_000_000)
    }
}

/// Formats the time left, as exact as a guess deserves.
pub fn left(time: Duration) -> String {
    match time.as_secs() {
        0..10 => "a few seconds left".to_owned(),
        10..90 => format!("about {} s left", (time.as_secs() + 5) / 10 * 10),
        _ => format!("about {} left", duration(time)),
    }
}

/// Formats a time that has passed, or a long one to come.
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds @ 90..5400 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// Formats how fast something goes; none if it is too early for that.
pub fn rate(done: u64, elapsed: Duration) -> Option<String> {
    let a_second = done as f64 / elapsed.as_secs_f64();
    let about = |number: f64| {
        // Two digits are as much as a pace is good for.
        let step = 10_f64.powi((number.log10().floor() as i32 - 1).max(0));
        grouped(((number / step).round() * step) as u64)
    };
    match a_second {
        _ if elapsed < FIRST_GUESS || done == 0 => None,
        1.0.. => Some(format!("about {} a second", about(a_second))),
        _ if a_second * 60.0 >= 1.0 => Some(format!("about {} a minute", about(a_second * 60.0))),
        _ => Some(format!("about {} an hour", about(a_second * 3600.0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: f64) -> Duration {
        Duration::from_secs_f64(count)
    }

    #[test]
    fn the_time_left_follows_from_the_pace_so_far() {
        let at = |elapsed, share| TimeLeft::default().update(seconds(elapsed), share).map(left);
        assert_eq!(at(1.0, 0.01), None);
        assert_eq!(at(60.0, 0.0), None);
        assert_eq!(at(60.0, 0.2).as_deref(), Some("about 4 min left"));
        assert_eq!(at(90.0, 0.75).as_deref(), Some("about 30 s left"));
        assert_eq!(at(90.0, 1.0).as_deref(), Some("a few seconds left"));
        assert_eq!(at(60.0, 1e-300), None);
        assert_eq!(left(seconds(3.0 * 3600.0)), "about 3.0 h left");
    }

    #[test]
    fn a_jump_of_the_work_is_no_jump_of_the_estimate() {
        let mut time = TimeLeft::default();
        let mut last = None::<f64>;
        // A tenth of the work in the first 15 s, then nine tenths at once: the guess goes from 135 s to nothing.
        for tick in 50..400 {
            let elapsed = f64::from(tick) / 10.0;
            let share = if elapsed < 15.0 { elapsed / 150.0 } else { 0.999 };
            let left = time.update(seconds(elapsed), share).expect("an estimate").as_secs_f64();
            if let Some(last) = last {
                assert!((left - last).abs() < 3.0, "from {last} to {left} at {elapsed} s");
            }
            last = Some(left);
        }
        assert!(last.is_some_and(|last| last < 10.0), "{last:?}");
    }

    #[test]
    fn rates_are_put_into_words() {
        assert_eq!(rate(1000, seconds(1.0)), None);
        assert_eq!(rate(123_456, seconds(10.0)).as_deref(), Some("about 12,000 a second"));
        assert_eq!(rate(25, seconds(10.0)).as_deref(), Some("about 3 a second"));
        assert_eq!(rate(5, seconds(10.0)).as_deref(), Some("about 30 a minute"));
        assert_eq!(rate(1, seconds(100.0)).as_deref(), Some("about 36 an hour"));
    }
}
