//! The Markov model of whole endgames against another program's figures and those of Andrist and Haworth (2005).

use crate::support::{close, competence, kappa, number, position, rows, table_source, tables};
use errare_choice::{Competence, Depth, Grid, Kappa, Posterior, Prior, State};
use errare_endgame::{
    EndgameError, Forecast, ForecastHorizon, Habits, MarkovModel, MarkovScope, Model, PredictionQuestion, SolvedModel,
    StateChances,
};
use errare_tables::{Extent, Material, Metric};
use errare_work::Silent;
use shakmaty::Color;

fn model_of(name: &str, side: Color, kappa: Kappa, habits: Habits, competences: &[Competence]) -> MarkovModel {
    let material: Material = name.parse().expect("an endgame");
    let model = Model::power_law(kappa, habits);
    MarkovModel::new(tables(name, Metric::Dtc), material, Metric::Dtc, side, &model, competences, &Silent)
        .expect("a Markov model")
}

/// All rows of a file of lengths.
fn check_lengths(name: &str, facts: &'static str) {
    let facts = rows(facts);
    for text in ["0", "0.5", "1"] {
        let of_kappa: Vec<_> = facts.iter().filter(|row| row[1] == text).collect();
        let mut cs: Vec<f64> = of_kappa.iter().map(|row| number(row[0])).collect();
        cs.sort_by(f64::total_cmp);
        cs.dedup();
        if cs.is_empty() {
            continue;
        }
        let competences: Vec<Competence> = cs.iter().map(|&c| competence(c)).collect();
        let markov = model_of(name, Color::White, kappa(text), Habits::holding_wins(), &competences);
        for (lane, c) in cs.iter().enumerate() {
            let contest = markov.against_infallible(lane).expect("a contest");
            let solution = contest.chain().solve().expect("a solution");
            let within = contest.chain().within(&[0], 50).expect("chances");
            for row in of_kappa.iter().filter(|row| number::<f64>(row[0]) == *c) {
                let depth: usize = number(row[2]);
                let place = format!("{name} c = {c}, kappa {text}, depth {depth}");
                assert!(close(solution.lengths[depth], number(row[3]), 1e-9), "{place}: {}", solution.lengths[depth]);
                // A deviation next to nothing hangs on the last digits of a probability next to 1.
                let sd_off = (solution.sds[depth] - number::<f64>(row[4])).abs();
                assert!(sd_off < 1e-9 + 1e-7 * solution.sds[depth], "{place}: {}", solution.sds[depth]);
                assert!((within[depth] - number::<f64>(row[5])).abs() < 1e-10, "{place}: {}", within[depth]);
            }
        }
    }
}

#[test]
fn kqkr_lengths_as_another_program_has_them() {
    check_lengths("KQKR", include_str!("data/kqkr_lengths.csv"));
}

#[test]
#[ignore = "a five-man table and three surveys of it: a minute"]
fn kbbkn_lengths_as_another_program_has_them() {
    check_lengths("KBBKN", include_str!("data/kbbkn_lengths.csv"));
}

/// Andrist and Haworth (2005) have 4e8 and 3e12; recomputed they are 2.8e8 and 1.9e12.
#[test]
#[ignore = "a five-man table and a survey of it"]
fn condition_numbers_of_kbbkn() {
    let competences = [competence(9.95), competence(15.0), competence(500.0)];
    let markov = model_of("KBBKN", Color::White, Kappa::ONE, Habits::holding_wins(), &competences);
    let solution = |lane: usize| {
        markov.against_infallible(lane).and_then(|contest| Ok(contest.chain().solve()?)).expect("a solution")
    };
    assert!(close(solution(0).condition.fixed, 1.9141984e12, 1e-4));
    assert!(close(solution(1).condition.fixed, 2.7631529e8, 1e-6));
    // A player who hardly errs: nothing under- or overflows.
    let sure = solution(2).lengths;
    assert!(sure.iter().enumerate().all(|(depth, &length)| length >= depth as f64 && length < depth as f64 + 0.1));
}

/// Table 1 and section 6 of Andrist and Haworth (2005).
#[test]
fn the_published_lengths_of_kqkr() {
    let competences = [competence(20.0), competence(21.0)];
    let markov = model_of("KQKR", Color::White, Kappa::ONE, Habits::holding_wins(), &competences);
    let length = |lane: usize| {
        let contest = markov.against_infallible(lane).expect("a contest");
        contest.chain().solve().expect("a solution").lengths[31]
    };
    assert!((length(0) - 97.196).abs() < 1e-3 && (length(1) - 83.702).abs() < 1e-3);
    assert_eq!(markov.states().count(), 37);
}

#[test]
fn black_as_another_program_has_him() {
    let markov = model_of("KQKR", Color::Black, Kappa::ONE, Habits::holding_wins(), &[competence(20.0)]);
    let matrix = markov.matrix(0).expect("a matrix");
    let number_of = |depth: u16| markov.states().number(State::Loss(Depth(depth))).expect("a state");
    for row in rows(include_str!("data/kqkr_black_c20.csv")) {
        let found = matrix.row(number_of(number(row[0])))[number_of(number(row[1]))];
        assert!(close(found, number(row[2]), 1e-9), "{row:?}: {found}");
    }
}

/// A tenth of the placements, drawn by chance, with another way of going through them.
#[test]
fn a_sample_comes_near() {
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let library = tables("KQKR", Metric::Dtc);
    let material: Material = "KQKR".parse().expect("an endgame");
    let extent = Extent::Sample { placements: 200_000, seed: 1 };
    let cs = [competence(20.0)];
    let scope = MarkovScope { material, metric: Metric::Dtc, side: Color::White, extent };
    let sampled = MarkovModel::of_source(&**library, scope, &model, &cs, &Silent);
    let sampled = sampled.and_then(|markov| markov.against_infallible(0)).expect("a contest");
    let length = sampled.chain().solve().expect("a solution").lengths[25];
    // The whole has 82.06.
    assert!((length - 82.06).abs() < 4.0, "{length}");
}

#[test]
fn limits_are_exact() {
    let limits = [Competence::ANTI_INFALLIBLE, Competence::RANDOM, Competence::INFALLIBLE];
    let held = model_of("KQKR", Color::White, Kappa::ONE, Habits::holding_wins(), &limits);
    let infallible = held.against_infallible(2).expect("a contest");
    let solution = infallible.chain().solve().expect("a solution");
    assert!(solution.lengths.iter().enumerate().all(|(depth, &length)| length == depth as f64));
    assert!(solution.sds.iter().all(|&sd| sd == 0.0));
    // Whoever always makes the worst move that keeps the win gets nearer only where there is no other.
    let worst = held.against_infallible(0).expect("a contest").chain().solve().expect("a solution");
    assert!(worst.lengths[31] > 1e50 && worst.lengths[31].is_finite());
    // Such a contest is over as soon as a rare chance comes, so that its length deviates as much as it is long. Another
    // program has 8.47e54.
    assert!(close(worst.sds[31], 8.47e54, 1e-3), "{} {}", worst.lengths[31], worst.sds[31]);
    // One who may let go of everything does so at once.
    let free = model_of("KQKR", Color::White, Kappa::ONE, Habits::default(), &limits);
    let worst = free.matrix(0).expect("a matrix");
    assert!(worst.row(31)[..31].iter().all(|&chance| chance == 0.0));
}

/// Promotions to deeper wins than the endgame itself has (KBPK to KBNK) do not trap anybody.
#[test]
fn mate_is_reached_through_other_endgames() {
    let material: Material = "KBPK".parse().expect("an endgame");
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let cs = [competence(5.0), Competence::INFALLIBLE];
    let library = tables("KBPK", Metric::Dtm);
    let markov = MarkovModel::new(library, material, Metric::Dtm, Color::White, &model, &cs, &Silent);
    let markov = markov.expect("a Markov model");
    assert_eq!(markov.states().deepest_win(), Depth(33));
    let lengths =
        |lane| markov.against_infallible(lane).expect("a contest").chain().solve().expect("a solution").lengths;
    assert!(lengths(1).iter().enumerate().all(|(depth, &length)| length == depth as f64));
    assert!(lengths(0).iter().all(|length| length.is_finite()));
}

/// Stalemate ends a contest.
#[test]
fn a_stalemate_is_dead() {
    let material: Material = "KQK".parse().expect("an endgame");
    let model = Model::power_law(Kappa::ONE, Habits::default());
    let library = tables("KQK", Metric::Dtm);
    let cs = [competence(2.0)];
    let markov = MarkovModel::new(library, material, Metric::Dtm, Color::White, &model, &cs, &Silent);
    let markov = markov.expect("a Markov model");
    let matrix = markov.matrix(0).expect("a matrix");
    assert!((1..=10).any(|from| matrix.row(from)[markov.dead_draw()] > 0.0));
    let lengths = markov.against_infallible(0).expect("a contest").chain().solve().expect("a solution").lengths;
    assert!(lengths.iter().all(|length| length.is_finite()), "{lengths:?}");
}

/// Value-conceding moves: rows still add up, and a conversion to a draw ends the contest.
#[test]
fn a_dead_draw_absorbs() {
    let markov = model_of("KQKR", Color::White, Kappa::ONE, Habits::default(), &[competence(1.0)]);
    let matrix = markov.matrix(0).expect("a matrix");
    let dead = markov.dead_draw();
    assert_eq!(matrix.size(), 38);
    assert_eq!(matrix.row(dead)[dead], 1.0);
    assert!(matrix.row(markov.states().draw())[dead] > 0.01);
    let contest = markov.against_infallible(0).expect("a contest");
    let solution = contest.chain().solve().expect("a solution");
    let [won, lost] = markov.states().absorbing();
    let ends = |into: usize| solution.absorption(into).expect("an end")[31];
    assert!((ends(won) + ends(lost) + ends(dead) - 1.0).abs() < 1e-12);
    assert!(ends(lost) > 0.1 && ends(dead) > 0.01);
}

/// Two fallible players: an infallible one given as a matrix is the same as one taken for granted.
#[test]
fn the_product_of_two_sides() {
    let cs = [competence(20.0)];
    let white = model_of("KQKR", Color::White, Kappa::ONE, Habits::holding_wins(), &cs);
    let sure = model_of("KQKR", Color::Black, Kappa::ONE, Habits::holding_wins(), &[Competence::INFALLIBLE]);
    let weak = model_of("KQKR", Color::Black, Kappa::ONE, Habits::holding_wins(), &cs);
    let length = |black: &MarkovModel| {
        let contest = white.against(0, black, 0).expect("a contest");
        contest.chain().solve().expect("a solution").lengths[31]
    };
    assert!(close(length(&sure), 97.1959475864, 1e-9));
    assert!(length(&weak) < 60.0);
}

#[test]
fn a_forecast_weighs_what_is_believed() {
    let posterior =
        Posterior::new(Grid::new(20.0, 1.0, 21.0).expect("a grid"), Prior::Explicit(vec![1.0, 3.0])).expect("a prior");
    let competences = posterior.grid().competences();
    let markov = model_of("KQKR", Color::White, Kappa::ONE, Habits::holding_wins(), &competences);
    let solved = SolvedModel::new(markov);
    let forecast = Forecast::new(&solved, posterior.probabilities(), 31, &[ForecastHorizon::moves(50)], &Silent)
        .expect("a forecast");
    assert!(close(forecast.length, 0.25 * 97.1959475864 + 0.75 * 83.7016076739, 1e-9));
    assert!(close(forecast.won_within[0], 0.25 * 0.126691230483 + 0.75 * 0.173362221198, 1e-9));
    let square = 0.25 * (53.1703415637_f64.powi(2) + 97.1959475864_f64.powi(2))
        + 0.75 * (40.7613860353_f64.powi(2) + 83.7016076739_f64.powi(2));
    assert!(close(forecast.sd, (square - forecast.length.powi(2)).sqrt(), 1e-9));
    assert!(Forecast::new(&solved, &[1.0], 31, &[], &Silent).is_err());
}

/// By DTR the best moves of a winner need not come nearer.
#[test]
fn depth_by_the_rule_has_no_markov_model() {
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let refused = MarkovModel::check(Metric::Dtr, &model, &[Competence::INFALLIBLE]);
    assert!(matches!(refused, Err(EndgameError::MarkovMetric)));
    let library = tables("KPK", Metric::Dtr);
    let material: Material = "KPK".parse().expect("an endgame");
    let cs = [Competence::INFALLIBLE];
    let made = MarkovModel::new(library, material, Metric::Dtr, Color::White, &model, &cs, &Silent);
    assert!(matches!(made, Err(EndgameError::MarkovMetric)));
}

/// The plies that a clock leaves are shared out among the sides, whoever is to move.
#[test]
fn predictions_count_the_plies_left() {
    let black_to_move = "4k3/1Q6/4K3/r7/8/8/8/8 b - -";
    let white_to_move = "K3r3/8/5k2/Q7/8/8/8/8 w - -";
    let tables = table_source("KQKR", Metric::Dtc);
    let markov = model_of("KQKR", Color::White, Kappa::ONE, Habits::holding_wins(), &[competence(20.0)]);
    let contest = markov.against_infallible(0).expect("a contest");
    let asked = |fallible: Option<Color>| PredictionQuestion {
        position: position(&format!("{white_to_move} 0 1")),
        metric: Metric::Dtc,
        model: Model::power_law(Kappa::ONE, Habits::holding_wins()),
        competences: vec![competence(20.0)],
        probabilities: vec![1.0],
        fallible,
        within: vec![50],
        extent: Extent::Whole,
    };
    for clock in [0, 1, 50, 61, 97, 98, 99, 100] {
        // White makes the plies of one parity among those from the clock to 100.
        for (board, parity) in [(white_to_move, 1), (black_to_move, 0)] {
            let own = (clock + 1..=100).filter(|ply| (ply - clock) % 2 == parity).count();
            let question = PredictionQuestion { position: position(&format!("{board} {clock} 90")), ..asked(None) };
            let found = question.answer(&tables, &Silent).expect("a prediction");
            let Some(Depth(depth)) = found.state.depth() else { panic!("a win") };
            let chances = contest.chain().within(&[0], own).expect("chances");
            assert_eq!(found.left, [own as u32], "{board} {clock}");
            assert!(close(found.forecast.won_within[0], chances[usize::from(depth)], 1e-12), "{board} {clock}");
        }
    }
    // A loser who does not err beyond depth needs the winner's moves: 31 of them from the first ply on, in 61 plies.
    for (clock, expected) in [(38, 1.0), (39, 1.0), (40, 0.0), (41, 0.0)] {
        let question = PredictionQuestion {
            position: position(&format!("2KQ4/8/8/8/2r5/2k5/8/8 w - - {clock} 90")),
            competences: vec![Competence::INFALLIBLE],
            ..asked(Some(Color::Black))
        };
        let found = question.answer(&tables, &Silent).expect("a prediction");
        assert_eq!(found.forecast.lost_within[0], expected, "{clock}");
    }
}

/// A model with more competences than are asked about, or one that has been solved for another question, gives the same
/// numbers, bit for bit; so do the chances of all states at once.
#[test]
fn a_shared_model_changes_no_digit() {
    let belief = Posterior::new(Grid::new(0.0, 1.0, 50.0).expect("a grid"), Prior::Normal { mean: 15.0, sd: 6.0 });
    let belief = belief.expect("a prior");
    let horizon = [ForecastHorizon::moves(50)];
    for (side, habits) in
        [(Color::White, Habits::default()), (Color::White, Habits::holding_wins()), (Color::Black, Habits::default())]
    {
        let whole = SolvedModel::new(model_of("KQKR", side, Kappa::ONE, habits.clone(), &belief.grid().competences()));
        let alone = SolvedModel::new(model_of("KQKR", side, Kappa::ONE, habits, &[competence(12.0)]));
        let certain = whole.spread(&[competence(12.0)], &[1.0]).expect("a competence of the model");
        assert_eq!(whole.spread(&[competence(12.5)], &[1.0]), None);
        assert_eq!(whole.spread(&[competence(12.0)], &[1.0, 2.0]), None);
        let states = whole.model().states();
        let chances = StateChances::new(&whole, belief.probabilities(), 50, &Silent).expect("chances");
        for from in 0..states.count() {
            let of_whole = Forecast::new(&whole, &certain, from, &horizon, &Silent);
            let of_alone = Forecast::new(&alone, &[1.0], from, &horizon, &Silent);
            match (of_whole, of_alone) {
                (Ok(one), Ok(two)) => assert_eq!(one, two, "{side} {from}"),
                (Err(_), Err(_)) => {}
                (one, two) => panic!("{side} {from}: {one:?} {two:?}"),
            }
            if let Ok(forecast) = Forecast::new(&whole, belief.probabilities(), from, &horizon, &Silent) {
                assert_eq!((forecast.won_within[0], forecast.lost_within[0]), (chances.won[from], chances.lost[from]));
            }
        }
        assert!(chances.won[1] > 0.9 && chances.lost[states.draw()] > 0.0, "{chances:?}");
        assert!(StateChances::new(&whole, &[1.0], 50, &Silent).is_err());
    }
}
