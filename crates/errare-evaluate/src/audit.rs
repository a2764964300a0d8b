//! Audits of turn files: whether a file has every turn of some games that counts, once, and no other.

use crate::collection::{Collection, Rules};
use crate::error::EvaluateError;
use crate::source::GameSource;
use errare_ratings::{GameName, MergeError, RatingsError, TurnRow, TurnRows};
use errare_work::{Progress, Status};
use std::path::Path;

/// Number of turns that a message names.
const NAMED: usize = 3;

/// The result of comparing a turn file with its games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Number of games whose turns count.
    pub games: u64,
    /// Number of turns that count and are in the file.
    pub turns: u64,
    /// Number of turns that count and are missing from the file.
    pub missing: u64,
    /// Number of turns that come again in the file, or out of order.
    pub double: u64,
    /// Number of turns that are in the file and do not count.
    pub foreign: u64,
    /// The first few wrong turns, in words.
    pub examples: Vec<String>,
}

impl Audit {
    fn example(&mut self, what: impl FnOnce() -> String) {
        if self.examples.len() < NAMED {
            self.examples.push(what());
        }
    }
}

/// The place of a turn among all turns: the number of its game, and the ply.
type Place = (i64, u16);

/// Compares a turn file with the games that it was evaluated from: both are walked through once, side by side.
///
/// # Errors
/// If games or the file cannot be read, a turn of the file has no number of its game, or the work is cancelled.
pub fn audit(
    games: &[GameSource],
    rules: Rules,
    turns: &Path,
    progress: &dyn Progress,
) -> Result<Audit, EvaluateError> {
    let failed =
        |error: RatingsError| EvaluateError::from(MergeError::Part { part: turns.into(), source: Box::new(error) });
    let mut rows = Rows { rows: TurnRows::open(turns).map_err(failed)?, last: None };
    let mut found = Audit::default();
    let mut next = rows.next().map_err(failed)?;
    let survey = Collection::new(games, rules, None)?.each(
        |_| {},
        |candidate, so_far| {
            progress.report(&Status { done: so_far.games, ..Status::new("checking games", "games") });
            let expected = place(&candidate.row).map_err(failed)?;
            while let Some((row, is_double)) = next.take_if(|(row, is_double)| *row < expected || *is_double) {
                note(&mut found, row, is_double);
                next = rows.next().map_err(failed)?;
            }
            if next.take_if(|(row, _)| *row == expected).is_some() {
                found.turns += 1;
                next = rows.next().map_err(failed)?;
            } else {
                found.missing += 1;
                found.example(|| format!("{} is missing", candidate.title()));
            }
            Ok(())
        },
        progress,
    )?;
    while let Some((row, is_double)) = next {
        progress.proceed()?;
        note(&mut found, row, is_double);
        next = rows.next().map_err(failed)?;
    }
    found.games = survey.games;
    Ok(found)
}

fn note(found: &mut Audit, (game, ply): Place, is_double: bool) {
    *(if is_double { &mut found.double } else { &mut found.foreign }) += 1;
    let what = if is_double { "is there again" } else { "does not belong to these games" };
    found.example(|| format!("the turn at ply {ply} of game {game} {what}"));
}

fn place(row: &TurnRow) -> Result<Place, RatingsError> {
    match row.game {
        Some(GameName::Number(game)) => Ok((game, row.ply)),
        _ => Err(RatingsError::Record("the turn's game has no number".to_owned())),
    }
}

/// The turns of a file, each with whether it comes again or out of order.
struct Rows {
    rows: TurnRows<'static>,
    last: Option<Place>,
}

impl Rows {
    fn next(&mut self) -> Result<Option<(Place, bool)>, RatingsError> {
        let Some(row) = self.rows.next().transpose()? else { return Ok(None) };
        let here = place(&row)?;
        let is_double = self.last.is_some_and(|last| here <= last);
        self.last = self.last.max(Some(here));
        Ok(Some((here, is_double)))
    }
}
