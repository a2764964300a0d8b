//! What came of a run, in words.

use crate::output::grouped;
use errare_ratings::evaluate::{Seen, Setup};
use std::path::Path;

pub struct Summary<'a> {
    pub seen: Seen,
    /// Turns evaluated by this run; the others were known.
    pub evaluated: u64,
    pub written: u64,
    pub setup: &'a Setup,
    pub folder: &'a Path,
}

impl Summary<'_> {
    pub fn text(&self) -> String {
        let Seen { games, broken, turns, left_out } = self.seen;
        let mut games = format!("{} games", grouped(games));
        if broken > 0 {
            games += &format!(", {} broken ones skipped", grouped(broken));
        }
        let left_out = format!(
            "left out: {} before the first move that counts, {} forced, {} repeated",
            grouped(left_out.early),
            grouped(left_out.forced),
            grouped(left_out.repeated)
        );
        let known = self.written.saturating_sub(self.evaluated);
        let mut lines = vec![
            games,
            left_out,
            format!(
                "{} turns: {} evaluated now, {} known",
                grouped(self.written),
                grouped(self.evaluated),
                grouped(known)
            ),
        ];
        if self.written < turns {
            lines.push(format!("{} turns are missing: the engine failed at them", grouped(turns - self.written)));
        }
        lines.push(format!(
            "engine: {} at depth {} ({})",
            self.setup.name(),
            self.setup.depth(),
            self.setup.settings()
        ));
        lines.push(format!("written to {}", self.folder.display()));
        lines.join("\n") + "\n"
    }
}
