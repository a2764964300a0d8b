//! Players over all their games.

use super::Stretch;
use crate::analyser::{Analyser, Analysis};
use crate::error::EndgameError;
use errare_choice::{Posterior, Update};
use shakmaty::{ByColor, Color, Position};
use std::collections::BTreeMap;

/// The joint assessment of every player of interest, over all games.
pub struct AssessedPlayers {
    analysis: Analysis,
    /// In lower case.
    wanted: Option<String>,
    by_name: BTreeMap<String, PlayerRecord>,
}

/// The assessment of one player.
#[derive(Clone, Debug)]
pub struct PlayerRecord {
    analyser: Analyser,
    /// Number of games with a move in an endgame that has tables.
    pub games: u64,
    /// Number of such moves.
    pub moves: u64,
    /// Number of moves that the model calls impossible; nothing was learned from them.
    pub impossible: u64,
    /// Moves of depth given away, where the value was kept.
    pub conceded: u64,
}

impl PlayerRecord {
    /// The belief about the player's competence.
    pub fn posterior(&self) -> &Posterior {
        self.analyser.posterior()
    }
}

impl AssessedPlayers {
    /// No players yet; with a name only those whose name contains it, whatever the case, are of interest.
    pub fn new(analysis: &Analysis, wanted: Option<&str>) -> AssessedPlayers {
        AssessedPlayers { analysis: analysis.clone(), wanted: wanted.map(str::to_lowercase), by_name: BTreeMap::new() }
    }

    /// Whether a player of this name is of interest.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| name.to_lowercase().contains(wanted))
    }

    /// Learns from the game of two players.
    ///
    /// # Errors
    /// If the game was assessed over another grid.
    pub fn add(&mut self, names: ByColor<&str>, stretches: &[Stretch]) -> Result<(), EndgameError> {
        for color in Color::ALL {
            let name = *names.get(color);
            let remarks = stretches.iter().flat_map(|stretch| &stretch.moves);
            let mut own = remarks.filter(|remark| remark.position.turn() == color).peekable();
            if !self.wants(name) || own.peek().is_none() {
                continue;
            }
            let analysis = &self.analysis;
            let fresh =
                || PlayerRecord { analyser: analysis.analyser(), games: 0, moves: 0, impossible: 0, conceded: 0 };
            let record = self.by_name.entry(name.to_owned()).or_insert_with(fresh);
            record.games += 1;
            for remark in own {
                record.moves += 1;
                record.conceded += u64::from(remark.conceded.unwrap_or(0));
                record.impossible += u64::from(record.analyser.learn(&remark.log_likelihoods)? == Update::Impossible);
            }
        }
        Ok(())
    }

    /// All players, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PlayerRecord)> {
        self.by_name.iter().map(|(name, record)| (name.as_str(), record))
    }
}
