//! Scoring the games of a contest.

use super::games::{ContestGame, ContestGames};
use super::{BrokenGame, ContestResult, ContestSide};
use crate::error::LabError;
use crate::notation::fen_of;
use errare_endgame::{INTERVAL_SHARE, PlayRecord, Played};
use shakmaty::Color;
use std::collections::BTreeMap;

/// Computes the results by engine, limit and side, and of both sides together where engines play both.
pub fn results(contest: &ContestGames<'_>, games: &[ContestGame]) -> Result<Vec<ContestResult>, LabError> {
    let mut results = Vec::new();
    for entrant in 0..contest.entrants.len() {
        let own: Vec<&ContestGame> = games.iter().filter(|game| game.entrant == entrant).collect();
        for &side in contest.sides {
            let on_side: Vec<&ContestGame> = own.iter().copied().filter(|game| game.side == side).collect();
            results.push(result(contest, &on_side, side)?);
        }
        if contest.sides.len() > 1 {
            results.push(result(contest, &own, ContestSide::Both)?);
        }
    }
    Ok(results.into_iter().flatten().collect())
}

/// Lists the games that broke.
pub fn broken(contest: &ContestGames<'_>, games: &[ContestGame]) -> Vec<BrokenGame> {
    let broken = games.iter().filter_map(|game| {
        Some(BrokenGame {
            engine: contest.entrants[game.entrant].name.clone(),
            limit: contest.entrants[game.entrant].limit.to_string(),
            side: game.side,
            fen: fen_of(&contest.starts[game.start].position),
            reason: game.result.as_ref().err()?.clone(),
        })
    });
    broken.collect()
}

/// Computes the result of one engine at one limit; none if there were no games at all.
fn result(
    contest: &ContestGames<'_>,
    games: &[&ContestGame],
    side: ContestSide,
) -> Result<Option<ContestResult>, LabError> {
    let Some(first) = games.first() else { return Ok(None) };
    let analysis = contest.analysis;
    let finished: Vec<(&ContestGame, &(Played, PlayRecord))> =
        games.iter().filter_map(|game| Some((*game, game.result.as_ref().ok()?))).collect();
    let mut record = PlayRecord::new(analysis);
    let mut by_start: BTreeMap<usize, PlayRecord> = BTreeMap::new();
    for (game, (_, own)) in &finished {
        record.merge(own);
        by_start.entry(game.start).or_insert_with(|| PlayRecord::new(analysis)).merge(own);
    }
    let by_start: Vec<PlayRecord> = by_start.into_values().collect();
    let won: Vec<(f64, f64)> = finished
        .iter()
        .filter(|(_, (played, _))| played.winner == Some(Color::White))
        .map(|(game, (played, _))| (f64::from(played.length()), f64::from(contest.starts[game.start].depth)))
        .collect();
    let posterior = record.posterior(analysis)?;
    let (low, high) = posterior.interval(INTERVAL_SHARE);
    let of_one_side = side != ContestSide::Both;
    Ok(Some(ContestResult {
        engine: contest.entrants[first.entrant].name.clone(),
        limit: contest.entrants[first.entrant].limit.to_string(),
        side,
        games: finished.len() as u64,
        broken: (games.len() - finished.len()) as u64,
        won: of_one_side.then_some(won.len() as u64),
        mean_moves: mean(won.iter().map(|(moves, _)| *moves)).filter(|_| of_one_side),
        mean_depth: mean(won.iter().map(|(_, depth)| *depth)).filter(|_| of_one_side),
        moves: record.moves,
        optimal: record.optimal,
        conceded: record.conceded,
        let_go: record.let_go,
        impossible: record.impossible,
        expected_c: posterior.mean(),
        sd_c: posterior.sd(),
        interval: [low, high],
        standard_error: PlayRecord::standard_error(analysis, &by_start)?,
    }))
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}
