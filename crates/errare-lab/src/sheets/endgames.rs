//! Sheets of operations on players in endgames.

use crate::csv_cell::{cell, exact};
use crate::sheet::{Sheet, ToSheet};
use crate::{
    ChooseResponse, ComparedStrategy, ContestResponse, LineResponse, MarkovResponse, MatchResponse, MatchScoreSummary,
    PredictResponse, StrategyCompareResponse, StrategyFollowResponse, SweepResponse, WholeGamesResponse,
};
use std::collections::BTreeMap;

impl ToSheet for ChooseResponse {
    /// Makes the sheet of the sweep if there is one, else a row for each move.
    fn to_sheet(&self) -> Sheet {
        self.sweep.as_ref().map_or_else(|| self.candidate_sheet(), ToSheet::to_sheet)
    }
}

impl ChooseResponse {
    /// Makes a sheet of the moves, a row each.
    #[must_use]
    pub fn candidate_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["uci", "move", "outcome", "depth", "preference", "probability", "expectation"]);
        for mv in &self.candidates {
            sheet.push([
                mv.name.uci.clone(),
                mv.name.san.clone(),
                mv.outcome.name().to_owned(),
                cell(mv.depth),
                cell(mv.preference.map(exact)),
                exact(mv.probability),
                cell(mv.expectation.map(exact)),
            ]);
        }
        sheet
    }
}

impl ToSheet for SweepResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["competence", "uci", "move", "expectation"]);
        for (place, c) in self.competences.iter().enumerate() {
            for mv in &self.moves {
                let expectation = exact(mv.expectations[place]);
                sheet.push([exact(*c), mv.name.uci.clone(), mv.name.san.clone(), expectation]);
            }
        }
        sheet
    }
}

impl ToSheet for MatchResponse {
    fn to_sheet(&self) -> Sheet {
        lengths(&self.lengths, self.score.as_ref())
    }
}

impl ToSheet for WholeGamesResponse {
    fn to_sheet(&self) -> Sheet {
        lengths(&self.lengths, self.score.as_ref())
    }
}

/// Makes a row for each length of games; the score, which is that of all games, stands in every row.
fn lengths(lengths: &BTreeMap<u32, u64>, score: Option<&MatchScoreSummary>) -> Sheet {
    let mut sheet = Sheet::new(&["moves", "games", "score", "elo", "elo_low", "elo_high"]);
    let figures = [
        cell(score.map(|score| score.share)),
        cell(score.map(|score| score.elo)),
        cell(score.map(|score| score.elo_interval[0])),
        cell(score.map(|score| score.elo_interval[1])),
    ];
    for (moves, games) in lengths {
        sheet.push([moves.to_string(), games.to_string()].into_iter().chain(figures.clone()));
    }
    sheet
}

impl ContestResponse {
    /// Makes a table for people, with as many digits as they read.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let mut grid = Sheet::new(&[
            "engine", "limit", "side", "games", "broken", "won", "moves", "of", "conceded", "gave up", "optimal", "c",
            "90%", "error",
        ]);
        for row in &self.results {
            let games = row.games.max(1) as f64;
            let number = |value: Option<f64>| cell(value.map(|value| format!("{value:.1}")));
            grid.push([
                row.engine.clone(),
                row.limit.clone(),
                row.side.name().to_owned(),
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
}

impl ToSheet for ContestResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&[
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
            sheet.push([
                row.engine.clone(),
                row.limit.clone(),
                row.side.name().to_owned(),
                row.games.to_string(),
                row.broken.to_string(),
                cell(row.won),
                cell(row.mean_moves.map(exact)),
                cell(row.mean_depth.map(exact)),
                row.moves.to_string(),
                row.optimal.to_string(),
                row.conceded.to_string(),
                row.let_go.to_string(),
                row.impossible.to_string(),
                exact(row.expected_c),
                exact(row.sd_c),
                exact(row.interval[0]),
                exact(row.interval[1]),
                cell(row.standard_error.map(exact)),
            ]);
        }
        sheet
    }
}

impl ToSheet for PredictResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["within", "left", "won", "lost"]);
        for (moves, chances) in &self.within {
            sheet.push([moves.to_string(), chances.left.to_string(), exact(chances.won), exact(chances.lost)]);
        }
        sheet
    }
}

impl ToSheet for MarkovResponse {
    /// Makes a row for each competence and depth; with the endgame, if several have states of their own.
    fn to_sheet(&self) -> Sheet {
        let within = self.results.first().map(|outlook| outlook.win_within.keys()).into_iter().flatten();
        let has_blocks = self.results.iter().any(|outlook| !outlook.blocks.is_empty());
        let named =
            if has_blocks { &["c", "endgame", "depth", "length", "sd"][..] } else { &["c", "depth", "length", "sd"] };
        let mut columns: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
        columns.extend(within.map(|moves| format!("within_{moves}")));
        let mut sheet = Sheet::with_columns(columns);
        for outlook in &self.results {
            let mut push = |endgame: &str, lengths: &[f64], sds: &[f64], within: &BTreeMap<u32, Vec<f64>>| {
                for (depth, (&length, &sd)) in lengths.iter().zip(sds).enumerate() {
                    let endgame = has_blocks.then(|| endgame.to_owned());
                    let about = [depth.to_string(), exact(length), exact(sd)];
                    let chances = within.values().map(|chances| exact(chances[depth]));
                    let row = [outlook.competence.to_string()].into_iter().chain(endgame).chain(about).chain(chances);
                    sheet.push(row);
                }
            };
            push(&self.material, &outlook.lengths, &outlook.sd, &outlook.win_within);
            outlook.blocks.iter().for_each(|block| push(&block.material, &block.lengths, &block.sd, &block.win_within));
        }
        sheet
    }
}

impl MarkovResponse {
    /// Makes a sheet of the entries of all matrices that are not 0.
    #[must_use]
    pub fn matrix_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["competence", "from", "to", "probability"]);
        for matrix in &self.matrices {
            for entry in &matrix.transitions {
                let competence = matrix.competence.to_string();
                sheet.push([competence, entry.from.clone(), entry.to.clone(), exact(entry.probability)]);
            }
        }
        sheet
    }
}

impl ToSheet for LineResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["line", "ply", "uci", "san", "mark", "alternatives"]);
        for (number, line) in self.lines.iter().enumerate() {
            for mv in &line.moves {
                let texts = [mv.uci.clone(), mv.san.clone(), mv.mark.clone(), mv.alternatives.join(" ")];
                sheet.push([(number + 1).to_string(), mv.ply.to_string()].into_iter().chain(texts));
            }
        }
        sheet
    }
}

impl ToSheet for StrategyCompareResponse {
    fn to_sheet(&self) -> Sheet {
        let columns = ["strategy", "kept", "slipped", "share", "low", "high", "unsettled", "drawn", "example"];
        let mut sheet = Sheet::new(&columns);
        self.strategies.iter().for_each(|strategy| sheet.push(strategy.cells(exact, [cell(strategy.drawn)])));
        sheet
    }
}

impl StrategyCompareResponse {
    /// Makes a table for people, with shares as percentages.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let mut sheet = Sheet::new(&["strategy", "kept", "slipped", "share", "low", "high", "unsettled", "example"]);
        let percent = |share: f64| format!("{:.3}%", 100.0 * share);
        self.strategies.iter().for_each(|strategy| sheet.push(strategy.cells(percent, None)));
        sheet
    }
}

impl ComparedStrategy {
    fn cells(&self, number: impl Fn(f64) -> String, drawn: impl IntoIterator<Item = String>) -> Vec<String> {
        let counts = [self.kept, self.slipped].map(|count| count.to_string());
        let shares = [self.share, self.low, self.high].map(|share| cell(share.map(&number)));
        let mut cells = vec![self.strategy.clone()];
        cells.extend(counts.into_iter().chain(shares).chain([self.unsettled.to_string()]));
        cells.extend(drawn);
        cells.push(cell(self.examples.first().map(|example| &example.fen)));
        cells
    }
}

impl ToSheet for StrategyFollowResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&["strategy", "outcome", "line"]);
        for strategy in &self.strategies {
            sheet.push([strategy.strategy.clone(), strategy.outcome.name().to_owned(), strategy.line.join(" ")]);
        }
        sheet
    }
}
