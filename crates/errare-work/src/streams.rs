//! Names that stand for the standard streams.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name that stands for standard input as an input, and for standard output as an output.
pub const STANDARD_STREAM: &str = "-";

/// The greatest number of symbolic links that are followed one after another.
pub(crate) const MAX_LINKS: usize = 40;

/// Whether an output of this name goes to standard output: `-`, `/dev/stdout`, or a link to it.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new(STANDARD_STREAM) || descriptor(path) == Some(1)
}

/// The number of the open file of this process that a name stands for, as `/dev/stdout` and `/dev/fd/3` do.
pub(crate) fn descriptor(path: &Path) -> Option<u32> {
    let open_files = [fs::canonicalize("/proc/self/fd").ok(), Some(PathBuf::from("/dev/fd"))];
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        if open_files.iter().flatten().any(|known| *known == folder) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = folder.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Standard output as a file, with whatever was printed before written out.
pub(crate) fn stdout_file() -> io::Result<File> {
    let mut stdout = io::stdout();
    stdout.flush()?;
    duplicate(&stdout)
}

#[cfg(unix)]
pub(crate) fn duplicate(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
pub(crate) fn duplicate(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// The folder that a file of this name is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_is_standard_output_and_a_file_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("1");
        fs::write(&file, "").expect("written");
        assert!(is_stdout(Path::new("-")));
        for path in [&file, &folder.path().join("-"), Path::new("./-"), Path::new("/dev/null"), Path::new("")] {
            assert!(!is_stdout(path), "{}", path.display());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn open_files_are_known_by_all_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let link = folder.path().join("out");
        std::os::unix::fs::symlink("/dev/stdout", &link).expect("a link");
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", link.to_str().expect("a name")] {
            assert!(is_stdout(Path::new(name)), "{name}");
        }
        assert_eq!(descriptor(Path::new("/dev/fd/7")), Some(7));
        let looped = folder.path().join("loop");
        std::os::unix::fs::symlink("loop", &looped).expect("a link");
        assert_eq!(descriptor(&looped), None);
    }
}
