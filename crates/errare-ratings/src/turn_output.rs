//! Turn files that appear whole or not at all.

use crate::error::RatingsError;
use crate::row::TurnRow;
use crate::turn_file::{TurnFormat, TurnWriter};
use errare_work::{WholeFile, WriteError};
use std::path::{Path, PathBuf};

/// A turn file in the making. The file gets its name by [`finish`](TurnOutput::finish); dropped before, it leaves
/// nothing behind.
pub struct TurnOutput {
    path: PathBuf,
    writer: TurnWriter<WholeFile>,
}

impl TurnOutput {
    /// Begins a turn file.
    ///
    /// # Errors
    /// If it cannot be opened for writing.
    pub fn create(path: &Path, format: TurnFormat) -> Result<TurnOutput, RatingsError> {
        let writer = TurnWriter::new(WholeFile::create(path)?, format).map_err(|error| named(path, error))?;
        Ok(TurnOutput { path: path.to_owned(), writer })
    }

    /// Writes a turn.
    ///
    /// # Errors
    /// If the format has no place for it, or it cannot be written.
    pub fn write(&mut self, row: TurnRow) -> Result<(), RatingsError> {
        self.writer.write(row).map_err(|error| named(&self.path, error))
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    /// If the rest of it cannot be written, or the file not be renamed.
    pub fn finish(self) -> Result<(), RatingsError> {
        let file = self.writer.finish().map_err(|error| named(&self.path, error))?;
        Ok(file.finish()?)
    }
}

fn named(path: &Path, error: RatingsError) -> RatingsError {
    match error {
        RatingsError::Write(source) => RatingsError::WriteFile(WriteError { path: path.to_owned(), source }),
        error => RatingsError::Output { path: path.to_owned(), source: Box::new(error) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::GameName;
    use std::fs;

    #[test]
    fn a_turn_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        let mut output = TurnOutput::create(&path, TurnFormat::Parquet).unwrap();
        let named = TurnRow { game: Some(GameName::Text("final".to_owned())), ..TurnRow::default() };
        let error = output.write(named).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: the game `final`", path.display())), "{error}");
        drop(output);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        TurnOutput::create(&path, TurnFormat::Parquet).unwrap().finish().unwrap();
        assert_eq!(crate::TurnRows::open(&path).unwrap().count(), 0);
        assert!(TurnOutput::create(&folder.path().join("no/such/folder"), TurnFormat::Jsonl).is_err());
    }
}
