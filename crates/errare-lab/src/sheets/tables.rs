//! Sheets of operations on tables.

use crate::csv_cell::{cell, exact};
use crate::sheet::{Sheet, SheetRows, ToSheet};
use crate::{
    BuiltTable, Depth, Difference, EndgameStatistics, FoundPositions, ListResponse, ProbeResponse, SquareFault,
    SquaresResponse, TableComparison, TableEntry, TableVerification, Zugzwang,
};
use std::collections::BTreeMap;

impl SheetRows for BuiltTable {
    const COLUMNS: &'static [&'static str] = &[
        "material",
        "metric",
        "state",
        "solving_seconds",
        "solving_cpu_seconds",
        "storing_seconds",
        "storing_cpu_seconds",
        "peak_memory_bytes",
        "bytes",
        "white_max_plies",
        "black_max_plies",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        vec![vec![
            self.material.clone(),
            self.metric.clone(),
            self.state.name().to_owned(),
            cell(self.solving_seconds.map(exact)),
            cell(self.solving_cpu_seconds.map(exact)),
            cell(self.storing_seconds.map(exact)),
            cell(self.storing_cpu_seconds.map(exact)),
            cell(self.peak_memory_bytes),
            self.bytes.to_string(),
            cell(self.white_max_plies),
            cell(self.black_max_plies),
        ]]
    }
}

impl ToSheet for ProbeResponse {
    /// Makes a row for the position, its uci and san empty, then one for each move; three columns for each further
    /// metric.
    fn to_sheet(&self) -> Sheet {
        let mut columns: Vec<String> =
            ["fen", "metric", "uci", "san", "outcome", "plies", "moves", "zeroing", "phase_plies"]
                .map(Into::into)
                .into();
        for metric in self.also.keys() {
            columns.extend(["outcome", "plies", "moves"].map(|what| format!("{metric}_{what}")));
        }
        let mut sheet = Sheet::with_columns(columns);
        let value = |depth: &Depth| {
            let [outcome, plies] = outcome_and_plies(depth);
            [outcome, plies, cell(depth.moves)]
        };
        let mut push = |names: [&str; 2], depth, zeroing: Option<bool>, phase: Option<Option<u16>>, also: &Depths| {
            let about = [self.fen.as_str(), self.metric.as_str(), names[0], names[1]].map(str::to_owned);
            let more = [cell(zeroing), cell(phase.flatten())];
            sheet.push(about.into_iter().chain(value(depth)).chain(more).chain(also.values().flat_map(value)));
        };
        push(["", ""], &self.depth, None, self.phase_plies, &self.also);
        for mv in &self.successors {
            push([&mv.uci, &mv.san], &mv.depth, Some(mv.zeroing), mv.phase_plies, &mv.also);
        }
        sheet
    }
}

/// Depths by metric.
type Depths = BTreeMap<String, Depth>;

impl ToSheet for SquaresResponse {
    /// Makes a row for each square.
    fn to_sheet(&self) -> Sheet {
        let mut sheet =
            Sheet::new(&["square", "man", "metric", "outcome", "plies", "moves", "phase_plies", "fault", "position"]);
        for there in &self.squares {
            sheet.push([
                there.square.clone(),
                self.man.to_string(),
                self.metric.clone(),
                cell(there.value.map(|value| value.outcome.name())),
                cell(there.value.and_then(|value| value.plies)),
                cell(there.value.and_then(|value| value.moves)),
                cell(there.phase_plies),
                cell(there.fault.map(SquareFault::name)),
                cell(there.fen.clone()),
            ]);
        }
        sheet
    }
}

impl ToSheet for Vec<EndgameStatistics> {
    /// Makes a sheet of the mutual zugzwangs if they are listed, else of the histograms.
    fn to_sheet(&self) -> Sheet {
        if self.iter().any(|endgame| endgame.mutual_zugzwangs.list.is_some()) {
            zugzwangs(self)
        } else {
            histograms(self)
        }
    }
}

fn histograms(endgames: &[EndgameStatistics]) -> Sheet {
    let mut sheet =
        Sheet::new(&["material", "metric", "count_convention", "side_to_move", "outcome", "plies", "count"]);
    for found in endgames {
        for (turn, side) in [("white", &found.white_to_move), ("black", &found.black_to_move)] {
            for bin in &side.histogram {
                sheet.push([
                    found.material.clone(),
                    found.metric.clone(),
                    found.count.clone(),
                    turn.to_owned(),
                    bin.outcome.name().to_owned(),
                    cell(bin.plies),
                    bin.count.to_string(),
                ]);
            }
        }
    }
    sheet
}

fn zugzwangs(endgames: &[EndgameStatistics]) -> Sheet {
    let mut sheet = Sheet::new(&["material", "fen", "white_outcome", "white_plies", "black_outcome", "black_plies"]);
    for found in endgames {
        for Zugzwang { fen, white_to_move, black_to_move } in found.mutual_zugzwangs.list.iter().flatten() {
            let depths = [white_to_move, black_to_move].map(outcome_and_plies);
            sheet.push([found.material.clone(), fen.clone()].into_iter().chain(depths.into_iter().flatten()));
        }
    }
    sheet
}

fn outcome_and_plies(depth: &Depth) -> [String; 2] {
    [depth.outcome.name().to_owned(), cell(depth.plies)]
}

impl SheetRows for FoundPositions {
    const COLUMNS: &'static [&'static str] =
        &["material", "metric", "fen", "outcome", "plies", "moves", "keeping", "legal"];

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |found: &crate::FoundPosition| {
            let [outcome, plies] = outcome_and_plies(&found.depth);
            let counts = [cell(found.depth.moves), found.keeping.to_string(), found.legal.to_string()];
            let about = [self.material.clone(), self.metric.clone(), found.fen.clone(), outcome, plies];
            about.into_iter().chain(counts).collect()
        };
        self.positions.iter().map(row).collect()
    }
}

impl SheetRows for TableVerification {
    const COLUMNS: &'static [&'static str] = &[
        "material",
        "metric",
        "extent",
        "placements",
        "seed",
        "checked",
        "result",
        "fen",
        "stored_outcome",
        "stored_plies",
        "stored_phase_plies",
        "expected_outcome",
        "expected_plies",
        "expected_phase_plies",
        "damage",
    ];

    fn rows(&self) -> Vec<Vec<String>> {
        let (result, wrong) = match (&self.disagreement, &self.damage) {
            (_, Some(_)) => ("damaged", None),
            (Some(wrong), None) => ("disagreement", Some(wrong)),
            (None, None) => ("agreement", None),
        };
        let about = [
            self.material.clone(),
            self.metric.clone(),
            self.extent.name().to_owned(),
            cell(self.placements),
            cell(self.seed),
            self.checked.to_string(),
            result.to_owned(),
            cell(wrong.map(|wrong| &wrong.fen)),
        ];
        let [stored, expected] = match wrong {
            Some(wrong) => [&wrong.stored, &wrong.expected].map(|entry| entry_cells(entry.as_ref())),
            None => [const { [const { String::new() }; 3] }; 2],
        };
        vec![about.into_iter().chain(stored).chain(expected).chain([cell(self.damage.as_ref())]).collect()]
    }
}

/// Makes the cells of an entry: outcome, plies and plies of the phase.
fn entry_cells(entry: Option<&TableEntry>) -> [String; 3] {
    match entry {
        None => ["no position".to_owned(), String::new(), String::new()],
        Some(TableEntry { depth, phase_plies }) => {
            let [outcome, plies] = outcome_and_plies(depth);
            [outcome, plies, phase_plies.to_string()]
        }
    }
}

impl SheetRows for TableComparison {
    const COLUMNS: &'static [&'static str] = &[
        "material",
        "metric",
        "with",
        "extent",
        "placements",
        "seed",
        "compared",
        "agreeing",
        "rounded",
        "between",
        "disagreeing",
        "fen",
        "our_outcome",
        "our_plies",
        "their_outcome",
        "their_plies",
    ];

    /// Makes a row with the counts, then a row for each difference.
    fn rows(&self) -> Vec<Vec<String>> {
        const EMPTY: [String; 5] = [const { String::new() }; 5];
        let TableComparison { compared, agreeing, rounded, between, disagreeing, .. } = *self;
        let about = [
            self.material.clone(),
            self.metric.clone(),
            self.with.clone(),
            self.extent.name().to_owned(),
            cell(self.placements),
            cell(self.seed),
        ];
        let counts = [compared, agreeing, rounded, between, disagreeing].map(|count| count.to_string());
        let row = |counts: [String; 5], difference: [String; 5]| {
            about.iter().cloned().chain(counts).chain(difference).collect()
        };
        let differences = self.differences.iter().map(|Difference { fen, ours, theirs }| {
            let ([our_outcome, our_plies], [their_outcome, their_plies]) =
                (outcome_and_plies(ours), outcome_and_plies(theirs));
            row(EMPTY, [fen.clone(), our_outcome, our_plies, their_outcome, their_plies])
        });
        std::iter::once(row(counts, EMPTY)).chain(differences).collect()
    }
}

impl ToSheet for ListResponse {
    /// Makes two rows for each table, one for each side to move; then a row for each file that cannot be used.
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&[
            "material",
            "metric",
            "men",
            "bytes",
            "side_to_move",
            "wins",
            "draws",
            "losses",
            "max_win_plies",
            "max_loss_plies",
            "cursed_wins",
            "blessed_losses",
            "unusable",
        ]);
        for table in &self.tables {
            for (name, side) in [("white", &table.white_to_move), ("black", &table.black_to_move)] {
                sheet.push([
                    table.material.clone(),
                    table.metric.clone(),
                    table.men.to_string(),
                    table.bytes.to_string(),
                    name.to_owned(),
                    side.wins.to_string(),
                    side.draws.to_string(),
                    side.losses.to_string(),
                    cell(side.max_win_plies),
                    cell(side.max_loss_plies),
                    side.cursed_wins.to_string(),
                    side.blessed_losses.to_string(),
                    String::new(),
                ]);
            }
        }
        for file in &self.unusable {
            let blank = std::iter::repeat_n(String::new(), 10);
            let about = [file.material.clone(), file.metric.clone()];
            sheet.push(about.into_iter().chain(blank).chain([file.reason.clone()]));
        }
        sheet
    }
}
