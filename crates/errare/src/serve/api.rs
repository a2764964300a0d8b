//! JSON answers, for programs.

use super::bench::Bench;
use super::content::Content;
use super::questions::{PlayerQuestion, PlayersQuestion};
use super::work::Answer;
use crate::rate::{RatingShape, rating_shape};
use crate::report::player::shown;
use crate::screen::report::{Report, ScreeningShape};
use errare_ratings::{CalibrationDocument, Engine, PlayerSummary};
use errare_work::Progress;
use serde::Serialize;

#[derive(Serialize)]
struct PlayersShape<'a> {
    data: &'a str,
    engine: &'a Engine,
    least_turns: usize,
    total: usize,
    page: usize,
    pages: usize,
    players: Vec<PlayerSummary>,
}

#[derive(Serialize)]
struct StudyShape<'a> {
    calibration: BasisShape<'a>,
    rating: RatingShape<'a>,
    screening: Option<ScreeningShape<'a>>,
}

#[derive(Serialize)]
struct BasisShape<'a> {
    data: &'a str,
    from_these_turns: bool,
}

/// A list of players.
pub fn players(bench: &Bench, question: &PlayersQuestion) -> Answer {
    let data = bench.data()?;
    let found = data.players.search(&question.search, question.page)?;
    json(&PlayersShape {
        data: &data.set.data,
        engine: data.set.turns.engine(),
        least_turns: bench.least_turns,
        total: found.total,
        page: found.page,
        pages: found.pages,
        players: found.players,
    })
}

/// The calibration that the mileposts make, as `errare calibrate` writes it.
pub fn ratings(bench: &Bench) -> Answer {
    let (_, calibration) = bench.mileposts()?;
    json(&CalibrationDocument::from(calibration))
}

/// A player, as `errare rate` and `errare screen` have it.
pub fn player(bench: &Bench, question: &PlayerQuestion, progress: &dyn Progress) -> Answer {
    let PlayerQuestion { name, claimed } = question;
    let (data, calibration, study) = bench.study(name, *claimed, progress)?;
    let (rating, screening) = shown(&study)?;
    let report = screening.map(|found| Report { turns: &data.set.turns, found });
    json(&StudyShape {
        calibration: BasisShape { data: &calibration.data, from_these_turns: bench.given.is_none() },
        rating: rating_shape(name, &study.sample, rating, &study.readings),
        screening: report.as_ref().map(Report::shape),
    })
}

fn json(shape: &impl Serialize) -> Answer {
    Content::json(shape).map_err(|error| anyhow::Error::from(error).into())
}
