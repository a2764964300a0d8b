//! Strategies and lines on the positions of G. McC. Haworth, Strategies for constrained optimisation (ICGA Journal 23 (1),
//! 2000), table 2 and appendix B.

mod support;

use errare_endgame::{Follower, Goals, LineEnd, Liner, Pick, Situation, Strategy, Success};
use errare_tables::{Builder, Cells, Extent, Library, Material, Metric, Outcome, Silent, Source};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{ByColor, Chess, EnPassantMode, FromSetup, Position};
use std::collections::HashMap;
use support::{position, tables};

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
fn all_tables(name: &str, metrics: &[Metric]) -> &'static Library {
    let library = tables(name, metrics[0]);
    let builder = Builder::new(library, &Silent, 8 << 30);
    let mut materials: Vec<Material> = vec![name.parse().expect("an endgame")];
    let mut next = 0;
    while let Some(&material) = materials.get(next) {
        for to in material.conversions().into_iter().filter(|to| to.men() > 2) {
            if !materials.contains(&to) {
                materials.push(to);
            }
        }
        metrics.iter().for_each(|&metric| drop(builder.ensure(material, metric).expect("a table")));
        next += 1;
    }
    library
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
    let situation = Situation::new(library, &position, Some(50)).expect("a situation");
    assert_eq!(situation.moves_left().map(|left| left.0), Some(13));
    // Without a rule there is nothing to guard.
    let free = Situation::new(library, &position, None).expect("a situation");
    assert_eq!(strategy("SM*").select(&free, &mut Goals::default()).expect("a choice").len(), 3);
}

/// Q-NN1: the MC-CM line comes to Q-NN2 in 37 moves.
#[test]
fn the_line_of_the_paper() {
    let library = all_tables("KQKNN", &[Metric::Dtc, Metric::Dtm]);
    let liner = Liner {
        source: library,
        strategies: ByColor { white: strategy("SMC"), black: strategy("SCM") },
        rule: Some(50),
        plies: 1000,
        metrics: vec![Metric::Dtc, Metric::Dtm],
    };
    let start = position("8/8/2k5/8/4n3/3Q2n1/8/4K3 w - - 0 1");
    let line = liner.line(&start, Pick::First).expect("a line");
    let depths: Vec<u16> = line.phases[0].depths.iter().map(|(_, value)| value.plies.0).collect();
    assert_eq!(depths, [99, 117]);
    let fen = Fen::from_position(&line.moves[74].position, EnPassantMode::Legal).to_string();
    assert_eq!(fen, "8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38");
    assert_eq!(line.end, LineEnd::Mate);
    // Every mark follows from the tables, asked another way.
    for mv in &line.moves {
        let legal = mv.position.legal_moves();
        assert!(legal.contains(&mv.mv));
        let outcome = |position: &Chess| Source::value(library, position, Metric::Dtc).expect("a value").outcome;
        let keeping = legal.iter().filter(|&&other| {
            let mut after = mv.position.clone();
            after.play_unchecked(other);
            outcome(&after).reversed() == outcome(&mv.position)
        });
        let keeping = keeping.count();
        match mv.mark().as_str() {
            "°" => assert_eq!(legal.len(), 1),
            "\"" => assert!(keeping == 1 && legal.len() > 1),
            "'" => assert!(keeping > 1 && mv.alternatives().count() == 0),
            "" => assert!(mv.alternatives().count() > 0),
            other => panic!("{other}"),
        }
    }
    assert_eq!(Source::value(library, &start, Metric::Dtc).expect("a value").outcome, Outcome::Win);
}

/// RB-R1 and RB-R2, which Croskill analysed in 1864.
#[test]
fn croskills_positions() {
    let library = tables("KRBKR", Metric::Dtc);
    for (fen, moves) in [("k7/6R1/2K5/8/2B5/8/8/7r w - - 0 1", 49), ("1k6/8/2K5/8/2B3R1/8/7r/8 w - - 0 1", 51)] {
        let position = position(fen);
        let situation = Situation::new(library, &position, Some(50)).expect("a situation");
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

/// Whether following keeps the win, by brute force: position by position and ply by ply, nothing shared but the choices.
fn keeps(
    library: &Library,
    rule: u16,
    attack: &Strategy,
    defence: &Strategy,
    position: &Chess,
    known: &mut Known,
) -> bool {
    let value = Source::value(library, position, Metric::DtzRule(rule)).expect("a value");
    let won = matches!(value.outcome, Outcome::Win | Outcome::Loss);
    if !won || position.halfmoves() + u32::from(value.plies.0) > 2 * u32::from(rule) {
        return false;
    }
    let node = (position.clone(), position.halfmoves());
    if let Some(&found) = known.get(&node) {
        return found;
    }
    let situation = Situation::new(library, position, Some(rule)).expect("a situation");
    let strategy = if value.outcome == Outcome::Win { attack } else { defence };
    let places = if situation.moves().is_empty() {
        Vec::new()
    } else {
        strategy.select(&situation, &mut Goals::default()).expect("a choice")
    };
    let found = places.into_iter().all(|place| {
        let mut after = position.clone();
        after.play_unchecked(situation.moves()[place]);
        keeps(library, rule, attack, defence, &after, known)
    });
    known.insert(node, found);
    found
}

type Known = HashMap<(Chess, u32), bool>;

/// Under a rule of fifteen moves KRK, with its sixteen, spoils many conversions of KRKN.
#[test]
fn followers_agree_with_brute_force() {
    let rule = 15;
    let library = all_tables("KRKN", &[Metric::Dtz, Metric::Dtm, Metric::DtzRule(rule)]);
    let cells = Cells::new("KRKN".parse().expect("an endgame"), Extent::Sample { placements: 400, seed: 5 });
    let cells = cells.expect("an endgame with men");
    let defence = strategy("SM");
    let (mut wins, mut slips) = (0, 0);
    for text in ["SZ", "SM", "SZM", "SM*", "SZ'M"] {
        let attack = strategy(text);
        let mut follower = Follower::new(library, rule, attack.clone(), defence.clone());
        let mut known = Known::new();
        for mut position in (0..cells.count()).filter_map(|n| cells.position(n)) {
            for clock in [0, 7, 15] {
                let mut setup = position.to_setup(EnPassantMode::Legal);
                setup.halfmoves = clock;
                position = Chess::from_setup(setup, shakmaty::CastlingMode::Standard)
                    .or_else(shakmaty::PositionError::ignore_impossible_check)
                    .expect("the same position");
                let found = follower.follow(&position).expect("an outcome");
                let expected = keeps(library, rule, &attack, &defence, &position, &mut known);
                assert_eq!(found == Success::Wins, expected, "{text}, clock {clock}: {:?}", position.board());
                wins += u32::from(found == Success::Wins);
                if let Success::Slips(line) = found {
                    slips += 1;
                    // The line is one that the strategies allow, and its last move lets the win slip.
                    let mut at = position.clone();
                    for (place, &mv) in line.iter().enumerate() {
                        let situation = Situation::new(library, &at, Some(rule)).expect("a situation");
                        let mover = if situation.value() == Outcome::Win { &attack } else { &defence };
                        let places = mover.select(&situation, &mut Goals::default()).expect("a choice");
                        assert!(places.iter().any(|&place| situation.moves()[place] == mv));
                        at.play_unchecked(mv);
                        let value = Source::value(library, &at, Metric::DtzRule(rule)).expect("a value");
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
