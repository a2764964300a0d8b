//! Trials and periods in plain words.

use crate::numbers::grouped;
use crate::{HonestyResponse, PeriodsResponse, range_note};

impl HonestyResponse {
    /// Describes what was done and what the columns are, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let (own, published) = (self.widening, self.published_widening);
        let mut notes = vec![
            format!(
                "{}. Games near one hundred of Elo are put into blocks, of which each side stands for a player; blocks are \
                 dealt into {} folds, {} times anew (seed {}), and each fold is rated by the others, less the games of its \
                 own players. Milepost methods are tried once.",
                self.data, self.folds, self.repeats, self.seed
            ),
            "rms and bias are errors against the Elo in points, coverage the share of 95% intervals that hold the Elo, \
             width their median width."
                .to_owned(),
            format!(
                "Screening: the share of players whose z is at the bound or beyond, honest ones (helped 0) and those who play \
                 the engine's first choice on a share of their turns; nominal is what an exact model has for honest ones. \
                 Standard deviations are widened by {:.3} (mm) and {:.3} (ad), estimated from the other folds; \
                 either_published has the factors {} and {} of K. W. Regan instead. Both scores have a correlation of {:.2}.",
                own.mm, own.ad, published.mm, published.ad, self.score_correlation
            ),
        ];
        notes.extend(self.read.duplicates_sentence());
        notes
    }
}

impl PeriodsResponse {
    /// Describes what the periods show, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let period = |row: &crate::PeriodRow| {
            format!(
                "{}: {:+.0} points (standard error {:.0}; {} turns of {} games)",
                row.period,
                row.residual,
                row.se,
                grouped(row.turns as u64),
                grouped(row.games as u64)
            )
        };
        let periods: Vec<String> = self.periods.iter().map(period).collect();
        let verdict = if self.probability < 0.05 {
            "more than chance explains at the level of 5%"
        } else {
            "no more than chance explains at the level of 5%"
        };
        let mut notes = vec![
            format!("By how much moves are better than those of the same Elo in all periods: {}.", periods.join("; ")),
            format!(
                "If an Elo means the same in each period, differences as great as these have a probability of {:.2} \
                 (chi-square {:.2} with {} degrees of freedom, errors by games): {verdict}.",
                self.probability, self.chi_square, self.freedom
            ),
        ];
        if self.mileposts.iter().any(|row| row.outside_range || row.interval_outside_range.any()) {
            notes.push(range_note(self.calibrated_range));
        }
        notes.extend(self.read.duplicates_sentence());
        notes
    }
}
