//! Calibration, ratings and screening of players whose skill is known.

mod common;

use common::{Spreads, Test, turns};
use errare_choice::{Formula, Grid, Prior, Skill};
use errare_ratings::{
    Calibration, Engine, Lens, Method, RatingTerms, RatingsError, Sample, Scale, Selection, Turns, TurnsBuilder,
    Widening,
};

/// A straight truth: s falls with Elo, c rises a little.
fn skill(elo: f64) -> Skill {
    Skill::new(0.14 + 0.12 * (2700.0 - elo) / 800.0, 0.62 - 0.03 * (2700.0 - elo) / 800.0).expect("positive")
}

fn calibration(spreads: &Spreads, method: Method) -> Result<Calibration, RatingsError> {
    let lens = Lens::new(Formula::PAPER);
    let played = [1900, 2100, 2300, 2500, 2700]
        .into_iter()
        .flat_map(|elo| spreads.play(&lens, skill(f64::from(elo)), 2000, Some(elo), u64::from(elo)));
    Calibration::new(&turns(played, Scale::default(), Selection::ALL), lens, method, "made up".to_owned())
}

fn play(spreads: &Spreads, elo: f64, count: usize, seed: u64) -> Turns {
    spreads.played(&Lens::new(Formula::PAPER), skill(elo), count, seed)
}

#[test]
fn ratings_lead_back_to_elo() -> Test {
    let spreads = Spreads::new();
    let made = calibration(&spreads, Method::Percentile)?;
    let ads: Vec<f64> = made.mileposts.iter().map(|milepost| milepost.expected_ad).collect();
    assert!(ads.windows(2).all(|pair| pair[0] > pair[1]), "{ads:?}");
    for (elo, seed) in [(2000.0, 1), (2400.0, 2), (2650.0, 3)] {
        let turns = play(&spreads, elo, 2000, seed);
        let sample = Sample::all(&turns);
        let rating = made.rate(&sample, RatingTerms { draws: Some((30, 1)), ..RatingTerms::default() })?;
        assert!((rating.elo - elo).abs() < 3.0 * rating.se && rating.se < 150.0, "{elo}: {rating:?}");
        let (low, high) = rating.drawn_interval.ok_or("drawn")?;
        assert!(low < rating.elo && rating.elo < high);
        // The skill of a claimed rating has that rating.
        let back = made.reference.expected_ad(&made.lens, made.skill(elo)?)?;
        assert!((made.elo(back) - elo).abs() < 0.01);
    }
    assert!(matches!(made.skill(5000.0), Err(RatingsError::Beyond(_))));
    Ok(())
}

#[test]
fn the_posterior_over_elo_holds_the_truth() -> Test {
    let spreads = Spreads::new();
    let made = calibration(&spreads, Method::Likelihood)?;
    let turns = play(&spreads, 2300.0, 1000, 4);
    let posterior = made.posterior(&Sample::all(&turns), Grid::new(1000.0, 20.0, 3200.0)?, Prior::Uniform)?;
    assert!((posterior.mean() - 2300.0).abs() < 3.0 * posterior.sd() && posterior.sd() < 80.0, "{}", posterior.mean());
    Ok(())
}

#[test]
fn screening_is_quiet_about_the_honest_and_loud_about_the_engine() -> Test {
    let spreads = Spreads::new();
    let made = calibration(&spreads, Method::Percentile)?;
    let model = Widening { mm: 1.0, ad: 1.0 };
    let (mut squares, repeats) = ([0.0; 2], 40);
    for seed in 0..repeats {
        let turns = play(&spreads, 2300.0, 500, 100 + seed);
        let found = made.screen(&Sample::all(&turns), |_| Some(2300.0), model)?;
        assert_eq!((found.games.len(), found.trace.len(), found.unrated), (10, 500, 0));
        squares[0] += found.overall.z_mm.powi(2);
        squares[1] += found.overall.z_ad.powi(2);
    }
    // z-scores of the model's own players have a standard deviation of 1, but for the calibration's error.
    for square in squares {
        assert!((0.5..1.8).contains(&(square / repeats as f64)), "{squares:?}");
    }
    let strong = play(&spreads, 2900.0, 500, 9);
    let found = made.screen(&Sample::all(&strong), |_| Some(2000.0), Widening::default())?;
    assert!(found.overall.z_mm > 3.0 && found.overall.z_ad > 3.0, "{:?}", found.overall);
    // Widened by 1.15 and 1.4.
    let narrow = made.screen(&Sample::all(&strong), |_| Some(2000.0), model)?;
    assert!((narrow.overall.z_mm / found.overall.z_mm - 1.15).abs() < 1e-9);
    assert!((narrow.overall.z_ad / found.overall.z_ad - 1.4).abs() < 1e-9);
    let nobody = made.screen(&Sample::all(&strong), |_| None, model);
    assert!(matches!(nobody, Err(RatingsError::NoTurns)));
    Ok(())
}

#[test]
fn what_means_nothing_is_refused() -> Test {
    let spreads = Spreads::new();
    let made = calibration(&spreads, Method::Percentile)?;
    let few = play(&spreads, 2300.0, 60, 5);
    let rated = made.rate(&Sample::all(&few), RatingTerms::default());
    assert!(matches!(rated, Err(RatingsError::TooFew { turns: 60, least: 100 })));
    for (depth, scale) in [(12, Scale::default()), (10, Scale { a: 0.5, ..Scale::default() })] {
        let engine = Engine { depth: Some(depth), ..common::engine() };
        let mut builder = TurnsBuilder::new(scale, Selection::ALL, engine);
        for record in spreads.play(&made.lens, skill(2300.0), 200, None, 6) {
            builder.add(record)?;
        }
        let (other, _) = builder.finish();
        let refused = made.rate(&Sample::all(&other), RatingTerms::default());
        assert!(matches!(refused, Err(RatingsError::Calibration { .. })), "{depth}");
    }
    let lens = Lens::new(Formula::PAPER);
    let two = [2300, 2500].into_iter().flat_map(|elo| spreads.play(&lens, skill(2300.0), 200, Some(elo), 1));
    let refused = Calibration::new(&turns(two, Scale::default(), Selection::ALL), lens, Method::Moments, String::new());
    assert!(matches!(refused, Err(RatingsError::Mileposts(2))));
    Ok(())
}
