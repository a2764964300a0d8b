//! Tables of other makers that the user owns: Syzygy and Gaviota, behind the same trait as ours.

mod check_record;
#[cfg(feature = "gaviota")]
mod gaviota;
#[cfg(feature = "gaviota")]
mod gaviota_identity;
#[cfg(feature = "gaviota")]
mod gtb;
#[cfg(feature = "gaviota")]
mod libgaviotatb;
mod spec;
mod syzygy;
mod syzygy_checksum;
mod syzygy_files;

#[cfg(feature = "gaviota")]
pub use gaviota::Gaviota;
pub use spec::{SourceSpec, SourceSpecError};
pub use syzygy::Syzygy;
pub use syzygy_files::ChecksumChecks;

use crate::material::Material;
use crate::metric::Metric;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The maker of tables that are not ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// Syzygy tables by Ronald de Man: outcome and DTZ under the 50-move rule, up to seven men.
    Syzygy,
    /// Gaviota tables by Miguel Ballicora: DTM, up to five men.
    Gaviota,
}

impl Maker {
    /// The only metric of the maker's tables.
    pub fn metric(self) -> Metric {
        match self {
            Maker::Syzygy => Metric::DtzRule(50),
            Maker::Gaviota => Metric::Dtm,
        }
    }

    /// The greatest number of men, kings included, of the maker's tables.
    pub fn max_men(self) -> usize {
        match self {
            Maker::Syzygy => 7,
            Maker::Gaviota => 5,
        }
    }

    /// Patterns for the names of the maker's files.
    fn extensions(self) -> &'static str {
        match self {
            Maker::Syzygy => "*.rtbw and *.rtbz",
            Maker::Gaviota => "*.gtb.cp4",
        }
    }

    fn check_metric(self, asked: Metric) -> Result<(), OwnedError> {
        if asked == self.metric() { Ok(()) } else { Err(OwnedError::Metric { maker: self, asked }) }
    }

    fn check_men(self, men: usize) -> Result<(), OwnedError> {
        if men <= self.max_men() { Ok(()) } else { Err(OwnedError::TooManyMen { maker: self, men }) }
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Maker::Syzygy => "Syzygy",
            Maker::Gaviota => "Gaviota",
        })
    }
}

/// Tables of other makers that could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnedError {
    /// The folder of the tables cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder {
        /// The folder that cannot be read.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The folder has no tables of this maker.
    #[error("no {maker} tables ({}) in {}", maker.extensions(), path.display())]
    NoTables {
        /// The maker of the tables.
        maker: Maker,
        /// The folder without tables.
        path: PathBuf,
    },
    /// The name of the folder cannot be passed to the library that reads these tables.
    #[error("folder name too long for the library that reads {maker} tables: {}", path.display())]
    FolderName {
        /// The maker of the tables.
        maker: Maker,
        /// The folder whose name cannot be passed on.
        path: PathBuf,
    },
    /// The endgame has no file in any of the folders.
    #[error("no {maker} table {file} in {}", join(folders))]
    Missing {
        /// The maker of the table.
        maker: Maker,
        /// The name of the missing file.
        file: String,
        /// The folders that do not have the file.
        folders: Vec<PathBuf>,
    },
    /// The file of a table is damaged.
    #[error("damaged {maker} table {}: {reason}", path.display())]
    Damaged {
        /// The maker of the table.
        maker: Maker,
        /// The damaged file.
        path: PathBuf,
        /// The kind of damage.
        reason: String,
    },
    /// The maker's tables have another metric than the one asked for.
    #[error("invalid metric {asked} for {maker} tables: expected {}", maker.metric())]
    Metric {
        /// The maker of the tables.
        maker: Maker,
        /// The metric that was asked for.
        asked: Metric,
    },
    /// The maker has no tables with as many men as the position.
    #[error("too many men for {maker} tables: expected at most {}, found {men}", maker.max_men())]
    TooManyMen {
        /// The maker of the tables.
        maker: Maker,
        /// Number of men of the position.
        men: usize,
    },
    /// The program was built without support for this maker's tables.
    #[error("this build cannot read {0} tables: it needs `--features gaviota` and Debian's libgaviotatb-dev")]
    NotBuilt(Maker),
    /// A bug in errare: something that its own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

fn join(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(" or ")
}

/// The sides of an endgame in the order of other makers' file names: first the one with more men,
/// whatever they are worth.
fn sides(material: Material) -> (String, String) {
    let [stronger, weaker] = material.sides();
    if weaker.len() > stronger.len() { (weaker, stronger) } else { (stronger, weaker) }
}

/// Finds a file in the first folder that has it.
fn find(folders: &[PathBuf], file: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())
}

/// Lists the files of a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, OwnedError> {
    let failed = |source| OwnedError::Folder { path: folder.to_owned(), source };
    std::fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_with_more_men_is_named_first() {
        for (endgame, first, second) in [("KQKR", "KQ", "KR"), ("KQKBB", "KBB", "KQ"), ("KPK", "KP", "K")] {
            let material = endgame.parse().expect("an endgame");
            assert_eq!(sides(material), (first.to_owned(), second.to_owned()));
        }
    }
}
