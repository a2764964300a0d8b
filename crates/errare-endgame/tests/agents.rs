//! The agents against brute force: expectations written out without memory, sharing or shortcuts.

use crate::support;
use crate::support::{STARTS, analysis, close, competence, oracle, position};
use errare_choice::{Competence, Grid, Kappa, Posterior, Prior, State, pick};
use errare_endgame::{
    Agent, AgentSetting, AgentSpec, Analysis, Belief, Emulator, EndgameError, Figure, Habits, Infallible, Leaning,
    Levy, Model, Options, Oracle, Player, Predator, Scope, Ties, error_chance,
};
use errare_tables::Metric;
use errare_work::Silent;
use shakmaty::{Chess, Position, Role};
use std::collections::BTreeMap;

/// KRKN, drawn, with either side to move.
const DRAWN: [&str; 2] = ["8/8/8/4k3/8/2n5/4K3/7R w - - 0 1", "8/8/3n4/3k4/8/8/4K3/7R b - - 0 1"];

fn value_keeping() -> Model {
    Model::power_law(Kappa::ONE, Habits::holding_value())
}

fn depth(state: State) -> f64 {
    f64::from(state.depth().expect("a decisive state").0)
}

/// What the losing side can expect after so many plies against R_c: the greatest expected depth.
fn expected_depth(oracle: &Oracle, model: &Model, c: Competence, options: &Options, place: usize, plies: u16) -> f64 {
    let theirs = oracle.options(&options.after(place)).expect("options");
    let chances = model.probabilities(&theirs, c).expect("probabilities");
    let mut sum = 0.0;
    for (reply, candidate) in theirs.candidates.iter().enumerate() {
        if chances[reply] == 0.0 {
            continue;
        }
        let over = candidate.choice().converting || depth(candidate.state()) == 0.0;
        let value = if plies == 2 || over {
            depth(candidate.state())
        } else {
            let next = oracle.options(&theirs.after(reply)).expect("options");
            let values = next.optimal().into_iter().map(|own| {
                let candidate = &next.candidates[own];
                if candidate.choice().converting || depth(candidate.state()) == 0.0 {
                    depth(candidate.state())
                } else {
                    expected_depth(oracle, model, c, &next, own, plies - 2)
                }
            });
            values.fold(f64::NEG_INFINITY, f64::max)
        };
        sum += chances[reply] * value;
    }
    sum
}

#[test]
fn a_predator_looks_as_far_as_it_is_told() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1")).expect("options");
    for c in [3.0, 20.0] {
        let belief = || Belief::point(value_keeping(), competence(c));
        for plies in [2, 4] {
            let mut predator = Predator::new(belief(), plies, Scope::Optimal).expect("a predator");
            let judgement = predator.judge(&oracle, &options, &Silent).expect("a judgement");
            assert_eq!(judgement.figure, Some(Figure::Depth));
            let mut best = (0.0, 0);
            for place in options.optimal() {
                let expected = expected_depth(&oracle, &value_keeping(), competence(c), &options, place, plies);
                let found = judgement.figures[place].expect("a figure");
                assert!(close(found, expected, 1e-12), "{plies} plies: {found} {expected}");
                best = if expected > best.0 { (expected, place) } else { best };
            }
            assert_eq!(judgement.probabilities[best.1], 1.0);
            assert_eq!(judgement.figures.iter().flatten().count(), options.optimal().len());
        }
    }
    assert!(Predator::new(Belief::point(value_keeping(), competence(1.0)), 3, Scope::All).is_err());
}

/// A belief is the mixture of its points.
#[test]
fn a_predator_weighs_what_it_believes() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1")).expect("options");
    let grid = Grid::new(10.0, 30.0, 40.0).expect("a grid");
    let posterior = Posterior::new(grid, Prior::Explicit(vec![1.0, 3.0])).expect("a prior");
    let figures = |belief: Belief| {
        let mut predator = Predator::new(belief, 2, Scope::Keeping).expect("a predator");
        predator.judge(&oracle, &options, &Silent).expect("a judgement").figures
    };
    let mixed = figures(Belief::posterior(value_keeping(), &posterior));
    let low = figures(Belief::point(value_keeping(), competence(10.0)));
    let high = figures(Belief::point(value_keeping(), competence(40.0)));
    assert_eq!(mixed.iter().flatten().count(), options.keeping().len());
    for place in options.keeping() {
        let expected = 0.25 * low[place].expect("a figure") + 0.75 * high[place].expect("a figure");
        assert!(close(mixed[place].expect("a figure"), expected, 1e-12));
    }
}

/// Against one who plays to mate, depth to conversion is expected after the moves that are best to mate.
#[test]
fn an_opponent_may_play_to_another_metric() {
    let dtm = oracle("KQKR", Metric::Dtm);
    let dtc = oracle("KQKR", Metric::Dtc);
    let options = dtc.options(&position("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1")).expect("options");
    let belief = Belief::point(value_keeping(), Competence::INFALLIBLE).in_metric(Metric::Dtm);
    let figures =
        Predator::new(belief, 2, Scope::Keeping).and_then(|mut predator| predator.judge(&dtc, &options, &Silent));
    let figures = figures.expect("a judgement").figures;
    let mut concessions = 0;
    for place in options.keeping().into_iter().filter(|&place| !options.candidates[place].choice().converting) {
        let after = options.after(place);
        let (seen, meant) = (dtc.options(&after).expect("options"), dtm.options(&after).expect("options"));
        let replies = meant.optimal();
        let depths: f64 = replies.iter().map(|&reply| depth(seen.candidates[reply].state())).sum();
        let expected = depths / replies.len() as f64;
        assert!(close(figures[place].expect("a figure"), expected, 1e-12));
        concessions += u32::from(expected > depth(seen.best().expect("a reply")));
    }
    // Some of the best moves to mate are not the best to conversion.
    assert!(concessions > 0);
}

/// The winner goes for the least depth; and against the infallible every optimal move is the same.
#[test]
fn a_winning_predator_hurries() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position(STARTS[0])).expect("options");
    let judge = |c: Competence| {
        let belief = Belief::point(value_keeping(), c);
        Predator::new(belief, 2, Scope::Keeping)
            .and_then(|mut predator| predator.judge(&oracle, &options, &Silent))
            .expect("a judgement")
    };
    let sure = judge(Competence::INFALLIBLE);
    for place in options.keeping() {
        assert_eq!(sure.figures[place], Some(depth(options.candidates[place].state())));
    }
    let weak = judge(competence(2.0));
    let least = weak.figures.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let chosen = weak.probabilities.iter().position(|&chance| chance > 0.0).expect("a choice");
    assert_eq!(weak.figures[chosen], Some(least));
    assert!(least < depth(options.state) - 1.0);
}

/// The chance that a defender lets go of the draw, by brute force.
fn letting_go(
    oracle: &Oracle,
    chance_of: &dyn Fn(&Options) -> Vec<f64>,
    after: &Chess,
    plies: u16,
    best_defence: bool,
) -> f64 {
    let theirs = oracle.options(after).expect("options");
    if theirs.candidates.is_empty() {
        return 0.0;
    }
    let chances = chance_of(&theirs);
    let mut lost = 0.0;
    let mut rest = if best_defence { f64::INFINITY } else { 0.0 };
    for (reply, candidate) in theirs.candidates.iter().enumerate() {
        if matches!(candidate.state(), State::Loss(_)) {
            lost += chances[reply];
            continue;
        }
        let next = if plies == 2 || candidate.choice().converting {
            0.0
        } else {
            let own = oracle.options(&theirs.after(reply)).expect("options");
            let deeper = own.keeping().into_iter().map(|place| {
                if own.candidates[place].choice().converting {
                    0.0
                } else {
                    letting_go(oracle, chance_of, &own.after(place), plies - 2, best_defence)
                }
            });
            deeper.fold(0.0, f64::max)
        };
        rest = if best_defence { f64::min(rest, next) } else { rest + chances[reply] * next };
    }
    if best_defence { lost + (1.0 - lost) * if rest.is_finite() { rest } else { 0.0 } } else { lost + rest }
}

#[test]
fn drawn_positions_are_attacked_where_it_hurts() {
    let oracle = oracle("KRKN", Metric::Dtc);
    for fen in DRAWN {
        let options = oracle.options(&position(fen)).expect("options");
        assert_eq!(options.state, State::Draw, "{fen}");
        let free = Model::power_law(Kappa::ONE, Habits::default());
        for plies in [2, 4] {
            let belief = Belief::point(free.clone(), competence(2.0));
            let mut predator = Predator::new(belief, plies, Scope::All).expect("a predator");
            let judgement = predator.judge(&oracle, &options, &Silent).expect("a judgement");
            assert_eq!(judgement.figure, Some(Figure::DropsDraw));
            let chances = |theirs: &Options| free.probabilities(theirs, competence(2.0)).expect("probabilities");
            for place in options.keeping().into_iter().filter(|&place| !options.candidates[place].choice().converting) {
                let expected = letting_go(&oracle, &chances, &options.after(place), plies, false);
                let found = judgement.figures[place].expect("a figure");
                assert!((found - expected).abs() < 1e-12, "{fen}, {plies} plies: {found} {expected}");
            }
        }
    }
}

/// The search of Levy's note by brute force: all moves to the leaves, which score 1 where the opponent has lost and 0
/// where he has drawn; P times their mean one ply above them; minimax before that.
fn score_of_the_note(oracle: &Oracle, after: &Chess, plies: u16, probability: f64) -> f64 {
    let theirs = oracle.options(after).expect("options");
    let scores = (0..theirs.candidates.len()).map(|reply| match theirs.candidates[reply].state() {
        State::Loss(_) => 1.0,
        _ if plies == 2 => 0.0,
        _ => {
            let own = oracle.options(&theirs.after(reply)).expect("options");
            let deeper = (0..own.candidates.len()).map(|place| match own.candidates[place].state() {
                State::Loss(_) => -1.0,
                _ => score_of_the_note(oracle, &own.after(place), plies - 2, probability),
            });
            deeper.fold(0.0, f64::max)
        }
    });
    let scores: Vec<f64> = scores.collect();
    match scores.len() {
        0 => 0.0,
        count if plies == 2 => probability * scores.iter().sum::<f64>() / count as f64,
        _ => scores.iter().copied().fold(f64::INFINITY, f64::min),
    }
}

#[test]
fn levy_searches_as_the_note_does() {
    let oracle = oracle("KRKN", Metric::Dtc);
    let mut differ = 0;
    for fen in DRAWN {
        let options = oracle.options(&position(fen)).expect("options");
        let figures = |levy: Result<Levy, EndgameError>| {
            let judgement = levy.and_then(|mut levy| levy.judge(&oracle, &options, &Silent)).expect("a judgement");
            judgement.figures
        };
        for plies in [2, 4] {
            let found = figures(Levy::new(plies, 0.05));
            for place in options.keeping() {
                let expected = score_of_the_note(&oracle, &options.after(place), plies, 0.05);
                let found = found[place].expect("a figure");
                assert!((found - expected).abs() < 1e-15, "{fen}, {plies} plies: {found} {expected}");
            }
            let same = found == figures(Levy::pitfall(plies, 0.05));
            assert!(same || plies > 2, "{fen}");
            differ += u32::from(!same);
        }
    }
    assert!(differ > 0, "errors before the last ply count for the one and not for the other");
}

#[test]
fn pitfalls_are_losing_replies_of_all_plies() {
    // The note's own example: three moves that draw, two that lose, P = 0.01.
    assert!((-error_chance(2, 3, 0.01) + 0.004).abs() < 1e-15);
    assert_eq!(error_chance(0, 0, 0.5), 0.0);
    let oracle = oracle("KRKN", Metric::Dtc);
    for fen in DRAWN {
        let options = oracle.options(&position(fen)).expect("options");
        let spread = |theirs: &Options| {
            let count = theirs.candidates.len();
            vec![0.05 / count as f64; count]
        };
        for plies in [2, 4] {
            let judgement = Levy::pitfall(plies, 0.05)
                .and_then(|mut levy| levy.judge(&oracle, &options, &Silent))
                .expect("a judgement");
            for place in options.keeping().into_iter().filter(|&place| !options.candidates[place].choice().converting) {
                let expected = letting_go(&oracle, &spread, &options.after(place), plies, true);
                let found = judgement.figures[place].expect("a figure");
                assert!((found - expected).abs() < 1e-12, "{fen}, {plies} plies: {found} {expected}");
            }
        }
    }
    assert!(Levy::new(2, 1.5).is_err() && Levy::new(5, 0.1).is_err() && Levy::new(0, 0.1).is_err());
    // Where somebody wins it plays the best move.
    let oracle = support::oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position(STARTS[1])).expect("options");
    let judgement =
        Levy::new(2, 0.01).and_then(|mut levy| levy.judge(&oracle, &options, &Silent)).expect("a judgement");
    let chosen = (0..options.candidates.len()).filter(|&place| judgement.probabilities[place] > 0.0);
    assert_eq!(chosen.collect::<Vec<_>>(), options.optimal());
}

#[test]
fn a_player_moves_as_often_as_it_should() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/4K3/8/8/1k6/8/1r5Q w - - 0 1")).expect("options");
    let mut player = Player::new(Model::power_law(Kappa::ONE, Habits::default()), competence(2.0));
    let chances = player.judge(&oracle, &options, &Silent).expect("a judgement").probabilities;
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // By hand: v S_c over the sum, S_2 = (d + 1)^-2, or that of a draw, or of a loss.
    let (win, loss) = (options.states.deepest_win().0 + 2, options.states.deepest_loss().0 + 2);
    let preference = |state: State| match state {
        State::Win(depth) => f64::from(depth.0 + 1).powi(-2),
        State::Draw => f64::from(win).powi(-2),
        State::Loss(depth) => (f64::from(win) * f64::from(loss) / f64::from(depth.0 + 1)).powi(-2),
    };
    let sum: f64 = options.candidates.iter().map(|candidate| preference(candidate.state())).sum();
    for (chance, candidate) in chances.iter().zip(&options.candidates) {
        assert!(close(*chance, preference(candidate.state()) / sum, 1e-12));
    }
    // Drawn evenly, each move comes up in proportion.
    let draws = 100_000;
    let mut counts = vec![0_u32; chances.len()];
    (0..draws).for_each(|n| counts[pick(&chances, (f64::from(n) + 0.5) / f64::from(draws)).expect("a choice")] += 1);
    assert!(
        counts.iter().zip(&chances).all(|(&count, chance)| (f64::from(count) - chance * f64::from(draws)).abs() <= 1.0)
    );
}

#[test]
fn leanings_weigh_kinds_of_moves() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/4K3/8/8/1k6/8/1r5Q w - - 0 1")).expect("options");
    let weights = |text: &str| -> Vec<f64> {
        let leaning: Leaning = text.parse().expect("a leaning");
        let habits = Habits { leanings: vec![leaning], ..Habits::default() };
        habits.weigh(&options).expect("weights").iter().map(|candidate| candidate.weight()).collect()
    };
    let having = |text: &str, has: &dyn Fn(&Chess, shakmaty::Move) -> bool| {
        let weights = weights(text);
        for (place, candidate) in options.candidates.iter().enumerate() {
            let expected = if has(&options.after(place), candidate.choice().mv) { 3.0 } else { 1.0 };
            assert_eq!(weights[place], expected, "{text}: {}", candidate.choice().mv);
        }
        assert!(weights.contains(&3.0) && weights.contains(&1.0), "{text}");
    };
    having("check=3", &|after, _| after.is_check());
    having("capture=3", &|_, mv| mv.is_capture());
    having("king=3", &|_, mv| mv.role() == Role::King);
    let distance = |position: &Chess| {
        let king = |color| position.board().king_of(color).expect("a king");
        king(shakmaty::Color::White).distance(king(shakmaty::Color::Black))
    };
    having("approach=3", &|after, mv| mv.role() == Role::King && distance(after) < distance(&options.position));
    let free = |position: &Chess| position.legal_moves().iter().filter(|mv| mv.role() == Role::King).count();
    let before = free(&options.position.clone().swap_turn().expect("a position"));
    having("confine=3", &|after, _| free(after) < before);
}

#[test]
fn the_infallible_choose_among_equals_as_told() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1")).expect("options");
    let chosen = |ties: Ties| -> Vec<String> {
        let judgement = Infallible::new(ties).judge(&oracle, &options, &Silent).expect("a judgement");
        assert!((judgement.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let places = (0..options.candidates.len()).filter(|&place| judgement.probabilities[place] > 0.0);
        places.map(|place| options.candidates[place].choice().mv.to_string()).collect()
    };
    assert_eq!(chosen(Ties::UNIFORM).len(), 4);
    assert_eq!(chosen(Ties { pieces: vec![Role::Rook], first: false }).len(), 4);
    assert_eq!(chosen(Ties::FIRST), ["Ra4-e4"]);
    // 8...Kf4 or Ke5 in the first game: king moves both.
    let other = oracle.options(&position("8/3K4/8/5k2/4r3/3Q4/8/8 b - - 0 1")).expect("options");
    let judgement = Infallible::new(Ties::FIRST).judge(&oracle, &other, &Silent).expect("a judgement");
    let place = judgement.probabilities.iter().position(|&chance| chance == 1.0).expect("one move");
    assert_eq!(other.candidates[place].choice().mv.to_string(), "Kf5-f4");
}

/// Under DTR a move of the least dr need not get on: the infallible make those that do.
#[test]
fn the_infallible_get_on_under_dtr() {
    let oracle = oracle("KPK", Metric::Dtr);
    let mut at = position("8/8/4k3/8/4K3/8/4P3/8 b - - 0 1");
    let mut infallible = Infallible::new(Ties::FIRST);
    for ply in 0..200 {
        let options = oracle.options(&at).expect("options");
        if options.candidates.is_empty() {
            assert!(at.is_checkmate() && ply > 10);
            return;
        }
        let judgement = infallible.judge(&oracle, &options, &Silent).expect("a judgement");
        at = options.after(judgement.probabilities.iter().position(|&chance| chance == 1.0).expect("one move"));
    }
    panic!("no mate in a hundred moves");
}

/// Equals are equals under the metric, whatever comes after: a queen or a rook.
#[test]
fn conversions_are_alike_under_dtc() {
    let oracle = oracle("KPK", Metric::Dtc);
    let options = oracle.options(&position("8/4P3/8/8/4K3/8/8/k7 w - - 0 1")).expect("options");
    let judgement = Infallible::default().judge(&oracle, &options, &Silent).expect("a judgement");
    assert_eq!(judgement.probabilities.iter().filter(|&&chance| chance == 0.5).count(), 2);
}

/// Chances of 1e-31 are not all the same.
#[test]
fn a_small_chance_is_better_than_a_smaller_one() {
    let oracle = oracle("KQKQ", Metric::Dtc);
    let options = oracle.options(&position("8/8/8/3k4/8/1K6/1Q6/6q1 w - - 0 1")).expect("options");
    let belief = Belief::point(Model::power_law(Kappa::ONE, Habits::default()), competence(50.0));
    let judgement = Predator::new(belief, 2, Scope::Optimal)
        .and_then(|mut p| p.judge(&oracle, &options, &Silent))
        .expect("a judgement");
    let greatest = judgement.figures.iter().flatten().copied().fold(0.0, f64::max);
    assert!(greatest > 0.0 && greatest < 1e-20);
    for (figure, chance) in judgement.figures.iter().zip(&judgement.probabilities) {
        assert_eq!(*chance > 0.0, *figure == Some(greatest));
    }
}

#[test]
fn an_emulator_keeps_to_its_habits() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position("8/8/4K3/8/8/1k6/8/1r5Q w - - 0 1")).expect("options");
    let habits = Habits { leanings: vec!["queen=0".parse().expect("a leaning")], ..Habits::default() };
    let mut emulator = Emulator::new(Model::power_law(Kappa::ONE, habits), 10.0).expect("an emulator");
    let judgement = emulator.judge(&oracle, &options, &Silent).expect("a judgement");
    for (candidate, chance) in options.candidates.iter().zip(&judgement.probabilities) {
        assert!(*chance == 0.0 || candidate.choice().mv.role() == Role::King);
    }
}

/// Each of its moves is the one that brings the reference Analyser nearest to c, and over a game it stays near.
#[test]
fn an_emulator_looks_like_what_it_emulates() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let model = value_keeping();
    let mut emulator = Emulator::new(model.clone(), 12.0).expect("an emulator");
    let grid = Grid::new(0.0, 1.0, 24.0).expect("a grid");
    let reference = Analysis::new(model.clone(), grid, Prior::Uniform).expect("a prior");
    let mut seen = reference.analyser();
    let mut black: Box<dyn Agent> = "infallible:first"
        .parse::<AgentSpec>()
        .expect("an agent")
        .build(&AgentSetting {
            model: model.clone(),
            analysis: reference.clone(),
            rule: None,
            posteriors: BTreeMap::new(),
        })
        .expect("an agent");
    let mut at = position(STARTS[1]);
    for _ in 0..60 {
        let options = oracle.options(&at).expect("options");
        let judgement = emulator.judge(&oracle, &options, &Silent).expect("a judgement");
        let chosen = judgement.probabilities.iter().position(|&chance| chance > 0.0).expect("a choice");
        let apparent = |place: usize| {
            let mut after = seen.clone();
            let update = after.observe(&options, place).expect("an update");
            matches!(update, errare_choice::Update::Learned { .. }).then(|| after.posterior().mean())
        };
        let distance = |place: usize| apparent(place).map_or(f64::INFINITY, |c| (c - 12.0).abs());
        let least = (0..options.candidates.len()).map(distance).fold(f64::INFINITY, f64::min);
        assert!((distance(chosen) - least).abs() < 1e-9);
        emulator.watch(&options, chosen, true).expect("watching");
        let _ = seen.observe(&options, chosen).expect("an update");
        assert_eq!(emulator.seen(), seen.posterior());
        at = options.after(chosen);
        let theirs = oracle.options(&at).expect("options");
        if options.candidates[chosen].choice().converting || theirs.candidates.is_empty() {
            break;
        }
        let reply = black.judge(&oracle, &theirs, &Silent).expect("a judgement").probabilities;
        let reply = reply.iter().position(|&chance| chance > 0.0).expect("a reply");
        emulator.watch(&theirs, reply, false).expect("watching");
        at = theirs.after(reply);
    }
    assert!((seen.posterior().mean() - 12.0).abs() < 0.5, "{}", seen.posterior().mean());
    for c in [0.0, -1.0, f64::INFINITY] {
        assert!(Emulator::new(model.clone(), c).is_err());
    }
}

#[test]
fn a_predator_that_learns_ends_up_knowing() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let analysis = analysis(Kappa::ONE, Habits::holding_value());
    let mut learning = Predator::learning(&analysis, 2, Scope::Optimal).expect("a predator");
    let mut analyser = analysis.analyser();
    let options = oracle.options(&position(STARTS[0])).expect("options");
    for _ in 0..5 {
        learning.watch(&options, options.optimal()[0], false).expect("watching");
        // Its own moves teach it nothing.
        learning.watch(&options, 0, true).expect("watching");
        let _ = analyser.observe(&options, options.optimal()[0]).expect("an update");
    }
    let theirs = oracle.options(&position("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1")).expect("options");
    let mut knowing = Predator::new(analysis.belief(analyser.posterior()), 2, Scope::Optimal).expect("a predator");
    let judged = |predator: &mut Predator| predator.judge(&oracle, &theirs, &Silent).expect("a judgement");
    assert_eq!(judged(&mut learning), judged(&mut knowing));
}

#[test]
fn an_impossible_move_teaches_nothing() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let mut analyser = analysis(Kappa::ZERO_PLUS, Habits::holding_value()).analyser();
    let options = oracle.options(&position(STARTS[0])).expect("options");
    let conceding =
        (0..options.candidates.len()).find(|place| !options.keeping().contains(place)).expect("such a move");
    let before = analyser.posterior().clone();
    assert_eq!(analyser.observe(&options, conceding).expect("an update"), errare_choice::Update::Impossible);
    assert_eq!(*analyser.posterior(), before);
}

/// The book cannot be made from the list of agents, so it is compared with it.
#[test]
fn the_book_lists_all_agents() {
    let options = include_str!("../../../docs/src/uci.md");
    let names: Vec<&str> = AgentSpec::LIST.iter().map(|agent| agent.name).collect();
    let row = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    assert!(options.contains(&format!("who plays: {row} |")));
    assert!(options.contains(&format!("default player var {}\n", names.join(" var "))));
    let agents = include_str!("../../../docs/src/agents.md");
    for name in names {
        assert!(agents.contains(&format!("`{name}")), "{name}");
    }
}
