//! Experiments that go on where an earlier run was broken off.

use errare_reproduce::Experiment;
use errare_tables::{Library, TableSource, Tables};
use errare_work::{Cancel, Silent};
use std::fs;
use std::path::Path;

#[test]
fn slips_of_an_endgame_are_taken_up_from_an_earlier_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept-slips");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let kept = folder.join("KBBKN.slips.json");
    let counts = r#"{"version":1,"wins":200,"strategies":[{"strategy":"SM","slipped":50,"example":"a FEN"}],
        "all_slipped":7,"all_slip":null}"#;
    fs::write(&kept, counts).expect("a file");
    let tables = TableSource::Ours(Tables::new(Library::new(&folder), 1 << 30));
    let slips = Experiment::named("slips").expect("an experiment");
    let endgame = ["KBBKN".parse().expect("an endgame")];
    let account = slips.run(&endgame, &tables, &Silent).expect("kept counts");
    assert_eq!(account.findings[0], "KBBKN, 200 wins: SM 25.00%.");
    assert_eq!(account.tables[0].rows, [["KBBKN", "200", "SM", "50", "25.000%", "a FEN"]]);
    assert_eq!(account.tables[1].rows, [["KBBKN", "7", "none"]]);
    // What is of another version, or no counts at all, is computed anew.
    let cancelled = Cancel::new();
    cancelled.cancel();
    for text in [&*counts.replace("\"version\":1", "\"version\":0"), "{", ""] {
        fs::write(&kept, text).expect("a file");
        assert!(slips.run(&endgame, &tables, &cancelled).is_err(), "{text}");
    }
}
