//! What holds for every command: help, version, exit codes, folders, pipes and manual pages.

use crate::common::{errare, files, fresh, program, run, stderr, stdout};
use std::fs::File;
use std::process::Command;

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(stdout(errare().arg("--version")), format!("errare {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_command_has_help_with_examples() {
    let table = stdout(errare().args(["table", "--help"]));
    for command in ["build", "probe", "stats", "find", "verify", "compare", "list"] {
        assert!(table.contains(&format!("  {command}  ")), "{table}");
        let help = stdout(errare().args(["table", command, "--help"]));
        assert!(help.contains("Examples:") && help.contains(&format!("errare table {command}")), "{help}");
        assert!(help.contains("--format") && help.contains("--tables") && help.contains("ERRARE_TABLES"), "{help}");
    }
    assert!(stdout(errare().arg("--help")).contains("Exit status"));
}

#[test]
fn unknown_commands_and_flags_are_bad_use() {
    for line in ["", "table", "tabel list", "table lost", "table list --speed", "completions tcl", "man nothing"] {
        let said = stderr(errare().args(line.split_whitespace()), 2);
        assert!(!said.is_empty(), "{line}");
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn tables_live_in_the_cache_folder_unless_told_otherwise() {
    let home = fresh();
    let [xdg, mine, flag] = ["xdg", "mine", "flag"].map(|name| home.path().join(name));
    let build = || {
        let mut command = errare();
        command.env("HOME", home.path()).args(["table", "build", "KNK"]);
        command
    };
    stdout(&mut build());
    assert_eq!(files(&home.path().join(".cache/errare/tables")), ["KNK.dtm.egt"]);
    stdout(build().env("XDG_CACHE_HOME", &xdg));
    assert_eq!(files(&xdg.join("errare/tables")), ["KNK.dtm.egt"]);
    stdout(build().env("XDG_CACHE_HOME", &xdg).env("ERRARE_TABLES", &mine));
    assert_eq!(files(&mine), ["KNK.dtm.egt"]);
    stdout(build().env("ERRARE_TABLES", &mine).arg("--tables").arg(&flag));
    assert_eq!(files(&flag), ["KNK.dtm.egt"]);
    let nowhere = stderr(errare().env_remove("HOME").args(["table", "list"]), 2);
    assert!(nowhere.contains("--tables"), "{nowhere}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = fresh();
    for line in
        ["table build KNK", "table build KNK --format json", "table stats KNK", "table list --format csv", "man"]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(program());
        command.arg("--tables").arg(folder.path()).args(line.split_whitespace());
        let output = command.stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_trouble() {
    let folder = fresh();
    for line in ["table build KNK", "table list", "table stats KNK --format json"] {
        let mut command = Command::new(program());
        command.arg("--tables").arg(folder.path()).args(line.split_whitespace());
        let output = command.stdout(File::create("/dev/full").unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the output"), "{line}");
    }
}

#[test]
fn no_colour_reaches_a_pipe() {
    for command in [["table", "--help"], ["table", "list"]] {
        let folder = fresh();
        let text = stdout(errare().env("NO_COLOR", "1").env("ERRARE_TABLES", folder.path()).args(command));
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}

#[test]
fn threads_and_memory_are_taken_anywhere_on_the_line() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "--threads 1 --memory 1.5G table build KNK --quiet"));
    stdout(&mut run(folder.path(), "table --threads 2 probe k7/8/8/8/8/8/8/KN6 w -q --memory 300M"));
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(errare().args(["completions", shell]));
        assert!(script.contains("errare") && script.contains("zugzwangs"), "{shell}");
    }
    let page = stdout(errare().arg("man"));
    assert!(page.contains(".TH errare 1") && page.contains("errare\\-table"), "{page}");
    let page = stdout(errare().args(["man", "table", "stats"]));
    assert!(page.contains(".TH errare-table-stats 1") && page.contains("zugzwangs"), "{page}");
}
