//! Computing the statements of the papers anew, and comparing them with print.

mod markdown;
mod page;

pub(crate) use markdown::cell as markdown_cell;

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_reproduce::{Item, Reproduced, Verdict, reproduce, select};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The greatest number of statements that a client may have computed at once: all statements take many minutes, those
/// of one paper a few.
const MAX_STATEMENTS_FOR_CLIENTS: u64 = 100;

/// Asks for statements of the papers to be computed anew. Missing tables are built first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReproduceRequest {
    /// The ids of the statements, or beginnings of ids up to a hyphen, as in "001-fig" or "002"; none for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Whether statements are only listed, without computing anything.
    #[serde(default)]
    pub list: bool,
    /// Whether statements that need tables of six men are computed too, which takes hours and tens of gigabytes.
    #[serde(default)]
    pub six_men: bool,
    /// Whether the response holds the figures, as SVG.
    #[serde(default)]
    pub figures: bool,
    /// The folder to write `reproduce.html`, `reproduce.json` and `reproduce.md` to.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

/// Statements of the papers, with what their computation found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReproduceResponse {
    /// The statements, in the order of the papers.
    pub items: Vec<ReproducedItem>,
}

/// A statement of a paper, with what its computation found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReproducedItem {
    /// A short name of the statement, which never changes.
    pub id: String,
    /// Authors and year of the paper.
    pub paper: String,
    /// The section, table or figure of the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// The statement, in plain words.
    pub claim: String,
    /// The value as printed in the paper.
    pub printed: String,
    /// The computed value, or what was found, in words; empty if nothing was computed.
    pub computed: String,
    /// The computed value less the printed one; empty if that is not a number.
    pub difference: String,
    /// Whether the computation bears the statement out; null if statements are only listed.
    pub verdict: Option<ReproduceVerdict>,
    /// The reason for the verdict, with the method of computation.
    pub why: String,
    /// The figures drawn anew, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<ReproducedFigure>,
}

/// A figure drawn anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReproducedFigure {
    /// A description of what the figure shows.
    pub caption: String,
    /// The chart, as SVG.
    pub svg: String,
}

/// Whether a computation bears a statement out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReproduceVerdict {
    /// The computation bears the statement out.
    Agrees,
    /// The computation contradicts the statement.
    Differs,
    /// There is nothing to compute, or nothing to compare with.
    Cannot,
}

impl ReproduceVerdict {
    /// The name of the verdict in tables and on pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        Verdict::from(self).name()
    }
}

impl From<Verdict> for ReproduceVerdict {
    fn from(verdict: Verdict) -> ReproduceVerdict {
        match verdict {
            Verdict::Agrees => ReproduceVerdict::Agrees,
            Verdict::Differs => ReproduceVerdict::Differs,
            Verdict::Cannot => ReproduceVerdict::Cannot,
        }
    }
}

impl From<ReproduceVerdict> for Verdict {
    fn from(verdict: ReproduceVerdict) -> Verdict {
        match verdict {
            ReproduceVerdict::Agrees => Verdict::Agrees,
            ReproduceVerdict::Differs => Verdict::Differs,
            ReproduceVerdict::Cannot => Verdict::Cannot,
        }
    }
}

impl ReproduceRequest {
    /// The files that the request writes: the page, the data, and the page of the book.
    fn outputs(&self) -> Option<[PathBuf; 3]> {
        let folder = self.out.as_deref()?;
        Some(["reproduce.html", "reproduce.json", "reproduce.md"].map(|name| folder.join(name)))
    }
}

impl Operation for ReproduceRequest {
    const NAME: &'static str = "reproduce";
    const ABOUT: &'static str =
        "Compute the statements, tables and figures of the papers anew, and compare them with print";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = ReproduceResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: Vec::new(), outputs: self.outputs().into_iter().flatten().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ReproduceResponse, LabError> {
        let wanted = select(&self.only)?;
        if self.list {
            if self.out.is_some() {
                return Err(LabError::Request("a list without results is not written to a folder".to_owned()));
            }
            return Ok(ReproduceResponse { items: wanted.iter().map(ReproducedItem::listed).collect() });
        }
        lab.bound("statements", wanted.len() as u64, MAX_STATEMENTS_FOR_CLIENTS)?;
        lab.bound("men of tables for statements", if self.six_men { 6 } else { 5 }, 5)?;
        let found = reproduce(&wanted, &lab.source(None)?, self.six_men, progress)?;
        let response = ReproduceResponse::new(&found);
        if let (Some(folder), Some([html, json, markdown])) = (&self.out, self.outputs()) {
            progress.proceed()?;
            let outside = lab.outside_path(folder)?;
            let internal = |_| LabError::Internal("a response that is no JSON");
            let data = serde_json::to_string_pretty(&response).map_err(internal)?;
            let page = page::page(&found).html();
            outside.write_in_folder(
                folder,
                &[(html, page), (json, data + "\n"), (markdown, response.markdown(self.six_men))],
            )?;
        }
        Ok(if self.figures { response.with_figures(&found) } else { response })
    }
}

impl ReproduceResponse {
    fn new(found: &[Reproduced]) -> ReproduceResponse {
        ReproduceResponse { items: found.iter().map(ReproducedItem::new).collect() }
    }

    fn with_figures(mut self, found: &[Reproduced]) -> ReproduceResponse {
        for (item, found) in self.items.iter_mut().zip(found) {
            let figure = |picture: &errare_reproduce::Picture| ReproducedFigure {
                caption: picture.caption.clone(),
                svg: picture.chart.svg(),
            };
            item.figures = found.finding.pictures.iter().map(figure).collect();
        }
        self
    }

    /// Number of statements with a verdict.
    #[must_use]
    pub fn count(&self, verdict: ReproduceVerdict) -> usize {
        self.items.iter().filter(|item| item.verdict == Some(verdict)).count()
    }
}

impl ReproducedItem {
    fn listed(item: &Item) -> ReproducedItem {
        ReproducedItem {
            id: item.id.to_owned(),
            paper: item.paper.to_owned(),
            place: item.place.to_owned(),
            claim: item.claim.to_owned(),
            printed: item.printed.to_owned(),
            computed: String::new(),
            difference: String::new(),
            verdict: None,
            why: item.cannot.unwrap_or_default().to_owned(),
            figures: Vec::new(),
        }
    }

    fn new(found: &Reproduced) -> ReproducedItem {
        let finding = &found.finding;
        ReproducedItem {
            computed: finding.computed.clone(),
            difference: finding.difference.clone(),
            verdict: Some(finding.verdict.into()),
            why: finding.why.clone(),
            ..ReproducedItem::listed(&found.item)
        }
    }
}
