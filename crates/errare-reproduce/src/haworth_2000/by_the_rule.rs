//! Depth by the rule (DTR) in endgames of six men without pawns, without whole tables to DTR, which cost many times as much
//! as those to a zeroing move.
//!
//! X_i are the positions won with no phase longer than i plies, and m is the winner's greatest DTR after a conversion. From
//! i = m on, whatever conversion wins leads into X_i, so X_i are the positions with DTZ <= i. Hence a win with DTZ > m has
//! DTR = DTZ, and any other has DTR <= m. Where no win is deeper than m, X_i for i = m - 1, m - 2, ... are solved one by one
//! until some win is missing: each is a table of the depths to mate and to conversions into X_i.

use crate::bench::{Bench, material, position};
use crate::error::{ReproduceError, Result};
use errare_tables::{Counting, Material, Metric, Outcome, Plies, Value, count_jointly, tables_to_mate};
use shakmaty::{Color, Position};

/// A deepest win by the rule.
pub struct DeepestWin {
    /// The depth of the win in the winner's moves.
    pub moves: u16,
    /// A position of this depth, as a FEN.
    pub fen: String,
    /// The way in which the win was found, in words.
    pub how: &'static str,
}

const BY_PHASES: &str = "the longest phase, as every win after a capture has a lesser DTR";
const BY_SETS: &str = "no phase is as long, but what follows a capture may be: some wins need a phase of that length";

/// The wins of one side in an endgame.
struct Wins {
    endgame: Material,
    /// The winner in tables, where White is the stronger side.
    winner: Color,
}

impl Wins {
    /// Makes the wins of the side that a name begins with: as print has it, KBBBKR are wins of three bishops against a
    /// rook.
    fn of_first(name: &str) -> Result<Wins> {
        let oriented = Material::parse_oriented(name);
        let (endgame, is_swapped) =
            oriented.map_err(|_| ReproduceError::Internal("a study names an endgame that is none"))?;
        Ok(Wins { endgame, winner: if is_swapped { Color::Black } else { Color::White } })
    }
}

/// Finds a deepest win by the rule of the side that an endgame's name begins with, building the tables that this takes.
pub fn deepest_win(bench: &Bench<'_>, name: &str) -> Result<DeepestWin> {
    let wins = Wins::of_first(name)?;
    let Phases { after, longest } = wins.phases(bench)?;
    let mut limit = after;
    while limit > longest {
        let shorter = Plies(limit.0 - 1);
        if let Some((outcome, fen)) = wins.one_outside(bench, shorter)? {
            return deepest(Value::new(outcome, limit.0), fen, BY_SETS);
        }
        limit = shorter;
    }
    let how = if longest > after { BY_PHASES } else { BY_SETS };
    let (value, fen) = wins.longest_phase(bench)?;
    deepest(value, fen, how)
}

fn deepest(value: Value, fen: String, how: &'static str) -> Result<DeepestWin> {
    let moves = value.winner_moves(Metric::Dtr).ok_or(ReproduceError::Internal("a win has no depth"))?;
    Ok(DeepestWin { moves: moves.0, fen, how })
}

impl Wins {
    /// Finds the win with the longest first phase, with its value. Where both sides to move have one, the position with
    /// the winner to move is shown.
    fn longest_phase(&self, bench: &Bench<'_>) -> Result<(Value, String)> {
        let sides = bench.counts(&self.endgame.to_string(), Metric::Dtz, Counting::Once)?.sides;
        let lost = sides.get(self.winner.other()).deepest.get(&Outcome::Loss);
        let won = sides.get(self.winner).deepest.get(&Outcome::Win);
        let deepest = lost.into_iter().chain(won).max_by_key(|(value, _)| value.plies);
        deepest.cloned().ok_or(ReproduceError::Internal("an endgame of the list has no wins"))
    }

    /// Finds a win that is not in X_i for i = `limit`, and whether it is a win or a loss for the side to move.
    fn one_outside(&self, bench: &Bench<'_>, limit: Plies) -> Result<Option<(Outcome, String)>> {
        let name = self.endgame.to_string();
        let follows = |_: Material, value: Value| value.plies <= limit;
        let within = bench.conversion_goal(&name, &format!("within-{}", limit.0), Metric::Dtr, &follows)?;
        let tables = [bench.table(&name, Metric::Dtz)?, within];
        for (turn, outcome) in [(self.winner, Outcome::Win), (self.winner.other(), Outcome::Loss)] {
            let is_outside = |values: &[Value]| match values {
                [known, within] if known.outcome == outcome => {
                    (within.outcome != outcome || within.plies > limit).then_some(0)
                }
                _ => None,
            };
            let found = count_jointly(&tables, turn, &is_outside, 1, bench.progress)?;
            if let Some(fen) = found.into_values().flat_map(|found| found.examples).next() {
                return Ok(Some((outcome, fen)));
            }
        }
        Ok(None)
    }

    fn phases(&self, bench: &Bench<'_>) -> Result<Phases> {
        let mut subs = self.endgame.oriented_conversions();
        subs.retain(|(sub, _)| sub.men() > 2);
        let mut needed = vec![(self.endgame, Metric::Dtz)];
        needed.extend(subs.iter().map(|&(sub, _)| (sub, Metric::Dtr)));
        bench.tables.build_and_work(&needed, bench.progress, || {
            let mut after = Plies(0);
            for &(sub, is_swapped) in &subs {
                let winner = if is_swapped { self.winner.other() } else { self.winner };
                after = after.max(longest(bench, sub, Metric::Dtr, winner)?);
            }
            Ok(Phases { after, longest: longest(bench, self.endgame, Metric::Dtz, self.winner)? })
        })
    }
}

/// Bounds on the depth of one side's wins.
struct Phases {
    /// The greatest DTR after a conversion.
    after: Plies,
    /// The greatest DTZ in the endgame itself.
    longest: Plies,
}

/// The greatest depth of a side's wins, in plies.
fn longest(bench: &Bench<'_>, endgame: Material, metric: Metric, winner: Color) -> Result<Plies> {
    let table = bench.table(&endgame.to_string(), metric)?;
    let counts = &table.header().counts;
    Ok(counts.get(winner).max_win.max(counts.get(winner.other()).max_loss))
}

/// The DTR of a won or lost position, in plies.
pub fn plies(bench: &Bench<'_>, name: &str, fen: &str) -> Result<u16> {
    let (endgame, at) = (material(name)?, position(fen)?);
    let mut after = Plies(0);
    for winner in Color::ALL {
        after = after.max(Wins { endgame, winner }.phases(bench)?.after);
    }
    let of_phase = bench.source().value(&at, Metric::Dtz)?.plies;
    if of_phase > after || at.is_checkmate() {
        return Ok(of_phase.0);
    }
    let needed = tables_to_mate(endgame, [Metric::Dtr]);
    bench.tables.build_and_work(&needed, bench.progress, || Ok::<_, ReproduceError>(()))?;
    Ok(bench.source().value(&at, Metric::Dtr)?.plies.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_tables::{Library, TableSource, Tables};
    use errare_work::Silent;

    /// Both ways give what whole tables to DTR give.
    #[test]
    fn both_ways_agree_with_tables_to_the_rule() {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = TableSource::Ours(Tables::new(Library::new(folder.path()), 1 << 30));
        let bench = Bench::new(&tables, &Silent);
        let mut ways = Vec::new();
        for name in ["KQKR", "KRKQ", "KRKN", "KNKR", "KRKB", "KQRK", "KQQK", "KRRK", "KBNK", "KRKR", "KQKQ"] {
            let found = deepest_win(&bench, name).expect("a deepest win");
            let Wins { endgame, winner } = Wins::of_first(name).expect("an endgame");
            let work = || Ok::<_, ReproduceError>(());
            tables.build_and_work(&[(endgame, Metric::Dtr)], &Silent, work).expect("a table");
            let expected = errare_tables::deepest(&*tables.source(), endgame, Metric::Dtr, &Silent).expect("a depth");
            assert_eq!(found.moves, expected.get(winner).0, "{name}");
            let value =
                tables.source().value(&position(&found.fen).expect("a position"), Metric::Dtr).expect("a value");
            assert_eq!(value.winner_moves(Metric::Dtr).map(|moves| moves.0), Some(found.moves), "{name}");
            assert_eq!(plies(&bench, name, &found.fen).expect("a depth"), value.plies.0, "{name}");
            ways.push(found.how);
        }
        assert!(ways.contains(&BY_PHASES) && ways.contains(&BY_SETS), "{ways:?}");
    }

    /// Sets are solved until a win is missing: here, several times.
    #[test]
    fn sets_of_wins_by_the_rule_are_those_of_the_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = TableSource::Ours(Tables::new(Library::new(folder.path()), 1 << 30));
        let bench = Bench::new(&tables, &Silent);
        let wins = Wins::of_first("KQKR").expect("an endgame");
        let endgame = wins.endgame;
        let needed = [(endgame, Metric::Dtr), (endgame, Metric::Dtz)];
        tables.build_and_work(&needed, &Silent, || Ok::<_, ReproduceError>(())).expect("tables");
        let deepest = longest(&bench, endgame, Metric::Dtr, wins.winner).expect("a depth");
        for limit in [3, 11, 40, deepest.0 - 1] {
            let (outcome, fen) = wins.one_outside(&bench, Plies(limit)).expect("a search").expect("a win");
            let value = tables.source().value(&position(&fen).expect("a position"), Metric::Dtr).expect("a value");
            assert!(value.outcome == outcome && value.plies.0 > limit, "{limit}: {fen}");
        }
        assert_eq!(wins.one_outside(&bench, deepest).expect("a search"), None);
    }
}
