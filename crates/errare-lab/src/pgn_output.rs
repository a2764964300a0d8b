//! Games written to a PGN file that appears whole or not at all.

use crate::error::LabError;
use errare_games::{Annotation, Game, write_game};
use errare_work::{WholeFile, same_file};
use std::path::{Path, PathBuf};

/// A PGN file in the making. Dropped before [`finish`](PgnOutput::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct PgnOutput(WholeFile);

impl PgnOutput {
    /// Begins a file, which must be none of those that are read.
    ///
    /// # Errors
    /// If the file is one of the inputs, or cannot be written.
    pub fn create(path: &Path, inputs: &[PathBuf]) -> Result<PgnOutput, LabError> {
        if inputs.iter().any(|input| same_file(input, path)) {
            return Err(LabError::OutputIsInput(path.to_owned()));
        }
        Ok(PgnOutput(WholeFile::create(path)?))
    }

    /// Writes a game, with an annotation for each of its first moves.
    ///
    /// # Errors
    /// If the game cannot be written.
    pub fn write(&mut self, game: &Game, annotations: &[Annotation]) -> Result<(), LabError> {
        write_game(&mut self.0, game, annotations).map_err(|error| self.0.failed(error).into())
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    /// If the file cannot be written or renamed. Nothing is left behind then.
    pub fn finish(self) -> Result<(), LabError> {
        Ok(self.0.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn games_appear_together_and_never_over_an_input() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let mut games = PgnOutput::create(&path, &[]).expect("a file");
        games.write(&Game::new(Chess::default()), &[]).expect("written");
        assert!(!path.exists());
        games.finish().expect("finished");
        assert!(std::fs::read_to_string(&path).expect("read").contains("[Event"));
        let refused = PgnOutput::create(&path, std::slice::from_ref(&path)).map_err(|error| error.to_string()).err();
        let expected = format!("{} is being read: write the output to another file", path.display());
        assert_eq!(refused, Some(expected));
    }
}
