//! The loop closed: moves drawn from the calibration that comes with the program, for players of an Elo, are rated by it.

use crate::common::{Test, engine, records, turns};
use errare_choice::pick;
use errare_ratings::{Calibration, Evaluation, GameRecord, Player, RatingOptions, Record, Sample, Scale, Selection};
use errare_work::Silent;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Turns to a game, and the ply of its first one.
const GAME: usize = 50;
const FIRST_PLY: usize = 16;

/// Turns of a player of an Elo, on positions of real games.
fn played(calibration: &Calibration, spreads: &[Record], elo: u16, count: usize, seed: u64) -> Vec<Record> {
    let mut random = Pcg64::seed_from_u64(seed);
    let player = Player { name: format!("elo {elo}"), elo: None };
    let mut play = |number: usize| {
        let mut record = spreads[random.random_range(0..spreads.len())].clone();
        record.ply = (FIRST_PLY + number % GAME) as u16;
        let evaluations: Vec<Evaluation> = record.moves.iter().map(|&(_, evaluation)| evaluation).collect();
        let chances = calibration.move_probabilities(f64::from(elo), &evaluations, record.ply, &Silent);
        record.played = pick(&chances.expect("probabilities"), random.random()).expect("a move");
        let id = format!("{elo}-{}", number / GAME);
        record.game = GameRecord { id, white: player.clone(), black: player.clone(), ..GameRecord::default() };
        record
    };
    (0..count).map(&mut play).collect()
}

#[test]
fn players_of_an_elo_are_rated_at_their_elo() -> Test {
    let calibration = Calibration::shipped_for(&engine()).ok_or("a calibration")?;
    let pawns = |record: &Record| record.moves.first().map_or(0.0, |&(_, best)| Scale::default().pawns(best));
    let spreads: Vec<Record> = records().into_iter().filter(|record| pawns(record).abs() <= 3.0).collect();
    let (low, high) = calibration.range();
    let mut found = Vec::new();
    for share in [0.1, 0.4, 0.7, 0.95] {
        let elo = (low + share * (high - low)).round();
        let moves = played(&calibration, &spreads, elo as u16, 600, elo as u64);
        let turns = turns(moves, Scale::default(), Selection::ALL);
        let rating = calibration.rate(&Sample::all(&turns), RatingOptions::default(), &Silent)?;
        let (least, most) = rating.interval;
        assert!(least <= elo && elo <= most, "{elo}: {} ({least} to {most})", rating.elo);
        found.push(rating.elo);
    }
    assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
    Ok(())
}
