//! Files that keep what would take too much memory: packed sets of large endgames.

use crate::error::TableError;
use crate::pread::read_exact;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// A file that grows at its end and is read at any place, by several threads.
///
/// Readers are deep in loops that cannot fail. So a failure to read is remembered, the reader finds nothing, and whoever
/// uses the result must call [`Spill::check`] first.
#[derive(Debug)]
pub struct Spill {
    path: PathBuf,
    file: File,
    /// The length of the file. Its lock is held while something is appended.
    end: Mutex<u64>,
    failure: OnceLock<io::Error>,
}

impl Spill {
    /// Makes a file without a name, in the folder of another. The system removes it when the process ends, however it ends.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn nameless(beside: &Path) -> Result<Spill, TableError> {
        let path = beside.with_added_extension(format!("{}.tmp", std::process::id()));
        let failed = |action| TableError::io(action, &path);
        let file = File::options().read(true).write(true).create_new(true).open(&path).map_err(failed("create"))?;
        fs::remove_file(&path).map_err(failed("remove"))?;
        Ok(Spill::new(file, path, 0))
    }

    /// Takes over an open file, to which bytes are appended from `end` on.
    pub fn new(file: File, path: PathBuf, end: u64) -> Spill {
        Spill { path, file, end: Mutex::new(end), failure: OnceLock::new() }
    }

    /// Appends bytes, and returns their place.
    ///
    /// # Errors
    /// If they cannot be written, as where the disk is full.
    pub fn append(&self, bytes: &[u8]) -> Result<u64, TableError> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let place = *end;
        write_all(&self.file, bytes, place).map_err(TableError::io("write", &self.path))?;
        *end += bytes.len() as u64;
        Ok(place)
    }

    /// Reads bytes into a buffer, which is empty if they cannot be read.
    pub fn read<'a>(&self, place: u64, length: usize, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        buffer.resize(length, 0);
        if let Err(error) = read_exact(&self.file, buffer, place) {
            // Only the first failure is reported.
            drop(self.failure.set(error));
            buffer.clear();
        }
        buffer
    }

    /// Checks that everything that was asked for could be read.
    ///
    /// # Errors
    /// If something could not.
    pub fn check(&self) -> Result<(), TableError> {
        self.failure.get().map_or(Ok(()), |error| {
            Err(TableError::io("read", &self.path)(io::Error::new(error.kind(), error.to_string())))
        })
    }
}

#[cfg(unix)]
fn write_all(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

#[cfg(not(unix))]
fn write_all(mut file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    // Only one thread writes, and reading does not use the position of the file.
    io::Seek::seek(&mut file, io::SeekFrom::Start(place))?;
    io::Write::write_all(&mut file, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_is_read_back_and_a_failure_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let spill = Spill::nameless(&folder.path().join("KQK")).expect("a file");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "the file has no name");
        let mut buffer = Vec::new();
        let first = spill.append(b"one").expect("room");
        let second = spill.append(b"three").expect("room");
        assert_eq!(spill.read(second, 5, &mut buffer), b"three");
        assert_eq!(spill.read(first, 3, &mut buffer), b"one");
        assert!(spill.check().is_ok());
        assert_eq!(spill.read(second, 6, &mut buffer), b"");
        assert!(matches!(spill.check(), Err(TableError::Io { action: "read", .. })));
    }
}
