//! Appendix B: the annotation of the two games.

use crate::bench::{Bench, san};
use crate::browne_belle::{PrintedMove, assessed, printed};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::Study;
use errare_choice::Kappa;
use errare_endgame::Remark;
use errare_tables::Metric;
use shakmaty::{Color, Position, Role};
use std::collections::BTreeSet;

pub const STUDY: Study = Study {
    name: "the annotation of the games",
    is_quick: true,
    covers: |id| id.starts_with("000-b-"),
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let game = if item.id.starts_with("000-b-1") { 0 } else { 1 };
    let remarks = assessed(bench, game, Kappa::ZERO_PLUS)?;
    let printed = printed(game)?;
    let pairs = || printed.iter().zip(&remarks);
    let rest = item.id.get(8..).unwrap_or_default();
    match rest {
        "marks" => {
            let marked = printed.iter().filter(|one| !one.mark.is_empty()).count();
            let computed = |remark: &Remark| remark.mark.map_or("", |mark| mark.sign());
            let wrong = pairs().filter(|(one, remark)| one.mark != computed(remark)).map(|(one, remark)| {
                let shown = |mark: &str| if mark.is_empty() { "none".to_owned() } else { mark.to_owned() };
                format!("{} printed {}, computed {}", place(one), shown(one.mark), shown(computed(remark)))
            });
            Ok(differences(item, &format!("{marked} marks printed over {} moves", printed.len()), wrong.collect()))
        }
        "better" => {
            let noted = || pairs().filter(|(one, _)| one.conceded.is_some());
            let wrong = noted().filter_map(|(one, remark)| {
                let optimal: BTreeSet<String> = remark.optimal.iter().map(|&mv| san(&remark.position, mv)).collect();
                let better: BTreeSet<String> =
                    one.better.iter().map(|name| name.trim_end_matches('\'').to_owned()).collect();
                let is_alone = one.better.len() == 1 && one.better[0].ends_with('\'');
                let conceded = Some((remark.conceded.unwrap_or(u16::MAX), remark.conceded_total));
                let is_same = optimal == better && conceded == one.conceded && (optimal.len() == 1) == is_alone;
                (!is_same).then(|| {
                    format!("{} printed {}, computed {}", place(one), one.better.join(" "), listed(marked(&optimal)))
                })
            });
            Ok(differences(item, &format!("{} remarks", noted().count()), wrong.collect()))
        }
        "choices" => {
            let noted = printed.iter().filter(|one| !one.alternatives.is_empty()).count();
            let black = pairs().filter(|(one, _)| one.side == Color::Black);
            let wrong = black.filter_map(|(one, remark)| {
                let others = remark.optimal.iter().filter(|&&mv| mv != remark.mv).map(|&mv| san(&remark.position, mv));
                let others: BTreeSet<String> = others.collect();
                let printed: BTreeSet<String> = one.alternatives.iter().map(|&name| name.to_owned()).collect();
                let shown = |names: &BTreeSet<String>| if names.is_empty() { "none".to_owned() } else { listed(names) };
                (others != printed)
                    .then(|| format!("{} printed {}, computed {}", place(one), shown(&printed), shown(&others)))
            });
            Ok(differences(item, &format!("{noted} remarks"), wrong.collect()))
        }
        "model" => {
            let circled = || pairs().filter_map(|(one, remark)| one.circled.map(|name| (one, remark, name)));
            let wrong = circled().filter_map(|(one, remark, name)| {
                let choice = san(&remark.position, remark.model_choice);
                (choice != name).then(|| format!("{} printed {name}, computed {choice}", place(one)))
            });
            Ok(differences(item, &format!("{} moves", circled().count()), wrong.collect()))
        }
        "depth-33" => Finding::numbers(item, &[depth_after(&remarks, 33)?]),
        "depth-45" => Finding::numbers(item, &[depth_after(&remarks, 45)?]),
        "summary" => {
            let circled: BTreeSet<usize> =
                printed.iter().filter(|one| one.circled.is_some()).map(|one| one.number).collect();
            let black =
                || remarks.iter().filter(|remark| remark.position.turn() == Color::Black && remark.optimal.len() > 1);
            let number = |remark: &Remark| remark.ply / 2 + 1;
            let correct =
                black().filter(|remark| circled.contains(&number(remark)) && remark.model_choice == remark.mv);
            let computed = format!("{}; {}", listed(black().map(number)), listed(correct.map(number)));
            Ok(Finding::text(item, computed).because(if game == 1 {
                "moves 48 and 49 offer choices too; the appendix itself lists those of move 48"
            } else {
                ""
            }))
        }
        "total" => {
            let white = remarks.iter().filter(|remark| remark.position.turn() == Color::White);
            Finding::numbers(item, &[white.map(|remark| remark.conceded_total).max().map_or(0.0, f64::from)])
        }
        "pattern" => Ok(pattern(item, &remarks)),
        "slip" => Finding::numbers(item, &[6.0, depth_after(&remarks, 44)?]),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

fn place(one: &PrintedMove) -> String {
    format!("{}{}", one.number, if one.side == Color::White { "w" } else { "b" })
}

/// Formats moves, with the sign of an only optimal move if there is one alone.
fn marked(names: &BTreeSet<String>) -> Vec<String> {
    match names.len() {
        1 => names.iter().map(|name| format!("{name}'")).collect(),
        _ => names.iter().cloned().collect(),
    }
}

fn differences(item: &Item, what: &str, wrong: Vec<String>) -> Finding {
    let is_same = wrong.is_empty();
    let text = if is_same {
        "all the same".to_owned()
    } else {
        format!("{} {}: {}", wrong.len(), if wrong.len() == 1 { "differs" } else { "differ" }, wrong.join("; "))
    };
    Finding::fact(item, is_same, format!("{what}; {text}"))
}

/// The depth after White's move of a number.
fn depth_after(remarks: &[Remark], number: usize) -> Result<f64> {
    let remark = remarks.get(2 * (number - 1)).ok_or(ReproduceError::Internal("a game is too short"))?;
    Ok(remark.after.depth().map_or(f64::NAN, |depth| f64::from(depth.0)))
}

/// Compares the men at 34b, 37b, 40b, 43b and 46b: each time they should be a rank further down.
fn pattern(item: &Item, remarks: &[Remark]) -> Finding {
    let men = |number: usize| -> Vec<(Color, Role, i32, i32)> {
        let board = remarks[2 * number - 1].position.board().clone();
        let men =
            board.into_iter().map(|(square, man)| (man.color, man.role, square.file() as i32, square.rank() as i32));
        let mut men: Vec<_> = men.collect();
        men.sort_by_key(|&(color, role, file, rank)| (color.is_white(), role, file, rank));
        men
    };
    let first = men(34);
    let shifted =
        |down: i32| first.iter().map(|&(color, role, file, rank)| (color, role, file, rank - down)).collect::<Vec<_>>();
    let same = (1..).zip([37, 40, 43, 46]).filter(|(down, number)| men(*number) == shifted(*down)).count();
    Finding::fact(item, same == 4, format!("{same} of 4 are the position of 34b, each a rank further down"))
}
