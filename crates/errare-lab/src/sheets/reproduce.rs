//! Sheets of the papers' statements and of experiments.

use crate::experiment::{ExperimentReport, ExperimentResponse};
use crate::numbers::counted;
use crate::reproduce::{ReproduceResponse, ReproduceVerdict};
use crate::sheet::{Sheet, ToSheet};

impl ToSheet for ReproduceResponse {
    fn to_sheet(&self) -> Sheet {
        let columns = ["id", "paper", "where", "claim", "printed", "computed", "difference", "verdict", "why"];
        let mut sheet = Sheet::new(&columns);
        for item in &self.items {
            let cells = [
                &*item.id,
                &*item.paper,
                &*item.place,
                &*item.claim,
                &*item.printed,
                &*item.computed,
                &*item.difference,
                item.verdict.map_or("", ReproduceVerdict::name),
                &*item.why,
            ];
            sheet.push(cells.map(str::to_owned));
        }
        sheet
    }
}

impl ReproduceResponse {
    /// Makes a table for people: the verdicts with both values, or what is to be computed if statements were only
    /// listed.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let is_list = self.items.iter().all(|item| item.verdict.is_none());
        let mut sheet =
            Sheet::new(if is_list { &["id", "claim", "printed"] } else { &["id", "verdict", "printed", "computed"] });
        for item in &self.items {
            match item.verdict {
                None => sheet.push([&*item.id, &*item.claim, &*item.printed].map(str::to_owned)),
                Some(verdict) => {
                    sheet.push([&*item.id, verdict.name(), &*item.printed, &*item.computed].map(str::to_owned));
                }
            }
        }
        sheet
    }

    /// Counts the statements of each verdict in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let verdicts = [ReproduceVerdict::Agrees, ReproduceVerdict::Differs, ReproduceVerdict::Cannot];
        let counts: Vec<String> = verdicts
            .iter()
            .map(|&verdict| (self.count(verdict), verdict.name()))
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        let all = counted(self.items.len(), "statement");
        if counts.is_empty() { all } else { format!("{all}: {}", counts.join(", ")) }
    }
}

impl ToSheet for ExperimentResponse {
    /// Makes a row for each number of the tables, with the row and the column that it stands in; a list of experiments
    /// if none was run.
    fn to_sheet(&self) -> Sheet {
        if self.experiments.iter().all(|experiment| experiment.tables.is_empty()) {
            return self.table();
        }
        let mut sheet = Sheet::new(&["experiment", "table", "row", "column", "value"]);
        for experiment in &self.experiments {
            for table in &experiment.tables {
                for (number, row) in (1..).zip(&table.rows) {
                    for (column, value) in table.columns.iter().zip(row) {
                        let texts = [&experiment.name, &table.caption, &number.to_string(), column, value];
                        sheet.push(texts.map(String::clone));
                    }
                }
            }
        }
        sheet
    }
}

impl ExperimentResponse {
    /// Makes a list of the experiments for people.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let mut sheet = Sheet::new(&["name", "question"]);
        self.experiments.iter().for_each(|one| sheet.push([&one.name, &one.title].map(String::clone)));
        sheet
    }
}

impl ExperimentReport {
    /// Makes the tables for people, each with a description of what it shows.
    pub fn sheets(&self) -> impl Iterator<Item = (&str, Sheet)> {
        self.tables.iter().map(|table| {
            let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
            let mut sheet = Sheet::new(&columns);
            table.rows.iter().for_each(|row| sheet.push(row.iter().cloned()));
            (&*table.caption, sheet)
        })
    }
}
