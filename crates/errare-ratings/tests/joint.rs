//! The joint model: skill as a smooth function of Elo, on players of known skill and in the calibration that ships.

use crate::common::{Spreads, Test, turns};
use errare_choice::{Formula, Skill};
use errare_ratings::{
    Calibration, ChoiceModel, Estimator, Evaluation, JointFit, JointOdds, Method, RatingOptions, RatingsError, Refusal,
    Sample, Scale, Selection,
};
use errare_work::Silent;

fn skill(elo: f64) -> Skill {
    Skill::new((-1.65 - 0.25 * (elo - 2300.0) / 400.0).exp(), 0.6).expect("positive")
}

fn played(spreads: &Spreads, count: usize) -> Vec<errare_ratings::Record> {
    let model = ChoiceModel::new(Formula::PAPER);
    let play = |elo: u16| spreads.play(&model, skill(f64::from(elo)), count, Some(elo), u64::from(elo));
    [1800, 2050, 2300, 2550, 2800].into_iter().flat_map(play).collect()
}

#[test]
fn the_curve_of_players_on_a_known_curve_is_found() -> Test {
    let spreads = Spreads::new();
    let turns = turns(played(&spreads, 1500), Scale::default(), Selection::ALL);
    let joint = JointFit::new(&Sample::all(&turns), &ChoiceModel::new(Formula::PAPER), &Silent)?;
    let model = &joint.model;
    assert!((model.log_s[1] + 0.25).abs() < 0.08 && (model.log_c[0] - 0.6_f64.ln()).abs() < 0.1, "{model:?}");
    // Nobody blunders here beyond s and c, and turns are independent.
    assert!(model.skill(2300.0, Default::default())?.tail < 0.05, "{model:?}");
    let clusters = joint.clusters;
    assert!((clusters.dispersion - 1.0).abs() < 0.15 && clusters.side_dispersion < 1.35, "{clusters:?}");
    let (near, far) = (joint.precision_at(2300.0), joint.precision_at(1000.0));
    assert!(near.calibration_se < 40.0 && far.calibration_se > 2.0 * near.calibration_se, "{near:?} {far:?}");
    assert_eq!((joint.range, joint.turns), ((1800.0, 2800.0), 7500));
    Ok(())
}

#[test]
fn few_games_or_none_with_elos_make_no_joint_model() -> Test {
    let spreads = Spreads::new();
    let few = turns(played(&spreads, 250), Scale::default(), Selection::ALL);
    let refused = JointFit::new(&Sample::all(&few), &ChoiceModel::new(Formula::PAPER), &Silent);
    assert!(matches!(refused, Err(RatingsError::Refused(Refusal::TooFewElos { games: 25, turns: 1250 }))));
    Ok(())
}

#[test]
fn estimators_agree_on_players_that_both_describe() -> Test {
    let spreads = Spreads::new();
    let model = ChoiceModel::new(Formula::PAPER);
    let known = turns(played(&spreads, 1500), Scale::default(), Selection::ALL);
    let made = Calibration::new(&known, model.clone(), Method::Moments, "made up".to_owned(), &Silent)?;
    let player = Sample::all(&spreads.played(&model, skill(2400.0), 1000, 9));
    let joint = made.rate(&player, RatingOptions::default(), &Silent)?;
    let line =
        made.rate(&player, RatingOptions { estimator: Estimator::Mileposts, ..RatingOptions::default() }, &Silent)?;
    assert_eq!((joint.estimator, line.estimator), (Estimator::Joint, Estimator::Mileposts));
    assert!((joint.elo - 2400.0).abs() < 3.0 * joint.se, "{} {}", joint.elo, joint.se);
    assert!((joint.elo - line.elo).abs() < 3.0 * joint.se.hypot(line.se), "{} {}", joint.elo, line.elo);
    assert!(joint.interval.0 < joint.elo && joint.elo < joint.interval.1 && joint.se >= joint.se_sample);
    Ok(())
}

#[test]
fn probabilities_follow_elo_and_forget_no_move() -> Test {
    let calibration = &Calibration::shipped()[0];
    let evaluations = [31, 28, 5, -120, -900].map(Evaluation::Centipawns);
    let at = |elo: f64, evaluations: &[Evaluation]| calibration.move_probabilities(elo, evaluations, 40, &Silent);
    let (weak, strong) = (at(1700.0, &evaluations)?, at(2700.0, &evaluations)?);
    assert!(strong[0] > weak[0] && strong[4] < weak[4] && weak[4] > 1e-5, "{weak:?} {strong:?}");
    // The order of moves does not matter.
    let mut turned = evaluations;
    turned.reverse();
    let mut back = at(1700.0, &turned)?;
    back.reverse();
    assert!(weak.iter().zip(&back).all(|(one, other)| (one - other).abs() < 1e-12), "{weak:?} {back:?}");
    assert!(matches!(at(-5.0, &evaluations), Err(RatingsError::Refused(Refusal::OutsideRange { .. }))));
    assert!(at(2000.0, &[]).is_err());
    Ok(())
}

#[test]
fn gradients_are_those_of_the_logarithms() -> Test {
    let calibration = &Calibration::shipped()[0];
    let model = &calibration.joint.as_ref().ok_or("a joint model")?.model;
    let losses = [0.0_f32, 0.04, 0.3, 0.31, 1.7];
    let (mut odds, width) = (JointOdds::default(), 1e-5);
    let mut moved = |by: [f64; 3], index: usize| -> Result<f64, RatingsError> {
        let mut model = model.clone();
        (model.log_s[0], model.log_c[0], model.logit_tail[0]) =
            (model.log_s[0] + by[0], model.log_c[0] + by[1], model.logit_tail[0] + by[2]);
        model.weigh_losses(&mut odds, 2100.0, &losses, 50)?;
        Ok(odds.probabilities()[index].ln())
    };
    let mut here = JointOdds::default();
    model.weigh_losses(&mut here, 2100.0, &losses, 50)?;
    for index in 0..losses.len() {
        for axis in 0..3 {
            let by = |step: f64| std::array::from_fn(|place| if place == axis { step } else { 0.0 });
            let slope = (moved(by(width), index)? - moved(by(-width), index)?) / (2.0 * width);
            assert!((slope - here.gradient(index)[axis]).abs() < 1e-6, "{index} {axis} {slope}");
        }
    }
    Ok(())
}
