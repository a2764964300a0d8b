//! `errare table list`, end to end.

use crate::common::{fresh, json, keys, run, stdout};
use serde_json::{Value, json};
use std::fs;

#[test]
fn an_empty_or_missing_folder_has_no_tables() {
    let folder = fresh();
    let missing = folder.path().join("not").join("there");
    for path in [folder.path(), &missing] {
        let found = json(&mut run(path, "table list --format json"));
        assert_eq!((&found["tables"], &found["total_bytes"]), (&json!([]), &json!(0)));
        assert!(stdout(&mut run(path, "table list")).starts_with("0 tables, 0 B in "));
        assert_eq!(stdout(&mut run(path, "table list --format csv")).lines().count(), 1);
    }
    assert!(!missing.exists(), "listing creates nothing");
}

#[test]
fn tables_come_with_their_size_counts_and_maxima() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRK KNK --metric dtc"));
    let text = stdout(&mut run(folder.path(), "table list --format json"));
    assert_eq!(keys(&text, 2), ["folder", "tables", "unusable", "total_bytes"]);
    let found: Value = serde_json::from_str(&text).unwrap();
    let tables = found["tables"].as_array().unwrap();
    let names: Vec<&str> = tables.iter().map(|table| table["material"].as_str().unwrap()).collect();
    assert_eq!(names, ["KNK", "KRK"]);
    let size = |name: &str| folder.path().join(name).metadata().unwrap().len();
    assert_eq!(found["total_bytes"].as_u64(), Some(size("KNK.dtc.egt") + size("KRK.dtc.egt")));
    let krk = &tables[1];
    assert_eq!(krk["bytes"].as_u64(), Some(size("KRK.dtc.egt")));
    assert_eq!((&krk["metric"], &krk["men"]), (&json!("dtc"), &json!(3)));
    assert_eq!(krk["white_to_move"]["max_win_plies"], 31);
    assert_eq!(krk["black_to_move"]["max_loss_plies"], 32);
    assert_eq!((&krk["white_to_move"]["losses"], &krk["white_to_move"]["max_loss_plies"]), (&json!(0), &Value::Null));
    let stats = &json(&mut run(folder.path(), "table stats KRK --metric dtc --format json"))[0];
    for side in ["white_to_move", "black_to_move"] {
        for key in ["wins", "draws", "losses"] {
            assert_eq!(krk[side][key], stats[side][key], "{side} {key}");
        }
    }
    let text = stdout(&mut run(folder.path(), "table list"));
    assert!(text.lines().last().unwrap().starts_with("2 tables, "), "{text}");
    assert!(text.contains("31 plies") && text.contains("32 plies"), "{text}");
    let text = stdout(&mut run(folder.path(), "table list --format csv"));
    assert!(text.starts_with("material,metric,men,bytes,side_to_move,wins,"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("KRK,dtc,3,")).count(), 2, "a line a side");
}

#[test]
fn unusable_files_are_named_with_the_reason_and_others_passed_over() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRK"));
    for (name, text) in [("KQK.dtm.egt", "rubbish, but long enough"), ("KBK.dtm.egt.tmp", "x"), ("notes.txt", "x")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let found = json(&mut run(folder.path(), "table list --format json"));
    assert_eq!(found["tables"].as_array().unwrap().len(), 1);
    let unusable = found["unusable"].as_array().unwrap();
    assert_eq!(unusable.len(), 1);
    assert_eq!((&unusable[0]["material"], &unusable[0]["metric"]), (&json!("KQK"), &json!("dtm")));
    assert!(unusable[0]["reason"].as_str().unwrap().contains("it is not a table file"));
    let text = stdout(&mut run(folder.path(), "table list"));
    assert!(text.contains("KQK dtm cannot be used: damaged table"), "{text}");
    let text = stdout(&mut run(folder.path(), "table list --format csv"));
    let last: Vec<&str> = text.lines().last().unwrap().split(',').collect();
    assert!(last[0] == "KQK" && last[2].is_empty() && last[12].contains("not a table file"), "{text}");
    assert!(folder.path().join("KQK.dtm.egt").exists(), "listing repairs nothing");
}
