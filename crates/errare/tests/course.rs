//! `errare course` and `errare draw`, end to end.

use crate::common::{fresh, json, run, shared, stderr, stdout};

#[test]
fn the_course_is_listed_without_building_anything() {
    let folder = fresh();
    let text = stdout(&mut run(folder.path(), "course"));
    assert!(text.starts_with("lesson  ") && text.ends_with(" lessons\n"), "{text}");
    let line = |id: &str| text.lines().find(|line| line.starts_with(&format!("{id} "))).map(str::to_owned);
    assert!(line("queen-rook").is_some_and(|line| line.contains("Queen against rook") && line.ends_with("s to build")));
    assert!(line("philidor").is_some_and(|line| line.contains("KRPKR") && line.contains("Black")), "{text}");
    assert!(std::fs::read_dir(folder.path()).is_ok_and(|mut files| files.next().is_none()), "nothing was built");
    let goals = stdout(&mut run(folder.path(), "course --goals"));
    assert!(
        goals.contains("Lucena: build the bridge (lucena; KRPKR, you are White, win)\n  Queen the pawn"),
        "{goals}"
    );
    let found = json(&mut run(folder.path(), "course --format json"));
    let lessons = found["lessons"].as_array().unwrap();
    assert_eq!((&found["metric"], lessons.len() + 2), (&"dtc".into(), text.lines().count()));
    let csv = stdout(&mut run(folder.path(), "course --format csv"));
    assert!(csv.starts_with("id,title,material,men,human,task,fen,depth,opponent,ready,seconds,goal\n"), "{csv}");
    assert_eq!(csv.lines().count(), lessons.len() + 1);
    let refused = stderr(&mut run(folder.path(), "course --goals --format json"), 2);
    assert!(refused.contains("--goals"), "{refused}");
    // What a lesson needs is there once it has been played.
    stdout(run(folder.path(), "play KQK --depth 6.. --seed 1").write_stdin("quit\n"));
    let text = stdout(&mut run(folder.path(), "course"));
    assert!(text.lines().any(|line| line.starts_with("queen ") && line.ends_with("there")), "{text}");
}

#[test]
fn a_position_is_drawn_for_a_chance() {
    let line = "draw KRK --chance 0.7 --competence 12 --seed 3";
    let found = json(&mut run(shared(), &format!("{line} --format json")));
    let (chance, depth) = (found["chance"].as_f64().unwrap(), found["depth"].as_u64().unwrap());
    assert!((chance - 0.7).abs() < 0.1 && depth < 17, "{found}");
    assert_eq!((&found["human"], &found["competence"], &found["seed"]), (&"white".into(), &"12".into(), &3.into()));
    let text = stdout(&mut run(shared(), line));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], found["fen"].as_str().unwrap());
    let value = format!("win by perfect play in {depth} moves (dtc, kappa 1, holding nothing; seed 3)");
    assert_eq!(lines[1], format!("KRK: you are White, {value}"));
    assert_eq!(lines[2], format!("chance to win within 50 moves: {chance:.3} (competence 12)"));
    assert_eq!(lines.len(), 5 + found["depths"].as_array().unwrap().len(), "{text}");
    let csv = stdout(&mut run(shared(), &format!("{line} --format csv")));
    assert!(csv.starts_with("depth,chance,positions,fen\n1,"), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.ends_with("0 1")).count(), 1, "{csv}");
    // The chance is that of predict, if people may give up wins there too.
    let mut predict = run(shared(), "predict --competence 12 --hold nothing --format json");
    let predicted = json(predict.arg(found["fen"].as_str().unwrap()));
    assert_eq!(predicted["within"]["50"]["won"], found["chance"]);
}

#[test]
fn a_lesson_has_a_position_and_a_chance() {
    let text = stdout(&mut run(shared(), "draw --lesson pawn-draw --competence 12"));
    assert!(text.starts_with("8/8/3k4/8/3PK3/8/8/8 b - - 0 1\nKPK: you are Black, draw by perfect play ("), "{text}");
    assert!(text.contains("\nchance to hold for 50 moves: 0."), "{text}");
    let csv = stdout(&mut run(shared(), "draw --lesson rook --competence inf --format csv"));
    assert!(csv.starts_with("fen,material,human,task,depth,chance\n") && csv.ends_with(",1\n"), "{csv}");
    let lost = stdout(&mut run(shared(), "draw KRK --as black --outcome loss --depth 10 --competence 5"));
    assert!(lost.contains("the position is lost against best play") && lost.contains("expected: "), "{lost}");
    for (line, words) in [
        ("draw --lesson rock", "unknown lesson `rock`: `errare course` lists them; did you mean rook?"),
        ("draw KRK --chance 2", "invalid chance 2: expected a number from 0 to 1"),
        ("draw KRK --lesson rook", "cannot be used with"),
        ("draw KRK --competence 3 --grid 0:1:5", "with --competence, which says what is known"),
    ] {
        let refused = stderr(&mut run(shared(), line), 2);
        assert!(refused.contains(words), "{line}: {refused}");
    }
}
