//! Five-man endgames, sampled: too large to solve by brute force, small enough to look ahead.
//!
//! The truth is the definitions, applied to the legal moves that shakmaty generates: a depth
//! follows from the depths one move on, and depth by the rule from a search to the end of the
//! phase. Captures lead to tables of four men, which are tested whole elsewhere.

use crate::support::probe::{fen, probe};
use crate::support::tables::table;
use errare_tables::{Material, Metric, Outcome, Value};
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Piece, Position, PositionError, Role, Setup, Square};
use std::collections::HashMap;

/// A move rule under which many wins of these endgames are cursed.
const RULE: u16 = 5;

fn value(position: &Chess, metric: Metric) -> Value {
    let (material, _) = Material::of_board(position.board());
    if material.men() == 2 {
        return Value::DRAW;
    }
    probe(&table(material, metric), position.board(), position.turn())
}

/// A position that no game could have led to, because of its checks, is one like others.
fn position(board: Board, turn: Color) -> Option<Chess> {
    let setup = Setup { board, turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}

fn read(text: &str) -> Chess {
    let setup: Setup = text.parse::<shakmaty::fen::Fen>().expect("a FEN").into();
    position(setup.board, setup.turn).expect("a legal position")
}

/// Legal positions at random, either side to move, the same in every run.
struct Dice {
    men: Vec<Piece>,
    state: u64,
}

impl Dice {
    fn new(material: Material) -> Dice {
        let kings = [Color::White, Color::Black].map(|color| Piece { color, role: Role::King });
        let kinds = material.kinds().into_iter();
        let others = kinds.flat_map(|man| vec![Piece { color: man.color, role: man.role }; material.count(man)]);
        Dice { men: kings.into_iter().chain(others).collect(), state: 2003 }
    }

    /// The splitmix64 generator (Steele, Lea and Flood 2014).
    fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn position(&mut self) -> Chess {
        loop {
            let mut bits = self.roll();
            let mut board = Board::empty();
            for &man in &self.men {
                board.set_piece_at(Square::new((bits & 63) as u32), man);
                bits >>= 6;
            }
            let turn = if bits & 1 == 0 { Color::White } else { Color::Black };
            if board.occupied().count() == self.men.len()
                && let Some(position) = position(board, turn)
            {
                return position;
            }
        }
    }
}

/// The positions one move on, and whether the move was a capture.
fn next(position: &Chess) -> Vec<(Chess, bool)> {
    let after = |legal: &shakmaty::Move| {
        let mut after = position.clone();
        after.play_unchecked(*legal);
        (after, legal.is_capture())
    };
    position.legal_moves().iter().map(after).collect()
}

/// What a table should say of a position, given what it says one move on.
fn looked_up(position: &Chess, metric: Metric) -> Value {
    let next = next(position);
    if next.is_empty() {
        return if position.is_check() { Value::new(Outcome::Loss, 0) } else { Value::DRAW };
    }
    let limit = if metric == Metric::DtzRule(RULE) { 2 * RULE } else { u16::MAX };
    let replies: Vec<Value> = next
        .iter()
        .map(|(after, capture)| {
            let reply = value(after, metric);
            let plies = if *capture && metric != Metric::Dtm { 1 } else { reply.plies.0 + 1 };
            match reply.outcome {
                Outcome::Loss if plies <= limit => Value::new(Outcome::Win, plies),
                Outcome::Win if plies <= limit => Value::new(Outcome::Loss, plies),
                _ => Value::DRAW,
            }
        })
        .collect();
    let of = |outcome| replies.iter().filter(move |reply| reply.outcome == outcome).map(|reply| reply.plies.0);
    if let Some(plies) = of(Outcome::Win).min() {
        return Value::new(Outcome::Win, plies);
    }
    match of(Outcome::Loss).max() {
        Some(plies) if of(Outcome::Loss).count() == replies.len() => Value::new(Outcome::Loss, plies),
        _ => Value::DRAW,
    }
}

/// A position that no one wins under the rule, given its plain value.
fn saved_by_the_rule(plain: Value) -> Value {
    let outcome = match plain.outcome {
        Outcome::Win => Outcome::CursedWin,
        Outcome::Loss => Outcome::BlessedLoss,
        other => other,
    };
    Value { outcome, ..plain }
}

/// Compares so many positions with what follows from one move on; returns how many are cursed or
/// blessed.
fn follows_from_one_move_on(endgame: &str, samples: usize) -> usize {
    let mut dice = Dice::new(endgame.parse().expect("an endgame"));
    let mut cursed = 0;
    for _ in 0..samples {
        let position = dice.position();
        for metric in [Metric::Dtm, Metric::Dtc, Metric::DtzRule(RULE)] {
            let stored = value(&position, metric);
            let expected = match looked_up(&position, metric) {
                Value::DRAW if metric == Metric::DtzRule(RULE) => saved_by_the_rule(value(&position, Metric::Dtz)),
                expected => expected,
            };
            assert_eq!(stored, expected, "{metric}, {}", fen(position.board(), position.turn()));
            cursed += usize::from(matches!(stored.outcome, Outcome::CursedWin | Outcome::BlessedLoss));
        }
    }
    cursed
}

/// Searches for lines with no phase over `limit` plies.
struct ByTheRule {
    limit: u16,
    known: HashMap<(Board, Color, u16), bool>,
}

impl ByTheRule {
    fn new(limit: u16) -> ByTheRule {
        ByTheRule { limit, known: HashMap::new() }
    }

    /// Whether the side to move, who is to win or to lose, does so by mate or by a capture into
    /// X_limit within `plies`: z_limit <= plies.
    fn decides(&mut self, position: &Chess, wins: bool, plies: u16) -> bool {
        let key = (position.board().clone(), position.turn(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let next = next(position);
        let decided = if next.is_empty() {
            !wins && position.is_check()
        } else if plies == 0 {
            false
        } else {
            let mut good = |(after, capture): &(Chess, bool)| {
                if *capture { self.is_in_x(after, !wins) } else { self.decides(after, !wins, plies - 1) }
            };
            if wins { next.iter().any(&mut good) } else { next.iter().all(&mut good) }
        };
        self.known.insert(key, decided);
        decided
    }

    fn is_in_x(&self, after: &Chess, wins: bool) -> bool {
        let stored = value(after, Metric::Dtr);
        stored.outcome == if wins { Outcome::Win } else { Outcome::Loss } && stored.plies.0 <= self.limit
    }
}

/// Checks that dr is the least i with z_i <= i, and the phase z_dr.
fn follows_from_a_search(position: &Chess, stored: Value) {
    let wins = stored.outcome == Outcome::Win;
    let (depth, phase) = (stored.plies.0, stored.phase.0);
    let text = fen(position.board(), position.turn());
    assert!(phase <= depth, "{text}: {stored:?}");
    let mut search = ByTheRule::new(depth);
    assert!(search.decides(position, wins, phase), "{text}: no way in {phase} plies with phases up to {depth}");
    assert!(phase == 0 || !search.decides(position, wins, phase - 1), "{text}: a way in less than {phase} plies");
    let shorter = depth.checked_sub(1);
    let too_short = shorter.is_some_and(|i| ByTheRule::new(i).decides(position, wins, i));
    assert!(!too_short, "{text}: won with phases shorter than {depth}");
}

/// Searches so many positions with a depth by the rule up to `deepest` that is their DTZ, and as
/// many in which it is more.
fn depth_by_the_rule_follows_from_a_search(endgame: &str, samples: usize, deepest: u16) {
    let mut dice = Dice::new(endgame.parse().expect("an endgame"));
    let (mut plain, mut deeper) = (0, 0);
    // A good table has enough of them among so many; a bad one must not keep us for ever.
    for _ in 0..2_000_000 {
        let position = dice.position();
        let stored = value(&position, Metric::Dtr);
        if stored.outcome == Outcome::Draw || stored.plies.0 > deepest {
            continue;
        }
        let count = if stored.plies > value(&position, Metric::Dtz).plies { &mut deeper } else { &mut plain };
        if *count < samples {
            *count += 1;
            follows_from_a_search(&position, stored);
        }
        if plain == samples && deeper == samples {
            return;
        }
    }
    panic!("{endgame}: only {plain} and {deeper} positions up to {deepest} plies");
}

/// The position that refutes "minimise dz first": 1.Rxc1+ zeroes at once, yet 1.Rab2 Ke1 2.Rxc1#
/// has no phase over three plies (Haworth 2001, "Depth by the rule").
#[test]
#[ignore = "builds a table of five men"]
fn the_shortest_phase_need_not_begin_the_shortest_line_by_the_rule() {
    let position = read("8/8/8/8/8/8/R7/KRbk4 w - - 0 1");
    let stored = |metric| {
        let Value { outcome, plies, phase } = value(&position, metric);
        (outcome, plies.0, phase.0)
    };
    assert_eq!(stored(Metric::Dtz), (Outcome::Win, 1, 1));
    assert_eq!(stored(Metric::Dtr), (Outcome::Win, 3, 3));
}

#[test]
#[ignore = "slow: make test-full"]
fn two_rooks_against_bishop() {
    let cursed = follows_from_one_move_on("KRRKB", 4000);
    assert!(cursed > 400, "{cursed} cursed or blessed");
    depth_by_the_rule_follows_from_a_search("KRRKB", 100, 4);
}

#[test]
#[ignore = "slow: make test-full"]
fn endgames_of_every_shape() {
    for endgame in ["KQRKQ", "KRBKR", "KBBKN", "KQKNN", "KRRRK", "KQBNK"] {
        follows_from_one_move_on(endgame, 4000);
    }
}

#[test]
#[ignore = "slow: make test-full"]
fn depth_by_the_rule_of_endgames_of_every_shape() {
    for endgame in ["KRRKB", "KRBKR", "KQKNN", "KRRRK"] {
        depth_by_the_rule_follows_from_a_search(endgame, 100, 5);
    }
}
