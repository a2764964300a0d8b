//! Calibration files, sets of turns, and studies of players with all that they refuse.

use crate::common;
use crate::common::{Spreads, Test};
use errare_choice::{Formula, Skill};
use errare_ratings::{
    Calibration, CalibrationDocument, CalibrationFileError, ChoiceModel, ClaimedRating, Engine, Method, Player, Rating,
    RatingOptions, RatingsError, Record, Refusal, Sample, Scale, Selection, StudyOptions, TurnFormat, TurnReader,
    TurnRows, TurnWriter, Turns, Weakness,
};
use errare_work::Silent;
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;
use std::sync::{Arc, LazyLock};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mileposts.jsonl.gz");

static SPREADS: LazyLock<Spreads> = LazyLock::new(Spreads::new);

fn play(s: f64, count: usize, milepost: Option<u16>, seed: u64) -> Vec<Record> {
    let skill = Skill::new(s, 0.6).expect("positive");
    SPREADS.play(&ChoiceModel::new(Formula::PAPER), skill, count, milepost, seed)
}

fn turns(records: impl IntoIterator<Item = Record>) -> Arc<Turns> {
    common::turns(records, Scale::default(), Selection::ALL)
}

static CALIBRATION: LazyLock<Calibration> = LazyLock::new(|| {
    let mileposts = [(1900, 0.26), (2300, 0.2), (2700, 0.14)];
    let records = mileposts.into_iter().flat_map(|(elo, s)| play(s, 1000, Some(elo), u64::from(elo)));
    let model = ChoiceModel::new(Formula::PAPER);
    Calibration::new(&turns(records), model, Method::Moments, "made up".to_owned(), &Silent).expect("a calibration")
});

/// Whether it is the calibration above, but for the last digit of numbers.
fn is_same(read: &Calibration) {
    let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-9 * one.abs().max(1.0), "{one} {other}");
    let made = &*CALIBRATION;
    assert!(read.reference == made.reference && read.engine == made.engine && read.model == made.model);
    assert_eq!(
        (read.scale, read.method, &read.data, &read.depths),
        (made.scale, made.method, &made.data, &made.depths)
    );
    for (read, made) in read.mileposts.iter().zip(&made.mileposts) {
        near(read.projection.expected_mm, made.projection.expected_mm);
        near(read.projection.expected_ad, made.projection.expected_ad);
        near(read.reference_ad, made.reference_ad);
        near(read.se_reference_ad, made.se_reference_ad);
    }
    for ad in [0.05, 0.1, 0.2] {
        near(read.elo(ad), made.elo(ad));
        near(read.half_interval(ad, 10.0), made.half_interval(ad, 10.0));
    }
    let joint = |calibration: &Calibration| calibration.joint.clone().expect("a joint model");
    for (read, made) in joint(read).model.logit_tail.iter().zip(joint(made).model.logit_tail) {
        near(*read, made);
    }
    near(joint(read).precision_at(2350.0).calibration_se, joint(made).precision_at(2350.0).calibration_se);
    near(joint(read).clusters.player_variance, joint(made).clusters.player_variance);
    let curve = |calibration: &Calibration| calibration.likelihood_curve.map(|curve| curve.elo_line.slope);
    near(curve(read).expect("a curve"), curve(made).expect("a curve"));
}

#[test]
fn files_give_the_same_calibration_back() -> Test {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("calibration.json");
    CALIBRATION.write(&path)?;
    is_same(&Calibration::read(&path)?);
    assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
    // Files of before have other names for two numbers.
    let text = std::fs::read_to_string(&path)?;
    assert!(text.contains("\"mm_expected\"") && text.contains("\"ad_expected\"") && text.contains("\"expected_ad\""));
    let old = text.replace("mm_expected", "mm_predicted").replace("ad_expected", "ad_predicted");
    is_same(&Calibration::from_json(old.as_bytes())?);
    Ok(())
}

#[test]
fn files_that_cannot_be_used_are_named_with_the_reason() -> Test {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("odd.json");
    let whole = serde_json::to_value(CalibrationDocument::from(&*CALIBRATION))?;
    let refused = |text: &[u8]| -> Result<String, Box<dyn std::error::Error>> {
        std::fs::write(&path, text)?;
        Ok(Calibration::read(&path).err().ok_or("it is read")?.to_string())
    };
    let changed = |place: &str, value: Value| {
        let mut odd = whole.clone();
        *odd.pointer_mut(place).expect("a place") = value;
        odd.to_string().into_bytes()
    };
    let turn = |losses: &str| serde_json::from_str::<Value>(losses).expect("JSON");
    for (text, reason) in [
        (b"{}".to_vec(), "not a calibration: missing field `kind`"),
        (changed("/kind", "errare calibration 1".into()), "unsupported kind `errare calibration 1`"),
        (changed("/scale/cap", 0.into()), "invalid scale: a = 1, mate 100, cap 0"),
        (changed("/mileposts", turn("[]")), "invalid number of mileposts 0"),
        (changed("/elo_line/slope", 3.into()), "invalid slope of Elo by expected loss 3"),
        (changed("/mileposts/0/elo", 1e40.into()), "invalid milepost 1"),
        (changed("/reference/0/0/0", 1e40.into()), "not a calibration: number out of range"),
        (changed("/reference", turn("[]")), "invalid reference set"),
        (changed("/reference/0", turn("[[]]")), "invalid reference set"),
        (changed("/reference/0", turn("[[0.0],[0.0,1.0]]")), "invalid reference set"),
        (changed("/reference", Value::Array(vec![turn("[[0.0]]"); 3000])), "expected 1 to 2000 turns"),
        (changed("/mileposts/0/s", (-1).into()), "invalid milepost"),
        (changed("/method", "best".into()), "invalid method `best`"),
        (changed("/weights", turn("[-1.0]")), "invalid weights"),
        (vec![b' '; (16 << 20) + 1], "too long"),
    ] {
        let found = refused(&text)?;
        assert!(found.contains("odd.json") && found.contains(reason), "{reason}: {found}");
    }
    let missing = Calibration::read(&folder.path().join("missing.json"));
    assert!(matches!(missing, Err(CalibrationFileError::Read { .. })));
    assert!(matches!(CALIBRATION.write(folder.path()), Err(CalibrationFileError::Write(_))));
    Ok(())
}

/// Whatever number of a calibration is out of bounds, it is refused, or rates to a finite Elo.
#[test]
fn no_number_of_a_calibration_leads_to_nan() -> Test {
    fn places(value: &Value, at: String, found: &mut Vec<String>) {
        match value {
            Value::Number(_) => found.push(at),
            // Of the reference set a few numbers are enough.
            Value::Array(all) => {
                all.iter().take(3).enumerate().for_each(|(n, one)| places(one, format!("{at}/{n}"), found))
            }
            Value::Object(all) => all.iter().for_each(|(key, one)| places(one, format!("{at}/{key}"), found)),
            _ => {}
        }
    }
    let whole = serde_json::to_value(CalibrationDocument::from(&*CALIBRATION))?;
    let mut numbers = Vec::new();
    places(&whole, String::new(), &mut numbers);
    assert!(numbers.len() > 60);
    let sample = Sample::all(&turns(play(0.2, 200, None, 9)));
    // Whether the calibration with another number in its place is read.
    let is_read = |place: &String, value: &str| -> Result<bool, String> {
        let mut odd = whole.clone();
        *odd.pointer_mut(place).ok_or("a place")? = serde_json::from_str(value).map_err(|_| "a number")?;
        let Ok(calibration) = Calibration::from_json(odd.to_string().as_bytes()) else {
            return Ok(false);
        };
        assert!(!value.contains("1e40") && !value.contains("1e300"), "{place} = {value} is read");
        match calibration.rate(&sample, RatingOptions::default(), &Silent) {
            Ok(Rating { elo, se, interval: (low, high), .. }) => {
                assert!([elo, se, low, high].iter().all(|number| number.is_finite()), "{place} = {value}");
            }
            Err(RatingsError::Refused(_)) => {}
            Err(error) => return Err(format!("{place} = {value}: {error}")),
        }
        Ok(true)
    };
    let tried: Vec<bool> = numbers
        .par_iter()
        .flat_map_iter(|place| ["1e40", "-1e40", "1e300", "-1", "0", "1e-300"].map(|value| is_read(place, value)))
        .collect::<Result<_, _>>()?;
    let read = tried.iter().filter(|&&read| read).count();
    let refused = tried.len() - read;
    assert!(refused > 300 && read > 10, "{refused} {read}");
    Ok(())
}

#[test]
fn other_files_are_not_calibrations() -> Test {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("file");
    for (bytes, words) in [
        (std::fs::read(DATA)?, ["this is turns, not a calibration", "errare calibrate TURNS"]),
        (b"[Event \"x\"]".to_vec(), ["this is games in PGN, not a calibration", "errare calibrate"]),
        (b"SQLite format 3\0".to_vec(), ["this is an SQLite database", "errare calibrate"]),
        (b"PAR1".to_vec(), ["this is a Parquet file", "errare calibrate TURNS"]),
    ] {
        std::fs::write(&path, bytes)?;
        let error = Calibration::read(&path).err().ok_or("it is read")?.to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    let error = Calibration::read(folder.path()).err().ok_or("it is read")?.to_string();
    assert!(error.contains("this is a folder"), "{error}");
    Ok(())
}

#[test]
fn calibrations_that_mean_little_are_marked() -> Test {
    assert_eq!(CALIBRATION.range(), (1900.0, 2700.0));
    assert!([1899.9, 2700.1, f64::NAN].iter().all(|&elo| CALIBRATION.is_outside_range(elo)));
    assert!(![1900.0, 2700.0].iter().any(|&elo| CALIBRATION.is_outside_range(elo)));
    let strong = Sample::all(&turns(play(0.05, 400, None, 4)));
    let rated = CALIBRATION.rate(&strong, RatingOptions::default(), &Silent)?;
    assert!(rated.elo > 2700.0 && rated.outside_range);
    let reading = CALIBRATION.readings(&strong, &Silent)?.pop().ok_or("a reading")?.summary();
    assert!(reading.mean > 2700.0 && reading.outside_range);
    let usual = CALIBRATION.rate(&Sample::all(&turns(play(0.2, 1000, None, 4))), RatingOptions::default(), &Silent)?;
    assert!(!usual.outside_range, "{}", usual.elo);

    // Three mileposts of 20 games each, on a line that is nearly straight: t with one degree of freedom is above 12.7.
    // Without a joint model the line through them rates.
    let mut calibration = Calibration { joint: None, ..CALIBRATION.clone() };
    calibration.skill_curve.elo_line.scatter = 1.0;
    assert_eq!(calibration.weaknesses(), []);
    let line = &mut calibration.skill_curve.elo_line;
    line.scatter = line.slope.abs() * line.spread_x.sqrt() / 12.8;
    assert_eq!(calibration.weaknesses(), []);
    let line = &mut calibration.skill_curve.elo_line;
    line.scatter = line.slope.abs() * line.spread_x.sqrt() / 12.6;
    calibration.mileposts[1].games = 9;
    let weak = calibration.weaknesses();
    assert_eq!(weak, [Weakness::FewGames { elo: 2300.0, games: 9 }, Weakness::UncertainTrend { mileposts: 3 }]);
    assert!(weak.iter().all(|weakness| weakness.to_string().starts_with("weak calibration: ")));

    let few = [(1900, 0.26), (2300, 0.2), (2700, 0.14)].into_iter().flat_map(|(elo, s)| play(s, 49, Some(elo), 1));
    let model = ChoiceModel::new(Formula::PAPER);
    let made = Calibration::new(&turns(few), model, Method::Moments, String::new(), &Silent);
    let expected = Refusal::SmallMilepost { elo: 1900.0, turns: 49, min: 50 };
    assert!(matches!(made, Err(RatingsError::Refused(refusal)) if refusal == expected));
    Ok(())
}

#[test]
fn a_study_holds_refusals_in_their_places() -> Test {
    let named = |name: &str, elo: Option<u16>, count: usize, seed: u64| {
        let (name, mut records) = (name.to_owned(), play(0.2, count, None, seed));
        for record in &mut records {
            record.game.white = Player { name: name.clone(), elo };
            record.game.black = record.game.white.clone();
        }
        records
    };
    let played = [named("rated", Some(2300), 300, 1), named("unrated", None, 300, 2), named("idle", Some(2300), 30, 3)];
    let turns = turns(played.into_iter().flatten());
    let study = |player: &str, claim: ClaimedRating| {
        CALIBRATION.study(&turns, player, StudyOptions { claim, ..StudyOptions::default() }, &Silent)
    };
    let rated = study("rated", ClaimedRating::OfEachGame)?;
    assert!((rated.rated.rating.clone()?.elo - 2300.0).abs() < 300.0 && rated.rated.readings.len() == 9);
    let screening = rated.screening?;
    assert_eq!((screening.screening.unrated, screening.screening.games.len()), (0, 6));
    assert!(screening.opponents.is_none(), "both sides are the same player");
    assert!(screening.shift.elo > 0.0 && screening.note().contains("not a verdict"));

    let unrated = study("unrated", ClaimedRating::OfEachGame)?;
    assert!(unrated.rated.rating.is_ok());
    assert_eq!(unrated.screening.err(), Some(Refusal::NoClaim { player: "unrated".to_owned() }));
    assert!(study("unrated", ClaimedRating::Elo(2200.0))?.screening.is_ok());

    let claimed = study("rated", ClaimedRating::Elo(9000.0))?;
    assert!(claimed.rated.rating.is_ok());
    assert_eq!(claimed.screening.err(), Some(Refusal::OutsideRange { elo: 9000.0 }));

    let few = Refusal::TooFewTurns { turns: 30, min: 100 };
    let idle = study("idle", ClaimedRating::OfEachGame)?;
    assert_eq!((idle.rated.rating.clone().err(), idle.screening.err()), (Some(few.clone()), Some(few)));
    assert!(idle.rated.readings.is_empty());
    Ok(())
}

#[test]
fn sets_of_turns_name_their_files_and_the_place_of_what_is_wrong() -> Test {
    let folder = tempfile::tempdir()?;
    let reader = || TurnReader::new(Scale::default(), Selection::default(), common::engine());
    let mut twice = reader();
    twice.open(Path::new(DATA), &Silent)?;
    twice.open(Path::new(DATA), &Silent)?;
    let set = twice.finish();
    assert_eq!(set.data, "mileposts.jsonl.gz, mileposts.jsonl.gz: 818 turns of 15 games");
    assert!(set.left_out.duplicate >= 818 && set.duplicate_games == 15);

    let refused = |path: &Path| reader().open(path, &Silent).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused(&folder.path().join("none.jsonl")).contains("none.jsonl: cannot open it"));
    // The third turn is by another engine: a line of text, a row of Parquet.
    let rows: Vec<_> = TurnRows::open(Path::new(DATA))?.take(3).collect::<Result<_, _>>()?;
    for (name, place) in [("mixed.jsonl", "line 3: "), ("mixed.parquet", "row 3: ")] {
        let path = folder.path().join(name);
        let mut writer = TurnWriter::new(std::fs::File::create(&path)?, TurnFormat::of(&path).ok_or("a format")?)?;
        for (number, mut row) in rows.clone().into_iter().enumerate() {
            row.engine = Some(if number < 2 { "one" } else { "other" }.to_owned());
            writer.write(row)?;
        }
        drop(writer.finish()?);
        let found = refused(&path);
        assert!(found.contains(&format!("{name}: {place}evaluations by other")), "{found}");
    }
    let unnamed = TurnReader::new(Scale::default(), Selection::default(), Engine::default()).finish();
    let made = unnamed.calibration(ChoiceModel::new(Formula::PAPER), Method::Moments, &Silent);
    assert!(matches!(made, Err(RatingsError::Refused(Refusal::UnnamedEngine))));
    Ok(())
}
