//! Matches: the experiment of Andrist and Haworth (2005), and that nothing but the seed decides.

use crate::support::{STARTS, analysis, oracle, position};
use errare_choice::{Kappa, State};
use errare_endgame::{
    AgentSetting, AgentSpec, Ending, EnginePools, Habits, Hold, Match, MatchStart, Model, Played, Reason, Schedule,
};
use errare_tables::Metric;
use errare_work::Silent;
use rayon::prelude::*;
use shakmaty::{ByColor, Color, Position};
use std::collections::BTreeMap;

fn agent(text: &str) -> AgentSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Games of an endgame from a position.
fn play(endgame: &str, fen: &str, agents: [&str; 2], games: u64, seed: u64, hold: Hold) -> Vec<Played> {
    play_with(false, endgame, fen, agents, games, seed, hold)
}

fn play_with(
    repetition: bool,
    endgame: &str,
    fen: &str,
    agents: [&str; 2],
    games: u64,
    seed: u64,
    hold: Hold,
) -> Vec<Played> {
    let oracle = oracle(endgame, Metric::Dtc);
    let model = Model::power_law(Kappa::ONE, Habits { hold, ..Habits::default() });
    let analysis = analysis(Kappa::ONE, Habits { hold, ..Habits::default() });
    let start = position(fen);
    let state = oracle.state(&start).expect("a state");
    let contest = Match {
        oracle,
        agents: ByColor { white: agent(agents[0]), black: agent(agents[1]) },
        setting: AgentSetting { model, analysis: analysis.clone(), rule: None, posteriors: BTreeMap::new() },
        analysis,
        engines: EnginePools::new(),
        starts: vec![MatchStart {
            position: start,
            ending: Ending { repetition, ..Ending::usual(Metric::Dtc, state) },
        }],
        schedule: Schedule { starts: 1, games, both_colours: false },
        seed,
        keep_moves: true,
    };
    (0..games)
        .into_par_iter()
        .map(|number| contest.play(number, &Silent).expect("a game").result.expect("no engine"))
        .collect()
}

fn mean_and_sd(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / count;
    (mean, (numbers.map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt())
}

/// R_20 against the infallible: exactly 102.425 moves on average with a deviation of 49.733, by another program that
/// solved the game position by position.
#[test]
fn a_thousand_games_from_each_start() {
    for fen in STARTS {
        let games = play("KQKR", fen, ["player:20", "infallible"], 1000, 2005, Hold::Wins);
        let (mean, sd) = mean_and_sd(games.iter().map(|game| f64::from(game.length())));
        let error = 49.733 / 1000_f64.sqrt();
        assert!((mean - 102.425).abs() < 3.0 * error, "{mean}");
        assert!((sd - 49.733).abs() < 6.0, "{sd}");
        let (apparent, _) = mean_and_sd(games.iter().map(|game| game.apparent.white));
        assert!((21.1..=21.8).contains(&apparent), "{apparent}");
        assert!(games.iter().all(|game| game.winner == Some(Color::White) && game.first_concession.is_none()));
        assert!(games.iter().all(|game| matches!(game.reason, Reason::Conversion | Reason::Mate)));
    }
}

/// A defender that always makes the same move among equals, rook moves first: 93 to 96 moves, as recomputed.
#[test]
fn ties_matter() {
    let games = play("KQKR", STARTS[1], ["player:20", "infallible:rook,first"], 1500, 7, Hold::Wins);
    let (mean, sd) = mean_and_sd(games.iter().map(|game| f64::from(game.length())));
    let error = sd / 1500_f64.sqrt();
    assert!((93.0 - 2.0 * error..96.0 + 2.0 * error).contains(&mean), "{mean}");
}

#[test]
fn only_the_seed_decides() {
    let agents = ["player:15", "player:5"];
    let once = play("KQKR", STARTS[0], agents, 40, 3, Hold::Nothing);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let again = pool.install(|| play("KQKR", STARTS[0], agents, 40, 3, Hold::Nothing));
    let moves = |games: &[Played]| games.iter().map(|game| game.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&once), moves(&again));
    assert_ne!(moves(&once), moves(&play("KQKR", STARTS[0], agents, 40, 4, Hold::Nothing)));
}

#[test]
fn who_defends_matters() {
    let mean = |black: &str| {
        let games = play("KQKR", STARTS[0], ["player:20", black], 200, 11, Hold::Wins);
        mean_and_sd(games.iter().map(|game| f64::from(game.length()))).0
    };
    let (random, fallible, infallible) = (mean("player:0"), mean("player:20"), mean("infallible"));
    assert!(random + 10.0 < fallible && fallible + 10.0 < infallible, "{random} {fallible} {infallible}");
}

/// The open experiment of Andrist and Haworth (2005): an infallible side attacks a fallible defender in a drawn position.
#[test]
fn drawn_positions_are_won_from_the_weak() {
    let start = "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1";
    let won = |white: &str, black: &str| {
        let games = play("KRKN", start, [white, black], 200, 5, Hold::Wins);
        let first = games.iter().filter_map(|game| game.first_concession);
        assert!(first.clone().all(|concession| concession.by == Color::Black && concession.at_move > 0));
        let wins = games.iter().filter(|game| game.winner == Some(Color::White)).count();
        assert_eq!(wins, first.count());
        assert!(
            games
                .iter()
                .filter(|game| game.winner.is_none())
                .all(|game| { matches!(game.reason, Reason::Rule | Reason::Conversion | Reason::Dead) })
        );
        wins
    };
    let (random, weak, strong) =
        (won("levy:0.05", "player:0"), won("levy:0.05", "player:3"), won("levy:0.05", "player:30"));
    assert!(random > weak && weak > strong, "{random} {weak} {strong}");
    assert_eq!(won("levy:0.05", "infallible"), 0);
}

#[test]
fn games_end() {
    // A drawn game ends by the fifty-move rule, counted from the start.
    let games = play("KRKN", "8/8/8/4k3/8/2n5/4K3/7R w - - 90 80", ["infallible", "infallible"], 5, 1, Hold::Value);
    for game in &games {
        assert_eq!((game.winner, game.reason), (None, Reason::Rule));
        assert_eq!(game.moves.len(), 10);
    }
    assert!(games.iter().all(|game| game.claimable));
    // With 90 plies gone a win in 31 moves does not come in time.
    let late = play("KQKR", "K3r3/8/5k2/Q7/8/8/8/8 w - - 90 80", ["infallible", "infallible"], 1, 1, Hold::Wins);
    let early = play("KQKR", STARTS[0], ["infallible", "infallible"], 1, 1, Hold::Wins);
    assert_eq!((late[0].length(), late[0].claimable), (31, true));
    assert_eq!((early[0].length(), early[0].claimable), (31, false));
    // Mate on the board: nobody moves.
    let mated = play("KQKR", "7k/6Q1/6K1/8/8/8/8/r7 b - - 0 1", ["infallible", "infallible"], 1, 1, Hold::Wins);
    assert_eq!((mated[0].moves.len(), mated[0].winner, mated[0].reason), (0, Some(Color::White), Reason::Mate));
    assert!(position("7k/6Q1/6K1/8/8/8/8/r7 b - - 0 1").is_checkmate());
    assert_eq!(
        oracle("KQKR", Metric::Dtc).state(&position(STARTS[0])).expect("a state"),
        State::Win(errare_choice::Depth(31))
    );
}

/// The third occurrence of a position, held against a count of FENs without their counters.
#[test]
fn games_are_drawn_by_repetition_on_request() {
    use shakmaty::EnPassantMode;
    use shakmaty::fen::Fen;

    let start = "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1";
    let agents = ["infallible:king,first", "infallible:king,first"];
    let without = play("KRKN", start, agents, 1, 1, Hold::Value);
    assert_eq!(without[0].reason, Reason::Rule);
    let games = play_with(true, "KRKN", start, agents, 1, 1, Hold::Value);
    assert_eq!((games[0].winner, games[0].reason), (None, Reason::Repetition));
    assert_eq!(games[0].moves[..], without[0].moves[..games[0].moves.len()]);
    let mut position = position(start);
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for ply in 0..=games[0].moves.len() {
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let placement = fen.rsplitn(3, ' ').last().expect("a placement").to_owned();
        let count = seen.entry(placement).or_default();
        *count += 1;
        assert_eq!(*count == 3, ply == games[0].moves.len(), "{ply}");
        if let Some(&mv) = games[0].moves.get(ply) {
            position.play_unchecked(mv);
        }
    }
}
