//! Games through two UCI processes go as `errare match` says: the same agents, asked in another way.

use crate::common::{DEEP_KQKR, run, shared, stdout};
use crate::dialogue::Dialogue;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position};

/// A KQKR game of R_20 against the infallible player, until something is taken or mate: White's moves.
fn game(white: &mut Dialogue, black: &mut Dialogue, start: &str) -> u32 {
    let fen: Fen = start.parse().unwrap();
    let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let mut moves = String::new();
    let mut made = 0;
    white.say("ucinewgame");
    black.say("ucinewgame");
    loop {
        assert!(!position.is_stalemate(), "{moves}");
        let mover = if position.turn() == Color::White { &mut *white } else { &mut *black };
        mover.say(&format!("position fen {start} moves{moves}"));
        let (best, _) = mover.go("wtime 60000 btime 60000");
        let mv = best.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        made += u32::from(position.turn() == Color::White);
        position.play_unchecked(mv);
        moves += &format!(" {best}");
        if mv.is_capture() || position.is_checkmate() {
            assert_eq!(position.turn(), Color::Black, "White wins: {moves}");
            return made;
        }
    }
}

/// The lengths of games as `match` has them, which ends with the conversion too.
fn by_match(start: &str, games: u32) -> Vec<u32> {
    let line = format!("match --white player:20 --black infallible --hold value --games {games} --seed 1 --format csv");
    let written = stdout(run(shared(), &line).arg("--fen").arg(start));
    let mut lengths = Vec::new();
    for row in written.lines().skip(1) {
        let numbers: Vec<u32> = row.split(',').take(2).map(|cell| cell.parse().unwrap()).collect();
        (0..numbers[1]).for_each(|_| lengths.push(numbers[0]));
    }
    assert_eq!(lengths.len(), games as usize, "{written}");
    lengths
}

/// The two-sided p-value of the Mann-Whitney test, by the normal approximation with ties.
fn mann_whitney(one: &[u32], two: &[u32]) -> f64 {
    let mut all: Vec<(u32, bool)> = one.iter().map(|&x| (x, true)).chain(two.iter().map(|&x| (x, false))).collect();
    all.sort_unstable();
    let (n1, n2, n) = (one.len() as f64, two.len() as f64, all.len() as f64);
    let (mut rank_sum, mut ties) = (0.0, 0.0);
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        let before = all.partition_point(|found| found.0 < group[0].0) as f64;
        let count = group.len() as f64;
        rank_sum += group.iter().filter(|found| found.1).count() as f64 * (before + (count + 1.0) / 2.0);
        ties += count.powi(3) - count;
    }
    let u = rank_sum - n1 * (n1 + 1.0) / 2.0;
    let variance = n1 * n2 / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    let z = (u - n1 * n2 / 2.0).abs() / variance.sqrt();
    complementary_error(z / std::f64::consts::SQRT_2)
}

/// erfc, to seven digits (Abramowitz and Stegun, 7.1.26).
fn complementary_error(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-x * x).exp()
}

fn games_agree(count: u32) {
    let start = DEEP_KQKR;
    let expected = by_match(start, 4000);
    stdout(&mut run(shared(), "table build KQK KRK --metric dtc"));
    let player = ["--option", "Competence=20", "--option", "Hold Value=true", "--option", "Seed=11"];
    let mut white = Dialogue::new(shared(), &player);
    let mut black = Dialogue::new(shared(), &["--option", "Agent=infallible", "--option", "Seed=5000011"]);
    let found: Vec<u32> = (0..count).map(|_| game(&mut white, &mut black, start)).collect();
    white.quit();
    black.quit();
    let mean = |lengths: &[u32]| lengths.iter().map(|&length| f64::from(length)).sum::<f64>() / lengths.len() as f64;
    let p = mann_whitney(&found, &expected);
    println!("{count} games: mean {:.2}; by match {:.2}; p = {p:.3}", mean(&found), mean(&expected));
    assert!(p > 0.01, "mean {} against {}, p = {p}", mean(&found), mean(&expected));
}

#[test]
fn games_are_as_long_as_those_of_match() {
    games_agree(60);
}

/// Takes a minute.
#[test]
#[ignore]
fn a_thousand_games_are_as_long_as_those_of_match() {
    games_agree(1000);
}

/// The figures of the test are those of scipy 1.17.1, and it can tell when games are a fifth shorter.
#[test]
fn the_comparison_tells_what_differs() {
    // mannwhitneyu(range(1, 21), range(6, 26), use_continuity=False, method='asymptotic')
    let (one, two): (Vec<u32>, Vec<u32>) = ((1..=20).collect(), (6..=25).collect());
    assert!((mann_whitney(&one, &two) - 0.017_857_976).abs() < 1e-6, "{}", mann_whitney(&one, &two));
    let lengths = by_match(DEEP_KQKR, 1000);
    let shorter: Vec<u32> = lengths.iter().map(|length| length * 4 / 5).collect();
    assert!(mann_whitney(&lengths, &shorter) < 1e-6);
}
