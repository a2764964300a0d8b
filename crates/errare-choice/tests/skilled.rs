//! The formulas of Regan and Haworth (2011): against arbitrary precision, and properties of all of them.

use dashu_float::{FBig, round::mode::HalfAway};
use errare_choice::{
    Candidate, ChoiceError, Chooser, Competence, Curve, Depth, Fallible, Formula, Grid, Kappa, Odds, Posterior,
    PowerLaw, Prior, Relation, Skill, Skilled, State, States, Update, log_probability, probabilities,
};
use proptest::prelude::*;

type Test = Result<(), Box<dyn std::error::Error>>;
type Big = FBig<HalfAway, 2>;

const BITS: usize = 256;

fn big(value: f64) -> Big {
    Big::try_from(value).expect("finite").with_precision(BITS).value()
}

/// -ln g from the printed formulas.
fn big_aversion(curve: Curve, s: f64, c: f64, delta: f64) -> Big {
    if delta == 0.0 {
        return big(0.0);
    }
    let ratio = big(delta) / big(s);
    let x = (big(c) * ratio.ln()).exp();
    match curve {
        Curve::InvExp => x,
        Curve::Ipa => (big(1.0) + x).ln(),
        Curve::Ipb => big(c) * (big(1.0) + ratio).ln(),
        Curve::SechA => ((x.clone().exp() + (-x).exp()) / big(2.0)).ln(),
        Curve::SechB => ((x.clone().exp() + big(2.0) + (-x).exp()) / big(4.0)).ln(),
    }
}

/// g from the printed formulas; 0 where it underflows.
fn printed_g(curve: Curve, s: f64, c: f64, delta: f64) -> f64 {
    let x = (delta / s).powf(c);
    match curve {
        Curve::InvExp => (-x).exp(),
        Curve::Ipa => 1.0 / (1.0 + x),
        Curve::Ipb => 1.0 / (1.0 + delta / s).powf(c),
        Curve::SechA => 2.0 / (x.exp() + (-x).exp()),
        Curve::SechB => 4.0 / (x.exp() + 2.0 + (-x).exp()),
    }
}

/// The p_i that stands in the relation to p_0.
fn big_related(relation: Relation, p: &Big, aversion: &Big) -> Big {
    match relation {
        Relation::Shares => p * (-aversion.clone()).exp(),
        Relation::Powers => {
            let log = p.ln() * aversion.clone().exp();
            // Nothing to the sum, and slow.
            if log < big(-500.0) { big(0.0) } else { log.exp() }
        }
        Relation::Ratio => {
            // u_i + ln u_i = u_0 + ln u_0 + aversion, by Newton's method from the left, where it never overshoots.
            let u = -p.ln();
            let x = &u + u.ln() + aversion;
            let mut w = u;
            for _ in 0..25 {
                w = &w * (big(1.0) + &x - w.ln()) / (big(1.0) + &w);
            }
            (-w).exp()
        }
    }
}

#[test]
fn probabilities_are_those_of_arbitrary_precision() -> Test {
    let spreads: [&[f64]; 4] = [
        &[0.0, 0.04, 0.12, 0.12, 0.39, 2.5],
        &[0.0, 0.0, 0.0, 0.01],
        &[0.0, 9.3, 9.42],
        &[0.0, 0.003, 0.9, 1.1, 1.1, 4.0, 6.0],
    ];
    for formula in Formula::all() {
        for (s, c) in [(0.08, 0.5), (0.3, 1.3)] {
            for losses in spreads {
                let mut odds = Odds::default();
                odds.weigh(formula, Skill::new(s, c)?, losses)?;
                let aversions: Vec<Big> = losses.iter().map(|&loss| big_aversion(formula.curve, s, c, loss)).collect();
                let surprise = -odds.log_probabilities()[0];
                let all = |u: f64| -> Vec<Big> {
                    let p = (-big(u)).exp();
                    aversions.iter().map(|aversion| big_related(formula.relation, &p, aversion)).collect()
                };
                // The sum falls with the surprise of the best: the root lies where it passes 1.
                let sum = |u: f64| all(u).into_iter().fold(big(0.0), |sum, p| sum + p);
                assert!(sum(surprise * (1.0 - 1e-12)) > big(1.0), "{formula} {s} {c} {losses:?}");
                assert!(sum(surprise * (1.0 + 1e-12)) < big(1.0), "{formula} {s} {c} {losses:?}");
                for (&found, expected) in odds.probabilities().iter().zip(all(surprise)) {
                    let expected = expected.to_f64().value();
                    // Digits of the surprise are digits of the probability's logarithm.
                    let tolerance = 1e-12 * (1.0 - expected.max(1e-300).ln()) * expected + 1e-200;
                    assert!((found - expected).abs() < tolerance, "{formula} {s} {c} {losses:?}: {found} {expected}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn limits_are_what_they_should_be() -> Test {
    let losses = [0.0, 0.0, 0.2, 0.5, 5.0];
    for formula in Formula::all() {
        let at = |s: f64, c: f64| -> Result<Vec<f64>, Box<dyn std::error::Error>> {
            Ok(Skilled { formula, skill: Skill::new(s, c)? }.probabilities(&losses)?)
        };
        // Without sensitivity every choice is as good as any.
        for p in at(1e12, 1.0)? {
            assert!((p - 0.2).abs() < 1e-6, "{formula}");
        }
        // With all of it only the best remain. Polynomial curves get there slowly.
        let sharp = at(1e-300, 3.0)?;
        assert!((sharp[0] - 0.5).abs() < 1e-6 && sharp[0] == sharp[1] && sharp[2] < 1e-6, "{formula}: {sharp:?}");
        // c -> inf: a step at s, except for ipb, which has none.
        let step = at(0.3, 1e7)?;
        let alike = if formula.curve == Curve::Ipb { 2 } else { 3 };
        for (place, p) in step.iter().enumerate() {
            let expected = if place < alike { 1.0 / alike as f64 } else { 0.0 };
            assert!((p - expected).abs() < 1e-6, "{formula}: {step:?}");
        }
    }
    Ok(())
}

#[test]
fn extremes_stay_numbers() -> Test {
    let many: Vec<f64> = (0..300).map(|place| f64::from(place) * 0.013).collect();
    let spreads: [&[f64]; 6] =
        [&[0.0], &[0.0, 1e-300], &[0.0, 1e9, f64::INFINITY], &[0.0; 218], &many, &[0.0, f64::INFINITY]];
    let mut odds = Odds::default();
    for formula in Formula::all() {
        for s in [1e-300, 1e-9, 0.1, 1e9] {
            for c in [1e-6, 0.5, 30.0, 1e9] {
                for losses in spreads {
                    odds.weigh(formula, Skill::new(s, c)?, losses)?;
                    let sum: f64 = odds.probabilities().iter().sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{formula} {s} {c} {:?}: {sum}", &losses[..losses.len().min(4)]);
                    for index in 0..losses.len() {
                        assert!(odds.log_probabilities()[index] <= 0.0);
                        let certain = odds.probabilities()[index] > 0.0;
                        let gradient = odds.gradient(index);
                        assert!(
                            !certain || gradient.iter().all(|d| !d.is_nan()),
                            "{formula} {s:e} {c:e} {index}: {gradient:?}"
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn the_second_best_is_known_where_the_best_is_certain() -> Test {
    // p_1 = p_0^(1/g) with 1/g = e^1000: then 1 - p_0 = p_1 to all digits, so that u_1 = omega(1000).
    let mut odds = Odds::default();
    odds.weigh(Formula::PAPER, Skill::new(0.001, 1.0)?, &[0.0, 1.0])?;
    let u = -odds.log_probabilities()[1];
    assert!((u + u.ln() - 1000.0).abs() < 1e-10, "{u}");
    assert_eq!(odds.probabilities()[0], 1.0);
    // u_1 = omega(1/s) falls by u / (1 + u) / s for each step of ln s.
    let [by_s, _] = odds.gradient(1);
    assert!((by_s / (u / (1.0 + u) * 1e3) - 1.0).abs() < 1e-9, "{by_s}");
    Ok(())
}

#[test]
fn nonsense_is_refused() -> Test {
    let player = Skilled { formula: Formula::PAPER, skill: Skill::new(0.1, 0.5)? };
    assert_eq!(player.probabilities(&[0.0_f64; 0]), Err(ChoiceError::Nothing));
    assert!(matches!(player.probabilities(&[0.0, -0.1]), Err(ChoiceError::Loss { index: 1, .. })));
    assert!(matches!(player.probabilities(&[0.0, f64::NAN]), Err(ChoiceError::Loss { index: 1, .. })));
    assert_eq!(player.probabilities(&[0.25, 0.5]), Err(ChoiceError::NoBest { least: 0.25 }));
    assert_eq!(player.log_probability(&[0.0], 1), Err(ChoiceError::Index { index: 1, count: 1 }));
    for (s, c) in [(0.0, 1.0), (1.0, 0.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(Skill::new(s, c).is_err());
    }
    Ok(())
}

#[test]
fn judges_of_one_mind_are_one_judge() -> Test {
    let losses = [0.0, 0.1, 0.4, 3.0];
    let skill = Skill::new(0.1, 0.6)?;
    for formula in Formula::all() {
        let (mut one, mut three) = (Odds::default(), Odds::default());
        one.weigh(formula, skill, &losses)?;
        three.weigh_by_judges(formula, skill, &[(0.2, &losses[..]), (0.3, &losses), (0.5, &losses)])?;
        for index in 0..losses.len() {
            let (one_log, three_log) = (one.log_probabilities()[index], three.log_probabilities()[index]);
            assert!((one_log - three_log).abs() < 1e-9 * one_log.abs().max(1.0), "{formula}");
        }
    }
    // By hand, for shares: g of the second is (1 + 1/e) / 2 for each of two judges who disagree.
    let (first, second) = ([0.0, 0.1], [0.1, 0.0]);
    let shares = Formula { relation: Relation::Shares, curve: Curve::InvExp };
    let mut odds = Odds::default();
    odds.weigh_by_judges(shares, Skill::new(0.1, 1.0)?, &[(0.75, &first[..]), (0.25, &second)])?;
    let e = (-1.0_f64).exp();
    let expected = (0.75 + 0.25 * e) / ((0.75 + 0.25 * e) + (0.75 * e + 0.25));
    assert!((odds.probabilities()[0] - expected).abs() < 1e-15);
    Ok(())
}

#[test]
fn one_posterior_serves_both_kinds_of_chooser() -> Test {
    let grid = Grid::new(0.0, 1.0, 2.0)?;
    // Choosers of skill: by hand, with shares and invexp at c = 1, p_0 = 1 / (1 + e^(-1/s)).
    let formula = Formula { relation: Relation::Shares, curve: Curve::InvExp };
    let skills = [0.5, 1.0, 2.0].map(|s| Skill::new(s, 1.0));
    let choosers = skills.into_iter().map(|skill| skill.map(|skill| Skilled { formula, skill }));
    let choosers: Vec<Skilled> = choosers.collect::<Result<_, _>>()?;
    let mut posterior = Posterior::new(grid, Prior::Uniform)?;
    assert!(matches!(posterior.observe_choice_of(&choosers, &[0.0, 1.0], 0)?, Update::Learned { .. }));
    let likelihoods = [0.5, 1.0, 2.0_f64].map(|s| 1.0 / (1.0 + (-1.0 / s).exp()));
    for (found, likelihood) in posterior.probabilities().iter().zip(likelihoods) {
        assert!((found - likelihood / likelihoods.iter().sum::<f64>()).abs() < 1e-14);
    }
    // Fallible players say through the trait what they say without it.
    let law = PowerLaw::new(States::new(Depth(9), Depth(2)), Kappa::ONE)?;
    let candidates = [Candidate::new((), State::Win(Depth(3))), Candidate::new((), State::Draw)];
    let player = Fallible { preference: &law, competence: Competence::new(2.0)? };
    assert_eq!(player.probabilities(&candidates)?, probabilities(&law, player.competence, &candidates)?);
    let mut logs = Vec::new();
    player.log_probabilities(&candidates, &mut logs)?;
    assert_eq!(logs[1], log_probability(&law, player.competence, &candidates, 1)?);
    Ok(())
}

fn losses() -> impl Strategy<Value = Vec<f64>> {
    let loss = prop_oneof![1 => Just(0.0), 4 => 0.0..0.5, 4 => 0.0..4.0, 1 => 0.0..20.0];
    proptest::collection::vec(loss, 1..60).prop_map(|mut losses| {
        losses.push(0.0);
        losses
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    proptest::sample::select(Formula::all().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn probabilities_sum_to_1_and_fall_with_the_loss(
        formula in formula(), losses in losses(), s in 0.02..2.0, c in 0.2..3.0,
    ) {
        let mut odds = Odds::default();
        odds.weigh(formula, Skill::new(s, c).expect("positive"), &losses).expect("losses");
        let p = odds.probabilities();
        prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (one, &loss) in p.iter().zip(&losses) {
            for (other, &greater) in p.iter().zip(&losses) {
                prop_assert!(loss > greater || *one >= other - 1e-15, "{} {} at {} {}", one, other, loss, greater);
                prop_assert!(loss != greater || one == other || (one - other).abs() < 1e-15);
            }
        }
        // The relation holds as printed.
        let best = losses.iter().position(|&loss| loss == 0.0).expect("pushed");
        let log_0 = odds.log_probabilities()[best];
        for (&log_i, &loss) in odds.log_probabilities().iter().zip(&losses) {
            let log_g = printed_g(formula.curve, s, c, loss).ln();
            let found = match formula.relation {
                Relation::Shares => log_i - log_0,
                Relation::Powers => (log_0 / log_i).ln(),
                Relation::Ratio => log_i - log_0 + (log_0 / log_i).ln(),
            };
            // Beyond e^-700 surprises overflow, or underflow.
            prop_assert!(log_g < -700.0 || log_0 > -1e-300 || (found - log_g).abs() < 1e-9 * log_g.abs().max(1.0), "{} {}", found, log_g);
        }
    }

    #[test]
    fn gradients_are_those_of_the_logarithms(
        formula in formula(), losses in losses(), s in 0.05..1.0, c in 0.3..2.0,
    ) {
        let logs = |s: f64, c: f64| {
            let mut odds = Odds::default();
            odds.weigh(formula, Skill::new(s, c).expect("positive"), &losses).expect("losses");
            odds
        };
        let h = 1e-5;
        let there = logs(s, c);
        let differences = [
            (logs(s * (1.0 + h), c), logs(s * (1.0 - h), c), 2.0 * h),
            (logs(s, c * (1.0 + h)), logs(s, c * (1.0 - h)), 2.0 * h),
        ];
        for index in 0..losses.len() {
            // Far below, second differences of e^e^x are greater than what is to be seen.
            if there.log_probabilities()[index] < -200.0 {
                continue;
            }
            for (axis, (above, below, width)) in differences.iter().enumerate() {
                let expected = (above.log_probabilities()[index] - below.log_probabilities()[index]) / width;
                let found = there.gradient(index)[axis];
                prop_assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{} {}: {} {}", formula, axis, found, expected);
            }
        }
    }
}
