//! Infallible play to DTR always ends: along its moves a measure falls that cannot fall for ever.
//!
//! The measure of a position is the number of zeroing moves still possible, then its DTR, then the plies to the end of
//! its phase. It falls with every optimal move of the winner and with every move of the loser, optimal or not. Whole
//! endgames are gone through, so no game between such players can be longer than the measure allows.

use crate::support::{oracle, position, tables};
use errare_endgame::{Agent, Goals, Infallible, Situation, Strategy};
use errare_tables::{Arrival, Cells, Extent, Material, Metric, Outcome, Plies, Surveyor, Value, survey};
use errare_work::Silent;
use shakmaty::{Color, Position};

/// The greatest DTR whose pairs with a phase can be told apart in a class of 16 bits.
const MAX_DEPTH: u16 = 178;

/// Goes through the positions of one side to move and counts those where the measure does not fall.
struct Measure {
    /// DTR and phase of each pair, by number.
    pairs: Vec<(u16, u16)>,
}

#[derive(Default)]
struct Found {
    decided: u64,
    stuck: u64,
}

impl Measure {
    fn new() -> Measure {
        Measure { pairs: (0..=MAX_DEPTH).flat_map(|depth| (0..=depth).map(move |phase| (depth, phase))).collect() }
    }

    /// The class of a value: 0 for a draw, else its pair with two bits.
    fn class(value: Value, zeroing: bool) -> u16 {
        let (Plies(depth), Plies(phase)) = (value.plies, value.phase);
        if value.outcome == Outcome::Draw {
            return 0;
        }
        assert!(depth <= MAX_DEPTH && phase <= depth, "{value:?}");
        1 + 4 * (depth * (depth + 1) / 2 + phase) + 2 * u16::from(value.outcome == Outcome::Win) + u16::from(zeroing)
    }

    fn arrival_of(&self, class: u16) -> Option<Arrival> {
        let code = class.checked_sub(1)?;
        let (depth, phase) = self.pairs[usize::from(code / 4)];
        let outcome = if code & 2 == 0 { Outcome::Loss } else { Outcome::Win };
        let value = Value { outcome, plies: Plies(depth), phase: Plies(phase) };
        Some(Arrival { value, zeroing: code & 1 == 1, converting: false, stalemate: false })
    }
}

fn measure(value: &Value) -> (u16, u16) {
    (value.plies.0, value.phase.0)
}

impl Surveyor for Measure {
    type Sheet = Found;

    fn sheet(&self) -> Found {
        Found::default()
    }

    fn position(&self, value: Value) -> u16 {
        Measure::class(value, false)
    }

    fn arrival(&self, arrival: Arrival) -> u16 {
        Measure::class(arrival.value, arrival.zeroing)
    }

    fn record(&self, found: &mut Found, position: u16, arrivals: &[u16], _: f64) {
        let Some(Arrival { value: before, .. }) = self.arrival_of(position) else { return };
        if arrivals.is_empty() {
            return;
        }
        found.decided += 1;
        let falls = |arrival: &Arrival| arrival.zeroing || measure(&arrival.value) < measure(&before);
        let after = || arrivals.iter().filter_map(|&class| self.arrival_of(class));
        let is_stuck = if before.outcome == Outcome::Win {
            let kept = || after().filter(|arrival| arrival.value.outcome == Outcome::Win);
            let least = kept().map(|arrival| measure(&arrival.ranked(Metric::Dtr))).min();
            !kept()
                .filter(|arrival| Some(measure(&arrival.ranked(Metric::Dtr))) == least)
                .all(|arrival| falls(&arrival))
        } else {
            !after().all(|arrival| falls(&arrival))
        };
        found.stuck += u64::from(is_stuck);
    }
}

/// Goes through all positions of an endgame, with either side to move.
fn falls_everywhere(name: &str) {
    let material: Material = name.parse().expect("an endgame");
    let library = tables(name, Metric::Dtr);
    for turn in Color::ALL {
        let sheets = survey(library, material, Metric::Dtr, turn, &Measure::new(), &Silent).expect("a survey");
        let decided: u64 = sheets.iter().map(|found| found.decided).sum();
        let stuck: u64 = sheets.iter().map(|found| found.stuck).sum();
        assert!(decided > 0 || turn == Color::Black, "{name}");
        assert_eq!(stuck, 0, "{name}, {turn} to move: of {decided} decided positions");
    }
}

#[test]
#[ignore = "slow: make test-full"]
fn play_to_dtr_ends_in_small_endgames() {
    ["KPK", "KRKP", "KBPK"].into_iter().for_each(falls_everywhere);
}

#[test]
#[ignore = "three five-man endgames and all that comes after them: minutes"]
fn play_to_dtr_ends_in_five_man_endgames() {
    ["KNNKP", "KBBKN", "KQPKQ"].into_iter().for_each(falls_everywhere);
}

/// The moves that an oracle calls optimal are those of which the above is shown, and those of the strategy SRP.
#[test]
fn optimal_moves_make_progress() {
    let oracle = oracle("KRKP", Metric::Dtr);
    tables("KRKP", Metric::Dtz);
    let strategy: Strategy = "SRP".parse().expect("a strategy");
    let extent = Extent::Sample { placements: 20_000, seed: 3 };
    let cells = Cells::new("KRKP".parse().expect("an endgame"), extent).expect("an endgame with men");
    let mut checked = 0;
    for position in (0..cells.count()).filter_map(|cell| cells.position(cell)) {
        let before = oracle.source().value(&position, Metric::Dtr).expect("a value");
        if before.outcome != Outcome::Win {
            continue;
        }
        let options = oracle.options(&position).expect("options");
        let optimal = options.optimal();
        for &place in &optimal {
            let after = options.after(place);
            let value = oracle.source().value(&after, Metric::Dtr).expect("a value");
            let is_zeroing = options.candidates[place].choice().mv.is_zeroing();
            assert!(is_zeroing || measure(&value) < measure(&before), "{before:?} {value:?}: {position:?}");
            checked += 1;
        }
        let situation = Situation::new(&**oracle.source(), &position, Some(50)).expect("a situation");
        assert_eq!(strategy.select(&situation, &mut Goals::default()).expect("a choice"), optimal);
    }
    assert!(checked > 1000, "{checked}");
}

/// A win of two knights in which the moves of the least DTR *through* them go round in circles.
#[test]
#[ignore = "KNNKP and all that comes after it: a minute"]
fn two_knights_mate_by_dtr() {
    let oracle = oracle("KNNKP", Metric::Dtr);
    for seed in 0..20 {
        let mut position = position("8/K7/p2N4/8/2N2k2/8/8/8 w - - 0 1");
        let mut plies = 0;
        loop {
            let options = oracle.options(&position).expect("options");
            if options.candidates.is_empty() {
                break;
            }
            let judgement = Infallible::default().judge(&oracle, &options, &Silent).expect("a judgement");
            position = options.after(judgement.pick_by_seed(1000 * seed + plies).expect("a move"));
            plies += 1;
            assert!(plies < 200, "game {seed} does not end");
        }
        assert!(position.is_checkmate() && plies > 88, "game {seed}: {plies} plies");
    }
}
