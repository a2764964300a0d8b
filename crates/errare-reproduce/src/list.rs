//! The list of statements: one row each, as the papers print them.

use crate::error::{ReproduceError, Result};

/// A paper whose statements are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The number that the ids of the paper's items begin with.
    pub number: &'static str,
    /// Authors and year of the paper.
    pub name: &'static str,
    /// Title and journal of the paper.
    pub title: &'static str,
    file: &'static str,
    text: &'static str,
}

/// The papers, in the order of their numbers.
pub const PAPERS: [Paper; 5] = [
    Paper {
        number: "000",
        name: "Haworth (2003)",
        title: "Reference fallible endgame play, ICGA Journal 26 (2), 81-91",
        file: "000.items",
        text: include_str!("../data/000.items"),
    },
    Paper {
        number: "001",
        name: "Andrist and Haworth (2005)",
        title: "Deeper model endgame analysis, Theoretical Computer Science 349 (2), 158-167",
        file: "001.items",
        text: include_str!("../data/001.items"),
    },
    Paper {
        number: "002",
        name: "Haworth (2000)",
        title: "Strategies for constrained optimisation, ICGA Journal 23 (1), 9-20",
        file: "002.items",
        text: include_str!("../data/002.items"),
    },
    Paper {
        number: "003",
        name: "Levy (1987)",
        title: "Improving the performance of endgame databases, ICCA Journal 10 (4), 191-192, with Rasmussen on the same pages",
        file: "003.items",
        text: include_str!("../data/003.items"),
    },
    Paper {
        number: "004",
        name: "Regan and Haworth (2011)",
        title: "Intrinsic chess ratings, AAAI 2011",
        file: "004.items",
        text: include_str!("../data/004.items"),
    },
];

/// One checkable statement of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A short name that stays: the paper's number, then the place in the paper.
    pub id: &'static str,
    /// Authors and year of the paper.
    pub paper: &'static str,
    /// The place in the paper: a section, a table or a figure.
    pub place: &'static str,
    /// The statement, in plain words.
    pub claim: &'static str,
    /// The value or sentence as printed.
    pub printed: &'static str,
    /// The reason why the statement cannot be checked; none if it can.
    pub cannot: Option<&'static str>,
    /// Whether the statement needs tables of six men, which take hours.
    pub needs_six_men: bool,
}

/// All statements, in the order of the papers.
///
/// # Errors
/// If a data file of the crate is not a list, which its tests rule out.
pub fn items() -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for paper in &PAPERS {
        read(paper, &mut items)?;
    }
    Ok(items)
}

fn read(paper: &Paper, items: &mut Vec<Item>) -> Result<()> {
    let mut current: Option<Item> = None;
    for (number, line) in (1..).zip(paper.text.lines()) {
        let wrong = |reason: &str| ReproduceError::Data { file: paper.file, line: number, reason: reason.to_owned() };
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if !line.starts_with(' ') {
            items.extend(current.take());
            if !text.starts_with(paper.number) || text.contains(' ') {
                return Err(wrong("expected an id that begins with the number of the paper"));
            }
            current = Some(Item {
                id: text,
                paper: paper.name,
                place: "",
                claim: "",
                printed: "",
                cannot: None,
                needs_six_men: false,
            });
            continue;
        }
        let item = current.as_mut().ok_or_else(|| wrong("expected an id first"))?;
        match text.split_once(": ") {
            Some(("where", value)) => item.place = value,
            Some(("claim", value)) => item.claim = value,
            Some(("printed", value)) => item.printed = value,
            Some(("cannot", value)) => item.cannot = Some(value),
            Some(("men", "6")) => item.needs_six_men = true,
            _ => return Err(wrong("expected `where`, `claim`, `printed`, `cannot` or `men`, a colon and a text")),
        }
    }
    items.extend(current);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["  where: nowhere", "000 a", "001-a", "000-a\n  when: now"] {
            let paper = Paper { text, ..PAPERS[0] };
            assert!(matches!(read(&paper, &mut Vec::new()), Err(ReproduceError::Data { .. })), "{text}");
        }
    }
}
