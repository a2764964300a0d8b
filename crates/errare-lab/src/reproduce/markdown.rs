//! The page of the book: the statements as tables in Markdown.

use super::{ReproduceResponse, ReproduceVerdict, ReproducedItem};
use errare_reproduce::{PAPERS, RULE};
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Published figures

Every statement, table and figure of five papers that a computation can decide, with what is printed and what errare computes. Nothing was
adjusted to make them agree. This page is the output of

    errare reproduce{FLAGS} --out DIR

which also draws the figures, in `DIR/reproduce.html`, and writes the same as data, `DIR/reproduce.json`. `errare reproduce --only 001-fig-3`
computes one of them, `--list` lists them. `make figures` makes this page anew.

";

impl ReproduceResponse {
    /// Writes the page of the book; `six_men` tells whether statements that need tables of six men were computed.
    #[must_use]
    pub fn markdown(&self, six_men: bool) -> String {
        let mut text = INTRODUCTION.replace("{FLAGS}", if six_men { " --six-men" } else { "" });
        let _ = writeln!(text, "{RULE}\n");
        let [agree, differ, cannot] = [ReproduceVerdict::Agrees, ReproduceVerdict::Differs, ReproduceVerdict::Cannot]
            .map(|verdict| self.count(verdict));
        let all = self.items.len();
        let _ = writeln!(text, "Of {all} statements {agree} agree, {differ} differ, and {cannot} cannot be compared.");
        for paper in &PAPERS {
            let items: Vec<&ReproducedItem> = self.items.iter().filter(|item| item.paper == paper.name).collect();
            if items.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n## {}\n{}.\n", paper.name, paper.title);
            text +=
                "| id | where and what | printed | computed | verdict | why |\n| --- | --- | --- | --- | --- | --- |\n";
            for item in items {
                let verdict = match item.verdict {
                    Some(ReproduceVerdict::Differs) => "**differs**",
                    Some(verdict) => verdict.name(),
                    None => "",
                };
                let what = format!("{}: {}", item.place, item.claim);
                let [id, what, printed, computed, why] =
                    [&item.id, &what, &item.printed, &item.computed, &item.why].map(|text| cell(text));
                let _ = writeln!(text, "| {id} | {what} | {printed} | {computed} | {verdict} | {why} |");
            }
        }
        text
    }
}

/// Escapes a text as the cell of a table, so that Markdown takes nothing in it for markup.
pub fn cell(text: &str) -> String {
    let mut cell = String::new();
    for letter in text.chars() {
        match letter {
            '<' => cell += "&lt;",
            '>' => cell += "&gt;",
            '|' | '[' | ']' | '*' | '_' | '`' => {
                cell.push('\\');
                cell.push(letter);
            }
            letter => cell.push(letter),
        }
    }
    cell
}
