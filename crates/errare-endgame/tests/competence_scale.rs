//! Simulated players of known competence and Elo are recovered.

use crate::support::{STARTS, oracle, position};
use errare_choice::{Competence, Kappa, State};
use errare_endgame::{
    Agent, CompetenceObserver, CompetenceScale, Habits, Infallible, LikeElo, Model, ObservedPlayers, Player, Task,
};
use errare_tables::{Material, Metric, nth_draw};
use errare_work::Silent;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The truth: ln c at Elo 2000, its slope for 400 points, and how players differ.
const TRUTH: (f64, f64, f64) = (2.3, 0.3, 0.3);

/// A normal number, as the sum of twelve uniform ones.
fn normal(random: &mut Pcg64) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// What so many simulated attackers of KQKR show, in two games of up to fifteen moves each.
fn simulated(players: usize, (a, b, tau): (f64, f64, f64), seed: u64) -> ObservedPlayers {
    let oracle = oracle("KQKR", Metric::Dtc);
    let model = || Model::power_law(Kappa::ONE, Habits::default());
    let observer = CompetenceObserver::new(model()).expect("an observer");
    let ending = ("KQKR".parse::<Material>().expect("an endgame"), Task::Attack);
    let mut random = Pcg64::seed_from_u64(nth_draw(seed, 0));
    let mut observed = ObservedPlayers::default();
    for player in 0..players {
        let elo = 1400.0 + 1200.0 * random.random::<f64>();
        let c = (a + b * (elo - 2000.0) / 400.0 + tau * normal(&mut random)).exp();
        let mut attacker = Player::new(model(), Competence::new(c).expect("a competence"));
        for game in 0..2 {
            let mut board = position(STARTS[game % STARTS.len()]);
            let mut seen = Vec::new();
            for ply in 0..30 {
                let options = oracle.options(&board).expect("options");
                if options.candidates.is_empty() || (ply % 2 == 0) != matches!(options.state, State::Win(_)) {
                    break;
                }
                let mut perfect = Infallible::default();
                let agent: &mut dyn Agent = if ply % 2 == 0 { &mut attacker } else { &mut perfect };
                let judgement = agent.judge(&oracle, &options, &Silent).expect("a judgement");
                let chosen = judgement.pick(random.random()).expect("a move");
                if ply % 2 == 0 {
                    seen.extend(observer.observe(&options, chosen).expect("a likelihood"));
                }
                if options.candidates[chosen].choice().converting {
                    break;
                }
                board = options.after(chosen);
            }
            observed.add(ending, &format!("player {player}"), elo, &seen);
        }
    }
    observed
}

#[test]
fn simulated_players_are_recovered_within_the_interval() {
    let material: Material = "KQKR".parse().expect("an endgame");
    let (a, b, tau) = TRUTH;
    let mut held = 0;
    for seed in 0..4 {
        let scale = CompetenceScale::fit(&simulated(150, TRUTH, seed), (Metric::Dtc, 1.0), String::new(), &Silent);
        let scale = scale.expect("not cancelled");
        let line = scale.line(material, Task::Attack).expect("a line");
        let [aa, _, bb] = line.covariance;
        // Far outside of what chance allows.
        assert!((line.a - a).abs() < 4.0 * aa.sqrt() && (line.b - b).abs() < 4.0 * bb.sqrt(), "{line:?}");
        assert!(aa.sqrt() < 0.1 && bb.sqrt() < 0.12 && (line.tau - tau).abs() < 0.15, "{line:?}");
        for elo in [1500.0, 2000.0, 2500.0] {
            let truth = (a + b * (elo - 2000.0) / 400.0).exp();
            let found = scale.competence(material, Task::Attack, elo).expect("a competence");
            held += i32::from(found.low <= truth && truth <= found.high);
        }
        let Some(LikeElo::About(elo)) = scale.like_elo(material, Task::Attack, a.exp()) else { panic!("{line:?}") };
        assert!(elo.low < 2000.0 + 150.0 && elo.high > 2000.0 - 150.0, "{elo:?}");
    }
    // Of twelve 95% intervals.
    assert!(held >= 10, "{held}");
}

/// Where players do not differ by Elo, no Elo is read from a competence.
#[test]
fn a_competence_that_does_not_rise_with_elo_says_nothing_of_it() {
    let material: Material = "KQKR".parse().expect("an endgame");
    let observed = simulated(60, (2.3, 0.0, 0.3), 9);
    let scale = CompetenceScale::fit(&observed, (Metric::Dtc, 1.0), String::new(), &Silent).expect("not cancelled");
    assert_eq!(scale.like_elo(material, Task::Attack, 10.0), None);
}
