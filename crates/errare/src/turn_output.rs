//! Turn files that appear whole or not at all.

use anyhow::{Result, anyhow};
use errare_ratings::{RatingsError, TurnFormat, TurnRow, TurnWriter};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// A turn file in the making, under a temporary name beside it.
pub struct TurnOutput {
    path: PathBuf,
    temporary: PathBuf,
    /// None when it is finished.
    writer: Option<TurnWriter<File>>,
}

impl TurnOutput {
    pub fn create(path: &Path, format: TurnFormat) -> Result<TurnOutput> {
        let temporary = path.with_added_extension(format!("{}.tmp", std::process::id()));
        let failed = |error: &dyn std::fmt::Display| anyhow!("cannot write {}: {error}", path.display());
        let file = File::create(&temporary).map_err(|error| failed(&error))?;
        let mut output = TurnOutput { path: path.to_owned(), temporary, writer: None };
        output.writer = Some(TurnWriter::new(file, format).map_err(|error| failed(&error))?);
        Ok(output)
    }

    pub fn write(&mut self, row: TurnRow) -> Result<()> {
        let written = self.writer.as_mut().map_or(Ok(()), |writer| writer.write(row));
        written.map_err(|error| anyhow!("cannot write {}: {error}", self.path.display()))
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<()> {
        let done = self.writer.take().map_or(Ok(()), |writer| {
            let file = writer.finish()?;
            file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path)).map_err(RatingsError::Write)
        });
        done.map_err(|error| anyhow!("cannot write {}: {error}", self.path.display()))
    }
}

impl Drop for TurnOutput {
    fn drop(&mut self) {
        // Renamed if all went well; else nobody wants it.
        drop(fs::remove_file(&self.temporary));
    }
}
