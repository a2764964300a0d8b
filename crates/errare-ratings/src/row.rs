//! A turn as turn files have it, with all that is known about where it comes from.

use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::provenance::{Engine, GameRecord, Player, PlayerSide};
use crate::record::Record;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// What a game is called: a number, as `errare evaluate` gives it, or any text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GameName {
    /// A number.
    Number(i64),
    /// A text.
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

/// One turn of a turn file. In JSON it has these names; what is none or empty is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    /// The Elo that both players are near to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milepost: Option<u16>,
    /// The game's number among all that were gone through, from 1, or another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameName>,
    /// The name of the file that has the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The game's number in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_game: Option<i64>,
    /// Who had White.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Who had Black.
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
    /// The date, as in PGN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// How the game ended, as in PGN.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Plies made before, from the initial position: 0 is White's first move.
    pub ply: u16,
    /// The position.
    pub fen: String,
    /// The move that was played, in UCI notation.
    pub played: String,
    /// All moves that were evaluated, best first.
    pub lines: Vec<(String, Evaluation)>,
    /// The same moves at other depths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_depths: BTreeMap<u16, Vec<(String, Evaluation)>>,
    /// The engine's name and version, as it tells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The depth of search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// Net and options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<String>,
    /// Which file the engine was: `sha256:` and its hash. Engines of one version may be built in many ways, so this
    /// alone makes no difference between turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_file: Option<String>,
}

impl TurnRow {
    /// Who made the evaluations.
    pub fn made_by(&self) -> Engine {
        Engine { name: self.engine.clone(), depth: self.depth, settings: self.settings.clone() }
    }

    /// What the fits need of it.
    pub fn record(self) -> Result<Record, RatingsError> {
        let refuse = |what: String| Err(RatingsError::Record(what));
        if self.lines.is_empty() {
            return refuse("there are no lines".to_owned());
        }
        let side = match self.fen.split_whitespace().nth(1) {
            Some("w") => PlayerSide::White,
            Some("b") => PlayerSide::Black,
            _ => return refuse(format!("`{}` does not tell who is to move", self.fen)),
        };
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
            // Without the counters: they differ where a position repeats.
            position: self.fen.split_whitespace().take(4).collect::<Vec<_>>().join(" "),
            played,
            moves: self.lines,
            other_depths,
        })
    }
}

/// Puts the best first. What is equal stays as it is.
pub(crate) fn sort_lines(lines: &mut [(String, Evaluation)]) {
    lines.sort_by_key(|&(_, evaluation)| {
        Reverse(match evaluation {
            Evaluation::Mate(moves) if moves > 0 => (2, -i64::from(moves)),
            Evaluation::Centipawns(value) => (1, i64::from(value)),
            Evaluation::Mate(moves) => (0, -i64::from(moves)),
        })
    });
}

impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Evaluation::Centipawns(value) => serializer.serialize_i32(*value),
            Evaluation::Mate(moves) => serializer.collect_str(&format_args!("#{moves}")),
        }
    }
}

impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Evaluation, D::Error> {
        deserializer.deserialize_any(EvaluationVisitor)
    }
}

struct EvaluationVisitor;

impl Visitor<'_> for EvaluationVisitor {
    type Value = Evaluation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("centipawns, or `#3` for mate")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Evaluation, E> {
        i32::try_from(value).map(Evaluation::Centipawns).map_err(|_| E::custom(format!("{value} is no evaluation")))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Evaluation, E> {
        i32::try_from(value).map(Evaluation::Centipawns).map_err(|_| E::custom(format!("{value} is no evaluation")))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Evaluation, E> {
        let moves = text.strip_prefix('#').and_then(|moves| moves.parse().ok());
        moves
            .map(Evaluation::Mate)
            .ok_or_else(|| E::custom(format!("`{text}` is no evaluation: use centipawns, or `#3` for mate")))
    }
}

/// As PGN has it, and so the files that others made.
fn as_text<S: Serializer>(elo: &Option<u16>, serializer: S) -> Result<S::Ok, S::Error> {
    match elo {
        Some(elo) => serializer.collect_str(elo),
        None => serializer.serialize_none(),
    }
}

/// Unknown ratings are written in many ways; only a number is one.
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
        Loose::Text(text) => elo(&text),
    }))
}

/// A rating as people write it; none if it is no positive number.
pub(crate) fn elo(text: &str) -> Option<u16> {
    text.trim().parse().ok().filter(|&elo| elo > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_line_comes_first() {
        let order = [
            Evaluation::Mate(1),
            Evaluation::Mate(7),
            Evaluation::Centipawns(20_000),
            Evaluation::Centipawns(15_000),
            Evaluation::Centipawns(-1),
            Evaluation::Mate(-9),
            Evaluation::Mate(-1),
            Evaluation::Mate(0),
        ];
        let named = |places: &[usize]| places.iter().map(|&at| (at.to_string(), order[at])).collect::<Vec<_>>();
        let mut lines = named(&[5, 2, 0, 7, 3, 1, 6, 4]);
        sort_lines(&mut lines);
        assert_eq!(lines, named(&[0, 1, 2, 3, 4, 5, 6, 7]));
    }
}
