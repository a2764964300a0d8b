//! Games written to a file that appears whole or not at all.

use anyhow::{Result, anyhow, bail};
use errare_games::{Annotation, Game, write_game};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of games in the making, under a temporary name beside it.
pub struct Scoresheets {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
}

impl Scoresheets {
    /// Begins a file, which must be none of those that are being read.
    pub fn create(path: &Path, inputs: &[PathBuf]) -> Result<Scoresheets> {
        let same = |input: &PathBuf| match (fs::canonicalize(input), fs::canonicalize(path)) {
            (Ok(input), Ok(path)) => input == path,
            _ => false,
        };
        if inputs.iter().any(same) {
            bail!("{} is being read: write the games to another file", path.display());
        }
        let temporary = path.with_added_extension(format!("{}.tmp", std::process::id()));
        let file = File::create(&temporary).map_err(|error| anyhow!("cannot write {}: {error}", path.display()))?;
        Ok(Scoresheets { path: path.to_owned(), temporary, file: BufWriter::new(file) })
    }

    pub fn write(&mut self, game: &Game, annotations: &[Annotation]) -> Result<()> {
        write_game(&mut self.file, game, annotations).map_err(|error| self.failed(&error))
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<()> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.temporary, &self.path));
        done.map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> anyhow::Error {
        anyhow!("cannot write {}: {error}", self.path.display())
    }
}

impl Drop for Scoresheets {
    fn drop(&mut self) {
        // Renamed if all went well; else nobody wants it.
        drop(fs::remove_file(&self.temporary));
    }
}
