//! Findings in tables in plain sentences.

use crate::numbers::{counted, grouped};
use crate::{
    Depth, DepthsThereAre, Disagreement, FoundPositions, Outcome, Side, SquareFault, SquaresResponse, TableEntry,
    TableVerification,
};
use errare_tables::Metric;

impl FoundPositions {
    /// Explains that no position matches, and which depths occur.
    #[must_use]
    pub fn no_match_sentence(&self) -> String {
        let side = |side: Side| {
            let there: Vec<String> = self.depths.iter().filter(|depths| depths.turn == side).map(depths).collect();
            format!("with {} to move there are {}", side.title(), there.join(", "))
        };
        let FoundPositions { material, metric, .. } = self;
        format!("no position of {material} matches; by {metric}, {}; {}", side(Side::White), side(Side::Black))
    }

    /// Counts the positions that match, and describes which of them are listed.
    #[must_use]
    pub fn summary_sentence(&self) -> String {
        let listed = match self.seed {
            Some(seed) if (self.positions.len() as u64) < self.matched => {
                format!("a sample of {}, seed {seed}", grouped(self.positions.len() as u64))
            }
            _ => "all of them".to_owned(),
        };
        format!(
            "{} to {}: {} match up to symmetry, {} with White to move and {} with Black; {listed}",
            self.material,
            self.metric,
            counted(self.matched, "position"),
            grouped(self.white_to_move),
            grouped(self.black_to_move)
        )
    }
}

fn depths(depths: &DepthsThereAre) -> String {
    let name = match (depths.outcome.name(), depths.count) {
        (name, 1) => name.to_owned(),
        ("loss", _) => "losses".to_owned(),
        ("blessed-loss", _) => "blessed losses".to_owned(),
        (name, _) => format!("{}s", name.replace('-', " ")),
    };
    let range = match (depths.min_moves, depths.max_moves) {
        (Some(min), Some(max)) if min == max => format!(" in {min}"),
        (Some(min), Some(max)) => format!(" in {min} to {max}"),
        _ => String::new(),
    };
    format!("{} {name}{range}", grouped(depths.count))
}

impl SquaresResponse {
    /// Explains those signs of a board of values that occur on it.
    #[must_use]
    pub fn legend(&self, metric: Metric, mover: Side) -> Vec<String> {
        let mover = mover.title();
        let has = |wanted: &[Outcome]| {
            self.squares.iter().filter_map(|there| there.value).any(|value| wanted.contains(&value.outcome))
        };
        let goal = match metric {
            Metric::Dtm => "to mate",
            Metric::Dtc => "to conversion",
            Metric::Dtz | Metric::DtzRule(_) => "to a zeroing move",
            Metric::Dtr => "in the longest phase",
        };
        let mut lines = vec![format!("for {mover}, who is to move, in moves of the winner {goal}:")];
        let is_spoilt = has(&[Outcome::CursedWin, Outcome::BlessedLoss]);
        let has_fault =
            self.squares.iter().any(|there| there.fault.is_some_and(|fault| fault != SquareFault::Occupied));
        let signs = [
            (has(&[Outcome::Win, Outcome::CursedWin]), "+ win"),
            (has(&[Outcome::Draw]), "= draw"),
            (has(&[Outcome::Loss, Outcome::BlessedLoss]), "- loss"),
            (is_spoilt, "* a draw by the move rule"),
            (has_fault, "x no legal position"),
        ];
        let shown: Vec<&str> = signs.iter().filter(|(occurs, _)| *occurs).map(|(_, sign)| *sign).collect();
        lines.push(shown.join(", "));
        lines
    }
}

impl TableVerification {
    /// Describes the finding in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let extent = match (self.placements, self.seed) {
            (Some(placements), Some(seed)) => format!("sample of {}, seed {seed}", counted(placements, "placement")),
            _ => "whole table".to_owned(),
        };
        let found = match (&self.disagreement, &self.damage) {
            (_, Some(damage)) => damage.clone(),
            (Some(Disagreement { fen, stored, expected }), None) => format!(
                "disagreement at {fen}: stored {}, expected {}",
                entry_words(stored.as_ref(), &self.metric),
                entry_words(expected.as_ref(), &self.metric)
            ),
            (None, None) => format!("{} checked, no disagreement", counted(self.checked, "position")),
        };
        format!("{} {} ({extent}): {found}", self.material, self.metric)
    }
}

fn entry_words(entry: Option<&TableEntry>, metric: &str) -> String {
    match entry {
        None => "no position".to_owned(),
        Some(TableEntry { depth: Depth { outcome, plies: None, .. }, .. }) => outcome.name().to_owned(),
        Some(TableEntry { depth: Depth { outcome, plies: Some(plies), .. }, phase_plies }) => {
            let phase =
                if plies == phase_plies { String::new() } else { format!(", phase {}", counted(*phase_plies, "ply")) };
            format!("{}, {metric} {}{phase}", outcome.name(), counted(*plies, "ply"))
        }
    }
}
