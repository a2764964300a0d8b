//! Merges parts of a turn file.

use crate::error::RatingsError;
use crate::provenance::Engine;
use crate::row::{GameName, TurnRow};
use crate::turn_file::{TurnFormat, TurnRows, turn_file_of};
use crate::turn_game_identity::TurnGameIdentity;
use crate::turn_output::TurnOutput;
use errare_work::{Cancelled, Progress, Status};
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, HashSet};
use std::path::{Path, PathBuf};

/// The place of a turn in the merged file. The order of places is that of one run over all games: the files of a run
/// come one after the other, and the number of games before a file is the same in all its shards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    games_before: i64,
    source: Option<String>,
    /// The milepost, for files that name no sources: they number their games within mileposts.
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

    /// Whether two places are of turns of one game.
    fn is_same_game(&self, other: &Place) -> bool {
        Place { ply: 0, ..self.clone() } == Place { ply: 0, ..other.clone() }
    }
}

/// The next turn of a part. Of equal turns that of the first part comes first.
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
    /// A part cannot be read, or does not belong with the parts before it.
    #[error("{}: {source}", part.display())]
    Part {
        /// The turn file of the part.
        part: PathBuf,
        /// The fault of the part.
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
    /// Number of turns dropped because they came before: in an earlier part, or in a copy of their game.
    pub duplicates: u64,
    /// Number of games that were copies of others by [`TurnGameIdentity`], under another number or from another file.
    pub duplicate_games: u64,
}

/// Merges turn files, or folders that have a `turns.parquet`, into one in the order of games.
///
/// The parts must be in that order themselves, as all files of `errare evaluate` are; so only one game and one turn of each
/// part are held in memory. A turn of several parts is written once, and so is a game that comes under several numbers or
/// from several files of games. The file appears whole or not at all.
///
/// # Errors
/// If a part cannot be read, is not in order, has another engine, contradicts itself or an earlier one; if the file cannot be
/// written; or if the work is cancelled.
pub fn merge_turn_files(
    parts: &[PathBuf],
    out: &Path,
    format: TurnFormat,
    progress: &dyn Progress,
) -> Result<Merged, MergeError> {
    let mut readers = Vec::new();
    for part in parts {
        match TurnRows::open(part) {
            Ok(rows) => readers.push(Part { path: turn_file_of(part), rows }),
            Err(error) => return Err(MergeError::Part { part: part.clone(), source: Box::new(error) }),
        }
    }
    let mut output = TurnOutput::create(out, format).map_err(MergeError::Output)?;
    let merged = merge(readers, |row| output.write(row), progress)?;
    output.finish().map_err(MergeError::Output)?;
    Ok(merged)
}

/// A turn file that is being merged.
struct Part {
    path: PathBuf,
    rows: TurnRows<'static>,
}

impl Part {
    fn error(&self, error: RatingsError) -> MergeError {
        MergeError::Part { part: self.path.clone(), source: Box::new(error) }
    }

    /// The error that the turn read last is wrong.
    fn error_here(&self, what: String) -> MergeError {
        self.error(RatingsError::Record(what).at(self.rows.place()))
    }

    /// Reads the next turn of this part, which has this number.
    fn next(&mut self, number: usize) -> Result<Option<Head>, MergeError> {
        let row = match self.rows.next() {
            None => return Ok(None),
            Some(row) => row.map_err(|error| self.error(error))?,
        };
        let place =
            row.check().and_then(|_| Place::of(&row)).map_err(|error| self.error(error.at(self.rows.place())))?;
        Ok(Some(Head { place, part: number, row }))
    }
}

/// Collects turns into games, and writes each game once.
struct GameWriter<W> {
    write: W,
    /// The turns of the game that is being collected, and then the place of the last of them.
    game: Vec<TurnRow>,
    last: Option<Place>,
    known: HashSet<TurnGameIdentity>,
    merged: Merged,
}

impl<W: FnMut(TurnRow) -> Result<(), RatingsError>> GameWriter<W> {
    /// Adds a turn; an error explains what is wrong with it.
    fn add(&mut self, place: Place, row: TurnRow) -> Result<Result<(), String>, MergeError> {
        match (&self.last, self.game.last()) {
            (Some(last), Some(known)) if *last == place => {
                if known.fen != row.fen || known.played != row.played || known.lines != row.lines {
                    let Place { ply, game, .. } = place;
                    return Ok(Err(format!("ply {ply} of game {game} differs from that of another part")));
                }
                self.merged.duplicates += 1;
                return Ok(Ok(()));
            }
            (Some(last), _) if !last.is_same_game(&place) => self.end_game()?,
            _ => {}
        }
        self.game.push(row);
        self.last = Some(place);
        Ok(Ok(()))
    }

    /// Writes the game that was collected, unless it was written before.
    fn end_game(&mut self) -> Result<(), MergeError> {
        let identity = TurnGameIdentity::of_turns(&self.game);
        if identity.is_some_and(|identity| !self.known.insert(identity)) {
            self.merged.duplicates += self.game.len() as u64;
            self.merged.duplicate_games += 1;
            self.game.clear();
        }
        for row in self.game.drain(..) {
            (self.write)(row).map_err(MergeError::Output)?;
            self.merged.turns += 1;
        }
        Ok(())
    }
}

fn merge(
    mut parts: Vec<Part>,
    write: impl FnMut(TurnRow) -> Result<(), RatingsError>,
    progress: &dyn Progress,
) -> Result<Merged, MergeError> {
    let mut heads = BinaryHeap::new();
    for (number, part) in parts.iter_mut().enumerate() {
        heads.extend(part.next(number)?.map(Reverse));
    }
    let mut games =
        GameWriter { write, game: Vec::new(), last: None, known: HashSet::new(), merged: Merged::default() };
    let mut engine: Option<Engine> = None;
    let mut done = 0;
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
        if let Err(what) = games.add(head.place, head.row)? {
            return Err(parts[part].error(RatingsError::Record(what)));
        }
        done += 1;
        progress.report(&Status { done, ..Status::new("merging", "turns") });
    }
    games.end_game()?;
    Ok(games.merged)
}
