//! Section 7: conclusions from the table.

use super::table::ours;
use crate::error::{ReproduceError, Result};
use crate::finding::{Finding, Verdict};
use crate::list::{Item, items};
use crate::numerals::{decimals, listed};
use crate::study::{Study, no_tables};
use errare_figures::{Axis, LineChart, Series};

pub const STUDY: Study = Study {
    name: "what follows from the table of mileposts",
    is_quick: true,
    covers: |id| id.starts_with("004-7-"),
    needs: no_tables,
    run: |_, wanted| wanted.iter().map(|item| finding(item)).collect(),
};

const PERIODS: [&str; 3] = ["2006", "1991", "1976"];

/// Reads the printed numbers of a column by Elo, in a period; illegible ones are left out. Of a pair of numbers the one
/// at this place is taken.
fn column(period: &str, name: &str, place: usize) -> Result<Vec<(f64, f64)>> {
    let start = format!("004-table-{period}-");
    let mut found = Vec::new();
    for item in items()? {
        let Some((elo, own)) = item.id.strip_prefix(&start).and_then(|rest| rest.split_once('-')) else { continue };
        let value = item.printed.split(" / ").nth(place).and_then(|text| text.parse().ok());
        if let (Ok(elo), Some(value), true) = (elo.parse(), value, own == name) {
            found.push((elo, value));
        }
    }
    Ok(found)
}

/// Computes slope and value at 0 of the line of least squares.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    (slope, y - slope * x)
}

fn finding(item: &Item) -> Result<Finding> {
    let all = |name: &str| -> Result<Vec<f64>> {
        let mut values = Vec::new();
        for period in PERIODS {
            values.extend(column(period, name, 0)?.into_iter().map(|(_, value)| value));
        }
        Ok(values)
    };
    let extent = |values: &[f64]| {
        (values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(0.0, f64::max))
    };
    let why = "from the printed table, as far as the copy at hand can be read";
    match item.id {
        "004-7-s-range" => {
            let (least, greatest) = extent(&all("s")?);
            Ok(Finding::fact(
                item,
                least <= 0.085 && greatest >= 0.16,
                format!("{} to {}", decimals(least, 3), decimals(greatest, 3)),
            )
            .because(format!(
                "{why}: the s of 2700 in 2006-2009 cannot be read; and beyond means a greatest s above 0.16"
            )))
        }
        "004-7-c-range" => {
            let (least, greatest) = extent(&all("c")?);
            Ok(Finding::fact(
                item,
                least >= 0.430 && greatest <= 0.545,
                format!("{}, {}", decimals(least, 3), decimals(greatest, 3)),
            )
            .because(why))
        }
        "004-7-c-step" => {
            let (slope, _) = line(&column("2006", "c", 0)?);
            Ok(Finding::numbers(item, &[100.0 * slope])?
                .because(format!("a line of least squares through the printed c of 2006-2009; {why}")))
        }
        "004-7-c-fit" => {
            let (slope, level) = line(&column("2006", "c", 0)?);
            let finding = Finding::numbers(item, &[level + 2700.0 * slope, level + 1600.0 * slope])?;
            Ok(Finding { verdict: Verdict::Cannot, ..finding }.because(
                "a line of least squares through the printed c of 2006-2009, of which one of twelve cannot be read: too near to call",
            ))
        }
        "004-7-smooth" => smooth(item),
        "004-7-inflation" => inflation(item),
        "004-7-mm-order" => {
            let mut counts = [0, 0, 0];
            for period in PERIODS {
                for (name, slot) in [("mm", 0), ("ad", 1)] {
                    let pairs = column(period, name, 0)?.into_iter().zip(column(period, name, 1)?);
                    for ((_, predicted), (_, actual)) in pairs {
                        let is_so = if slot == 0 { predicted > actual } else { predicted < actual };
                        counts[slot] += usize::from(is_so);
                        counts[2] += usize::from(slot == 0);
                    }
                }
            }
            let computed = format!(
                "predicted mm above actual at {} of {} mileposts, predicted ad below at {}",
                counts[0], counts[2], counts[1]
            );
            Ok(Finding::fact(item, 10 * counts[0] >= 9 * counts[2], computed).because(why))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Checks whether s_fit falls from each milepost to the next, in print and with us; and draws a figure of both.
fn smooth(item: &Item) -> Result<Finding> {
    let printed = column("2006", "s-fit", 0)?;
    let mut ours: Vec<(f64, f64)> = ours()?.mileposts.iter().map(|milepost| (milepost.elo, milepost.s_fit)).collect();
    ours.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut rising = printed.clone();
    rising.sort_by(|one, two| one.0.total_cmp(&two.0));
    let breaks = |points: &[(f64, f64)]| points.windows(2).filter(|pair| pair[1].1 >= pair[0].1).count();
    let computed = format!(
        "steps at which s_fit does not fall: {} of {} in print (2006-2009), {} of {} with us",
        breaks(&rising),
        rising.len() - 1,
        breaks(&ours),
        ours.len() - 1
    );
    let chart = LineChart {
        title: "s_fit by Elo: printed (2006-2009), and ours".to_owned(),
        x: Axis::linear("Elo"),
        y: Axis::linear("s_fit (pawns)"),
        series: vec![
            Series::line("Regan and Haworth", rising.clone()),
            Series::line("errare, Stockfish 15.1", ours.clone()),
        ],
        marks: Vec::new(),
    };
    Ok(Finding::fact(item, breaks(&rising) <= 1 && breaks(&ours) <= 1, computed)
        .because("fairly smooth: at most one step in the wrong direction; ours by another engine on other games")
        .with_picture("Section 7: sensitivity by rating", chart))
}

/// Compares s_fit between the periods, milepost by milepost.
fn inflation(item: &Item) -> Result<Finding> {
    let recent = column("2006", "s-fit", 0)?;
    let mut gaps = Vec::new();
    for period in ["1991", "1976"] {
        for (elo, value) in column(period, "s-fit", 0)? {
            let now = recent.iter().find(|(other, _)| *other == elo).map(|(_, now)| *now);
            gaps.extend(now.map(|now| (elo, period, value - now)));
        }
    }
    let greatest = gaps.iter().map(|(_, _, gap)| gap.abs()).fold(0.0, f64::max);
    let step = recent.iter().map(|(_, s)| *s).fold(0.0, f64::max)
        - recent.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
    let step = step / (recent.len() - 1) as f64;
    let shown = gaps.iter().map(|(elo, period, gap)| format!("{elo} {period} {gap:+.3}"));
    let computed = format!(
        "s_fit less that of 2006-2009: {}; a hundred points of Elo are {} on average",
        listed(shown),
        decimals(step, 4)
    );
    Ok(Finding::fact(item, greatest <= step, computed)
        .because("nearly the same: by no more than what a hundred points of Elo are worth; from the printed table"))
}
