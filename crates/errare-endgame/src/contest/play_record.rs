//! The quality of one side's moves, and their apparent competence.

use crate::analyser::Analysis;
use crate::error::EndgameError;
use crate::oracle::Options;
use errare_choice::Posterior;

/// The quality of one side's moves, in one game or in several.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayRecord {
    /// Number of moves.
    pub moves: u64,
    /// Number of optimal moves.
    pub optimal: u64,
    /// Number of moves of depth conceded where the value was kept.
    pub conceded: u64,
    /// Number of moves that gave up the theoretical value.
    pub let_go: u64,
    /// Number of moves that the model calls impossible; nothing is learned from them.
    pub impossible: u64,
    /// The logarithm of the probability of all moves, at each competence of the grid.
    log_likelihoods: Vec<f64>,
}

impl PlayRecord {
    /// Makes a record without moves, for the competences of an analysis.
    pub fn new(analysis: &Analysis) -> PlayRecord {
        let points = analysis.prior().probabilities().len();
        PlayRecord { moves: 0, optimal: 0, conceded: 0, let_go: 0, impossible: 0, log_likelihoods: vec![0.0; points] }
    }

    /// Adds a move.
    ///
    /// # Errors
    /// If no such move exists.
    pub fn add(&mut self, analysis: &Analysis, options: &Options, chosen: usize) -> Result<(), EndgameError> {
        let log_likelihoods = analysis.log_likelihoods(options, chosen)?;
        let conceded = options.conceded(chosen);
        self.moves += 1;
        self.optimal += u64::from(options.optimal().contains(&chosen));
        self.conceded += u64::from(conceded.unwrap_or(0));
        self.let_go += u64::from(conceded.is_none());
        if log_likelihoods.iter().any(|log| log.is_finite()) {
            self.log_likelihoods = sum(&self.log_likelihoods, &log_likelihoods);
        } else {
            self.impossible += 1;
        }
        Ok(())
    }

    /// Adds all moves of another record over the same grid.
    pub fn merge(&mut self, other: &PlayRecord) {
        self.moves += other.moves;
        self.optimal += other.optimal;
        self.conceded += other.conceded;
        self.let_go += other.let_go;
        self.impossible += other.impossible;
        self.log_likelihoods = sum(&self.log_likelihoods, &other.log_likelihoods);
    }

    /// The apparent competence that the moves show.
    ///
    /// # Errors
    /// If the record is not over the grid of the analysis.
    pub fn posterior(&self, analysis: &Analysis) -> Result<Posterior, EndgameError> {
        learned(analysis, &self.log_likelihoods)
    }

    /// The standard error of the expected competence, by leaving out one record at a time (the jackknife): moves of one
    /// game are not independent, and no player is exactly an R_c. None for fewer than two records.
    ///
    /// # Errors
    /// If a record is not over the grid of the analysis.
    pub fn standard_error(analysis: &Analysis, records: &[PlayRecord]) -> Result<Option<f64>, EndgameError> {
        let nothing = PlayRecord::new(analysis).log_likelihoods;
        // What comes after each record: sums from the end, so that nothing is ever subtracted.
        let mut later = vec![nothing.clone()];
        for record in records.iter().rev() {
            later.push(sum(&later[later.len() - 1], &record.log_likelihoods));
        }
        let mut earlier = nothing;
        let mut means = Vec::new();
        for (record, later) in records.iter().zip(later.iter().rev().skip(1)) {
            means.push(learned(analysis, &sum(&earlier, later))?.mean());
            earlier = sum(&earlier, &record.log_likelihoods);
        }
        if means.len() < 2 {
            return Ok(None);
        }
        let count = means.len() as f64;
        let centre = means.iter().sum::<f64>() / count;
        let squares: f64 = means.iter().map(|mean| (mean - centre).powi(2)).sum();
        Ok(Some((squares * (count - 1.0) / count).sqrt()))
    }
}

fn learned(analysis: &Analysis, log_likelihoods: &[f64]) -> Result<Posterior, EndgameError> {
    let mut analyser = analysis.analyser();
    let _ = analyser.learn(log_likelihoods)?;
    Ok(analyser.posterior().clone())
}

fn sum(one: &[f64], two: &[f64]) -> Vec<f64> {
    one.iter().zip(two).map(|(one, two)| one + two).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::habits::Habits;
    use crate::model::Model;
    use errare_choice::{Grid, Kappa, Prior};

    fn analysis() -> Analysis {
        let grid = Grid::new(0.0, 1.0, 2.0).expect("a grid");
        Analysis::new(Model::power_law(Kappa::ONE, Habits::default()), grid, Prior::Uniform).expect("an analysis")
    }

    fn record(log_likelihoods: [f64; 3]) -> PlayRecord {
        PlayRecord { moves: 1, log_likelihoods: log_likelihoods.to_vec(), ..PlayRecord::new(&analysis()) }
    }

    #[test]
    fn records_add_up() {
        let mut all = record([0.0, 1.0, 2.0]);
        all.merge(&record([0.0, -1.0, -2.0]));
        assert_eq!(all.moves, 2);
        // Both together say nothing.
        assert_eq!(all.posterior(&analysis()).expect("a posterior").mean(), 1.0);
    }

    #[test]
    fn the_jackknife_leaves_out_one_record_at_a_time() {
        let (analysis, records) = (analysis(), [record([0.0, 1.0, 2.0]), record([0.0, 0.5, 0.25])]);
        assert_eq!(PlayRecord::standard_error(&analysis, &records[..1]).expect("an error"), None);
        let means = records.each_ref().map(|record| record.posterior(&analysis).expect("a posterior").mean());
        let found = PlayRecord::standard_error(&analysis, &records).expect("an error");
        // Of two numbers it is half their distance.
        assert!(found.is_some_and(|found| (found - (means[0] - means[1]).abs() / 2.0).abs() < 1e-12), "{found:?}");
    }
}
