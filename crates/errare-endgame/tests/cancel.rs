//! Long work stops soon after it is told to.

mod support;

use errare_choice::{Grid, Kappa, Prior};
use errare_endgame::{
    AgentSetting, AgentSpec, Analysis, Assessor, ContestOutlook, ContestQuestion, EndgameError, Ending, EnginePools,
    Forecast, ForecastHorizon, Habits, MarkovModel, Match, MatchStart, Model, Schedule, Scope, SolvedModel,
    StateChances, Sweeper,
};
use errare_tables::{Material, Metric};
use errare_work::{Cancel, Silent};
use shakmaty::{ByColor, Color, Position};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use support::{STARTS, oracle, position, tables};

/// A machine that is busy with other tests needs more than the 200 ms that a user waits at most.
const SOON: Duration = Duration::from_secs(2);

/// Work that would take long is stopped while it runs.
fn stops<T>(work: impl FnOnce(&Cancel) -> Result<T, EndgameError>) {
    let cancel = Cancel::new();
    let waiting = cancel.clone();
    let cancelled_at = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        waiting.cancel();
        Instant::now()
    });
    let stopped = work(&cancel);
    let now = Instant::now();
    let cancelled_at = cancelled_at.join().expect("a time");
    assert!(matches!(stopped, Err(EndgameError::Cancelled(_))), "it was over before, or failed");
    assert!(now.saturating_duration_since(cancelled_at) < SOON);
}

fn setting() -> AgentSetting {
    let model = Model::power_law(Kappa::ONE, Habits::default());
    let grid = Grid::new(0.0, 1.0, 50.0).expect("a grid");
    let analysis = Analysis::new(model.clone(), grid, Prior::Uniform).expect("an analysis");
    AgentSetting { model, analysis, rule: None, posteriors: BTreeMap::new() }
}

#[test]
fn searches_stop() {
    for (endgame, fen, agent) in [
        ("KQKR", STARTS[0], "predator:20,plies=64,scope=all"),
        ("KRKN", "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1", "levy:plies=64"),
    ] {
        let oracle = oracle(endgame, Metric::Dtc);
        let options = oracle.options(&position(fen)).expect("options");
        let mut agent = agent.parse::<AgentSpec>().expect("a spec").build(&setting()).expect("an agent");
        stops(|cancel| agent.judge(&oracle, &options, cancel));
    }
    let oracle = oracle("KQKR", Metric::Dtc);
    let options = oracle.options(&position(STARTS[0])).expect("options");
    let sweeper = Sweeper { oracle, model: setting().model, plies: 8, scope: Scope::All };
    stops(|cancel| sweeper.sweep(&options, &[0.0, 50.0], cancel));
}

#[test]
fn matches_stop() {
    let agents =
        || ByColor { white: "player:-20".parse().expect("an agent"), black: "player:0".parse().expect("an agent") };
    let oracle = oracle("KQKR", Metric::Dtc);
    let contest = Match {
        oracle,
        agents: agents(),
        setting: setting(),
        analysis: setting().analysis,
        engines: EnginePools::new(),
        starts: vec![MatchStart {
            position: position(STARTS[0]),
            ending: Ending { at_conversion: true, repetition: false, rule: None, max_moves: 100_000 },
        }],
        schedule: Schedule { starts: 1, games: 1_000_000, both_colours: false },
        seed: 1,
        keep_moves: false,
    };
    // Threads of its own: the others may be building tables for another test.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    pool.install(|| stops(|cancel| contest.play_all(0..1_000_000, cancel)));
}

#[test]
fn chains_stop() {
    let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
    let material: Material = "KQKR".parse().expect("an endgame");
    let competences = Grid::new(0.0, 1.0, 50.0).expect("a grid").competences();
    let library = tables("KQKR", Metric::Dtc);
    let markov = MarkovModel::new(library, material, Metric::Dtc, Color::White, &model, &competences, &Silent);
    let markov = markov.expect("a model");
    let contest = markov.against_infallible(10).expect("a contest");
    let question = ContestQuestion { passage: Some(1_000_000_000), ..ContestQuestion::default() };
    stops(|cancel| ContestOutlook::new(&contest, &question, cancel));
    let solved = SolvedModel::new(markov);
    stops(|cancel| Forecast::new(&solved, &[1.0; 51], 31, &[ForecastHorizon::moves(1_000_000)], cancel));
    stops(|cancel| StateChances::new(&solved, &[1.0; 51], 1_000_000, cancel));
}

#[test]
fn assessments_stop() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let assessor = Assessor { oracle: Arc::clone(&oracle), analysis: setting().analysis, covered: None };
    // To and fro for ever.
    let start = position("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1");
    let mut at = start.clone();
    let mut moves = Vec::new();
    for uci in ["f4f8", "c5c6", "f8f4", "c6c5"] {
        let mv = uci.parse::<shakmaty::uci::UciMove>().expect("a move").to_move(&at).expect("legal");
        at.play_unchecked(mv);
        moves.push(mv);
    }
    let moves: Vec<_> = moves.into_iter().cycle().take(4_000_000).collect();
    stops(|cancel| assessor.assess(&start, &moves, cancel));
}
