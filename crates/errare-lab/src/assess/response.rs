//! An assessment as programs read it.

use super::games::names;
use crate::depth::Outcome;
use crate::model::ModelSummary;
use crate::notation::san;
use crate::posterior::StoredPosterior;
use crate::side::Side;
use errare_endgame::{Absence, Assessment, INTERVAL_SHARE, LeftOut, PlayerAssessment, Remark, Stretch, Unlisted};
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
    /// The worst moves of all games, the worst first: wins and draws given up, then depth conceded.
    pub worst: Vec<WorstMove>,
    /// Number of games that were read, assessed and skipped.
    pub totals: GameTotals,
    /// Endgames in the games that were not assessed for want of tables, by men and reason.
    pub left_out: Vec<LeftOutEndgames>,
    /// What was done by players who are not listed, because the memory for players was taken.
    pub unlisted: UnlistedPlayers,
    /// What a reader should know, such as games that were skipped, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Number of games that were read, assessed and skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameTotals {
    /// Different games that can be played through.
    pub games: u64,
    /// Games with an assessed move.
    pub assessed: u64,
    /// Broken games, which were skipped.
    pub broken: u64,
    /// Copies of games that were read before, which were skipped: same players, date, start position and moves.
    pub duplicates: u64,
}

/// Endgames of one number of men that were left out for one reason.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutEndgames {
    /// Number of men.
    pub men: u8,
    /// Why they were left out.
    pub reason: Reason,
    /// The flag that brings them in, if any: "--men 5".
    pub remedy: Option<String>,
    /// Number of games with a move in such an endgame.
    pub games: u64,
    /// Number of such moves.
    pub moves: u64,
    /// Each of the endgames, those of most games first.
    pub endgames: Vec<LeftOutEndgame>,
}

/// An endgame that was left out.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeftOutEndgame {
    /// The endgame.
    pub material: String,
    /// Number of games with a move in it.
    pub games: u64,
    /// Number of such moves.
    pub moves: u64,
}

/// Why an endgame was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It has more men than tables were to be built for.
    Men,
    /// It has pawns and more men than tables with pawns can be built for.
    Pawns,
    /// The tables that others made do not have it.
    Source,
}

/// What was done by players who are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnlistedPlayers {
    /// Number of times that such a player appeared in a game.
    pub games: u64,
    /// Number of their moves.
    pub moves: u64,
}

/// The task of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// To win a won position.
    Attack,
    /// To hold a drawn position, or to resist in a lost one.
    Defence,
}

/// A theoretical value that a move gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GivenUp {
    /// A won position became a draw.
    WinToDraw,
    /// A won position was lost.
    WinToLoss,
    /// A drawn position was lost.
    DrawToLoss,
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
    /// The file as it was named; null for games in the request.
    pub file: Option<String>,
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
    /// The mover's task.
    pub task: Task,
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
    /// Whether the mover's moves in this game so far say too little about the competence: fewer than 5 real choices, or
    /// a standard deviation above three quarters of the prior's.
    pub too_little_to_say: bool,
}

/// A player over all games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedPlayer {
    /// The name.
    pub name: String,
    /// Over all endgames and tasks.
    #[serde(flatten)]
    pub total: AssessedRecord,
    /// By endgame and task.
    pub parts: Vec<AssessedPart>,
    /// The probability of each competence, over all endgames and tasks.
    pub posterior: StoredPosterior,
}

/// What a player did in one endgame with one task.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedPart {
    /// The endgame.
    pub material: String,
    /// The player's task.
    pub task: Task,
    /// What the player did.
    #[serde(flatten)]
    pub record: AssessedRecord,
}

/// What a player did, and what it says about the player.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssessedRecord {
    /// Number of games with such a move.
    pub games: u64,
    /// Number of moves.
    pub moves: u64,
    /// Number of moves with a real choice: between moves that the model tells apart.
    pub choices: u64,
    /// Number of moves that turned a win into a draw.
    pub wins_to_draws: u64,
    /// Number of moves that turned a win into a loss.
    pub wins_to_losses: u64,
    /// Number of moves that turned a draw into a loss.
    pub draws_to_losses: u64,
    /// Moves of depth given away, where the value was kept.
    pub conceded: u64,
    /// Number of moves that the model calls impossible; nothing was learned from them.
    pub impossible: u64,
    /// The expected competence.
    pub expected_c: f64,
    /// Its standard deviation.
    pub sd_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
    /// The standard deviation as a share of the prior's.
    pub sd_ratio: f64,
    /// Whether the moves say too little about the competence: fewer than 5 real choices, or a standard deviation above
    /// three quarters of the prior's.
    pub too_little_to_say: bool,
}

/// One of the worst moves of all games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorstMove {
    /// The file as it was named; null for games in the request.
    pub file: Option<String>,
    /// Number of the game in its file, from 1.
    pub game: u64,
    /// The date of the game.
    pub date: Option<String>,
    /// Who made the move.
    pub player: String,
    /// Who played the other side.
    pub opponent: String,
    /// The endgame.
    pub material: String,
    /// The player's task.
    pub task: Task,
    /// Number of the half-move in the game, from 1.
    pub ply: usize,
    /// Number of the move as people write it: "17." or "26...".
    pub move_number: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position before the move.
    pub fen: String,
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
    /// Moves of depth given away; null if the theoretical value was.
    pub conceded: Option<u16>,
    /// All optimal moves.
    pub optimal: Vec<String>,
}

impl Task {
    /// The name as JSON has it.
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
    /// The name as JSON has it.
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

impl From<Unlisted> for UnlistedPlayers {
    fn from(unlisted: Unlisted) -> UnlistedPlayers {
        UnlistedPlayers { games: unlisted.games, moves: unlisted.moves }
    }
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

impl AssessedGame {
    /// A game with the moves of players whose names are wanted.
    pub(super) fn new(
        file: Option<&str>,
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
            file: file.map(str::to_owned),
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
    pub(super) fn new(game: &Game, remark: &Remark) -> AssessedMove {
        let name = |mv| san(&remark.position, mv);
        AssessedMove {
            ply: remark.ply + 1,
            move_number: game.move_number(remark.ply).to_string(),
            side: remark.position.turn().into(),
            san: name(remark.mv),
            task: remark.task.into(),
            outcome_before: remark.before.into(),
            depth_before: remark.before.depth().map(|depth| depth.0),
            outcome_after: remark.after.into(),
            depth_after: remark.after.depth().map(|depth| depth.0),
            given_up: remark.given_up.map(Into::into),
            conceded: remark.conceded,
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

impl AssessedPlayer {
    pub(super) fn new(player: PlayerAssessment) -> AssessedPlayer {
        let parts = player.parts.iter().map(|(material, task, part)| AssessedPart {
            material: material.to_string(),
            task: (*task).into(),
            record: AssessedRecord::new(part),
        });
        AssessedPlayer {
            parts: parts.collect(),
            total: AssessedRecord::new(&player.total),
            posterior: StoredPosterior::of(&player.total.posterior),
            name: player.name,
        }
    }
}

impl AssessedRecord {
    fn new(assessment: &Assessment) -> AssessedRecord {
        let Assessment { counts, posterior, certainty } = assessment;
        let (low, high) = posterior.interval(INTERVAL_SHARE);
        AssessedRecord {
            games: counts.games,
            moves: counts.moves,
            choices: counts.choices,
            wins_to_draws: counts.wins_to_draws,
            wins_to_losses: counts.wins_to_losses,
            draws_to_losses: counts.draws_to_losses,
            conceded: counts.conceded,
            impossible: counts.impossible,
            expected_c: posterior.mean(),
            sd_c: posterior.sd(),
            interval: [low, high],
            sd_ratio: certainty.sd_ratio,
            too_little_to_say: certainty.is_too_little(),
        }
    }
}
