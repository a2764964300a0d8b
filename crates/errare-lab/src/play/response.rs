//! A game as boards show it.

use super::turning_point::TurningPoint;
use super::{pgn, summary};
use crate::choose::NamedMove;
use crate::depth::Outcome;
use crate::error::LabError;
use crate::model::ModelSummary;
use crate::notation::{fen_of, san, uci};
use crate::numeric::Numeric;
use crate::people_like::PeopleLike;
use crate::posterior::StoredPosterior;
use crate::side::Side;
use crate::text::Text;
use errare_choice::State;
use errare_endgame::{
    AgentSpec, Apparent, DrawReason, GameMove, Mark, MoveRule, Options, PlayConditions, PlayEnd, PlayEndReason,
    PlayedGame, Review, SideReview, Task,
};
use errare_tables::Material;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move, Position};

/// A game of a person against an agent as it stands, with the agent's reply made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayResponse {
    /// The position that the game started from, as a FEN.
    pub start: String,
    /// The current position, as a FEN.
    pub fen: String,
    /// The side to move.
    pub turn: Side,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The current endgame; White is the side named first.
    pub material: String,
    /// The endgame of the start; the person's men are named first.
    pub endgame: String,
    /// The side that the person plays.
    pub human: Side,
    /// The agent that plays the other side.
    pub opponent: Text<AgentSpec>,
    /// The model of how fallible players choose.
    pub model: ModelSummary,
    /// Random seed.
    pub seed: u64,
    /// The outcome of the start for the person.
    pub theory: Outcome,
    /// The outcome of the current position for the side to move; null if the game is over.
    pub outcome: Option<Outcome>,
    /// The depth of the current position in moves of the winner; null for a draw, and if the game is over.
    pub depth: Option<u16>,
    /// All legal moves, best first; none if the game is over.
    pub legal: Vec<LegalMove>,
    /// The move that the agent made just now, which later requests have to send with the other moves.
    pub reply: Option<NamedMove>,
    /// All moves of the game, the reply included.
    pub moves: Vec<PlayedMove>,
    /// The counts towards a draw.
    pub clock: DrawClock,
    /// The end of the game; null if it goes on.
    pub end: Option<PlayEnding>,
    /// The competence of the person as it appears now.
    pub competence: PlayerCompetence,
    /// The people who typically play the endgame of the start with that competence; null where too few games of people are
    /// known.
    #[serde(default)]
    pub like: Option<PeopleLike>,
    /// The current belief about the person's competence, which another game can begin with.
    pub posterior: StoredPosterior,
    /// The review of a game that is over.
    pub review: Option<PlayReview>,
    /// The game in PGN, with comments.
    pub pgn: String,
}

/// A legal move of the current position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LegalMove {
    /// The names of the move.
    #[serde(flatten)]
    pub name: NamedMove,
    /// The square that the move comes from, such as e2.
    pub from: String,
    /// The square that the move goes to.
    pub to: String,
    /// The piece that a pawn becomes: q, r, b or n.
    pub promotion: Option<char>,
    /// The outcome for the side that makes the move.
    pub outcome: Outcome,
    /// The depth of the position after the move, in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// Whether the move keeps the theoretical value.
    pub keeps: bool,
    /// Whether no other move is better by the metric.
    pub optimal: bool,
}

/// A move that was made in the game.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMove {
    /// The number of the move, as in 12. or 12... before Black's.
    pub number: String,
    /// The side that made the move.
    pub side: Side,
    /// The names of the move.
    #[serde(flatten)]
    pub name: NamedMove,
    /// The position after the move, as a FEN.
    pub fen: String,
    /// The best outcome that the side could have, before the move.
    pub best_outcome: Outcome,
    /// The outcome after the move, for the side that made it.
    pub outcome: Outcome,
    /// The depth of the position after the move, in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// Number of moves of depth given away against the best move; null if the move gave up the theoretical value.
    pub conceded: Option<u16>,
    /// Whether no other move was better.
    pub optimal: bool,
    /// The best moves in standard algebraic notation.
    pub best: Vec<String>,
    /// The set in which the move was the only member: ° legal moves, " moves that keep the value, ' optimal moves.
    pub mark: Option<String>,
    /// The person's competence after this move; null for the agent's moves.
    pub competence: Option<PlayerCompetence>,
}

/// A competence as far as moves show it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerCompetence {
    /// Expected competence.
    pub expected_c: f64,
    /// Standard deviation of the competence.
    pub sd_c: f64,
    /// The interval that holds nine tenths of the competence's probability.
    pub interval: [f64; 2],
}

impl From<Apparent> for PlayerCompetence {
    fn from(apparent: Apparent) -> PlayerCompetence {
        let (low, high) = apparent.interval;
        PlayerCompetence { expected_c: apparent.expected, sd_c: apparent.sd, interval: [low, high] }
    }
}

/// The counts towards a draw.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DrawClock {
    /// Number of plies since the last capture or pawn move.
    pub plies: u32,
    /// The move rule: a number of moves, or "none".
    pub rule: Numeric<MoveRule>,
    /// Number of moves that the side to move may still make before a draw can be claimed; null without a rule.
    pub moves_left: Option<u32>,
    /// Number of times that the position has occurred.
    pub repetitions: u32,
    /// The reason for which the person may claim a draw now; null if the person may not.
    pub claim: Option<PlayEndName>,
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayEndName {
    /// A player was checkmated.
    Mate,
    /// The side to move was stalemated.
    Stalemate,
    /// Neither side has enough men left to mate with.
    InsufficientMaterial,
    /// The move rule made the game a draw.
    MoveRule,
    /// The position occurred three times and a draw was claimed, or five times.
    Repetition,
    /// The person resigned.
    Resignation,
    /// The tables that were given do not have the endgame, so that the game cannot go on.
    LeftTables,
}

impl PlayEndName {
    fn of(reason: PlayEndReason) -> Result<PlayEndName, LabError> {
        match reason {
            PlayEndReason::Mate => Ok(PlayEndName::Mate),
            PlayEndReason::Draw(reason) => Ok(reason.into()),
            PlayEndReason::Resignation => Ok(PlayEndName::Resignation),
            PlayEndReason::LeftTables(_) => Ok(PlayEndName::LeftTables),
            _ => Err(LabError::Internal("the end of a game has no name")),
        }
    }
}

impl From<DrawReason> for PlayEndName {
    fn from(reason: DrawReason) -> PlayEndName {
        match reason {
            DrawReason::Stalemate => PlayEndName::Stalemate,
            DrawReason::InsufficientMaterial => PlayEndName::InsufficientMaterial,
            DrawReason::MoveRule => PlayEndName::MoveRule,
            DrawReason::Repetition => PlayEndName::Repetition,
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayEnding {
    /// The reason why the game ended.
    pub reason: PlayEndName,
    /// The winner; null for a draw, and for a game that could not be finished.
    pub winner: Option<Side>,
    /// The side that claimed the draw; null if no claim was needed.
    pub claimed_by: Option<Side>,
}

impl PlayEnding {
    fn of(end: &PlayEnd) -> Result<PlayEnding, LabError> {
        Ok(PlayEnding {
            reason: PlayEndName::of(end.reason)?,
            winner: end.winner.map(Into::into),
            claimed_by: end.claimed_by.map(Into::into),
        })
    }
}

/// The review of a game that is over.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayReview {
    /// The outcome of the start for the person.
    pub theory: Outcome,
    /// The result of the game for the person; null if the game could not be finished.
    pub result: Option<Outcome>,
    /// The sum of the person's moves.
    pub human: PlayedSide,
    /// The sum of the agent's moves.
    pub opponent: PlayedSide,
    /// The person's costliest moves, the worst first, by their places in `moves`, from 0.
    pub costliest: Vec<usize>,
    /// Whether the moves are enough to speak of the person's competence: five that said something about it, and nine
    /// tenths of the belief within half of the competences thought possible.
    pub enough_evidence: bool,
    /// The game in three plain sentences: how it ended against what the start was worth, how well the person played, and
    /// what decided it or could be better.
    pub summary: [String; 3],
    /// The person's costliest move; null if no move cost anything.
    pub turning_point: Option<TurningPoint>,
}

/// The sum of one side's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedSide {
    /// Number of moves.
    pub moves: u32,
    /// Number of optimal moves.
    pub optimal: u32,
    /// Number of moves of depth given away where the value was kept.
    pub conceded: u32,
    /// Number of moves that gave up the theoretical value.
    pub dropped: u32,
}

impl From<SideReview> for PlayedSide {
    fn from(side: SideReview) -> PlayedSide {
        let SideReview { moves, optimal, conceded, dropped } = side;
        PlayedSide { moves, optimal, conceded, dropped }
    }
}

impl PlayResponse {
    pub(super) fn new(
        conditions: &PlayConditions,
        game: &PlayedGame,
        turning_point: Option<&errare_endgame::TurningPoint>,
        model: ModelSummary,
    ) -> Result<PlayResponse, LabError> {
        let position = &game.position;
        let (material, swapped) = Material::of_board(position.board());
        let (endgame, endgame_swapped) = Material::of_board(conditions.start.board());
        let moves: Vec<PlayedMove> = game.moves.iter().map(played_move).collect();
        let may_claim = game.end.is_none().then(|| game.count.claim()).flatten();
        let competence = PlayerCompetence::from(Apparent::of(&game.posterior));
        let task = match game.theory(conditions.human) {
            errare_choice::Outcome::Win => Task::Attack,
            _ => Task::Defence,
        };
        let mut response = PlayResponse {
            like: PeopleLike::of(&model, endgame, task, competence.expected_c),
            start: fen_of(&conditions.start),
            fen: fen_of(position),
            turn: position.turn().into(),
            check: position.is_check(),
            material: material.oriented(swapped),
            endgame: endgame.oriented(endgame_swapped != conditions.human.is_black()),
            human: conditions.human.into(),
            opponent: Text(conditions.opponent.clone()),
            model,
            seed: conditions.seed,
            theory: theory(game, conditions.human),
            outcome: game.state().map(Into::into),
            depth: game.state().and_then(depth),
            legal: game.options.as_ref().map(legal_moves).unwrap_or_default(),
            reply: moves.last().filter(|_| game.has_reply).map(|mv| mv.name.clone()),
            moves,
            clock: DrawClock {
                plies: game.count.plies,
                rule: Numeric(game.count.rule),
                moves_left: game.count.rule.moves_left(position),
                repetitions: game.count.repetitions,
                claim: may_claim.map(Into::into),
            },
            end: game.end.as_ref().map(PlayEnding::of).transpose()?,
            competence,
            posterior: StoredPosterior::of(&game.posterior),
            review: None,
            pgn: String::new(),
        };
        if let Some(review) = Review::of(game, conditions.human) {
            let summary = summary::sentences(&response, &review);
            let turning_point = turning_point.and_then(|found| TurningPoint::new(found, game, &response.moves));
            response.review = Some(PlayReview {
                theory: response.theory,
                result: review.result.map(outcome),
                human: review.human.into(),
                opponent: review.opponent.into(),
                costliest: review.costliest,
                enough_evidence: review.is_enough,
                summary,
                turning_point,
            });
        }
        response.pgn = pgn::annotated(conditions, game, &response)?;
        Ok(response)
    }
}

fn theory(game: &PlayedGame, human: Color) -> Outcome {
    outcome(game.theory(human))
}

pub(super) fn outcome(outcome: errare_choice::Outcome) -> Outcome {
    match outcome {
        errare_choice::Outcome::Win => Outcome::Win,
        errare_choice::Outcome::Draw => Outcome::Draw,
        errare_choice::Outcome::Loss => Outcome::Loss,
    }
}

fn depth(state: State) -> Option<u16> {
    state.depth().map(|depth| depth.0)
}

pub(super) fn named(position: &Chess, mv: Move) -> NamedMove {
    NamedMove { uci: uci(mv), san: san(position, mv) }
}

fn legal_moves(options: &Options) -> Vec<LegalMove> {
    let (keeping, optimal) = (options.keeping(), options.optimal());
    let mut places: Vec<usize> = (0..options.candidates.len()).collect();
    places.sort_by_key(|&place| {
        std::cmp::Reverse((options.candidates[place].state(), options.candidates[place].choice().rank))
    });
    let legal = |place: usize| {
        let (mv, state) = (options.candidates[place].choice().mv, options.candidates[place].state());
        LegalMove {
            name: named(&options.position, mv),
            from: mv.from().map_or_else(String::new, |square| square.to_string()),
            to: mv.to().to_string(),
            promotion: mv.promotion().map(|role| role.char()),
            outcome: state.into(),
            depth: depth(state),
            keeps: keeping.contains(&place),
            optimal: optimal.contains(&place),
        }
    };
    places.into_iter().map(legal).collect()
}

fn played_move(made: &GameMove) -> PlayedMove {
    let mut after = made.position.clone();
    after.play_unchecked(made.mv);
    let number = made.position.fullmoves();
    PlayedMove {
        number: format!("{number}{}", made.turn().fold_wb(".", "...")),
        side: made.turn().into(),
        name: named(&made.position, made.mv),
        fen: fen_of(&after),
        best_outcome: made.before.into(),
        outcome: made.after.into(),
        depth: depth(made.after),
        conceded: made.conceded,
        optimal: made.is_optimal(),
        best: made.optimal.iter().map(|&mv| san(&made.position, mv)).collect(),
        mark: made.mark.map(|mark: Mark| mark.sign().to_owned()),
        competence: made.apparent.map(Into::into),
    }
}
