//! A game of a person against an agent, as a pure function of its start, its conditions and its moves.
//!
//! Nothing is kept between moves: [`PlayConditions::replay`] makes all moves again, lets the agent watch them, and draws
//! its reply by the seed and the number of the ply. So the same moves always get the same reply, and to take a move back
//! is to leave it out.

mod ending;
mod move_text;
mod review;
mod start;
mod turning_point;

pub use ending::{DrawCount, DrawReason, PlayEnd, PlayEndReason};
pub use move_text::{MoveTextError, parse_move};
pub use review::{Review, SideReview};
pub use start::turned_by_seed;
pub use turning_point::TurningPoint;

use crate::agents::{Agent, AgentSetting, AgentSpec};
use crate::analyser::Analyser;
use crate::assess::{INTERVAL_SHARE, Mark};
use crate::duel::game_seed;
use crate::error::EndgameError;
use crate::move_rule::MoveRule;
use crate::oracle::{Options, Oracle};
use ending::forced_end;
use errare_choice::{Outcome, Posterior, State, Update};
use errare_tables::Material;
use errare_work::Progress;
use shakmaty::{Chess, Color, Move, Position};
use std::sync::Arc;

/// The conditions of a game of a person against an agent.
#[derive(Clone)]
pub struct PlayConditions {
    /// The source of the values of moves.
    pub oracle: Arc<Oracle>,
    /// The position that the game starts from.
    pub start: Chess,
    /// The side that the person plays.
    pub human: Color,
    /// The agent that plays the other side.
    pub opponent: AgentSpec,
    /// The setting of the agent, which is also that of the assessment of the person's competence.
    pub setting: AgentSetting,
    /// The move rule, which says when a draw can be claimed.
    pub rule: MoveRule,
    /// The seed of the agent's choices: with the number of a ply it determines the choice at that ply.
    pub seed: u64,
}

/// An action that a person may take instead of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The person resigns.
    Resign,
    /// The person claims a draw by the move rule or by repetition.
    ClaimDraw,
}

/// A move of a game, with its effect on value and depth.
#[derive(Clone, Debug)]
pub struct GameMove {
    /// The position before the move.
    pub position: Chess,
    /// The move that was made.
    pub mv: Move,
    /// The state of the position before the move, for the mover.
    pub before: State,
    /// The state that the move leads to, for the mover.
    pub after: State,
    /// Number of moves of depth given away; none if the theoretical value was given away.
    pub conceded: Option<u16>,
    /// All optimal moves.
    pub optimal: Vec<Move>,
    /// The set in which the move was the only member, if any.
    pub mark: Option<Mark>,
    /// The person's apparent competence after this move; none after the agent's moves.
    pub apparent: Option<Apparent>,
}

impl GameMove {
    /// The side that made the move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Whether no other move was better.
    pub fn is_optimal(&self) -> bool {
        self.optimal.contains(&self.mv)
    }

    /// The cost of the move, to be compared: half points of value first, then moves of depth.
    fn cost(&self) -> (u8, u16) {
        let points = |outcome| match outcome {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            Outcome::Loss => 0_u8,
        };
        let lost = points(self.before.outcome()).saturating_sub(points(self.after.outcome()));
        (lost, self.conceded.unwrap_or(0))
    }
}

/// A summary of what moves say about a competence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apparent {
    /// The expected competence.
    pub expected: f64,
    /// The standard deviation of the competence.
    pub sd: f64,
    /// The central interval that holds nine tenths of the posterior.
    pub interval: (f64, f64),
}

impl Apparent {
    /// Sums up a posterior.
    pub fn of(posterior: &Posterior) -> Apparent {
        let interval = posterior.interval(INTERVAL_SHARE);
        Apparent { expected: posterior.mean(), sd: posterior.sd(), interval }
    }
}

/// A game as it stands after the moves made so far.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The current position.
    pub position: Chess,
    /// The moves of the position with their values; none if the game is over.
    pub options: Option<Options>,
    /// The state of the start, for the side that moves first.
    pub start: State,
    /// The moves made, the agent's reply included.
    pub moves: Vec<GameMove>,
    /// Whether the last move is a reply that the agent made just now.
    pub has_reply: bool,
    /// The counts towards a draw.
    pub count: DrawCount,
    /// The end of the game, if it is over.
    pub end: Option<PlayEnd>,
    /// The current belief about the person's competence.
    pub posterior: Posterior,
    /// Number of the person's moves that said something about the competence.
    pub informative: u32,
    /// The side that moved first.
    first: Color,
}

impl PlayedGame {
    /// The value of the start for a side.
    pub fn theory(&self, side: Color) -> Outcome {
        if side == self.first { self.start.outcome() } else { self.start.outcome().reversed() }
    }

    /// The state of the current position, for the side to move; none if the game is over.
    pub fn state(&self) -> Option<State> {
        self.options.as_ref().map(|options| options.state)
    }
}

impl PlayConditions {
    /// Makes all moves of a game, in standard algebraic or UCI notation, and lets the agent reply if it is to move.
    ///
    /// The agent claims a draw if it can and is not winning. If the person does something instead of a move, that comes
    /// last.
    ///
    /// # Errors
    /// If a move cannot be read or is not legal, or comes after the end of the game; if a draw is claimed that cannot
    /// be; if the agent cannot be made, a table is missing or damaged, or the work is cancelled.
    pub fn replay(
        &self,
        moves: &[impl AsRef<str>],
        finish: Option<Finish>,
        progress: &dyn Progress,
    ) -> Result<PlayedGame, EndgameError> {
        let mut replay = Replay::new(self)?;
        for text in moves {
            progress.proceed()?;
            replay.make_given(text.as_ref(), progress)?;
        }
        replay.settle()?;
        if replay.end.is_none() && replay.position.turn() != self.human {
            replay.reply(progress)?;
            replay.has_reply = true;
            replay.settle()?;
        }
        if let Some(finish) = finish {
            replay.finish(finish)?;
        }
        Ok(replay.game())
    }
}

/// A game whose moves are being made again.
struct Replay<'a> {
    conditions: &'a PlayConditions,
    agent: Box<dyn Agent>,
    analyser: Analyser,
    position: Chess,
    /// The options of the position, once they have been looked up.
    options: Option<Options>,
    start: State,
    moves: Vec<GameMove>,
    has_reply: bool,
    informative: u32,
    end: Option<PlayEnd>,
}

impl<'a> Replay<'a> {
    fn new(conditions: &'a PlayConditions) -> Result<Replay<'a>, EndgameError> {
        let start = conditions.oracle.state(&conditions.start)?;
        Ok(Replay {
            conditions,
            agent: conditions.opponent.build(&conditions.setting)?,
            analyser: conditions.setting.analysis.analyser(),
            position: conditions.start.clone(),
            options: None,
            start,
            moves: Vec::new(),
            has_reply: false,
            informative: 0,
            end: None,
        })
    }

    fn count(&self) -> DrawCount {
        let plies = self.position.halfmoves();
        // No position comes back after a capture or a pawn move.
        let earlier = self.moves.iter().rev().take(plies as usize).filter(|mv| mv.position == self.position).count();
        DrawCount { plies, rule: self.conditions.rule, repetitions: 1 + earlier as u32 }
    }

    /// Looks up the moves of the current position, or finds that the game is over without a claim.
    fn look_up(&mut self) -> Result<(), EndgameError> {
        self.end = forced_end(&self.position, &self.count());
        if self.end.is_some() || self.options.is_some() {
            return Ok(());
        }
        match self.conditions.oracle.options(&self.position) {
            Ok(options) => self.options = Some(options),
            Err(EndgameError::Table(error)) if error.is_missing() && !self.moves.is_empty() => {
                let (material, _) = Material::of_board(self.position.board());
                let reason = PlayEndReason::LeftTables(material);
                self.end = Some(PlayEnd { reason, winner: None, claimed_by: None });
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Makes a move that was given as text.
    fn make_given(&mut self, text: &str, progress: &dyn Progress) -> Result<(), EndgameError> {
        let number = self.moves.len() + 1;
        self.look_up()?;
        let Some(options) = self.options.take().filter(|_| self.end.is_none()) else {
            return Err(EndgameError::AfterTheEnd { number, text: text.chars().take(20).collect() });
        };
        let mv = parse_move(&self.position, text).map_err(|error| EndgameError::MoveText { number, error })?;
        let chosen = options.find(mv).ok_or_else(|| EndgameError::Illegal(mv.to_string()))?;
        if self.position.turn() != self.conditions.human && self.agent.remembers_judging() {
            self.agent.judge(&self.conditions.oracle, &options, progress)?;
        }
        self.make(&options, chosen)
    }

    fn make(&mut self, options: &Options, chosen: usize) -> Result<(), EndgameError> {
        let candidate = &options.candidates[chosen];
        let by_human = self.position.turn() == self.conditions.human;
        if by_human {
            let log_likelihoods = self.conditions.setting.analysis.log_likelihoods(options, chosen)?;
            let is_flat = log_likelihoods.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9);
            if self.analyser.learn(&log_likelihoods)? != Update::Impossible && !is_flat {
                self.informative += 1;
            }
        }
        self.agent.watch(options, chosen, !by_human)?;
        let mv = candidate.choice().mv;
        let place = |&place: &usize| options.candidates[place].choice().mv;
        self.moves.push(GameMove {
            position: self.position.clone(),
            mv,
            before: options.best().unwrap_or(options.state),
            after: candidate.state(),
            conceded: options.conceded(chosen),
            optimal: options.optimal().iter().map(place).collect(),
            mark: Mark::of(options, chosen),
            apparent: by_human.then(|| Apparent::of(self.analyser.posterior())),
        });
        self.position.play_unchecked(mv);
        self.options = None;
        Ok(())
    }

    /// Determines whether the game is over, including by the agent claiming a draw.
    fn settle(&mut self) -> Result<(), EndgameError> {
        self.look_up()?;
        let turn = self.position.turn();
        let Some(options) = self.options.as_ref().filter(|_| self.end.is_none() && turn != self.conditions.human)
        else {
            return Ok(());
        };
        if options.state.outcome() != Outcome::Win {
            let claimed = |reason| PlayEnd { claimed_by: Some(turn), ..PlayEnd::drawn(reason) };
            self.end = self.count().claim().map(claimed);
        }
        Ok(())
    }

    fn reply(&mut self, progress: &dyn Progress) -> Result<(), EndgameError> {
        let options = self.options.take().ok_or(EndgameError::NoMove)?;
        let judgement = self.agent.judge(&self.conditions.oracle, &options, progress)?;
        let chosen = judgement.pick_by_seed(game_seed(self.conditions.seed, self.moves.len() as u64))?;
        self.make(&options, chosen)
    }

    fn finish(&mut self, finish: Finish) -> Result<(), EndgameError> {
        if self.end.is_some() {
            return Err(EndgameError::AlreadyOver);
        }
        let human = self.conditions.human;
        let count = self.count();
        self.end = Some(match finish {
            Finish::Resign => PlayEnd { reason: PlayEndReason::Resignation, winner: Some(!human), claimed_by: None },
            Finish::ClaimDraw => {
                let reason = count.claim().ok_or(EndgameError::NoClaim(count))?;
                PlayEnd { claimed_by: Some(human), ..PlayEnd::drawn(reason) }
            }
        });
        Ok(())
    }

    fn game(self) -> PlayedGame {
        let count = self.count();
        PlayedGame {
            options: self.options.filter(|_| self.end.is_none()),
            position: self.position,
            start: self.start,
            moves: self.moves,
            has_reply: self.has_reply,
            count,
            end: self.end,
            posterior: self.analyser.posterior().clone(),
            informative: self.informative,
            first: self.conditions.start.turn(),
        }
    }
}
