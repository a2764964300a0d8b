//! Players over all their games.

use crate::modelling::StoredPosterior;
use anyhow::Result;
use errare_choice::Update;
use errare_endgame::{Analyser, Analysis, INTERVAL_SHARE, Remark, Stretch};
use errare_games::Game;
use serde::Serialize;
use shakmaty::{Color, Position};
use std::collections::BTreeMap;

/// What is known of every player that is of interest.
pub struct Players {
    analysis: Analysis,
    wanted: Option<String>,
    by_name: BTreeMap<String, Record>,
}

struct Record {
    analyser: Analyser,
    games: u64,
    moves: u64,
    impossible: u64,
    conceded: u64,
}

/// A player as JSON has it.
#[derive(Debug, Serialize)]
pub struct Told {
    pub name: String,
    pub games: u64,
    pub moves: u64,
    pub impossible: u64,
    pub conceded: u64,
    pub expected_c: f64,
    pub sd_c: f64,
    pub interval: [f64; 2],
    pub posterior: StoredPosterior,
}

impl Players {
    pub fn new(analysis: &Analysis, wanted: Option<&str>) -> Players {
        Players { analysis: analysis.clone(), wanted: wanted.map(str::to_lowercase), by_name: BTreeMap::new() }
    }

    /// Whether a game has a player of interest.
    pub fn are_in(&self, game: &Game) -> bool {
        self.wants(name(game, Color::White)) || self.wants(name(game, Color::Black))
    }

    /// Whether a move was made by a player of interest.
    pub fn made(&self, game: &Game, remark: &Remark) -> bool {
        self.wants(name(game, remark.position.turn()))
    }

    fn wants(&self, name: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| name.to_lowercase().contains(wanted))
    }

    /// Learns from a game.
    pub fn add(&mut self, game: &Game, stretches: &[Stretch]) -> Result<()> {
        for color in Color::ALL {
            let player = name(game, color);
            let remarks = stretches.iter().flat_map(|stretch| &stretch.moves);
            let mut own = remarks.filter(|remark| remark.position.turn() == color).peekable();
            if !self.wants(player) || own.peek().is_none() {
                continue;
            }
            let fresh =
                || Record { analyser: self.analysis.analyser(), games: 0, moves: 0, impossible: 0, conceded: 0 };
            let record = self.by_name.entry(player.to_owned()).or_insert_with(fresh);
            record.games += 1;
            for remark in own {
                record.moves += 1;
                record.conceded += u64::from(remark.conceded.unwrap_or(0));
                record.impossible += u64::from(record.analyser.learn(&remark.log_likelihoods)? == Update::Impossible);
            }
        }
        Ok(())
    }

    /// All players by name.
    pub fn told(&self) -> impl Iterator<Item = Told> {
        self.by_name.iter().map(|(name, record)| {
            let posterior = record.analyser.posterior();
            let (low, high) = posterior.interval(INTERVAL_SHARE);
            Told {
                name: name.clone(),
                games: record.games,
                moves: record.moves,
                impossible: record.impossible,
                conceded: record.conceded,
                expected_c: posterior.mean(),
                sd_c: posterior.sd(),
                interval: [low, high],
                posterior: StoredPosterior::of(posterior),
            }
        })
    }
}

/// A player's name, or that there is none.
pub fn name(game: &Game, color: Color) -> &str {
    let name = if color == Color::White { game.white() } else { game.black() };
    name.unwrap_or("?")
}
