//! Files of games, and the walk through the turns that count.

use super::candidate::{Candidate, candidates, facts};
use super::error::EvaluateError;
use super::shard::Shard;
use crate::selection::{LeftOut, Selection};
use errare_games::{Games, GamesError};
use std::collections::HashSet;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Which turns of which games are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Rules that leave turns out. That on evaluations is none of ours: fits heed it, once there are evaluations.
    pub selection: Selection,
    /// Whether turns with one legal move are kept.
    pub keep_forced: bool,
    /// The share of games.
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
pub struct Collection {
    files: Vec<(PathBuf, String)>,
    rules: Rules,
}

/// What was met on a walk through the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Games of the shard that can be played through.
    pub games: u64,
    /// Those that cannot.
    pub broken: u64,
    /// Turns that count.
    pub turns: u64,
    /// Those that do not.
    pub left_out: LeftOut,
}

impl Collection {
    /// The games of these files, which must have different names.
    pub fn new(files: &[PathBuf], rules: Rules) -> Result<Collection, EvaluateError> {
        let mut names = HashSet::new();
        let named = files.iter().map(|path| {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if names.insert(name.clone()) { Ok((path.clone(), name)) } else { Err(EvaluateError::SameName { name }) }
        });
        Ok(Collection { files: named.collect::<Result<_, _>>()?, rules })
    }

    /// Goes through all turns that count, in the order of games. A broken game is told of and passed over.
    pub fn each(
        &self,
        mut broken: impl FnMut(&str),
        mut turn: impl FnMut(Candidate) -> Result<ControlFlow<()>, EvaluateError>,
    ) -> Result<Seen, EvaluateError> {
        let mut seen = Seen::default();
        // Games of earlier files. Broken ones count, so that a game has the same number in every shard.
        let mut before = 0;
        for (path, name) in &self.files {
            let failed = |source| EvaluateError::File { path: path.clone(), source };
            let mut met = 0;
            for game in Games::new(File::open(path).map_err(failed)?) {
                met += 1;
                let game = match game {
                    Err(GamesError::Io(source)) => return Err(failed(source)),
                    _ if !self.rules.shard.takes(before + met) => continue,
                    Ok(game) => game,
                    Err(error) => {
                        seen.broken += 1;
                        broken(&format!("{name}: {error}"));
                        continue;
                    }
                };
                let common = facts(&game, before + met, name);
                let Ok(found) = candidates(&game, &common, &self.rules, &mut seen.left_out) else {
                    seen.broken += 1;
                    broken(&format!("{name}: game {met} ({}) has moves of a number beyond 32,767", game.title()));
                    continue;
                };
                seen.games += 1;
                for candidate in found {
                    seen.turns += 1;
                    if turn(candidate)?.is_break() {
                        return Ok(seen);
                    }
                }
            }
            before += met;
        }
        Ok(seen)
    }
}
