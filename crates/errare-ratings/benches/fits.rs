//! Measures fits against marks to stay under. Turns are drawn from the tests' spreads.

#[path = "../tests/common/mod.rs"]
mod common;

use common::Spreads;
use errare_choice::{Formula, Skill};
use errare_ratings::{ChoiceModel, Draws, Fitter, Method, Sample};
use errare_work::Silent;
use std::time::Instant;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let model = ChoiceModel::new(Formula::PAPER);
    let turns = Spreads::new().played(&model, Skill::new(0.18, 0.6)?, 10_000, 1);
    let sample = Sample::all(&turns);
    println!("{:48} {:>8} {:>10}", "10,000 turns, powers/invexp", "wall s", "mark");
    for method in Method::ALL {
        let fitter = Fitter::new(model.clone(), method);
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        measure(&format!("{method}, one thread"), "2 s", || alone.install(|| fitter.fit(&sample, &Silent)).map(drop))?;
    }
    for method in [Method::Likelihood, Method::Percentile] {
        let fitter = Fitter::new(model.clone(), method);
        let draws = Draws { count: 1000, seed: 1 };
        measure(&format!("{method}, 1,000 draws, all threads"), "300 s", || {
            fitter.bootstrap(&sample, draws, &Silent).map(drop)
        })?;
    }
    Ok(())
}

fn measure(what: &str, mark: &str, work: impl FnOnce() -> Result<(), errare_ratings::RatingsError>) -> Outcome {
    let start = Instant::now();
    work()?;
    println!("{what:48} {:8.2} {mark:>10}", start.elapsed().as_secs_f64());
    Ok(())
}
