//! Rows of turn files: one turn with its evaluations and its provenance.

use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::provenance::{Engine, GameRecord, Player, PlayerSide};
use crate::record::Record;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The name of a game: a number, as `errare evaluate` gives it, or any text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GameName {
    /// The number of a game.
    Number(i64),
    /// Any other name of a game.
    Text(String),
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameName::Number(number) => write!(f, "{number}"),
            GameName::Text(text) => f.write_str(text),
        }
    }
}

/// One turn of a turn file. JSON has fields of the same names; those that are none or empty are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    /// The Elo that both players are near to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milepost: Option<u16>,
    /// The game's number among all games that were gone through, from 1, or another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameName>,
    /// The name of the file that has the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The game's number in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_game: Option<i64>,
    /// White's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Black's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// White's rating.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_text",
        deserialize_with = "loose_elo"
    )]
    pub white_elo: Option<u16>,
    /// Black's rating.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_text",
        deserialize_with = "loose_elo"
    )]
    pub black_elo: Option<u16>,
    /// The date of the game, as in PGN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The event of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The place of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The round of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// The result of the game, as in PGN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Number of plies made before, from the initial position: 0 is White's first move.
    pub ply: u16,
    /// The position as a FEN.
    pub fen: String,
    /// The move that was played, in UCI notation.
    pub played: String,
    /// The moves that were evaluated, in UCI notation, best first.
    pub lines: Vec<(String, Evaluation)>,
    /// The evaluations of these moves at other depths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_depths: BTreeMap<u16, Vec<(String, Evaluation)>>,
    /// The name and version that the engine gives itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The depth of search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// Net and options of the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<String>,
    /// The hash of the engine's file, after `sha256:`. Engines of one version may be built in many ways, so turns that
    /// differ in this alone still belong together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_file: Option<String>,
}

impl TurnRow {
    /// The engine that made the evaluations.
    pub fn made_by(&self) -> Engine {
        Engine { name: self.engine.clone(), depth: self.depth, settings: self.settings.clone() }
    }

    /// The position without its counters, which differ where a position repeats.
    pub fn position(&self) -> String {
        self.fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ")
    }

    /// Checks that the turn does not contradict itself, and returns the side to move.
    ///
    /// # Errors
    /// [`RatingsError::Record`] if there are no lines, a move comes twice among them, the FEN names no side to move, or
    /// another than the ply does.
    pub fn check(&self) -> Result<PlayerSide, RatingsError> {
        let refuse = |what: String| Err(RatingsError::Record(what));
        if self.lines.is_empty() {
            return refuse("the turn has no lines".to_owned());
        }
        if let Some(twice) = repeated_move(&self.lines) {
            return refuse(format!("the move {twice} comes twice among the lines"));
        }
        for (depth, lines) in &self.other_depths {
            if let Some(twice) = repeated_move(lines) {
                return refuse(format!("the move {twice} comes twice among the lines of depth {depth}"));
            }
        }
        let side = match self.fen.split_whitespace().nth(1) {
            Some("w") => PlayerSide::White,
            Some("b") => PlayerSide::Black,
            _ => return refuse(format!("invalid FEN `{}`: it does not say who is to move", self.fen)),
        };
        let by_ply = if self.ply.is_multiple_of(2) { PlayerSide::White } else { PlayerSide::Black };
        if side != by_ply {
            let ply = self.ply;
            return refuse(format!("{side} is to move in the FEN, but at ply {ply} it is {by_ply}'s turn"));
        }
        Ok(side)
    }

    /// The record of the turn that fits need.
    ///
    /// # Errors
    /// [`RatingsError::Record`] if the turn contradicts itself.
    pub fn record(self) -> Result<Record, RatingsError> {
        let refuse = |what: String| Err(RatingsError::Record(what));
        let (side, position) = (self.check()?, self.position());
        let Some(played) = self.lines.iter().position(|(name, _)| *name == self.played) else {
            return refuse(format!("the played move {} is not among the lines", self.played));
        };
        let mut other_depths = Vec::new();
        for (depth, lines) in &self.other_depths {
            let by_name: BTreeMap<&str, Evaluation> =
                lines.iter().map(|(name, score)| (name.as_str(), *score)).collect();
            let found = self.lines.iter().map(|(name, _)| by_name.get(name.as_str()).copied()).collect();
            let Some(in_order) = found else {
                return refuse(format!("at depth {depth} not all moves have an evaluation"));
            };
            other_depths.push((*depth, in_order));
        }
        let text = Option::unwrap_or_default;
        let id = match (self.source, self.source_game, self.game) {
            (Some(source), Some(number), _) => format!("{source}:{number}"),
            (_, _, game) => game.map_or_else(String::new, |game| game.to_string()),
        };
        Ok(Record {
            game: GameRecord {
                id,
                white: Player { name: text(self.white), elo: self.white_elo },
                black: Player { name: text(self.black), elo: self.black_elo },
                event: text(self.event),
                date: text(self.date),
                milepost: self.milepost,
            },
            engine: Engine { name: self.engine, depth: self.depth, settings: self.settings },
            ply: self.ply,
            side,
            position,
            played,
            moves: self.lines,
            other_depths,
        })
    }
}

/// A move that comes twice among lines; none if each comes once.
fn repeated_move(lines: &[(String, Evaluation)]) -> Option<&str> {
    let mut moves: Vec<&str> = lines.iter().map(|(name, _)| name.as_str()).collect();
    moves.sort_unstable();
    moves.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Serialises a rating as text, as PGN and files of other programs have it.
fn as_text<S: Serializer>(elo: &Option<u16>, serializer: S) -> Result<S::Ok, S::Error> {
    match elo {
        Some(elo) => serializer.collect_str(elo),
        None => serializer.serialize_none(),
    }
}

/// Reads a rating from a number or text; whatever is not a positive number is an unknown rating.
fn loose_elo<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Loose<'a> {
        Number(i64),
        #[serde(borrow)]
        Text(Cow<'a, str>),
    }
    let loose: Option<Loose<'_>> = Option::deserialize(deserializer)?;
    Ok(loose.and_then(|loose| match loose {
        Loose::Number(number) => u16::try_from(number).ok().filter(|&elo| elo > 0),
        Loose::Text(text) => parse_elo(&text),
    }))
}

/// Reads a rating; none if the text is not a positive number.
pub fn parse_elo(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&elo| elo > 0)
}
