//! The lessons of the course, from easy to hard. This table is all that a new lesson needs.
//!
//! Depths are moves of the winner by the metric of players ([`MODEL_METRIC`](crate::MODEL_METRIC)). Positions that are fixed
//! have the outcome that the task says; `tests/course.rs` asks the tables.

use super::LessonTask;
use crate::side::Side;

/// A lesson as the table of lessons has it.
pub(super) struct LessonData {
    pub id: &'static str,
    pub title: &'static str,
    /// The endgame; White is the side named first.
    pub material: &'static str,
    pub human: Side,
    pub task: LessonTask,
    pub goal: &'static str,
    pub start: StartData,
    /// The agent that plays the other side unless the person chooses another.
    pub opponent: &'static str,
}

/// The start of a lesson's games.
pub(super) enum StartData {
    /// Games start from this position.
    Fixed(&'static str),
    /// Games start from a position with the person to move, of the lesson's outcome and these depths; draws have no
    /// depth.
    Drawn { depth: Option<&'static str> },
}

use LessonTask::{Draw, Survive, Win};
use Side::{Black, White};
use StartData::{Drawn, Fixed};

/// The opponent who errs a good deal, and can be beaten.
const BEATABLE: &str = "player:12";

/// The opponent who errs now and then.
const CLUB: &str = "player:20";

/// The opponent who sets problems: in a drawn position others move about without a plan.
const TRICKY: &str = "predator";

pub(super) static LESSONS: &[LessonData] = &[
    LessonData {
        id: "two-rooks",
        title: "Two rooks: the staircase",
        material: "KRRK",
        human: White,
        task: Win,
        goal: "Mate with two rooks. Let them take rank after rank from the king in turn, and move a rook far away along \
               its rank when the king attacks it.",
        start: Drawn { depth: Some("4..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "queen",
        title: "The queen alone",
        material: "KQK",
        human: White,
        task: Win,
        goal: "Mate with king and queen. Shut the king in with the queen a knight's move away, bring your own king, and \
               always leave a square so that it is not stalemate.",
        start: Drawn { depth: Some("6..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "rook",
        title: "The rook alone",
        material: "KRK",
        human: White,
        task: Win,
        goal: "Mate with king and rook. Build a box with the rook, make it smaller with the help of your king, and give \
               check when the kings face each other.",
        start: Drawn { depth: Some("10..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "pawn-win",
        title: "King and pawn: queen it",
        material: "KPK",
        human: White,
        task: Win,
        goal: "Promote the pawn and mate. Lead with the king, not with the pawn, and take the opposition: the kings face each \
               other and your opponent has to move.",
        start: Drawn { depth: Some("8..") },
        opponent: TRICKY,
    },
    LessonData {
        id: "pawn-draw",
        title: "King against pawn: hold the draw",
        material: "KPK",
        human: Black,
        task: Draw,
        goal: "Stop the pawn with the bare king. Stay in front of it, step straight back, and face the other king whenever \
               it steps forward.",
        start: Fixed("8/8/3k4/8/3PK3/8/8/8 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "two-bishops",
        title: "Two bishops",
        material: "KBBK",
        human: White,
        task: Win,
        goal: "Mate with two bishops. Side by side they are a wall on two diagonals; drive the king into a corner with \
               them and your king.",
        start: Drawn { depth: Some("12..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "queen-pawn",
        title: "Queen against a pawn about to queen",
        material: "KQKP",
        human: White,
        task: Win,
        goal: "Win with the queen against a pawn on its last step. Check until the king has to stand in front of its pawn, \
               and use each such moment to bring your king nearer.",
        start: Fixed("8/6K1/8/8/8/8/3kp3/7Q w - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "queen-pawn-draw",
        title: "A bishop's pawn against the queen",
        material: "KQKP",
        human: Black,
        task: Draw,
        goal: "Hold the draw with a bishop's pawn on its last step. Run into the corner when the queen checks: if it takes the \
               pawn you are stalemated.",
        start: Fixed("8/8/8/4K3/8/1Q6/2p5/1k6 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "queen-rook",
        title: "Queen against rook",
        material: "KQKR",
        human: White,
        task: Win,
        goal: "Win the rook or mate, inside 50 moves. Drive the king to the edge, bring your king to face it, and then make \
               a waiting move: the rook has to leave its king and falls to a double attack.",
        start: Drawn { depth: Some("15..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "queen-rook-defence",
        title: "Rook against queen: hold out",
        material: "KQKR",
        human: Black,
        task: Survive,
        goal: "Hold out for 50 moves, after which you may claim a draw. Keep the rook beside its king, stay off the edge, \
               and look out for stalemate.",
        start: Drawn { depth: Some("20..") },
        opponent: CLUB,
    },
    LessonData {
        id: "rook-knight-draw",
        title: "Knight against rook: hold the draw",
        material: "KRKN",
        human: Black,
        task: Draw,
        goal: "Hold the draw with the knight. Keep king and knight together, and stay out of the corners.",
        start: Fixed("4k3/4n3/4K3/8/8/8/8/R7 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "rook-knight-win",
        title: "Rook against a lost knight",
        material: "KRKN",
        human: White,
        task: Win,
        goal: "Win with the rook while the knight is far from its king. Keep the two apart, and shut the knight in: do not \
               just give checks.",
        start: Drawn { depth: Some("12..") },
        opponent: BEATABLE,
    },
    LessonData {
        id: "rook-bishop-draw",
        title: "Bishop against rook: hold the draw",
        material: "KRKB",
        human: Black,
        task: Draw,
        goal: "Hold the draw with the bishop. Go to the corner that is not of your bishop's colour: there the bishop can \
               always step in between.",
        start: Fixed("6k1/5R2/6K1/8/8/8/4b3/8 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "rook-pawn-win",
        title: "Rook against pawn: catch it",
        material: "KRKP",
        human: White,
        task: Win,
        goal: "Win the pawn with the rook. Cut the king off on its fourth rank, or bring your own king in time: count the \
               moves of both.",
        start: Drawn { depth: Some("10..") },
        opponent: TRICKY,
    },
    LessonData {
        id: "rook-pawn-draw",
        title: "Pawn against rook: hold the draw",
        material: "KRKP",
        human: Black,
        task: Draw,
        goal: "Hold the draw with the pawn against the rook. Keep the other king away with your own shoulder, and push only \
               when that gains time.",
        start: Fixed("8/8/1K6/8/2kp4/8/8/7R b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "bishop-knight",
        title: "Bishop and knight",
        material: "KBNK",
        human: White,
        task: Win,
        goal: "Mate with bishop and knight, inside 50 moves. Only a corner of the bishop's colour will do; walk the knight \
               like a W along the edge to drive the king there.",
        start: Drawn { depth: Some("20..") },
        opponent: CLUB,
    },
    LessonData {
        id: "philidor",
        title: "Philidor: hold rook and pawn with the rook",
        material: "KRPKR",
        human: Black,
        task: Draw,
        goal: "Hold the draw. Put the rook on your third rank so that the king cannot come forward, and when the pawn steps \
               there go to the far end and check from behind.",
        start: Fixed("4k3/R7/8/3KP3/8/8/7r/8 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "philidor-attack",
        title: "Philidor from the other side",
        material: "KRPKR",
        human: White,
        task: Draw,
        goal: "The position is drawn: set problems, and win if your opponent leaves the third rank too early. Take care not \
               to lose the pawn, which would still be a draw, or the rook, which would not.",
        start: Fixed("4k3/R7/7r/3KP3/8/8/8/8 w - - 0 1"),
        opponent: BEATABLE,
    },
    LessonData {
        id: "lucena",
        title: "Lucena: build the bridge",
        material: "KRPKR",
        human: White,
        task: Win,
        goal: "Queen the pawn with your king in front of it. Put the rook on the fourth rank, step out, and shut off the \
               checks with the rook: the bridge.",
        start: Fixed("3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "lucena-defence",
        title: "Lucena from the other side",
        material: "KRPKR",
        human: Black,
        task: Survive,
        goal: "The position is lost if your opponent knows the bridge: make it as hard as you can. Keep the rook far away \
               and check from the side whenever the king steps out.",
        start: Fixed("3K4/3P1k2/8/8/8/8/2r5/4R3 b - - 0 1"),
        opponent: CLUB,
    },
    LessonData {
        id: "vancura",
        title: "Vancura: hold against a rook's pawn",
        material: "KRPKR",
        human: Black,
        task: Draw,
        goal: "Hold the draw against a rook's pawn. Attack it from the side with the rook, so that the other rook cannot leave \
               it, and check when the king comes near.",
        start: Fixed("R7/6k1/P7/8/3K4/8/8/5r2 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "rook-bishop-rook",
        title: "Rook against rook and bishop",
        material: "KRBKR",
        human: Black,
        task: Draw,
        goal: "Hold the draw for 50 moves. Pin the bishop against its king with your rook from behind, keep your king \
               away from the corners, and go to the other side of the board when the pin is lifted.",
        start: Fixed("4k3/8/8/3K4/3B4/8/7R/3r4 b - - 0 1"),
        opponent: TRICKY,
    },
    LessonData {
        id: "two-bishops-knight",
        title: "Two bishops against a knight",
        material: "KBBKN",
        human: White,
        task: Win,
        goal: "Win the knight or mate, inside 50 moves. Take the squares from the knight with the bishops, keep it from the \
               corner where it would hold out, and bring your king.",
        start: Drawn { depth: Some("20..35") },
        opponent: CLUB,
    },
    LessonData {
        id: "two-knights-pawn",
        title: "Two knights against a pawn",
        material: "KNNKP",
        human: White,
        task: Win,
        goal: "Mate with two knights while a pawn of your opponent saves it from stalemate. Hold the pawn with one knight, \
               drive the king into a corner with the other and your king, and then let the pawn run.",
        start: Drawn { depth: Some("15..40") },
        opponent: CLUB,
    },
    LessonData {
        id: "queen-pawn-queen",
        title: "Queen and pawn against queen",
        material: "KQPKQ",
        human: White,
        task: Win,
        goal: "Queen the pawn or trade the queens. Bring your king where a check can be answered by a check of yours, and \
               keep the queen in the middle of the board.",
        start: Drawn { depth: Some("15..40") },
        opponent: CLUB,
    },
];
