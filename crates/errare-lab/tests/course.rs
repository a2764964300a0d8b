//! The course: every lesson starts from what it says it does, by the tables.

use crate::common::LAB;
use errare_lab::{BuildRequest, CourseRequest, Lab, LabConfig, Lesson, LessonTask, Outcome, PlayRequest, PlayResponse};
use errare_work::Silent;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Tables of five men take a while to build; those of `ERRARE_TABLES` are used if there are any.
fn lessons(lab: &Lab) -> Vec<Lesson> {
    lab.run(&CourseRequest {}, &Silent).expect("a course").lessons
}

/// The first response of a lesson's game, by a request that is put together as a page would.
fn begun(lesson: &Lesson, seed: u64) -> PlayResponse {
    let mut request = serde_json::to_value(&lesson.start).expect("JSON");
    request["human"] = json!(lesson.human);
    request["opponent"] = json!(lesson.opponent);
    request["seed"] = json!(seed);
    let request: PlayRequest = serde_json::from_value(request).expect("a play request");
    LAB.run(&request, &Silent).unwrap_or_else(|error| panic!("{}: {error}", lesson.id))
}

fn check_starts(men: impl Fn(usize) -> bool) {
    for lesson in lessons(&LAB).into_iter().filter(|lesson| men(lesson.men)) {
        let expected = match lesson.task {
            LessonTask::Win => Outcome::Win,
            LessonTask::Draw => Outcome::Draw,
            LessonTask::Survive => Outcome::Loss,
        };
        for seed in 0..3 {
            let game = begun(&lesson, seed);
            assert_eq!(game.theory, expected, "{}: {}", lesson.id, game.start);
            // The person moves first, and all of the move rule is left.
            assert!(game.turn == lesson.human && game.moves.is_empty(), "{}: {}", lesson.id, game.start);
            assert_eq!((game.clock.plies, game.check && game.legal.is_empty()), (0, false), "{}", lesson.id);
            assert_eq!(game.material, lesson.material, "{}", lesson.id);
            // There is something to get wrong.
            let is_easy = game.legal.iter().all(|mv| mv.optimal);
            assert!(!is_easy || lesson.start.fen.is_none(), "{}: {}", lesson.id, game.start);
        }
    }
}

#[test]
fn lessons_of_up_to_four_men_start_as_they_say() {
    check_starts(|men| men <= 4);
}

#[test]
#[ignore = "builds tables of five men"]
fn lessons_of_five_men_start_as_they_say() {
    check_starts(|men| men > 4);
}

#[test]
fn the_course_is_complete_and_in_words() {
    let lessons = lessons(&LAB);
    let ids: BTreeSet<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
    assert_eq!(ids.len(), lessons.len(), "each lesson has a name of its own");
    assert!((20..=30).contains(&lessons.len()), "{}", lessons.len());
    let is_slug = |id: &str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    for lesson in &lessons {
        assert!(is_slug(&lesson.id), "{}", lesson.id);
        let sentences = lesson.goal.matches(['.', ':']).count();
        assert!(lesson.goal.ends_with('.') && (1..=4).contains(&sentences), "{}", lesson.goal);
        assert!(!lesson.goal.contains("  ") && lesson.goal.len() < 260, "{}: {}", lesson.id, lesson.goal);
        assert_eq!(lesson.men, lesson.material.len());
        // A lesson with a fixed position has the men that the position has.
        if let Some(fen) = &lesson.start.fen {
            let board = fen.split(' ').next().unwrap_or_default();
            assert_eq!(board.chars().filter(|c| c.is_ascii_alphabetic()).count(), lesson.men, "{fen}");
        }
    }
    let endings: BTreeSet<&str> = lessons.iter().map(|lesson| lesson.material.as_str()).collect();
    for ending in [
        "KQK", "KRK", "KBBK", "KPK", "KBNK", "KQKP", "KQKR", "KRKN", "KRKP", "KRPKR", "KRBKR", "KBBKN", "KNNKP",
        "KQPKQ",
    ] {
        assert!(endings.contains(ending), "{ending}");
    }
    // Easy ones first: the hard endings of five men come after those of three.
    assert!(lessons[..5].iter().all(|lesson| lesson.men <= 4) && lessons.last().is_some_and(|lesson| lesson.men == 5));
}

#[test]
fn tables_that_are_missing_are_named_and_can_be_built() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
    let find = |id: &str| lessons(&lab).into_iter().find(|lesson| lesson.id == id).expect("a lesson");
    let before = find("pawn-win").tables;
    assert!(!before.ready && before.missing == 5, "the pawn, and what it may become: {before:?}");
    assert!(before.seconds.is_some_and(|seconds| seconds > 0.0 && seconds < 60.0), "{before:?}");
    let large = find("philidor").tables;
    assert!(large.seconds > before.seconds && large.missing > 10, "{large:?}");
    let build: BuildRequest = before.build.expect("a request");
    lab.run(&build, &Silent).expect("tables");
    let after = find("pawn-win").tables;
    assert!(after.ready && after.missing == 0 && after.build.is_none() && after.seconds.is_none(), "{after:?}");
    let nothing: Value = serde_json::to_value(find("pawn-draw").tables).expect("JSON");
    assert_eq!(nothing["ready"], true, "the same tables");
    let poor = LabConfig { tables: Some(folder.path().join("none")), memory: Some(1 << 20), ..LabConfig::default() };
    let poor = lessons(&Lab::new(poor));
    assert!(poor.iter().all(|lesson| !lesson.tables.ready && lesson.tables.refused.is_some()));
}
