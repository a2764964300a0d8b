//! Section 8 and Figures 8 and 9: Browne's competence in the two games.

use crate::bench::{Bench, analysis};
use crate::browne_belle::{assessed, assessed_by, of_browne};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed, numbers};
use crate::study::Study;
use errare_choice::{Kappa, State};
use errare_endgame::Remark;
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;
use shakmaty::{Color, Position};

pub const STUDY: Study = Study {
    name: "Browne's competence, move by move",
    is_quick: true,
    covers: |id| {
        let ids =
            ["move-50", "rise", "move-1", "lower", "progress", "final", "conceded-1", "conceded-2", "above-17", "grid"];
        id == "000-fig-8" || id == "000-fig-9" || id.strip_prefix("000-8-").is_some_and(|rest| ids.contains(&rest))
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run,
};

/// The course of a game: its moves assessed, with competence and depth.
struct Course {
    remarks: Vec<Remark>,
    /// The expected competence after each of Browne's moves.
    competence: Vec<f64>,
    /// The depth after each move of White's.
    depths: Vec<f64>,
}

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let mut courses = Vec::new();
    for game in [0, 1] {
        let remarks = assessed(bench, game, Kappa::ZERO_PLUS)?;
        let competence = of_browne(&remarks);
        let white = remarks.iter().filter(|remark| remark.position.turn() == Color::White);
        let depths = white.map(|remark| depth(remark.after)).collect();
        courses.push(Course { remarks, competence, depths });
    }
    let [first, second] = &courses[..] else { return Err(ReproduceError::Internal("two games")) };
    items.iter().map(|item| finding(bench, [first, second], item)).collect()
}

fn depth(state: State) -> f64 {
    state.depth().map_or(f64::NAN, |depth| f64::from(depth.0))
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

fn chart(title: &str, y: &str, courses: [&Course; 2], values: fn(&Course) -> &[f64]) -> LineChart {
    let line = |(game, course): (usize, &Course)| {
        Series::line(
            format!("game {game}"),
            values(course).iter().enumerate().map(|(at, value)| (at as f64 + 1.0, *value)),
        )
    };
    LineChart {
        title: title.to_owned(),
        x: Axis::linear("move m of White"),
        y: Axis::linear(y),
        series: (1..).zip(courses).map(line).collect(),
        marks: Vec::new(),
    }
}

fn finding(bench: &Bench<'_>, courses: [&Course; 2], item: &Item) -> Result<Finding> {
    let caption = format!("{}: {}", item.place, item.claim);
    let kappa = "c = 0(1)50, kappa = 0+";
    Ok(match item.id {
        "000-8-move-50" => Finding::numbers(item, &[courses[1].competence.len() as f64])?,
        "000-8-rise" => {
            let at = |course: &Course| [1, 5, 14, 15, 20].map(|number| course.competence[number - 1]);
            let peaks = courses.map(|course| {
                let values = course.competence.iter().enumerate();
                values.max_by(|one, two| one.1.total_cmp(two.1)).map_or(0, |(place, _)| place + 1)
            });
            let holds = peaks.iter().all(|peak| (14..=17).contains(peak));
            let texts = courses.map(|course| numbers(at(course), 2));
            let computed = format!(
                "E[c] after moves 1, 5, 14, 15, 20: {} in game 1, {} in game 2; greatest after moves {}",
                texts[0],
                texts[1],
                listed(peaks)
            );
            Finding::fact(item, holds, computed)
                .because("kappa = 0+; holds if the greatest E[c] comes after move 14, 15 or 16, before the fall")
        }
        "000-8-move-1" => {
            let values = courses.map(|course| course.competence[0]);
            Finding::fact(
                item,
                values.iter().all(|c| (c - 25.0).abs() < 1e-9),
                format!("{}; 25 before", numbers(values, 2)),
            )
        }
        "000-8-lower" => {
            let pairs: Vec<[f64; 2]> =
                (35..=39).map(|number| courses.map(|course| course.competence[number - 1])).collect();
            let count = pairs.iter().filter(|[one, two]| two < one).count();
            let texts = pairs.iter().map(|[one, two]| format!("{} / {}", decimals(*two, 2), decimals(*one, 2)));
            Finding::fact(item, count == 5, format!("lower at {count} of 5: game 2 / game 1 {}", listed(texts)))
                .because(kappa)
        }
        "000-8-progress" => {
            let gain = |course: &Course, from: usize, to: usize| course.depths[from - 2] - course.depths[to - 1];
            let early = courses.map(|course| gain(course, 20, 22));
            let late = courses.map(|course| gain(course, 32, 45));
            let computed = format!(
                "depth gained on moves 20 to 22: {} in game 1, {} in game 2; on moves 32 to 45: {}, {}",
                early[0], early[1], late[0], late[1]
            );
            Finding::fact(item, early[1] > early[0].max(0.0) && late[1] > late[0] && early[0] <= 0.0, computed)
        }
        "000-8-final" => {
            let ends = courses.map(|course| last(&course.competence));
            Finding::fact(item, (ends[0] - ends[1]).abs() < 1.0, numbers(ends, 2)).because(kappa)
        }
        "000-fig-8" => {
            let ends = courses.map(|course| last(&course.competence));
            let computed = format!("E[c] at the end of games 1 and 2: {}", numbers(ends, 2));
            let why = "the curves of the paper carry no numbers: drawn from the computation (kappa = 0+), to be compared by eye";
            Finding::cannot(item, computed, why).with_picture(
                caption,
                chart("Figure 8: Browne's apparent c", "E[c]", courses, |course| &course.competence),
            )
        }
        "000-fig-9" => {
            let ends = courses.map(|course| last(&course.depths));
            let computed = format!("depth after the last move of White's in games 1 and 2: {}", numbers(ends, 0));
            let why = "the curves of the paper carry no numbers: drawn from the tables, to be compared by eye";
            Finding::cannot(item, computed, why).with_picture(
                caption,
                chart("Figure 9: depth after move m", "depth (DTC, moves)", courses, |course| &course.depths),
            )
        }
        "000-8-conceded-1" => Finding::text(item, conceded(&courses[0].remarks)),
        "000-8-conceded-2" => Finding::text(item, conceded(&courses[1].remarks)),
        "000-8-above-17" => {
            let least = courses.map(|course| course.competence.iter().copied().fold(f64::INFINITY, f64::min));
            Finding::fact(
                item,
                least.iter().all(|c| *c > 17.0),
                format!("least E[c] {} in games 1 and 2", numbers(least, 2)),
            )
            .because(kappa)
        }
        "000-8-grid" => {
            let mut texts = Vec::new();
            for game in [0, 1] {
                let coarse = last(&of_browne(&assessed_by(bench, game, analysis(Kappa::ZERO_PLUS, 0.0, 10.0, 50.0)?)?));
                let fine = last(&courses[game].competence);
                texts.push(format!(
                    "game {}: {} with c = 0(1)50, {} with c = 0(10)50",
                    game + 1,
                    decimals(fine, 2),
                    decimals(coarse, 2)
                ));
            }
            Finding::cannot(item, texts.join("; "), "final E[c], kappa = 0+; the paper gives no number for slightly")
        }
        _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    })
}

/// The moves on which White conceded depth, as the paper lists them.
fn conceded(remarks: &[Remark]) -> String {
    let white = remarks.iter().filter(|remark| remark.position.turn() == Color::White);
    let found = white.filter_map(|remark| match remark.conceded {
        Some(0) | None => None,
        Some(moves) => Some(format!("{} +{moves}", remark.ply / 2 + 1)),
    });
    listed(found)
}
