//! Lines of play with marks, as Haworth (2000) prints them.

use crate::bench::{Bench, parse_san, san};
use crate::error::{ReproduceError, Result};
use crate::numerals::listed;
use errare_endgame::{LinePlayer, MarkedMove, MoveRule, Strategy};
use errare_tables::Metric;
use shakmaty::{ByColor, Chess, Position};
use std::collections::BTreeSet;

/// A printed move: its name, and the notes on it.
struct Printed<'a> {
    name: &'a str,
    mark: &'a str,
    /// Number of equal moves, including the move itself.
    equals: Option<usize>,
    /// The other equal moves.
    others: Option<BTreeSet<String>>,
}

impl Printed<'_> {
    /// Reads a printed move such as `Nc6 [Nd5]`, `Kc8 (2)` or `Kb6'`.
    fn read(text: &str) -> Printed<'_> {
        let (head, rest) = text.split_once(' ').unwrap_or((text, ""));
        let name = head.trim_end_matches(['\'', '"', '°']);
        let inside = |open: char, close: char| rest.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        Printed {
            name,
            mark: &head[name.len()..],
            equals: inside('(', ')').and_then(|count| count.parse().ok()),
            others: inside('[', ']').map(|names| names.split(' ').map(str::to_owned).collect()),
        }
    }

    /// Whether the printed notes on the move are right.
    fn is_right(&self, found: &MarkedMove) -> bool {
        // Signs of check are often left out in print.
        let bare = |name: &str| name.trim_end_matches('+').to_owned();
        let others: BTreeSet<String> = found.alternatives().map(|mv| bare(&san(&found.position, mv))).collect();
        let is_mate = self.name.ends_with('#');
        match (self.equals, &self.others) {
            (Some(count), _) => found.allowed.contains(&found.mv) && found.allowed.len() == count,
            (_, Some(printed)) => {
                let printed: BTreeSet<String> = printed.iter().map(|name| bare(name)).collect();
                found.allowed.contains(&found.mv) && others == printed
            }
            _ if self.mark.is_empty() => is_mate || (found.mark().is_empty() && found.allowed.contains(&found.mv)),
            _ => found.mark() == self.mark,
        }
    }
}

/// Formats a marked move in the notation of the printed ones.
fn shown(found: &MarkedMove) -> String {
    let name = san(&found.position, found.mv);
    let others: Vec<String> = found.alternatives().map(|mv| san(&found.position, mv)).collect();
    match (found.mark().as_str(), others.len()) {
        ("", 1) => format!("{name} [{}]", others[0]),
        ("", 0) => name,
        ("", count) => format!("{name} ({})", count + 1),
        (mark, _) => name + mark,
    }
}

/// Marks printed moves by strategies of White and Black. Returns the number of moves, and the moves that are marked
/// otherwise than in print.
pub fn compared(
    bench: &Bench<'_>,
    start: &Chess,
    printed: &str,
    strategies: [&str; 2],
) -> Result<(usize, Vec<String>)> {
    let parse = |text: &str| text.parse::<Strategy>().map_err(|_| ReproduceError::Internal("a strategy that is none"));
    let printed: Vec<Printed<'_>> = printed.split(", ").map(Printed::read).collect();
    let mut at = start.clone();
    let mut moves = Vec::new();
    for one in &printed {
        let mv = parse_san(&at, one.name)?;
        at.play_unchecked(mv);
        moves.push(mv);
    }
    let player = LinePlayer {
        source: bench.source(),
        strategies: ByColor { white: parse(strategies[0])?, black: parse(strategies[1])? },
        rule: MoveRule::NONE,
        plies: moves.len(),
        metrics: vec![Metric::Dtz],
    };
    let line = player.mark(start, &moves, bench.progress)?;
    let wrong =
        printed.iter().zip(&line.moves).filter(|(one, found)| !one.is_right(found)).map(|(_, found)| shown(found));
    Ok((line.moves.len(), wrong.collect()))
}

/// The result of a comparison, in words.
pub fn words((count, wrong): &(usize, Vec<String>)) -> String {
    if wrong.is_empty() {
        format!("all {count} as printed")
    } else {
        format!("{} of {count} otherwise: {}", wrong.len(), listed(wrong))
    }
}
