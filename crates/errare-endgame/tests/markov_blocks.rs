//! The Markov model with a block for each endgame, against going through all positions one by one.

use crate::support::{competence, ensure, tables};
use errare_choice::{Competence, Depth, Kappa, State, StochasticMatrix};
use errare_endgame::{BlockModel, BlockOpponent, Blocks, EndgameError, Habits, Model, Oracle};
use errare_tables::{Cells, Extent, Library, Material, Metric, Source, tables_to_mate};
use errare_work::Silent;
use shakmaty::{Chess, Color, Position};
use std::collections::HashMap;
use std::sync::Arc;

fn library(name: &str, metric: Metric) -> (&'static Arc<Library>, Material) {
    let material: Material = name.parse().expect("an endgame");
    tables_to_mate(material, [metric]).into_iter().for_each(|(material, metric)| ensure(material, metric));
    (tables(name, metric), material)
}

/// A state in words that do not depend on how the model numbers states: the men, with White's first, and the value as
/// White sees it.
type Named = (String, Option<State>);

/// How a position counts: won and lost games are one state each, and so are those that nobody can win.
fn named(oracle: &Oracle, position: &Chess) -> Named {
    let (material, swapped) = Material::of_board(position.board());
    let value = if position.is_game_over() {
        match position.is_checkmate() {
            true => State::Loss(Depth(0)),
            false => return ("drawn".to_owned(), None),
        }
    } else if material.men() == 2 || oracle.states(material).expect("states").count() == 3 {
        return ("drawn".to_owned(), None);
    } else {
        oracle.state(position).expect("a state")
    };
    let for_white = if position.turn() == Color::White { value } else { value.reversed() };
    match for_white {
        State::Win(Depth(0)) | State::Loss(Depth(0)) => ("over".to_owned(), Some(for_white)),
        _ => (material.oriented(swapped), Some(for_white)),
    }
}

/// The average chances of going from state to state with one side to move, every position gone through by itself.
fn averages(
    oracle: &Oracle,
    endgames: &[(Material, bool)],
    mover: Color,
    chances: &dyn Fn(&Chess) -> Vec<f64>,
) -> HashMap<Named, HashMap<Named, f64>> {
    let mut sums: HashMap<Named, HashMap<Named, f64>> = HashMap::new();
    for &(material, swapped) in endgames {
        let cells = Cells::new(material, Extent::Whole).expect("men");
        for position in (0..cells.count()).filter_map(|n| cells.position(n)) {
            // The side named first is White here.
            let turn = if swapped { position.turn().other() } else { position.turn() };
            if turn != mover || position.is_game_over() {
                continue;
            }
            // Each placement on the 64 squares counts, however many of them are images of each other.
            let times = images(&position) as f64;
            let seen = |position: &Chess| -> Named {
                let (men, state) = named(oracle, position);
                let state = if swapped { state.map(State::reversed) } else { state };
                // Names of men with White of the endgame asked about first.
                let men = if swapped && men.starts_with('K') { turned(&men) } else { men };
                (men, state)
            };
            let row = sums.entry(seen(&position)).or_default();
            for (mv, chance) in position.legal_moves().into_iter().zip(chances(&position)) {
                let mut after = position.clone();
                after.play_unchecked(mv);
                *row.entry(seen(&after)).or_default() += times * chance;
            }
        }
    }
    for row in sums.values_mut() {
        let total: f64 = row.values().sum();
        row.values_mut().for_each(|chance| *chance /= total);
    }
    sums
}

/// KQKR as KRKQ.
fn turned(men: &str) -> String {
    let second = men.rfind('K').expect("two kings");
    format!("{}{}", &men[second..], &men[..second])
}

/// The number of placements that the symmetries of the board make of one.
fn images(position: &Chess) -> usize {
    let board = position.board();
    let mut found = vec![board.clone()];
    let flips: &[fn(&mut shakmaty::Board)] = match board.pawns().is_empty() {
        true => &[shakmaty::Board::flip_horizontal, shakmaty::Board::flip_vertical, shakmaty::Board::flip_diagonal],
        false => &[shakmaty::Board::flip_horizontal],
    };
    for flip in flips {
        for mut image in found.clone() {
            flip(&mut image);
            if !found.contains(&image) {
                found.push(image);
            }
        }
    }
    found.len()
}

/// Compares a matrix of the model, in White's numbers, with averages; returns the number of chances compared.
fn compare(blocks: &Blocks, matrix: &StochasticMatrix, expected: &HashMap<Named, HashMap<Named, f64>>) -> usize {
    let place = |(men, state): &Named| match state {
        None => blocks.drawn(),
        Some(State::Win(Depth(0))) => blocks.won(),
        Some(State::Loss(Depth(0))) => blocks.lost(),
        Some(state) => {
            let is_it = |block: &errare_endgame::Block| block.material.oriented(block.swapped) == *men;
            let block = blocks.list().iter().position(is_it).unwrap_or_else(|| panic!("no block for {men}"));
            blocks.number(block, *state)
        }
    };
    let mut seen = 0;
    for (from, row) in expected {
        if matches!(from.1, None | Some(State::Win(Depth(0)) | State::Loss(Depth(0)))) {
            continue;
        }
        let found = matrix.row(place(from));
        for (to, &chance) in row {
            let error = (found[place(to)] - chance).abs();
            assert!(error < 1e-12, "{from:?} to {to:?}: {}, one by one {chance}", found[place(to)]);
            seen += usize::from(chance > 0.0);
        }
    }
    seen
}

/// Every chance of both sides is the average over all positions, and lengths are what stepping through these averages
/// comes to.
fn agrees(name: &str, metric: Metric, c: f64) {
    let (library, material) = library(name, metric);
    let oracle = Oracle::new(Arc::clone(library) as Arc<dyn Source>, metric);
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let blocks = Blocks::new(library, material, metric, Color::White, &Silent).expect("blocks");
    let endgames: Vec<(Material, bool)> = blocks.list().iter().map(|block| (block.material, block.swapped)).collect();
    let own = BlockModel::new(library, blocks.clone(), &model, &[competence(c)], &Silent).expect("a model");
    let opponent = BlockOpponent::infallible(library, &blocks, &Silent).expect("an opponent");
    let ours = averages(&oracle, &endgames, Color::White, &|position| {
        let options = oracle.options(position).expect("moves");
        model.probabilities(&options, competence(c)).expect("chances")
    });
    let theirs = averages(&oracle, &endgames, Color::Black, &|position| {
        let options = oracle.options(position).expect("moves");
        let best = options.optimal();
        (0..options.candidates.len()).map(|at| f64::from(u8::from(best.contains(&at))) / best.len() as f64).collect()
    });
    let seen =
        compare(&blocks, &own.matrix(0).expect("a matrix"), &ours) + compare(&blocks, opponent.matrix(), &theirs);
    assert!(seen > 300, "{name}: {seen} chances");
    // Expected numbers of moves, by going on until hardly any game is left.
    let mut lengths: HashMap<Named, f64> = HashMap::new();
    let of = |lengths: &HashMap<Named, f64>, state: &Named| lengths.get(state).copied().unwrap_or(0.0);
    for _ in 0..3000 {
        let reply = |state: &Named| match theirs.get(state) {
            Some(row) => row.iter().map(|(to, chance)| chance * of(&lengths, to)).sum(),
            None => 0.0,
        };
        let wins = ours.iter().filter(|((_, state), _)| matches!(state, Some(State::Win(_))));
        lengths = wins
            .map(|(from, row)| {
                let on = |to: &Named| if to.0 == "over" || to.0 == "drawn" { 0.0 } else { reply(to) };
                (from.clone(), 1.0 + row.iter().map(|(to, chance)| chance * on(to)).sum::<f64>())
            })
            .collect();
    }
    let contest = own.against(0, &opponent).expect("a contest");
    let (outlooks, condition) = contest.solve(&blocks, &[50], &Silent).expect("a solution");
    assert!(condition >= 1.0);
    let mut compared = 0;
    for (block, outlook) in blocks.list().iter().zip(&outlooks) {
        for (depth, &length) in outlook.lengths.iter().enumerate().skip(1) {
            let state = State::Win(Depth(depth as u16));
            let Some(&expected) = lengths.get(&(block.material.oriented(block.swapped), Some(state))) else { continue };
            assert!((length - expected).abs() < 1e-6 * expected, "{block:?} {depth}: {length}, stepping {expected}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{name}: {compared} lengths");
}

#[test]
fn play_goes_on_after_promotions() {
    agrees("KPK", Metric::Dtm, 12.0);
}

#[test]
fn play_goes_on_by_dtr() {
    agrees("KPK", Metric::Dtr, 12.0);
}

#[test]
#[ignore = "goes through all positions of four men one by one"]
fn play_goes_on_after_captures_of_either_side() {
    agrees("KQKR", Metric::Dtm, 20.0);
    agrees("KRKN", Metric::Dtm, 25.0);
}

/// Who never errs mates in as many moves as the depth says, through all endgames.
#[test]
fn the_infallible_take_as_long_as_the_depth() {
    let (library, material) = library("KPK", Metric::Dtm);
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let blocks = Blocks::new(library, material, Metric::Dtm, Color::White, &Silent).expect("blocks");
    let opponent = BlockOpponent::infallible(library, &blocks, &Silent).expect("an opponent");
    let own = BlockModel::new(library, blocks, &model, &[Competence::INFALLIBLE], &Silent).expect("a model");
    let (outlooks, _) =
        own.against(0, &opponent).and_then(|contest| contest.solve(own.blocks(), &[5], &Silent)).expect("a solution");
    let names: Vec<String> = own.blocks().list().iter().map(|block| block.material.to_string()).collect();
    assert_eq!(names, ["KPK", "KQK", "KRK", "KBK", "KNK"]);
    for outlook in &outlooks[..3] {
        for (depth, &length) in outlook.lengths.iter().enumerate() {
            let within = f64::from(u8::from(depth <= 5));
            assert!((length - depth as f64).abs() < 1e-12 && outlook.sds[depth] < 1e-12, "{depth}: {length}");
            assert!((outlook.win_within[0][depth] - within).abs() < 1e-12, "{depth}");
        }
    }
    assert_eq!(outlooks[0].lengths.len(), 29);
}

#[test]
fn what_is_refused() {
    let (library, material) = library("KQK", Metric::Dtc);
    let refused = Blocks::new(library, material, Metric::Dtc, Color::White, &Silent).expect_err("no conversions");
    assert!(matches!(refused, EndgameError::BlockMetric), "{refused}");
}
