//! The client against a real engine.

#![cfg(feature = "stockfish-tests")]

use errare_uci::Score;
use errare_uci::client::{Analysis, Engine, EngineConfig, Limit, Lines, OptionKind, PositionRequest, Search};
use errare_work::{Cancel, Silent};
use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

/// In this position Black has 13 replies to each of White's 21 moves, or so.
const KQKR: &str = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1";

fn stockfish() -> Engine {
    let command = std::env::var("ERRARE_STOCKFISH").unwrap_or_else(|_| "stockfish".to_owned());
    Engine::start(&EngineConfig::new(command).option("Threads", "1").option("Hash", "64"), &Silent).unwrap()
}

fn position(fen: &str) -> PositionRequest {
    PositionRequest::from_fen(fen).unwrap()
}

fn all_to_depth(depth: u32) -> Search {
    Search::new(Limit::Depth(depth)).lines(Lines::All)
}

/// First move and score of each line, as `e2e4:31` or `e2e4:#-3`.
fn told(analysis: &Analysis) -> Vec<String> {
    let score = |score: Score| match score {
        Score::Centipawns(hundredths) => hundredths.to_string(),
        Score::Mate(moves) => format!("#{moves}"),
    };
    analysis.lines.iter().map(|line| format!("{}:{}", line.pv[0], score(line.score))).collect()
}

#[test]
fn it_introduces_itself() {
    let engine = stockfish();
    assert!(engine.identity().name.starts_with("Stockfish"));
    assert!(engine.identity().author.contains("Stockfish developers"));
    let kind = |name: &str| &engine.options().iter().find(|option| option.name == name).unwrap().kind;
    assert!(matches!(kind("MultiPV"), OptionKind::Spin { default: Some(1), min: Some(1), max: Some(_) }));
    assert!(matches!(kind("Hash"), OptionKind::Spin { default: Some(16), .. }));
    assert_eq!(kind("Clear Hash"), &OptionKind::Button);
    assert_eq!(kind("Ponder"), &OptionKind::Check { default: Some(false) });
    assert!(engine.quit(&Silent));
}

#[test]
fn every_legal_move_is_told_to_one_depth() {
    let mut engine = stockfish();
    let analysis = engine.analyse(&position(KQKR), &all_to_depth(6), &Silent).unwrap();
    assert!(analysis.is_complete);
    assert_eq!(analysis.lines.len(), 21);
    assert!(analysis.lines.iter().all(|line| line.depth == 6 && line.nodes.is_some() && line.time.is_some()));
    assert_eq!(analysis.lines.iter().map(|line| line.pv[0]).collect::<HashSet<_>>().len(), 21);
    assert_eq!(Some(analysis.lines[0].pv[0]), analysis.best);
    let three =
        engine.analyse(&position(KQKR), &Search::new(Limit::Nodes(20_000)).lines(Lines::Count(3)), &Silent).unwrap();
    assert_eq!(three.lines.len(), 3);
}

#[test]
fn where_the_game_is_over_there_is_no_move() {
    let mut engine = stockfish();
    let mate = engine.analyse(&position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), &all_to_depth(4), &Silent).unwrap();
    assert_eq!((mate.best, mate.lines[0].score), (None, Score::Mate(0)));
    let stalemate = engine.analyse(&position("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), &all_to_depth(4), &Silent).unwrap();
    assert_eq!((stalemate.best, stalemate.lines[0].score), (None, Score::Centipawns(0)));
}

#[test]
fn a_new_game_makes_what_it_finds_repeatable() {
    let (mut one, mut two) = (stockfish(), stockfish());
    let ask = |engine: &mut Engine, fen: &str| {
        engine.new_game(&Silent).unwrap();
        told(&engine.analyse(&position(fen), &all_to_depth(8), &Silent).unwrap())
    };
    let other = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let first = ask(&mut one, KQKR);
    assert_eq!(ask(&mut two, other).len(), 27);
    assert_eq!(ask(&mut two, KQKR), first);
    assert_eq!(ask(&mut one, KQKR), first);
}

#[test]
fn chances_are_told_if_it_shows_them() {
    let mut engine = stockfish();
    engine.set_option("UCI_ShowWDL", "true", &Silent).unwrap();
    let analysis =
        engine.analyse(&position(KQKR), &Search::new(Limit::MoveTime(Duration::from_millis(50))), &Silent).unwrap();
    let wdl = analysis.lines[0].wdl.unwrap();
    assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
}

#[test]
fn a_search_without_end_is_stopped() {
    let mut engine = stockfish();
    let flag = Cancel::new();
    let raise = flag.clone();
    let began = Instant::now();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(300));
            raise.cancel();
        });
        let endless = Search::new(Limit::Depth(200)).lines(Lines::All).until(&flag);
        let analysis = engine.analyse(&PositionRequest::new(shakmaty::Chess::default()), &endless, &Silent).unwrap();
        assert!(analysis.best.is_some() && analysis.is_complete);
        let depth = analysis.lines[0].depth;
        assert_eq!(analysis.lines.len(), 20);
        assert!(analysis.lines.iter().all(|line| line.depth == depth));
    });
    assert!(began.elapsed() < Duration::from_secs(10));
}

/// Evaluations that another program took down, to the last move and centipawn.
#[cfg(feature = "stockfish-15-1")]
#[test]
fn evaluations_are_reproduced() {
    let mut engine = stockfish();
    let turns = include_str!("data/stockfish_15_1.csv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut count = 0;
    for turn in turns {
        let [_, fen, lines] = turn.splitn(3, ',').collect::<Vec<_>>()[..] else { panic!("{turn}") };
        engine.new_game(&Silent).unwrap();
        let analysis = engine.analyse(&position(fen), &all_to_depth(10), &Silent).unwrap();
        assert_eq!(told(&analysis), lines.split(' ').collect::<Vec<_>>(), "{fen}");
        count += 1;
    }
    assert_eq!(count, 3);
}
