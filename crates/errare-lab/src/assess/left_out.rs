//! Endgames that were left out, as programs read them.

use errare_endgame::{Absence, LeftOut};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Endgames of one number of men that were left out for one reason.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutEndgames {
    /// Number of men of these endgames.
    pub men: u8,
    /// The reason why these endgames were left out.
    pub reason: Reason,
    /// The flag with which these endgames are assessed, if any: "--men 5".
    pub remedy: Option<String>,
    /// Number of games with a move in such an endgame.
    pub games: u64,
    /// Number of moves in these endgames.
    pub moves: u64,
    /// Each of the endgames, those of most games first.
    pub endgames: Vec<LeftOutEndgame>,
}

/// An endgame that was left out.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutEndgame {
    /// The endgame that was left out, such as KQKR.
    pub material: String,
    /// Number of games with a move in this endgame.
    pub games: u64,
    /// Number of moves in this endgame.
    pub moves: u64,
}

/// The reason why an endgame was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The endgame has more men than tables were to be built for.
    Men,
    /// The endgame has pawns and more men than tables with pawns can be built for.
    Pawns,
    /// The tables that others made do not have the endgame.
    Source,
}

impl LeftOutEndgames {
    pub(super) fn new(left_out: &LeftOut) -> LeftOutEndgames {
        let (reason, remedy) = match left_out.absence {
            Absence::TooManyMen => (Reason::Men, Some(format!("--men {}", left_out.men))),
            Absence::TooManyMenWithPawns => (Reason::Pawns, Some("--source syzygy:DIR".to_owned())),
            Absence::NotInSource => (Reason::Source, None),
        };
        let endgames = left_out.endgames().into_iter().map(|(material, count)| LeftOutEndgame {
            material: material.to_string(),
            games: count.games,
            moves: count.moves,
        });
        LeftOutEndgames {
            men: left_out.men as u8,
            reason,
            remedy,
            games: left_out.total.games,
            moves: left_out.total.moves,
            endgames: endgames.collect(),
        }
    }
}
