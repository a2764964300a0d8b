//! Real spreads, and players of known skill who choose on them.

#![allow(dead_code)] // no test file needs all of it

use errare_choice::{Odds, Skill, pick};
use errare_ratings::{
    ChoiceModel, Engine, GameRecord, Player, Record, Scale, Selection, TurnFile, Turns, TurnsBuilder,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::fs::File;
use std::sync::Arc;

pub type Test = Result<(), Box<dyn std::error::Error>>;

pub fn engine() -> Engine {
    Engine { name: Some("Stockfish 15.1".to_owned()), depth: Some(10), settings: None }
}

pub fn records() -> Vec<Record> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mileposts.jsonl.gz");
    let file = TurnFile::new(File::open(path).expect("the data")).expect("readable");
    file.collect::<Result<_, _>>().expect("turns")
}

pub fn turns(records: impl IntoIterator<Item = Record>, scale: Scale, selection: Selection) -> Arc<Turns> {
    let mut builder = TurnsBuilder::new(scale, selection, engine());
    records.into_iter().for_each(|record| builder.add(record).expect("a turn"));
    Arc::new(builder.finish().turns)
}

/// What the tests draw from: the turns that count.
pub struct Spreads {
    records: Vec<Record>,
    turns: Arc<Turns>,
}

/// Turns to a game.
const GAME: usize = 50;

impl Spreads {
    pub fn new() -> Spreads {
        let records: Vec<Record> = records().into_iter().filter(takes).collect();
        let turns = turns(records.clone(), Scale::default(), Selection::ALL);
        Spreads { records, turns }
    }

    /// Turns of a player of this skill, in games of fifty; `milepost` is put on all of them.
    pub fn play(
        &self,
        model: &ChoiceModel,
        skill: Skill,
        count: usize,
        milepost: Option<u16>,
        seed: u64,
    ) -> Vec<Record> {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut odds = Odds::default();
        let mut play = |number: usize| {
            let place = random.random_range(0..self.records.len());
            model.weigh(&mut odds, skill, self.turns.turn(place)).expect("losses");
            let mut record = self.records[place].clone();
            record.played = pick(odds.probabilities(), random.random()).expect("probabilities");
            let player = Player { name: format!("player {seed}"), elo: milepost };
            // A turn drawn twice is another turn of the game, not a copy.
            record.ply = number as u16;
            let id = format!("{seed}-{}", number / GAME);
            record.game = GameRecord { id, white: player.clone(), black: player, milepost, ..GameRecord::default() };
            record
        };
        (0..count).map(&mut play).collect()
    }

    pub fn played(&self, model: &ChoiceModel, skill: Skill, count: usize, seed: u64) -> Arc<Turns> {
        turns(self.play(model, skill, count, None, seed), Scale::default(), Selection::ALL)
    }
}

fn takes(record: &Record) -> bool {
    let best = record.moves.first().map_or(0.0, |&(_, best)| Scale::default().pawns(best));
    best.abs() <= 3.0
}
