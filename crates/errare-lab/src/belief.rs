//! Beliefs about the competence of a person, from game to game.
//!
//! A game that began with one belief and ended with another has shown something by itself: the quotient of the two. A
//! person's games in one endgame are put together from these quotients, so that a game can be added, continued in
//! another window or erased without the others. People learn: with each newer game the older ones count a little less.

use crate::error::LabError;
use crate::posterior::StoredPosterior;
use errare_choice::{Grid, Posterior, Prior};

/// The power to which the likelihood of earlier games is raised when one more is added: after 14 more games a game
/// counts half.
const FADE: f64 = 0.95;

/// The share of the probability that lies in the interval of a belief.
const SHARE: f64 = 0.9;

/// The evidence that one game gives of a person's competence.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEvidence {
    grid: Grid,
    /// The logarithm of the likelihood of the person's moves at each competence, up to a constant.
    log_likelihoods: Vec<f64>,
}

impl GameEvidence {
    /// Computes the evidence of a game that began with one belief and ended with another.
    ///
    /// # Errors
    /// If one of them is not valid, or they are on different grids.
    pub fn new(before: &StoredPosterior, after: &StoredPosterior) -> Result<GameEvidence, LabError> {
        let [before, after] = [(before, "the belief before a game"), (after, "the belief after a game")]
            .map(|(stored, name)| stored.posterior(name));
        let (before, after) = (before?, after?);
        if before.grid() != after.grid() {
            return Err(LabError::Internal("a game changed the grid of a belief"));
        }
        let quotient = |(before, after): (&f64, &f64)| logarithm(*after) - logarithm(*before);
        let log_likelihoods = before.probabilities().iter().zip(after.probabilities()).map(quotient).collect();
        Ok(GameEvidence { grid: *after.grid(), log_likelihoods })
    }
}

impl StoredPosterior {
    /// Adds the evidence of a game to a belief. Earlier evidence does not fade.
    ///
    /// # Errors
    /// If the belief is not valid, or the evidence is on another grid.
    pub fn after(&self, evidence: &GameEvidence) -> Result<StoredPosterior, LabError> {
        let mut posterior = self.posterior("a belief")?;
        if evidence.grid != *posterior.grid() {
            return Err(LabError::Internal("evidence on another grid than the belief"));
        }
        let learned = posterior.observe(&evidence.log_likelihoods);
        let _ = learned.map_err(|_| LabError::Internal("evidence that is not a number"))?;
        Ok(StoredPosterior::of(&posterior))
    }
}

/// The logarithm of a probability. A probability that was too small to be stored counts as the least possible one.
fn logarithm(probability: f64) -> f64 {
    probability.max(f64::MIN_POSITIVE).ln()
}

/// A belief about a person's competence that games are added to, the oldest first.
#[derive(Clone, Debug)]
pub struct Belief(Posterior);

impl Belief {
    /// The belief before the first game on a grid: every competence is as likely as any other.
    ///
    /// # Errors
    /// If the grid is too fine to be one.
    pub fn new(grid: Grid) -> Result<Belief, LabError> {
        Posterior::new(grid, Prior::Uniform).map(Belief).map_err(LabError::request)
    }

    /// Adds a game. A game that was assessed on another grid is left out.
    ///
    /// # Errors
    /// If the evidence contradicts itself, which is a bug.
    pub fn add(&mut self, game: &GameEvidence) -> Result<(), LabError> {
        let Belief(posterior) = self;
        if game.grid != *posterior.grid() {
            return Ok(());
        }
        let broken = |_| LabError::Internal("evidence that is not a number");
        let faded = posterior.probabilities().iter().map(|probability| FADE * logarithm(*probability));
        let mut next = Posterior::new(game.grid, Prior::Uniform).map_err(broken)?;
        for evidence in [&faded.collect::<Vec<f64>>(), &game.log_likelihoods] {
            // No logarithm is infinite, so that nothing is impossible.
            let _ = next.observe(evidence).map_err(broken)?;
        }
        self.0 = next;
        Ok(())
    }

    /// Returns the belief as requests take it.
    #[must_use]
    pub fn stored(&self) -> StoredPosterior {
        StoredPosterior::of(&self.0)
    }

    /// The expected competence of the person.
    #[must_use]
    pub fn expected_c(&self) -> f64 {
        self.0.mean()
    }

    /// The interval that holds nine tenths of the belief's probability.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        self.0.interval(SHARE).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(probabilities: &[f64]) -> StoredPosterior {
        StoredPosterior { grid: [0.0, 1.0, probabilities.len() as f64 - 1.0], probabilities: probabilities.to_vec() }
    }

    fn belief_of(games: &[GameEvidence]) -> Vec<f64> {
        let mut belief = Belief::new(Grid::new(0.0, 1.0, 2.0).expect("a grid")).expect("a belief");
        games.iter().for_each(|game| belief.add(game).expect("added"));
        belief.stored().probabilities
    }

    fn near(one: &[f64], two: &[f64]) {
        let is_near = one.len() == two.len() && one.iter().zip(two).all(|(one, two)| (one - two).abs() < 1e-12);
        assert!(is_near, "{one:?} {two:?}");
    }

    #[test]
    fn a_game_counts_for_what_it_showed_whatever_was_believed_before() {
        let plain = GameEvidence::new(&stored(&[1.0, 1.0, 1.0]), &stored(&[1.0, 2.0, 5.0])).expect("evidence");
        let biased = GameEvidence::new(&stored(&[4.0, 2.0, 1.0]), &stored(&[4.0, 4.0, 5.0])).expect("evidence");
        near(&belief_of(&[plain]), &[0.125, 0.25, 0.625]);
        near(
            &stored(&[0.5, 0.25, 0.25]).after(&biased).expect("a belief").probabilities,
            &[0.5 / 2.25, 0.5 / 2.25, 1.25 / 2.25],
        );
        near(&belief_of(&[biased]), &[0.125, 0.25, 0.625]);
        assert!(GameEvidence::new(&stored(&[1.0, 1.0]), &stored(&[1.0, 1.0, 1.0])).is_err());
    }

    #[test]
    fn later_games_let_earlier_ones_fade() {
        let game = |after: [f64; 3]| GameEvidence::new(&stored(&[1.0; 3]), &stored(&after)).expect("evidence");
        let (weak, strong) = (game([0.6, 0.3, 0.1]), game([0.1, 0.3, 0.6]));
        let [first, _, last] = belief_of(&[weak.clone(), strong.clone()])[..] else { panic!("three numbers") };
        assert!(last > first, "the later game counts more");
        let both = [0.6_f64.powf(FADE) * 0.1, 0.3_f64.powf(FADE) * 0.3, 0.1_f64.powf(FADE) * 0.6];
        let sum: f64 = both.iter().sum();
        near(&belief_of(&[weak, strong]), &both.map(|number| number / sum));
    }

    #[test]
    fn nothing_is_impossible_and_other_grids_are_left_out() {
        let game =
            |after: &[f64]| GameEvidence::new(&stored(&vec![1.0; after.len()]), &stored(after)).expect("evidence");
        let found = belief_of(&[game(&[1.0, 0.0, 0.0]), game(&[0.0, 0.0, 1.0]), game(&[1.0, 0.0])]);
        assert!(found.iter().all(|number| number.is_finite()) && found[2] > 0.5, "{found:?}");
    }
}
