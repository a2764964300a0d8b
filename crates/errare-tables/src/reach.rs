//! The endgames that may follow an endgame, and the tables that an operation therefore needs.

use crate::material::Material;
use crate::metric::Metric;

/// Lists an endgame and the endgames that may follow it, itself first. Under DTC only the next ones count, because a
/// conversion ends the contest.
pub fn endgames_after(material: Material, metric: Metric) -> Vec<Material> {
    let mut found = vec![material];
    let mut next = 0;
    while let Some(&from) = found.get(next) {
        if next == 0 || metric != Metric::Dtc {
            for to in from.conversions().into_iter().filter(|to| to.men() > 2) {
                if !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        next += 1;
    }
    found
}

/// Lists the tables of an endgame and of those that may follow it, in each of the metrics; each once, the endgame
/// itself first.
pub fn tables_after(material: Material, metrics: &[Metric]) -> Vec<(Material, Metric)> {
    let mut needed = Vec::new();
    metrics.iter().for_each(|&metric| add_tables(&mut needed, &endgames_after(material, metric), metric));
    needed
}

/// Lists the tables for play to mate: every metric is needed in every endgame that may follow.
pub fn tables_to_mate(material: Material, metrics: impl IntoIterator<Item = Metric>) -> Vec<(Material, Metric)> {
    let reach = endgames_after(material, Metric::Dtm);
    let mut needed = Vec::new();
    metrics.into_iter().for_each(|metric| add_tables(&mut needed, &reach, metric));
    needed
}

fn add_tables(needed: &mut Vec<(Material, Metric)>, materials: &[Material], metric: Metric) {
    for &material in materials {
        if !needed.contains(&(material, metric)) {
            needed.push((material, metric));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversion_ends_the_contest_under_dtc_only() {
        let material: Material = "KQKR".parse().expect("an endgame");
        let names = |metric| {
            let mut names: Vec<String> = endgames_after(material, metric).iter().map(ToString::to_string).collect();
            names[1..].sort();
            names
        };
        assert_eq!(names(Metric::Dtc), ["KQKR", "KQK", "KRK"]);
        let pawn: Material = "KPK".parse().expect("an endgame");
        assert_eq!(endgames_after(pawn, Metric::Dtc).len(), endgames_after(pawn, Metric::Dtm).len());
        assert_eq!(tables_after(material, &[Metric::Dtm, Metric::Dtm]).len(), 3);
    }
}
