//! The players of evaluated games: a row for each, and the details of one.

use super::RateGamesRequest;
use super::response::{PlayerDetail, RatedPlayerRow, TraceBasis};
use crate::error::LabError;
use crate::numbers::counted;
use crate::ratings::{MoveScreening, PlayerReport, beyond, reach_sentence};
use errare_ratings::{
    Calibration, ClaimedRating, EndsOutside, PlayerSummary, Players, Rating, RatingOptions, RatingsError, Refusal,
    Sample, StudyOptions, TurnSet, benjamini_hochberg,
};
use errare_work::{Progress, Status, Unreported};

/// Evaluated games, with the conditions by which their players are rated.
pub(super) struct RatedGames<'a> {
    pub request: &'a RateGamesRequest,
    pub set: &'a TurnSet,
    pub calibration: Option<&'a Calibration>,
}

impl RatedGames<'_> {
    /// Makes the rows of all players, or of one, in the order that the request asks for.
    pub fn rows(&self, player: Option<&str>, progress: &dyn Progress) -> Result<Vec<RatedPlayerRow>, LabError> {
        let players = Players::new(&self.set.turns, progress)?;
        let all: Vec<PlayerSummary> = if self.request.pooled {
            everybody(self.set).into_iter().collect()
        } else {
            let is_wanted = |summary: &&PlayerSummary| player.is_none_or(|name| summary.name == name);
            players.all().iter().filter(is_wanted).cloned().collect()
        };
        let mut rows = Vec::new();
        for (done, summary) in all.iter().enumerate() {
            progress.report(&Status::new("rating players", "players").at(done as u64, all.len() as u64));
            rows.push(self.row(summary, &Unreported(progress))?);
        }
        compare_all(&mut rows);
        rows.sort_by(|one, other| self.request.sort.compare(one, other));
        Ok(rows)
    }

    fn sample(&self, name: &str) -> Sample {
        if self.request.pooled { Sample::all(&self.set.turns) } else { Sample::of_player(&self.set.turns, name) }
    }

    fn row(&self, summary: &PlayerSummary, progress: &dyn Progress) -> Result<RatedPlayerRow, LabError> {
        let PlayerSummary { name, games, turns, elo, mm, ad } = summary.clone();
        let min = self.request.min_turns.max(1);
        let mut row = RatedPlayerRow {
            player: name,
            ipr: None,
            low: None,
            high: None,
            se: None,
            outside_range: false,
            interval_outside_range: EndsOutside::default(),
            games,
            turns,
            mm,
            ad,
            elo,
            claimed: None,
            z: None,
            z_mm: None,
            z_ad: None,
            chance: None,
            by_chance: None,
            adjusted: None,
            note: None,
        };
        let Some(calibration) = self.calibration else { return Ok(row) };
        if turns < min {
            row.note = Some(format!("{}: a rating takes {min}", counted(turns, "turn")));
            return Ok(row);
        }
        let sample = self.sample(&row.player);
        let options = RatingOptions { min_turns: min, ..RatingOptions::default() };
        match calibration.rate(&sample, options, progress) {
            Ok(rating) => row.set_rating(&rating, calibration),
            Err(RatingsError::Refused(refusal)) => row.note = Some(refusal.to_string()),
            Err(error) => return Err(error.into()),
        }
        let claim = ClaimedRating::from(self.request.claimed);
        match calibration.screen(&sample, |turn| claim.of(turn), calibration.widening(), progress) {
            Ok(found) => {
                let (z_mm, z_ad) = (found.overall.z_mm, found.overall.z_ad);
                let z = z_mm.max(z_ad);
                (row.z, row.z_mm, row.z_ad) = (Some(z), Some(z_mm), Some(z_ad));
                row.chance = Some(calibration.chance_of_either(z));
                row.claimed = self.request.claimed.or(elo);
            }
            // Without a rating, or with one beyond the calibration, there is nothing to compare with.
            Err(RatingsError::Refused(_)) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(row)
    }

    /// Collects the details of the player of exactly this name.
    pub fn detail(&self, player: &str, progress: &dyn Progress) -> Result<PlayerDetail, LabError> {
        let study =
            self.calibration.map(|calibration| self.study(calibration, player, progress)).transpose()?.flatten();
        let sample = Sample::of_player(&self.set.turns, player);
        let turns = &self.set.turns;
        let mut detail = PlayerDetail {
            player: player.to_owned(),
            study: None,
            trace_basis: TraceBasis::None,
            trace_words: "The engine's view alone: there are no probabilities without a rating.".to_owned(),
            trace: sample.iter().map(MoveScreening::unmodelled).collect(),
        };
        let (Some(mut study), Some(calibration)) = (study, self.calibration) else { return Ok(detail) };
        match &mut study.screening {
            Some(screening) => {
                detail.trace = std::mem::take(&mut screening.trace);
                detail.trace_basis = TraceBasis::Claimed;
                let whose = self.request.claimed.map_or_else(
                    || "the rating that each game gives".to_owned(),
                    |elo| format!("a rating of {elo:.0}"),
                );
                detail.trace_words = format!("Probabilities are those of a player of {whose}.");
            }
            None => {
                let ipr = study.rating.ipr;
                let found = calibration.screen(&sample, |_| Some(ipr), calibration.widening(), &Unreported(progress));
                if let Ok(found) = outcome(found)? {
                    detail.trace = found.trace.iter().map(|trace| MoveScreening::new(turns, trace)).collect();
                    detail.trace_basis = TraceBasis::Own;
                    detail.trace_words = format!(
                        "No game gives the player's rating: probabilities are those of a player of {ipr:.0}{}, the rating \
                         that these moves have.",
                        beyond(calibration, study.rating.outside_range)
                    );
                }
            }
        }
        detail.study = Some(study);
        Ok(detail)
    }

    /// Makes the rating, posterior and screening of a player; none if the turns are too few for a rating.
    fn study(
        &self,
        calibration: &Calibration,
        player: &str,
        progress: &dyn Progress,
    ) -> Result<Option<crate::ratings::StudyResponse>, LabError> {
        let options = StudyOptions { claim: self.request.claimed.into(), min_turns: self.request.min_turns };
        let study = calibration.study(&self.set.turns, player, options, progress)?;
        Ok(PlayerReport::new(calibration, self.set, &study, false).ok().map(|report| report.response()))
    }
}

/// Sets the fields of rows that depend on the number of players compared.
fn compare_all(rows: &mut [RatedPlayerRow]) {
    let chances: Vec<f64> = rows.iter().filter_map(|row| row.chance).collect();
    let adjusted = benjamini_hochberg(&chances);
    for (row, adjusted) in rows.iter_mut().filter(|row| row.chance.is_some()).zip(adjusted) {
        row.by_chance = row.chance.map(|chance| chance * chances.len() as f64);
        row.adjusted = Some(adjusted);
    }
}

impl RatedPlayerRow {
    fn set_rating(&mut self, rating: &Rating, calibration: &Calibration) {
        let Rating { elo, outside_range, se, interval: (low, high), interval_outside_range, .. } = *rating;
        (self.ipr, self.low, self.high, self.se) = (Some(elo), Some(low), Some(high), Some(se));
        (self.outside_range, self.interval_outside_range) = (outside_range, interval_outside_range);
        let (lowest, highest) = calibration.range();
        let beyond = if outside_range {
            format!("Outside the calibrated range of {lowest:.0} to {highest:.0}: extrapolated, and worth little. ")
        } else if interval_outside_range.any() {
            format!("The interval reaches beyond the calibrated range of {lowest:.0} to {highest:.0}. ")
        } else {
            String::new()
        };
        self.note = Some(beyond + &reach_sentence(calibration, rating, self.turns, self.games));
    }
}

/// Joins all moves as those of one player, nameless ones included; none if there are no turns.
fn everybody(set: &TurnSet) -> Option<PlayerSummary> {
    let turns = &set.turns;
    let count = turns.count() as f64;
    let elos: Vec<f64> = turns.iter().filter_map(|turn| turn.player().elo).map(f64::from).collect();
    (turns.count() > 0).then(|| PlayerSummary {
        name: "everybody".to_owned(),
        games: turns.games().len(),
        turns: turns.count(),
        elo: (!elos.is_empty()).then(|| elos.iter().sum::<f64>() / elos.len() as f64),
        mm: turns.iter().filter(|turn| turn.played() == 0).count() as f64 / count,
        ad: turns.iter().map(|turn| turn.loss()).sum::<f64>() / count,
    })
}

/// Treats a refusal as a part of the answer, and any other error as an error.
fn outcome<T>(result: Result<T, RatingsError>) -> Result<Result<T, Refusal>, LabError> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(RatingsError::Refused(refusal)) => Ok(Err(refusal)),
        Err(error) => Err(error.into()),
    }
}
