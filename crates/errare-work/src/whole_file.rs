//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file as it was named.
    pub path: PathBuf,
    /// Why it could not be written.
    pub source: io::Error,
}

impl WriteError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError + use<> {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    }
}

/// A file in the making: written beside its place and renamed when it is complete.
///
/// Symbolic links are followed, so that the file they point to is replaced and not the link. What is no regular
/// file, such as a device or a pipe, is written in place. Dropped before [`finish`](WholeFile::finish), it leaves
/// nothing behind.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// None if the file is written in place.
    pending: Option<Pending>,
}

/// A temporary file, removed unless it was renamed.
#[derive(Debug)]
struct Pending {
    temporary: PathBuf,
    target: PathBuf,
}

impl Drop for Pending {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.temporary));
    }
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If neither the file nor a temporary one beside it can be opened for writing.
    pub fn create(path: &Path) -> Result<WholeFile, WriteError> {
        let failed = WriteError::at(path);
        let begun = match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(there) if !there.is_file() => OpenOptions::new().write(true).open(path).map(|file| (file, None)),
            Ok(_) => fs::canonicalize(path).and_then(begin),
            // A link to a file that is not there yet.
            Err(_) if path.is_symlink() => fs::read_link(path).and_then(|target| begin(beside(path).join(target))),
            Err(_) => begin(path.to_owned()),
        };
        let (file, pending) = begun.map_err(failed)?;
        Ok(WholeFile { path: path.to_owned(), writer: BufWriter::new(file), pending })
    }

    /// Gives the complete file its name, with its contents and its name safe on disk.
    ///
    /// # Errors
    /// If the contents cannot be written or synced, or the file not renamed. Nothing is left behind then.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let done = self.writer.flush().and_then(|()| match self.pending.take() {
            // A pipe cannot be synced.
            None => Ok(()),
            Some(pending) => {
                self.writer.get_ref().sync_all()?;
                fs::rename(&pending.temporary, &pending.target)?;
                sync_folder(beside(&pending.target))
            }
        });
        done.map_err(WriteError::at(&self.path))
    }

    /// The error of this file for a failed write.
    pub fn failed(&self, source: io::Error) -> WriteError {
        WriteError { path: self.path.clone(), source }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Seeking is possible in regular files only.
impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to)
    }
}

/// Opens a new file beside the target. It is never one that is there already, and never a link.
fn begin(target: PathBuf) -> io::Result<(File, Option<Pending>)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_added_extension(format!("{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, Some(Pending { temporary, target }))),
        }
    }
}

fn beside(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename in the folder last. Where folders cannot be opened, as on Windows, there is nothing to sync.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(_) => Ok(()),
    }
}

/// Writes a file that is already in memory.
///
/// # Errors
/// As [`WholeFile::create`] and [`WholeFile::finish`].
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), WriteError> {
    let mut file = WholeFile::create(path)?;
    file.write_all(contents.as_ref()).map_err(WriteError::at(path))?;
    file.finish()
}

/// Whether two names lead to one existing file, so that writing the one would replace the other.
#[must_use]
pub fn same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let mut file = WholeFile::create(&path).expect("a file");
        file.write_all(b"half").expect("written");
        drop(file);
        assert_eq!(names(folder.path()), [""; 0]);
        write_whole(&path, "one").expect("written");
        write_whole(&path, "two").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "two");
        assert_eq!(names(folder.path()), ["games.pgn"]);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing").join("games.pgn");
        let error = write_whole(&missing, "").expect_err("no such folder").to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", missing.display())), "{error}");
        assert!(write_whole(folder.path(), "").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_written_in_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        std::os::unix::fs::symlink("target", &link).expect("a link");
        for text in ["new", "old"] {
            write_whole(&link, text).expect("written");
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(&target).expect("read"), text);
        }
        assert!(same_file(&link, &target));
        write_whole(Path::new("/dev/null"), "anything").expect("written");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_temporary_name_that_is_a_link_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        let victim = folder.path().join("victim");
        fs::write(&victim, "precious").expect("written");
        for number in 0..1000 {
            let name = path.with_added_extension(format!("{}-{number}.tmp", std::process::id()));
            std::os::unix::fs::symlink(&victim, name).expect("a link");
        }
        write_whole(&path, "page").expect("written");
        assert_eq!(fs::read_to_string(&victim).expect("read"), "precious");
    }
}
