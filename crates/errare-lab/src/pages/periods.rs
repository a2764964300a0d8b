//! The page on periods: whether an Elo means the same in each.

use super::html::Page;
use crate::{PeriodMilepostRow, PeriodsResponse, elo_text, interval_text};
use errare_figures::{Axis, LineChart, Series};

/// The s_fit of Regan and Haworth (2011), section 7, for 1976-1979 and 1991-1994. Numbers that cannot be read in the
/// copy at hand are left out.
const EARLIER: [(u16, u16, f64); 9] = [
    (1991, 2700, 0.084),
    (1991, 2600, 0.087),
    (1991, 2500, 0.092),
    (1991, 2400, 0.103),
    (1991, 2300, 0.117),
    (1991, 2200, 0.122),
    (1976, 2600, 0.087),
    (1976, 2400, 0.103),
    (1976, 2300, 0.116),
];

/// The published s_fit of a milepost in the period that begins with a year.
pub(crate) fn published_s_fit(from: u16, milepost: f64) -> Option<f64> {
    let is_it = |elo: u16| f64::from(elo) == milepost;
    if from == 2006 {
        return super::regan_haworth::ROWS.iter().find(|row| is_it(row.elo)).map(|row| row.s_fit);
    }
    EARLIER.iter().find(|(year, elo, _)| *year == from && is_it(*elo)).map(|(_, _, s_fit)| *s_fit)
}

/// Makes the page of a response.
pub(crate) fn period_page(found: &PeriodsResponse) -> Page {
    let mut page = Page::new("Does an Elo mean the same in each period?");
    page.paragraph(&format!("{}. One model of skill over Elo was fitted to all periods together.", found.data));
    for sentence in found.sentences() {
        page.paragraph(&sentence);
    }
    page.chart(
        &picture(found),
        "Ratings of the moves of players near an Elo, with 95% intervals; on the line they agree.",
    );
    page.heading("By milepost");
    let header = ["period", "milepost", "mean Elo", "games", "turns", "IPR", "95%", "s_fit, 2011"];
    let row = |row: &PeriodMilepostRow| {
        vec![
            row.period.clone(),
            format!("{:.0}", row.milepost),
            format!("{:.0}", row.elo),
            row.games.to_string(),
            row.turns.to_string(),
            elo_text(row.ipr, row.outside_range),
            interval_text((row.low, row.high), row.interval_outside_range),
            row.published_s_fit.map_or_else(|| "-".to_owned(), |s_fit| format!("{s_fit:.3}")),
        ]
    };
    page.table(&header, &found.mileposts.iter().map(row).collect::<Vec<_>>());
    page.note(
        "s_fit of K. W. Regan and G. McC. Haworth, Intrinsic chess ratings (2011), section 7, Rybka 3 at depth 13: the \
         same in each period if an Elo is. A smaller s_fit is more skill. A dash is a number that their table does not \
         have, or that cannot be read in our copy.",
    );
    page
}

fn picture(found: &PeriodsResponse) -> LineChart {
    let mut series = Vec::new();
    let elos = found.mileposts.iter().map(|row| row.elo);
    let (low, high) = elos.fold((f64::MAX, f64::MIN), |(low, high), elo| (low.min(elo), high.max(elo)));
    if low <= high {
        series.push(Series::line("IPR = Elo", [(low, low), (high, high)]));
    }
    for (place, period) in found.periods.iter().enumerate() {
        // Side by side, so that intervals do not hide each other.
        let shift = 12.0 * (place as f64 - 1.0);
        let rows: Vec<_> = found.mileposts.iter().filter(|row| row.period == period.period).collect();
        let dots = rows.iter().map(|row| (row.elo + shift, row.ipr));
        let whiskers = rows.iter().map(|row| [(row.elo + shift, row.low), (row.elo + shift, row.high)]);
        series.push(Series::dots(period.period.clone(), dots).with_whiskers(whiskers));
    }
    LineChart {
        title: "Intrinsic ratings of mileposts by period".to_owned(),
        x: Axis::linear("Elo"),
        y: Axis::linear("IPR"),
        series,
        marks: Vec::new(),
    }
}
