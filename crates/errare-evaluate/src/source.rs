//! Where games come from: files, or texts in memory.

use crate::error::EvaluateError;
use errare_games::Games;
use errare_work::Progress;
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Games in PGN, plain or compressed by gzip or zstd. They are read several times.
#[derive(Clone, Debug)]
pub enum GameSource {
    /// A file.
    File(PathBuf),
    /// A text in memory, and the name by which turns and messages refer to it.
    Text {
        /// The name of the games.
        name: String,
        /// The games in PGN.
        pgn: Arc<str>,
    },
}

impl GameSource {
    /// The name by which turns refer to the games: that of the file without its folder.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            GameSource::File(path) => {
                path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
            GameSource::Text { name, .. } => name.clone(),
        }
    }

    /// The path of the file, or what stands for one in messages.
    pub(crate) fn path(&self) -> &Path {
        match self {
            GameSource::File(path) => path,
            GameSource::Text { name, .. } => Path::new(name),
        }
    }

    /// Begins to read the games.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(crate) fn open<'a>(
        &self,
        progress: &'a dyn Progress,
    ) -> Result<Games<Cancellable<'a, Box<dyn Read>>>, EvaluateError> {
        let stream: Box<dyn Read> = match self {
            GameSource::File(path) => Box::new(File::open(path).map_err(|source| self.failed(source))?),
            GameSource::Text { pgn, .. } => Box::new(Cursor::new(SharedBytes(Arc::clone(pgn)))),
        };
        Ok(Games::new(Cancellable { stream, progress }))
    }

    /// The error of games that cannot be read.
    pub(crate) fn failed(&self, source: io::Error) -> EvaluateError {
        EvaluateError::File { path: self.path().to_owned(), source }
    }
}

/// A text whose bytes a cursor can read without a copy.
struct SharedBytes(Arc<str>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Refuses sources of the same name, which turns could not tell apart.
pub(crate) fn check_names(sources: &[GameSource]) -> Result<(), EvaluateError> {
    let mut names = HashSet::new();
    match sources.iter().map(GameSource::name).find(|name| !names.insert(name.clone())) {
        Some(name) => Err(EvaluateError::SameName { name }),
        None => Ok(()),
    }
}

/// The names of all players of games that can be played through.
///
/// # Errors
/// If games cannot be read, or the work is cancelled.
pub fn player_names(sources: &[GameSource], progress: &dyn Progress) -> Result<BTreeSet<String>, EvaluateError> {
    let mut names = BTreeSet::new();
    for source in sources {
        for game in source.open(progress)? {
            progress.proceed()?;
            match game {
                Ok(game) => {
                    names.extend(["White", "Black"].into_iter().filter_map(|side| game.tag(side)).map(str::to_owned))
                }
                Err(errare_games::GamesError::Io(error)) => return Err(source.failed(error)),
                Err(_) => {}
            }
        }
    }
    Ok(names)
}

/// A stream whose reading ends when the work is cancelled, even in the middle of a game without end.
pub(crate) struct Cancellable<'a, R> {
    stream: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Cancellable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.proceed().map_err(io::Error::other)?;
        self.stream.read(buffer)
    }
}
