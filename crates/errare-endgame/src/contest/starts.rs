//! Starts of games: won positions of the stronger side, drawn by a seed.

use crate::error::EndgameError;
use crate::oracle::Oracle;
use errare_choice::{Depth, State};
use errare_tables::{Cells, Extent, Material};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position};
use std::collections::{BTreeMap, HashSet};

/// The distribution of starts over the wins of an endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartSpread {
    /// Starts are spread evenly over the depths that occur, so that short and long wins are equally likely.
    #[default]
    Depths,
    /// Every won position is as likely as any other.
    Positions,
}

/// A start: White has the stronger side, is to move, and wins.
#[derive(Clone, Debug)]
pub struct WonStart {
    /// The position to start from.
    pub position: Chess,
    /// The depth of the win: number of moves to the goal of the metric.
    pub depth: u16,
}

/// The number of placements drawn before positions are chosen by depth: enough to find all but the rarest depths.
const PLACEMENTS: u64 = 50_000;

/// The number of placements drawn for each position wanted before the search is given up.
const PATIENCE: u64 = 1000;

/// Draws a number of different starts, or as many as were found.
///
/// # Errors
/// If a table is missing or damaged, or the work is cancelled.
pub fn draw_won_starts(
    oracle: &Oracle,
    material: Material,
    spread: StartSpread,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Vec<WonStart>, EndgameError> {
    let wanted = count as u64;
    let most = PATIENCE * wanted.max(PLACEMENTS / PATIENCE);
    let Some(cells) = Cells::new(material, Extent::Sample { placements: most, seed }) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut drawn = 0;
    let enough = |found: &[WonStart], drawn: u64| {
        found.len() >= count && (spread == StartSpread::Positions || drawn >= PLACEMENTS)
    };
    while drawn < most && !enough(&found, drawn) {
        progress.report(&Status { done: drawn, ..Status::new("drawing positions", "placements") });
        let next = most.min(drawn + PLACEMENTS);
        let starts = (drawn..next).into_par_iter().map(|n| {
            progress.proceed()?;
            start(oracle, &cells, n)
        });
        let starts = starts.collect::<Result<Vec<Option<WonStart>>, EndgameError>>()?;
        let name = |start: &WonStart| Fen::from_position(&start.position, EnPassantMode::Legal).to_string();
        found.extend(starts.into_iter().flatten().filter(|start| seen.insert(name(start))));
        drawn = next;
    }
    Ok(match spread {
        StartSpread::Positions => found.into_iter().take(count).collect(),
        StartSpread::Depths => evenly(found, count),
    })
}

fn start(oracle: &Oracle, cells: &Cells, n: u64) -> Result<Option<WonStart>, EndgameError> {
    let Some(position) = cells.position(n).filter(|position| position.turn() == Color::White) else { return Ok(None) };
    Ok(match oracle.state(&position)? {
        State::Win(Depth(depth)) => Some(WonStart { position, depth }),
        _ => None,
    })
}

/// Picks positions evenly over the list of depths: the k-th of n is of the depth that lies k n-ths up the list, or of
/// the next below that has one left.
fn evenly(found: Vec<WonStart>, count: usize) -> Vec<WonStart> {
    let mut by_depth: BTreeMap<u16, Vec<WonStart>> = BTreeMap::new();
    found.into_iter().rev().for_each(|start| by_depth.entry(start.depth).or_default().push(start));
    let depths: Vec<u16> = by_depth.keys().copied().collect();
    let mut chosen = Vec::new();
    for k in 0..count {
        let Some(&depth) = depths.get((2 * k + 1) * depths.len() / (2 * count)) else { break };
        let left = by_depth.range(..=depth).next_back().or_else(|| by_depth.range(depth..).next());
        let Some((&depth, _)) = left else { break };
        if let Some(starts) = by_depth.get_mut(&depth) {
            chosen.extend(starts.pop());
            if starts.is_empty() {
                by_depth.remove(&depth);
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(depths: &[u16]) -> Vec<WonStart> {
        depths.iter().map(|&depth| WonStart { position: Chess::default(), depth }).collect()
    }

    fn chosen(depths: &[u16], count: usize) -> Vec<u16> {
        evenly(starts(depths), count).iter().map(|start| start.depth).collect()
    }

    #[test]
    fn positions_are_spread_over_depths() {
        let many: Vec<u16> = (1..=10).flat_map(|depth| vec![depth; 20]).collect();
        assert_eq!(chosen(&many, 10), (1..=10).collect::<Vec<u16>>());
        assert_eq!(chosen(&many, 5), [2, 4, 6, 8, 10]);
        assert_eq!(chosen(&many, 20).iter().filter(|&&depth| depth == 7).count(), 2);
    }

    #[test]
    fn rare_depths_leave_their_share_to_others() {
        assert_eq!(chosen(&[1, 1, 1, 1, 2], 4), [1, 1, 2, 1]);
        assert_eq!(chosen(&[1, 2], 5), [1, 2]);
        assert_eq!(chosen(&[], 5), Vec::<u16>::new());
    }
}
