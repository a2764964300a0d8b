//! Players of known skill on real spreads: fits must find the skill, and their intervals must hold it as often as said.

use crate::common::{Spreads, Test};
use errare_choice::{Curve, Formula, Relation, Skill};
use errare_ratings::{ChoiceModel, Draws, Fit, Fitter, Method, Sample};
use errare_work::Silent;

fn formula(relation: Relation) -> Formula {
    Formula { relation, curve: Curve::InvExp }
}

/// What fits to real games find.
fn truth(relation: Relation) -> Result<Skill, errare_choice::SkillError> {
    match relation {
        Relation::Shares => Skill::new(0.1, 0.75),
        Relation::Powers => Skill::new(0.18, 0.6),
        Relation::Ratio => Skill::new(0.05, 0.7),
    }
}

/// By how many standard errors s and c are missed.
fn misses(fit: &Fit, truth: Skill) -> [f64; 2] {
    [(fit.skill.s() - truth.s()) / fit.se_s(), (fit.skill.c() - truth.c()) / fit.se_c()]
}

#[test]
fn ten_thousand_turns_give_the_skill_back() -> Test {
    let spreads = Spreads::new();
    for relation in [Relation::Shares, Relation::Powers] {
        let (model, truth) = (ChoiceModel::new(formula(relation)), truth(relation)?);
        let turns = spreads.played(&model, truth, 10_000, 7);
        let sample = Sample::all(&turns);
        assert_eq!((sample.count(), sample.games()), (10_000, 200));
        for method in Method::ALL {
            let fit = Fitter::new(model.clone(), method).fit(&sample, &Silent)?;
            assert!(fit.is_settled);
            let found = misses(&fit, truth);
            assert!(found.iter().all(|miss| miss.abs() < 2.0), "{relation} {method}: {found:?}");
            // And it is well known.
            assert!(fit.se_s() < 0.06 * truth.s() && fit.se_c() < 0.05 * truth.c(), "{relation} {method}: {fit:?}");
        }
    }
    Ok(())
}

/// The share of repeats whose 95% intervals hold s, and c.
fn coverage(
    relation: Relation,
    method: Method,
    repeats: u64,
    count: usize,
) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let spreads = Spreads::new();
    let (model, truth) = (ChoiceModel::new(formula(relation)), truth(relation)?);
    let mut held = [0.0; 2];
    for seed in 0..repeats {
        let turns = spreads.played(&model, truth, count, 1000 + seed);
        let found = misses(&Fitter::new(model.clone(), method).fit(&Sample::all(&turns), &Silent)?, truth);
        (0..2).for_each(|axis| held[axis] += f64::from(u8::from(found[axis].abs() < 1.96)));
    }
    Ok(held.map(|count| count / repeats as f64))
}

#[test]
#[ignore = "slow: make test-full"]
fn intervals_hold_the_truth() -> Test {
    for (relation, method) in [(Relation::Powers, Method::Percentile), (Relation::Shares, Method::Likelihood)] {
        let found = coverage(relation, method, 30, 1500)?;
        // 95% of 30 with a standard deviation of 4%.
        assert!(found.iter().all(|share| *share >= 0.83), "{relation} {method}: {found:?}");
    }
    Ok(())
}

#[test]
#[ignore = "minutes: 200 repeats of 10,000 turns for each of four"]
fn intervals_hold_the_truth_at_their_rate() -> Test {
    for relation in [Relation::Shares, Relation::Powers] {
        for method in [Method::Percentile, Method::Likelihood] {
            let found = coverage(relation, method, 200, 10_000)?;
            println!("{relation} {method}: 95% intervals hold s in {:.3}, c in {:.3}", found[0], found[1]);
            assert!(found.iter().all(|share| (0.90..=0.99).contains(share)), "{relation} {method}: {found:?}");
        }
    }
    Ok(())
}

#[test]
#[ignore = "slow: make test-full"]
fn draws_agree_with_the_sandwich_and_with_themselves() -> Test {
    let model = ChoiceModel::new(Formula::PAPER);
    let turns = Spreads::new().played(&model, truth(Relation::Powers)?, 2000, 3);
    let sample = Sample::all(&turns);
    for method in Method::ALL {
        let fitter = Fitter::new(model.clone(), method);
        let (fit, drawn) = fitter.bootstrap(&sample, Draws { count: 60, seed: 5 }, &Silent)?;
        assert_eq!((drawn.skills.len(), drawn.failed), (60, 0));
        for (by_draws, by_sandwich) in
            [(drawn.sd(|skill| skill.s()), fit.se_s()), (drawn.sd(|skill| skill.c()), fit.se_c())]
        {
            assert!((0.7..1.4).contains(&(by_draws / by_sandwich)), "{method}: {by_draws} {by_sandwich}");
        }
        let (low, high) = drawn.interval(0.95, |skill| skill.s()).ok_or("drawn")?;
        assert!(low < fit.skill.s() && fit.skill.s() < high);
        // One thread or several: the same digits. Another seed: others.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (same, again) = alone.install(|| fitter.bootstrap(&sample, Draws { count: 20, seed: 5 }, &Silent))?;
        assert_eq!((same.skill, &again.skills[..]), (fit.skill, &drawn.skills[..20]));
        assert_ne!(fitter.bootstrap(&sample, Draws { count: 1, seed: 6 }, &Silent)?.1.skills[0], drawn.skills[0]);
    }
    Ok(())
}
