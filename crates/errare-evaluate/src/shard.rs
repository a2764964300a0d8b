//! A share of the games, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// One of N shares of the games, written `I/N`: every N-th game from the I-th on, counted over all files. Every game is in
/// exactly one share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

/// The error of a text that is not a share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid share of the games `{0}`: expected I/N with I from 1 to N, such as 2/4")]
pub struct ShardError(String);

impl Shard {
    /// The share that is all games.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether a game, numbered from 1, belongs to the share.
    pub fn takes(self, game: u64) -> bool {
        game % u64::from(self.of) == u64::from(self.number % self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for game in 1..100 {
            assert_eq!(shards.iter().filter(|shard| shard.takes(game)).count(), 1, "{game}");
            assert!(Shard::WHOLE.takes(game));
        }
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "0/0", "-1/3", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
