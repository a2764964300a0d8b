//! The same for programs.

use super::bench::Bench;
use super::content::Content;
use super::players::Player;
use super::questions::{PlayerQuestion, PlayersQuestion};
use super::work::Answer;
use crate::calibrate::file::CalibrationShape;
use crate::fit::turns::EngineShape;
use crate::rate;
use crate::report::player::Study;
use crate::screen::report::{self as screening, Report};
use errare_ratings::Widening;
use serde::Serialize;

#[derive(Serialize)]
struct PlayersShape<'a> {
    data: &'a str,
    engine: EngineShape,
    least_turns: usize,
    total: usize,
    page: usize,
    pages: usize,
    players: Vec<PlayerShape<'a>>,
}

#[derive(Serialize)]
struct PlayerShape<'a> {
    name: &'a str,
    games: usize,
    turns: usize,
    elo: Option<f64>,
    mm: f64,
    ad: f64,
}

#[derive(Serialize)]
struct StudyShape<'a> {
    calibration: BasisShape<'a>,
    rating: rate::Told<'a>,
    screening: Option<screening::Told<'a>>,
}

#[derive(Serialize)]
struct BasisShape<'a> {
    data: &'a str,
    from_these_turns: bool,
}

impl<'a> From<&'a Player> for PlayerShape<'a> {
    fn from(player: &'a Player) -> PlayerShape<'a> {
        let Player { name, games, turns, elo, mm, ad } = player;
        PlayerShape { name, games: *games, turns: *turns, elo: *elo, mm: *mm, ad: *ad }
    }
}

/// A list of players.
pub fn players(bench: &Bench, question: &PlayersQuestion) -> Answer {
    let data = bench.data()?;
    let found = data.players.find(&question.search, question.page)?;
    json(&PlayersShape {
        data: &data.loaded.data,
        engine: data.loaded.turns.engine().into(),
        least_turns: bench.least_turns,
        total: found.total,
        page: found.page,
        pages: found.pages,
        players: found.players.into_iter().map(PlayerShape::from).collect(),
    })
}

/// The calibration that the mileposts make, as `errare calibrate` writes it.
pub fn ratings(bench: &Bench) -> Answer {
    let (_, calibration) = bench.mileposts()?;
    json(&CalibrationShape::from(calibration))
}

/// A player, as `errare rate` and `errare screen` have it.
pub fn player(bench: &Bench, question: &PlayerQuestion) -> Answer {
    let PlayerQuestion { name, claimed } = question;
    let (data, calibration) = bench.rated(name)?;
    let turns = &data.loaded.turns;
    let study = Study::new(calibration, turns, &bench.wish(name, *claimed))?;
    let report = study.held.as_ref().map(|(screening, doubt)| Report {
        turns,
        player: name,
        claimed: *claimed,
        widening: Widening::default(),
        screening,
        opponents: study.opponents.as_ref(),
        doubt: *doubt,
    });
    json(&StudyShape {
        calibration: BasisShape { data: &calibration.data, from_these_turns: bench.given.is_none() },
        rating: rate::told(name, &study.sample, &study.rating, &study.readings),
        screening: report.as_ref().map(Report::told),
    })
}

fn json(shape: &impl Serialize) -> Answer {
    Content::json(shape).map_err(|error| anyhow::Error::from(error).into())
}
