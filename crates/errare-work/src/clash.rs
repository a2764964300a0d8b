//! The one rule on files that work reads and writes: an output replaces no input and no other output.

use crate::streams::{STANDARD_STREAM, duplicate, folder_of, is_stdout, stdout_file};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files that a piece of work reads and writes, by their names.
///
/// ```
/// use errare_work::WorkFiles;
/// let files = WorkFiles { inputs: vec!["games.pgn".into()], outputs: vec!["annotated.pgn".into()] };
/// assert!(files.check().is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkFiles {
    /// The files that are read; `-` is standard input.
    pub inputs: Vec<PathBuf>,
    /// The files that are written; `-` is standard output.
    pub outputs: Vec<PathBuf>,
}

/// An output that would replace a file of the same work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputClash {
    /// The output is one of the inputs.
    #[error("{} is being read: write the output to another file", shown(.0))]
    Input(PathBuf),
    /// Two outputs have the same place.
    #[error("two outputs would go to {}: give each its own file", shown(.0))]
    Output(PathBuf),
}

/// Whether two names lead to one existing file.
#[must_use]
pub fn same_file(one: &Path, other: &Path) -> bool {
    one.exists() && Place::of(one).is_some_and(|place| Place::of(other) == Some(place))
}

fn shown(path: &Path) -> String {
    if is_stdout(path) { "standard output".to_owned() } else { path.display().to_string() }
}

impl WorkFiles {
    /// Checks that every output has a place of its own. Files are compared by device and number, with links followed,
    /// so that it does not matter by which names they go. Devices such as `/dev/null` replace nothing.
    ///
    /// # Errors
    /// [`OutputClash`] if an output is one of the inputs, or another output.
    pub fn check(&self) -> Result<(), OutputClash> {
        let read: Vec<Place> = self.inputs.iter().filter_map(|path| Place::of_input(path)).collect();
        let mut written: Vec<Place> = Vec::new();
        for path in &self.outputs {
            let Some(place) = Place::of_output(path) else { continue };
            if read.contains(&place) {
                return Err(OutputClash::Input(path.clone()));
            }
            if written.contains(&place) {
                return Err(OutputClash::Output(path.clone()));
            }
            written.push(place);
        }
        Ok(())
    }
}

/// What two names have in common if they lead to one file.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    Stdout,
    /// A file that exists: its device and its number there.
    #[cfg(unix)]
    File(u64, u64),
    /// A file that does not exist yet, by its full name; elsewhere than on Unix every file.
    Name(PathBuf),
}

impl Place {
    fn of_input(path: &Path) -> Option<Place> {
        if path == Path::new(STANDARD_STREAM) {
            return duplicate(&io::stdin()).ok()?.metadata().ok().and_then(|found| Place::of_file(&found));
        }
        Place::of(path)
    }

    fn of_output(path: &Path) -> Option<Place> {
        if !is_stdout(path) {
            return Place::of(path);
        }
        // `errare assess games.pgn --annotate - >> games.pgn` would read what it writes, without end.
        let found = stdout_file().and_then(|file| file.metadata()).ok();
        found.and_then(|found| Place::of_file(&found)).or(Some(Place::Stdout))
    }

    fn of(path: &Path) -> Option<Place> {
        match fs::metadata(path) {
            Ok(found) if cfg!(unix) => Place::of_file(&found),
            Ok(_) => fs::canonicalize(path).ok().map(Place::Name),
            Err(_) => fs::canonicalize(folder_of(path)).ok().zip(path.file_name()).map(|(folder, name)| {
                let path = folder.join(name);
                // A link to a file that does not exist yet.
                Place::Name(fs::read_link(&path).map(|target| folder.join(target)).unwrap_or(path))
            }),
        }
    }

    /// The place of a regular file or a named pipe; none for devices, terminals and sockets.
    #[cfg(unix)]
    fn of_file(found: &fs::Metadata) -> Option<Place> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let is_replaced = found.is_file() || found.file_type().is_fifo();
        is_replaced.then(|| Place::File(found.dev(), found.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(_: &fs::Metadata) -> Option<Place> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inputs: &[&Path], outputs: &[&Path]) -> Result<(), OutputClash> {
        let owned = |paths: &[&Path]| paths.iter().map(|path| path.to_path_buf()).collect();
        WorkFiles { inputs: owned(inputs), outputs: owned(outputs) }.check()
    }

    #[test]
    fn an_output_replaces_no_input_and_no_other_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other, new] = ["one", "other", "new"].map(|name| folder.path().join(name));
        fs::write(&one, "").expect("written");
        fs::write(&other, "").expect("written");
        assert_eq!(check(&[&one], &[&other, &new]), Ok(()));
        assert_eq!(check(&[&other, &one], &[&new, &one]), Err(OutputClash::Input(one.clone())));
        assert_eq!(check(&[], &[&one, &one]), Err(OutputClash::Output(one.clone())));
        assert_eq!(check(&[], &[&new, &new]), Err(OutputClash::Output(new.clone())));
        let dash = Path::new("-");
        let error = check(&[], &[dash, dash]).expect_err("twice").to_string();
        assert_eq!(error, "two outputs would go to standard output: give each its own file");
    }

    #[cfg(unix)]
    #[test]
    fn files_are_the_same_by_any_name_and_devices_replace_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, soft, hard] = ["file", "soft", "hard"].map(|name| folder.path().join(name));
        fs::write(&file, "").expect("written");
        std::os::unix::fs::symlink(&file, &soft).expect("a link");
        fs::hard_link(&file, &hard).expect("a link");
        let roundabout = folder.path().join(".").join("file");
        for name in [&soft, &hard, &roundabout] {
            assert_eq!(check(&[&file], &[name]), Err(OutputClash::Input(name.clone())), "{}", name.display());
            assert!(same_file(name, &file) && !same_file(name, folder.path()));
            assert_eq!(check(&[name], &[&file]), Err(OutputClash::Input(file.clone())), "{}", name.display());
        }
        let [new, dangling] = ["new", "dangling"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("new", &dangling).expect("a link");
        assert_eq!(check(&[], &[&new, &dangling]), Err(OutputClash::Output(dangling)));
        let null = Path::new("/dev/null");
        assert_eq!(check(&[null], &[null, null]), Ok(()));
    }
}
