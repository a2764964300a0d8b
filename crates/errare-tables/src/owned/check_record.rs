//! A record of large files whose checksums were right, so that they are not read whole by every run.

use errare_work::{read_bounded, write_whole};
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

/// The size in bytes from which files are recorded: smaller ones are checked in less time than a person notices.
pub const LARGE: u64 = 64 << 20;

/// The greatest number of bytes of a record that is read: more than all Syzygy files there are could fill.
const MAX_BYTES: u64 = 4 << 20;

/// A file of lines: length, time of the last change in nanoseconds, name.
///
/// The record spares time, and nothing depends on it: a record that cannot be read is empty, and one that cannot be
/// written is not written.
#[derive(Debug)]
pub struct CheckRecord {
    path: PathBuf,
    known: Mutex<BTreeSet<String>>,
}

impl CheckRecord {
    /// Reads a record, which need not exist.
    pub fn open(path: &Path) -> CheckRecord {
        CheckRecord { path: path.to_owned(), known: Mutex::new(read(path)) }
    }

    /// Whether the file was checked before and has not changed since.
    pub fn has(&self, path: &Path, found: &Metadata) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        line(path, found).is_some_and(|line| known.contains(&line))
    }

    /// Records that the checksum of a file is right.
    pub fn add(&self, path: &Path, found: &Metadata) {
        let Some(line) = line(path, found).filter(|_| found.len() >= LARGE) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // Another process may have added to it.
        known.extend(read(&self.path));
        known.insert(line);
        let text: String = known.iter().map(|line| format!("{line}\n")).collect();
        if let Some(folder) = self.path.parent() {
            drop(std::fs::create_dir_all(folder));
        }
        drop(write_whole(&self.path, text));
    }
}

fn read(path: &Path) -> BTreeSet<String> {
    let text = read_bounded(path, MAX_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The line of a file in the record; none if its name does not fit into one, or the time of its last change is unknown.
fn line(path: &Path, found: &Metadata) -> Option<String> {
    let path = std::fs::canonicalize(path).ok()?;
    let name = path.to_str().filter(|name| !name.contains(['\n', '\r']))?;
    let changed = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    Some(format!("{} {changed} {name}", found.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::time::Duration;

    #[test]
    fn large_files_are_remembered_until_they_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("cache").join("checked");
        let [small, large] = ["small", "large"].map(|name| folder.path().join(name));
        for (path, length) in [(&small, LARGE - 1), (&large, LARGE)] {
            File::create(path).and_then(|file| file.set_len(length)).expect("a sparse file");
        }
        let found = |path: &Path| fs::metadata(path).expect("a file");
        for path in [&small, &large] {
            let checked = CheckRecord::open(&record);
            assert!(!checked.has(path, &found(path)));
            checked.add(path, &found(path));
        }
        let checked = CheckRecord::open(&record);
        assert!(checked.has(&large, &found(&large)) && !checked.has(&small, &found(&small)));
        let later = found(&large).modified().expect("a time") + Duration::from_secs(1);
        File::options().write(true).open(&large).and_then(|file| file.set_modified(later)).expect("a new time");
        assert!(!checked.has(&large, &found(&large)));
    }
}
