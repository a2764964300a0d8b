//! Collections of games, and the walk through the turns that count.

use crate::candidate::{Candidate, Refusal, candidates, facts};
use crate::error::EvaluateError;
use crate::shard::Shard;
use crate::source::{GameSource, check_names};
use errare_games::GamesError;
use errare_ratings::{LeftOut, PlayerSide, Selection, TurnGameIdentity, TurnRow};
use errare_work::Progress;
use std::collections::HashSet;

/// Rules on which turns of which games are evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Rules that leave turns out. The limit on evaluations has no effect here: fits apply it, once there are evaluations.
    pub selection: Selection,
    /// Whether turns with one legal move are kept.
    pub keep_forced: bool,
    /// The share of the games to go through.
    pub shard: Shard,
}

impl Default for Rules {
    fn default() -> Rules {
        let selection = Selection { most_eval: f64::INFINITY, ..Selection::default() };
        Rules { selection, keep_forced: false, shard: Shard::WHOLE }
    }
}

/// The player whose turns are evaluated, where not all turns are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whose {
    /// The player's exact name.
    pub player: String,
    /// Whether the opponents' turns in the same games are evaluated too.
    pub opponents: bool,
}

impl Whose {
    /// Whether turns of a side count, in the game of these tags.
    fn takes(&self, facts: &TurnRow, side: PlayerSide) -> bool {
        let is_player = |name: &Option<String>| name.as_deref() == Some(self.player.as_str());
        let (own, other) = match side {
            PlayerSide::White => (&facts.white, &facts.black),
            PlayerSide::Black => (&facts.black, &facts.white),
        };
        is_player(own) || self.opponents && is_player(other)
    }
}

/// The games of several sources, with the rules on which of their turns count.
#[derive(Clone, Debug)]
pub(crate) struct Collection {
    sources: Vec<GameSource>,
    rules: Rules,
    whose: Option<Whose>,
}

/// Numbers of games and turns that a walk through the games met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Number of games of the shard that can be played through and have turns that are asked for, copies apart.
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
    /// Makes a collection of these games, of which all turns or those of one player count.
    ///
    /// # Errors
    /// If two sources have the same name.
    pub fn new(sources: &[GameSource], rules: Rules, whose: Option<&Whose>) -> Result<Collection, EvaluateError> {
        check_names(sources)?;
        Ok(Collection { sources: sources.to_vec(), rules, whose: whose.cloned() })
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
        for source in &self.sources {
            let name = &source.name();
            let mut number = 0;
            for game in source.open(progress)? {
                progress.proceed()?;
                number += 1;
                let game = match game {
                    Err(GamesError::Io(error)) => return Err(source.failed(error)),
                    _ if !self.rules.shard.takes(before + number) => continue,
                    Ok(game) => game,
                    Err(error) => {
                        survey.broken += 1;
                        broken(&format!("{name}: {error}"));
                        continue;
                    }
                };
                let common = facts(&game, before + number, name);
                let takes = |side| self.whose.as_ref().is_none_or(|whose| whose.takes(&common, side));
                if ![PlayerSide::White, PlayerSide::Black].into_iter().any(takes) {
                    continue;
                }
                let mut left_out = LeftOut::default();
                let found = match candidates(&game, &common, &self.rules, takes, &mut left_out, progress) {
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
