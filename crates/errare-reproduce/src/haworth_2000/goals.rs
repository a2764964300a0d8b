//! Sections 4 and 6, Figures 2, 5 and 6: goals by DTR.

use super::strategies::START;
use crate::bench::{Bench, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::{Needs, Study};
use errare_endgame::{Goal, Goals, Prospect, Situation, Strategy};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;
use shakmaty::{Chess, Position};

pub const STUDY: Study = Study {
    name: "goals by DTR",
    is_quick: false,
    covers: |id| ["002-fig-2", "002-fig-2-goals", "002-fig-5", "002-fig-6", "002-fig-6-goals"].contains(&id),
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn needs(item: &Item) -> Needs {
    if item.id.ends_with("-goals") {
        Vec::new()
    } else {
        vec![("KNNKP", vec![Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr])]
    }
}

/// A move of White's in the first phase of a line.
struct Step {
    /// Number of White's moves made before this one.
    made: u32,
    /// DTZ of the position, in moves.
    left: f64,
    /// The goals of the player after choosing.
    goals: Vec<Goal>,
    /// dr of the position after each winning move, and the move by which the phase can end then.
    destinations: Vec<(f64, f64)>,
}

/// Plays the first phase of a line in which White follows a strategy and Black SR; of equal moves each side makes the
/// first.
fn phase(bench: &Bench<'_>, text: &str, most: u32) -> Result<Vec<Step>> {
    let parse = |text: &str| text.parse::<Strategy>().map_err(|_| ReproduceError::Internal("a strategy that is none"));
    let (attack, defence) = (parse(text)?, parse("SR")?);
    let source = bench.source();
    let mut at: Chess = position(START)?;
    let mut goals = Goals::default();
    let mut steps = Vec::new();
    for made in 0..most {
        bench.progress.proceed()?;
        let situation = Situation::new(&*source, &at, Some(50))?;
        let places = attack.select(&situation, &mut goals)?;
        let after = situation.successors(Metric::Dtr)?;
        let dtz = situation.successors(Metric::Dtz)?;
        let destinations = after
            .iter()
            .zip(dtz)
            .filter(|(one, _)| one.value.outcome.is_win())
            .map(|(one, dtz)| {
                let plies = 2 * made + u32::from(dtz.through.plies.0);
                (f64::from(one.value.plies.0) / 2.0, f64::from(plies) / 2.0)
            })
            .collect();
        let left = f64::from(situation.depth(Metric::Dtz)?.plies.0) / 2.0;
        steps.push(Step { made, left, goals: goals.all().to_vec(), destinations });
        let Some(&place) = places.first() else { break };
        let mv = situation.moves()[place];
        at.play_unchecked(mv);
        if mv.is_zeroing() || at.legal_moves().is_empty() {
            break;
        }
        let situation = Situation::new(&*source, &at, Some(50))?;
        let Some(&place) = defence.select(&situation, &mut Goals::default())?.first() else { break };
        let mv = situation.moves()[place];
        at.play_unchecked(mv);
        if mv.is_zeroing() {
            break;
        }
    }
    Ok(steps)
}

const WHY: &str = "the paper's example is invented; here the first phase of a won KNNKP position, 8/K7/p2N4/8/2N2k2/8/8/8 w, White by \
the strategies named, Black by SR";

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let caption = format!("{}: {}", item.place, item.claim);
    match item.id {
        "002-fig-2-goals" => {
            // In plies: dr of the position after a move, the ply by which the phase can end, and the plies made.
            let game = [(59, 20, 0), (49, 60, 36), (43, 80, 66)];
            Finding::numbers(item, &[1, 2, 3, 4].map(|kind| adopted(&game, kind) as f64))
        }
        "002-fig-6-goals" => {
            let scenario = |kind: u8| [23, 29, 37].into_iter().filter(|&depth| adopts(depth, kind)).count() as f64;
            Ok(Finding::numbers(item, &[scenario(2), scenario(3), scenario(4)])?
                .because("the paper gives no numbers for G_c; (37, 54) stands for it"))
        }
        "002-fig-2" => {
            let mut series = Vec::new();
            let mut texts = Vec::new();
            for name in ["SR2", "SR3", "SR4"] {
                let mut met: Vec<Goal> = Vec::new();
                for step in phase(bench, name, 60)? {
                    met.extend(step.goals.iter().filter(|goal| !met.contains(goal)).copied().collect::<Vec<_>>());
                }
                let points: Vec<(f64, f64)> =
                    met.iter().map(|goal| (f64::from(goal.by) / 2.0, f64::from(goal.depth) / 2.0)).collect();
                texts.push(format!("{name}: {}", listed(points.iter().map(|(by, dr)| format!("({dr}, {by})")))));
                series.push(Series::dots(name, points));
            }
            let chart = LineChart {
                title: "Figure 2: goals G(dr, bm) adopted in a real phase".to_owned(),
                x: Axis::linear("bm: to be reached by this move of the phase"),
                y: Axis::linear("dr of the goal (moves)"),
                series,
                marks: Vec::new(),
            };
            Ok(Finding::cannot(item, format!("goals (dr, bm) in moves: {}", texts.join("; ")), WHY)
                .with_picture(caption, chart))
        }
        "002-fig-5" => {
            let mut series = Vec::new();
            let mut texts = Vec::new();
            for name in ["SR3ZCM*", "SR", "SM"] {
                let steps = phase(bench, name, 60)?;
                let last = steps.last().map_or(0, |step| step.made + 1);
                texts.push(format!("{name}: the phase ends or is given up after {last} moves"));
                series.push(Series::line(
                    name,
                    steps.iter().map(|step| (f64::from(step.made), f64::from(step.made) + step.left)),
                ));
            }
            let chart = LineChart {
                title: "Figure 5: when the phase can end, along three lines".to_owned(),
                x: Axis::linear("White's moves made in the phase"),
                y: Axis::linear("earliest move at which the phase can end"),
                series,
                marks: Vec::new(),
            };
            Ok(Finding::cannot(item, texts.join("; "), WHY).with_picture(caption, chart))
        }
        "002-fig-6" => {
            let steps = phase(bench, "SR3", 60)?;
            let at = steps.iter().find(|step| step.made == 16).or(steps.last());
            let step = at.ok_or(ReproduceError::Internal("a phase without moves"))?;
            let goals: Vec<(f64, f64)> =
                step.goals.iter().map(|goal| (f64::from(goal.by) / 2.0, f64::from(goal.depth) / 2.0)).collect();
            let destinations: Vec<(f64, f64)> = step.destinations.iter().map(|&(dr, by)| (by, dr)).collect();
            let computed = format!(
                "before White's move {} of the phase: {} goals logged, {} moves that keep the win",
                step.made + 1,
                goals.len(),
                destinations.len()
            );
            let chart = LineChart {
                title: "Figure 6: destinations and goals in a real phase".to_owned(),
                x: Axis::linear("move of the phase by which it can end"),
                y: Axis::linear("dr (moves)"),
                series: vec![
                    Series::dots("destinations P(dr, dz)", destinations),
                    Series::dots("goals G(dr, bm)", goals),
                ],
                marks: Vec::new(),
            };
            Ok(Finding::cannot(item, computed, WHY).with_picture(caption, chart))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Number of different goals that SR_a takes up when these prospects come up one after the other.
fn adopted(game: &[(u32, u32, u32)], kind: u8) -> usize {
    let mut goals = Goals::default();
    let mut met: Vec<u32> = Vec::new();
    for &(depth, ends_by, made) in game {
        goals.pursue(&[Prospect { depth, ends_by }], made, 100, kind);
        met.extend(goals.all().iter().map(|goal| goal.depth).filter(|depth| !met.contains(depth)).collect::<Vec<_>>());
    }
    met.len()
}

/// Whether SR_a, with the goal (41, 44) and 16 moves made, adopts a goal of so many moves.
fn adopts(depth: u32, kind: u8) -> bool {
    let mut goals = Goals::default();
    // In plies: with 5 made, a position of dr 82 implies the goal 82 by 88.
    goals.pursue(&[Prospect { depth: 82, ends_by: 10 }], 5, 100, 4);
    goals.pursue(&[Prospect { depth: 2 * depth, ends_by: 40 }], 32, 100, kind);
    goals.all().last().is_some_and(|goal| goal.depth == 2 * depth)
}
