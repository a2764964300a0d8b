//! What came of a run, in words.

use crate::output::grouped;
use errare_evaluate::{Summary, Survey};
use std::path::Path;

pub fn text(summary: &Summary, folder: &Path) -> String {
    let Survey { games, broken, left_out, .. } = summary.survey;
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
    let turns = format!(
        "{} turns: {} evaluated now, {} known",
        grouped(summary.written),
        grouped(summary.evaluated),
        grouped(summary.known())
    );
    let mut lines = vec![games, left_out, turns];
    if summary.failed() > 0 {
        lines.push(format!("{} turns are missing: the engine failed at them", grouped(summary.failed())));
    }
    lines.push(format!("engine: {} at depth {} ({})", summary.engine, summary.depth, summary.settings));
    lines.push(format!("written to {}", folder.display()));
    lines.join("\n") + "\n"
}
