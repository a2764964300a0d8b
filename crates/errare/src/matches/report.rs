//! What `errare match` tells: lengths, results, apparent competence.

use crate::modelling::ToldModel;
use crate::output::{Grid, grouped};
use errare_choice::Grid as Competences;
use errare_endgame::{AgentSpec, Concession, Played, Reason};
use serde::Serialize;
use shakmaty::{ByColor, Color};
use std::collections::BTreeMap;

/// The rule of chess.
const FIFTY: u32 = 50;

/// Mean and deviation of numbers that come one by one (Welford's way), with their extremes.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    count: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Moments {
    fn default() -> Moments {
        Moments { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }
}

impl Moments {
    fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
        self.min = self.min.min(number);
        self.max = self.max.max(number);
    }

    fn sd(&self) -> f64 {
        if self.count > 1 { (self.squares / (self.count - 1) as f64).sqrt() } else { 0.0 }
    }
}

/// Games counted.
#[derive(Debug, Default)]
pub struct Tally {
    lengths: BTreeMap<u32, u64>,
    moves: Moments,
    white: u64,
    black: u64,
    drawn: u64,
    in_time: u64,
    reasons: BTreeMap<&'static str, u64>,
    apparent: ByColor<Moments>,
    concessions: ByColor<u64>,
    concession_moves: Moments,
}

impl Tally {
    pub fn add(&mut self, game: &Played) {
        let length = game.length();
        *self.lengths.entry(length).or_default() += 1;
        self.moves.add(f64::from(length));
        match game.winner {
            Some(Color::White) => self.white += 1,
            Some(Color::Black) => self.black += 1,
            None => self.drawn += 1,
        }
        self.in_time += u64::from(game.winner.is_some() && !game.claimable);
        let reason = match game.reason {
            Reason::Mate => "mate",
            Reason::Dead => "stalemate or bare kings",
            Reason::Conversion => "conversion",
            Reason::Rule => "move rule",
            Reason::Length => "broken off",
        };
        *self.reasons.entry(reason).or_default() += 1;
        self.apparent.white.add(game.apparent.white);
        self.apparent.black.add(game.apparent.black);
        if let Some(Concession { by, at_move }) = game.first_concession {
            *self.concessions.get_mut(by) += 1;
            self.concession_moves.add(f64::from(at_move));
        }
    }
}

/// Under which conditions the games were played.
pub struct Conditions {
    pub fen: String,
    pub agents: ByColor<AgentSpec>,
    pub model: ToldModel,
    pub grid: Competences,
    pub seed: u64,
}

#[derive(Debug, Serialize)]
pub struct Report {
    fen: String,
    white: String,
    black: String,
    model: ToldModel,
    grid: String,
    seed: u64,
    games: u64,
    mean_moves: f64,
    sd_moves: f64,
    min_moves: u32,
    max_moves: u32,
    results: Results,
    reasons: BTreeMap<&'static str, u64>,
    apparent_c: Apparent,
    apparent_c_by_side: BySide,
    fifty_moves: InTime,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_concession: Option<FirstConcession>,
    lengths: BTreeMap<u32, u64>,
}

#[derive(Debug, Serialize)]
struct Results {
    #[serde(rename = "1-0")]
    white: u64,
    #[serde(rename = "0-1")]
    black: u64,
    #[serde(rename = "1/2-1/2")]
    drawn: u64,
}

#[derive(Clone, Debug, Serialize)]
struct Apparent {
    side: &'static str,
    mean: f64,
    sd: f64,
    min: f64,
    max: f64,
}

#[derive(Debug, Serialize)]
struct BySide {
    white: Apparent,
    black: Apparent,
}

#[derive(Debug, Serialize)]
struct InTime {
    moves: u32,
    won: u64,
    not_won: u64,
}

#[derive(Debug, Serialize)]
struct FirstConcession {
    games: u64,
    white: u64,
    black: u64,
    mean_moves: f64,
    sd_moves: f64,
}

impl Report {
    pub fn new(conditions: Conditions, tally: &Tally) -> Report {
        let Conditions { fen, agents, model, grid, seed } = conditions;
        let apparent = |side: &'static str, moments: &Moments| Apparent {
            side,
            mean: moments.mean,
            sd: moments.sd(),
            min: moments.min,
            max: moments.max,
        };
        let by_side =
            BySide { white: apparent("white", &tally.apparent.white), black: apparent("black", &tally.apparent.black) };
        // Of the two the one who errs.
        let black_errs = agents.white.is_infallible() && !agents.black.is_infallible();
        let concessions = tally.concessions.white + tally.concessions.black;
        Report {
            fen,
            white: agents.white.to_string(),
            black: agents.black.to_string(),
            model,
            grid: grid.to_string(),
            seed,
            games: tally.moves.count,
            mean_moves: tally.moves.mean,
            sd_moves: tally.moves.sd(),
            min_moves: tally.lengths.keys().next().copied().unwrap_or(0),
            max_moves: tally.lengths.keys().next_back().copied().unwrap_or(0),
            results: Results { white: tally.white, black: tally.black, drawn: tally.drawn },
            reasons: tally.reasons.clone(),
            apparent_c: if black_errs { by_side.black.clone() } else { by_side.white.clone() },
            apparent_c_by_side: by_side,
            fifty_moves: InTime { moves: FIFTY, won: tally.in_time, not_won: tally.moves.count - tally.in_time },
            first_concession: (concessions > 0).then(|| FirstConcession {
                games: concessions,
                white: tally.concessions.white,
                black: tally.concessions.black,
                mean_moves: tally.concession_moves.mean,
                sd_moves: tally.concession_moves.sd(),
            }),
            lengths: tally.lengths.clone(),
        }
    }

    pub fn lengths_grid(&self) -> Grid {
        let mut grid = Grid::new(&["moves", "games"]);
        self.lengths.iter().for_each(|(moves, games)| grid.push([moves.to_string(), games.to_string()]));
        grid
    }

    pub fn sentences(&self) -> Vec<String> {
        let percent = |part: u64| format!("{:.1}%", 100.0 * part as f64 / self.games.max(1) as f64);
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, games)| format!("{reason} {}", grouped(*games))).collect();
        let apparent = |name: &str, agent: &str, seen: &Apparent| {
            format!(
                "apparent c of {name} ({agent}): mean {:.3}, sd {:.3}, {:.2} to {:.2}",
                seen.mean, seen.sd, seen.min, seen.max
            )
        };
        let error = self.sd_moves / (self.games.max(1) as f64).sqrt();
        let mut lines = vec![
            self.fen.clone(),
            format!(
                "{}, {} against {} ({}; seed {})",
                games(self.games),
                self.white,
                self.black,
                self.model.sentence(),
                self.seed
            ),
            format!(
                "results: 1-0 {} ({}), 0-1 {} ({}), drawn {} ({}); by {}",
                grouped(self.results.white),
                percent(self.results.white),
                grouped(self.results.black),
                percent(self.results.black),
                grouped(self.results.drawn),
                percent(self.results.drawn),
                reasons.join(", ")
            ),
            format!(
                "moves: mean {:.2} (standard error {error:.2}), sd {:.2}, {} to {}",
                self.mean_moves, self.sd_moves, self.min_moves, self.max_moves
            ),
            format!(
                "won before a draw could be claimed by the {}-move rule: {} ({})",
                self.fifty_moves.moves,
                grouped(self.fifty_moves.won),
                percent(self.fifty_moves.won)
            ),
            apparent("White", &self.white, &self.apparent_c_by_side.white),
            apparent("Black", &self.black, &self.apparent_c_by_side.black),
        ];
        if let Some(first) = &self.first_concession {
            lines.push(format!(
                "the value changed hands in {} ({}): first by White in {}, by Black in {}, \
                 after {:.1} moves of theirs on average (sd {:.1})",
                games(first.games),
                percent(first.games),
                grouped(first.white),
                grouped(first.black),
                first.mean_moves,
                first.sd_moves
            ));
        }
        lines
    }
}

fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}
