//! Depth by the rule (DTR) in endgames of six men without pawns, from tables to a zeroing move wherever those decide it.
//!
//! X_i are the positions won with no phase longer than i plies, and m is the greatest DTR after a conversion. From i = m on,
//! whatever conversion wins leads into X_i. So X_i are then the positions with DTZ <= i, and a position has either DTZ > m and
//! DTR = DTZ, or DTZ <= m and DTR <= m. A whole table to DTR costs several times one to DTZ, and is built only where DTZ <= m.

use crate::bench::{Bench, material, position};
use crate::error::{ReproduceError, Result};
use errare_tables::{Counting, Material, Metric, Outcome, tables_to_mate};
use shakmaty::Position;

/// A deepest win by the rule.
pub struct DeepestWin {
    /// Its depth in plies.
    pub plies: u16,
    /// A position that is so deep.
    pub fen: String,
    /// How it was found, in words.
    pub how: &'static str,
}

impl DeepestWin {
    /// Its depth in the winner's moves.
    pub fn moves(&self) -> u16 {
        self.plies.div_ceil(2)
    }
}

const BY_PHASES: &str = "the longest phase, as every win after a capture has a lesser DTR";
const BY_TABLE: &str = "by a whole table to DTR, as wins after a capture may have a greater one";

/// Finds a deepest win of an endgame by the rule, building the tables that it takes.
pub fn deepest_win(bench: &Bench<'_>, name: &str) -> Result<DeepestWin> {
    let endgame = material(name)?;
    let (after, longest) = phases(bench, endgame)?;
    let (metric, how) = if longest > after {
        (Metric::Dtz, BY_PHASES)
    } else {
        ensure_to_rule(bench, endgame)?;
        (Metric::Dtr, BY_TABLE)
    };
    let sides = bench.counts(name, metric, Counting::Once)?.sides;
    let decisive = |outcome| sides.as_ref().into_iter().filter_map(move |side| side.deepest.get(&outcome));
    // Where both are as deep, a win of the side to move is the better example.
    let deepest = decisive(Outcome::Loss).chain(decisive(Outcome::Win)).max_by_key(|(value, _)| value.plies);
    let (value, fen) = deepest.ok_or(ReproduceError::Internal("an endgame of the list has no wins"))?;
    Ok(DeepestWin { plies: value.plies.0, fen: fen.clone(), how })
}

/// The DTR of a won or lost position, in plies.
pub fn plies(bench: &Bench<'_>, name: &str, fen: &str) -> Result<u16> {
    let (endgame, at) = (material(name)?, position(fen)?);
    let (after, _) = phases(bench, endgame)?;
    let of_phase = bench.source().value(&at, Metric::Dtz)?.plies.0;
    if of_phase > after || at.is_checkmate() {
        return Ok(of_phase);
    }
    ensure_to_rule(bench, endgame)?;
    Ok(bench.source().value(&at, Metric::Dtr)?.plies.0)
}

/// The greatest DTR after a conversion, and the greatest DTZ of the endgame itself, in plies.
fn phases(bench: &Bench<'_>, endgame: Material) -> Result<(u16, u16)> {
    let subs: Vec<Material> = endgame.conversions().into_iter().filter(|sub| sub.men() > 2).collect();
    let mut needed = vec![(endgame, Metric::Dtz)];
    needed.extend(subs.iter().map(|&sub| (sub, Metric::Dtr)));
    bench.tables.build_and_work(&needed, bench.progress, || {
        let mut after = 0;
        for &sub in &subs {
            after = after.max(longest(bench, sub, Metric::Dtr)?);
        }
        Ok((after, longest(bench, endgame, Metric::Dtz)?))
    })
}

/// The greatest depth of a win or a loss, in plies.
fn longest(bench: &Bench<'_>, endgame: Material, metric: Metric) -> Result<u16> {
    let counts = bench.table(&endgame.to_string(), metric)?.header().counts;
    Ok(counts.as_ref().into_iter().map(|side| side.max_win.max(side.max_loss).0).max().unwrap_or(0))
}

fn ensure_to_rule(bench: &Bench<'_>, endgame: Material) -> Result<()> {
    bench.tables.build_and_work(&tables_to_mate(endgame, [Metric::Dtr]), bench.progress, || Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_tables::{Library, TableSource, Tables};
    use errare_work::Silent;

    /// Either way gives what whole tables to DTR give.
    #[test]
    fn both_ways_agree_with_tables_to_the_rule() {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = TableSource::Ours(Tables::new(Library::new(folder.path()), 1 << 30));
        let bench = Bench::new(&tables, &Silent);
        let mut ways = Vec::new();
        for name in ["KQKR", "KRKN", "KRKB", "KQRK", "KQQK", "KRRK", "KBNK", "KRKR", "KQKQ"] {
            let found = deepest_win(&bench, name).expect("a deepest win");
            ensure_to_rule(&bench, material(name).expect("an endgame")).expect("a table");
            assert_eq!(
                found.plies,
                longest(&bench, material(name).expect("an endgame"), Metric::Dtr).expect("a depth"),
                "{name}"
            );
            let at = position(&found.fen).expect("a position");
            assert_eq!(tables.source().value(&at, Metric::Dtr).expect("a value").plies.0, found.plies, "{name}");
            assert_eq!(plies(&bench, name, &found.fen).expect("a depth"), found.plies, "{name}");
            ways.push(found.how);
        }
        assert!(ways.contains(&BY_PHASES) && ways.contains(&BY_TABLE), "{ways:?}");
    }
}
