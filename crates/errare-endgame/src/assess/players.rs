//! The assessment of players over all their games, by endgame and task.

use super::certainty::{Certainty, is_choice};
use super::{GivenUp, Remark, Stretch, Task};
use crate::analyser::Analysis;
use crate::error::EndgameError;
use errare_choice::{Posterior, Update};
use errare_tables::Material;
use shakmaty::{ByColor, Color, Position};
use std::collections::{BTreeMap, HashMap};

/// The memory in bytes that the records of all players may take, by estimate: about 200,000 records over 51 competences.
pub const RECORDS_MEMORY: usize = 128 << 20;

/// The estimated size in bytes of a player, or of a record, without its name or numbers.
const OVERHEAD: usize = 250;

/// The joint assessment of every player of interest, over all games.
///
/// Memory is bounded. When half of it is taken no more players are admitted, only records of those who are there.
pub struct AssessedPlayers {
    analysis: Analysis,
    wanted: Option<String>,
    by_name: BTreeMap<String, PlayerRecord>,
    memory: usize,
    used: usize,
    unlisted: Unlisted,
}

/// The total of games and moves by players for whom there was no room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unlisted {
    /// Number of times that a player without room appeared in a game.
    pub games: u64,
    /// Number of moves in endgames that have tables.
    pub moves: u64,
}

/// Counts of what a player did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of games with a counted move of the player.
    pub games: u64,
    /// Number of moves of the player that were counted.
    pub moves: u64,
    /// Number of moves with a real choice: between moves that the model tells apart.
    pub choices: u64,
    /// Number of moves that the model calls impossible; nothing was learned from them.
    pub impossible: u64,
    /// Number of moves of depth conceded where the value was kept.
    pub conceded: u64,
    /// Number of moves that turned a win into a draw.
    pub wins_to_draws: u64,
    /// Number of moves that turned a win into a loss.
    pub wins_to_losses: u64,
    /// Number of moves that turned a draw into a loss.
    pub draws_to_losses: u64,
}

impl Counts {
    fn count(&mut self, remark: &Remark) {
        self.moves += 1;
        self.choices += u64::from(is_choice(&remark.log_likelihoods));
        self.conceded += u64::from(remark.conceded.unwrap_or(0));
        match remark.given_up {
            Some(GivenUp::WinToDraw) => self.wins_to_draws += 1,
            Some(GivenUp::WinToLoss) => self.wins_to_losses += 1,
            Some(GivenUp::DrawToLoss) => self.draws_to_losses += 1,
            None => {}
        }
    }

    /// Adds other counts, but not their number of games, as these may be the same games.
    fn add(&mut self, other: &Counts) {
        self.moves += other.moves;
        self.choices += other.choices;
        self.impossible += other.impossible;
        self.conceded += other.conceded;
        self.wins_to_draws += other.wins_to_draws;
        self.wins_to_losses += other.wins_to_losses;
        self.draws_to_losses += other.draws_to_losses;
    }
}

/// The observations of one player, by endgame and task.
#[derive(Clone, Debug, Default)]
struct PlayerRecord {
    games: u64,
    parts: HashMap<(Material, Task), PartRecord>,
}

/// The observations of one player in one endgame with one task.
#[derive(Clone, Debug)]
struct PartRecord {
    counts: Counts,
    /// The sum over the moves of the logarithms of their probabilities, at each point of the grid.
    log_likelihoods: Vec<f64>,
}

impl PartRecord {
    /// Learns from a move, unless no competence that is still possible could have made it.
    fn learn(&mut self, prior: &Posterior, remark: &Remark) {
        self.counts.count(remark);
        let joint = || self.log_likelihoods.iter().zip(&remark.log_likelihoods).map(|(sum, log)| sum + log);
        let is_possible = joint().zip(prior.probabilities()).any(|(log, &chance)| chance > 0.0 && log.is_finite());
        if is_possible {
            self.log_likelihoods = joint().collect();
        } else {
            self.counts.impossible += 1;
        }
    }
}

/// The assessment of one player, or of a part of what the player did.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Counts of what the player did.
    pub counts: Counts,
    /// The belief about the player's competence.
    pub posterior: Posterior,
    /// The measure of how much the moves say about the player's competence.
    pub certainty: Certainty,
}

/// The assessment of one player, over all endgames and by endgame and task.
#[derive(Clone, Debug)]
pub struct PlayerAssessment {
    /// The name of the player.
    pub name: String,
    /// The assessment over all endgames.
    pub total: Assessment,
    /// The assessments by endgame and task, in the order of their names.
    pub parts: Vec<(Material, Task, Assessment)>,
}

impl AssessedPlayers {
    /// Makes an assessment without players. With a name, only the player of exactly this name is of interest.
    pub fn new(analysis: &Analysis, wanted: Option<&str>) -> AssessedPlayers {
        AssessedPlayers::with_memory(analysis, wanted, RECORDS_MEMORY)
    }

    /// Makes an assessment as [`new`](AssessedPlayers::new) does, with another bound on memory, in bytes.
    pub fn with_memory(analysis: &Analysis, wanted: Option<&str>, memory: usize) -> AssessedPlayers {
        AssessedPlayers {
            analysis: analysis.clone(),
            wanted: wanted.map(str::to_owned),
            by_name: BTreeMap::new(),
            memory,
            used: 0,
            unlisted: Unlisted::default(),
        }
    }

    /// Whether a player of this name is of interest.
    pub fn wants(&self, name: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| name == wanted)
    }

    /// The total of what players did for whom there was no room.
    pub fn unlisted(&self) -> Unlisted {
        self.unlisted
    }

    /// Learns from the game of two players.
    ///
    /// # Errors
    /// If the game was assessed over another grid, or if the players that are there need more memory than there is.
    pub fn add(&mut self, names: ByColor<&str>, stretches: &[Stretch]) -> Result<(), EndgameError> {
        for color in Color::ALL {
            let name = *names.get(color);
            if self.wants(name) {
                self.add_player(name, color, stretches)?;
            }
        }
        Ok(())
    }

    fn add_player(&mut self, name: &str, color: Color, stretches: &[Stretch]) -> Result<(), EndgameError> {
        let own = |stretch: &Stretch| stretch.moves.iter().filter(|remark| remark.position.turn() == color).count();
        let moves = stretches.iter().map(own).sum::<usize>() as u64;
        if moves == 0 {
            return Ok(());
        }
        if !self.by_name.contains_key(name) {
            if self.used >= self.memory / 2 {
                self.unlisted.games += 1;
                self.unlisted.moves += moves;
                return Ok(());
            }
            self.used += OVERHEAD + name.len();
            self.by_name.insert(name.to_owned(), PlayerRecord::default());
        }
        let Some(player) = self.by_name.get_mut(name) else { return Ok(()) };
        player.games += 1;
        let prior = self.analysis.prior();
        let points = prior.grid().count();
        let mut of_this_game: Vec<(Material, Task)> = Vec::new();
        for stretch in stretches {
            for remark in stretch.moves.iter().filter(|remark| remark.position.turn() == color) {
                let key = (stretch.material, remark.task);
                if !player.parts.contains_key(&key) {
                    self.used += OVERHEAD + points * size_of::<f64>();
                    if self.used > self.memory {
                        return Err(EndgameError::TooManyPlayers);
                    }
                }
                let fresh = || PartRecord { counts: Counts::default(), log_likelihoods: vec![0.0; points] };
                let part = player.parts.entry(key).or_insert_with(fresh);
                if !of_this_game.contains(&key) {
                    of_this_game.push(key);
                    part.counts.games += 1;
                }
                part.learn(prior, remark);
            }
        }
        Ok(())
    }

    /// The assessments of all players, by name.
    ///
    /// # Errors
    /// If a game was assessed over another grid.
    pub fn into_assessments(self) -> impl Iterator<Item = Result<PlayerAssessment, EndgameError>> {
        let AssessedPlayers { analysis, by_name, .. } = self;
        by_name.into_iter().map(move |(name, record)| assessed(analysis.prior(), name, record))
    }
}

fn assessed(prior: &Posterior, name: String, record: PlayerRecord) -> Result<PlayerAssessment, EndgameError> {
    let mut records: Vec<_> = record.parts.into_iter().collect();
    records.sort_by_cached_key(|((material, task), _)| (material.to_string(), *task));
    let mut joint = prior.clone();
    let mut counts = Counts { games: record.games, ..Counts::default() };
    let mut parts = Vec::with_capacity(records.len());
    for ((material, task), part) in records {
        counts.add(&part.counts);
        // Parts that contradict each other are as impossible as moves that do.
        if joint.observe(&part.log_likelihoods)? == Update::Impossible {
            counts.impossible += part.counts.moves - part.counts.impossible;
        }
        let mut posterior = prior.clone();
        let _possible = posterior.observe(&part.log_likelihoods)?;
        parts.push((material, task, assessment(prior, part.counts, posterior)));
    }
    Ok(PlayerAssessment { name, total: assessment(prior, counts, joint), parts })
}

fn assessment(prior: &Posterior, counts: Counts, posterior: Posterior) -> Assessment {
    Assessment { certainty: Certainty::new(counts.choices, prior, &posterior), counts, posterior }
}
