//! A small search of our own, for positions without tables: alpha-beta with iterative deepening.
//!
//! Fallible players choose among all moves, so it evaluates not only the best one: with [`Wanted::All`] every move gets a
//! score of its own, found at the same depth as the others.

mod evaluate;
mod order;
mod transposition;
mod tree;

pub use transposition::TranspositionTable;
pub use tree::MATE;

use crate::advice::{Advice, AdvisedMove};
use crate::control::{SearchControl, SearchLimits};
use errare_uci::Score;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};
use std::cmp::Reverse;
use tree::Tree;

/// The greatest depth of a search.
const MAX_DEPTH: u32 = 64;

/// The difference in hundredths of a pawn from which on worse moves are all as bad as each other.
pub const FAR_BEHIND: i32 = 1000;

/// The moves whose scores are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The given number of the best moves.
    Best(usize),
    /// All moves; those that are far behind the best count as [`FAR_BEHIND`] and no more.
    All,
}

/// The position to search, and the moves to consider.
pub struct Question<'a> {
    pub position: &'a Chess,
    /// The Zobrist keys of the positions that came before, the last one last.
    pub past: &'a [u64],
    /// The moves to consider: at least one.
    pub moves: &'a [Move],
    pub wanted: Wanted,
    /// Whether fifty quiet moves make a draw.
    pub fifty: bool,
}

/// The Zobrist key of a position.
pub fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

/// Searches deeper and deeper until the limits or the control end it. `on_depth` receives the result of every depth.
pub fn search(
    question: &Question<'_>,
    limits: &SearchLimits,
    control: &SearchControl,
    table: &mut TranspositionTable,
    is_over: &dyn Fn() -> bool,
    on_depth: &mut dyn FnMut(&Advice),
) -> Advice {
    let stop = |nodes: u64| nodes >= limits.nodes || control.is_up(limits.most) || is_over();
    let mut tree = Tree::new(question, table, &stop);
    let mut moves: Vec<AdvisedMove> = question.moves.iter().map(|&mv| AdvisedMove::bare(mv)).collect();
    let mut found = Advice::default();
    for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
        let Some(lines) = iteration(question, &mut tree, &moves, depth) else { break };
        moves = lines;
        found = Advice { depth, nodes: tree.nodes(), moves: shown(&moves, question.wanted) };
        on_depth(&found);
        if control.is_up(limits.enough) || is_settled(question, limits, &found) {
            break;
        }
    }
    found
}

/// Evaluates all moves at one depth, best first; none if time ran out before all were seen. The first depth is always
/// finished.
fn iteration(
    question: &Question<'_>,
    tree: &mut Tree<'_>,
    moves: &[AdvisedMove],
    depth: u32,
) -> Option<Vec<AdvisedMove>> {
    let mut lines: Vec<AdvisedMove> = Vec::with_capacity(moves.len());
    let mut exact: Vec<i32> = Vec::new();
    tree.set_patient(depth == 1);
    for line in moves {
        let floor = match question.wanted {
            Wanted::All => exact.first().map_or(-MATE, |best| (best - FAR_BEHIND).max(-MATE)),
            Wanted::Best(count) => exact.get(count.max(1) - 1).copied().unwrap_or(-MATE),
        };
        let is_unlikely = matches!(question.wanted, Wanted::Best(count) if exact.len() >= count);
        let (score, pv) = tree.root_move(line.mv, depth, floor, is_unlikely)?;
        let place = exact.partition_point(|&other| other >= score);
        exact.insert(place, score);
        lines.push(AdvisedMove { mv: line.mv, score, pv });
    }
    lines.sort_by_key(|line| Reverse(line.score));
    Some(lines)
}

fn shown(lines: &[AdvisedMove], wanted: Wanted) -> Vec<AdvisedMove> {
    match wanted {
        Wanted::All => lines.to_vec(),
        Wanted::Best(count) => lines[..count.clamp(1, lines.len())].to_vec(),
    }
}

/// Whether a deeper search cannot change the answer.
fn is_settled(question: &Question<'_>, limits: &SearchLimits, found: &Advice) -> bool {
    let Some(best) = found.moves.first() else { return true };
    match (score(best.score), limits.mate) {
        (Score::Mate(moves), Some(wanted)) => (1..=i64::from(wanted)).contains(&i64::from(moves)),
        (Score::Mate(moves), None) => 2 * moves.unsigned_abs() < found.depth && question.wanted != Wanted::All,
        // With a single move there is nothing to choose, unless somebody wants to see the score.
        (Score::Centipawns(_), _) => question.moves.len() == 1 && limits.enough.is_some() && found.depth >= 4,
    }
}

/// A score of the search in UCI's notation.
pub fn score(score: i32) -> Score {
    let plies = MATE - score.abs();
    match plies {
        0..=1000 if score > 0 => Score::Mate((plies + 1) / 2),
        0..=1000 => Score::Mate(-(plies / 2)),
        _ => Score::Centipawns(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_tables::{Library, Metric, Outcome, Source, Tables, parse_fen};
    use errare_uci::server::Go;
    use errare_work::Silent;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use shakmaty::uci::UciMove;

    fn asked(position: &Chess, past: &[u64], wanted: Wanted, fifty: bool, go: &Go) -> Advice {
        let (limits, control) = (SearchLimits::new(go, position.turn(), Default::default()), SearchControl::new(go));
        if go.nodes == Some(0) {
            control.stop();
        }
        let mut table = TranspositionTable::default();
        table.resize(1);
        let moves = position.legal_moves();
        let question = Question { position, past, moves: &moves, wanted, fifty };
        search(&question, &limits, &control, &mut table, &|| false, &mut |_| ())
    }

    fn to_depth(depth: u64) -> Go {
        Go { depth: Some(depth), ..Go::default() }
    }

    fn best(position: &Chess, depth: u64) -> Score {
        score(asked(position, &[], Wanted::Best(1), true, &to_depth(depth)).moves[0].score)
    }

    /// The solver of the tables knows nothing of this search.
    #[test]
    fn mates_are_as_long_as_the_tables_say() {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = Tables::new(Library::new(folder.path()), 1 << 30);
        let library = tables.library();
        let mut random = Pcg64::seed_from_u64(1);
        for name in ["KQK", "KRK"] {
            let material = name.parse().expect("an endgame");
            tables.ensure(material, Metric::Dtm, &Silent).expect("a table");
            let mut checked = 0;
            while checked < 60 {
                let mut rows = [['1'; 8]; 8];
                for man in ['K', 'k', name.chars().nth(1).unwrap_or('Q')] {
                    rows[random.random_range(0..8)][random.random_range(0..8)] = man;
                }
                let board: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
                let side = if random.random() { 'w' } else { 'b' };
                let Ok(position) = parse_fen(&format!("{} {side} - - 0 1", board.join("/"))) else { continue };
                let Ok(value) = library.value(&position, Metric::Dtm) else { continue };
                let moves = i32::from(value.plies.0.div_ceil(2));
                let expected = match value.outcome {
                    Outcome::Win if moves <= 3 => Score::Mate(moves),
                    Outcome::Loss if moves <= 2 && moves > 0 => Score::Mate(-moves),
                    _ => continue,
                };
                assert_eq!(best(&position, 8), expected, "{}/{side}", board.join("/"));
                checked += 1;
            }
        }
    }

    #[test]
    fn every_move_gets_a_score_when_all_are_wanted() {
        // After 1.Qxh7 nothing is left of White's attack, after 1.Qg7 Black is mated.
        let position = parse_fen_of("6k1/5p1p/5KpQ/8/8/8/8/8 w - - 0 1");
        let found = asked(&position, &[], Wanted::All, true, &to_depth(3));
        assert_eq!(found.moves.len(), position.legal_moves().len());
        assert_eq!(score(found.moves[0].score), Score::Mate(1));
        assert!(found.moves.windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert!(found.moves.iter().all(|line| line.pv[0] == line.mv));
        let few = asked(&position, &[], Wanted::Best(2), true, &to_depth(3));
        assert_eq!((few.moves.len(), few.moves[0].score), (2, found.moves[0].score));
    }

    fn parse_fen_of(fen: &str) -> Chess {
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        fen.into_position(shakmaty::CastlingMode::Standard).expect("a position")
    }

    #[test]
    fn repetitions_and_fifty_quiet_moves_are_draws() {
        let mut position = Chess::default();
        let mut past = Vec::new();
        for mv in ["g1f3", "g8f6", "f3g1"] {
            past.push(key(&position));
            let mv: UciMove = mv.parse().expect("a move");
            position.play_unchecked(mv.to_move(&position).expect("legal"));
        }
        let score_of_return = |past: &[u64]| {
            let found = asked(&position, past, Wanted::All, true, &to_depth(1));
            let is_return = |line: &&AdvisedMove| crate::scores::uci(line.mv).to_string() == "f6g8";
            found.moves.iter().find(is_return).map(|line| line.score)
        };
        assert_eq!(score_of_return(&past), Some(0));
        assert_ne!(score_of_return(&[]), Some(0));

        let late = parse_fen("8/8/8/3k4/8/8/8/KQ6 w - - 99 90").expect("a position");
        let worth = |fifty| asked(&late, &[], Wanted::Best(1), fifty, &to_depth(2)).moves[0].score;
        assert!(worth(true) == 0 && worth(false) > 500);
    }

    #[test]
    fn a_stopped_search_still_has_an_answer() {
        let position = Chess::default();
        let found = asked(&position, &[], Wanted::Best(1), true, &Go { nodes: Some(5000), ..Go::default() });
        assert!(found.nodes <= 5000 && found.depth >= 2);
        // Told before it has begun.
        let found = asked(&position, &[], Wanted::All, true, &Go { nodes: Some(0), ..Go::default() });
        assert_eq!((found.depth, found.moves.len()), (1, 20));
    }
}
