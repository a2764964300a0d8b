//! An assessment as programs read it.

use super::annotate::{Glyph, glyph};
use super::board::GameBoard;
use super::games::names;
use super::left_out::LeftOutEndgames;
use super::players::{AssessedPlayer, UnlistedPlayers};
use super::rows::GameRow;
use crate::depth::Outcome;
use crate::model::ModelSummary;
use crate::notation::san;
use crate::side::Side;
use errare_endgame::{Remark, Stretch};
use errare_games::Game;
use errare_tables::Metric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Outcome::Unknown;
use shakmaty::Position;

/// The assessment of games in endgames that have tables.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessResponse {
    /// The model of how fallible players choose.
    pub model: ModelSummary,
    /// The competences thought possible, as least(step)greatest.
    pub grid: String,
    /// The number of men up to which missing tables were built.
    pub men: u8,
    /// The games with their moves, in their order, if moves were asked for.
    pub games: Vec<AssessedGame>,
    /// The games with an assessed move in a row each, if rows were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub index: Vec<GameRow>,
    /// The game of each row in PGN, with glyphs and comments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotated: Vec<String>,
    /// The players over all their games, by name.
    pub players: Vec<AssessedPlayer>,
    /// The worst moves of all games, the worst first: wins and draws given up, then depth conceded.
    pub worst: Vec<WorstMove>,
    /// Number of games that were read, assessed and skipped.
    pub totals: GameTotals,
    /// Endgames in the games that were not assessed for want of tables, by men and reason.
    pub left_out: Vec<LeftOutEndgames>,
    /// The total of games and moves by players who are not listed, because the memory for players was used up.
    pub unlisted: UnlistedPlayers,
    /// Number of assessed games without a row, because the memory for rows was used up.
    #[serde(default)]
    pub unlisted_games: u64,
    /// Notes that a reader should know, such as games that were skipped, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Number of games that were read, assessed and skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameTotals {
    /// Number of different games that can be played through.
    pub games: u64,
    /// Number of games with an assessed move.
    pub assessed: u64,
    /// Number of broken games, which were skipped.
    pub broken: u64,
    /// Number of copies of games that were read before, which were skipped: same players, date, start position and
    /// moves.
    pub duplicates: u64,
}

/// The task of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// The task of winning a won position.
    Attack,
    /// The task of holding a drawn position, or of resisting in a lost one.
    Defence,
}

/// A theoretical value that a move gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GivenUp {
    /// A win was given up: the position became a draw.
    WinToDraw,
    /// A win was given up: the position became lost.
    WinToLoss,
    /// A draw was given up: the position became lost.
    DrawToLoss,
}

/// A part of an assessment, handed over as soon as it is ready.
#[derive(Clone, Debug)]
pub enum AssessmentEvent {
    /// The assessment begins, before the first game.
    Started {
        /// The model of how fallible players choose.
        model: ModelSummary,
        /// The competences thought possible, as least(step)greatest.
        grid: String,
    },
    /// A game was assessed.
    Game(Box<AssessedGame>),
}

/// A game with the moves of players of interest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedGame {
    /// The players of the game, its place and its date.
    #[serde(flatten)]
    pub heading: GameHeading,
    /// Players, event and date in one line, as far as known.
    pub title: String,
    /// Stretches of the game inside endgames that have tables.
    pub segments: Vec<AssessedSegment>,
    /// All moves with their positions, if boards were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<GameBoard>,
}

/// The heading of a game, which identifies it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameHeading {
    /// The file as the request names it; null for games in the request.
    pub file: Option<String>,
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The name of the player of White.
    pub white: String,
    /// The name of the player of Black.
    pub black: String,
    /// The event of the game; null if it is not known.
    pub event: Option<String>,
    /// The date of the game; null if it is not known.
    pub date: Option<String>,
    /// The result as PGN writes it; "*" if it is not known.
    pub result: String,
}

/// Consecutive moves made in one endgame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedSegment {
    /// The endgame in which the moves were made, such as KQKR.
    pub material: String,
    /// The metric of all depths.
    pub metric: String,
    /// The moves of the stretch, including the one that leaves the endgame.
    pub moves: Vec<AssessedMove>,
}

/// A move, with the competence that it and earlier moves show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedMove {
    /// The heading of the move, which identifies it.
    #[serde(flatten)]
    pub heading: MoveHeading,
    /// The task of the mover.
    pub task: Task,
    /// The effect of the move on the position.
    #[serde(flatten)]
    pub effect: MoveEffect,
    /// Number of moves of depth given away by this side in this stretch so far.
    pub conceded_total: u32,
    /// All optimal moves.
    pub optimal: Vec<String>,
    /// The optimal move that a predator would have made, knowing the opponent's moves so far.
    pub model_choice: String,
    /// The set in which the move was the only member: ' optimal moves, " moves that keep the value, ° legal moves.
    pub mark: Option<String>,
    /// Whether the model calls the move impossible; nothing was learned from it then.
    pub impossible: bool,
    /// The expected competence of the mover, after this move.
    pub expected_c: f64,
    /// Standard deviation of the competence.
    pub sd_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
    /// Whether the mover's moves in this game so far say too little about the competence: fewer than 5 real choices, or
    /// a standard deviation above three quarters of the prior's.
    pub too_little_to_say: bool,
}

/// The heading of a move, which identifies it and its maker.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveHeading {
    /// Number of the half-move in the game, from 1.
    pub ply: usize,
    /// Number of the move as people write it: "17." or "26...".
    pub move_number: String,
    /// The side that made the move.
    pub side: Side,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The glyph of a bad move: ?? gave up a win or a draw, ? conceded five moves or more, ?! two to four.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glyph: Option<Glyph>,
}

/// The effect of a move on the outcome and the depth.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveEffect {
    /// The outcome before the move, for the mover.
    pub outcome_before: Outcome,
    /// The depth before the move, in moves of the winner; null for a draw.
    pub depth_before: Option<u16>,
    /// The outcome after the move, for the mover.
    pub outcome_after: Outcome,
    /// The depth after the move, in moves of the winner; null for a draw.
    pub depth_after: Option<u16>,
    /// The theoretical value that the move gave up; null if it was kept.
    pub given_up: Option<GivenUp>,
    /// Number of moves of depth given away; null if the theoretical value was given away.
    pub conceded: Option<u16>,
}

/// One of the worst moves of all games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorstMove {
    /// The file as the request names it; null for games in the request.
    pub file: Option<String>,
    /// Number of the game in its file, from 1.
    pub game: u64,
    /// The date of the game; null if it is not known.
    pub date: Option<String>,
    /// The name of the player who made the move.
    pub player: String,
    /// The name of the player of the other side.
    pub opponent: String,
    /// The endgame in which the move was made, such as KQKR.
    pub material: String,
    /// The task of the player.
    pub task: Task,
    /// Number of the half-move in the game, from 1.
    pub ply: usize,
    /// Number of the move as people write it: "17." or "26...".
    pub move_number: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position before the move.
    pub fen: String,
    /// The effect of the move on the position.
    #[serde(flatten)]
    pub effect: MoveEffect,
    /// All optimal moves.
    pub optimal: Vec<String>,
}

impl Task {
    /// The name of the task as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Task::Attack => errare_endgame::Task::Attack.name(),
            Task::Defence => errare_endgame::Task::Defence.name(),
        }
    }
}

impl From<errare_endgame::Task> for Task {
    fn from(task: errare_endgame::Task) -> Task {
        match task {
            errare_endgame::Task::Attack => Task::Attack,
            errare_endgame::Task::Defence => Task::Defence,
        }
    }
}

impl GivenUp {
    /// The name of the value given up as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GivenUp::WinToDraw => "win-to-draw",
            GivenUp::WinToLoss => "win-to-loss",
            GivenUp::DrawToLoss => "draw-to-loss",
        }
    }
}

impl From<errare_endgame::GivenUp> for GivenUp {
    fn from(given_up: errare_endgame::GivenUp) -> GivenUp {
        match given_up {
            errare_endgame::GivenUp::WinToDraw => GivenUp::WinToDraw,
            errare_endgame::GivenUp::WinToLoss => GivenUp::WinToLoss,
            errare_endgame::GivenUp::DrawToLoss => GivenUp::DrawToLoss,
        }
    }
}

impl AssessedGame {
    /// Makes a game with the moves of players whose names are wanted.
    pub(super) fn new(
        file: Option<&str>,
        game: &Game,
        stretches: &[Stretch],
        metric: Metric,
        wants: impl Fn(&str) -> bool,
        has_board: bool,
    ) -> AssessedGame {
        let is_wanted = names(game).map(wants);
        let segments = stretches.iter().map(|stretch| {
            let moves = stretch.moves.iter().filter(|remark| *is_wanted.get(remark.position.turn()));
            AssessedSegment {
                material: stretch.material.to_string(),
                metric: metric.to_string(),
                moves: moves.map(|remark| AssessedMove::new(game, remark)).collect(),
            }
        });
        AssessedGame {
            heading: GameHeading::new(file, game),
            title: game.title(),
            board: has_board.then(|| GameBoard::new(game)),
            segments: segments.filter(|segment| !segment.moves.is_empty()).collect(),
        }
    }
}

impl GameHeading {
    pub(super) fn new(file: Option<&str>, game: &Game) -> GameHeading {
        let names = names(game);
        GameHeading {
            file: file.map(str::to_owned),
            number: game.number,
            white: names.white.to_owned(),
            black: names.black.to_owned(),
            event: game.tag("Event").map(str::to_owned),
            date: game.tag("Date").map(str::to_owned),
            result: game.result.or_else(|| game.tag("Result")?.parse().ok()).unwrap_or(Unknown).as_str().to_owned(),
        }
    }
}

impl MoveHeading {
    pub(super) fn new(game: &Game, remark: &Remark) -> MoveHeading {
        MoveHeading {
            ply: remark.ply + 1,
            move_number: game.move_number(remark.ply).to_string(),
            side: remark.position.turn().into(),
            san: san(&remark.position, remark.mv),
            glyph: glyph(remark.conceded),
        }
    }
}

impl MoveEffect {
    fn new(remark: &Remark) -> MoveEffect {
        MoveEffect {
            outcome_before: remark.before.into(),
            depth_before: remark.before.depth().map(|depth| depth.0),
            outcome_after: remark.after.into(),
            depth_after: remark.after.depth().map(|depth| depth.0),
            given_up: remark.given_up.map(Into::into),
            conceded: remark.conceded,
        }
    }
}

impl AssessedMove {
    pub(super) fn new(game: &Game, remark: &Remark) -> AssessedMove {
        let name = |mv| san(&remark.position, mv);
        AssessedMove {
            heading: MoveHeading::new(game, remark),
            task: remark.task.into(),
            effect: MoveEffect::new(remark),
            conceded_total: remark.conceded_total,
            optimal: remark.optimal.iter().map(|&mv| name(mv)).collect(),
            model_choice: name(remark.model_choice),
            mark: remark.mark.map(|mark| mark.sign().to_owned()),
            impossible: remark.is_impossible,
            expected_c: remark.expected,
            sd_c: remark.sd,
            interval: [remark.interval.0, remark.interval.1],
            too_little_to_say: remark.certainty.is_too_little(),
        }
    }
}
