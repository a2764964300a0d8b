//! Long work reports what it does, stops when told to, and its results can be shared between threads.

use crate::common;
use crate::common::{Spreads, Test, turns};
use errare_choice::{Formula, Skill};
use errare_ratings::{
    Calibration, ChoiceModel, ClaimedRating, Draws, FitPlan, Fitter, Grouping, HeldOutTrial, JointFit, Method,
    PlayerStudy, Players, RatingOptions, RatingsError, Sample, Scale, ScreeningOptions, ScreeningTrial, Selection,
    StudyOptions, TrialOptions, TurnReader, TurnSet, Turns, estimate_scale,
};
use errare_work::{Progress, Silent, Status};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Stops the work when it asks for the last time that is allowed, and counts how often it asks.
struct StopAfter {
    allowed: u64,
    asked: AtomicU64,
}

impl StopAfter {
    fn new(allowed: u64) -> StopAfter {
        StopAfter { allowed, asked: AtomicU64::new(0) }
    }
}

impl Progress for StopAfter {
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.allowed
    }
}

/// Writes all reports down.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Progress for Log {
    fn report(&self, status: &Status<'_>) {
        let Status { activity, unit, done, total, step, plan } = status;
        let total = total.map_or_else(String::new, |total| format!(" of {total}"));
        let part = plan.map_or_else(String::new, |plan| format!(" ({} of {})", plan.part, plan.parts));
        let line = format!("{activity}{part}: {done}{total} {unit} {}", step.unwrap_or_default());
        self.0.lock().expect("no panic").push(line);
    }
}

/// 600 turns of three mileposts, each of which has one player.
fn played() -> Result<Arc<Turns>, errare_choice::SkillError> {
    let (spreads, model) = (Spreads::new(), ChoiceModel::new(Formula::PAPER));
    let mut records = Vec::new();
    for (elo, s) in [(1900_u16, 0.26), (2300, 0.2), (2700, 0.14)] {
        records.extend(spreads.play(&model, Skill::new(s, 0.6)?, 200, Some(elo), u64::from(elo)));
    }
    Ok(turns(records, Scale::default(), Selection::ALL))
}

fn calibration(turns: &Arc<Turns>, progress: &dyn Progress) -> Result<Calibration, RatingsError> {
    Calibration::new(turns, ChoiceModel::new(Formula::PAPER), Method::Moments, "made up".to_owned(), progress)
}

fn data() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mileposts.jsonl.gz")).expect("the data")
}

type Work<'a> = (&'a str, Box<dyn Fn(&dyn Progress) -> Result<(), RatingsError> + 'a>);

#[test]
fn all_long_work_stops_when_told_to() -> Test {
    let turns = &played()?;
    let (made, sample) = (&calibration(turns, &Silent)?, &Sample::all(turns));
    let player = &turns.turn(0).player().name.clone();
    let draws = Some(Draws { count: 20, seed: 1 });
    let model = ChoiceModel::new(Formula::PAPER);
    let mut works: Vec<Work<'_>> = vec![
        (
            "reading",
            Box::new(|progress| {
                let mut reader = TurnReader::new(Scale::default(), Selection::ALL, common::engine());
                reader.read("turns", &data()[..], progress)
            }),
        ),
        ("calibration", Box::new(|progress| calibration(turns, progress).map(drop))),
        (
            "rating with draws",
            Box::new(move |progress| {
                made.rate(sample, RatingOptions { draws, ..RatingOptions::default() }, progress).map(drop)
            }),
        ),
        ("readings", Box::new(|progress| made.readings(sample, progress).map(drop))),
        (
            "screening",
            Box::new(|progress| made.screen_player(turns, player, ScreeningOptions::default(), progress).map(drop)),
        ),
        ("study", Box::new(|progress| made.study(turns, player, StudyOptions::default(), progress).map(drop))),
        ("scale", Box::new(|progress| estimate_scale(sample, Scale::default(), progress).map(drop))),
        ("players", Box::new(|progress| Ok(Players::new(turns, progress).map(drop)?))),
        ("methods", Box::new(|progress| made.method_fits(turns, progress).map(drop))),
        ("cross checks", Box::new(|progress| Ok(made.cross_checks(progress).map(drop)?))),
    ];
    for method in Method::ALL {
        let plan = FitPlan {
            model: model.clone(),
            methods: vec![method],
            all_formulas: false,
            by: Some(Grouping::Milepost),
            min_turns: 50,
            draws,
        };
        works.push(("groups", Box::new(move |progress| plan.run(turns, progress).map(drop))));
        let fitter = Fitter::new(model.clone(), method);
        works.push(("fit", Box::new(move |progress| fitter.fit(sample, progress).map(drop))));
    }
    for (name, work) in works {
        let all = StopAfter::new(u64::MAX);
        work(&all)?;
        let asked = all.asked.into_inner();
        assert!(asked > 2, "{name} asks {asked} times");
        // At once, early, in the middle, and at the very end.
        for allowed in [0, 1, asked / 2, asked - 1] {
            let stopping = StopAfter::new(allowed);
            let stopped = work(&stopping);
            assert!(matches!(stopped, Err(RatingsError::Cancelled(_))), "{name} after {allowed} of {asked}");
            // What runs in parallel may ask once more for each of its pieces.
            let more = stopping.asked.into_inner() - allowed;
            assert!(more <= 160, "{name} asks {more} times after {allowed} of {asked}");
        }
    }
    Ok(())
}

/// Stops the work when it has asked so often, and knows how long it took to ask again and to come back.
struct Stopwatch {
    allowed: u64,
    asked: AtomicU64,
    times: Mutex<Times>,
}

/// The last time that work asked, the longest that it went on without asking, and when it was first told to stop.
struct Times {
    last: Instant,
    longest: Duration,
    stopped: Option<Instant>,
}

impl Stopwatch {
    fn new(allowed: u64) -> Stopwatch {
        let times = Times { last: Instant::now(), longest: Duration::ZERO, stopped: None };
        Stopwatch { allowed, asked: AtomicU64::new(0), times: Mutex::new(times) }
    }
}

impl Progress for Stopwatch {
    fn is_cancelled(&self) -> bool {
        let is_over = self.asked.fetch_add(1, Ordering::Relaxed) >= self.allowed;
        let (now, mut times) = (Instant::now(), self.times.lock().expect("no panic"));
        times.longest = times.longest.max(now.saturating_duration_since(times.last));
        times.last = now;
        if is_over {
            times.stopped.get_or_insert(now);
        }
        is_over
    }
}

/// 3,000 turns of 60 games, each of two players of their own.
fn strangers() -> Result<Arc<Turns>, errare_choice::SkillError> {
    let (spreads, model) = (Spreads::new(), ChoiceModel::new(Formula::PAPER));
    let mut records = Vec::new();
    for (elo, s) in [(1900_u16, 0.26), (2300, 0.2), (2700, 0.14)] {
        records.extend(spreads.play(&model, Skill::new(s, 0.6)?, 1000, Some(elo), u64::from(elo)));
    }
    for record in &mut records {
        let id = record.game.id.clone();
        record.game.white.name = format!("White of {id}");
        record.game.black.name = format!("Black of {id}");
    }
    Ok(turns(records, Scale::default(), Selection::ALL))
}

/// Whoever cancels waits for the time between two questions, and for the way back from the second.
#[test]
fn joint_fits_and_trials_stop_within_a_fifth_of_a_second() -> Test {
    const SOON: Duration = Duration::from_millis(200);
    let turns = &strangers()?;
    let (sample, model) = (&Sample::all(turns), &ChoiceModel::new(Formula::PAPER));
    let options =
        &TrialOptions { sizes: vec![190], folds: 2, repeats: 1, with_mileposts: false, ..TrialOptions::default() };
    let works: [Work<'_>; 3] = [
        ("joint fit", Box::new(|progress| JointFit::new(sample, model, progress).map(drop))),
        ("held-out trial", Box::new(|progress| HeldOutTrial::new(turns, model, options, progress).map(drop))),
        ("screening trial", Box::new(|progress| ScreeningTrial::new(turns, model, options, progress).map(drop))),
    ];
    for (name, work) in works {
        // In the traits of turns, in the first steps of the fit, and further on.
        for allowed in [0, 2_000, 20_000, 60_000] {
            // A machine that is busy with something else may be slow once or twice, hardly five times.
            let times = (0..5).map(|_| -> Result<Duration, Box<dyn std::error::Error>> {
                let watch = Stopwatch::new(allowed);
                let stopped = work(&watch);
                let back = Instant::now();
                assert!(matches!(stopped, Err(RatingsError::Cancelled(_))), "{name} after {allowed}: {stopped:?}");
                let times = watch.times.into_inner().expect("no panic");
                let way_back = back - times.stopped.ok_or("never told to stop")?;
                Ok(times.longest + way_back)
            });
            let mut slowest = Duration::MAX;
            for time in times {
                slowest = slowest.min(time?);
                if slowest < SOON {
                    break;
                }
            }
            assert!(slowest < SOON, "{name} after {allowed}: {slowest:?}");
        }
    }
    Ok(())
}

#[test]
fn reports_say_what_is_done_and_how_far_it_is() -> Test {
    let turns = played()?;
    let reported = |work: &dyn Fn(&Log) -> Result<(), RatingsError>| -> Result<String, RatingsError> {
        let log = Log::default();
        work(&log)?;
        Ok(log.0.into_inner().expect("no panic").join("\n"))
    };
    let made = calibration(&turns, &Silent)?;
    let lines = reported(&|log| calibration(&turns, log).map(drop))?;
    for expected in [
        "fitting 1900 by moments (1 of 9): 0 steps",
        "fitting 2700 by likelihood (6 of 9)",
        "fitting 2700 by moments (9 of 9)",
    ] {
        assert!(lines.contains(expected), "{lines}");
    }
    let options = RatingOptions { draws: Some(Draws { count: 7, seed: 1 }), ..RatingOptions::default() };
    let lines = reported(&|log| made.rate(&Sample::all(&turns), options, log).map(drop))?;
    assert!(lines.contains("fitting by moments: 7 of 7 draws bootstrap"), "{lines}");
    let lines = reported(&|log| made.study(&turns, "player 2300", StudyOptions::default(), log).map(drop))?;
    for expected in [
        "rating player 2300: ",
        "computing the posterior: 151 of 151 Elos",
        "screening player 2300 (1 of 4): 3 of 4 games",
        "screening player 2300 with a shifted calibration (4 of 4)",
    ] {
        assert!(lines.contains(expected), "{expected}: {lines}");
    }
    let read = |log: &Log| {
        let mut reader = TurnReader::new(Scale::default(), Selection::ALL, common::engine());
        reader.read("mileposts", &data()[..], log)
    };
    assert!(reported(&read)?.contains("reading mileposts: 0 turns"));
    Ok(())
}

/// A lab holds these for long and hands them to many threads.
#[test]
fn results_are_owned_and_shared() -> Test {
    fn is_owned<T: Clone + Send + Sync + 'static>(_: &T) {}
    let turns = played()?;
    let made = calibration(&turns, &Silent)?;
    let study: PlayerStudy =
        made.study(&turns, "player 2300", StudyOptions { claim: ClaimedRating::Elo(2300.0), min_turns: 50 }, &Silent)?;
    let mut reader = TurnReader::new(Scale::default(), Selection::ALL, common::engine());
    reader.read("turns", &data()[..], &Silent)?;
    let set: TurnSet = reader.finish();
    is_owned(&set);
    is_owned(&made);
    is_owned(&study);
    is_owned(&study.rated.sample);
    is_owned(&Players::new(&set.turns, &Silent)?);
    // Clones of a sample share the turns.
    assert!(Arc::ptr_eq(study.rated.sample.clone().source(), &turns));
    Ok(())
}
