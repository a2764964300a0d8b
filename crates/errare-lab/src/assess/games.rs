//! The games to be assessed, file by file.

use crate::error::LabError;
use errare_games::{Game, Games, GamesError};
use errare_work::Progress;
use shakmaty::ByColor;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// Where games come from, in its order.
enum Source {
    File(PathBuf),
    Text(String),
}

impl Source {
    fn name(&self) -> String {
        match self {
            Source::File(path) => path.display().to_string(),
            Source::Text(_) => "the games of the request".to_owned(),
        }
    }

    fn open(&self) -> Result<Games<Box<dyn Read + Send>>, LabError> {
        let reader: Box<dyn Read + Send> = match self {
            Source::Text(text) => Box::new(Cursor::new(text.clone())),
            Source::File(path) if path == Path::new("-") => Box::new(io::stdin()),
            Source::File(path) => {
                Box::new(File::open(path).map_err(|source| LabError::Open { path: path.clone(), source })?)
            }
        };
        Ok(Games::new(reader))
    }
}

/// Reads games batch by batch.
pub(super) struct GameFiles {
    left: VecDeque<Source>,
    current: Option<(String, Games<Box<dyn Read + Send>>)>,
    pub counts: GameCounts,
}

/// Number of games met so far.
#[derive(Default)]
pub(super) struct GameCounts {
    /// All that can be played through.
    pub games: u64,
    /// With a move in an endgame that has tables.
    pub covered: u64,
    /// Broken ones, which were skipped.
    pub broken: u64,
}

impl GameCounts {
    /// Refuses to report on nothing.
    pub fn check(&self) -> Result<(), LabError> {
        match (self.games, self.broken) {
            (0, 0) => Err(LabError::request("there is no game to assess")),
            (0, _) => Err(LabError::request("there is no game to assess: all are broken")),
            _ => Ok(()),
        }
    }

    /// What a reader should know.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.covered == 0 {
            notes.push(format!("none of {} games has a move in an endgame with tables", self.games));
        }
        if self.broken > 0 {
            notes.push(format!("{} broken games were skipped", self.broken));
        }
        notes
    }
}

impl GameFiles {
    /// The games of files, then those of a text.
    pub fn new(files: &[PathBuf], text: Option<&str>) -> Result<GameFiles, LabError> {
        let files = files.iter().cloned().map(Source::File);
        let left: VecDeque<Source> = files.chain(text.map(|text| Source::Text(text.to_owned()))).collect();
        if left.is_empty() {
            return Err(LabError::request("nothing to assess: expected files, or games as text"));
        }
        Ok(GameFiles { left, current: None, counts: GameCounts::default() })
    }

    /// The next games of one file in which somebody of interest plays; none after the last file. Broken ones are named
    /// and left out.
    pub fn next_batch(
        &mut self,
        most: usize,
        wants: impl Fn(&str) -> bool,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Game>>, LabError> {
        loop {
            if self.current.is_none() {
                let Some(source) = self.left.pop_front() else { return Ok(None) };
                self.current = Some((source.name(), source.open()?));
            }
            let Some((name, games)) = &mut self.current else { continue };
            let mut batch = Vec::new();
            while batch.len() < most {
                progress.proceed()?;
                match games.next() {
                    None => {
                        self.current = None;
                        break;
                    }
                    Some(Ok(game)) => {
                        self.counts.games += 1;
                        let ByColor { white, black } = names(&game);
                        if wants(white) || wants(black) {
                            batch.push(game);
                        }
                    }
                    Some(Err(error @ GamesError::Broken { .. })) => {
                        self.counts.broken += 1;
                        progress.warn(&format!("{name}: {error}; skipped"));
                    }
                    Some(Err(GamesError::Io(source))) => {
                        return Err(LabError::Read { name: name.clone(), source });
                    }
                }
            }
            if !batch.is_empty() {
                return Ok(Some(batch));
            }
        }
    }
}

/// The players of a game, or that they are not known.
pub(super) fn names(game: &Game) -> ByColor<&str> {
    ByColor { white: game.white().unwrap_or("?"), black: game.black().unwrap_or("?") }
}
