//! Sheets of fits, calibrations, ratings and screenings.

#[cfg(feature = "evaluate")]
use crate::cell;
use crate::csv_cell::exact;
use crate::sheet::{Sheet, SheetRows, ToSheet};
use crate::{FitResponse, MoveScreening, RateResponse, ScoreSummary, ScreenResponse};
use crate::{elo_text, interval_text};
use errare_ratings::{Calibration, EndsOutside, PlayerSide, ReadingSummary};

/// The columns of a skill.
const SKILL: [&str; 4] = ["s", "se_s", "c", "se_c"];

/// The columns of played and expected statistics.
const PROJECTION: [&str; 4] = ["mm_expected", "mm", "ad_expected", "ad"];

/// The columns of a 95% interval.
const INTERVAL: [&str; 4] = ["low", "high", "low_outside_range", "high_outside_range"];

/// The columns of the interval that was found by drawing games.
const DRAWN: [&str; 4] = ["drawn_low", "drawn_high", "drawn_low_outside_range", "drawn_high_outside_range"];

/// Makes the cells that tell which ends of an interval are outside the range of the calibration.
fn ends(outside: EndsOutside) -> [String; 2] {
    [outside.low, outside.high].map(|is_outside| is_outside.to_string())
}

impl ToSheet for FitResponse {
    /// Makes a row for each fit.
    fn to_sheet(&self) -> Sheet {
        let mut columns = vec!["group", "games", "turns", "method", "model", "curve"];
        columns.extend(SKILL.into_iter().chain(PROJECTION).chain(["q_fit", "log_likelihood", "settled"]));
        let is_drawn = self.fits.iter().any(|fit| fit.bootstrap.is_some());
        if is_drawn {
            columns.extend(["s_low", "s_high", "c_low", "c_high"]);
        }
        let mut sheet = Sheet::new(&columns);
        for fit in &self.fits {
            let mut row = vec![fit.group.clone(), fit.games.to_string(), fit.turns.to_string()];
            row.extend([fit.method.name(), &fit.model, &fit.curve].map(str::to_owned));
            row.extend([fit.s, fit.se_s, fit.c, fit.se_c].map(exact));
            row.extend([fit.mm_expected, fit.mm, fit.ad_expected, fit.ad].map(exact));
            row.extend([exact(fit.q_fit), exact(fit.log_likelihood)]);
            row.push(if fit.settled { "yes" } else { "no" }.to_owned());
            if is_drawn {
                let drawn = fit.bootstrap.as_ref();
                for interval in [drawn.and_then(|drawn| drawn.s_interval), drawn.and_then(|drawn| drawn.c_interval)] {
                    row.extend(interval.map(|(low, high)| [low, high].map(exact)).unwrap_or_default());
                }
            }
            sheet.push(row);
        }
        sheet
    }
}

impl ToSheet for Calibration {
    /// Makes a row for each milepost, the strongest first.
    fn to_sheet(&self) -> Sheet {
        let mut columns = vec!["elo", "games", "turns"];
        columns.extend(SKILL.into_iter().chain(["c_fit", "s_fit"]).chain(PROJECTION));
        columns.extend(["q_fit", "expected_ad", "se_expected_ad", "ipr", "outside_range"]);
        let mut sheet = Sheet::new(&columns);
        for milepost in self.mileposts.iter().rev() {
            let projection = milepost.projection;
            let mut row = vec![exact(milepost.elo), milepost.games.to_string(), projection.turns.to_string()];
            row.extend([milepost.skill.s(), milepost.se[0], milepost.skill.c(), milepost.se[1]].map(exact));
            row.extend([milepost.c_fit, milepost.s_fit].map(exact));
            row.extend([projection.expected_mm, projection.mm, projection.expected_ad, projection.ad].map(exact));
            row.extend([milepost.quality, milepost.reference_ad, milepost.se_reference_ad].map(exact));
            let ipr = self.elo(milepost.reference_ad);
            row.extend([exact(ipr), self.is_outside_range(ipr).to_string()]);
            sheet.push(row);
        }
        sheet
    }
}

impl ToSheet for RateResponse {
    fn to_sheet(&self) -> Sheet {
        let mut columns = vec!["player", "games", "turns", "ipr", "outside_range", "se", "se_sample"];
        columns.extend(INTERVAL.into_iter().chain(DRAWN).chain(SKILL).chain(PROJECTION));
        let mut sheet = Sheet::new(&columns);
        let mut row = vec![self.player.clone(), self.games.to_string(), self.turns.to_string()];
        row.extend([exact(self.ipr), self.outside_range.to_string()]);
        let (low, high) = self.interval;
        row.extend([self.se, self.se_sample, low, high].map(exact));
        row.extend(ends(self.interval_outside_range));
        row.extend(self.drawn_interval.map(|(low, high)| [low, high].map(exact)).unwrap_or_default());
        row.extend(self.drawn_interval_outside_range.map(ends).unwrap_or_default());
        row.extend([self.s, self.se_s, self.c, self.se_c].map(exact));
        row.extend([self.mm_expected, self.mm, self.ad_expected, self.ad].map(exact));
        sheet.push(row);
        sheet
    }
}

impl RateResponse {
    /// Makes a table of the rating with as many digits as people read.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let mut columns = vec!["player", "games", "turns", "ipr", "se", "95%", "s", "c"];
        columns.extend(PROJECTION);
        let mut row = vec![self.player.clone(), self.games.to_string(), self.turns.to_string()];
        row.extend([elo_text(self.ipr, self.outside_range), format!("{:.0}", self.se)]);
        row.push(interval_text(self.interval, self.interval_outside_range));
        let numbers = [self.s, self.c, self.mm_expected, self.mm, self.ad_expected, self.ad];
        row.extend(numbers.map(|value| format!("{value:.4}")));
        let mut sheet = Sheet::new(&columns);
        sheet.push(row);
        sheet
    }

    /// Makes a table of the posterior after more and more moves, with as many digits as people read.
    #[must_use]
    pub fn posterior_table(&self) -> Sheet {
        let mut sheet = Sheet::new(&["moves", "mean", "sd", "95%"]);
        for reading in &self.posterior {
            let ReadingSummary { moves, mean, outside_range, sd, interval, interval_outside_range } = *reading;
            let interval = interval_text(interval, interval_outside_range);
            sheet.push([moves.to_string(), elo_text(mean, outside_range), format!("{sd:.0}"), interval]);
        }
        sheet
    }
}

impl SheetRows for ScoreSummary {
    const COLUMNS: &'static [&'static str] =
        &["game", "turns", "mm_expected", "mm", "mm_sd", "z_mm", "ad_expected", "ad", "ad_sd", "z_ad"];

    fn rows(&self) -> Vec<Vec<String>> {
        let mm = [self.mm_expected, self.mm, self.mm_sd, self.z_mm];
        let ad = [self.ad_expected, self.ad, self.ad_sd, self.z_ad];
        let about = [self.game.clone(), self.turns.to_string()];
        vec![about.into_iter().chain(mm.into_iter().chain(ad).map(exact)).collect()]
    }
}

impl ToSheet for ScreenResponse {
    /// Makes a row for each game, then one for all of them, then one for the opponents.
    fn to_sheet(&self) -> Sheet {
        let scores = self.games.iter().chain([&self.overall]).chain(&self.opponents);
        scores.cloned().collect::<Vec<_>>().to_sheet()
    }
}

impl SheetRows for MoveScreening {
    const COLUMNS: &'static [&'static str] = &[
        "game",
        "move",
        "side",
        "played",
        "best",
        "evaluation",
        "probability",
        "first_probability",
        "loss",
        "expected_loss",
        "rank",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let side = if self.side == PlayerSide::White { "white" } else { "black" };
        let mut row = vec![self.game.clone(), self.number.to_string(), side.to_owned()];
        row.extend([self.played.clone(), self.best.clone(), exact(self.evaluation)]);
        let optional = |value: Option<f64>| value.map_or_else(String::new, exact);
        row.extend([self.probability, self.first_probability].map(optional));
        row.extend([exact(self.loss), optional(self.expected_loss)]);
        row.push(self.rank.to_string());
        vec![row]
    }
}

#[cfg(feature = "evaluate")]
impl SheetRows for crate::RatedPlayerRow {
    const COLUMNS: &'static [&'static str] = &[
        "player",
        "games",
        "turns",
        "ipr",
        "outside_range",
        "se",
        "low",
        "high",
        "low_outside_range",
        "high_outside_range",
        "elo",
        "claimed",
        "z",
        "z_mm",
        "z_ad",
        "chance",
        "by_chance",
        "adjusted",
        "mm",
        "ad",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let optional = |value: Option<f64>| value.map_or_else(String::new, exact);
        let mut row = vec![self.player.clone(), self.games.to_string(), self.turns.to_string(), optional(self.ipr)];
        row.push(self.outside_range.to_string());
        row.extend([self.se, self.low, self.high].map(optional));
        row.extend(ends(self.interval_outside_range));
        row.extend([self.elo, self.claimed, self.z, self.z_mm, self.z_ad].map(optional));
        row.extend([self.chance, self.by_chance, self.adjusted].map(optional));
        row.extend([self.mm, self.ad].map(exact));
        vec![row]
    }
}

#[cfg(feature = "evaluate")]
impl ToSheet for crate::RateGamesResponse {
    /// Makes a row for each player.
    fn to_sheet(&self) -> Sheet {
        self.rows.to_sheet()
    }
}

#[cfg(feature = "evaluate")]
impl crate::RateGamesResponse {
    /// Makes a table of the ratings of players, with as many digits as people read.
    #[must_use]
    pub fn ratings_table(&self) -> Sheet {
        let mut sheet = Sheet::new(&["player", "games", "turns", "ipr", "se", "95%", "elo", "z", "mm", "ad"]);
        for row in &self.rows {
            let interval = row.low.zip(row.high).map(|ends| interval_text(ends, row.interval_outside_range));
            sheet.push([
                row.player.clone(),
                row.games.to_string(),
                row.turns.to_string(),
                cell(row.ipr.map(|ipr| elo_text(ipr, row.outside_range))),
                cell(row.se.map(|se| format!("{se:.0}"))),
                cell(interval),
                cell(row.elo.map(|elo| format!("{elo:.0}"))),
                cell(row.z.map(|z| format!("{z:+.2}"))),
                format!("{:.3}", row.mm),
                format!("{:.3}", row.ad),
            ]);
        }
        sheet
    }

    /// Makes a table of the players compared with their ratings, with as many digits as people read.
    #[must_use]
    pub fn screening_table(&self) -> Sheet {
        let columns =
            ["player", "games", "turns", "claimed", "mm", "ad", "z_mm", "z_ad", "z", "chance", "by_chance", "adjusted"];
        let mut sheet = Sheet::new(&columns);
        for row in &self.rows {
            let mut cells = vec![row.player.clone(), row.games.to_string(), row.turns.to_string()];
            cells.push(cell(row.claimed.map(|elo| format!("{elo:.0}"))));
            cells.extend([row.mm, row.ad].map(|value| format!("{value:.3}")));
            cells.extend([row.z_mm, row.z_ad, row.z].map(|z| cell(z.map(|z| format!("{z:+.2}")))));
            cells.push(cell(row.chance.map(|chance| format!("{chance:.4}"))));
            cells.push(cell(row.by_chance.map(|count| format!("{count:.1}"))));
            cells.push(cell(row.adjusted.map(|chance| format!("{chance:.3}"))));
            sheet.push(cells);
        }
        sheet
    }
}

/// Makes a table of the mileposts of a calibration with as many digits as people read, and Elos beyond the range
/// marked.
#[must_use]
pub fn milepost_table(calibration: &Calibration) -> Sheet {
    let is_whole = |column: &str| matches!(column, "elo" | "games" | "turns");
    calibration
        .to_sheet()
        .without("outside_range")
        .formatted(|column| column == "ipr", |elo| elo_text(elo, calibration.is_outside_range(elo)))
        .formatted(|column| column == "q_fit", |value| format!("{value:.5}"))
        .formatted(|column| !is_whole(column) && !matches!(column, "ipr" | "q_fit"), |value| format!("{value:.4}"))
}
