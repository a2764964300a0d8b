//! Section 7, the table: beside each printed cell our value, by the calibration that comes with errare.

use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed};
use crate::study::{Study, no_tables};
use errare_ratings::{Calibration, Milepost};
use errare_work::Silent;

pub const STUDY: Study = Study {
    name: "the table of mileposts",
    is_quick: true,
    covers: |id| id.starts_with("004-table-"),
    needs: no_tables,
    run: |_, items| items.iter().map(|item| finding(item)).collect(),
};

/// The calibration that comes with errare.
pub fn ours() -> Result<&'static Calibration> {
    Calibration::shipped().first().ok_or(ReproduceError::Internal("no calibration comes with errare"))
}

/// The milepost of an Elo.
fn milepost(elo: f64) -> Result<Option<&'static Milepost>> {
    Ok(ours()?.mileposts.iter().find(|milepost| (milepost.elo - elo).abs() < 0.5))
}

fn finding(item: &Item) -> Result<Finding> {
    let wrong = ReproduceError::Internal("a cell that is none");
    let mut parts = item.id.trim_start_matches("004-table-").splitn(3, '-');
    let (Some(_), Some(elo), Some(column)) = (parts.next(), parts.next(), parts.next()) else { return Err(wrong) };
    let elo: f64 = elo.parse().map_err(|_| wrong)?;
    let Some(ours) = milepost(elo)? else { return between(item, elo, column) };
    let pair = |one: f64, two: f64, count: usize| format!("{} / {}", decimals(one, count), decimals(two, count));
    let projection = &ours.projection;
    let computed = match column {
        "s" => decimals(ours.skill.s(), 3),
        "c" => decimals(ours.skill.c(), 3),
        "c-fit" => decimals(ours.c_fit, 3),
        "s-fit" => decimals(ours.s_fit, 3),
        "mm" => pair(100.0 * projection.expected_mm, 100.0 * projection.mm, 1),
        "ad" => pair(projection.expected_ad, projection.ad, 3),
        "q" => decimals(ours.quality, 3),
        _ => return Err(ReproduceError::Internal("a column that is none")),
    };
    let why = "the evaluations of Rybka 3 and the authors' games are not to be had; beside it our figure, by another engine on other \
               games of all periods";
    Ok(Finding::cannot(item, computed, why))
}

/// Compares a cell of an Elo that our calibration has no milepost for: its lines lead through the Elos between those it
/// has.
fn between(item: &Item, elo: f64, column: &str) -> Result<Finding> {
    let ours = ours()?;
    let elos: Vec<f64> = ours.mileposts.iter().map(|milepost| milepost.elo).collect();
    let (Some(&first), Some(&last)) = (elos.first(), elos.last()) else {
        return Err(ReproduceError::Internal("a calibration without mileposts comes with errare"));
    };
    let known = listed(&elos);
    if !(first..=last).contains(&elo) {
        let why = format!("no games of such players were evaluated: our calibration has mileposts at {known}");
        return Ok(Finding::cannot(item, "", why));
    }
    let skill =
        ours.skill(elo, &Silent).map_err(|_| ReproduceError::Internal("a calibration has no skill at an Elo"))?;
    let computed = match column {
        "c-fit" => decimals(skill.c(), 3),
        "s-fit" => decimals(skill.s(), 3),
        _ => {
            let why = format!(
                "no games of players within a few points of {elo} were evaluated: our calibration has mileposts at {known}, and between them \
                 only the fitted lines"
            );
            return Ok(Finding::cannot(item, "", why));
        }
    };
    let why = "the evaluations of Rybka 3 and the authors' games are not to be had; beside it the lines fitted to our mileposts, by another \
               engine on other games of all periods";
    Ok(Finding::cannot(item, computed, why))
}
