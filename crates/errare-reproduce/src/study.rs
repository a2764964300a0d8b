//! Studies: which computation belongs to which statement, and running them.

use crate::bench::Bench;
use crate::error::{ReproduceError, Result};
use crate::finding::{Finding, Verdict};
use crate::list::{Item, items};
use crate::{andrist_haworth_2005, haworth_2000, haworth_2003, levy_1987, regan_haworth_2011};
use errare_tables::{Material, MaterialError, Metric, TableSource, tables_to_mate};
use errare_work::{Progress, Status, did_you_mean};
use std::collections::HashSet;

/// Endgames by their names, with the metrics of the tables that are needed.
pub(crate) type Needs = Vec<(&'static str, Vec<Metric>)>;

/// A computation that some statements share.
pub(crate) struct Study {
    /// The name of the computation in a few words, for progress.
    pub name: &'static str,
    /// Whether the study takes seconds, tables included.
    pub is_quick: bool,
    /// Whether the study computes the statement of an id.
    pub covers: fn(&str) -> bool,
    /// The endgames, by their names, whose tables a statement needs, and in which metrics.
    pub needs: fn(&Item) -> Needs,
    /// Computes statements that the study covers.
    pub run: fn(&Bench<'_>, &[&Item]) -> Result<Vec<Finding>>,
}

/// The tables of a study that needs none.
pub(crate) fn no_tables(_: &Item) -> Needs {
    Vec::new()
}

/// All studies, in the order in which they run.
fn studies() -> impl Iterator<Item = &'static Study> {
    [
        andrist_haworth_2005::STUDIES,
        haworth_2003::STUDIES,
        levy_1987::STUDIES,
        haworth_2000::STUDIES,
        regan_haworth_2011::STUDIES,
    ]
    .into_iter()
    .flatten()
}

/// A statement with the result of computing it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduced {
    /// The statement.
    pub item: Item,
    /// The result of computing the statement.
    pub finding: Finding,
}

/// Selects the items of these ids, or those whose ids begin with them and a hyphen, in the order of the list; all items
/// if no ids are given.
///
/// # Errors
/// If no item has such an id.
pub fn select(only: &[String]) -> Result<Vec<Item>> {
    let all = items()?;
    let is_named =
        |item: &Item, id: &str| item.id.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    for id in only {
        if !all.iter().any(|item| is_named(item, id)) {
            let near = did_you_mean(id, all.iter().map(|item| item.id));
            return Err(ReproduceError::UnknownItem { id: id.clone(), near });
        }
    }
    Ok(all.into_iter().filter(|item| only.is_empty() || only.iter().any(|id| is_named(item, id))).collect())
}

/// Computes statements, those that need tables of six men only if that is allowed. Missing tables are built first; each study
/// builds those that it needs.
///
/// # Errors
/// If a table cannot be built or used, or the work is cancelled.
pub fn reproduce(
    wanted: &[Item],
    tables: &TableSource,
    six_men: bool,
    progress: &dyn Progress,
) -> Result<Vec<Reproduced>> {
    let mut found: Vec<Finding> = Vec::new();
    let total = wanted.len() as u64;
    for study in studies() {
        progress.proceed()?;
        let can = |item: &&Item| item.cannot.is_none() && (six_men || !item.needs_six_men);
        let items: Vec<&Item> = wanted.iter().filter(can).filter(|item| (study.covers)(item.id)).collect();
        if items.is_empty() {
            continue;
        }
        let activity = format!("reproducing {}", study.name);
        progress.report(&Status::new(&activity, "items").at(found.len() as u64, total));
        let needed = tables_needed(study, &items)?;
        let findings = tables.build_and_work(&needed, progress, || {
            let bench = Bench::new(tables, progress);
            (study.run)(&bench, &items)
        })?;
        found.extend(findings);
    }
    wanted.iter().map(|item| reproduced(item, six_men, &mut found)).collect()
}

/// The reason why a statement is not computed if six men are not asked for.
const SIX_MEN: &str = "it needs tables of six men, which take hours: `errare reproduce --six-men` builds them";

fn reproduced(item: &Item, six_men: bool, found: &mut Vec<Finding>) -> Result<Reproduced> {
    let cannot = item.cannot.or_else(|| (item.needs_six_men && !six_men).then_some(SIX_MEN));
    let finding = match (cannot, found.iter().position(|finding| finding.id == item.id)) {
        (Some(why), _) => Finding { verdict: Verdict::Cannot, ..Finding::fact(item, false, "") }.because(why),
        (None, Some(place)) => found.swap_remove(place),
        (None, None) => return Err(ReproduceError::Internal("a study left out a statement that it covers")),
    };
    Ok(Reproduced { item: item.clone(), finding })
}

fn tables_needed(study: &Study, items: &[&Item]) -> Result<Vec<(Material, Metric)>> {
    let mut needed = Vec::new();
    let mut seen = HashSet::new();
    for (name, metrics) in items.iter().flat_map(|item| (study.needs)(item)) {
        let unknown = |_: MaterialError| ReproduceError::Internal("a study names an endgame that is none");
        let material: Material = name.parse().map_err(unknown)?;
        needed.extend(tables_to_mate(material, metrics).into_iter().filter(|table| seen.insert(*table)));
    }
    Ok(needed)
}

/// Whether a statement is computed within seconds, tables included, or not at all unless six men are asked for.
#[must_use]
pub fn is_quick(item: &Item) -> bool {
    item.cannot.is_some() || item.needs_six_men || studies().any(|study| study.is_quick && (study.covers)(item.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_has_one_study_or_a_reason() {
        for item in items().expect("the list") {
            let count = studies().filter(|study| (study.covers)(item.id)).count();
            assert_eq!(count, usize::from(item.cannot.is_none()), "{}", item.id);
        }
    }
}
