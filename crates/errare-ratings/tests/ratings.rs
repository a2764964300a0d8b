//! Calibration, ratings and screening of players whose skill is known.

use crate::common;
use crate::common::{Spreads, Test, turns};
use errare_choice::{Formula, Grid, Prior, Skill};
use errare_ratings::{
    Calibration, ChoiceModel, Draws, Engine, Estimator, FittedLine, Method, RatingOptions, RatingsError, Record,
    Refusal, Sample, Scale, Selection, Turns, TurnsBuilder, Widening,
};
use errare_work::Silent;
use std::sync::{Arc, LazyLock};

/// A straight truth: s falls with Elo, c rises a little.
fn skill(elo: f64) -> Skill {
    Skill::new(0.14 + 0.12 * (2700.0 - elo) / 800.0, 0.62 - 0.03 * (2700.0 - elo) / 800.0).expect("positive")
}

fn calibration(spreads: &Spreads, method: Method) -> Result<Calibration, RatingsError> {
    let model = ChoiceModel::new(Formula::PAPER);
    let played = [1900, 2100, 2300, 2500, 2700]
        .into_iter()
        .flat_map(|elo| spreads.play(&model, skill(f64::from(elo)), 2000, Some(elo), u64::from(elo)));
    Calibration::new(&turns(played, Scale::default(), Selection::ALL), model, method, "made up".to_owned(), &Silent)
}

/// The calibration that most tests want; it takes longer than all they do with it.
static PERCENTILE: LazyLock<Calibration> =
    LazyLock::new(|| calibration(&Spreads::new(), Method::Percentile).expect("a calibration"));

fn play(spreads: &Spreads, elo: f64, count: usize, seed: u64) -> Arc<Turns> {
    spreads.played(&ChoiceModel::new(Formula::PAPER), skill(elo), count, seed)
}

#[test]
fn ratings_lead_back_to_elo() -> Test {
    let spreads = Spreads::new();
    let made = &*PERCENTILE;
    let ads: Vec<f64> = made.mileposts.iter().map(|milepost| milepost.reference_ad).collect();
    assert!(ads.windows(2).all(|pair| pair[0] > pair[1]), "{ads:?}");
    for (elo, seed) in [(2000.0, 1), (2400.0, 2), (2650.0, 3)] {
        let turns = play(&spreads, elo, 2000, seed);
        let sample = Sample::all(&turns);
        let rating = made.rate(
            &sample,
            RatingOptions { draws: Some(Draws { count: 30, seed: 1 }), ..RatingOptions::default() },
            &Silent,
        )?;
        assert!((rating.elo - elo).abs() < 3.0 * rating.se && rating.se < 150.0, "{elo}: {rating:?}");
        let (low, high) = rating.drawn_interval.ok_or("drawn")?;
        assert!(low < rating.elo && rating.elo < high);
        // The skill of a claimed rating has that rating.
        let back = made.reference.expected_ad(&made.model, made.skill(elo, &Silent)?)?;
        assert!((made.elo(back) - elo).abs() < 0.01);
    }
    assert!(matches!(made.skill(5000.0, &Silent), Err(RatingsError::Refused(Refusal::OutsideRange { .. }))));
    Ok(())
}

#[test]
#[ignore = "slow: make test-full"]
fn the_posterior_over_elo_holds_the_truth() -> Test {
    let spreads = Spreads::new();
    let turns = play(&spreads, 2300.0, 1000, 4);
    let grid = Grid::new(1000.0, 20.0, 3200.0)?;
    // Whatever the method of the calibration, the reading follows the likelihood curve.
    let mut last = Vec::new();
    for method in [Method::Likelihood, Method::Percentile] {
        let made = if method == Method::Percentile { &*PERCENTILE } else { &calibration(&spreads, method)? };
        let readings = made.readings_on(&Sample::all(&turns), grid, Prior::Uniform, &Silent)?.ok_or("a curve")?;
        let moves: Vec<usize> = readings.iter().map(|reading| reading.moves).collect();
        assert_eq!(moves, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]);
        let sds: Vec<f64> = readings.iter().map(|reading| reading.posterior.sd()).collect();
        assert!(sds[0] > 400.0 && sds[4] > sds[6] && sds[6] > sds[8] && sds[9] < 80.0, "{sds:?}");
        let posterior = readings[9].posterior.clone();
        assert!((posterior.mean() - 2300.0).abs() < 3.0 * posterior.sd(), "{}", posterior.mean());
        // Stage by stage is what all moves at once tell.
        let first = Sample::all(&play(&spreads, 2300.0, 1, 4));
        let at_once = made.readings_on(&first, grid, Prior::Uniform, &Silent)?.ok_or("one")?;
        assert_eq!(at_once[0].posterior.probabilities(), readings[0].posterior.probabilities());
        last.push(posterior.probabilities().to_vec());
    }
    assert_eq!(last[0], last[1]);
    Ok(())
}

/// Mileposts that are no better described by a line than by their scatter about it widen intervals.
#[test]
#[ignore = "slow: make test-full"]
fn intervals_hold_what_the_calibration_does_not_know() -> Test {
    let spreads = Spreads::new();
    let made = &*PERCENTILE;
    let turns = play(&spreads, 2300.0, 2000, 12);
    let options = RatingOptions { estimator: Estimator::Mileposts, ..RatingOptions::default() };
    let rating = made.rate(&Sample::all(&turns), options, &Silent)?;
    let half = (rating.interval.1 - rating.interval.0) / 2.0;
    // Three degrees of freedom for the line, many for the sample.
    assert!(half > 1.96 * rating.se && half < 3.182 * rating.se, "{half} {}", rating.se);
    let mut scattered = made.clone();
    scattered.skill_curve.elo_line.scatter = 200.0;
    assert!(scattered.excess() > 150.0 && scattered.excess() < 200.0, "{}", scattered.excess());
    let wider = scattered.rate(&Sample::all(&turns), options, &Silent)?;
    assert!(wider.se > scattered.excess() && wider.se_sample == rating.se_sample && wider.elo == rating.elo);
    Ok(())
}

#[test]
fn screening_is_quiet_about_the_honest_and_loud_about_the_engine() -> Test {
    let spreads = Spreads::new();
    let made = &*PERCENTILE;
    let model = Widening { mm: 1.0, ad: 1.0 };
    let (mut squares, repeats) = ([0.0; 2], 40);
    for seed in 0..repeats {
        let turns = play(&spreads, 2300.0, 500, 100 + seed);
        let found = made.screen(&Sample::all(&turns), |_| Some(2300.0), model, &Silent)?;
        assert_eq!((found.games.len(), found.trace.len(), found.unrated), (10, 500, 0));
        squares[0] += found.overall.z_mm.powi(2);
        squares[1] += found.overall.z_ad.powi(2);
    }
    // z-scores of the model's own players have a standard deviation of 1, but for the calibration's error.
    for square in squares {
        assert!((0.5..1.8).contains(&(square / repeats as f64)), "{squares:?}");
    }
    let strong = play(&spreads, 2900.0, 500, 9);
    let found = made.screen(&Sample::all(&strong), |_| Some(2000.0), Widening::default(), &Silent)?;
    assert!(found.overall.z_mm > 3.0 && found.overall.z_ad > 3.0, "{:?}", found.overall);
    // Widened by 1.15 and 1.4.
    let narrow = made.screen(&Sample::all(&strong), |_| Some(2000.0), model, &Silent)?;
    assert!((narrow.overall.z_mm / found.overall.z_mm - 1.15).abs() < 1e-9);
    assert!((narrow.overall.z_ad / found.overall.z_ad - 1.4).abs() < 1e-9);
    let nobody = made.screen(&Sample::all(&strong), |_| None, model, &Silent);
    assert!(matches!(nobody, Err(RatingsError::Refused(Refusal::NoTurns))));
    Ok(())
}

#[test]
fn what_means_nothing_is_refused() -> Test {
    let spreads = Spreads::new();
    let made = &*PERCENTILE;
    let few = play(&spreads, 2300.0, 60, 5);
    let rated = made.rate(&Sample::all(&few), RatingOptions::default(), &Silent);
    assert!(matches!(rated, Err(RatingsError::Refused(Refusal::TooFewTurns { turns: 60, min: 100 }))));
    for (depth, scale) in [(12, Scale::default()), (10, Scale { a: 0.5, ..Scale::default() })] {
        let engine = Engine { depth: Some(depth), ..common::engine() };
        let mut builder = TurnsBuilder::new(scale, Selection::ALL, engine);
        for record in spreads.play(&made.model, skill(2300.0), 200, None, 6) {
            builder.add(record)?;
        }
        let other = builder.finish().turns;
        let refused = made.rate(&Sample::all(&Arc::new(other)), RatingOptions::default(), &Silent);
        assert!(matches!(refused, Err(RatingsError::Refused(Refusal::EngineMismatch { .. }))), "{depth}");
    }
    let model = ChoiceModel::new(Formula::PAPER);
    let two =
        [2300, 2500].into_iter().flat_map(|elo| spreads.play(&model, skill(2300.0), 200, Some(elo), u64::from(elo)));
    let refused =
        Calibration::new(&turns(two, Scale::default(), Selection::ALL), model, Method::Moments, String::new(), &Silent);
    assert!(matches!(refused, Err(RatingsError::Refused(Refusal::TooFewMileposts { mileposts: 2 }))));
    Ok(())
}

#[test]
#[ignore = "slow: make test-full"]
fn mileposts_rate_each_other() -> Test {
    let made = &*PERCENTILE;
    let checks = made.cross_checks(&Silent)?;
    let elos: Vec<f64> = checks.iter().map(|check| check.elo).collect();
    assert_eq!(elos, [1900.0, 2100.0, 2300.0, 2500.0, 2700.0]);
    // 95% intervals, of which one may miss.
    assert!(checks.iter().filter(|check| check.is_held()).count() >= 4, "{checks:?}");
    // By hand: a line through four points, and the fifth read off it.
    let four: Vec<(f64, f64)> = made.mileposts[..4].iter().map(|found| (found.reference_ad, found.elo)).collect();
    let line = FittedLine::through(&four).ok_or("a line")?;
    assert!((checks[4].rated - line.at(made.mileposts[4].reference_ad)).abs() < 1e-9);
    assert!(checks[4].se >= line.se_at(made.mileposts[4].reference_ad));
    let mut few = made.clone();
    few.mileposts.truncate(3);
    assert_eq!(few.cross_checks(&Silent)?, []);
    Ok(())
}

/// With weights on several depths all of them must be those of the calibration.
#[test]
fn other_depths_are_compared_where_they_count() -> Test {
    let spreads = Spreads::new();
    let model = ChoiceModel::with_weights(Formula::PAPER, &[2.0, 1.0])?;
    let played = |depth: u16, milepost: Option<u16>, seed: u64| {
        let elo = milepost.map_or(2300.0, f64::from);
        let records = spreads.play(&ChoiceModel::new(Formula::PAPER), skill(elo), 300, milepost, seed);
        let deepened = records.into_iter().map(move |mut record| {
            record.other_depths = vec![(depth, record.moves.iter().map(|&(_, evaluation)| evaluation).collect())];
            record
        });
        deepened.collect::<Vec<Record>>()
    };
    let mileposts = [1900, 2300, 2700].into_iter().flat_map(|elo| played(8, Some(elo), u64::from(elo)));
    let turns_of = |records: Vec<Record>| turns(records, Scale::default(), Selection::ALL);
    let made = Calibration::new(&turns_of(mileposts.collect()), model, Method::Percentile, String::new(), &Silent)?;
    assert_eq!(made.depths, [Some(10), Some(8)]);
    made.check(&turns_of(played(8, None, 1)))?;
    let refused = made.check(&turns_of(played(6, None, 1))).map_err(|error| error.to_string());
    assert!(
        refused.as_ref().is_err_and(|error| error.contains("other depths: 8") && error.contains("other depths: 6"))
    );
    Ok(())
}
