//! How far a set of tables is, and how long the rest will take.

use errare_tables::Planned;
use std::time::{Duration, Instant};

/// Before so much time has passed nobody knows the pace.
const FIRST_GUESS: Duration = Duration::from_secs(5);

/// A plan being carried out.
#[derive(Debug)]
pub struct Overall {
    started: Instant,
    tables: usize,
    effort: f64,
    done_tables: usize,
    done_effort: f64,
}

impl Overall {
    pub fn new(plan: &[Planned]) -> Overall {
        Overall {
            started: Instant::now(),
            tables: plan.len(),
            effort: plan.iter().map(|planned| planned.effort).sum(),
            done_tables: 0,
            done_effort: 0.0,
        }
    }

    /// A table of the plan is finished.
    pub fn finished(&mut self, effort: f64) {
        self.done_tables += 1;
        self.done_effort += effort;
    }

    /// Where the work is, `current` being the effort spent on the table in work.
    pub fn line(&self, current: f64) -> String {
        self.at(self.started.elapsed(), current)
    }

    fn at(&self, elapsed: Duration, current: f64) -> String {
        let share = ((self.done_effort + current) / self.effort.max(f64::MIN_POSITIVE)).min(1.0);
        let place = format!("table {} of {}", (self.done_tables + 1).min(self.tables), self.tables);
        if elapsed < FIRST_GUESS || share <= 0.0 {
            return place;
        }
        let left = elapsed.mul_f64((1.0 - share) / share);
        format!("{place}, {:.0}% of the work, about {} left", 100.0 * share, duration(left))
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
        let mut overall =
            Overall { started: Instant::now(), tables: 4, effort: 100.0, done_tables: 0, done_effort: 0.0 };
        assert_eq!(overall.at(Duration::from_secs(1), 1.0), "table 1 of 4");
        overall.finished(10.0);
        assert_eq!(overall.at(Duration::from_secs(60), 10.0), "table 2 of 4, 20% of the work, about 4 min left");
        overall.finished(80.0);
        assert_eq!(overall.at(Duration::from_secs(90), 0.0), "table 3 of 4, 90% of the work, about 10 s left");
        overall.finished(10.0);
        overall.finished(0.0);
        assert_eq!(overall.at(Duration::from_secs(90), 0.0), "table 4 of 4, 100% of the work, about 0 s left");
    }

    #[test]
    fn long_times_are_told_in_hours() {
        assert_eq!(duration(Duration::from_secs(3 * 3600)), "3.0 h");
    }
}
