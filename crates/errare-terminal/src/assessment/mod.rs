//! Assessed games as people see them: the moves of a game, the worst moves, the players.

mod games;
mod summary;

pub use games::assessed_game;
pub use summary::{AssessmentLayout, assessment_summary};
