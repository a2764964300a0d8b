//! Strategies and lines on the positions of G. McC. Haworth, Strategies for constrained optimisation (ICGA Journal 23 (1),
//! 2000), table 2 and appendix B.

use crate::support::{ensure, position, tables};
use errare_endgame::{
    EndgameError, Follower, Goals, LineEnd, LinePlayer, MarkedLine, MarkedMove, MoveRule, Pick, Situation, Strategy,
    StrategyComparer, Success,
};
use errare_tables::{Cells, Extent, Library, Metric, Outcome, Source, tables_to_mate};
use errare_work::{Cancel, Progress, Silent, Status};
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{ByColor, Chess, EnPassantMode, FromSetup, Move, Position, Role};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The moves that a strategy allows under a rule of fifty moves, by name.
fn allowed(library: &Library, fen: &str, text: &str) -> Vec<String> {
    let position = position(fen);
    let situation = Situation::new(library, &position, Some(50)).expect("a situation");
    let places = strategy(text).select(&situation, &mut Goals::default()).expect("a choice");
    let name = |place: usize| SanPlus::from_move(position.clone(), situation.moves()[place]).to_string();
    let mut names: Vec<String> = places.into_iter().map(name).collect();
    names.sort();
    names
}

/// All metrics of an endgame and of what comes after it.
fn all_tables(name: &str, metrics: &[Metric]) -> &'static Arc<Library> {
    let needed = tables_to_mate(name.parse().expect("an endgame"), metrics.iter().copied());
    needed.into_iter().for_each(|(material, metric)| ensure(material, metric));
    tables(name, metrics[0])
}

/// Q-NN2, with 13 moves left: only one of the three shortest ways to mate converts in time.
#[test]
fn the_shortest_mate_may_come_too_late() {
    let library = all_tables("KQKNN", &[Metric::Dtc, Metric::Dtm]);
    let fen = "8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38";
    assert_eq!(allowed(library, fen, "SM"), ["Qc3", "Qf2", "Qg1"]);
    for text in ["SC", "SMC", "SZ", "SM*", "SA1", "SMC*"] {
        assert_eq!(allowed(library, fen, text), ["Qg1"], "{text}");
    }
    let position = position(fen);
    let situation = Situation::new(&**library, &position, Some(50)).expect("a situation");
    assert_eq!(situation.moves_left().map(|left| left.0), Some(13));
    // Without a rule there is nothing to guard.
    let free = Situation::new(&**library, &position, None).expect("a situation");
    assert_eq!(strategy("SM*").select(&free, &mut Goals::default()).expect("a choice").len(), 3);
}

/// What is still to be played through a move, for these metrics: worked out from the values of the positions alone.
fn through(library: &Library, position: &Chess, mv: Move, metric: Metric) -> (Outcome, u16) {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let value = Source::value(library, &after, metric).expect("a value");
    let ends = match metric {
        Metric::Dtz => mv.is_capture() || mv.role() == Role::Pawn,
        Metric::Dtc => mv.is_capture() || mv.is_promotion(),
        Metric::Dtm => false,
        other => panic!("{other}"),
    };
    (value.outcome.reversed(), if ends { 1 } else { value.plies.0 + 1 })
}

/// Every mark of a line again from the tables: what keeps the value, and of that the least or greatest depth in one
/// metric after the other.
fn check_marks(library: &Library, line: &MarkedLine, metrics: &ByColor<&[Metric]>) {
    for MarkedMove { position, mv, .. } in &line.moves {
        let metrics = metrics.get(position.turn());
        let value = Source::value(library, position, metrics[0]).expect("a value").outcome;
        let legal: Vec<Move> = position.legal_moves().to_vec();
        assert!(legal.contains(mv));
        let keeping: Vec<Move> =
            legal.iter().copied().filter(|&mv| through(library, position, mv, metrics[0]).0 == value).collect();
        let mut optimal = keeping.clone();
        if value != Outcome::Draw {
            for &metric in *metrics {
                let depth = |mv: Move| through(library, position, mv, metric).1;
                let depths = optimal.iter().map(|&mv| depth(mv));
                let best = if value == Outcome::Win { depths.min() } else { depths.max() };
                optimal.retain(|&mv| Some(depth(mv)) == best);
            }
        }
        let moves = |(_, plies): (Outcome, u16)| (plies + u16::from(value == Outcome::Win)) / 2;
        let depth = |mv: Move| moves(through(library, position, mv, metrics[0]));
        let expected = if !keeping.contains(mv) {
            "v".to_owned()
        } else if legal.len() == 1 {
            "°".to_owned()
        } else if keeping.len() == 1 {
            "\"".to_owned()
        } else if !optimal.contains(mv) && depth(*mv) != depth(optimal[0]) {
            format!("-{}", depth(*mv).abs_diff(depth(optimal[0])))
        } else if optimal == [*mv] {
            "'".to_owned()
        } else {
            String::new()
        };
        let told = line.moves.iter().find(|told| told.position == *position && told.mv == *mv).expect("the move");
        assert_eq!(told.mark(), expected, "{mv} in {:?}", position.board());
        let mut others: Vec<Move> = told.alternatives().collect();
        others.push(*mv);
        if optimal.contains(mv) {
            assert_eq!(others.len(), optimal.len());
            assert!(optimal.iter().all(|mv| others.contains(mv)));
        }
    }
}

fn liner(library: &Arc<Library>, white: &str, black: &str) -> LinePlayer {
    LinePlayer {
        source: Arc::clone(library) as _,
        strategies: ByColor { white: strategy(white), black: strategy(black) },
        rule: MoveRule::NONE,
        plies: 1000,
        metrics: vec![Metric::Dtc, Metric::Dtm],
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

const MC_CM: ByColor<&[Metric]> = ByColor { white: &[Metric::Dtm, Metric::Dtc], black: &[Metric::Dtc, Metric::Dtm] };

/// Q-NN1: the MC-CM line comes to Q-NN2 in 37 moves.
#[test]
fn the_line_of_the_paper() {
    let library = all_tables("KQKNN", &[Metric::Dtc, Metric::Dtm]);
    let liner = LinePlayer { rule: MoveRule::FIFTY, ..liner(library, "SMC", "SCM") };
    let start = position("8/8/2k5/8/4n3/3Q2n1/8/4K3 w - - 0 1");
    let line = liner.line(&start, Pick::First, &Silent).expect("a line");
    let depths: Vec<u16> = line.phases[0].depths.iter().map(|(_, value)| value.plies.0).collect();
    assert_eq!(depths, [99, 117]);
    assert_eq!(fen(&line.moves[74].position), "8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38");
    assert_eq!(line.end, LineEnd::Mate);
    check_marks(library, &line, &MC_CM);
    let by_chance = liner.line(&start, Pick::Seed(3), &Silent).expect("a line");
    check_marks(library, &by_chance, &MC_CM);
}

/// Two bishops, Black's, against a knight in Pinter-Bronstein, 1977: 54 moves to conversion and 66 to mate, as printed.
#[test]
fn a_line_of_two_bishops() {
    let library = all_tables("KBBKN", &[Metric::Dtc, Metric::Dtm]);
    let start = position("8/2b5/8/3b2k1/8/4K3/8/4N3 w - - 0 68");
    for (white, black, metrics) in [
        ("SC", "SC", ByColor { white: &[Metric::Dtc][..], black: &[Metric::Dtc][..] }),
        ("SMC", "SCM", MC_CM),
        ("SCM", "SMC", ByColor { white: MC_CM.black, black: MC_CM.white }),
    ] {
        let line = liner(library, white, black).line(&start, Pick::First, &Silent).expect("a line");
        assert_eq!(line.end, LineEnd::Mate);
        let depths: Vec<u16> = line.phases[0].depths.iter().map(|(_, value)| value.plies.0).collect();
        assert_eq!(depths, [2 * 54, 2 * 66]);
        check_marks(library, &line, &metrics);
    }
}

/// Moves as people write them, played from a position.
fn moves(start: &Chess, sans: &str) -> Vec<Move> {
    let mut at = start.clone();
    let mut played = Vec::new();
    for san in sans.split(' ') {
        let mv = san.parse::<San>().expect("SAN").to_move(&at).expect("a legal move");
        at.play_unchecked(mv);
        played.push(mv);
    }
    played
}

/// Given moves of the longest game on record, Nikolic-Arsovic, 1989, with the marks printed: wins missed at moves 201 and
/// 239, and what would have won.
#[test]
fn marks_of_given_moves() {
    let library = tables("KRBKR", Metric::Dtc);
    let marked = |fen: &str, sans: &str| -> Vec<String> {
        let start = position(fen);
        let liner = LinePlayer { metrics: vec![Metric::Dtc], ..liner(library, "SC", "SC") };
        let line = liner.mark(&start, &moves(&start, sans), &Silent).expect("a line");
        check_marks(library, &line, &ByColor { white: &[Metric::Dtc][..], black: &[Metric::Dtc][..] });
        line.moves.iter().map(MarkedMove::mark).collect()
    };
    let at_201 = "4k3/5R2/3K4/3B4/8/8/8/3r4 w - - 0 201";
    assert_eq!(marked(at_201, "Rg7"), ["v"]);
    assert_eq!(marked(at_201, "Rf2 Rd4 Ra2 Kf8 Rg2 Ke8 Rg8#"), ["", "", "", "", "\"", "", "'"]);
    let at_239 = "4r3/8/8/k2B4/3K4/8/1R6/8 w - - 0 239";
    assert_eq!(marked(at_239, "Rb7"), ["v"]);
    assert_eq!(marked(at_239, "Kc5 Rc8+ Bc6 Ka6 Ra2#"), ["\"", "", "\"", "", "'"]);
    // Three moves win in 4; these would take 5, 8 and 18.
    for (san, mark) in [("Rf5", "-1"), ("Rc7", "-4"), ("Ke6", "-14")] {
        assert_eq!(marked(at_201, san), [mark]);
    }
}

/// RB-R1 and RB-R2, which Croskill analysed in 1864.
#[test]
fn croskills_positions() {
    let library = tables("KRBKR", Metric::Dtc);
    for (fen, moves) in [("k7/6R1/2K5/8/2B5/8/8/7r w - - 0 1", 49), ("1k6/8/2K5/8/2B3R1/8/7r/8 w - - 0 1", 51)] {
        let position = position(fen);
        let situation = Situation::new(&**library, &position, Some(50)).expect("a situation");
        let depth = situation.depth(Metric::Dtc).expect("a depth").winner_moves(Metric::Dtc).expect("a win");
        assert_eq!(depth.0, moves, "{fen}");
    }
}

/// QP-Q3 at move 50: SZ pushes just in time, SC and SM do not.
#[test]
#[ignore = "KQPKQ and all that comes after it in three metrics: minutes"]
fn the_push_in_time() {
    let library = all_tables("KQPKQ", &[Metric::Dtz, Metric::Dtc, Metric::Dtm]);
    let fen = "K7/7k/P7/8/6q1/2Q5/8/8 w - - 98 50";
    assert_eq!(allowed(library, fen, "SZ"), ["a7"]);
    assert_eq!(allowed(library, fen, "SC"), ["Kb8"]);
    assert_eq!(allowed(library, fen, "SM"), ["Kb8"]);
    for text in ["SC*", "SM*", "SA1"] {
        assert_eq!(allowed(library, fen, text), ["a7"], "{text}");
    }
}

/// Roycroft's promotion to a knight (appendix B of Haworth (2000)), with all its printed marks, which are those of SM.
#[test]
#[ignore = "KBBKP and all that comes after it in two metrics: a minute"]
fn a_printed_line_into_two_bishops_against_knight() {
    let library = all_tables("KBBKP", &[Metric::Dtz, Metric::Dtc, Metric::Dtm]);
    let start = position("b7/b1K5/8/3P4/3k4/8/8/8 w - - 0 1");
    let played = moves(&start, "d6 Kc5 d7 Bb6+ Kc8 Kc6 d8=N+ Kb5 Nb7 Ba7 Kc7 Ka6 Nd6");
    let line = liner(library, "SM", "SM").mark(&start, &played, &Silent).expect("a line");
    let marks: Vec<String> = line.moves.iter().map(MarkedMove::mark).collect();
    assert_eq!(marks, ["'", "\"", "'", "\"", "'", "\"", "'", "\"", "'", "\"", "'", "'", "'"]);
    let promoted = line.phases.last().expect("a phase");
    // Black, to move, wins: dc = 57 moves.
    assert_eq!((promoted.ply, promoted.depths[0].1.plies.0), (7, 113));
    check_marks(library, &line, &ByColor { white: &[Metric::Dtm][..], black: &[Metric::Dtm][..] });
}

/// All positions that two strategies can come to after so many plies.
fn reached(library: &Library, start: &Chess, white: &str, black: &str, plies: usize) -> HashSet<Chess> {
    let strategies = ByColor { white: strategy(white), black: strategy(black) };
    let mut now = HashSet::from([start.clone()]);
    for _ in 0..plies {
        let mut next = HashSet::new();
        for position in &now {
            let situation = Situation::new(library, position, None).expect("a situation");
            let places = strategies.get(position.turn()).select(&situation, &mut Goals::default()).expect("a choice");
            for place in places {
                let mut after = position.clone();
                after.play_unchecked(situation.moves()[place]);
                next.insert(after);
            }
        }
        now = next;
    }
    now
}

/// Queen and pawn against queen from QP-Q2, and two knights against a pawn from mxNN-P1 by MC-CM play: every mark. The
/// latter comes to NN-P2 after 24...h4 and to NN-P3 after 62...Ke1, as printed.
#[test]
#[ignore = "KQPKQ, KNNKP and all that comes after them in three metrics: minutes"]
fn lines_with_pawns() {
    let metrics = [Metric::Dtz, Metric::Dtc, Metric::Dtm];
    for (endgame, fen) in [
        ("KQPKQ", "8/8/P7/6k1/3q4/8/4Q1K1/8 w - - 0 1"),
        ("KNNKP", "6N1/8/7p/8/8/8/3N1k2/7K w - - 0 1"),
        ("KNNKP", "8/8/4k3/8/7p/6KN/6N1/8 w - - 0 25"),
    ] {
        let library = all_tables(endgame, &metrics);
        let start = position(fen);
        for (white, black, metrics) in [
            ("SZ", "SZ", ByColor { white: &metrics[..1], black: &metrics[..1] }),
            ("SC", "SM", ByColor { white: &metrics[1..2], black: &metrics[2..] }),
            ("SMC", "SCM", MC_CM),
            ("SZCM", "SZCM", ByColor { white: &metrics[..], black: &metrics[..] }),
        ] {
            for pick in [Pick::First, Pick::Seed(1)] {
                let line = liner(library, white, black).line(&start, pick, &Silent).expect("a line");
                assert_eq!(line.end, LineEnd::Mate, "{endgame} {white} {black}");
                check_marks(library, &line, &metrics);
            }
        }
    }
    let library = all_tables("KNNKP", &metrics);
    let first = position("6N1/8/7p/8/8/8/3N1k2/7K w - - 0 1");
    let second = position("8/8/4k3/8/7p/6KN/6N1/8 w - - 0 1");
    let third = position("8/8/8/8/7p/1N1K4/7N/4k3 w - - 0 1");
    assert!(reached(library, &first, "SMC", "SCM", 48).contains(&second));
    assert!(reached(library, &second, "SMC", "SCM", 76).contains(&third));
}

/// Two knights against a pawn with a zero count: the win slips by every plain metric, and is kept by goals.
#[test]
#[ignore = "KNNKP and all that comes after it in five metrics: minutes"]
fn every_plain_metric_may_fail() {
    let rule = Metric::DtzRule(50);
    let library = all_tables("KNNKP", &[Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr, rule]);
    let attacks = ["SZ", "SC", "SM", "SA1", "SZ50", "SR3ZCM*", "SR4ZCM*", "SA2"];
    let mut follower = Follower::new(&**library, 50, attacks.map(strategy).to_vec(), strategy("SR"));
    let found = follower.follow(&position("8/K7/p2N4/8/2N2k2/8/8/8 w - - 0 1"), &Silent).expect("outcomes");
    for (text, success) in attacks.iter().zip(&found) {
        let is_plain = ["SZ", "SC", "SM", "SA1"].contains(text);
        assert_eq!(matches!(success, Success::Slips(_)), is_plain, "{text}");
        assert_eq!(*success == Success::Wins, !is_plain, "{text}");
    }
}

/// Whether following keeps the win, by brute force: position by position and ply by ply, nothing shared but the choices.
fn keeps(
    library: &Library,
    rule: u16,
    attack: &Strategy,
    defence: &Strategy,
    position: &Chess,
    goals: &Goals,
    known: &mut Known,
) -> bool {
    let value = Source::value(library, position, Metric::DtzRule(rule)).expect("a value");
    let won = matches!(value.outcome, Outcome::Win | Outcome::Loss);
    if !won || position.halfmoves() + u32::from(value.plies.0) > 2 * u32::from(rule) {
        return false;
    }
    let node = (position.clone(), position.halfmoves(), goals.clone());
    if let Some(&found) = known.get(&node) {
        return found;
    }
    let situation = Situation::new(library, position, Some(rule)).expect("a situation");
    let (mut goals, mut none) = (goals.clone(), Goals::default());
    let (strategy, aims) = if value.outcome == Outcome::Win { (attack, &mut goals) } else { (defence, &mut none) };
    let places =
        if situation.moves().is_empty() { Vec::new() } else { strategy.select(&situation, aims).expect("a choice") };
    let found = places.into_iter().all(|place| {
        let mut after = position.clone();
        after.play_unchecked(situation.moves()[place]);
        keeps(library, rule, attack, defence, &after, &goals, known)
    });
    known.insert(node, found);
    found
}

type Known = HashMap<(Chess, u32, Goals), bool>;

/// Under a rule of fifteen moves KRK, with its sixteen, spoils many conversions of KRKN.
#[test]
#[ignore = "slow: make test-full"]
fn followers_agree_with_brute_force() {
    let rule = 15;
    let library = all_tables("KRKN", &[Metric::Dtz, Metric::Dtm, Metric::Dtr, Metric::DtzRule(rule)]);
    let cells = Cells::new("KRKN".parse().expect("an endgame"), Extent::Sample { placements: 400, seed: 5 });
    let cells = cells.expect("an endgame with men");
    let defence = strategy("SM");
    let (mut wins, mut slips) = (0, 0);
    for text in ["SZ", "SM", "SRPM", "SM*", "SZ'M", "SR2Z*", "SR3M*", "SR3*", "SR4Z*", "SA2"] {
        let attack = strategy(text);
        let mut follower = Follower::new(&**library, rule, vec![attack.clone()], defence.clone());
        let mut known = Known::new();
        for mut position in (0..cells.count()).filter_map(|n| cells.position(n)) {
            for clock in [0, 7, 15] {
                let mut setup = position.to_setup(EnPassantMode::Legal);
                setup.halfmoves = clock;
                position = Chess::from_setup(setup, shakmaty::CastlingMode::Standard)
                    .or_else(shakmaty::PositionError::ignore_impossible_check)
                    .expect("the same position");
                let found = follower.follow(&position, &Silent).expect("an outcome").remove(0);
                let expected = keeps(library, rule, &attack, &defence, &position, &Goals::default(), &mut known);
                assert_eq!(found == Success::Wins, expected, "{text}, clock {clock}: {:?}", position.board());
                wins += u32::from(found == Success::Wins);
                if let Success::Slips(line) = found {
                    slips += 1;
                    // The line is one that the strategies allow, and its last move lets the win slip.
                    let (mut at, mut goals) = (position.clone(), Goals::default());
                    for (place, &mv) in line.iter().enumerate() {
                        let situation = Situation::new(&**library, &at, Some(rule)).expect("a situation");
                        let mover = if situation.value() == Outcome::Win { &attack } else { &defence };
                        let places = mover.select(&situation, &mut goals).expect("a choice");
                        assert!(places.iter().any(|&place| situation.moves()[place] == mv));
                        at.play_unchecked(mv);
                        let value = Source::value(&**library, &at, Metric::DtzRule(rule)).expect("a value");
                        let saved = !matches!(value.outcome, Outcome::Win | Outcome::Loss)
                            || at.halfmoves() + u32::from(value.plies.0) > 2 * u32::from(rule);
                        assert_eq!(saved, place + 1 == line.len());
                    }
                }
            }
        }
    }
    assert!(wins > 100 && slips > 10, "{wins} {slips}");
}

/// A loser holds out as long as he can, and goals are not his.
#[test]
fn the_loser_maximises() {
    let library = all_tables("KRK", &[Metric::Dtm, Metric::Dtr]);
    let fen = "8/8/8/3k4/8/3K4/3R4/8 b - - 0 1";
    for text in ["SM", "SR3", "SR3*", "SZ'M"] {
        let names = allowed(library, fen, text);
        assert!(!names.is_empty());
        if text != "SR3" && text != "SR3*" {
            assert_eq!(names, allowed(library, fen, "SM"), "{text}");
        }
    }
    assert_eq!(allowed(library, fen, "SR3"), allowed(library, fen, "SR"));
}

/// Cancels the work when it reports for the second time.
#[derive(Default)]
struct Impatient {
    cancel: Cancel,
    reports: std::sync::atomic::AtomicU32,
}

impl Progress for Impatient {
    fn report(&self, _: &Status<'_>) {
        if self.reports.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

#[test]
fn lines_and_comparisons_can_be_cancelled() {
    let library = all_tables("KRKN", &[Metric::Dtz, Metric::Dtm, Metric::DtzRule(15)]);
    let cancelled = Cancel::new();
    cancelled.cancel();
    let start = position("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    let line = liner(library, "SM", "SM").line(&start, Pick::First, &cancelled);
    assert!(matches!(line, Err(EndgameError::Cancelled(_))));
    let lines =
        LinePlayer { metrics: Vec::new(), ..liner(library, "SM", "SM") }.all(&start, 100, &Impatient::default());
    assert!(matches!(lines, Err(EndgameError::Cancelled(_))));
    let mut follower = Follower::new(&**library, 15, vec![strategy("SZ")], strategy("SM"));
    assert!(matches!(follower.follow(&start, &cancelled), Err(EndgameError::Cancelled(_))));
    let cells = Cells::new("KRKN".parse().expect("an endgame"), Extent::Whole).expect("an endgame with men");
    let comparer = StrategyComparer {
        source: Arc::clone(library) as _,
        rule: 15,
        strategies: vec![strategy("SZ"), strategy("SM")],
        defence: strategy("SM"),
        examples: 1,
    };
    let begun = std::time::Instant::now();
    assert!(matches!(comparer.compare(&cells, &Impatient::default()), Err(EndgameError::Cancelled(_))));
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}
