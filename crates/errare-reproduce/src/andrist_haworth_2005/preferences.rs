//! Appendix B: the requirements on preference functions.

use crate::bench::Bench;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::properties::{Choices, all};
use crate::study::Study;
use errare_tables::Metric;

pub const STUDY: Study = Study {
    name: "preference functions",
    is_quick: true,
    covers: |id| ["001-b-properties", "001-b-spectrum"].contains(&id),
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let (holds, computed) = match item.id {
        "001-b-properties" => all()?,
        "001-b-spectrum" => Choices::new(bench)?.theorem_3()?,
        _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    };
    Ok(Finding::fact(item, holds, computed))
}
