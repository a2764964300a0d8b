//! Section 4: the sets A, B and AB of KBBKNN, whose wins under the fifty-move rule call for a metric that knows the rule.
//!
//! White wins by converting to KBBKN. There W is what is won within fifty moves, and D is what takes longer. A has the
//! positions in which White can force a conversion to W in at most fifty moves, B those with a conversion to D, and in AB
//! the conversion to D comes no later, while mate takes more than fifty moves.

use super::choices::{FOLLOWED_HOW, FOLLOWING, TOO_MANY, followed};
use crate::bench::Bench;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::grouped;
use crate::study::{Needs, Study};
use errare_endgame::Success;
use errare_tables::{JointCount, Material, Metric, Outcome, Value, count_jointly};
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::BTreeMap;

pub const STUDY: Study = Study {
    name: "sets of KBBKNN",
    is_quick: false,
    covers: |id| ["002-4-kbbknn-sets", "002-4-kbbknn-ab"].contains(&id),
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

const ENDGAME: &str = "KBBKNN";
/// Number of plies of the fifty-move rule.
const RULE: u16 = 100;
/// Number of positions of AB from which strategies are followed.
const FOLLOWED: usize = 20;

fn needs(item: &Item) -> Needs {
    let metrics = if item.id == "002-4-kbbknn-ab" { FOLLOWING.to_vec() } else { vec![Metric::Dtm] };
    vec![(ENDGAME, metrics)]
}

// The sets that a position belongs to, as bits of its class.
const A: u8 = 1;
const B: u8 = 2;
const AB: u8 = 4;

/// The sets of a position by its values: to conversions to W, to conversions to D, to mate without any, to mate. None
/// if the position is in no set.
fn sets(values: &[Value]) -> Option<u8> {
    let &[to_w, to_d, mate_here, to_mate] = values else { return None };
    let in_time = |value: Value| value.outcome == Outcome::Win && value.plies.0 <= RULE;
    if to_mate.outcome != Outcome::Win || mate_here.outcome == Outcome::Win {
        return None;
    }
    let (a, b) = (in_time(to_w), in_time(to_d));
    let ab = a && b && to_mate.plies.0 > RULE && to_d.plies <= to_w.plies;
    let set = |is_in: bool, bit: u8| if is_in { bit } else { 0 };
    Some(set(a, A) | set(b, B) | set(ab, AB)).filter(|&sets| sets != 0)
}

/// Counts the positions with White to move by the sets they belong to.
fn count(bench: &Bench<'_>) -> Result<BTreeMap<u8, JointCount>> {
    let goal = |kind: &str, counts: &(dyn Fn(Material, Value) -> bool + Sync)| {
        bench.conversion_goal(ENDGAME, kind, Metric::Dtz, counts)
    };
    let short = |_: Material, value: Value| value.plies.0 <= RULE;
    let long = |_: Material, value: Value| value.plies.0 > RULE;
    let all = [goal("w", &short)?, goal("d", &long)?, goal("mate", &|_, _| false)?, bench.table(ENDGAME, Metric::Dtm)?];
    Ok(count_jointly(&all, Color::White, &sets, FOLLOWED, bench.progress)?)
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let counted = count(bench)?;
    if item.id == "002-4-kbbknn-sets" {
        let number = |set: u8| -> u64 {
            counted.iter().filter(|&(sets, _)| sets & set != 0).map(|(_, found)| found.count).sum()
        };
        let [a, b, ab] = [A, B, AB].map(number);
        let shown = format!("A {}, B {}, AB {} positions", grouped(a), grouped(b), grouped(ab));
        return Ok(Finding::fact(item, ab > 0, shown)
            .because("positions with White to move, each once up to symmetry; the paper gives no numbers"));
    }
    let examples = counted.iter().find(|&(sets, _)| sets & AB != 0).map_or(&[][..], |(_, found)| &found.examples);
    let mut tallies = STRATEGIES.map(|_| FollowedCounts::default());
    let follow = |fen: &String| followed(bench, fen, &STRATEGIES, "SR");
    for found in examples.par_iter().map(follow).collect::<Result<Vec<_>>>()? {
        for (tally, (_, success)) in tallies.iter_mut().zip(found) {
            match success {
                Success::Wins => tally.wins += 1,
                Success::Slips(_) => tally.slips += 1,
                Success::TooMany => tally.unsettled += 1,
                Success::NotWon => return Err(ReproduceError::Internal("a position of AB is not won under the rule")),
            }
        }
    }
    Ok(judged(item, examples.len(), &tallies))
}

/// The strategies that are followed: the first two should let wins slip, the next four should not.
const STRATEGIES: [&str; 7] = ["SA1", "SM*", "SR1", "SR2", "SR3", "SR4", "SZ50"];

/// The results of following one strategy, over all positions.
#[derive(Clone, Copy, Default)]
struct FollowedCounts {
    wins: u32,
    slips: u32,
    unsettled: u32,
}

fn judged(item: &Item, positions: usize, tallies: &[FollowedCounts; 7]) -> Finding {
    let shown = STRATEGIES.iter().zip(tallies).map(|(name, FollowedCounts { wins, slips, unsettled })| {
        let unsettled = if *unsettled > 0 { format!(", {unsettled} unsettled") } else { String::new() };
        format!("{name} {wins} won, {slips} slip{unsettled}")
    });
    let shown = format!("of {positions} positions of AB: {}", shown.collect::<Vec<_>>().join("; "));
    let (careless, careful) = (&tallies[..2], &tallies[2..6]);
    let is_refuted = careful.iter().any(|tally| tally.slips > 0);
    let is_settled = careless.iter().all(|tally| tally.slips > 0) && careful.iter().all(|tally| tally.unsettled == 0);
    if !is_refuted && !is_settled && tallies[..6].iter().any(|tally| tally.unsettled > 0) {
        return Finding::cannot(item, shown, format!("{FOLLOWED_HOW}: {TOO_MANY}"));
    }
    Finding::fact(item, !is_refuted && is_settled, shown).because(FOLLOWED_HOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    #[test]
    fn sets_are_those_of_the_paper() {
        let win = |plies| Value::new(Outcome::Win, plies);
        let found = |values: [Value; 4]| sets(&values);
        assert_eq!(found([win(31), win(31), Value::DRAW, win(101)]), Some(A | B | AB));
        assert_eq!(found([win(31), win(33), Value::DRAW, win(101)]), Some(A | B));
        assert_eq!(found([win(31), win(29), Value::DRAW, win(99)]), Some(A | B));
        assert_eq!(found([win(101), win(29), Value::DRAW, win(101)]), Some(B));
        assert_eq!(found([win(31), Value::DRAW, Value::DRAW, win(101)]), Some(A));
        assert_eq!(found([win(31), win(29), win(41), win(41)]), None);
        assert_eq!(found([Value::DRAW, Value::DRAW, Value::DRAW, win(151)]), None);
        assert_eq!(found([Value::DRAW; 4]), None);
    }

    #[test]
    fn what_is_unsettled_decides_nothing() {
        let items = crate::list::items().expect("a sound list");
        let item = items.iter().find(|item| item.id == "002-4-kbbknn-ab").expect("it is listed");
        let verdict = |careless: FollowedCounts, careful: FollowedCounts| {
            let tallies = [careless, careless, careful, careful, careful, careful, careful];
            judged(item, 20, &tallies).verdict
        };
        let wins = FollowedCounts { wins: 20, ..FollowedCounts::default() };
        let slips = FollowedCounts { wins: 19, slips: 1, unsettled: 0 };
        let partly = FollowedCounts { wins: 19, slips: 0, unsettled: 1 };
        assert_eq!(verdict(slips, wins), Verdict::Agrees);
        assert_eq!(verdict(wins, wins), Verdict::Differs);
        assert_eq!(verdict(slips, slips), Verdict::Differs);
        assert_eq!(verdict(slips, partly), Verdict::Cannot);
        assert_eq!(verdict(partly, wins), Verdict::Cannot);
        assert_eq!(verdict(partly, slips), Verdict::Differs);
    }
}
