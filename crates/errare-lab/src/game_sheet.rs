//! Games that agents played, as PGN has them.

use crate::error::LabError;
use errare_endgame::{Played, Reason};
use errare_games::Game;
use shakmaty::{Chess, KnownOutcome, Outcome};
use std::time::{SystemTime, UNIX_EPOCH};

/// The data that PGN gives of a game beside its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameSheet<'a> {
    /// The position that the game started from.
    pub start: &'a Chess,
    /// The occasion of the game.
    pub event: &'a str,
    /// The number of the game on that occasion, from 1.
    pub round: u64,
    /// The name of the player with the white men.
    pub white: &'a str,
    /// The name of the player with the black men.
    pub black: &'a str,
}

impl GameSheet<'_> {
    /// Makes the game with its moves, its result and its tags: the seven of the roster, of which only the site is not
    /// known, and `Termination`.
    ///
    /// # Errors
    /// If a move is illegal, which is a bug.
    pub fn game(&self, played: &Played) -> Result<Game, LabError> {
        let mut game = Game::new(self.start.clone());
        game.set_tag("Event", self.event);
        game.set_tag("Site", "?");
        game.set_tag("Date", &date(days_since_1970()));
        game.set_tag("Round", &self.round.to_string());
        game.set_tag("White", self.white);
        game.set_tag("Black", self.black);
        for &mv in &played.moves {
            game.push(mv).map_err(|_| LabError::Internal("an agent made an illegal move"))?;
        }
        let result = Outcome::Known(KnownOutcome::from_winner(played.winner));
        game.set_tag("Result", result.as_str());
        game.set_tag("Termination", termination(played.reason));
        game.result = Some(result);
        Ok(game)
    }
}

/// The word of the PGN standard for the reason why a game ended.
fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Mate | Reason::Dead | Reason::Rule | Reason::Repetition | Reason::Resigned => "normal",
        // The result is that of the tables, or a draw because nobody waits any longer.
        Reason::Conversion | Reason::Length => "adjudication",
    }
}

fn days_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / (24 * 60 * 60)
}

/// Formats a day of the Gregorian calendar as PGN does, in universal time.
///
/// Years begin in March here, so that leap days are the last days of their years.
fn date(days_since_1970: u64) -> String {
    /// Number of days from 1 March of the year 0 to 1 January 1970.
    const BEFORE_1970: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;

    let days = days_since_1970 + BEFORE_1970;
    let (cycle, day) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Months of 31, 30, 31, 30, 31 days, over and over: 153 days in five months.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}.{month:02}.{day:02}", 400 * cycle + year)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts days one by one, by the rule of leap years.
    #[test]
    fn dates_are_those_of_the_calendar() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..200_000 {
            assert_eq!(date(days), format!("{year:04}.{month:02}.{day:02}"));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u32::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
        assert_eq!(date(20_774), "2026.11.17");
    }
}
