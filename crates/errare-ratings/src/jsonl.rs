//! Turn files: one turn a line, in JSON, plain or compressed by gzip.
//!
//! The one shape of JSON outside the command line: turn files are what this crate is fed with, as PGN is for others,
//! and whoever uses it needs them. A line has `fen`, `ply` (0 is White's first move), `played` (UCI) and `lines`, all
//! legal moves as `["e2e4", 31]` or `["e2e4", "#-3"]`, best first, seen by the side to move. It may have `game`,
//! `milepost`, `white`, `black`, `white_elo`, `black_elo`, `date`, `event`, `engine`, `depth`, `settings`, and
//! `other_depths`: `{"8": [["e2e4", 20], ...]}`. Anything else is passed over.

use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::provenance::{Engine, Game, Player, Side};
use crate::record::Record;
use flate2::bufread::MultiGzDecoder;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

/// A number or a text, as people write both.
#[derive(Deserialize)]
#[serde(untagged)]
enum Loose<'a> {
    Number(i64),
    #[serde(borrow)]
    Text(Cow<'a, str>),
}

type Line<'a> = (Cow<'a, str>, Loose<'a>);

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    ply: u16,
    #[serde(borrow)]
    played: Cow<'a, str>,
    #[serde(borrow)]
    lines: Vec<Line<'a>>,
    #[serde(borrow, default)]
    other_depths: BTreeMap<Cow<'a, str>, Vec<Line<'a>>>,
    #[serde(borrow)]
    game: Option<Loose<'a>>,
    milepost: Option<u16>,
    white: Option<String>,
    black: Option<String>,
    #[serde(borrow)]
    white_elo: Option<Loose<'a>>,
    #[serde(borrow)]
    black_elo: Option<Loose<'a>>,
    date: Option<String>,
    event: Option<String>,
    engine: Option<String>,
    depth: Option<u16>,
    settings: Option<String>,
}

/// Reads records one after the other.
pub struct TurnFile<'a> {
    source: Box<dyn BufRead + 'a>,
    line: u64,
    text: String,
}

/// No line is longer: 500 moves take less than a tenth of it.
const LONGEST: u64 = 1 << 20;

impl<'a> TurnFile<'a> {
    /// From plain text or gzip, told apart by the first bytes.
    pub fn new(source: impl Read + 'a) -> io::Result<TurnFile<'a>> {
        let mut source = BufReader::with_capacity(1 << 16, source);
        let is_packed = source.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn BufRead + 'a> = if is_packed {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(source)))
        } else {
            Box::new(source)
        };
        Ok(TurnFile { source, line: 0, text: String::new() })
    }

    /// The line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn read(&mut self) -> Result<Option<Record>, RatingsError> {
        loop {
            self.line += 1;
            self.text.clear();
            let line = self.line;
            let source = self.source.by_ref().take(LONGEST).read_line(&mut self.text);
            if source.map_err(|source| RatingsError::Read { line, source })? == 0 {
                return Ok(None);
            }
            if self.text.len() as u64 == LONGEST {
                return Err(RatingsError::Line { line, what: "longer than any turn".to_owned() });
            }
            if self.text.trim().is_empty() {
                continue;
            }
            let refuse = |what: String| RatingsError::Line { line, what };
            let row: Row<'_> = serde_json::from_str(&self.text).map_err(|error| refuse(error.to_string()))?;
            return record(row).map(Some).map_err(refuse);
        }
    }
}

impl Iterator for TurnFile<'_> {
    type Item = Result<Record, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn record(row: Row<'_>) -> Result<Record, String> {
    let mut fields = row.fen.split_whitespace();
    let side = match fields.nth(1) {
        Some("w") => Side::White,
        Some("b") => Side::Black,
        _ => return Err(format!("`{}` does not tell who is to move", row.fen)),
    };
    // Without the counters: they differ where a position repeats.
    let position = row.fen.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let moves: Vec<(String, Evaluation)> = row
        .lines
        .into_iter()
        .map(|(name, score)| Ok((name.into_owned(), evaluation(score)?)))
        .collect::<Result<_, String>>()?;
    let played = moves.iter().position(|(name, _)| *name == row.played);
    let played = played.ok_or_else(|| format!("the played move {} is not among the lines", row.played))?;
    let mut other_depths = Vec::new();
    for (depth, lines) in row.other_depths {
        let number = depth.parse().map_err(|_| format!("`{depth}` is no depth"))?;
        other_depths.push((number, in_order(&moves, lines, &depth)?));
    }
    let text = |text: Option<String>| text.unwrap_or_default();
    let id = match row.game {
        Some(Loose::Number(number)) => number.to_string(),
        Some(Loose::Text(text)) => text.into_owned(),
        None => String::new(),
    };
    Ok(Record {
        game: Game {
            id,
            white: Player { name: text(row.white), elo: elo(row.white_elo) },
            black: Player { name: text(row.black), elo: elo(row.black_elo) },
            event: text(row.event),
            date: text(row.date),
            milepost: row.milepost,
        },
        engine: Engine { name: row.engine, depth: row.depth, settings: row.settings },
        ply: row.ply,
        side,
        position,
        played,
        moves,
        other_depths,
    })
}

/// The evaluations of the same moves in the order of the main depth.
fn in_order(moves: &[(String, Evaluation)], lines: Vec<Line<'_>>, depth: &str) -> Result<Vec<Evaluation>, String> {
    let mut by_name = BTreeMap::new();
    for (name, score) in lines {
        by_name.insert(name, evaluation(score)?);
    }
    let find = |(name, _): &(String, Evaluation)| by_name.get(name.as_str()).copied();
    let found: Option<Vec<Evaluation>> = moves.iter().map(find).collect();
    found.ok_or_else(|| format!("at depth {depth} not all moves have an evaluation"))
}

fn evaluation(score: Loose<'_>) -> Result<Evaluation, String> {
    match score {
        Loose::Number(value) => {
            i32::try_from(value).map(Evaluation::Centipawns).map_err(|_| format!("{value} is no evaluation"))
        }
        Loose::Text(text) => text
            .strip_prefix('#')
            .and_then(|moves| moves.parse().ok())
            .map(Evaluation::Mate)
            .ok_or_else(|| format!("`{text}` is no evaluation: use centipawns, or `#3` for mate")),
    }
}

/// Unknown ratings are written in many ways; only a number is one.
fn elo(elo: Option<Loose<'_>>) -> Option<u16> {
    let number = match elo? {
        Loose::Number(number) => u16::try_from(number).ok(),
        Loose::Text(text) => text.trim().parse().ok(),
    };
    number.filter(|&elo| elo > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const LINE: &str = r##"{"game":7,"white":"A","black":"B","white_elo":"2694","black_elo":2701,"ply":16,"fen":"8/8/8/8/8/8/8/K1k5 w - - 3 9","played":"a1a2","lines":[["a1b2",30],["a1a2",-5],["a1b1","#-2"]],"other_depths":{"8":[["a1b1",1],["a1a2",2],["a1b2",3]]},"engine":"E","depth":10}"##;

    fn only(text: &str) -> Result<Record, String> {
        let mut file = TurnFile::new(text.as_bytes()).map_err(|error| error.to_string())?;
        file.next().ok_or("none")?.map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_record() -> Result<(), String> {
        let record = only(&format!("\n{LINE}\n"))?;
        assert_eq!(
            (record.game.id.as_str(), record.game.white.elo, record.game.black.elo),
            ("7", Some(2694), Some(2701))
        );
        assert_eq!((record.side, record.played, record.move_number()), (Side::White, 1, 9));
        assert_eq!(record.moves[2], ("a1b1".to_owned(), Evaluation::Mate(-2)));
        let shallow: Vec<Evaluation> = [3, 2, 1].map(Evaluation::Centipawns).to_vec();
        assert_eq!(record.other_depths, [(8, shallow)]);
        assert_eq!(record.position, "8/8/8/8/8/8/8/K1k5 w - -");
        assert_eq!(record.engine.to_string(), "E at depth 10");
        Ok(())
    }

    #[test]
    fn packed_and_plain_files_read_alike() -> io::Result<()> {
        let text = format!("{LINE}\n{LINE}\n");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes())?;
        // Two members one after the other are one file, as in the format's definition.
        let mut twice = packed.finish()?;
        twice.extend(twice.clone());
        assert_eq!(TurnFile::new(&twice[..])?.filter(Result::is_ok).count(), 4);
        assert_eq!(TurnFile::new(text.as_bytes())?.filter(Result::is_ok).count(), 2);
        Ok(())
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, sentence) in [
            ("\"a1a2\",\"lines", "\"a1a3\",\"lines", "the played move a1a3 is not among the lines"),
            ("\"#-2\"", "\"mate\"", "`mate` is no evaluation"),
            (" w ", " ", "does not tell who is to move"),
            ("[\"a1b1\",1],", "", "at depth 8 not all moves have an evaluation"),
            ("\"ply\":16", "\"ply\":-1", "invalid value"),
            ("}}", "", "EOF"),
        ] {
            let text = format!("{LINE}\n{}", LINE.replace(from, to));
            let text = if from == "}}" { format!("{LINE}\n{}", &LINE[..50]) } else { text };
            let file = TurnFile::new(text.as_bytes()).expect("readable");
            let said = file.filter_map(Result::err).map(|error| error.to_string()).collect::<String>();
            assert!(said.starts_with("line 2: ") && said.contains(sentence), "{said}");
        }
    }
}
