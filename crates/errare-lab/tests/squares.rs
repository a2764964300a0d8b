//! The values of all 64 squares, compared with one probe for each square.

use crate::common::LAB;
use errare_lab::{ProbeRequest, SquareFault, SquaresRequest, SquaresResponse, Text};
use errare_tables::Metric;
use errare_work::Silent;

/// One lab for all tests, so that tables are built once.
fn squares(fen: &str, square: &str, metric: Metric) -> SquaresResponse {
    let request =
        SquaresRequest { fen: fen.to_owned(), square: square.to_owned(), metric: Some(Text(metric)), source: None };
    LAB.run(&request, &Silent).unwrap()
}

/// A FEN as a list of men by square, written without the help of the library: a1 first.
fn board(fen: &str) -> Vec<char> {
    let ranks = fen.split(' ').next().unwrap().split('/').rev();
    let squares = |rank: &str| -> Vec<char> {
        rank.chars()
            .flat_map(|sign| match sign.to_digit(10) {
                Some(empty) => vec!['.'; empty as usize],
                None => vec![sign],
            })
            .collect()
    };
    ranks.flat_map(squares).collect()
}

fn fen(board: &[char], turn: &str) -> String {
    let ranks: Vec<String> =
        board.chunks(8).rev().map(|rank| rank.iter().collect::<String>().replace('.', "1")).collect();
    format!("{} {turn} - - 0 1", ranks.join("/"))
}

/// Compares all squares with probes, and counts the positions and the faults.
fn check(position: &str, square: &str, metric: Metric) -> (usize, usize) {
    let found = squares(position, square, metric);
    let names: Vec<String> = (1..=8).flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}"))).collect();
    let from = names.iter().position(|name| name == square).unwrap();
    let (before, turn) = (board(position), position.split(' ').nth(1).unwrap());
    assert_eq!((found.squares.len(), found.man), (64, before[from]));
    let mut counts = (0, 0);
    for (place, (there, name)) in found.squares.iter().zip(&names).enumerate() {
        assert_eq!(&there.square, name);
        let mut men = before.clone();
        men[from] = '.';
        let is_free = men[place] == '.';
        men[place] = before[from];
        let request = ProbeRequest { metric: Some(Text(metric)), ..ProbeRequest::new(fen(&men, turn)) };
        match (is_free, LAB.run(&request, &Silent)) {
            (true, Ok(probed)) => {
                assert_eq!(there.value, Some(probed.depth), "{name} of {position} in {metric}");
                assert_eq!(there.fen, Some(probed.fen));
                assert_eq!(there.phase_plies, probed.phase_plies.flatten());
                assert_eq!((there.fault, &there.reason), (None, &None));
                counts.0 += 1;
            }
            (true, Err(refused)) => {
                assert_eq!((there.value, &there.fen), (None, &None));
                assert_eq!(there.reason, Some(refused.to_string()), "{name} of {position}");
                assert!(there.fault.is_some_and(|fault| fault != SquareFault::Occupied));
                counts.1 += 1;
            }
            (false, _) => assert_eq!(there.fault, Some(SquareFault::Occupied), "{name} of {position}"),
        }
    }
    counts
}

#[test]
fn every_square_has_the_value_that_a_probe_gives() {
    let kqkr = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1";
    for square in ["h1", "a1", "c2", "c4"] {
        let (positions, faults) = check(kqkr, square, Metric::Dtm);
        // Black's rook may give check, as White is to move; every other man has squares on which it may not stand.
        assert!(positions > 20 && (faults > 0) == (square != "c4"), "{square}: {positions} positions, {faults} faults");
    }
    check("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1", "f4", Metric::Dtc);
    check("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "b2", Metric::Dtr);
    check("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "c3", Metric::DtzRule(10));
    // A pawn has no business on 16 squares.
    let (positions, faults) = check("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "e2", Metric::Dtz);
    assert_eq!((positions + faults, positions), (62, 45));
}

#[test]
fn faults_are_told_apart() {
    let found = squares("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "e2", Metric::Dtm);
    let fault = |square: &str| found.squares.iter().find(|there| there.square == square).unwrap().fault;
    assert_eq!(fault("e5"), Some(SquareFault::Occupied));
    assert_eq!(fault("a8"), Some(SquareFault::PawnRank));
    assert_eq!(fault("d4"), Some(SquareFault::KingCapture));
    assert_eq!(fault("e2"), None);
    let found = squares("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "e1", Metric::Dtm);
    let fault = |square: &str| found.squares.iter().find(|there| there.square == square).unwrap().fault;
    assert_eq!(fault("e4"), Some(SquareFault::KingsTouch));
}

#[test]
fn a_right_to_capture_en_passant_counts_where_the_man_stands() {
    let position = "8/8/8/8/3Pp3/8/k7/3K4 b - d3 0 1";
    let found = squares(position, "a2", Metric::Dtm);
    let here = found.squares.iter().find(|there| there.square == "a2").unwrap();
    let probed = LAB.run(&ProbeRequest::new(position), &Silent).unwrap();
    assert_eq!(here.value, Some(probed.depth));
    check("8/8/8/8/3Pp3/8/k7/3K4 b - - 0 1", "a2", Metric::Dtm);
}

#[test]
fn what_is_no_man_or_no_square_is_refused_in_words() {
    let refused = |square: &str| {
        let request = SquaresRequest {
            fen: "8/8/8/8/8/2k5/1R6/K7 w - - 0 1".to_owned(),
            square: square.to_owned(),
            metric: None,
            source: None,
        };
        LAB.run(&request, &Silent).unwrap_err().to_string()
    };
    assert_eq!(refused("h8"), "there is no man on h8: name the square of one");
    assert_eq!(refused("i9"), "invalid square `i9`: expected a1 to h8");
    assert!(refused(&"x".repeat(1000)).len() < 80);
}

#[test]
fn two_bare_kings_are_drawn_wherever_they_stand() {
    let (positions, _) = check("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1", Metric::Dtm);
    assert_eq!(positions, 60);
}

#[test]
fn a_probe_gives_several_metrics_side_by_side() {
    let position = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1";
    let metrics = [Metric::Dtc, Metric::DtzRule(50), Metric::Dtr];
    let request = ProbeRequest { also: metrics.map(Text).into(), ..ProbeRequest::new(position) };
    let found = LAB.run(&request, &Silent).unwrap();
    assert_eq!(found.also.len(), 3);
    for metric in metrics {
        let alone = ProbeRequest { metric: Some(Text(metric)), ..ProbeRequest::new(position) };
        let alone = LAB.run(&alone, &Silent).unwrap();
        assert_eq!(found.also[&metric.to_string()], alone.depth);
        for mv in &found.successors {
            let same = alone.successors.iter().find(|other| other.uci == mv.uci).unwrap();
            assert_eq!(mv.also[&metric.to_string()], same.depth, "{} in {metric}", mv.san);
        }
    }
}
