//! Statements of the papers with what they come to.

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
    /// A table for people: the verdicts with both values, or what is to be computed if statements were only listed.
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

    /// A sentence with the number of statements of each verdict.
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
