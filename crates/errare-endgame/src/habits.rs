//! Habits: moves that a player never makes, or prefers, whatever the competence.

use crate::error::EndgameError;
use crate::oracle::{CandidateMove, Options};
use errare_choice::{AvoidLoss, Candidate, Custom, Horizon, KeepValue, KeepWin, Overview, Rule, StateRule, weigh};
use shakmaty::{Chess, Position, Role, Square};
use std::fmt;
use std::str::FromStr;

/// The theoretical values that a player never gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// The player may give up a win or a draw.
    #[default]
    Nothing,
    /// The player never gives up a win, but may give up a draw.
    Wins,
    /// The player gives up neither a win nor a draw.
    Value,
}

/// A property of moves that a player may prefer or avoid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// The move gives check.
    Check,
    /// The move is a capture.
    Capture,
    /// The move is made by a piece of this kind.
    Piece(Role),
    /// The move brings the own king nearer to the other king (Jansen 1992).
    Approach,
    /// The move leaves the other king fewer squares to go to (Jansen 1992).
    Confine,
}

/// A weight for moves that have a trait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaning {
    /// The property of the moves.
    pub towards: Trait,
    /// The factor of the move's probability, other things being equal; 0 for moves that are never made.
    pub factor: f64,
}

/// Everything that changes the weights of moves.
///
/// ```
/// use errare_endgame::{Habits, Hold, Leaning};
/// let eager: Leaning = "check=2".parse()?;
/// let habits = Habits { hold: Hold::Value, leanings: vec![eager], ..Habits::default() };
/// assert_eq!(habits.leanings[0].to_string(), "check=2");
/// # Ok::<(), errare_endgame::LeaningError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Habits {
    /// The theoretical values that the player never gives up.
    pub hold: Hold,
    /// Whether the player avoids a lost position where any other can be reached.
    pub avoid_loss: bool,
    /// Number of moves ahead within which the player sees everything.
    pub horizon: Option<u16>,
    /// Weights for moves that have a trait.
    pub leanings: Vec<Leaning>,
}

impl Habits {
    /// The habits of a player who never gives up a win, as in the experiments of Andrist and Haworth (2005).
    pub fn holding_wins() -> Habits {
        Habits { hold: Hold::Wins, ..Habits::default() }
    }

    /// The habits of a player who never gives up the theoretical value.
    pub fn holding_value() -> Habits {
        Habits { hold: Hold::Value, ..Habits::default() }
    }

    /// The rules of these habits that depend on states only.
    pub fn state_rules(&self) -> Vec<Box<dyn StateRule + Send + Sync>> {
        let mut rules: Vec<Box<dyn StateRule + Send + Sync>> = Vec::new();
        match self.hold {
            Hold::Nothing => {}
            Hold::Wins => rules.push(Box::new(KeepWin)),
            Hold::Value => rules.push(Box::new(KeepValue)),
        }
        if self.avoid_loss {
            rules.push(Box::new(AvoidLoss));
        }
        if let Some(moves) = self.horizon {
            rules.push(Box::new(Horizon(moves)));
        }
        rules
    }

    /// The candidates of a position with the weights that the habits give them.
    ///
    /// # Errors
    /// If no move is legal, or a leaning makes a weight that is not finite.
    pub fn weigh(&self, options: &Options) -> Result<Vec<Candidate<CandidateMove>>, EndgameError> {
        self.weigh_by(&self.state_rules(), options)
    }

    /// Weighs candidates as [`weigh`](Habits::weigh) does, with [`state_rules`](Habits::state_rules) made beforehand.
    pub(crate) fn weigh_by(
        &self,
        state_rules: &[Box<dyn StateRule + Send + Sync>],
        options: &Options,
    ) -> Result<Vec<Candidate<CandidateMove>>, EndgameError> {
        let mut candidates = options.candidates.clone();
        if candidates.is_empty() {
            return Err(EndgameError::NoMove);
        }
        let position = &options.position;
        let fondness: Vec<Custom<_>> =
            self.leanings
                .iter()
                .map(|leaning| {
                    let (towards, factor) = (leaning.towards, leaning.factor);
                    Custom::new(towards.to_string(), move |_: &Overview, candidate: &Candidate<CandidateMove>| {
                        if towards.is_of(position, candidate.choice()) { factor } else { 1.0 }
                    })
                })
                .collect();
        let states = state_rules.iter().map(|rule| rule as &dyn Rule<CandidateMove>);
        let rules: Vec<&dyn Rule<CandidateMove>> =
            states.chain(fondness.iter().map(|rule| rule as &dyn Rule<CandidateMove>)).collect();
        // A rule that leaves no move is ignored: "if other moves exist" (Haworth 2003).
        let _ = weigh(&mut candidates, &rules)?;
        Ok(candidates)
    }
}

impl Trait {
    fn is_of(self, position: &Chess, candidate: &CandidateMove) -> bool {
        match self {
            Trait::Capture => candidate.mv.is_capture(),
            Trait::Piece(role) => candidate.mv.role() == role,
            Trait::Check => after(position, candidate).is_check(),
            Trait::Approach => {
                let distance = |board: &shakmaty::Board| {
                    let kings: Vec<Square> = board.by_role(Role::King).into_iter().collect();
                    if let [one, two] = kings[..] { one.distance(two) } else { 0 }
                };
                candidate.mv.role() == Role::King
                    && distance(after(position, candidate).board()) < distance(position.board())
            }
            Trait::Confine => {
                let free = |position: Chess| {
                    let steps = position.legal_moves().into_iter().filter(|mv| mv.role() == Role::King);
                    steps.count()
                };
                // As if the other side had been to move before.
                let before = position.clone().swap_turn().ok();
                before.is_some_and(|before| free(after(position, candidate)) < free(before))
            }
        }
    }
}

fn after(position: &Chess, candidate: &CandidateMove) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(candidate.mv);
    after
}

const PIECES: [(&str, Role); 6] = [
    ("king", Role::King),
    ("queen", Role::Queen),
    ("rook", Role::Rook),
    ("bishop", Role::Bishop),
    ("knight", Role::Knight),
    ("pawn", Role::Pawn),
];

/// The role with a name.
pub(crate) fn role(name: &str) -> Option<Role> {
    PIECES.iter().find(|(known, _)| *known == name).map(|&(_, role)| role)
}

/// The name of a role.
pub(crate) fn role_name(role: Role) -> &'static str {
    PIECES.iter().find(|&&(_, known)| known == role).map_or("", |&(name, _)| name)
}

impl fmt::Display for Trait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trait::Check => "check",
            Trait::Capture => "capture",
            Trait::Approach => "approach",
            Trait::Confine => "confine",
            Trait::Piece(role) => role_name(*role),
        })
    }
}

impl fmt::Display for Leaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.towards, self.factor)
    }
}

/// A text that is not a valid leaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid leaning `{0}`: expected check, capture, approach, confine or a piece, and a factor of 0 or above, as in \
     check=2"
)]
pub struct LeaningError(String);

impl FromStr for Leaning {
    type Err = LeaningError;

    fn from_str(text: &str) -> Result<Leaning, LeaningError> {
        let refused = || LeaningError(text.to_owned());
        let (name, factor) = text.split_once('=').ok_or_else(refused)?;
        let towards = match name.trim() {
            "check" => Trait::Check,
            "capture" => Trait::Capture,
            "approach" => Trait::Approach,
            "confine" => Trait::Confine,
            piece => Trait::Piece(role(piece).ok_or_else(refused)?),
        };
        let factor = factor.trim().parse().ok().filter(|factor: &f64| factor.is_finite() && *factor >= 0.0);
        Ok(Leaning { towards, factor: factor.ok_or_else(refused)? })
    }
}

/// A text that is not a valid hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid hold `{0}`: expected nothing, wins or value")]
pub struct HoldError(String);

impl FromStr for Hold {
    type Err = HoldError;

    fn from_str(text: &str) -> Result<Hold, HoldError> {
        match text {
            "nothing" => Ok(Hold::Nothing),
            "wins" => Ok(Hold::Wins),
            "value" => Ok(Hold::Value),
            _ => Err(HoldError(text.to_owned())),
        }
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Hold::Nothing => "nothing",
            Hold::Wins => "wins",
            Hold::Value => "value",
        })
    }
}
