//! The search for the player whom a request names.

use super::games::{Source, names};
use crate::error::LabError;
use errare_games::GamesError;
use errare_ratings::find_player;
use errare_work::{Progress, Status};
use std::collections::{HashSet, VecDeque};

/// The memory in bytes, by estimate, for the names of all players of the games. When it is used up, only names that
/// contain the text are remembered, in as much memory again.
const NAMES_MEMORY: usize = 64 << 20;

/// The estimated size in bytes of a name without its text.
const OVERHEAD: usize = 80;

/// Finds the one player of all games whom a text names. For this all games are read, before they are read again to be
/// assessed: nothing should be reported of somebody who may turn out to be one of several.
///
/// # Errors
/// If the text names nobody or several players, the games cannot be read, or the work is cancelled.
pub(super) fn find(
    sources: &mut VecDeque<Source<'_>>,
    text: &str,
    progress: &dyn Progress,
) -> Result<String, LabError> {
    let mut known = KnownNames::new(text);
    let mut games = 0;
    for source in sources {
        source.make_repeatable(progress)?;
        for game in source.open()? {
            progress.proceed()?;
            match game {
                Ok(game) => {
                    games += 1;
                    names(&game).for_each(|name| known.insert(name));
                    if games % 1024 == 0 {
                        progress.report(&Status { done: games, ..Status::new("looking for the player", "games") });
                    }
                }
                Err(GamesError::Broken { .. }) => {}
                Err(GamesError::Io(error)) => return Err(LabError::Read { name: source.name(), source: error }),
            }
        }
    }
    if games == 0 {
        // The next reader of these games reports that there are none.
        return Ok(text.to_owned());
    }
    Ok(find_player(known.names.iter().map(String::as_str), text)?.to_owned())
}

/// The names of players, in bounded memory.
struct KnownNames {
    names: HashSet<String>,
    /// The text that names contain, in lower case.
    text: String,
    memory: usize,
    used: usize,
}

impl KnownNames {
    fn new(text: &str) -> KnownNames {
        KnownNames { names: HashSet::new(), text: text.trim().to_lowercase(), memory: NAMES_MEMORY, used: 0 }
    }

    fn insert(&mut self, name: &str) {
        let size = name.len() + OVERHEAD;
        let matches = || name.to_lowercase().contains(&self.text);
        let has_room = self.used + size <= self.memory || self.used + size <= 2 * self.memory && matches();
        if has_room && !self.names.contains(name) {
            self.names.insert(name.to_owned());
            self.used += size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_match_go_before_others_when_memory_is_short() {
        let mut known = KnownNames { memory: 10 * (OVERHEAD + 4), ..KnownNames::new("x") };
        for number in 1000..2000 {
            known.insert(&format!("{number}"));
            known.insert(&format!("X{}", number % 7));
        }
        assert!(known.used <= 2 * known.memory);
        assert_eq!(known.names.iter().filter(|name| name.starts_with('X')).count(), 7);
    }
}
