//! An assessment as programs read it.

use super::games::names;
use crate::depth::Outcome;
use crate::model::ModelSummary;
use crate::notation::san;
use crate::posterior::StoredPosterior;
use crate::side::Side;
use errare_endgame::{INTERVAL_SHARE, PlayerRecord, Remark, Stretch};
use errare_games::Game;
use errare_tables::Metric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Position;

/// How well games were played in endgames that have tables.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessResponse {
    /// How fallible players choose.
    pub model: ModelSummary,
    /// The competences thought possible, as least(step)greatest.
    pub grid: String,
    /// The games, in their order; none if only players were asked for.
    pub games: Vec<AssessedGame>,
    /// The players over all their games, by name.
    pub players: Vec<AssessedPlayer>,
    /// What a reader should know, such as games that were skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A part of an assessment, as soon as it is there.
#[derive(Clone, Debug)]
pub enum AssessmentEvent {
    /// Before the first game.
    Started {
        /// How fallible players choose.
        model: ModelSummary,
        /// The competences thought possible, as least(step)greatest.
        grid: String,
    },
    /// A game.
    Game(Box<AssessedGame>),
}

/// A game with the moves of players of interest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedGame {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// Who played White.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// The event.
    pub event: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// Players, event and date in one line, as far as known.
    pub title: String,
    /// Stretches of the game inside endgames that have tables.
    pub segments: Vec<AssessedSegment>,
}

/// Consecutive moves made in one endgame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedSegment {
    /// The endgame.
    pub material: String,
    /// The metric of all depths.
    pub metric: String,
    /// Its moves, the one that leaves it among them.
    pub moves: Vec<AssessedMove>,
}

/// A move, and what is to be thought of who made it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedMove {
    /// Number of the half-move in the game, from 1.
    pub ply: usize,
    /// Number of the move as people write it: "17." or "26...".
    pub move_number: String,
    /// Who made it.
    pub side: Side,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The outcome before the move, for the mover.
    pub outcome_before: Outcome,
    /// The depth before the move, in moves of the winner; null for a draw.
    pub depth_before: Option<u16>,
    /// The outcome after the move, for the mover.
    pub outcome_after: Outcome,
    /// The depth after the move, in moves of the winner; null for a draw.
    pub depth_after: Option<u16>,
    /// Moves of depth given away; null if the theoretical value was.
    pub conceded: Option<u16>,
    /// Moves given away by this side in this stretch so far.
    pub conceded_total: u32,
    /// All optimal moves.
    pub optimal: Vec<String>,
    /// The optimal move that a predator would have made, knowing the opponent's moves so far.
    pub model_choice: String,
    /// ' the only optimal move, " the only one that keeps the value, ° the only legal one.
    pub mark: Option<String>,
    /// Whether the model calls the move impossible; nothing was learned from it then.
    pub impossible: bool,
    /// The expected competence of the mover, after this move.
    pub expected_c: f64,
    /// Its standard deviation.
    pub sd_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
}

/// A player over all games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedPlayer {
    /// The name.
    pub name: String,
    /// Number of games with a move in an endgame that has tables.
    pub games: u64,
    /// Number of such moves.
    pub moves: u64,
    /// Number of moves that the model calls impossible; nothing was learned from them.
    pub impossible: u64,
    /// Moves of depth given away, where the value was kept.
    pub conceded: u64,
    /// The expected competence.
    pub expected_c: f64,
    /// Its standard deviation.
    pub sd_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
    /// The probability of each competence.
    pub posterior: StoredPosterior,
}

impl AssessedGame {
    /// A game with the moves of players whose names are wanted.
    pub(super) fn new(
        game: &Game,
        stretches: &[Stretch],
        metric: Metric,
        wants: impl Fn(&str) -> bool,
    ) -> AssessedGame {
        let names = names(game);
        let is_wanted = names.map(wants);
        let segments = stretches.iter().map(|stretch| {
            let moves = stretch.moves.iter().filter(|remark| *is_wanted.get(remark.position.turn()));
            AssessedSegment {
                material: stretch.material.to_string(),
                metric: metric.to_string(),
                moves: moves.map(|remark| AssessedMove::new(game, remark)).collect(),
            }
        });
        AssessedGame {
            number: game.number,
            white: names.white.to_owned(),
            black: names.black.to_owned(),
            event: game.tag("Event").map(str::to_owned),
            date: game.tag("Date").map(str::to_owned),
            title: game.title(),
            segments: segments.filter(|segment| !segment.moves.is_empty()).collect(),
        }
    }
}

impl AssessedMove {
    fn new(game: &Game, remark: &Remark) -> AssessedMove {
        let name = |mv| san(&remark.position, mv);
        AssessedMove {
            ply: remark.ply + 1,
            move_number: game.move_number(remark.ply).to_string(),
            side: remark.position.turn().into(),
            san: name(remark.mv),
            outcome_before: remark.before.into(),
            depth_before: remark.before.depth().map(|depth| depth.0),
            outcome_after: remark.after.into(),
            depth_after: remark.after.depth().map(|depth| depth.0),
            conceded: remark.conceded,
            conceded_total: remark.conceded_total,
            optimal: remark.optimal.iter().map(|&mv| name(mv)).collect(),
            model_choice: name(remark.model_choice),
            mark: remark.mark.map(|mark| mark.sign().to_owned()),
            impossible: remark.is_impossible,
            expected_c: remark.expected,
            sd_c: remark.sd,
            interval: [remark.interval.0, remark.interval.1],
        }
    }
}

impl AssessedPlayer {
    pub(super) fn new(name: &str, record: &PlayerRecord) -> AssessedPlayer {
        let posterior = record.posterior();
        let (low, high) = posterior.interval(INTERVAL_SHARE);
        AssessedPlayer {
            name: name.to_owned(),
            games: record.games,
            moves: record.moves,
            impossible: record.impossible,
            conceded: record.conceded,
            expected_c: posterior.mean(),
            sd_c: posterior.sd(),
            interval: [low, high],
            posterior: StoredPosterior::of(posterior),
        }
    }
}
