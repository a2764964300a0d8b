//! Opening and reading files that users name, whatever they turn out to be.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. A pipe, which might never be written to, and a device, which might never end, are
/// refused before they are opened.
///
/// # Errors
/// If the file cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    check_regular(&fs::metadata(path)?)?;
    let file = nonblocking().read(true).open(path)?;
    // It may have been replaced in the meantime.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file that must not be longer than `limit` bytes.
///
/// # Errors
/// If the file cannot be read, is not a regular file, or is too long.
pub fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let too_long = || {
        let reason = format!("the file is too long: expected at most {limit} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, reason)
    };
    if file.metadata()?.len() > limit {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long()) } else { Ok(bytes) }
}

/// Opens a file for a lock, creating it if it does not exist. Whatever it contains is left alone, and a symbolic link is
/// not followed: it could lead to any file of the user.
///
/// # Errors
/// If the file cannot be opened, or is a link or anything else than a regular file.
pub fn open_lock(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(found) => check_regular(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = nofollow().read(true).write(true).create(true).truncate(false).open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Checks that something is a regular file, without opening it.
///
/// # Errors
/// If it is a folder, a link, a pipe or a device.
pub fn check_regular(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = if found.is_dir() {
        "a folder"
    } else if found.is_symlink() {
        "a symbolic link"
    } else {
        "a pipe or a device"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {kind}, expected a regular file")))
}

#[cfg(unix)]
fn with_flags(flags: i32) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    // Opening a pipe does not wait for its other end.
    options.custom_flags(flags | libc::O_NONBLOCK);
    options
}

#[cfg(unix)]
fn nonblocking() -> OpenOptions {
    with_flags(0)
}

#[cfg(unix)]
fn nofollow() -> OpenOptions {
    with_flags(libc::O_NOFOLLOW)
}

#[cfg(not(unix))]
fn nonblocking() -> OpenOptions {
    OpenOptions::new()
}

#[cfg(not(unix))]
fn nofollow() -> OpenOptions {
    OpenOptions::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "four").expect("written");
        assert_eq!(read_bounded(&path, 4).expect("short enough"), b"four");
        let error = read_bounded(&path, 3).expect_err("too long").to_string();
        assert_eq!(error, "the file is too long: expected at most 3 bytes");
        let error = read_bounded(folder.path(), 3).expect_err("a folder").to_string();
        assert_eq!(error, "it is a folder, expected a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        for path in [&pipe, Path::new("/dev/zero")] {
            let error = read_bounded(path, 100).expect_err("not a file").to_string();
            assert_eq!(error, "it is a pipe or a device, expected a regular file");
            assert!(open_lock(path).is_err());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_follows_no_link_and_empties_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [victim, link, dangling] = ["victim", "link", "dangling"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").expect("written");
        std::os::unix::fs::symlink(&victim, &link).expect("a link");
        std::os::unix::fs::symlink(folder.path().join("new"), &dangling).expect("a link");
        for path in [&link, &dangling] {
            let error = open_lock(path).expect_err("a link").to_string();
            assert_eq!(error, "it is a symbolic link, expected a regular file");
        }
        open_lock(&victim).expect("a lock");
        assert_eq!(fs::read(&victim).expect("read"), b"precious");
        assert!(!folder.path().join("new").exists());
    }
}
