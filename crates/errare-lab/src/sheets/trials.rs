//! Sheets of trials and periods.

use crate::csv_cell::exact;
use crate::sheet::{Sheet, SheetRows, ToSheet};
use crate::{HonestyResponse, PeriodMilepostRow, PeriodsResponse, RatingTrialRow, ScreeningTrialRow, elo_text};
use errare_ratings::EndsOutside;

impl SheetRows for RatingTrialRow {
    const COLUMNS: &'static [&'static str] =
        &["estimator", "players", "turns", "rms", "bias", "coverage", "width", "width_by_rms"];

    fn rows(&self) -> Vec<Vec<String>> {
        let found = &self.summary;
        let mut row = vec![self.estimator.clone(), found.players.to_string()];
        row.extend([found.turns, found.rms, found.bias, found.coverage, found.width, self.width_by_rms].map(exact));
        vec![row]
    }
}

impl SheetRows for ScreeningTrialRow {
    const COLUMNS: &'static [&'static str] =
        &["turns", "helped", "bound", "mm", "ad", "nominal", "either", "either_nominal", "either_published"];

    fn rows(&self) -> Vec<Vec<String>> {
        let mut row = vec![self.turns.to_string()];
        row.extend([self.helped, self.bound, self.mm, self.ad, self.nominal].map(exact));
        row.extend([self.either, self.either_nominal, self.either_published].map(exact));
        vec![row]
    }
}

impl ToSheet for HonestyResponse {
    /// Makes a row for each estimator and number of turns.
    fn to_sheet(&self) -> Sheet {
        self.ratings.to_sheet()
    }
}

impl SheetRows for PeriodMilepostRow {
    const COLUMNS: &'static [&'static str] = &[
        "period",
        "milepost",
        "elo",
        "games",
        "turns",
        "ipr",
        "outside_range",
        "low",
        "high",
        "low_outside_range",
        "high_outside_range",
        "published_s_fit",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let mut row = vec![self.period.clone(), exact(self.milepost), exact(self.elo)];
        row.extend([self.games.to_string(), self.turns.to_string()]);
        row.extend([exact(self.ipr), self.outside_range.to_string(), exact(self.low), exact(self.high)]);
        row.extend([self.interval_outside_range.low, self.interval_outside_range.high].map(|end| end.to_string()));
        row.push(self.published_s_fit.map_or_else(String::new, exact));
        vec![row]
    }
}

impl ToSheet for PeriodsResponse {
    /// Makes a row for each milepost of each period.
    fn to_sheet(&self) -> Sheet {
        self.mileposts.to_sheet()
    }
}

impl HonestyResponse {
    /// Makes a table of the ratings, with as many digits as people read.
    #[must_use]
    pub fn ratings_table(&self) -> Sheet {
        let is_share = |column: &str| column == "coverage";
        let is_text = |column: &str| matches!(column, "estimator" | "players");
        let sheet = self.ratings.to_sheet().formatted(is_share, |value| format!("{value:.3}"));
        let sheet = sheet.formatted(|column| column == "width_by_rms", |value| format!("{value:.2}"));
        sheet.formatted(
            |column| !is_text(column) && !is_share(column) && column != "width_by_rms",
            |value| format!("{value:.0}"),
        )
    }

    /// Makes a table of the screening, with as many digits as people read.
    #[must_use]
    pub fn screening_table(&self) -> Sheet {
        let is_plain = |column: &str| matches!(column, "turns" | "helped" | "bound");
        self.screening.to_sheet().formatted(|column| !is_plain(column), |value| format!("{value:.4}"))
    }
}

impl PeriodsResponse {
    /// Makes a table of the mileposts, with as many digits as people read.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let is_whole = |column: &str| matches!(column, "milepost" | "elo");
        let is_rating = |column: &str| matches!(column, "ipr" | "low" | "high");
        let marks = ["outside_range", "low_outside_range", "high_outside_range"];
        marks
            .into_iter()
            .fold(self.to_sheet(), Sheet::without)
            .formatted(is_whole, |value| format!("{value:.0}"))
            .formatted(is_rating, |elo| elo_text(elo, EndsOutside::new((elo, elo), self.calibrated_range).any()))
    }
}
