//! Turns read from several files as one set.

use crate::calibration::Calibration;
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::evaluation::Scale;
use crate::fit::Method;
use crate::provenance::Engine;
use crate::row::TurnRow;
use crate::selection::{LeftOut, Selection};
use crate::turn_file::TurnRows;
use crate::turns::Turns;
use crate::turns_builder::{BuiltTurns, TurnsBuilder};
use errare_work::{Progress, Status};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The turns of one or several files, ready to be analysed. Clones share the turns.
#[derive(Clone, Debug)]
pub struct TurnSet {
    /// The turns that count.
    pub turns: Arc<Turns>,
    /// The numbers of turns that do not count.
    pub left_out: LeftOut,
    /// Number of games that came up again, in the same file or another; their copies were left out.
    pub duplicate_games: u64,
    /// Number of turns, counting or not, that no checksum vouches for: those of hand-made files and early versions.
    pub unchecked_turns: u64,
    /// A description: the names of the files, the numbers of turns and games.
    pub data: String,
}

/// Reads turn files, one after the other, into a [`TurnSet`].
#[derive(Debug)]
pub struct TurnReader {
    builder: TurnsBuilder,
    names: Vec<String>,
    unchecked: u64,
}

/// Number of turns between two reports of progress.
const REPORTED: u64 = 1000;

impl TurnReader {
    /// Makes a reader that has read nothing yet. `engine` fills in what turns leave open about their engine.
    pub fn new(scale: Scale, selection: Selection, engine: Engine) -> TurnReader {
        TurnReader { builder: TurnsBuilder::new(scale, selection, engine), names: Vec::new(), unchecked: 0 }
    }

    /// Reads a file: Parquet, or lines of JSON, plain or compressed by gzip or zstd; or the `turns.parquet` of a folder.
    ///
    /// # Errors
    /// [`RatingsError::InFile`] with the place of the first turn that cannot be read, or is by another engine than those
    /// before; [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn open(&mut self, path: &Path, progress: &dyn Progress) -> Result<(), RatingsError> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.add(&name, || TurnRows::open(path), progress).map_err(|error| in_file(path, error))?;
        self.names.push(name);
        Ok(())
    }

    /// Reads lines of JSON, plain or compressed, from a source that is known under a name.
    ///
    /// # Errors
    /// As [`open`](TurnReader::open).
    pub fn read(&mut self, name: &str, source: impl Read, progress: &dyn Progress) -> Result<(), RatingsError> {
        self.add(name, || TurnRows::new(source), progress).map_err(|error| in_file(Path::new(name), error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    fn add<'a>(
        &mut self,
        name: &str,
        open: impl FnOnce() -> Result<TurnRows<'a>, RatingsError>,
        progress: &dyn Progress,
    ) -> Result<(), RatingsError> {
        let activity = format!("reading {name}");
        let mut rows = open()?;
        let mut done = 0;
        while let Some(row) = rows.next() {
            progress.proceed()?;
            if done % REPORTED == 0 {
                progress.report(&Status { done, ..Status::new(&activity, "turns") });
            }
            let added = row?.record().and_then(|record| self.builder.add(record));
            added.map_err(|error| error.at(rows.place()))?;
            done += 1;
        }
        self.unchecked += rows.unchecked();
        Ok(())
    }

    /// Adds a turn that does not come from a turn file.
    ///
    /// # Errors
    /// [`RatingsError::Record`] if the turn contradicts itself; [`RatingsError::Engines`] if it is by another engine than
    /// those before.
    pub fn add_row(&mut self, row: TurnRow) -> Result<(), RatingsError> {
        row.record().and_then(|record| self.builder.add(record))
    }

    /// Names a source of turns that were added one by one.
    pub fn add_name(&mut self, name: impl Into<String>) {
        self.names.push(name.into());
    }

    /// Ends the reading, and returns the set of turns.
    pub fn finish(self) -> TurnSet {
        let BuiltTurns { turns, left_out, duplicate_games } = self.builder.finish();
        let names = self.names.join(", ");
        let data = format!("{names}: {} turns of {} games", turns.count(), turns.games().len());
        TurnSet { turns: Arc::new(turns), left_out, duplicate_games, unchecked_turns: self.unchecked, data }
    }
}

fn in_file(path: &Path, error: RatingsError) -> RatingsError {
    match error {
        RatingsError::Cancelled(cancelled) => cancelled.into(),
        error => RatingsError::InFile { path: path.to_owned(), source: Box::new(error) },
    }
}

impl TurnSet {
    /// Makes the calibration of these turns, by their mileposts and the joint model.
    ///
    /// # Errors
    /// [`Refusal::UnnamedEngine`] if engine or depth are not known; otherwise as [`Calibration::new`].
    pub fn calibration(
        &self,
        model: ChoiceModel,
        method: Method,
        progress: &dyn Progress,
    ) -> Result<Calibration, RatingsError> {
        let engine = self.turns.engine();
        if engine.name.is_none() || engine.depth.is_none() {
            return Err(Refusal::UnnamedEngine.into());
        }
        Calibration::new(&self.turns, model, method, self.data.clone(), progress)
    }
}
