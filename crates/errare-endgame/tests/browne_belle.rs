//! Browne against BELLE, the games of Haworth (2003): concessions, optimal moves, the model's choices, apparent competence.

use crate::support::{STARTS, analysis, close, number, oracle, position, rows};
use errare_choice::{Kappa, State};
use errare_endgame::{AssessedPlayers, Assessor, EndgameError, GivenUp, Habits, Mark, Remark, Stretch, Task, Unlisted};
use errare_tables::Metric;
use errare_work::Silent;
use shakmaty::san::{San, SanPlus};
use shakmaty::{ByColor, Chess, Color, Move, Position};

const FACTS: &str = include_str!("data/browne_belle.csv");
const FACTS_ALL: &str = include_str!("data/browne_belle_all.csv");

fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// A game's moves from the facts, assessed.
fn assess(game: usize, kappa: Kappa, habits: Habits) -> Vec<Remark> {
    let oracle = oracle("KQKR", Metric::Dtc);
    let assessor = Assessor { oracle, analysis: analysis(kappa, habits), covered: None };
    let start = position(STARTS[game - 1]);
    let mut at = start.clone();
    let of_game = rows(FACTS).into_iter().filter(|row| number::<usize>(row[0]) == game);
    let moves: Vec<Move> = of_game
        .map(|row| {
            let san: San = row[3].trim_end_matches('+').parse().expect("a move");
            let mv = san.to_move(&at).expect("a legal move");
            at.play_unchecked(mv);
            mv
        })
        .collect();
    let stretches = assessor.assess(&start, &moves, &Silent).expect("an assessment");
    assert_eq!(stretches.len(), 1);
    stretches.into_iter().flat_map(|stretch| stretch.moves).collect()
}

fn check(facts: &'static str, habits: Habits) {
    let kappas = [(Kappa::ZERO_PLUS, 9), (Kappa::new(0.5).expect("a kappa"), 11), (Kappa::ONE, 13)];
    for (kappa, column) in kappas {
        for game in [1, 2] {
            let facts = rows(facts).into_iter().filter(|row| number::<usize>(row[0]) == game);
            let remarks = assess(game, kappa, habits.clone());
            assert_eq!(remarks.len(), [90, 99][game - 1]);
            for (fact, remark) in facts.zip(&remarks) {
                let place = format!("game {game}, ply {}", fact[1]);
                let depth = |state: State| state.depth().expect("a decisive state").0;
                assert_eq!(depth(remark.before), number::<u16>(fact[4]), "{place}");
                assert_eq!(depth(remark.after), number::<u16>(fact[5]), "{place}");
                assert_eq!(remark.conceded, Some(number(fact[6])), "{place}");
                assert_eq!(remark.conceded_total, number::<u32>(fact[7]), "{place}");
                let mut optimal: Vec<String> = remark.optimal.iter().map(|&mv| san(&remark.position, mv)).collect();
                optimal.sort();
                let mut expected: Vec<&str> = fact[8].split(' ').collect();
                expected.sort_unstable();
                assert_eq!(optimal, expected, "{place}");
                assert!(close(remark.expected, number(fact[column]), 1e-9), "{place}: {} {kappa}", remark.expected);
                assert!(close(remark.sd, number(fact[column + 1]), 1e-8), "{place}: {} {kappa}", remark.sd);
                assert!(!remark.is_impossible, "{place}");
            }
        }
    }
}

#[test]
fn every_move_as_another_program_has_it() {
    check(FACTS, Habits::holding_value());
}

#[test]
fn every_move_if_wins_may_be_let_go() {
    check(FACTS_ALL, Habits::default());
}

/// Section 8 of Haworth (2003).
#[test]
fn browne_conceded_what_the_paper_says() {
    let printed: [&[(u32, u16)]; 2] = [
        &[
            (6, 1),
            (17, 3),
            (18, 2),
            (19, 1),
            (20, 1),
            (21, 2),
            (22, 1),
            (26, 2),
            (31, 1),
            (32, 4),
            (33, 2),
            (40, 3),
            (41, 2),
            (42, 2),
        ],
        &[(6, 1), (16, 1), (17, 3), (19, 3), (26, 1), (27, 2), (28, 2), (30, 1), (32, 1), (33, 1), (35, 2), (44, 1)],
    ];
    for (game, printed) in [1, 2].into_iter().zip(printed) {
        let remarks = assess(game, Kappa::ONE, Habits::holding_value());
        let conceded = |remark: &&Remark| remark.conceded != Some(0);
        let found: Vec<(u32, u16)> = remarks
            .iter()
            .filter(conceded)
            .map(|remark| (remark.ply as u32 / 2 + 1, remark.conceded.expect("the win was kept")))
            .collect();
        assert_eq!(found, printed);
        assert!(remarks.iter().filter(conceded).all(|remark| remark.position.turn() == Color::White));
        let total = remarks.iter().map(|remark| remark.conceded_total).max();
        assert_eq!(total, Some([27, 19][game - 1]));
    }
}

#[test]
fn the_model_chooses_the_circled_moves() {
    for kappa in [Kappa::ZERO_PLUS, Kappa::ONE] {
        for row in rows(include_str!("data/circled.csv")) {
            let remarks = assess(number(row[0]), kappa, Habits::holding_value());
            let remark = &remarks[2 * number::<usize>(row[1]) - 1];
            assert!(remark.optimal.len() > 1);
            assert_eq!(san(&remark.position, remark.model_choice), row[2], "game {}, move {}", row[0], row[1]);
        }
    }
}

#[test]
fn only_moves_are_marked() {
    let remarks = assess(1, Kappa::ONE, Habits::holding_value());
    let mark = |move_number: usize, color: Color| remarks[2 * (move_number - 1) + color.fold_wb(0, 1)].mark;
    // 23.Kf4' Ke6' and 26...Ke7°, as printed; 24.Qd4 carries nothing.
    assert_eq!(mark(23, Color::White), Some(Mark::OnlyOptimal));
    assert_eq!(mark(26, Color::Black), Some(Mark::OnlyLegal));
    assert_eq!(mark(24, Color::White), None);
}

/// Both games as one stretch each.
fn stretches(habits: &Habits) -> [Vec<Stretch>; 2] {
    [1, 2].map(|game| {
        let moves = assess(game, Kappa::ONE, habits.clone());
        vec![Stretch { material: "KQKR".parse().expect("an endgame"), moves }]
    })
}

const NAMES: ByColor<&str> = ByColor { white: "Browne", black: "BELLE" };

/// The parts of a player, put together, say what an analyser says that sees all moves one by one.
#[test]
fn records_by_task_add_up_to_what_an_analyser_says() {
    let analysis = analysis(Kappa::ONE, Habits::default());
    let mut games = stretches(&Habits::default());
    // As if Browne had also defended: the likelihoods stay, the counts go elsewhere.
    games[1][0].moves.iter_mut().filter(|remark| remark.position.turn() == Color::White).step_by(2).for_each(
        |remark| {
            remark.task = Task::Defence;
            remark.given_up = Some(GivenUp::DrawToLoss);
        },
    );
    let mut players = AssessedPlayers::new(&analysis, Some("Browne"));
    let mut analyser = analysis.analyser();
    for game in &games {
        players.add(NAMES, game).expect("the same grid");
        for remark in game[0].moves.iter().filter(|remark| remark.position.turn() == Color::White) {
            let _ = analyser.learn(&remark.log_likelihoods).expect("the same grid");
        }
    }
    let found: Vec<_> = players.into_assessments().collect::<Result<_, _>>().expect("assessments");
    let [browne] = &found[..] else { panic!("one player of that name: {found:?}") };
    assert!(close(browne.total.posterior.mean(), analyser.posterior().mean(), 1e-9));
    assert!(close(browne.total.posterior.sd(), analyser.posterior().sd(), 1e-9));
    let tasks: Vec<Task> = browne.parts.iter().map(|(_, task, _)| *task).collect();
    assert_eq!(tasks, [Task::Attack, Task::Defence]);
    let counts = browne.parts.iter().map(|(_, _, part)| (part.counts.games, part.counts.moves));
    assert_eq!(counts.collect::<Vec<_>>(), [(2, 70), (1, 25)]);
    let total = browne.total.counts;
    assert_eq!((total.games, total.moves, total.conceded, total.draws_to_losses), (2, 95, 46, 25));
    assert!(!browne.total.certainty.is_too_little());
}

#[test]
fn memory_for_players_is_bounded() {
    let analysis = analysis(Kappa::ONE, Habits::default());
    let [game, _] = stretches(&Habits::default());
    let memory = 100_000;
    let mut players = AssessedPlayers::with_memory(&analysis, None, memory);
    let names: Vec<[String; 2]> =
        (0..1000).map(|number| [format!("White {number}"), format!("Black {number}")]).collect();
    for [white, black] in &names {
        players.add(ByColor { white, black }, &game).expect("there is room, or none is needed");
    }
    let unlisted = players.unlisted();
    // Those who are there stay there.
    players.add(ByColor { white: "White 0", black: "Nobody" }, &game).expect("there is room");
    assert_eq!(players.unlisted(), Unlisted { games: unlisted.games + 1, moves: unlisted.moves + 45 });
    let found: Vec<_> = players.into_assessments().collect::<Result<_, _>>().expect("assessments");
    assert_eq!(found.len() as u64 + unlisted.games, 2000);
    assert!((20..100).contains(&found.len()), "{}", found.len());
    let first = found.iter().find(|player| player.name == "White 0").expect("the first player");
    assert_eq!(first.total.counts.games, 2);
    // Where even the endgames of those who are there take too much, the work is refused in words.
    let mut few = AssessedPlayers::with_memory(&analysis, None, 1000);
    few.add(NAMES, &game).expect("there is room for one player");
    let other = vec![Stretch { material: "KRKN".parse().expect("an endgame"), ..game[0].clone() }];
    assert!(matches!(few.add(NAMES, &other), Err(EndgameError::TooManyPlayers)));
}
