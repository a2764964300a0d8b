//! `errare table verify`, end to end.

use crate::common::{files, fresh, json, run, shared, stderr, stdout, values_in_header};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn a_whole_table_is_checked() {
    let found = json(&mut run(shared(), "table verify KRK --metric dtm --format json"));
    let stats = &json(&mut run(shared(), "table stats KRK --format json"))[0];
    let count =
        |side: &str| ["wins", "draws", "losses"].map(|key| stats[side][key].as_u64().unwrap()).iter().sum::<u64>();
    let checked = found[0]["checked"].as_u64().unwrap();
    // Placements with both kings on the diagonal stand in the table twice.
    let positions = count("white_to_move") + count("black_to_move");
    assert!(checked >= positions && checked < positions * 11 / 10, "{checked} of {positions}");
    assert_eq!((&found[0]["extent"], &found[0]["seed"]), (&json!("whole"), &Value::Null));
    assert_eq!((&found[0]["disagreement"], &found[0]["damage"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_sample_names_its_seed_and_repeats() {
    let line = "table verify KQKR KRKQ --metric dtc --sample 3000 --seed 11";
    let text = stdout(&mut run(shared(), line));
    assert_eq!(text.lines().count(), 1, "one table, however it is spelt: {text}");
    assert!(text.starts_with("KQKR dtc (sample of 3,000 placements, seed 11): "), "{text}");
    assert!(text.trim_end().ends_with(" positions checked, no disagreement"), "{text}");
    assert_eq!(stdout(&mut run(shared(), line)), text);
    let other = stdout(&mut run(shared(), &line.replace("--seed 11", "--seed 12")));
    assert_ne!(other.replace("seed 12", "seed 11"), text, "another sample has another number of positions");
}

#[test]
fn a_move_rule_is_checked_with_the_plain_table() {
    let folder = fresh();
    let text = stdout(&mut run(folder.path(), "table verify KRK --metric dtz10,dtr --sample 1000 --format csv"));
    let lines: Vec<&str> = text.lines().collect();
    let header = "material,metric,extent,placements,seed,checked,result,fen,\
                  stored_outcome,stored_plies,stored_phase_plies,expected_outcome,expected_plies,expected_phase_plies,damage";
    assert_eq!((lines.len(), lines[0]), (3, header));
    assert!(lines[1].starts_with("KRK,dtz10,sample,1000,0,") && lines[1].ends_with(",agreement,,,,,,,,"), "{text}");
    assert_eq!(files(folder.path()), ["KRK.dtc.egt", "KRK.dtr.egt", "KRK.dtz10.egt"]);
    fs::remove_file(folder.path().join("KRK.dtc.egt")).unwrap();
    stdout(&mut run(folder.path(), "table verify KRK --metric dtz10 --sample 1000"));
    assert_eq!(files(folder.path()), ["KRK.dtc.egt", "KRK.dtr.egt", "KRK.dtz10.egt"]);
}

/// Gives the values of a table file another depth, with a checksum that holds.
fn falsify(path: &Path, plies: u16, instead: u16) {
    let mut bytes = fs::read(path).unwrap();
    let header = 20..20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let list = header.start + values_in_header(&bytes[header.clone()]);
    let count = u32::from_le_bytes(bytes[list..list + 4].try_into().unwrap()) as usize;
    let values = bytes[list + 4..list + 4 + 5 * count].chunks_exact_mut(5);
    let won = values.filter(|value| value[0] == 4 && value[1..3] == plies.to_le_bytes());
    for value in won {
        value[1..3].copy_from_slice(&instead.to_le_bytes());
        value[3..5].copy_from_slice(&instead.to_le_bytes());
    }
    let crc = crc32fast::hash(&bytes[header]);
    bytes[16..20].copy_from_slice(&crc.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_wrong_entry_is_a_finding() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRK --metric dtc"));
    falsify(&folder.path().join("KRK.dtc.egt"), 29, 27);
    let assert = run(folder.path(), "table verify KRK --metric dtc --format json").assert().code(1);
    let found: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let wrong = &found[0]["disagreement"];
    assert!(wrong["fen"].as_str().unwrap().contains(['R', 'r']), "{wrong}");
    assert_ne!(wrong["stored"], wrong["expected"]);
    // A win in 29 called one in 27, or a loss in 30 that has only such successors.
    let plies = [&wrong["stored"], &wrong["expected"]].map(|entry| entry["plies"].as_u64().unwrap());
    assert!(plies == [27, 29] || plies == [30, 28], "{wrong}");
    let assert = run(folder.path(), "table verify KNK KRK --metric dtc").assert().code(1);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("KNK dtc (whole table): ") && lines[0].ends_with("no disagreement"), "{text}");
    assert!(lines[1].starts_with("KRK dtc (whole table): disagreement at "), "{text}");
    assert!(lines[1].contains(": stored ") && lines[1].contains(" plies, expected "), "{text}");
}

#[test]
fn damage_is_reported_and_left_alone() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRK --metric dtm"));
    let path = folder.path().join("KRK.dtm.egt");
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut header = whole.clone();
    header[30] ^= 1;
    let damages = [
        (flipped, "block 1 is corrupt"),
        (header, "its header is corrupt"),
        (whole[..whole.len() - 1].to_vec(), " bytes, expected "),
        (Vec::new(), "it has 0 bytes, expected 20"),
    ];
    for (bytes, words) in damages {
        fs::write(&path, &bytes).unwrap();
        for line in ["table verify KRK --metric dtm --sample 1", "table verify KRK --metric dtm"] {
            let assert = run(folder.path(), line).assert().code(1);
            let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
            assert!(text.contains("damaged table") && text.contains("KRK.dtm.egt") && text.contains(words), "{text}");
        }
        assert_eq!(files(folder.path()), ["KRK.dtm.egt"], "nothing set aside or rebuilt");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_sample_checks_every_block_for_damage() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRKN"));
    let path = folder.path().join("KRKN.dtm.egt");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    let assert = run(folder.path(), "table verify KRKN --sample 1").assert().code(1);
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(text.starts_with("KRKN dtm (sample of 1 placement, seed 0): damaged table"), "{text}");
}

#[test]
fn wrong_arguments_are_bad_use() {
    for (line, words) in [
        ("table verify", "MATERIAL"),
        ("table verify KQK --seed 1", "--seed has no effect without --sample, as nothing is drawn"),
        ("table verify KQK --sample 0", "--sample"),
        ("table verify KQK --sample 1 --seed -1", "-1"),
        ("table verify KPPPPK", "too many men in KPPPPK"),
        ("table verify KK", "two bare kings"),
    ] {
        let said = stderr(&mut run(shared(), line), 2);
        assert!(said.contains(words), "{line}: {said}");
    }
}
