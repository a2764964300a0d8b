//! Merges parts of a turn file.

use crate::error::RatingsError;
use crate::provenance::Engine;
use crate::row::{GameName, TurnRow};
use crate::turn_file::{TurnFormat, TurnRows};
use crate::turn_output::TurnOutput;
use errare_work::{Cancelled, Progress, Status};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::{Path, PathBuf};

/// The place of a turn in the merged file. Its order is that of one run over all games: the files of a run come one after
/// the other, and the number of games before a file is the same in all its shards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    games_before: i64,
    source: Option<String>,
    /// Files that name no sources number their games within mileposts.
    milepost: Option<u16>,
    game: i64,
    ply: u16,
}

impl Place {
    fn of(row: &TurnRow) -> Result<Place, RatingsError> {
        let Some(GameName::Number(game)) = row.game else {
            let what = "the turn's game has no number: only numbered games can be merged";
            return Err(RatingsError::Record(what.to_owned()));
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

/// The next turn of a part. Of equal turns the one of the first part comes first.
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

/// Why parts cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A part cannot be read, or does not belong with those before.
    #[error("{}: {source}", part.display())]
    Part {
        /// The file.
        part: PathBuf,
        /// What is wrong with it.
        source: Box<RatingsError>,
    },
    /// The merged file cannot be written.
    #[error(transparent)]
    Output(RatingsError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The result of merging turn files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Number of turns in the merged file.
    pub turns: u64,
    /// Number of turns dropped because an earlier part had them too.
    pub duplicates: u64,
}

/// The turn file of a folder that `errare evaluate` wrote.
const FOLDER_FILE: &str = "turns.parquet";

/// Merges turn files, or folders that have a `turns.parquet`, into one in the order of games.
///
/// The parts must be in that order themselves, as all files of `errare evaluate` are; so only one turn of each is held in
/// memory. A turn of several parts is written once. The file appears whole or not at all.
///
/// # Errors
/// If a part cannot be read, is not in order, has another engine or contradicts an earlier one; if the file cannot be
/// written; or if the work is cancelled.
pub fn merge_turn_files(
    parts: &[PathBuf],
    out: &Path,
    format: TurnFormat,
    progress: &dyn Progress,
) -> Result<Merged, MergeError> {
    let mut readers = Vec::new();
    for part in parts {
        let path = if part.is_dir() { part.join(FOLDER_FILE) } else { part.clone() };
        match TurnRows::open(&path) {
            Ok(rows) => readers.push(Part { path, rows }),
            Err(error) => return Err(MergeError::Part { part: path, source: Box::new(error) }),
        }
    }
    let mut output = TurnOutput::create(out, format).map_err(MergeError::Output)?;
    let merged = merge(readers, |row| output.write(row), progress)?;
    output.finish().map_err(MergeError::Output)?;
    Ok(merged)
}

/// A turn file that is being read.
struct Part {
    path: PathBuf,
    rows: TurnRows<'static>,
}

impl Part {
    fn error(&self, error: RatingsError) -> MergeError {
        MergeError::Part { part: self.path.clone(), source: Box::new(error) }
    }

    /// The error of the turn that was read last.
    fn error_here(&self, what: String) -> MergeError {
        self.error(RatingsError::Record(what).at(self.rows.place()))
    }

    /// Reads the next turn of this part, the one of this number.
    fn next(&mut self, number: usize) -> Result<Option<Head>, MergeError> {
        let row = match self.rows.next() {
            None => return Ok(None),
            Some(row) => row.map_err(|error| self.error(error))?,
        };
        let place = Place::of(&row).map_err(|error| self.error(error.at(self.rows.place())))?;
        Ok(Some(Head { place, part: number, row }))
    }
}

fn merge(
    mut parts: Vec<Part>,
    mut write: impl FnMut(TurnRow) -> Result<(), RatingsError>,
    progress: &dyn Progress,
) -> Result<Merged, MergeError> {
    let mut heads = BinaryHeap::new();
    for (number, part) in parts.iter_mut().enumerate() {
        heads.extend(part.next(number)?.map(Reverse));
    }
    let mut merged = Merged::default();
    let mut engine: Option<Engine> = None;
    let mut last: Option<(Place, TurnRow)> = None;
    while let Some(mut top) = heads.peek_mut() {
        progress.proceed()?;
        let part = top.0.part;
        let head = match parts[part].next(part)? {
            Some(following) if following.place <= top.0.place => {
                let what = "the turns are not in the order of games, each once: expected a file of `errare evaluate`";
                return Err(parts[part].error_here(what.to_owned()));
            }
            Some(following) => std::mem::replace(&mut top.0, following),
            None => PeekMut::pop(top).0,
        };
        let found = head.row.made_by();
        match &engine {
            Some(expected) if *expected != found => {
                let (expected, found) = (Box::new(expected.clone()), Box::new(found));
                return Err(parts[part].error(RatingsError::Engines { expected, found }));
            }
            Some(_) => {}
            None => engine = Some(found),
        }
        match &last {
            Some((place, row)) if *place == head.place => {
                if row.fen != head.row.fen || row.played != head.row.played || row.lines != head.row.lines {
                    let Place { ply, game, .. } = head.place;
                    let what = format!("ply {ply} of game {game} differs from that of another part");
                    return Err(parts[part].error(RatingsError::Record(what)));
                }
                merged.duplicates += 1;
            }
            _ => {
                write(head.row.clone()).map_err(MergeError::Output)?;
                merged.turns += 1;
                last = Some((head.place, head.row));
            }
        }
        let done = merged.turns + merged.duplicates;
        progress.report(&Status { done, ..Status::new("merging", "turns") });
    }
    Ok(merged)
}
