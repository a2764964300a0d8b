//! Evaluations of games in plain sentences.

use crate::numbers::{counted, grouped};
use crate::{EvaluateResponse, MergeResponse};

impl EvaluateResponse {
    /// Describes what was evaluated, left out and written, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut games = counted(self.games, "game");
        if self.broken_games > 0 {
            games += &format!(", {} skipped", counted(self.broken_games, "broken game"));
        }
        if self.copies > 0 {
            games += &format!(", {} not counted", counted(self.copies, "copy"));
        }
        let left_out = format!(
            "left out: {} before the first move that counts, {} forced, {} repeated",
            grouped(self.early),
            grouped(self.forced),
            grouped(self.repeated)
        );
        let turns = format!(
            "{}: {} evaluated now, {} known",
            counted(self.turns, "turn"),
            grouped(self.evaluated),
            grouped(self.known)
        );
        let mut lines = vec![games, left_out, turns];
        if self.failed > 0 {
            lines.push(format!("missing: {} at which the engine failed", counted(self.failed, "turn")));
        }
        lines.push(format!("engine: {} at depth {} ({})", self.engine, self.depth, self.settings));
        lines.push(format!("written to {}", self.out.display()));
        lines
    }
}

impl MergeResponse {
    /// Describes what was merged, in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match *self {
            MergeResponse::Turns { turns, duplicates, duplicate_games } => {
                let copies = match duplicate_games {
                    0 => String::new(),
                    1 => ", a copy of a whole game among them".to_owned(),
                    count => format!(", {} copies of whole games among them", grouped(count)),
                };
                format!("{}, {} dropped{copies}", counted(turns, "turn"), counted(duplicates, "duplicate"))
            }
            MergeResponse::Answers { added } => format!("{} added", counted(added, "answer")),
        }
    }
}
