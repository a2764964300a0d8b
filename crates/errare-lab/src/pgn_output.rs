//! Games written to a PGN file that appears whole or not at all.

use crate::error::LabError;
use crate::lab::Lab;
use errare_games::{Annotation, Game, write_game};
use errare_work::WholeFile;
use std::path::Path;

/// A PGN file in the making. Dropped before [`finish`](PgnOutput::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct PgnOutput(WholeFile);

impl PgnOutput {
    /// Begins a file; `-` is standard output.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn create(lab: &Lab, path: &Path) -> Result<PgnOutput, LabError> {
        Ok(PgnOutput(lab.outside_path(path)?.create(path)?))
    }

    /// Writes a game, with an annotation for each of its first moves.
    ///
    /// # Errors
    /// If the game cannot be written.
    pub fn write(&mut self, game: &Game, annotations: &[Annotation]) -> Result<(), LabError> {
        write_game(&mut self.0, game, annotations).map_err(|error| self.0.failed(error).into())
    }

    /// Completes the file and gives it its name.
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
    use crate::config::LabConfig;
    use shakmaty::Chess;

    #[test]
    fn games_appear_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let lab = Lab::new(LabConfig::default());
        let mut games = PgnOutput::create(&lab, &path).expect("a file");
        games.write(&Game::new(Chess::default()), &[]).expect("written");
        assert!(!path.exists());
        games.finish().expect("finished");
        assert!(std::fs::read_to_string(&path).expect("read").contains("[Event"));
    }
}
