//! The games to be assessed, file by file.

use crate::error::LabError;
use crate::lab::Lab;
use crate::reach::Outside;
use errare_games::{ForeignFormat, Game, Games, GamesError, SeenGames, Sighting};
use errare_work::{Progress, Unpacked};
use shakmaty::ByColor;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

/// A stream of games.
pub(crate) type GameStream<'a> = Games<Box<dyn Read + Send + 'a>>;

/// The source of games: a file, a copy of one, or the text of a request.
pub(crate) enum Source<'a> {
    /// A file, or standard input if it is named "-".
    File(PathBuf, Outside),
    /// A copy of a file that can be read only once, such as a pipe.
    Copied { path: PathBuf, copy: File },
    /// The text of games in the request.
    Text(&'a str),
}

impl<'a> Source<'a> {
    /// The sources of files and a text, in this order.
    ///
    /// # Errors
    /// If there are none, or a request may not reach files.
    pub fn list(lab: &Lab, files: &[PathBuf], text: Option<&'a str>) -> Result<VecDeque<Source<'a>>, LabError> {
        let file = |path: &PathBuf| Ok(Source::File(path.clone(), lab.outside_path(path)?));
        let mut list = files.iter().map(file).collect::<Result<VecDeque<Source<'a>>, LabError>>()?;
        list.extend(text.map(Source::Text));
        if list.is_empty() {
            return Err(LabError::request("nothing to assess: expected files, or games as text"));
        }
        Ok(list)
    }

    /// The file as the request names it; none for games in the request.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Source::File(path, _) | Source::Copied { path, .. } => Some(path),
            Source::Text(_) => None,
        }
    }

    /// The name of the source for messages.
    pub fn name(&self) -> String {
        match self.file() {
            Some(path) if path == Path::new("-") => "standard input".to_owned(),
            Some(path) => path.display().to_string(),
            None => "the text of games in the request".to_owned(),
        }
    }

    /// Begins to read the games.
    ///
    /// # Errors
    /// If the file cannot be opened or read, or is something other than PGN.
    pub fn open(&self) -> Result<GameStream<'a>, LabError> {
        let failed = |source| LabError::Read { name: self.name(), source };
        let mut reader = Unpacked::new(self.reader()?);
        let mut start = Vec::new();
        reader.by_ref().take(ForeignFormat::ENOUGH as u64).read_to_end(&mut start).map_err(failed)?;
        if let Some(format) = ForeignFormat::detect(&start) {
            return Err(LabError::Request(format!("{} is not PGN but {format}", self.name())));
        }
        Ok(Games::new(Box::new(Cursor::new(start).chain(reader))))
    }

    fn reader(&self) -> Result<Box<dyn Read + Send + 'a>, LabError> {
        Ok(match self {
            Source::Text(text) => Box::new(Cursor::new(*text)),
            Source::File(path, outside) if path == Path::new("-") => Box::new(outside.stdin()),
            Source::File(path, outside) => Box::new(outside.open(path)?),
            Source::Copied { copy, .. } => {
                let failed = |source| LabError::Read { name: self.name(), source };
                let mut copy = copy.try_clone().map_err(failed)?;
                copy.rewind().map_err(failed)?;
                Box::new(copy)
            }
        })
    }

    /// Number of games, where all of them are at hand to be counted by their tags.
    fn expected(&self) -> Option<u64> {
        match self {
            Source::Text(text) => Some(count_by_tags(text)).filter(|&count| count > 0),
            Source::File(..) | Source::Copied { .. } => None,
        }
    }

    /// Makes sure that the games can be read a second time: a file that can be read only once is copied to a temporary
    /// file.
    ///
    /// # Errors
    /// If it cannot be copied, or the work is cancelled.
    pub fn make_repeatable(&mut self, progress: &dyn Progress) -> Result<(), LabError> {
        let Source::File(path, outside) = self else { return Ok(()) };
        if path != Path::new("-") && outside.metadata(path).is_ok_and(|file| file.is_file()) {
            return Ok(());
        }
        let path = path.clone();
        let mut reader = self.reader()?;
        let failed = |source| LabError::Read { name: self.name(), source };
        let mut copy = tempfile::tempfile().map_err(failed)?;
        loop {
            progress.proceed()?;
            if io::copy(&mut reader.by_ref().take(1 << 20), &mut copy).map_err(failed)? == 0 {
                break;
            }
        }
        *self = Source::Copied { path, copy };
        Ok(())
    }
}

/// A reader of games, batch by batch.
pub(crate) struct GameFiles<'a> {
    left: VecDeque<Source<'a>>,
    current: Option<(Source<'a>, GameStream<'a>)>,
    seen: SeenGames,
    pub counts: GameCounts,
    /// Number of all games, if it is known before they are read.
    expected: Option<u64>,
}

/// Counts of the games met so far.
#[derive(Default)]
pub(crate) struct GameCounts {
    /// Number of different games that can be played through.
    pub games: u64,
    /// Number of games among them of the player in question.
    pub wanted: u64,
    /// Number of games with a move in an endgame that has tables.
    pub assessed: u64,
    /// Number of broken games, which were skipped.
    pub broken: u64,
    /// Number of copies of games that were met before, which were skipped.
    pub copies: u64,
    /// Number of games that would not be recognised if they came again.
    pub unremembered: u64,
}

impl GameCounts {
    /// Number of all games met, broken ones and copies included.
    pub fn met(&self) -> u64 {
        self.games + self.broken + self.copies
    }

    /// Refuses a report on no games at all.
    pub fn check(&self) -> Result<(), LabError> {
        match (self.games, self.broken) {
            (0, 0) => Err(LabError::request("there is no game to assess: no games in PGN were found")),
            (0, 1) => Err(LabError::request("there is no game to assess: the only one is broken")),
            (0, broken) => Err(LabError::Request(format!("there is no game to assess: all {broken} are broken"))),
            _ => Ok(()),
        }
    }
}

/// A batch of games of one file.
pub(crate) struct Batch {
    /// The file as the request names it; none for games in the request.
    pub file: Option<String>,
    pub games: Vec<Game>,
}

impl<'a> GameFiles<'a> {
    pub fn new(sources: VecDeque<Source<'a>>) -> GameFiles<'a> {
        let expected = sources.iter().map(Source::expected).sum();
        GameFiles { left: sources, current: None, seen: SeenGames::default(), counts: GameCounts::default(), expected }
    }

    /// Number of all games; none if it is not known, or turned out to be wrong.
    pub fn expected(&self) -> Option<u64> {
        self.expected.filter(|&expected| expected >= self.counts.met())
    }

    /// Reads the next games of one file in which somebody of interest plays; none after the last file. Broken games are
    /// named and left out, copies of earlier games are counted and left out.
    pub fn next_batch(
        &mut self,
        most: usize,
        wants: impl Fn(&str) -> bool,
        progress: &dyn Progress,
    ) -> Result<Option<Batch>, LabError> {
        loop {
            if self.current.is_none() {
                let Some(source) = self.left.pop_front() else { return Ok(None) };
                let games = source.open()?;
                self.current = Some((source, games));
            }
            let Some((source, stream)) = &mut self.current else { continue };
            let file = source.file().map(|path| path.display().to_string());
            let mut games = Vec::new();
            while games.len() < most {
                progress.proceed()?;
                match stream.next() {
                    None => {
                        self.current = None;
                        break;
                    }
                    Some(Ok(game)) => {
                        match self.seen.see(&game) {
                            Sighting::First => {}
                            Sighting::Unremembered => self.counts.unremembered += 1,
                            Sighting::Copy => {
                                self.counts.copies += 1;
                                continue;
                            }
                        }
                        self.counts.games += 1;
                        let ByColor { white, black } = names(&game);
                        if wants(white) || wants(black) {
                            self.counts.wanted += 1;
                            games.push(game);
                        }
                    }
                    Some(Err(error @ GamesError::Broken { .. })) => {
                        self.counts.broken += 1;
                        progress.warn(&format!("{}: {error}; skipped", source.name()));
                    }
                    Some(Err(GamesError::Io(error))) => {
                        return Err(LabError::Read { name: source.name(), source: error });
                    }
                }
            }
            if !games.is_empty() {
                return Ok(Some(Batch { file, games }));
            }
        }
    }
}

/// Number of blocks of tags in a text: of its games, if all of them have tags.
fn count_by_tags(text: &str) -> u64 {
    let mut blocks = 0;
    let mut is_in_block = false;
    for line in text.as_bytes().split(|byte| matches!(byte, b'\n' | b'\r')) {
        // A comment may have a line that begins with [%clk 0:01:00].
        match line {
            [b'[', letter, ..] if letter.is_ascii_alphabetic() => {
                blocks += u64::from(!is_in_block);
                is_in_block = true;
            }
            _ if line.trim_ascii().is_empty() => {}
            _ => is_in_block = false,
        }
    }
    blocks
}

/// The names of the players of a game, `?` for an unknown one.
pub(crate) fn names(game: &Game) -> ByColor<&str> {
    ByColor { white: game.white().unwrap_or("?"), black: game.black().unwrap_or("?") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_their_tags() {
        let two = "[Event \"A\"]\r\n\r\n[White \"B\"]\r\n\r\n1. e4 {\r\n[%clk 0:01:00]} *\r\n\r\n[Event \"C\"]\n\n*\n";
        assert_eq!(count_by_tags(two), 2);
        assert_eq!(count_by_tags("1. e4 e5 *\n\n1. d4 *\n"), 0);
        assert_eq!(Source::Text("1. e4 *").expected(), None);
    }

    #[test]
    fn a_count_that_turned_out_wrong_is_not_told() {
        let text = "[Event \"A\"]\n\n1. e4 *\n\n1. d4 *\n";
        let mut files = GameFiles::new(VecDeque::from([Source::Text(text)]));
        assert_eq!(files.expected(), Some(1));
        let batch = files.next_batch(9, |_| true, &errare_work::Silent).expect("games").expect("a batch");
        assert_eq!((batch.games.len(), files.expected()), (2, None));
    }
}
