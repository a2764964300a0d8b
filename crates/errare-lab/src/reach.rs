//! The reach of requests: the files, folders and programs that they may name, and the work that they may ask for.
//!
//! A lab of one's own reaches all of it. A handle for clients ([`Lab::for_clients`]) reaches nothing that a request
//! names, whatever the operation: every place in the lab that opens, writes or starts something by a name needs an
//! [`Outside`], and only [`Lab::outside`] gives one. `clippy.toml` forbids the functions that would do it without.

use crate::error::LabError;
use crate::lab::Lab;
use crate::numbers::grouped;
use errare_endgame::AgentSpec;
use errare_ratings::{Calibration, CalibrationFileError, RatingsError, TurnReader};
use errare_tables::{ChecksumChecks, Source, SourceSpec, TableError};
use errare_work::{Progress, WholeFile, WorkFiles, WriteError, read_bounded, write_whole};
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The reach of a handle, by whose requests it works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The handle works for whoever runs the program, with all their rights.
    All,
    /// The handle works for clients, who may name nothing outside the lab and ask for bounded work.
    Inside,
}

/// The greatest number of plies that an agent may look ahead for a client: the work is a multiple with each.
const MAX_PLIES_FOR_CLIENTS: u64 = 8;

/// The move rules whose tables are built for clients: there are ten thousand, and each takes space on the disk.
pub(crate) const RULES_FOR_CLIENTS: &[u16] = &[50, 75, 100];

/// The permission to reach a file, folder or program that a request names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outside(());

impl Lab {
    /// The permission to reach the file, folder or program of this name.
    ///
    /// # Errors
    /// [`LabError::Outside`] on a handle for clients. Nothing has been looked at then, so nobody learns what exists.
    pub(crate) fn outside(&self, name: impl Display) -> Result<Outside, LabError> {
        match self.reach() {
            Reach::All => Ok(Outside(())),
            Reach::Inside => Err(LabError::Outside(name.to_string())),
        }
    }

    /// The permission to reach a file.
    pub(crate) fn outside_path(&self, path: &Path) -> Result<Outside, LabError> {
        self.outside(path.display())
    }

    /// The permission to reach files; it is asked for even where there are none.
    pub(crate) fn outside_files(&self, paths: &[PathBuf]) -> Result<Outside, LabError> {
        self.outside(paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))
    }

    /// Checks that a request may reach its files, and that no output would replace an input or another output.
    #[allow(clippy::disallowed_methods, reason = "the first file has been asked for")]
    pub(crate) fn check_files(&self, files: &WorkFiles) -> Result<(), LabError> {
        if let Some(path) = files.inputs.iter().chain(&files.outputs).next() {
            self.outside_path(path)?;
        }
        Ok(files.check()?)
    }

    /// Refuses more work than a client may ask for; `what` is counted, in the plural. A handle that is not for clients
    /// has no bound.
    pub(crate) fn bound(&self, what: &str, asked: u64, most: u64) -> Result<(), LabError> {
        if self.reach() == Reach::All || asked <= most {
            return Ok(());
        }
        let (asked, most) = (grouped(asked), grouped(most));
        Err(LabError::Request(format!("too many {what}: {asked} were asked for, a server allows at most {most}")))
    }

    /// Refuses agents that look further ahead than a client may ask for.
    pub(crate) fn bound_agent(&self, agent: &AgentSpec) -> Result<(), LabError> {
        let plies = match agent {
            AgentSpec::Predator { plies, .. } | AgentSpec::Levy { plies, .. } | AgentSpec::Pitfall { plies, .. } => {
                u64::from(*plies)
            }
            _ => 0,
        };
        self.bound("plies to look ahead", plies, MAX_PLIES_FOR_CLIENTS)
    }
}

#[allow(clippy::disallowed_methods, reason = "whoever has an Outside may")]
impl Outside {
    pub fn open(self, path: &Path) -> Result<File, LabError> {
        File::open(path).map_err(|source| LabError::Open { path: path.to_owned(), source })
    }

    pub fn exists(self, path: &Path) -> bool {
        path.exists()
    }

    pub fn metadata(self, path: &Path) -> io::Result<Metadata> {
        path.metadata()
    }

    pub fn stdin(self) -> io::Stdin {
        io::stdin()
    }

    pub fn create(self, path: &Path) -> Result<WholeFile, WriteError> {
        WholeFile::create(path)
    }

    pub fn write(self, path: &Path, text: &str) -> Result<(), WriteError> {
        write_whole(path, text)
    }

    /// Writes files to a folder, which is made if it is missing; the folder above it must exist.
    pub fn write_in_folder(self, folder: &Path, files: &[(PathBuf, String)]) -> Result<(), LabError> {
        if !folder.exists() {
            let failed = |error| LabError::Request(format!("cannot make the folder {}: {error}", folder.display()));
            std::fs::create_dir(folder).map_err(failed)?;
        }
        Ok(files.iter().try_for_each(|(path, text)| write_whole(path, text))?)
    }

    pub fn read_bounded(self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        read_bounded(path, limit)
    }

    pub fn tables(self, spec: &SourceSpec, checks: ChecksumChecks) -> Result<Arc<dyn Source>, TableError> {
        spec.open_checking(checks)
    }

    pub fn calibration(self, path: &Path) -> Result<Calibration, CalibrationFileError> {
        Calibration::read(path)
    }

    pub fn write_calibration(self, calibration: &Calibration, path: &Path) -> Result<(), CalibrationFileError> {
        calibration.write(path)
    }

    /// Reads a turn file; `-` is standard input.
    pub fn turns(self, reader: &mut TurnReader, path: &Path, progress: &dyn Progress) -> Result<(), RatingsError> {
        if path.as_os_str() == "-" { reader.read("-", io::stdin(), progress) } else { reader.open(path, progress) }
    }
}
