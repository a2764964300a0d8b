//! What `errare contest` tells.

use super::games::{Contest, Game, Side};
use super::player::Record;
use super::positions::Spread;

use crate::output::{Grid, cell};
use clap::ValueEnum;
use errare_choice::{Grid as Competences, Posterior};
use errare_endgame::{Analysis, EndgameError, INTERVAL_SHARE, Played};
use errare_lab::{ModelSummary, fen_of};
use errare_tables::Material;
use serde::Serialize;
use shakmaty::Color;
use std::collections::BTreeMap;

/// Under which conditions the games were played.
pub struct Conditions {
    pub material: Material,
    pub model: ModelSummary,
    pub grid: Competences,
    pub seed: u64,
    pub spread: Spread,
}

#[derive(Debug, Serialize)]
pub struct Report {
    material: String,
    model: ModelSummary,
    grid: String,
    seed: u64,
    spread: String,
    starts: Vec<ToldStart>,
    results: Vec<Row>,
    broken: Vec<Broken>,
}

#[derive(Debug, Serialize)]
struct ToldStart {
    fen: String,
    depth: u16,
}

#[derive(Debug, Serialize)]
struct Broken {
    engine: String,
    limit: String,
    side: &'static str,
    fen: String,
    reason: String,
}

/// One engine at one limit on one side, or on both.
#[derive(Debug, Serialize)]
struct Row {
    engine: String,
    limit: String,
    side: &'static str,
    games: u64,
    broken: u64,
    /// By the stronger side, whoever played it; none for both sides together.
    won: Option<u64>,
    /// Moves of the stronger side in the games that it won.
    mean_moves: Option<f64>,
    /// And what they would have been between infallible players.
    mean_depth: Option<f64>,
    moves: u64,
    optimal: u64,
    conceded: u64,
    let_go: u64,
    impossible: u64,
    expected_c: f64,
    sd_c: f64,
    interval: [f64; 2],
    standard_error: Option<f64>,
}

impl Report {
    pub fn new(conditions: Conditions, contest: &Contest<'_>, games: &[Game]) -> Result<Report, EndgameError> {
        let Conditions { material, model, grid, seed, spread } = conditions;
        let mut results = Vec::new();
        for entrant in 0..contest.entrants.len() {
            for limit in 0..contest.limits.len() {
                let own = |game: &&Game| game.entrant == entrant && game.limit == limit;
                let own: Vec<&Game> = games.iter().filter(own).collect();
                for &side in contest.sides {
                    let on_side: Vec<&Game> = own.iter().copied().filter(|game| game.side == side).collect();
                    results.push(row(contest, &on_side, Some(side))?);
                }
                if contest.sides.len() > 1 {
                    results.push(row(contest, &own, None)?);
                }
            }
        }
        let broken = games.iter().filter_map(|game| {
            Some(Broken {
                engine: contest.entrants[game.entrant].name.clone(),
                limit: contest.limits[game.limit].to_string(),
                side: game.side.name(),
                fen: fen_of(&contest.starts[game.start].position),
                reason: game.result.as_ref().err()?.clone(),
            })
        });
        let starts = contest.starts.iter();
        Ok(Report {
            material: material.to_string(),
            model,
            grid: grid.to_string(),
            seed,
            spread: spread.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()),
            starts: starts.map(|start| ToldStart { fen: fen_of(&start.position), depth: start.depth }).collect(),
            results: results.into_iter().flatten().collect(),
            broken: broken.collect(),
        })
    }

    pub fn heading(&self) -> String {
        let depths = self.starts.iter().map(|start| start.depth);
        format!(
            "{}: {} wins of White, {} {} to {} moves; engines without tables against the infallible player\n\
             ({}; grid {}; seed {})",
            self.material,
            self.starts.len(),
            self.model.metric,
            depths.clone().min().unwrap_or(0),
            depths.max().unwrap_or(0),
            self.model.sentence(),
            self.grid,
            self.seed
        )
    }

    pub fn table(&self) -> Grid {
        let mut grid = Grid::new(&[
            "engine", "limit", "side", "games", "broken", "won", "moves", "of", "conceded", "let go", "optimal", "c",
            "90%", "error",
        ]);
        for row in &self.results {
            let games = row.games.max(1) as f64;
            let number = |value: Option<f64>| cell(value.map(|value| format!("{value:.1}")));
            grid.push([
                row.engine.clone(),
                row.limit.clone(),
                row.side.to_owned(),
                row.games.to_string(),
                row.broken.to_string(),
                cell(row.won.map(|won| format!("{:.0}%", 100.0 * won as f64 / games))),
                number(row.mean_moves),
                number(row.mean_depth),
                format!("{:.2}", row.conceded as f64 / games),
                row.let_go.to_string(),
                format!("{:.1}%", 100.0 * row.optimal as f64 / row.moves.max(1) as f64),
                format!("{:.2}", row.expected_c),
                format!("{:.2} to {:.2}", row.interval[0], row.interval[1]),
                cell(row.standard_error.map(|error| format!("{error:.2}"))),
            ]);
        }
        grid
    }

    pub fn csv(&self) -> Grid {
        let mut grid = Grid::new(&[
            "engine",
            "limit",
            "side",
            "games",
            "broken",
            "won",
            "mean_moves",
            "mean_depth",
            "moves",
            "optimal",
            "conceded",
            "let_go",
            "impossible",
            "expected_c",
            "sd_c",
            "low",
            "high",
            "standard_error",
        ]);
        for row in &self.results {
            grid.push([
                row.engine.clone(),
                row.limit.clone(),
                row.side.to_owned(),
                row.games.to_string(),
                row.broken.to_string(),
                cell(row.won),
                cell(row.mean_moves),
                cell(row.mean_depth),
                row.moves.to_string(),
                row.optimal.to_string(),
                row.conceded.to_string(),
                row.let_go.to_string(),
                row.impossible.to_string(),
                row.expected_c.to_string(),
                row.sd_c.to_string(),
                row.interval[0].to_string(),
                row.interval[1].to_string(),
                cell(row.standard_error),
            ]);
        }
        grid
    }
}

/// None if there were no games at all.
fn row(contest: &Contest<'_>, games: &[&Game], side: Option<Side>) -> Result<Option<Row>, EndgameError> {
    let Some(first) = games.first() else { return Ok(None) };
    let finished: Vec<(&Game, &(Played, Record))> =
        games.iter().filter_map(|game| Some((*game, game.result.as_ref().ok()?))).collect();
    let mut record = Record::new(contest.analysis);
    finished.iter().for_each(|(_, (_, own))| record.merge(own));
    let won: Vec<(f64, f64)> = finished
        .iter()
        .filter(|(_, (played, _))| played.winner == Some(Color::White))
        .map(|(game, (played, _))| (f64::from(played.length()), f64::from(contest.starts[game.start].depth)))
        .collect();
    let posterior = learned(contest.analysis, &record.log_likelihoods)?;
    let (low, high) = posterior.interval(INTERVAL_SHARE);
    Ok(Some(Row {
        engine: contest.entrants[first.entrant].name.clone(),
        limit: contest.limits[first.limit].to_string(),
        side: side.map_or("both", Side::name),
        games: finished.len() as u64,
        broken: (games.len() - finished.len()) as u64,
        won: side.map(|_| won.len() as u64),
        mean_moves: side.and_then(|_| mean(won.iter().map(|(moves, _)| *moves))),
        mean_depth: side.and_then(|_| mean(won.iter().map(|(_, depth)| *depth))),
        moves: record.moves,
        optimal: record.optimal,
        conceded: record.conceded,
        let_go: record.let_go,
        impossible: record.impossible,
        expected_c: posterior.mean(),
        sd_c: posterior.sd(),
        interval: [low, high],
        standard_error: standard_error(contest, &finished)?,
    }))
}

fn learned(analysis: &Analysis, log_likelihoods: &[f64]) -> Result<Posterior, EndgameError> {
    let mut analyser = analysis.analyser();
    let _ = analyser.learn(log_likelihoods)?;
    Ok(analyser.posterior().clone())
}

/// Of the expected competence, by leaving out one position at a time (the jackknife): moves of one game have much in
/// common, and no engine is an R_c. None for fewer than two positions.
fn standard_error(contest: &Contest<'_>, finished: &[(&Game, &(Played, Record))]) -> Result<Option<f64>, EndgameError> {
    let mut by_start: BTreeMap<usize, Record> = BTreeMap::new();
    for (game, (_, record)) in finished {
        by_start.entry(game.start).or_insert_with(|| Record::new(contest.analysis)).merge(record);
    }
    let sums: Vec<&[f64]> = by_start.values().map(|record| &record.log_likelihoods[..]).collect();
    let mut later = vec![Record::new(contest.analysis).log_likelihoods];
    for sum in sums.iter().rev() {
        later.push(added(&later[later.len() - 1], sum));
    }
    let mut earlier = later[0].clone();
    let mut means = Vec::new();
    for (sum, later) in sums.iter().zip(later.iter().rev().skip(1)) {
        means.push(learned(contest.analysis, &added(&earlier, later))?.mean());
        earlier = added(&earlier, sum);
    }
    let Some(centre) = mean(means.iter().copied()).filter(|_| means.len() > 1) else { return Ok(None) };
    let squares: f64 = means.iter().map(|mean| (mean - centre).powi(2)).sum();
    Ok(Some((squares * (means.len() - 1) as f64 / means.len() as f64).sqrt()))
}

fn added(one: &[f64], two: &[f64]) -> Vec<f64> {
    one.iter().zip(two).map(|(one, two)| one + two).collect()
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = numbers.len();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}
