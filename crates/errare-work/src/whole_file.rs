//! Files that appear whole or not at all.

use crate::reading::open_lock;
use crate::streams::{MAX_LINKS, STANDARD_STREAM, descriptor, duplicate, folder_of, is_stdout, stdout_file};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", if path.as_os_str() == STANDARD_STREAM { "standard output".into() } else { path.display().to_string() })]
pub struct WriteError {
    /// The file as it was named.
    pub path: PathBuf,
    /// Why the file could not be written.
    pub source: io::Error,
}

impl WriteError {
    /// Whether standard output is a pipe that nobody reads any more, as after `| head`.
    #[must_use]
    pub fn is_closed_stdout(&self) -> bool {
        self.source.kind() == io::ErrorKind::BrokenPipe && is_stdout(&self.path)
    }

    fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError + use<> {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    }
}

/// A file in the making: written beside its place and renamed when it is complete.
///
/// Symbolic links are followed, so that the file they point to is replaced and not the link; a file that is replaced
/// hands on its permissions. `-` is standard output. That and whatever else is not a regular file, such as a device or
/// a pipe, is written in place. Dropped before [`finish`](WholeFile::finish), it leaves nothing behind; what a process
/// left behind that was killed is removed when the file is next written.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// The temporary file that will replace the target; none if the file is written in place.
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
    /// Begins to write a file.
    ///
    /// # Errors
    /// If neither the file nor a temporary one beside it can be opened for writing.
    pub fn create(path: &Path) -> Result<WholeFile, WriteError> {
        let (file, pending) = open(path).map_err(WriteError::at(path))?;
        Ok(WholeFile { path: path.to_owned(), writer: BufWriter::new(file), pending })
    }

    /// Gives the complete file its name, with its contents and its name safe on disk.
    ///
    /// # Errors
    /// If the contents cannot be written or synced, or the file cannot be renamed. Nothing is left behind then.
    pub fn finish(mut self) -> Result<(), WriteError> {
        let done = self.writer.flush().and_then(|()| match self.pending.take() {
            // A pipe cannot be synced.
            None => Ok(()),
            Some(pending) => {
                self.writer.get_ref().sync_all()?;
                fs::rename(&pending.temporary, &pending.target)?;
                sync_folder(folder_of(&pending.target))
            }
        });
        done.map_err(WriteError::at(&self.path))
    }

    /// Names this file in the error of a failed write.
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

/// Opens what is written to: the file itself if it is not a regular one, else a temporary file.
fn open(path: &Path) -> io::Result<(File, Option<Pending>)> {
    if path == Path::new(STANDARD_STREAM) {
        return Ok((stdout_file()?, None));
    }
    match descriptor(path) {
        Some(1) => return Ok((stdout_file()?, None)),
        Some(2) => return Ok((duplicate(&io::stderr())?, None)),
        // An open file may be a regular one, with something written to it already.
        Some(_) => return Ok((OpenOptions::new().append(true).open(path)?, None)),
        None => {}
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok((OpenOptions::new().write(true).open(path)?, None)),
        Ok(there) => {
            // Renaming would replace a file that may not be written to.
            OpenOptions::new().write(true).open(path)?;
            let (file, pending) = begin(fs::canonicalize(path)?)?;
            hand_on_permissions(&there, &file)?;
            Ok((file, Some(pending)))
        }
        Err(_) => {
            let (file, pending) = begin(link_target(path)?)?;
            Ok((file, Some(pending)))
        }
    }
}

/// Follows the links that lead to a file that does not exist yet.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !target.is_symlink() {
            return Ok(target);
        }
        target = folder_of(&target).join(fs::read_link(&target)?);
    }
    Err(io::Error::other("too many symbolic links lead to it"))
}

/// The ending of the names of temporary files.
const TEMPORARY: &str = ".tmp";

/// The longest name of a file on the file systems in use.
const LONGEST_NAME: usize = 255;

/// Opens a new file beside the target. It is never one that exists already, and never a link. A lock on it shows that
/// its writer is alive.
fn begin(target: PathBuf) -> io::Result<(File, Pending)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let stem = stem(&target)?;
    remove_abandoned(folder_of(&target), &stem);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut name = stem.clone();
        name.push(format!("{}-{number}{TEMPORARY}", std::process::id()));
        let temporary = folder_of(&target).join(name);
        let file = match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        match file.try_lock() {
            // Another process took it for abandoned before it was locked.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !temporary.exists() => {}
            // Without locks, as on some file systems, nothing is ever taken for abandoned.
            _ => return Ok((file, Pending { temporary, target })),
        }
    }
}

/// The beginning of the names of the temporary files of a target: its own name, if that leaves room for more.
fn stem(target: &Path) -> io::Result<OsString> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "it has no file name");
    let mut stem = target.file_name().ok_or_else(no_name)?.to_owned();
    if stem.len() > LONGEST_NAME - 40 {
        stem = OsString::from(".errare");
    }
    stem.push(".");
    Ok(stem)
}

/// Removes temporary files whose writers were killed: nobody holds their locks. What cannot be removed stays.
fn remove_abandoned(folder: &Path, stem: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name(), stem)) {
        let path = entry.path();
        if let Ok(file) = open_lock(&path)
            && file.try_lock().is_ok()
        {
            drop(fs::remove_file(&path));
        }
    }
}

fn is_temporary(name: &OsStr, stem: &OsStr) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let rest = name.as_encoded_bytes().strip_prefix(stem.as_encoded_bytes());
    let rest = rest.and_then(|rest| str::from_utf8(rest).ok()).and_then(|rest| rest.strip_suffix(TEMPORARY));
    rest.and_then(|rest| rest.split_once('-')).is_some_and(|(process, count)| number(process) && number(count))
}

/// Gives a new file the permissions of the one that it will replace, and its owner where that is possible.
fn hand_on_permissions(from: &Metadata, to: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = to.metadata()?;
        if (new.uid(), new.gid()) != (from.uid(), from.gid()) {
            drop(fchown(to, Some(from.uid()), Some(from.gid())));
        }
    }
    to.set_permissions(from.permissions())
}

/// Makes a rename in the folder last. Where folders cannot be opened or synced there is nothing to do.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        synced => synced,
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
        write_whole(Path::new("/dev/null"), "anything").expect("written");
        assert!(!fs::metadata("/dev/null").expect("a device").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn chains_of_links_are_followed_to_a_new_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [first, second, target] = ["first", "second", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("second", &first).expect("a link");
        std::os::unix::fs::symlink("target", &second).expect("a link");
        write_whole(&first, "new").expect("written");
        assert!(first.is_symlink() && second.is_symlink() && !target.is_symlink());
        assert_eq!(fs::read_to_string(&target).expect("read"), "new");
        let circle = folder.path().join("circle");
        std::os::unix::fs::symlink("circle", &circle).expect("a link");
        let error = write_whole(&circle, "").expect_err("a circle").to_string();
        assert!(error.ends_with("too many symbolic links lead to it"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_full_device_is_reported_and_stays_a_device() {
        use std::os::unix::fs::FileTypeExt;
        let full = Path::new("/dev/full");
        let error = write_whole(full, "anything").expect_err("full").to_string();
        assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
        assert!(fs::symlink_metadata(full).expect("a device").file_type().is_char_device());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_written_in_place() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "before ").expect("written");
        let held = OpenOptions::new().append(true).open(&path).expect("a file");
        write_whole(&PathBuf::from(format!("/dev/fd/{}", held.as_raw_fd())), "after").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "before after");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_handed_on() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("private");
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        write_whole(&path, "new").expect("written");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_long_name_leaves_room_for_a_temporary_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = "x".repeat(LONGEST_NAME);
        write_whole(&folder.path().join(&name), "new").expect("written");
        assert_eq!(names(folder.path()), [name]);
    }

    #[test]
    fn files_of_killed_writers_are_removed_and_those_of_others_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        let kept = ["games.pgn.1-2.txt.tmp", "games.pgn.tmp", "games.pgn.1-.tmp", "other.pgn.1-2.tmp"];
        for name in kept.iter().chain(&["games.pgn.1-2.tmp"]) {
            fs::write(folder.path().join(name), "half").expect("written");
        }
        let alive = WholeFile::create(&path).expect("a file");
        write_whole(&path, "whole").expect("written");
        alive.finish().expect("its temporary file is still there");
        let mut found = names(folder.path());
        found.sort();
        let mut expected: Vec<&str> = kept.into_iter().chain(["games.pgn"]).collect();
        expected.sort();
        assert_eq!(found, expected);
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
