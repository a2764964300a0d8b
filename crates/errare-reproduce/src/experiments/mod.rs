//! Experiments that the papers call for and leave open: a question, what was computed, and what came out.

mod elo;
mod games;
mod metrics;
mod parameters;
mod predator;
mod pressing;
mod slips;
mod steadiness;

use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::study::Needs;
use errare_tables::{Material, Metric, TableSource, tables_to_mate};
use errare_work::{Progress, did_you_mean};

/// An experiment: a question that a paper leaves open.
pub struct Experiment {
    /// The name by which it is asked for.
    pub name: &'static str,
    /// The title of its page.
    pub title: &'static str,
    /// The question, and who asked it.
    pub question: &'static str,
    /// How it is answered: players, positions, numbers of games, seeds.
    pub method: &'static str,
    /// The endgames whose tables it needs, by their names, and in which metrics.
    needs: fn() -> Needs,
    /// Computes the answer.
    run: fn(&Bench<'_>) -> Result<Account>,
}

/// What an experiment has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// The answer, a paragraph each.
    pub findings: Vec<String>,
    /// The numbers.
    pub tables: Vec<ResultTable>,
    /// The figures.
    pub pictures: Vec<Picture>,
}

/// A table of an experiment's numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    /// The words above the table.
    pub caption: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl ResultTable {
    /// An empty table with these columns.
    fn new(caption: impl Into<String>, columns: &[&str]) -> ResultTable {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        ResultTable { caption: caption.into(), columns, rows: Vec::new() }
    }

    fn push<T: ToString>(&mut self, row: impl IntoIterator<Item = T>) {
        self.rows.push(row.into_iter().map(|text| text.to_string()).collect());
    }
}

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    predator::EXPERIMENT,
    pressing::EXPERIMENT,
    steadiness::EXPERIMENT,
    parameters::EXPERIMENT,
    metrics::EXPERIMENT,
    elo::EXPERIMENT,
    slips::EXPERIMENT,
];

impl Experiment {
    /// The experiment of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name).ok_or_else(|| {
            let near = did_you_mean(name, EXPERIMENTS.iter().map(|experiment| experiment.name));
            ReproduceError::UnknownExperiment { name: name.to_owned(), near }
        })
    }

    /// Runs the experiment. Missing tables are built first.
    ///
    /// # Errors
    /// If a table cannot be built or used, or the work is cancelled.
    pub fn run(&self, tables: &TableSource, progress: &dyn Progress) -> Result<Account> {
        let mut needed: Vec<(Material, Metric)> = Vec::new();
        for (name, metrics) in (self.needs)() {
            needed.extend(tables_to_mate(material(name)?, metrics));
        }
        tables.build_and_work(&needed, progress, || (self.run)(&Bench::new(tables, progress)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_found_by_name() {
        for experiment in EXPERIMENTS {
            assert_eq!(Experiment::named(experiment.name).expect("an experiment").title, experiment.title);
        }
        let error = Experiment::named("presing").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("did you mean pressing?"), "{error}");
    }
}
