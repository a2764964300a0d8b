//! Files of games, and the walk through the turns that count.

use crate::candidate::{Candidate, Refusal, candidates, facts};
use crate::error::EvaluateError;
use crate::shard::Shard;
use errare_games::{Games, GamesError};
use errare_ratings::{LeftOut, Selection, TurnGameIdentity};
use errare_work::Progress;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// Which turns of which games are evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Rules that leave turns out. The limit on evaluations has no effect here: fits apply it, once there are evaluations.
    pub selection: Selection,
    /// Whether turns with one legal move are kept.
    pub keep_forced: bool,
    /// The share of the games.
    pub shard: Shard,
}

impl Default for Rules {
    fn default() -> Rules {
        let selection = Selection { most_eval: f64::INFINITY, ..Selection::default() };
        Rules { selection, keep_forced: false, shard: Shard::WHOLE }
    }
}

/// Files of games, of any size.
#[derive(Clone, Debug)]
pub(crate) struct Collection {
    files: Vec<(PathBuf, String)>,
    rules: Rules,
}

/// Numbers of games and turns that a walk through the games met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Number of games of the shard that can be played through, copies apart.
    pub games: u64,
    /// Number of games of the shard that are broken.
    pub broken: u64,
    /// Number of games of the shard that are copies of earlier ones by [`TurnGameIdentity`], as in merged files and fits.
    pub copies: u64,
    /// Number of turns that count.
    pub turns: u64,
    /// Numbers of turns that do not count.
    pub left_out: LeftOut,
}

impl Collection {
    /// Makes a collection of these files.
    ///
    /// # Errors
    /// If two files have the same name.
    pub fn new(files: &[PathBuf], rules: Rules) -> Result<Collection, EvaluateError> {
        let mut names = HashSet::new();
        let named = files.iter().map(|path| {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if names.insert(name.clone()) { Ok((path.clone(), name)) } else { Err(EvaluateError::SameName { name }) }
        });
        Ok(Collection { files: named.collect::<Result<_, _>>()?, rules })
    }

    /// Goes through all turns that count, in the order of games. Broken games are passed to `broken` and skipped; a game
    /// that comes again counts once.
    ///
    /// # Errors
    /// If a file cannot be read, `turn` fails, or the work is cancelled.
    pub fn each(
        &self,
        mut broken: impl FnMut(&str),
        mut turn: impl FnMut(Candidate, &Survey) -> Result<(), EvaluateError>,
        progress: &dyn Progress,
    ) -> Result<Survey, EvaluateError> {
        let mut survey = Survey::default();
        let mut known_games = HashSet::new();
        // Games of earlier files. Broken ones count, so that a game has the same number in every shard.
        let mut before = 0;
        for (path, name) in &self.files {
            let failed = |source| EvaluateError::File { path: path.clone(), source };
            let file = Cancellable { file: File::open(path).map_err(failed)?, progress };
            let mut number = 0;
            for game in Games::new(file) {
                progress.proceed()?;
                number += 1;
                let game = match game {
                    Err(GamesError::Io(source)) => return Err(failed(source)),
                    _ if !self.rules.shard.takes(before + number) => continue,
                    Ok(game) => game,
                    Err(error) => {
                        survey.broken += 1;
                        broken(&format!("{name}: {error}"));
                        continue;
                    }
                };
                let common = facts(&game, before + number, name);
                let mut left_out = LeftOut::default();
                let found = match candidates(&game, &common, &self.rules, &mut left_out, progress) {
                    Ok(found) => found,
                    Err(Refusal::Cancelled(cancelled)) => return Err(cancelled.into()),
                    Err(Refusal::MoveNumber) => {
                        survey.broken += 1;
                        broken(&format!("{name}: game {number} ({}) has move numbers above 32,767", game.title()));
                        continue;
                    }
                };
                let identity = TurnGameIdentity::of_turns(found.iter().map(|candidate| &candidate.row));
                if identity.is_some_and(|identity| !known_games.insert(identity)) {
                    survey.copies += 1;
                    continue;
                }
                survey.games += 1;
                survey.left_out.add(&left_out);
                for candidate in found {
                    progress.proceed()?;
                    survey.turns += 1;
                    turn(candidate, &survey)?;
                }
            }
            before += number;
        }
        Ok(survey)
    }
}

/// A file whose reading ends when the work is cancelled, even in the middle of a game without end.
struct Cancellable<'a> {
    file: File,
    progress: &'a dyn Progress,
}

impl Read for Cancellable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress.proceed().map_err(io::Error::other)?;
        self.file.read(buffer)
    }
}
