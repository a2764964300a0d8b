//! Games of a person against an agent: how they end, and that they are functions of their moves.

use crate::support::{analysis, ensure, position, tables};
use errare_choice::{Kappa, Outcome, State};
use errare_endgame::{
    AgentSetting, AgentSpec, DrawReason, EndgameError, Finish, Habits, Hold, MoveRule, Oracle, PlayConditions, PlayEnd,
    PlayEndReason, PlayedGame, Review, game_seed,
};
use errare_tables::{Library, Material, Metric, Tables};
use errare_work::{Cancel, Silent};
use shakmaty::{CastlingMode, Color, Position};
use std::collections::BTreeMap;
use std::sync::Arc;

const NO_MOVES: [&str; 0] = [];

fn setting() -> AgentSetting {
    let analysis = analysis(Kappa::ONE, Habits { hold: Hold::Nothing, ..Habits::default() });
    AgentSetting { model: analysis.model().clone(), analysis, rule: Some(50), posteriors: BTreeMap::new() }
}

/// A game from a position, with all tables that it may need.
fn conditions(fen: &str, human: Color, opponent: &str) -> PlayConditions {
    let start = position(fen);
    let (material, _) = Material::of_board(start.board());
    let opponent: AgentSpec = opponent.parse().expect("an agent");
    for (material, metric) in AgentSpec::tables_to_play([&opponent, &opponent], material, Metric::Dtc, false) {
        ensure(material, metric);
    }
    let library = tables("KRK", Metric::Dtc);
    let oracle = Arc::new(Oracle::new(Arc::clone(library) as _, Metric::Dtc));
    PlayConditions { oracle, start, human, opponent, setting: setting(), rule: MoveRule::FIFTY, seed: 7 }
}

fn replay(conditions: &PlayConditions, moves: &[impl AsRef<str>]) -> PlayedGame {
    conditions.replay(moves, None, &Silent).unwrap_or_else(|error| panic!("{error}"))
}

fn end(conditions: &PlayConditions, moves: &[impl AsRef<str>]) -> Option<PlayEnd> {
    let game = replay(conditions, moves);
    assert_eq!(game.end.is_some(), game.options.is_none(), "moves are listed while the game goes on");
    game.end
}

fn drawn(reason: DrawReason, claimed_by: Option<Color>) -> Option<PlayEnd> {
    Some(PlayEnd { reason: PlayEndReason::Draw(reason), winner: None, claimed_by })
}

fn names(game: &PlayedGame) -> Vec<String> {
    game.moves.iter().map(|made| made.mv.to_uci(CastlingMode::Standard).to_string()).collect()
}

#[test]
fn mate_stalemate_and_bare_kings_end_a_game() {
    let mate = conditions("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Color::White, "infallible");
    let expected = PlayEnd { reason: PlayEndReason::Mate, winner: Some(Color::White), claimed_by: None };
    assert_eq!(end(&mate, &["Qg7"]), Some(expected));
    let late = mate.replay(&["Qg7", "Kg8"], None, &Silent).expect_err("a move too many");
    assert_eq!(late.to_string(), "move 2 of the game, Kg8, comes after its end: leave it out");
    let over = mate.replay(&["Qg7"], Some(Finish::Resign), &Silent).expect_err("too late");
    assert!(matches!(over, EndgameError::AlreadyOver));
    let stalemate = conditions("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", Color::White, "infallible");
    assert_eq!(end(&stalemate, &["Qg6"]), drawn(DrawReason::Stalemate, None));
    let bare = conditions("8/8/8/8/8/8/1kR5/7K b - - 0 1", Color::Black, "infallible");
    assert_eq!(end(&bare, &["Kxc2"]), drawn(DrawReason::InsufficientMaterial, None));
}

#[test]
fn the_agent_moves_first_where_it_is_its_turn_and_may_end_the_game() {
    let mated = conditions("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Color::Black, "infallible");
    let game = replay(&mated, &NO_MOVES);
    assert!(game.has_reply && game.moves.len() == 1);
    let expected = PlayEnd { reason: PlayEndReason::Mate, winner: Some(Color::White), claimed_by: None };
    assert_eq!(game.end, Some(expected));
}

/// White to move wins; the clock of the FEN counts.
fn rook(clock: u32, human: Color) -> PlayConditions {
    conditions(&format!("8/8/8/8/8/2k5/1R6/K7 w - - {clock} 80"), human, "infallible")
}

#[test]
fn the_move_rule_is_claimed_by_who_is_not_winning() {
    assert_eq!(end(&rook(98, Color::White), &["Rb1"]), None, "99 plies after the move");
    let claimed = drawn(DrawReason::MoveRule, Some(Color::Black));
    assert_eq!(end(&rook(99, Color::White), &["Rb1"]), claimed);
    assert_eq!(end(&rook(149, Color::White), &["Rb1"]), drawn(DrawReason::MoveRule, None), "75 moves");
    // The agent wins and plays on; the person may claim, when it is time.
    let losing = rook(99, Color::Black);
    let game = replay(&losing, &NO_MOVES);
    assert_eq!((game.end, game.count.plies, game.count.claim()), (None, 100, Some(DrawReason::MoveRule)));
    let game = losing.replay(&NO_MOVES, Some(Finish::ClaimDraw), &Silent).expect("a draw");
    assert_eq!(game.end, claimed);
    let early = rook(97, Color::Black).replay(&NO_MOVES, Some(Finish::ClaimDraw), &Silent).expect_err("too early");
    let expected = "a draw cannot be claimed yet: 98 of the 100 plies of the 50-move rule have passed, and the position \
                    has occurred once (three times are needed)";
    assert_eq!(early.to_string(), expected);
    let free = PlayConditions { rule: MoveRule::NONE, ..rook(149, Color::White) };
    assert_eq!(end(&free, &["Rb1"]), None, "no rule, no draw");
}

#[test]
fn repetition_is_claimed_at_three_and_ends_the_game_at_five() {
    let shuffle = conditions("8/8/8/8/4k3/8/8/K6R w - - 0 1", Color::White, "infallible");
    let cycle = ["Rg1", "Ke5", "Rh1", "Ke4"];
    let moves = |cycles: usize| cycle.repeat(cycles);
    assert_eq!(replay(&shuffle, &moves(1)).count.repetitions, 2);
    assert!(shuffle.replay(&moves(1), Some(Finish::ClaimDraw), &Silent).is_err());
    let game = replay(&shuffle, &moves(2));
    assert_eq!((game.end, game.count.repetitions), (None, 3));
    let game = shuffle.replay(&moves(2), Some(Finish::ClaimDraw), &Silent).expect("a draw");
    assert_eq!(game.end, drawn(DrawReason::Repetition, Some(Color::White)));
    assert_eq!(end(&shuffle, &moves(4)), drawn(DrawReason::Repetition, None));
    // After the third Rg1 it is the losing agent that claims.
    let mut third = moves(2);
    third.push("Rg1");
    assert_eq!(end(&shuffle, &third), drawn(DrawReason::Repetition, Some(Color::Black)));
}

#[test]
fn a_person_may_resign() {
    let game = rook(0, Color::White).replay(&NO_MOVES, Some(Finish::Resign), &Silent).expect("an end");
    let expected = PlayEnd { reason: PlayEndReason::Resignation, winner: Some(Color::Black), claimed_by: None };
    assert_eq!(game.end, Some(expected));
    let review = Review::of(&game, Color::White).expect("a review");
    assert_eq!((review.theory, review.result), (Outcome::Win, Some(Outcome::Loss)));
    assert!(!review.is_enough && review.costliest.is_empty());
}

#[test]
fn play_goes_on_after_a_conversion() {
    // The rook is lost at once; the queen then mates.
    let game = conditions("8/8/8/8/8/k7/7r/K6Q w - - 0 1", Color::White, "infallible");
    let mut moves = vec!["Qxh2".to_owned()];
    loop {
        let state = replay(&game, &moves);
        moves = names(&state);
        let Some(options) = &state.options else {
            assert_eq!(state.end.map(|end| (end.reason, end.winner)), Some((PlayEndReason::Mate, Some(Color::White))));
            break;
        };
        assert_eq!(state.position.board().occupied().count(), 3);
        moves.push(options.candidates[options.optimal()[0]].choice().mv.to_uci(CastlingMode::Standard).to_string());
        assert!(moves.len() < 30);
    }
    let state = replay(&game, &moves);
    let review = Review::of(&state, Color::White).expect("a review");
    assert_eq!(
        (review.result, review.human.optimal, review.human.dropped),
        (Some(Outcome::Win), review.human.moves, 0)
    );
}

#[test]
fn a_game_ends_where_the_tables_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = Tables::new(Library::new(folder.path()), 1 << 30);
    built.ensure("KQKR".parse().expect("an endgame"), Metric::Dtc, &Silent).expect("tables");
    std::fs::remove_file(folder.path().join("KRK.dtc.egt")).expect("removed");
    let oracle = Arc::new(Oracle::new(Arc::new(Library::new(folder.path())), Metric::Dtc));
    let ours = conditions("8/8/8/8/8/1k6/7r/K1Q5 w - - 0 1", Color::White, "infallible");
    let game = PlayConditions { oracle, ..ours };
    // The queen can be taken, and nobody knows what comes then.
    let material = "KQKR".parse().expect("an endgame");
    let state = replay(&game, &["Qc2"]);
    assert_eq!(
        state.end,
        Some(PlayEnd { reason: PlayEndReason::LeftTables(material), winner: None, claimed_by: None })
    );
    assert_eq!(Review::of(&state, Color::White).expect("a review").result, None);
}

/// Plays a game with agents that live through it, and compares it with replays that begin anew at every move.
fn is_a_function_of_its_moves(opponent: &str) {
    let game = conditions("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", Color::White, opponent);
    let mut agent = game.opponent.build(&game.setting).expect("an agent");
    let mut board = game.start.clone();
    let mut moves: Vec<String> = Vec::new();
    for ply in 0..24_u64 {
        let options = game.oracle.options(&board).expect("moves");
        if options.candidates.is_empty() {
            break;
        }
        let own = board.turn() == Color::Black;
        let chosen = if own {
            let judgement = agent.judge(&game.oracle, &options, &Silent).expect("a judgement");
            judgement.pick_by_seed(game_seed(game.seed, ply)).expect("a move")
        } else {
            // Sometimes a person errs.
            let keeping = options.keeping();
            let best = options.optimal()[0];
            if ply % 6 == 4 { keeping[keeping.len() / 2] } else { best }
        };
        agent.watch(&options, chosen, own).expect("seen");
        let mv = options.candidates[chosen].choice().mv;
        let name = mv.to_uci(CastlingMode::Standard).to_string();
        if own {
            let state = replay(&game, &moves);
            assert_eq!(names(&state).last(), Some(&name), "{opponent}, ply {ply}");
            assert!(state.has_reply);
        }
        moves.push(name);
        board.play_unchecked(mv);
    }
    // The state after fewer moves is the beginning of the state after more.
    let whole = replay(&game, &moves);
    for count in (0..moves.len()).step_by(2) {
        let part = replay(&game, &moves[..count]);
        assert!(!part.has_reply);
        assert_eq!(names(&part), names(&whole)[..count]);
        for (one, other) in part.moves.iter().zip(&whole.moves) {
            assert_eq!((one.conceded, one.after, one.apparent), (other.conceded, other.after, other.apparent));
        }
        let again = replay(&game, &moves[..count]);
        assert_eq!(again.posterior, part.posterior);
    }
}

#[test]
fn replies_are_those_of_agents_that_live_through_the_game() {
    for opponent in ["player:12", "infallible", "predator", "predator:20", "emulator:20", "levy", "strategy:SR3*"] {
        is_a_function_of_its_moves(opponent);
    }
}

#[test]
fn a_learning_predator_replies_by_what_it_has_seen() {
    // The prior of the analysis is its first belief: against weak and strong players it defends differently.
    let fen = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";
    let game = conditions(fen, Color::White, "predator");
    let reply = |mean: f64| {
        let prior = errare_choice::Prior::Normal { mean, sd: 0.5 };
        let grid = errare_choice::Grid::new(0.0, 1.0, 50.0).expect("a grid");
        let setting = setting();
        let analysis = errare_endgame::Analysis::new(setting.model.clone(), grid, prior).expect("an analysis");
        let game = PlayConditions { setting: AgentSetting { analysis, ..setting }, ..game.clone() };
        names(&replay(&game, &NO_MOVES))
    };
    assert_ne!(reply(2.0), reply(40.0), "Browne against BELLE: Ra4 against the weak, Re4 against the strong");
}

#[test]
fn reviews_name_what_was_given_away() {
    let stalemate = conditions("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1", Color::White, "infallible");
    let game = replay(&stalemate, &["Qg6"]);
    let review = Review::of(&game, Color::White).expect("a review");
    assert_eq!((review.theory, review.result), (Outcome::Win, Some(Outcome::Draw)));
    assert_eq!((review.human.moves, review.human.optimal, review.human.dropped), (1, 0, 1));
    assert_eq!(review.costliest, [0]);
    let blunder = &game.moves[0];
    assert_eq!((blunder.conceded, blunder.after), (None, State::Draw));
    assert!(matches!(blunder.before, State::Win(_)) && !blunder.optimal.is_empty());
    assert_eq!(Review::of(&replay(&stalemate, &NO_MOVES), Color::White).map(|review| review.theory), None);
}

#[test]
fn wrong_moves_are_named_and_work_can_be_stopped() {
    let game = rook(0, Color::White);
    let wrong = game.replay(&["Rb1", "Kd2", "Rx9"], None, &Silent).expect_err("no such square");
    assert_eq!(wrong.to_string(), "move 3 of the game: Rx9: no such square as x9");
    let stopped = Cancel::new();
    stopped.cancel();
    let error = game.replay(&["Rb1"], None, &stopped).expect_err("stopped");
    assert!(matches!(error, EndgameError::Cancelled(_)));
}
