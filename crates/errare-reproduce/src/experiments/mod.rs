//! Experiments that the papers call for and leave open: a question, how it was answered, and the answer.

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
    /// The name by which the experiment is asked for.
    pub name: &'static str,
    /// The title of the experiment's page.
    pub title: &'static str,
    /// The question, and who asked it.
    pub question: &'static str,
    /// The method by which the question is answered: players, positions, numbers of games, seeds.
    pub method: &'static str,
    /// The endgames that the experiment goes through one by one, each of which may be asked for apart; none if it is
    /// one whole.
    pub endgames: &'static [&'static str],
    /// The endgames whose tables the experiment needs, by their names, and the metrics of these tables.
    needs: fn() -> Needs,
    /// The function that computes the answer.
    run: fn(&Bench<'_>) -> Result<Account>,
}

/// The findings of an experiment, with tables and figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// The answer in paragraphs.
    pub findings: Vec<String>,
    /// The tables of numbers.
    pub tables: Vec<ResultTable>,
    /// The figures.
    pub pictures: Vec<Picture>,
}

/// A table of an experiment's numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    /// The caption above the table.
    pub caption: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows of the table, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl ResultTable {
    /// Makes an empty table with these columns.
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
    /// Finds the experiment of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name).ok_or_else(|| {
            let near = did_you_mean(name, EXPERIMENTS.iter().map(|experiment| experiment.name));
            ReproduceError::UnknownExperiment { name: name.to_owned(), near }
        })
    }

    /// Runs the experiment, or the part of it about some of the endgames that it lists. Missing tables are built first.
    ///
    /// # Errors
    /// If it does not list one of the endgames, a table cannot be built or used, or the work is cancelled.
    pub fn run(&self, endgames: &[Material], tables: &TableSource, progress: &dyn Progress) -> Result<Account> {
        let chosen = self.chosen(endgames)?;
        let mut needed: Vec<(Material, Metric)> = Vec::new();
        for (name, metrics) in (self.needs)() {
            if self.endgames.is_empty() || chosen.contains(&name) {
                needed.extend(tables_to_mate(material(name)?, metrics));
            }
        }
        let bench = Bench { endgames: chosen, ..Bench::new(tables, progress) };
        tables.build_and_work(&needed, progress, || (self.run)(&bench))
    }

    /// Chooses the listed endgames that are asked for, in the order of the list; all of them if none is named.
    fn chosen(&self, endgames: &[Material]) -> Result<Vec<&'static str>> {
        if endgames.is_empty() {
            return Ok(self.endgames.to_vec());
        }
        let mut chosen = Vec::new();
        for &name in self.endgames {
            if endgames.contains(&material(name)?) {
                chosen.push(name);
            }
        }
        let is_listed =
            |endgame: &Material| chosen.iter().any(|name| material(name).is_ok_and(|known| known == *endgame));
        match endgames.iter().find(|endgame| !is_listed(endgame)) {
            Some(endgame) => Err(ReproduceError::EndgameOfExperiment {
                name: self.name,
                endgame: endgame.to_string(),
                listed: self.endgames.join(", "),
            }),
            None => Ok(chosen),
        }
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

    #[test]
    fn listed_endgames_can_be_asked_for_apart() {
        let slips = Experiment::named("slips").expect("an experiment");
        let endgame = |name: &str| material(name).expect("an endgame");
        assert_eq!(slips.chosen(&[]).map(|all| all.len()).ok(), Some(20));
        assert_eq!(slips.chosen(&[endgame("KNNKP"), endgame("KBBKN")]).ok(), Some(vec!["KBBKN", "KNNKP"]));
        let refused = |experiment: &Experiment, name: &str| {
            experiment.chosen(&[endgame(name)]).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(refused(slips, "KQKR").starts_with("the experiment slips does not go through KQKR: expected one of K"));
        let whole = Experiment::named("metrics").expect("an experiment");
        assert!(refused(whole, "KQKR").contains("is one whole"), "{}", refused(whole, "KQKR"));
    }
}
