//! What the command line makes of damaged files, rival builders, kills and refusing disks.

use crate::common::{errare, files, fresh, json, program, run, shared, stderr, stdout, values_in_header};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A KRK position, 31 plies from mate.
const KRK: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

/// A folder with good tables to copy from.
fn good(name: &str) -> Vec<u8> {
    let (material, rest) = name.split_once('.').unwrap();
    let metric = rest.split_once('.').unwrap().0;
    stdout(&mut run(shared(), &format!("table build {material} --metric {metric}")));
    fs::read(shared().join(name)).unwrap()
}

/// Probes KRK and returns what was said on stderr; the answer must be right whatever the file was.
fn probe(folder: &Path) -> String {
    let mut command = run(folder, "table probe --format json");
    let assert = command.arg(KRK).assert().code(0);
    let answer: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!((answer["outcome"].as_str(), answer["plies"].as_u64()), (Some("win"), Some(31)));
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Puts bytes in place of KRK's table, asks, and checks that they are named, set aside and replaced.
fn is_replaced(bytes: &[u8], words: &str) {
    let whole = good("KRK.dtm.egt");
    assert_ne!(bytes, whole);
    let folder = fresh();
    let path = folder.path().join("KRK.dtm.egt");
    fs::write(&path, bytes).unwrap();
    let said = probe(folder.path());
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("warning: ") && said.contains("KRK.dtm.egt") && said.contains(words), "{said}");
    assert!(said.contains("KRK.dtm.egt.damaged"), "{said}");
    assert_eq!(files(folder.path()), ["KRK.dtm.egt", "KRK.dtm.egt.damaged"]);
    assert_eq!(fs::read(folder.path().join("KRK.dtm.egt.damaged")).unwrap(), bytes);
    assert!(fs::read(&path).unwrap() == whole, "the rebuilt table is the table");
    assert_eq!(probe(folder.path()), "", "and is trusted from then on");
}

fn flipped(at: usize) -> Vec<u8> {
    let mut bytes = good("KRK.dtm.egt");
    bytes[at] ^= 0x10;
    bytes
}

#[test]
fn empty_truncated_and_garbage_files_are_replaced() {
    let whole = good("KRK.dtm.egt");
    is_replaced(&[], "it has 0 bytes");
    is_replaced(&whole[..19], "it has 19 bytes");
    is_replaced(&whole[..200], "header is corrupt");
    is_replaced(&whole[..whole.len() - 1], " bytes, expected ");
    is_replaced(&[&whole[..], b"more"].concat(), " bytes, expected ");
    let garbage: Vec<u8> = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    is_replaced(&garbage, "it is not a table file");
    is_replaced(&vec![0; 5000], "it is not a table file");
}

#[test]
fn flipped_bits_are_found_wherever_they_are() {
    let length = good("KRK.dtm.egt").len();
    is_replaced(&flipped(0), "it is not a table file");
    is_replaced(&flipped(8), "has format version 18, expected 2");
    for at in [12, 15, 17, 21, 30, 120, 200] {
        is_replaced(&flipped(at), "header is corrupt");
    }
    // Both sides' blocks are read for one probe.
    is_replaced(&flipped(length / 3), "block 0 is corrupt");
    is_replaced(&flipped(length - 1), "block 1 is corrupt");
}

#[test]
fn another_version_or_another_table_is_replaced() {
    let mut newer = good("KRK.dtm.egt");
    newer[8..12].copy_from_slice(&3_u32.to_le_bytes());
    is_replaced(&newer, "has format version 3, expected 2");
    is_replaced(&good("KQK.dtm.egt"), "it holds the table KQK to dtm");
    is_replaced(&good("KRK.dtc.egt"), "it holds the table KRK to dtc");
}

/// A KRK table whose checksums hold: its header changed by `change`, which is given the header and
/// where the list of values begins in it.
fn forged(change: impl Fn(&mut Vec<u8>, usize)) -> Vec<u8> {
    let whole = good("KRK.dtm.egt");
    let (prefix, rest) = whole.split_at(20);
    let (header, blocks) = rest.split_at(u32::from_le_bytes(prefix[12..16].try_into().unwrap()) as usize);
    let mut header = header.to_vec();
    let list = values_in_header(&header);
    change(&mut header, list);
    let (length, crc) = (header.len() as u32, crc32fast::hash(&header));
    [&prefix[..12], &length.to_le_bytes(), &crc.to_le_bytes(), &header, blocks].concat()
}

#[test]
fn checksums_that_hold_do_not_make_a_table_sound() {
    // A block at the end of all addresses.
    let beyond = forged(|header, _| {
        let last = header.len() - 16;
        header[last..last + 8].fill(0xff);
    });
    is_replaced(&beyond, "damaged table");
    // Only two of the values that the blocks speak of.
    let poor = forged(|header, list| {
        let count = u32::from_le_bytes(header[list..list + 4].try_into().unwrap()) as usize;
        let gone = 5 * (count - 2);
        header[list..list + 4].copy_from_slice(&2_u32.to_le_bytes());
        header.drain(list + 14..list + 14 + gone);
        for place in header[list + 18..].chunks_exact_mut(16) {
            let offset = u64::from_le_bytes(place[..8].try_into().unwrap()) - gone as u64;
            place[..8].copy_from_slice(&offset.to_le_bytes());
        }
    });
    is_replaced(&poor, "is corrupt");
    let folder = fresh();
    fs::write(folder.path().join("KRK.dtm.egt"), &poor).unwrap();
    let said = stderr(&mut run(folder.path(), "table stats KRK"), 0);
    assert!(said.starts_with("warning: damaged table"), "{said}");
    fs::write(folder.path().join("KRK.dtm.egt"), &poor).unwrap();
    stdout(&mut run(folder.path(), "table build KRKN --metric dtm"));
    assert!(fs::read(folder.path().join("KRKN.dtm.egt")).unwrap() == good("KRKN.dtm.egt"));
}

#[test]
fn statistics_mend_a_bad_block_too() {
    let folder = fresh();
    fs::write(folder.path().join("KRK.dtm.egt"), flipped(good("KRK.dtm.egt").len() / 2)).unwrap();
    let mut command = run(folder.path(), "table stats KRK --format json");
    let assert = command.assert().code(0);
    let found: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(found, json(&mut run(shared(), "table stats KRK --format json")));
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("is corrupt; moved to"));
}

#[test]
fn a_build_mends_the_sub_endgame_it_stumbles_on() {
    let folder = fresh();
    fs::write(folder.path().join("KRK.dtm.egt"), flipped(good("KRK.dtm.egt").len() / 2)).unwrap();
    let mut command = run(folder.path(), "table build KRKN --metric dtm --format json");
    let assert = command.assert().code(0);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(said.contains("KRK.dtm.egt: block") && said.contains("moved to"), "{said}");
    let built: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let names: Vec<&str> = built.as_array().unwrap().iter().map(|row| row["material"].as_str().unwrap()).collect();
    assert!(names.contains(&"KRK") && names.contains(&"KRKN"), "{names:?}");
    assert!(fs::read(folder.path().join("KRK.dtm.egt")).unwrap() == good("KRK.dtm.egt"));
    assert!(fs::read(folder.path().join("KRKN.dtm.egt")).unwrap() == good("KRKN.dtm.egt"));
}

#[test]
fn a_folder_in_a_tables_place_is_trouble_not_a_crash() {
    let folder = fresh();
    fs::create_dir(folder.path().join("KRK.dtm.egt")).unwrap();
    let said = stderr(run(folder.path(), "table probe").arg(KRK), 2);
    assert!(said.contains("KRK.dtm.egt") && !said.contains("panicked"), "{said}");
}

fn spawn(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(program());
    command.arg("--tables").arg(folder).args(line.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn two_builders_at_once_make_one_table() {
    let folder = fresh();
    let line = "table build KRKB --metric dtm --format json";
    let builders = [spawn(folder.path(), line), spawn(folder.path(), line)];
    let mut built = 0;
    for builder in builders {
        let output = builder.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
        let row = rows.as_array().unwrap().iter().find(|row| row["material"] == "KRKB").cloned().unwrap();
        built += usize::from(row["state"] == "built");
    }
    assert_eq!(built, 1, "the other one waited");
    assert_eq!(files(folder.path()), ["KBK.dtm.egt", "KRK.dtm.egt", "KRKB.dtm.egt"]);
    assert!(fs::read(folder.path().join("KRKB.dtm.egt")).unwrap() == good("KRKB.dtm.egt"));
}

/// Whether a file of KRKN's table with this extension is there; a temporary one has a number in its name.
fn has(folder: &Path, extension: &str) -> bool {
    files(folder).iter().any(|name| name.starts_with("KRKN.dtm.egt.") && name.ends_with(extension))
}

/// Kills a build of KRKN as soon as a file is there; false if it was over before.
fn killed_at(folder: &Path, file: &str) -> bool {
    let mut child = spawn(folder, "table build KRKN --metric dtm");
    let start = Instant::now();
    while !has(folder, file) && child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_micros(200));
    }
    child.kill().unwrap();
    child.wait().unwrap().code().is_none()
}

#[test]
fn a_killed_build_leaves_nothing_in_the_way() {
    for file in [".lock", ".tmp"] {
        let folder = fresh();
        // The window is short on a fast machine.
        let is_left_behind = (0..20).any(|_| {
            let path = folder.path().join("KRKN.dtm.egt");
            let killed = killed_at(folder.path(), file) && has(folder.path(), file) && !path.exists();
            if !killed {
                drop(fs::remove_file(path));
            }
            killed
        });
        assert!(is_left_behind, "no build could be killed at {file}");
        let listed = json(&mut run(folder.path(), "table list --format json"));
        let names = listed["tables"].as_array().unwrap().iter().chain(listed["unusable"].as_array().unwrap());
        assert!(names.into_iter().all(|table| table["material"] != "KRKN"), "{listed}");
        assert_eq!(stderr(&mut run(folder.path(), "table build KRKN --metric dtm"), 0), "");
        assert_eq!(files(folder.path()), ["KNK.dtm.egt", "KRK.dtm.egt", "KRKN.dtm.egt"]);
        assert!(fs::read(folder.path().join("KRKN.dtm.egt")).unwrap() == good("KRKN.dtm.egt"));
    }
}

#[test]
fn a_stale_temporary_file_is_never_taken_for_a_table() {
    let folder = fresh();
    let temporary = folder.path().join("KRK.dtm.egt.tmp");
    // Longer than the table, so that overwriting in place would show.
    fs::write(&temporary, [good("KRK.dtm.egt"), vec![7; 5000]].concat()).unwrap();
    fs::write(folder.path().join("KRK.dtm.egt.lock"), "").unwrap();
    assert_eq!(json(&mut run(folder.path(), "table list --format json"))["tables"], Value::Array(Vec::new()));
    assert_eq!(probe(folder.path()), "");
    assert_eq!(files(folder.path()), ["KRK.dtm.egt"]);
    assert!(fs::read(folder.path().join("KRK.dtm.egt")).unwrap() == good("KRK.dtm.egt"));
}

#[test]
fn a_full_disk_is_named_and_leaves_no_half_table() {
    let folder = fresh();
    // A limit on the size of files stands in for a full disk: the write fails half-way. The signal
    // that comes with it is ignored, as most programs never see it.
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$@\"";
    let mut command = Command::new("bash");
    command.args(["-c", script, "bash"]).arg(program()).arg("--tables").arg(folder.path());
    let output = command.args(["table", "build", "KRK"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: cannot write ") && said.contains("KRK.dtm.egt"), "{said}");
    assert_eq!(said.matches("os error").count(), 1, "said once: {said}");
    assert_eq!(files(folder.path()), [""; 0], "no half file");
    stdout(&mut run(folder.path(), "table build KRK"));
    assert_eq!(files(folder.path()), ["KRK.dtm.egt"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = fresh();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let said = stderr(&mut run(&file.join("tables"), "table build KNK"), 2);
    assert!(said.starts_with("error: cannot ") && said.contains("file/tables"), "{said}");
    let said = stderr(&mut run(&file, "table list"), 2);
    assert!(said.starts_with("error: cannot list "), "{said}");
}

/// Runs the program as a user who may only read the folder; `None` where that cannot be arranged.
#[cfg(unix)]
fn as_reader(folder: &Path, line: &str) -> Option<std::process::Output> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    // The build folder may be closed to others.
    let home = fresh();
    let copy = home.path().join("errare");
    fs::copy(program(), &copy).unwrap();
    allow(home.path(), 0o755);
    allow(folder, 0o555);
    let mut command = Command::new(&copy);
    if fs::metadata(&copy).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command.arg("--tables").arg(folder).args(line.split_whitespace());
    let output = loop {
        match command.output() {
            // Another test's child still holds the copy open for writing, for a moment.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(5))
            }
            output => break output,
        }
    };
    allow(folder, 0o755);
    output.inspect_err(|error| eprintln!("not tried: cannot become another user: {error}")).ok()
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_is_read() {
    let folder = fresh();
    fs::write(folder.path().join("KRK.dtm.egt"), good("KRK.dtm.egt")).unwrap();
    let Some(answered) = as_reader(folder.path(), &format!("table probe {KRK}")) else { return };
    assert!(answered.status.success(), "{}", String::from_utf8_lossy(&answered.stderr));
    assert!(String::from_utf8_lossy(&answered.stdout).contains("16 moves (31 plies) to mate"));
    let Some(refused) = as_reader(folder.path(), "table build KQK") else { return };
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: cannot ") && said.contains("KQK.dtm.egt"), "{said}");
    assert!(said.contains("Permission denied"), "{said}");
    assert_eq!(files(folder.path()), ["KRK.dtm.egt"]);
}

#[test]
fn a_warning_is_said_even_when_quiet() {
    let folder = fresh();
    fs::write(folder.path().join("KNK.dtm.egt"), "").unwrap();
    let said = stderr(errare().arg("--tables").arg(folder.path()).args(["table", "build", "KNK", "--quiet"]), 0);
    assert!(said.starts_with("warning: damaged table"), "{said}");
}
