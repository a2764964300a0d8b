//! Tables that others made and the user owns: Syzygy and Gaviota, behind the same trait as ours.

#[cfg(feature = "gaviota")]
mod gaviota;
#[cfg(feature = "gaviota")]
mod gtb;
#[cfg(feature = "gaviota")]
mod libgaviotatb;
mod spec;
mod syzygy;

#[cfg(feature = "gaviota")]
pub use gaviota::Gaviota;
pub use spec::{SourceSpec, SourceSpecError};
pub use syzygy::Syzygy;

use crate::material::Material;
use crate::metric::Metric;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Whose tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// Ronald de Man's: outcome and DTZ under the 50-move rule, to seven men.
    Syzygy,
    /// Miguel Ballicora's: DTM, to five men.
    Gaviota,
}

impl Maker {
    /// The one metric of these tables.
    pub fn metric(self) -> Metric {
        match self {
            Maker::Syzygy => Metric::DtzRule(50),
            Maker::Gaviota => Metric::Dtm,
        }
    }

    /// The most men that any of these tables has.
    pub fn most_men(self) -> usize {
        match self {
            Maker::Syzygy => 7,
            Maker::Gaviota => 5,
        }
    }

    /// What the names of their files end with.
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
        if men <= self.most_men() { Ok(()) } else { Err(OwnedError::TooManyMen { maker: self, men }) }
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

/// What can go wrong with tables that others made.
#[derive(Debug, thiserror::Error)]
pub enum OwnedError {
    /// The folder cannot be read.
    #[error("cannot read the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder has other things.
    #[error("{} holds no {maker} tables ({})", path.display(), maker.extensions())]
    NoTables {
        /// Whose tables were looked for.
        maker: Maker,
        /// The folder.
        path: PathBuf,
    },
    /// The library that reads these tables has no way to be told of such a folder.
    #[error("the library for {maker} tables takes no folder with so long a name: {}", path.display())]
    FolderName {
        /// Whose tables were looked for.
        maker: Maker,
        /// The folder.
        path: PathBuf,
    },
    /// No file for the endgame.
    #[error("no {maker} table {file} in {}", join(folders))]
    Missing {
        /// Whose table was looked for.
        maker: Maker,
        /// The name of its file.
        file: String,
        /// Where it was looked for.
        folders: Vec<PathBuf>,
    },
    /// A file that is not what it should be.
    #[error("damaged {maker} table {}: {reason}", path.display())]
    Damaged {
        /// Whose table it should be.
        maker: Maker,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The tables count to something else.
    #[error("{maker} tables know {} and not {asked}", maker.metric())]
    Metric {
        /// Whose tables.
        maker: Maker,
        /// What was asked for.
        asked: Metric,
    },
    /// Nobody made tables of so many men.
    #[error("the position has {men} men: {maker} tables reach to {}", maker.most_men())]
    TooManyMen {
        /// Whose tables.
        maker: Maker,
        /// How many men the position has.
        men: usize,
    },
    /// The program was built without what reads these tables.
    #[error(
        "this build reads no {0} tables: build it with `--features gaviota`, which needs Debian's libgaviotatb-dev"
    )]
    NotBuilt(Maker),
}

fn join(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(" or ")
}

/// The sides of an endgame as others order them in names of files: first the one with more men,
/// whatever they are worth.
fn sides(material: Material) -> (String, String) {
    let text = material.to_string();
    let (stronger, weaker) = text.split_at(text.rfind('K').unwrap_or(0));
    let swapped = weaker.len() > stronger.len();
    let (first, second) = if swapped { (weaker, stronger) } else { (stronger, weaker) };
    (first.to_owned(), second.to_owned())
}

/// A file in the first folder that has it.
fn find(folders: &[PathBuf], file: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())
}

/// What is in a folder.
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
