//! Tables whose files change or turn out to be something else while they are used.

#![cfg(unix)]

use errare_tables::{Library, Material, Metric, TableError, Tables, parse_fen};
use errare_work::{Progress, Silent};
use shakmaty::Position;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

const MEMORY: u64 = 1 << 30;

fn krk() -> Material {
    "KRK".parse().expect("an endgame")
}

fn tables(folder: &Path) -> Tables {
    Tables::new(Library::new(folder), MEMORY)
}

fn truncate(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(length)).expect("truncated");
}

/// Takes down what it is warned of.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Progress for Warnings {
    fn warn(&self, warning: &str) {
        self.0.lock().expect("no panic").push(warning.to_owned());
    }
}

#[test]
fn a_table_that_is_truncated_while_it_is_open_is_built_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = tables(folder.path());
    let table = tables.ensure(krk(), Metric::Dtm, &Silent).expect("a table");
    let path = table.path().to_owned();
    let whole = fs::read(&path).expect("a file");
    truncate(&path, whole.len() as u64 / 3);
    let error = table.check(&Silent).expect_err("most blocks are gone");
    let expected =
        format!("damaged table {}: it has {} bytes, expected {}", path.display(), whole.len() / 3, whole.len());
    assert_eq!(error.to_string(), expected);
    let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w").expect("a position");
    let warnings = Warnings::default();
    let value = tables
        .with_tables(&[(krk(), Metric::Dtm)], &warnings, || -> Result<_, TableError> {
            let table = tables.library().open(krk(), Metric::Dtm)?;
            table.check(&Silent)?;
            table.value(position.board(), position.turn())
        })
        .expect("the table is built again");
    assert_eq!(value.map(|value| value.plies.0), Some(31));
    let warnings = warnings.0.into_inner().expect("no panic");
    assert!(warnings.len() == 1 && warnings[0].starts_with(&expected), "{warnings:?}");
    assert_eq!(fs::read(&path).expect("a file"), whole);
    assert!(path.with_added_extension("damaged").exists());
}

#[test]
fn a_table_that_is_overwritten_in_place_is_never_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = tables(folder.path());
    let table = tables.ensure(krk(), Metric::Dtm, &Silent).expect("a table");
    let length = table.file_len() as usize;
    fs::write(table.path(), vec![0x55; length]).expect("written");
    let error = table.check(&Silent).expect_err("all blocks are wrong").to_string();
    assert_eq!(error, format!("damaged table {}: block 0 is corrupt", table.path().display()));
}

#[test]
fn a_lock_or_temporary_name_that_is_a_link_harms_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let victim = elsewhere.path().join("victim");
    fs::write(&victim, "precious").expect("written");
    let lock = folder.path().join("KRK.dtm.egt.lock");
    symlink(&victim, &lock).expect("a link");
    symlink(&victim, folder.path().join("KRK.dtm.egt.tmp")).expect("a link");
    let ensure = || tables(folder.path()).ensure(krk(), Metric::Dtm, &Silent).map(drop);
    let error = ensure().expect_err("no lock").to_string();
    assert_eq!(
        error,
        format!("cannot open the lock {}: it is a symbolic link, expected a regular file", lock.display())
    );
    fs::remove_file(&lock).expect("removed");
    ensure().expect("a table");
    assert_eq!(fs::read(&victim).expect("a file"), b"precious");
}

#[test]
fn pipes_and_devices_in_the_places_of_files_are_refused_at_once() {
    for (name, words) in [("KRK.dtm.egt", "cannot open "), ("KRK.dtm.egt.lock", "cannot open the lock ")] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let refused = || tables(folder.path()).ensure(krk(), Metric::Dtm, &Silent).expect_err("a pipe").to_string();
        let expected = format!("{words}{}: it is a pipe or a device, expected a regular file", path.display());
        assert_eq!(refused(), expected);
        assert!(fs::metadata(&path).expect("the pipe").file_type().is_fifo(), "left alone");
        fs::remove_file(&path).expect("removed");
        if name.ends_with("egt") {
            symlink("/dev/zero", &path).expect("a link");
            assert_eq!(refused(), expected);
        }
    }
}

#[test]
fn a_link_to_a_table_is_a_table_and_a_link_to_anything_else_is_put_aside() {
    let [folder, elsewhere] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("KRK.dtm.egt");
    let built = tables(elsewhere.path()).ensure(krk(), Metric::Dtm, &Silent).expect("a table").path().to_owned();
    symlink(&built, &path).expect("a link");
    tables(folder.path()).ensure(krk(), Metric::Dtm, &Silent).expect("a table");
    assert!(path.is_symlink());
    fs::remove_file(&path).expect("removed");
    let victim = elsewhere.path().join("victim");
    File::create(&victim).expect("a file");
    fs::write(&victim, "precious, and longer than the prefix of a table").expect("written");
    symlink(&victim, &path).expect("a link");
    tables(folder.path()).ensure(krk(), Metric::Dtm, &Silent).expect("a table");
    assert!(!path.is_symlink());
    assert!(fs::read_to_string(&victim).expect("a file").starts_with("precious"));
}
