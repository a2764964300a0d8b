//! The conditions that requests for games between engines and agents share.

use crate::analysis::AnalysisRequest;
use crate::model::ModelRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The conditions under which games are conducted, written and assessed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameConditions {
    /// Seconds that an engine may take for a move to a depth or a number of nodes, before it counts as hanging.
    #[serde(default = "minute")]
    pub patience_seconds: u64,
    /// The file to write the games to, in PGN.
    #[serde(default)]
    pub pgn: Option<PathBuf>,
    /// The model of how fallible players choose, and the tables that give the values of moves.
    #[serde(default)]
    pub model: ModelRequest,
    /// The conditions by which the players' competence is assessed.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

fn minute() -> u64 {
    60
}

impl Default for GameConditions {
    fn default() -> GameConditions {
        GameConditions {
            patience_seconds: minute(),
            pgn: None,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}
