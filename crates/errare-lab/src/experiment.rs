//! Experiments that the papers leave open.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::pages::Page;
use crate::reproduce::{ReproducedFigure, markdown_cell};
use crate::text::{Endgame, Text};
use errare_reproduce::{Account, EXPERIMENTS, Experiment, Picture};
use errare_tables::Material;
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Asks for experiments to be run. Missing tables are built first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentRequest {
    /// The names of the experiments; none to list them all without running any.
    #[serde(default)]
    pub names: Vec<String>,
    /// The endgames to go through, of those that the experiments list; none for all.
    #[serde(default)]
    pub endgames: Vec<Text<Endgame>>,
    /// Whether the response holds the figures, as SVG.
    #[serde(default)]
    pub figures: bool,
    /// The folder to write pages to: `NAME.html`, which needs nothing else, and `NAME.md` with `NAME-1.svg` and so on.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

/// Experiments with what they have found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentResponse {
    /// The experiments, in the order asked for.
    pub experiments: Vec<ExperimentReport>,
}

/// An experiment, with what it has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentReport {
    /// The name by which requests ask for the experiment.
    pub name: String,
    /// The title of the experiment's page.
    pub title: String,
    /// The question, and who asked it.
    pub question: String,
    /// The method by which the question is answered: players, positions, numbers of games, seeds.
    pub method: String,
    /// The answer, a paragraph each; none if experiments are only listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The numbers that were found, in tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<ExperimentTable>,
    /// The figures, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<ReproducedFigure>,
}

/// A table of an experiment's numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExperimentTable {
    /// The title of the table.
    pub caption: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, a text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Operation for ExperimentRequest {
    const NAME: &'static str = "experiment";
    const ABOUT: &'static str = "Run experiments that the papers leave open";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = ExperimentResponse;

    fn files(&self) -> WorkFiles {
        let pages = self.out.iter().flat_map(|folder| {
            self.names.iter().flat_map(|name| ["html", "md"].map(|kind| folder.join(format!("{name}.{kind}"))))
        });
        WorkFiles { inputs: Vec::new(), outputs: pages.collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ExperimentResponse, LabError> {
        if self.names.is_empty() {
            if !self.endgames.is_empty() {
                return Err(LabError::request("endgames without an experiment: name an experiment"));
            }
            if self.out.is_some() {
                return Err(LabError::request("a list of experiments is not written to a folder: name an experiment"));
            }
            let experiments = EXPERIMENTS.iter().map(|experiment| ExperimentReport::new(experiment, None)).collect();
            return Ok(ExperimentResponse { experiments });
        }
        lab.bound("experiments at once", self.names.len() as u64, 1)?;
        let wanted = self.names.iter().map(|name| Experiment::named(name)).collect::<Result<Vec<_>, _>>()?;
        let listed = wanted.iter().map(|experiment| experiment.endgames.len()).max().unwrap_or(0);
        let asked = if self.endgames.is_empty() { listed } else { self.endgames.len() };
        lab.bound("endgames of an experiment", asked as u64, 1)?;
        let outside = self.out.as_deref().map(|folder| Ok::<_, LabError>((folder, lab.outside_path(folder)?)));
        let outside = outside.transpose()?;
        let endgames: Vec<Material> = self.endgames.iter().map(|endgame| endgame.material).collect();
        let mut experiments = Vec::new();
        for experiment in wanted {
            let account = experiment.run(&endgames, &lab.source(None)?, progress)?;
            let mut report = ExperimentReport::new(experiment, Some(&account));
            if let Some((folder, outside)) = outside {
                progress.proceed()?;
                let command = self.command(experiment.name);
                outside.write_in_folder(folder, &report.files(folder, &command, &account.pictures))?;
            }
            if self.figures {
                report.figures = account.pictures.iter().map(figure).collect();
            }
            experiments.push(report);
        }
        Ok(ExperimentResponse { experiments })
    }
}

impl ExperimentRequest {
    /// The command that runs one experiment as the request does.
    fn command(&self, name: &str) -> String {
        let endgames: Vec<String> = self.endgames.iter().map(|endgame| endgame.to_string()).collect();
        let endgames = if endgames.is_empty() { String::new() } else { format!(" --endgames {}", endgames.join(",")) };
        format!("errare experiment {name}{endgames}")
    }
}

fn figure(picture: &Picture) -> ReproducedFigure {
    ReproducedFigure { caption: picture.caption.clone(), svg: picture.chart.svg() }
}

impl ExperimentReport {
    fn new(experiment: &Experiment, account: Option<&Account>) -> ExperimentReport {
        let tables = account.iter().flat_map(|account| &account.tables).map(|table| ExperimentTable {
            caption: table.caption.clone(),
            columns: table.columns.clone(),
            rows: table.rows.clone(),
        });
        ExperimentReport {
            name: experiment.name.to_owned(),
            title: experiment.title.to_owned(),
            question: experiment.question.to_owned(),
            method: experiment.method.to_owned(),
            findings: account.map_or_else(Vec::new, |account| account.findings.clone()),
            tables: tables.collect(),
            figures: Vec::new(),
        }
    }

    /// The pages and pictures of the experiment in a folder.
    fn files(&self, folder: &Path, command: &str, pictures: &[Picture]) -> Vec<(PathBuf, String)> {
        let drawn = (1..).zip(pictures);
        let svg = drawn.map(|(at, picture)| (folder.join(format!("{}-{at}.svg", self.name)), picture.chart.svg()));
        let mut files: Vec<(PathBuf, String)> = svg.collect();
        files.push((folder.join(format!("{}.html", self.name)), self.page(command, pictures).html()));
        files.push((folder.join(format!("{}.md", self.name)), self.markdown(command, pictures)));
        files
    }

    fn page(&self, command: &str, pictures: &[Picture]) -> Page {
        let mut page = Page::new(&self.title);
        [&self.question, &self.method].into_iter().for_each(|text| page.paragraph(text));
        page.heading("What came out");
        self.findings.iter().for_each(|finding| page.paragraph(finding));
        pictures.iter().for_each(|picture| page.chart(&picture.chart, &picture.caption));
        for table in &self.tables {
            page.heading(&table.caption);
            let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
            page.table(&columns, &table.rows);
        }
        page.note(&format!("Computed by {command}."));
        page
    }

    /// Writes the experiment's page of the book.
    fn markdown(&self, command: &str, pictures: &[Picture]) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_cell(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let text = |text: &str| format!("{}\n\n", markdown_cell(text));
        let mut page = format!("# {}\n", markdown_cell(&self.title));
        page += &text(&self.question);
        let _ = write!(page, "This page is the output of\n\n    {command} --out DIR\n\n");
        page += "## What was done\n";
        page += &text(&self.method);
        page += "## What came out\n";
        self.findings.iter().for_each(|finding| page += &text(finding));
        for (at, picture) in (1..).zip(pictures) {
            let _ = write!(page, "![{}]({}-{at}.svg)\n\n", markdown_cell(&picture.caption), self.name);
        }
        for table in &self.tables {
            let _ = write!(page, "## {}\n\n", markdown_cell(&table.caption));
            page += &row(&table.columns);
            page += &format!("|{}\n", " --- |".repeat(table.columns.len()));
            table.rows.iter().for_each(|cells| page += &row(cells));
            page.push('\n');
        }
        page.truncate(page.trim_end().len());
        page + "\n"
    }
}
