//! The page in HTML: values as the papers print them beside the computed ones.

use crate::pages::{Entry, Page};
use errare_reproduce::{PAPERS, RULE, Reproduced, Verdict};

/// Makes the page of statements that were computed.
pub fn page(found: &[Reproduced]) -> Page {
    let mut page = Page::new("The papers, computed anew");
    page.paragraph(
        "Every statement, table and figure of five papers that a computation can decide, with what is printed and what errare \
         computes. Nothing was adjusted to make them agree; where they differ, both are shown.",
    );
    page.paragraph(RULE);
    let count = |paper: &str, verdict: Verdict| {
        let of_paper = found.iter().filter(|one| paper.is_empty() || one.item.paper == paper);
        of_paper.filter(|one| one.finding.verdict == verdict).count()
    };
    let row = |name: &str, paper: &str| {
        let counts = Verdict::ALL.map(|verdict| count(paper, verdict).to_string());
        std::iter::once(name.to_owned()).chain(counts).collect::<Vec<_>>()
    };
    let is_there = |name: &str| found.iter().any(|one| one.item.paper == name);
    let papers = || PAPERS.iter().filter(|paper| is_there(paper.name));
    let rows: Vec<Vec<String>> = papers().map(|paper| row(paper.name, paper.name)).chain([row("all", "")]).collect();
    page.table(&["paper", "agrees", "differs", "cannot"], &rows);
    let differing: Vec<&str> =
        found.iter().filter(|one| one.finding.verdict == Verdict::Differs).map(|one| one.item.id).collect();
    if !differing.is_empty() {
        page.heading("What differs");
        page.anchors(&differing);
    }
    for paper in papers() {
        page.heading(&format!("{}: {}", paper.name, paper.title));
        for one in found.iter().filter(|one| one.item.paper == paper.name) {
            entry(&mut page, one);
        }
    }
    page
}

fn entry(page: &mut Page, found: &Reproduced) {
    let Reproduced { item, finding } = found;
    let rows: Vec<(&str, &str)> = [
        ("printed", item.printed),
        ("computed", &finding.computed),
        ("difference", &finding.difference),
        ("verdict", finding.verdict.name()),
        ("why", &finding.why),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .collect();
    page.entry(&Entry {
        anchor: item.id,
        class: finding.verdict.name(),
        title: &format!("{} ({})", item.id, item.place),
        text: item.claim,
        rows: &rows,
    });
    for picture in &finding.pictures {
        page.chart(&picture.chart, &picture.caption);
    }
}
