//! `errare uci`: dialogues.

use crate::common::{DEEP_KQKR, files, fresh, json, program, run, shared, stderr, stdout};
use crate::dialogue::Dialogue;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/browne_belle.pgn");

/// A folder with KQKR and what comes after it, to DTC.
fn kqkr() -> &'static Path {
    stdout(&mut run(shared(), "table build KQKR KQK KRK --metric dtc"));
    shared()
}

/// What follows a word in a line.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|found| *found != word).nth(1)
}

fn one_of<'a>(lines: &'a [String], words: &str) -> &'a str {
    lines.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("no {words} in {lines:#?}"))
}

#[test]
fn it_introduces_itself_with_its_options() {
    let mut engine = Dialogue::new(&fresh().path().join("t"), &["--option", "Competence=12", "--option", "agent=LEVY"]);
    engine.say("uci");
    let said = engine.until("uciok");
    assert!(said[0].starts_with("id name errare ") && said[1].starts_with("id author "), "{said:?}");
    // What is set beforehand is what the chess program finds.
    assert!(said.contains(&"option name Competence type string default 12".to_owned()));
    one_of(&said, "option name Agent type combo default levy var player");
    for name in [
        "Hash",
        "Threads",
        "Move Overhead",
        "SyzygyPath",
        "UCI_ShowWDL",
        "MultiPV",
        "Ponder",
        "UCI_AnalyseMode",
        "UCI_Opponent",
        "UCI_LimitStrength",
        "UCI_Elo",
        "OwnBook",
        "Syzygy50MoveRule",
        "Metric",
        "Kappa",
        "Horizon",
        "Seed",
        "Hold Value",
        "Tables",
        "Strategy",
        "Fallback Engine",
        "Fallback Depth",
    ] {
        one_of(&said, &format!("option name {name} type "));
    }
    engine.quit();
    let refused = stderr(&mut run(shared(), "uci --option Competence=much"), 2);
    assert!(refused.contains("invalid competence `much`"), "{refused}");
    assert!(
        stderr(&mut run(shared(), "uci --option Competence"), 2)
            .contains("invalid option `Competence`: expected NAME=VALUE")
    );
}

/// The probabilities that it shows, by move.
fn shown(engine: &mut Dialogue) -> BTreeMap<String, f64> {
    let (_, said) = engine.go("");
    let words = said.iter().filter_map(|line| line.strip_prefix("info string ")?.split_once(" probability "));
    let number = |text: &str| text.split([',', ' ']).next().unwrap().parse().unwrap();
    words.map(|(mv, rest)| (mv.to_owned(), number(rest))).collect()
}

#[test]
fn it_plays_with_the_probabilities_that_choose_tells() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "MultiPV=500"]);
    for (fen, options, flags) in [
        ("8/8/8/8/3K1k2/r7/6Q1/8 w - - 0 1", "Competence=20", "--agent player:20"),
        ("8/8/8/8/3K1k2/r7/6Q1/8 w - - 0 1", "Hold Value=true", "--agent player:20 --keep-value"),
        ("8/8/8/8/3K1k2/r7/6Q1/8 w - - 0 1", "Competence=-3;Kappa=0.5", "--agent player:-3 --keep-value --kappa 0.5"),
        (
            "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1",
            "Competence=inf;Horizon=3",
            "--agent player:inf --keep-value --kappa 0.5 --horizon 3",
        ),
        ("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1", "Agent=predator;Horizon=0;Kappa=1", "--agent predator --keep-value"),
        ("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1", "Agent=infallible", "--agent infallible"),
    ] {
        options
            .split(';')
            .filter_map(|option| option.split_once('='))
            .for_each(|(name, value)| engine.set(name, value));
        engine.say(&format!("position fen {fen}"));
        let found = shown(&mut engine);
        let told = json(run(kqkr(), &format!("choose {flags} --format json")).arg(fen));
        let candidates = told["candidates"].as_array().unwrap();
        assert_eq!(found.len(), candidates.len(), "{options}");
        for candidate in candidates {
            let (mv, expected) = (candidate["uci"].as_str().unwrap(), candidate["probability"].as_f64().unwrap());
            assert!((found[mv] - expected).abs() < 1e-6, "{options}: {mv} {} {expected}", found[mv]);
        }
    }
    engine.quit();
}

#[test]
fn scores_are_those_of_the_metric() {
    stdout(&mut run(shared(), "table build KQKR KQK KRK --metric dtm"));
    let mut engine = Dialogue::new(kqkr(), &["--option", "Agent=infallible", "--option", "UCI_ShowWDL=true"]);
    engine.say(&format!("position fen {DEEP_KQKR}"));
    let (_, said) = engine.go("");
    assert!(one_of(&said, "score ").contains(" score cp 2000 wdl 1000 0 0 "), "{said:?}");
    engine.set("Metric", "dtm");
    // The longest mate, and after any best move the loser sees one move less.
    let (best, said) = engine.go("");
    assert!(one_of(&said, "score ").contains(" score mate 35 wdl 1000 0 0 "), "{said:?}");
    engine.say(&format!("position fen {DEEP_KQKR} moves {best}"));
    let (_, said) = engine.go("");
    assert!(one_of(&said, "score ").contains(" score mate -34 wdl 0 0 1000 "), "{said:?}");
    engine.quit();
}

#[test]
fn no_line_goes_on_after_the_end() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "Agent=infallible"]);
    for (fen, how) in [
        ("8/8/8/8/8/2k5/1R6/K7 w - - 98 80", "b2b7"),
        ("8/8/8/8/8/2k5/1R6/K7 w - - 99 80", "b2b7"),
        ("8/8/8/8/8/2k5/1R6/7K b - - 0 80", "c3b2"),
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 80 moves b2b7 c3d3 b7b2 d3c3 b2b7 c3d3 b7b2 d3c3", "b2b7"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 80", "g1g7"),
    ] {
        engine.say(&format!("position fen {fen}"));
        let (_, said) = engine.go(&format!("searchmoves {how}"));
        let goes_on = fen.contains(" 98 ");
        assert_eq!(said[said.len() - 1].contains(" ponder "), goes_on, "{fen}: {said:?}");
        let line = one_of(&said, " pv ").split_once(" pv ").unwrap().1;
        assert_eq!(line.split(' ').count(), if goes_on { 2 } else { 1 }, "{fen}: {said:?}");
    }
    engine.quit();
}

#[test]
fn syzygy_tables_are_asked_where_there_are_none_of_ours() {
    let syzygy = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/owned/syzygy");
    // The folder cannot be made, so nothing of ours is ever built.
    let nowhere = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/tables");
    let mut engine = Dialogue::new(&nowhere, &["--option", "Agent=strategy", "--option", "UCI_ShowWDL=true"]);
    engine.say("position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    let (_, said) = engine.go("depth 1");
    assert!(!one_of(&said, "score ").contains("tbhits"), "{said:?}");
    engine.set("SyzygyPath", &syzygy.display().to_string());
    let (best, said) = engine.go("depth 12");
    assert!(one_of(&said, "tbhits").contains(" score cp 2000 wdl 1000 0 0 "), "{said:?}");
    // What tables say holds at every depth, so that who asks for one (as `errare evaluate` does) gets it.
    assert!(one_of(&said, "tbhits").starts_with("info depth 12 "), "{said:?}");
    let optimal = json(
        run(shared(), "choose --agent infallible --format json")
            .arg("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
            .arg("--source")
            .arg(format!("syzygy:{}", syzygy.display())),
    );
    let is_optimal = |row: &&serde_json::Value| row["uci"] == best.as_str() && row["probability"].as_f64() > Some(0.0);
    assert!(optimal["candidates"].as_array().unwrap().iter().any(|row| is_optimal(&row)), "{best}");
    engine.set("SyzygyPath", "/nowhere");
    let said = engine.go("depth 1").1;
    assert!(
        said.iter().any(|line| line.starts_with("info string SyzygyPath: cannot read the folder /nowhere")),
        "{said:?}"
    );
    engine.quit();
}

#[test]
fn what_is_illegal_is_refused_and_the_position_stays() {
    let mut engine = Dialogue::new(kqkr(), &[]);
    engine.say(&format!("position fen {DEEP_KQKR}"));
    for (wrong, words) in [
        ("position fen 8/8 w", "invalid FEN `8/8 w`"),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("position fen 8/8/8/8/8/8/kK6/8 w - - 0 1", "the kings touch"),
        ("position fen 1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", "errare plays standard chess only"),
        (&format!("position fen {DEEP_KQKR} moves h1b1 c2b2"), "illegal move c2b2"),
        ("position startpos moves e2e5", "illegal move e2e5"),
        ("position startpos moves e9", "invalid move `e9`"),
        ("position", "position needs startpos or a FEN"),
        ("setoption name Hush value 3", "unknown option `Hush`"),
        ("setoption name Hash value 0", "expected a number from 1 to 1024"),
    ] {
        engine.say(wrong);
        let said = engine.is_ready();
        assert!(said[0].starts_with("info string ") && said[0].contains(words), "{wrong}: {said:?}");
    }
    let (best, _) = engine.go("searchmoves h1b1");
    assert_eq!(best, "h1b1");
    engine.quit();
}

#[test]
fn only_the_moves_named_are_considered() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "Agent=infallible", "--option", "MultiPV=9"]);
    engine.say(&format!("position fen {DEEP_KQKR}"));
    // Neither is one the infallible player makes: the first loses, the second draws.
    let (best, said) = engine.go("searchmoves h1f1 h1d5");
    assert_eq!((best.as_str(), said.iter().filter(|line| line.contains(" multipv ")).count()), ("h1d5", 2), "{said:?}");
    engine.say("position startpos");
    let (best, said) = engine.go("depth 3 searchmoves a2a3 h2h3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{said:?}");
    assert!(
        said.iter()
            .filter(|line| line.contains(" pv "))
            .all(|line| line.contains("pv a2a3") || line.contains("pv h2h3"))
    );
    // None of them legal: then all are.
    assert_ne!(engine.go("depth 1 searchmoves e7e5").0, "e7e5");
    engine.quit();
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = Dialogue::new(kqkr(), &[]);
    for fen in ["7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"] {
        engine.say(&format!("position fen {fen}"));
        assert_eq!(engine.go("").1, ["bestmove (none)"]);
    }
    engine.quit();
}

/// Whether the engine keeps its answer to itself, and answers `isready` meanwhile.
fn keeps_thinking(engine: &mut Dialogue) -> bool {
    std::thread::sleep(Duration::from_millis(150));
    engine.is_ready().iter().all(|line| !line.starts_with("bestmove"))
}

#[test]
fn infinite_and_pondering_searches_wait_to_be_asked() {
    let mut engine = Dialogue::new(kqkr(), &[]);
    for position in ["startpos", &format!("fen {DEEP_KQKR}"), "fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"] {
        engine.say(&format!("position {position}"));
        engine.say("go infinite depth 2");
        assert!(keeps_thinking(&mut engine), "{position}");
        engine.say("stop");
        engine.answer();

        engine.say("go ponder movetime 100");
        assert!(keeps_thinking(&mut engine), "{position}");
        engine.say("ponderhit");
        engine.answer();
        engine.say("go ponder wtime 1000 btime 1000");
        assert!(keeps_thinking(&mut engine), "{position}");
        engine.say("stop");
        engine.answer();
    }
    // One answer to each question, even if the second comes before the first answer.
    engine.say("position startpos");
    engine.say("go infinite");
    engine.say("go depth 1");
    engine.answer();
    engine.answer();
    assert_eq!(engine.is_ready(), ["readyok"]);
    engine.say("stop");
    engine.say("ponderhit");
    assert_eq!(engine.is_ready(), ["readyok"]);
    engine.quit();
}

/// Whether it can be done in so many milliseconds. On a busy machine not every try shows that.
fn some_take_less(millis: u64, mut taken: impl FnMut() -> Duration) -> bool {
    (0..40).any(|_| taken() < Duration::from_millis(millis))
}

#[test]
fn time_depth_nodes_and_mate_are_heeded() {
    let mut engine = Dialogue::new(kqkr(), &[]);
    engine.say("position startpos");
    let timed = |engine: &mut Dialogue, how: &str| {
        let begun = Instant::now();
        let (_, said) = engine.go(how);
        (begun.elapsed(), said)
    };
    for (how, most) in [("movetime 100", 100), ("wtime 3000 btime 1 winc 10", 110), ("wtime 50 btime 50", 50)] {
        assert!(some_take_less(most, || timed(&mut engine, how).0), "{how}");
    }
    let deepest = |said: &[String]| said.iter().filter_map(|line| after(line, "depth")?.parse::<u32>().ok()).max();
    assert_eq!(deepest(&timed(&mut engine, "depth 3").1), Some(3));
    let (_, said) = timed(&mut engine, "nodes 5000");
    let nodes = said.iter().filter_map(|line| after(line, "nodes")?.parse::<u64>().ok()).max();
    assert!(nodes.is_some_and(|nodes| nodes <= 5000 + 1024), "{said:?}");
    // Smothered mate, with more men than tables have: 1.Qg8+ Rxg8 2.Nf7#.
    engine.set("Agent", "infallible");
    engine.say("position fen 5r1k/6pp/7N/8/8/1Q6/6PP/7K w - - 0 1");
    let (best, said) = engine.go("mate 3");
    assert_eq!((best.as_str(), after(one_of(&said, " mate "), "mate")), ("b3g8", Some("2")), "{said:?}");
    engine.quit();
}

#[test]
fn a_seed_settles_the_game_and_every_game_has_its_own() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "Seed=7", "--option", "Competence=2"]);
    let game = |engine: &mut Dialogue| {
        let mut moves = String::new();
        let mut seeds = Vec::new();
        for _ in 0..8 {
            engine.say(&format!("position fen {DEEP_KQKR} moves{moves}"));
            let (best, said) = engine.go("");
            moves += &format!(" {best}");
            seeds.push(one_of(&said, "info string seed ").to_owned());
        }
        seeds.dedup();
        (moves, seeds)
    };
    let first = game(&mut engine);
    assert_eq!(first.1, ["info string seed 7"]);
    engine.say("ucinewgame");
    let second = game(&mut engine);
    assert_eq!(second.1, ["info string seed 8"]);
    assert_ne!(first.0, second.0);
    engine.set("Seed", "7");
    assert_eq!(game(&mut engine), first);
    engine.set("Seed", "8");
    assert_eq!(game(&mut engine), second);
    engine.quit();
}

/// Browne's queen against the engine's rook: what it makes of him is what `assess` makes of him, move by move.
#[test]
fn it_learns_its_opponent_from_the_moves() {
    let assessed = json(run(kqkr(), "assess --format json").arg(GAMES));
    let game = errare_games::Games::new(fs::File::open(GAMES).unwrap()).next().unwrap().unwrap();
    let moves: Vec<String> =
        game.moves().iter().map(|played| played.mv.to_uci(shakmaty::CastlingMode::Standard).to_string()).collect();
    let mut engine = Dialogue::new(kqkr(), &["--option", "Agent=predator"]);
    let told = |engine: &mut Dialogue, plies: usize| {
        engine.say(&format!("position fen K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1 moves {}", moves[..plies].join(" ")));
        let (_, said) = engine.go("");
        one_of(&said, "the opponent's competence").to_owned()
    };
    let expected = |plies: usize| {
        let remark = &assessed["games"][0]["segments"][0]["moves"][plies - 1];
        assert_eq!(remark["side"], "white");
        let (mean, sd) = (remark["expected_c"].as_f64().unwrap(), remark["sd_c"].as_f64().unwrap());
        let (count, noun) = (plies.div_ceil(2), if plies == 1 { "move" } else { "moves" });
        format!("info string the opponent's competence: {mean:.1}, sd {sd:.1}, from {count} {noun}")
    };
    for plies in (1..=89).step_by(2) {
        assert_eq!(told(&mut engine, plies), expected(plies));
    }
    // A move taken back is forgotten, and another engine gets there at once.
    assert_eq!(told(&mut engine, 41), expected(41));
    engine.say("ucinewgame");
    assert_eq!(told(&mut engine, 89), expected(89));
    engine.quit();
}

/// Five men to DTR: seconds of work, which no search to depth 1 lasts.
const LONG_BUILD: &str = "8/8/8/2kn4/8/1R6/1K1N4/8 w - - 0 1";

#[test]
fn tables_in_work_are_not_waited_for_without_time() {
    let folder = fresh();
    let mut engine = Dialogue::new(folder.path(), &["--option", "Metric=dtr"]);
    engine.say(&format!("position fen {LONG_BUILD}"));
    let (_, said) = engine.go("depth 1");
    assert!(!one_of(&said, " pv ").contains("tbhits"), "{said:?}");
    engine.quit();
}

#[test]
fn missing_tables_are_built_while_the_search_plays() {
    let folder = fresh();
    let tables = folder.path().join("tables");
    let mut engine = Dialogue::new(&tables, &["--option", "Agent=infallible"]);
    engine.say("position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    let (_, said) = engine.go("depth 1");
    if !said.iter().any(|line| line.contains("built KRK")) {
        engine.until("info string built KRK to dtc");
    }
    // Now there is a table; and with time to spare, one that is being built is waited for.
    while !engine.go("").1.iter().any(|line| line.contains("tbhits")) {}
    engine.set("Metric", "dtm");
    let (_, said) = engine.go("movetime 30000");
    assert!(one_of(&said, " tbhits ").contains("score mate"), "{said:?}");
    engine.quit();
    assert_eq!(files(&tables), ["KRK.dtc.egt", "KRK.dtm.egt"]);
}

#[test]
fn what_is_dear_is_not_built_and_that_is_said() {
    let folder = fresh();
    let mut engine = Dialogue::new(folder.path(), &["--option", "Metric=dtr"]);
    for (fen, words) in [
        (
            "8/8/8/2k5/8/1P1P4/1K1p4/8 w - - 0 1",
            "s of work, more than the 30 s that play allows; use `errare table build KPPKP",
        ),
        (
            "8/8/8/2kn4/8/1R6/1K1N2n1/8 w - - 0 1",
            "KRNKNN has 6 men: a table of that size takes minutes and gigabytes and is built only by name, with `errare table build KRNKNN --metric dtr`",
        ),
    ] {
        engine.say(&format!("position fen {fen}"));
        engine.say("go movetime 200");
        let said = engine.until("bestmove");
        let said = if said.iter().any(|line| line.contains("no table of")) {
            said
        } else {
            engine.until("info string no table")
        };
        one_of(&said, words);
    }
    engine.quit();
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_damaged_table_is_set_aside_and_built_again() {
    let good = fs::read(kqkr().join("KRK.dtc.egt")).unwrap();
    let folder = fresh();
    // A block that is read only when the position is looked up.
    let mut bad = good.clone();
    let last = bad.len() - 1;
    bad[last] ^= 0x10;
    bad[good.len() / 2] ^= 0x10;
    let path = folder.path().join("KRK.dtc.egt");
    fs::write(&path, &bad).unwrap();
    let mut engine = Dialogue::new(folder.path(), &[]);
    engine.say("position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    let (_, said) = engine.go("movetime 30000");
    one_of(&said, "KRK.dtc.egt: block");
    one_of(&said, "KRK.dtc.egt.damaged, building it again");
    one_of(&said, "tbhits");
    engine.quit();
    assert_eq!(files(folder.path()), ["KRK.dtc.egt", "KRK.dtc.egt.damaged"]);
    assert!(fs::read(&path).unwrap() == good && fs::read(path.with_added_extension("damaged")).unwrap() == bad);
}

#[test]
fn quitting_during_a_build_leaves_nothing_in_the_way() {
    let folder = fresh();
    let mut engine = Dialogue::new(folder.path(), &["--option", "Metric=dtr"]);
    engine.say(&format!("position fen {LONG_BUILD}"));
    engine.say("go infinite");
    engine.until("info string building KRNKN");
    let ended = engine.end(Some("quit"));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    stdout(&mut run(folder.path(), "table build KRK KNK KRKN --metric dtr"));
    assert!(files(folder.path()).contains(&"KRKN.dtr.egt".to_owned()));
}

#[cfg(unix)]
#[test]
fn another_engine_advises_where_there_are_no_tables() {
    use std::os::unix::fs::PermissionsExt;
    let folder = fresh();
    let script = folder.path().join("engine");
    let tables = folder.path().join("t");
    let text = format!(
        "#!/bin/sh\nexec {} --tables {} uci --option Agent=infallible\n",
        program().display(),
        tables.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut engine = Dialogue::new(&tables, &["--option", "Fallback Depth=3", "--option", "MultiPV=500"]);
    engine.set("Fallback Engine", &script.display().to_string());
    engine.say("position startpos moves e2e4");
    let found = shown(&mut engine);
    assert_eq!(found.len(), 20);
    assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-4, "{found:?}");
    let (_, said) = engine.go("");
    assert!(said.iter().filter_map(|line| after(line, "depth")).all(|depth| depth == "3"), "{said:?}");
    engine.say("go infinite");
    engine.set("Fallback Engine", "/nowhere/engine");
    engine.say("stop");
    engine.answer();
    // What cannot be run is said, and the own search plays.
    let said = engine.until("info string Fallback Engine: /nowhere/engine cannot be started");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(engine.go("depth 2").0.parse::<UciMove>().is_ok());
    engine.quit();
}

#[test]
fn people_of_an_elo_open_as_people_do_and_err_by_their_elo() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "Seed=1", "--option", "MultiPV=500"]);
    engine.set("UCI_LimitStrength", "true");
    engine.set("UCI_Elo", "2000");
    engine.say("position startpos");
    let (_, said) = engine.go("depth 2");
    one_of(&said, "info string an opening of real games");
    let found = shown(&mut engine);
    assert!(found["e2e4"] > 0.3 && found["d2d4"] > 0.2 && !found.contains_key("g2g4"), "{found:?}");
    // Without openings the small search evaluates all moves, and says once what that means.
    engine.set("OwnBook", "false");
    let (_, said) = engine.go("depth 2");
    one_of(&said, "info string the strength of an Elo is calibrated with Stockfish 15.1 at depth 10");
    // White is a queen up and Black's king stands open; one move mates.
    engine.say("position fen r1bq1rk1/pppp1ppp/2n5/4p3/2B1P2Q/2N2N2/PPP2PPP/R1B1K2R w KQ - 0 9");
    let mut best = Vec::new();
    for elo in ["1900", "2700"] {
        engine.set("UCI_Elo", elo);
        let (_, said) = engine.go("depth 3");
        assert!(!said.iter().any(|line| line.contains("is calibrated with")), "{said:?}");
        let found = shown(&mut engine);
        assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-4, "{found:?}");
        best.push(found.values().copied().fold(0.0, f64::max));
    }
    assert!(best[1] > best[0], "{best:?}");
    // In an endgame with tables it is the agent of that Elo.
    engine.set("UCI_Elo", "2000");
    engine.say(&format!("position fen {DEEP_KQKR}"));
    let found = shown(&mut engine);
    let chosen = json(run(kqkr(), "choose --agent elo:2000 --format json").arg(DEEP_KQKR));
    assert!((5.0..10.0).contains(&chosen["competence"].as_f64().unwrap()), "{}", chosen["competence"]);
    assert!(chosen["like"]["elo"].as_f64().is_some_and(|elo| (elo - 2000.0).abs() <= 1.0), "{}", chosen["like"]);
    for candidate in chosen["candidates"].as_array().unwrap() {
        let told = found[candidate["uci"].as_str().unwrap()];
        assert!((told - candidate["probability"].as_f64().unwrap()).abs() < 1e-6, "{candidate}");
    }
    engine.quit();
}

/// An advising engine in shell, whose search and introduction are these lines.
#[cfg(unix)]
fn adviser(folder: &Path, introduction: &str, go: &str) -> String {
    let script = folder.join("adviser.sh");
    let text = format!(
        "while read -r word rest; do case \"$word\" in\nuci) {introduction}\n\
         echo 'id name Fake'; echo 'option name MultiPV type spin default 1 min 1 max 500'; echo uciok;;\n\
         isready) echo readyok;;\n go) {go};;\n quit) exit 0;;\n esac; done\n"
    );
    fs::write(&script, text).unwrap();
    format!("sh {}", script.display())
}

#[cfg(unix)]
#[test]
fn it_is_ready_when_the_engine_that_advises_is_and_waits_within_bounds() {
    let folder = fresh();
    // An argument of the command is the move.
    let go = "echo \"info depth 9 score cp 7 pv $1\"; echo \"bestmove $1\"";
    let slow = format!("{} d2d4", adviser(folder.path(), "sleep 1", go));
    let mut engine = Dialogue::new(&folder.path().join("t"), &["--option", "Agent=infallible"]);
    engine.is_ready();
    engine.set("Fallback Engine", &slow);
    let begun = Instant::now();
    engine.is_ready();
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    engine.say("position startpos");
    // Ready means that no `go` waits for it any more.
    assert!(some_take_less(700, || {
        let begun = Instant::now();
        assert_eq!(engine.go("movetime 200").0, "d2d4");
        begun.elapsed()
    }));
    engine.set("Fallback Engine", &adviser(folder.path(), "sleep 60", go));
    let begun = Instant::now();
    let said = engine.is_ready();
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    one_of(&said, "info string Fallback Engine: sh did not answer uci within 5s");
    engine.quit();
}

#[cfg(unix)]
#[test]
fn an_adviser_that_ignores_what_it_is_asked_is_named_and_given_up() {
    let folder = fresh();
    for (go, how, words) in [
        ("echo 'info depth 9 score cp 7 pv d2d4'; echo bestmove d2d4", "depth 1", "it ignores `MultiPV`"),
        (
            "for n in 1 2; do echo \"info depth 9 multipv $n score cp 7 pv d${n}d4\"; done; echo bestmove d2d4",
            "depth 1 searchmoves e2e4 c2c4",
            "it ignores `searchmoves`",
        ),
    ] {
        let mut engine = Dialogue::new(&folder.path().join("t"), &[]);
        engine.set("Fallback Engine", &adviser(folder.path(), "", go));
        engine.say("position startpos");
        let (best, said) = engine.go(how);
        assert!(one_of(&said, "Fallback Engine: Fake").contains(words), "{said:?}");
        assert!(best.parse::<UciMove>().is_ok());
        engine.quit();
    }
}

/// Whole games against itself, from the start to the end, every move legal.
#[test]
fn it_plays_whole_games() {
    let mut engine = Dialogue::new(kqkr(), &["--option", "Competence=3", "--option", "Seed=1"]);
    for _ in 0..2 {
        engine.say("ucinewgame");
        let (mut position, mut moves) = (Chess::default(), String::new());
        while !position.is_game_over() && position.halfmoves() < 100 {
            engine.say(&format!("position startpos moves{moves}"));
            let (best, _) = engine.go("depth 2");
            let mv = best.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            moves += &format!(" {best}");
        }
        assert!(moves.len() > 20);
    }
    engine.quit();
}

/// The time from `go` to `bestmove` in milliseconds, of the first move that a process makes.
#[test]
fn the_first_move_comes_at_once() {
    let first = || {
        let mut engine = Dialogue::new(kqkr(), &[]);
        engine.is_ready();
        engine.say(&format!("position fen {DEEP_KQKR}"));
        let begun = Instant::now();
        engine.go("");
        let taken = begun.elapsed();
        engine.quit();
        taken
    };
    assert!(some_take_less(20, first));
}

#[test]
fn the_end_of_its_input_ends_it() {
    let mut engine = Dialogue::new(&fresh().path().join("t"), &[]);
    engine.say("position startpos");
    engine.say("go infinite");
    engine.until("info depth 2");
    let ended = engine.end(None);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.last.iter().all(|line| !line.starts_with("bestmove")));
}
