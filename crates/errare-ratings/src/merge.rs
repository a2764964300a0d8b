//! Parts of a turn file put together.

use crate::error::RatingsError;
use crate::provenance::Engine;
use crate::row::{GameName, TurnRow};
use crate::turn_file::TurnRows;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// Where a turn belongs. Shards of one run have it in the order of that run: the files of a run come one after the
/// other, and how many games are before a file is the same in all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    games_before: i64,
    source: Option<String>,
    /// In files that name no sources games are numbered within mileposts.
    milepost: Option<u16>,
    game: i64,
    ply: u16,
}

impl Place {
    fn of(row: &TurnRow) -> Result<Place, RatingsError> {
        let Some(GameName::Number(game)) = row.game else {
            return Err(RatingsError::Record(
                "its game has no number, so that it has no place among others".to_owned(),
            ));
        };
        Ok(Place {
            games_before: row.source_game.map_or(0, |number| game.saturating_sub(number)),
            source: row.source.clone(),
            milepost: row.milepost.filter(|_| row.source.is_none()),
            game,
            ply: row.ply,
        })
    }
}

/// The next turn of a part. The first of equals comes from the first part that has it.
struct Head {
    place: Place,
    part: usize,
    row: TurnRow,
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> std::cmp::Ordering {
        (&self.place, self.part).cmp(&(&other.place, other.part))
    }
}

/// Why parts cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A part cannot be read, or does not go with those before.
    #[error("{part}: {error}")]
    Part {
        /// What it is called.
        part: String,
        /// Why not.
        error: Box<RatingsError>,
    },
    /// What comes out cannot be written.
    #[error(transparent)]
    Output(RatingsError),
}

/// What was put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Turns of the whole.
    pub turns: u64,
    /// Turns that another part had too.
    pub duplicates: u64,
}

/// Puts parts together in the order of games, each with what it is called. They must be in that order themselves, as all
/// files of `errare evaluate` are; so only one turn of each is held. A turn that comes twice is written once.
pub fn merge(
    parts: Vec<(String, TurnRows<'_>)>,
    mut write: impl FnMut(TurnRow) -> Result<(), RatingsError>,
) -> Result<Merged, MergeError> {
    let mut names = Vec::new();
    let mut readers = Vec::new();
    for (name, rows) in parts {
        names.push(name);
        readers.push(rows);
    }
    let named =
        |part: usize, error: RatingsError| MergeError::Part { part: names[part].clone(), error: Box::new(error) };
    let mut heads = BinaryHeap::new();
    for (part, reader) in readers.iter_mut().enumerate() {
        heads.extend(next(reader, part).map_err(|error| named(part, error))?.map(Reverse));
    }
    let mut merged = Merged::default();
    let mut engine: Option<Engine> = None;
    let mut last: Option<(Place, TurnRow)> = None;
    while let Some(mut top) = heads.peek_mut() {
        let part = top.0.part;
        let following = next(&mut readers[part], part).map_err(|error| named(part, error))?;
        let head = match following {
            Some(following) if following.place <= top.0.place => {
                let what = "its turns are not in the order of games, each once: only files of `errare evaluate` are";
                return Err(named(part, readers[part].placed(RatingsError::Record(what.to_owned()))));
            }
            Some(following) => std::mem::replace(&mut top.0, following),
            None => PeekMut::pop(top).0,
        };
        let found = head.row.made_by();
        match &engine {
            Some(expected) if *expected != found => {
                return Err(named(part, RatingsError::Engines { expected: expected.clone(), found }));
            }
            Some(_) => {}
            None => engine = Some(found),
        }
        match &last {
            Some((place, row)) if *place == head.place => {
                if row.fen != head.row.fen || row.played != head.row.played || row.lines != head.row.lines {
                    let what = format!(
                        "ply {} of game {} is not the same as in another part",
                        head.place.ply, head.place.game
                    );
                    return Err(named(part, RatingsError::Record(what)));
                }
                merged.duplicates += 1;
            }
            _ => {
                write(head.row.clone()).map_err(MergeError::Output)?;
                merged.turns += 1;
                last = Some((head.place, head.row));
            }
        }
    }
    Ok(merged)
}

fn next(reader: &mut TurnRows<'_>, part: usize) -> Result<Option<Head>, RatingsError> {
    let Some(row) = reader.next().transpose()? else { return Ok(None) };
    let place = Place::of(&row).map_err(|error| reader.placed(error))?;
    Ok(Some(Head { place, part, row }))
}
