//! Success of strategies in whole endgames, against following them from positions one by one.

use crate::support::{ensure, tables};
use errare_endgame::{Follower, Strategy, Success, WholeComparer, WholeFollower};
use errare_tables::{Cells, Extent, Library, Material, Metric, Outcome, Source, tables_to_mate};
use errare_work::{Cancel, Silent};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use std::sync::Arc;

const PLAIN: [&str; 7] = ["SZ", "SC", "SM", "SR", "SRP", "SMC", "SZCM"];
const CLOCKED: [&str; 6] = ["SC*", "SM*", "SMC*", "SZ'", "SRP*", "SA1"];

/// Bytes that a comparison may take.
const MEMORY: u64 = 1 << 30;

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn library(name: &str, rule: u16) -> (&'static Arc<Library>, Material) {
    let material: Material = name.parse().expect("an endgame");
    let metrics = [Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr, Metric::DtzRule(rule)];
    tables_to_mate(material, metrics).into_iter().for_each(|(material, metric)| ensure(material, metric));
    (tables(name, Metric::Dtz), material)
}

/// Every line of a strategy loses the win where the last move of its line was made, and not before.
fn check_slip(library: &Library, start: &Chess, line: &[shakmaty::Move], rule: u16) {
    let mut position = start.clone();
    let mut made = start.halfmoves();
    for (ply, &mv) in line.iter().enumerate() {
        position.play_unchecked(mv);
        made = if mv.is_zeroing() { 0 } else { made + 1 };
        let value = library.value(&position, Metric::DtzRule(rule)).expect("a value");
        let is_won = matches!(value.outcome, Outcome::Win | Outcome::Loss)
            && made + u32::from(value.plies.0) <= 2 * u32::from(rule);
        assert_eq!(is_won, ply + 1 < line.len(), "{start:?}: ply {ply} of {line:?}");
    }
}

fn with_clock(position: &Chess, halfmoves: u32) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = halfmoves;
    setup.position(CastlingMode::Standard).expect("a legal position")
}

fn agree(name: &str, rule: u16, placements: u64, strategies: &[&str]) -> [u64; 2] {
    let (library, material) = library(name, rule);
    let attacks: Vec<Strategy> = strategies.iter().map(|text| strategy(text)).collect();
    let whole: Vec<WholeFollower<'_>> = attacks
        .iter()
        .map(|attack| WholeFollower::new(&**library, material, attack, rule).expect("a plain strategy"))
        .collect();
    let mut follower = Follower::new(&**library, rule, attacks.clone(), Strategy::ANY);
    let cells = Cells::new(material, Extent::Sample { placements, seed: 17 }).expect("men");
    let mut seen = [0; 2];
    for (n, position) in (0..cells.count()).filter_map(|n| Some((n, cells.position(n)?))) {
        // Every other position is reached in the middle of a phase.
        let position = if n % 2 == 0 { position } else { with_clock(&position, (n % (2 * u64::from(rule))) as u32) };
        let one_by_one = follower.follow(&position, &Silent).expect("an answer");
        for (at, expected) in one_by_one.into_iter().enumerate() {
            let found = whole[at].follow(&position, &Silent).expect("an answer");
            match (&found, &expected) {
                (Success::Wins, Success::Wins) => seen[0] += 1,
                (Success::Slips(line), Success::Slips(_)) => {
                    seen[1] += 1;
                    check_slip(library, &position, line, rule);
                }
                (Success::NotWon, Success::NotWon) => {}
                _ => panic!("{} in {position:?}: {found:?}, one by one {expected:?}", strategies[at]),
            }
        }
    }
    seen
}

#[test]
fn whole_endgames_agree_with_lines_followed_one_by_one() {
    let [kept, slipped] = agree("KPK", 8, 1500, &PLAIN);
    assert!(kept > 50 && slipped > 20, "{kept} kept, {slipped} slipped");
}

#[test]
#[ignore = "slow: make test-full"]
fn comparing_a_whole_endgame_counts_every_win_once() {
    let (library, material) = library("KPK", 8);
    let strategies = ["SZ", "SM", "SM*"].map(strategy);
    let source: &dyn Source = &**library;
    let comparer = WholeComparer {
        source,
        library: Some(library),
        material,
        rule: 8,
        strategies: &strategies,
        examples: 2,
        memory: MEMORY,
    };
    let found = comparer.compare(&Silent).expect("a comparison");
    let cells = Cells::new(material, Extent::Whole).expect("men");
    let mut follower = Follower::new(&**library, 8, strategies.to_vec(), Strategy::ANY);
    let (mut wins, mut slipped, mut all) = (0, [0; 3], 0);
    for position in (0..cells.count()).filter_map(|n| cells.position(n)) {
        if library.value(&position, Metric::DtzRule(8)).expect("a value").outcome != Outcome::Win {
            continue;
        }
        wins += 1;
        let slips: Vec<bool> = follower
            .follow(&position, &Silent)
            .expect("an answer")
            .iter()
            .map(|success| matches!(success, Success::Slips(_)))
            .collect();
        slips.iter().zip(&mut slipped).for_each(|(&slips, count)| *count += u64::from(slips));
        all += u64::from(slips.iter().all(|&slips| slips));
    }
    assert_eq!((found.wins, found.all_slipped), (wins, all));
    let counted: Vec<u64> = found.tallies.iter().map(|tally| tally.slipped).collect();
    assert_eq!(counted, slipped);
    assert!(found.tallies.iter().all(|tally| tally.kept + tally.slipped == wins && tally.unsettled == 0));
    assert!(slipped[0] > 0 && found.tallies[0].examples.len() == 2, "{slipped:?}");
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(comparer.compare(&cancel).is_err());
}

/// Strategies that look at the clock, and all kinds of those that do not.
fn plain_and(clocked: &[&'static str]) -> Vec<&'static str> {
    PLAIN.into_iter().chain(clocked.iter().copied()).chain(["SZ8", "SRZ", "SPM"]).collect()
}

/// One pass over whole tables decides what following from position to position decides.
fn passes_agree(name: &str, rule: u16, texts: &[&str]) -> [u64; 2] {
    let (library, material) = library(name, rule);
    if texts.contains(&"SZ8") {
        let needed = tables_to_mate(material, [Metric::DtzRule(8)]);
        needed.into_iter().for_each(|(material, metric)| ensure(material, metric));
    }
    let strategies: Vec<Strategy> = texts.iter().copied().map(strategy).collect();
    let source: &dyn Source = &**library;
    let comparer =
        WholeComparer { source, library: None, material, rule, strategies: &strategies, examples: 3, memory: MEMORY };
    let one_by_one = comparer.compare(&Silent).expect("a comparison");
    let at_once = WholeComparer { library: Some(library), ..comparer }.compare(&Silent).expect("a comparison");
    assert_eq!((at_once.wins, at_once.all_slipped), (one_by_one.wins, one_by_one.all_slipped));
    let mut seen = [0; 2];
    for ((strategy, found), expected) in strategies.iter().zip(&at_once.tallies).zip(&one_by_one.tallies) {
        assert_eq!((found.kept, found.slipped), (expected.kept, expected.slipped), "{name}: {strategy}");
        assert_eq!(found.examples.len() as u64, found.slipped.min(3), "{name}: {strategy}");
        found.examples.iter().for_each(|(start, line)| check_slip(library, start, line, rule));
        seen = [seen[0] + found.kept, seen[1] + found.slipped];
    }
    seen
}

#[test]
fn a_pass_over_whole_tables_agrees_with_going_from_position_to_position() {
    let [kept, slipped] = passes_agree("KPK", 8, &plain_and(&["SM*", "SA1"]));
    assert!(kept > 1000 && slipped > 1000, "{kept} kept, {slipped} slipped");
}

/// Without pawns, wins with both kings on a long diagonal have two places in tables.
#[test]
fn a_pass_by_the_clock_agrees_without_pawns() {
    let [kept, slipped] = passes_agree("KRKN", 5, &["SM*", "SA1", "SZ'"]);
    assert!(kept > 1000 && slipped > 1000, "{kept} kept, {slipped} slipped");
}

/// Who follows DTZ under the rule keeps every win, though in wins that the rule takes away the same positions come again.
#[test]
fn by_the_rule_no_win_slips() {
    let material: Material = "KNKP".parse().expect("an endgame");
    let needed = tables_to_mate(material, [Metric::Dtz, Metric::DtzRule(8)]);
    needed.into_iter().for_each(|(material, metric)| ensure(material, metric));
    let library = tables("KNKP", Metric::Dtz);
    let (source, strategies): (&dyn Source, _) = (&**library, [strategy("SZ8"), strategy("SZ")]);
    let comparer = WholeComparer {
        source,
        library: Some(library),
        material,
        rule: 8,
        strategies: &strategies,
        examples: 0,
        memory: MEMORY,
    };
    let found = comparer.compare(&Silent).expect("a comparison");
    assert_eq!((found.tallies[0].kept, found.tallies[0].slipped), (found.wins, 0));
    assert!(found.wins > 100_000 && found.tallies[1].slipped > 0, "{} wins", found.wins);
}

#[test]
#[ignore = "slow: make test-full"]
fn passes_for_strategies_that_look_at_the_clock_agree_with_going_from_position_to_position() {
    let [kept, slipped] = passes_agree("KPK", 8, &plain_and(&CLOCKED));
    assert!(kept > 1000 && slipped > 1000, "{kept} kept, {slipped} slipped");
}

#[test]
#[ignore = "goes through four men in ten strategies from position to position"]
fn passes_over_four_men_agree_with_going_from_position_to_position() {
    // With captures, with pawns of both sides, and with like men, of which each may be the first.
    for (name, rule, slips) in [("KRKN", 15, true), ("KNKP", 8, true), ("KPKP", 12, true), ("KBBK", 14, false)] {
        let [kept, slipped] = passes_agree(name, rule, &plain_and(&[]));
        assert!(kept > 1000 && (slipped > 1000) == slips, "{name}: {kept} kept, {slipped} slipped");
    }
}

#[test]
#[ignore = "builds the tables of two pawns in five metrics"]
fn captures_and_captures_en_passant_are_followed() {
    for (name, rule, placements) in [("KRKN", 15, 1000), ("KPKP", 12, 1000)] {
        let [kept, slipped] = agree(name, rule, placements, &PLAIN);
        assert!(kept > 50 && slipped > 20, "{name}: {kept} kept, {slipped} slipped");
    }
}

/// Draws wins under the rule, the winner to move.
fn draw_wins(library: &Library, material: Material, rule: u16, count: usize) -> Vec<Chess> {
    let cells = Cells::new(material, Extent::Sample { placements: 1_000_000, seed: 17 }).expect("men");
    let is_win =
        |position: &Chess| library.value(position, Metric::DtzRule(rule)).expect("a value").outcome == Outcome::Win;
    (0..cells.count()).filter_map(|n| cells.position(n)).filter(is_win).take(count).collect()
}

/// What a pass over a whole endgame says of wins drawn by chance is what following from each of them says. Returns the
/// numbers of wins kept and slipped.
fn pass_agrees_with_following(name: &str, text: &str, count: usize) -> [usize; 2] {
    let (library, material) = library(name, 50);
    let attack = strategy(text);
    let whole = WholeFollower::new(&**library, material, &attack, 50).expect("a plain strategy");
    whole.decide_all(library, &Silent).expect("a pass");
    let drawn = draw_wins(library, material, 50, count);
    assert_eq!(drawn.len(), count);
    // Goes from position to position by the moves of chess: it shares tables with the pass, and no way of reading them.
    let one_by_one = WholeFollower::new(&**library, material, &attack, 50).expect("a plain strategy");
    let verdicts = drawn.par_iter().map(|position| {
        let expected = one_by_one.follow(position, &Silent).expect("an answer");
        let found = whole.follow(position, &Silent).expect("an answer");
        match (&found, &expected) {
            (Success::Wins, Success::Wins) => [1, 0],
            (Success::Slips(line), Success::Slips(_)) => {
                check_slip(library, position, line, 50);
                [0, 1]
            }
            _ => panic!("{text} in {position:?}: {found:?}, one by one {expected:?}"),
        }
    });
    let seen = verdicts.reduce(|| [0; 2], |one, two| std::array::from_fn(|at| one[at] + two[at]));
    println!("{name} {text}: {} kept, {} slipped", seen[0], seen[1]);
    seen
}

#[test]
#[ignore = "builds five-man tables in five metrics and decides two whole endgames"]
fn passes_over_five_men_agree_with_following_from_a_thousand_wins() {
    for name in ["KNNKP", "KQPKQ"] {
        let mut slipped = 0;
        for text in ["SZ", "SC", "SM", "SR"] {
            slipped += pass_agrees_with_following(name, text, 1000)[1];
        }
        assert!(slipped > 0, "{name}");
    }
}
