//! The notation of sources: `syzygy:DIR`, `gaviota:DIR`, `tables:DIR`.

#[cfg(feature = "gaviota")]
use super::Gaviota;
#[cfg(not(feature = "gaviota"))]
use super::Maker;
use super::{ChecksumChecks, OwnedError, Syzygy, entries, join};
use crate::error::TableError;
use crate::library::Library;
use crate::source::Source;
use std::env;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// A source of values, as users write it.
///
/// Tables of other makers may lie in several folders, written as in `PATH`; the first folder that has a file is used.
///
/// ```
/// use errare_tables::SourceSpec;
/// let spec: SourceSpec = "syzygy:/tables/wdl:/tables/dtz".parse()?;
/// assert_eq!(spec.to_string(), "syzygy:/tables/wdl:/tables/dtz");
/// assert!("nalimov:/tables".parse::<SourceSpec>().is_err());
/// # Ok::<(), errare_tables::SourceSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// A folder of our tables.
    Tables(PathBuf),
    /// Folders of Syzygy tables.
    Syzygy(Vec<PathBuf>),
    /// Folders of Gaviota tables.
    Gaviota(Vec<PathBuf>),
}

impl SourceSpec {
    /// Opens the tables; nothing is built.
    ///
    /// # Errors
    /// If a folder cannot be read or has no such tables, or if this build cannot read them.
    pub fn open(&self) -> Result<Arc<dyn Source>, TableError> {
        self.open_checking(ChecksumChecks::Every)
    }

    /// Opens the tables as [`open`](SourceSpec::open) does, with a choice of the Syzygy files whose checksums are
    /// checked.
    ///
    /// # Errors
    /// As [`open`](SourceSpec::open).
    pub fn open_checking(&self, checks: ChecksumChecks) -> Result<Arc<dyn Source>, TableError> {
        self.open_owned(checks).map_err(TableError::Owned)
    }

    fn open_owned(&self, checks: ChecksumChecks) -> Result<Arc<dyn Source>, OwnedError> {
        Ok(match self {
            SourceSpec::Tables(folder) => {
                // A library may be a folder that does not exist yet; one that is only read must exist.
                entries(folder)?;
                Arc::new(Library::new(folder))
            }
            SourceSpec::Syzygy(folders) => Arc::new(Syzygy::open(folders, checks)?),
            SourceSpec::Gaviota(folders) => open_gaviota(folders)?,
        })
    }
}

#[cfg(feature = "gaviota")]
fn open_gaviota(folders: &[PathBuf]) -> Result<Arc<dyn Source>, OwnedError> {
    Ok(Arc::new(Gaviota::open(folders)?))
}

#[cfg(not(feature = "gaviota"))]
fn open_gaviota(_: &[PathBuf]) -> Result<Arc<dyn Source>, OwnedError> {
    Err(OwnedError::NotBuilt(Maker::Gaviota))
}

/// A text that is not a valid source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid source `{0}`: expected syzygy:DIR, gaviota:DIR or tables:DIR")]
pub struct SourceSpecError(String);

impl FromStr for SourceSpec {
    type Err = SourceSpecError;

    fn from_str(text: &str) -> Result<SourceSpec, SourceSpecError> {
        let refused = || SourceSpecError(text.to_owned());
        let (kind, place) = text.split_once(':').ok_or_else(refused)?;
        let folders: Vec<PathBuf> = env::split_paths(place).filter(|folder| !folder.as_os_str().is_empty()).collect();
        match kind {
            _ if folders.is_empty() => Err(refused()),
            "tables" => Ok(SourceSpec::Tables(place.into())),
            "syzygy" => Ok(SourceSpec::Syzygy(folders)),
            "gaviota" => Ok(SourceSpec::Gaviota(folders)),
            _ => Err(refused()),
        }
    }
}

impl fmt::Display for SourceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A folder whose name has the separator cannot be read back, but is still shown.
        let joined = |folders: &Vec<PathBuf>| env::join_paths(folders).unwrap_or_else(|_| join(folders).into());
        match self {
            SourceSpec::Tables(folder) => write!(f, "tables:{}", folder.display()),
            SourceSpec::Syzygy(folders) => write!(f, "syzygy:{}", joined(folders).display()),
            SourceSpec::Gaviota(folders) => write!(f, "gaviota:{}", joined(folders).display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_and_written_alike() {
        for text in ["tables:/a b", "syzygy:dir", "syzygy:/a:/b", "gaviota:../g"] {
            assert_eq!(text.parse::<SourceSpec>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "syzygy", "syzygy:", "syzygy::", "/a", "Syzygy:/a", "nalimov:/a"] {
            assert_eq!(text.parse::<SourceSpec>(), Err(SourceSpecError(text.to_owned())));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_joined_is_still_shown() {
        assert_eq!(SourceSpec::Syzygy(vec!["/a:b".into(), "/c".into()]).to_string(), "syzygy:/a:b or /c");
    }

    #[test]
    fn folders_without_tables_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |kind: &str, name: &str| {
            let spec: SourceSpec = format!("{kind}:{}", folder.path().join(name).display()).parse().expect("a source");
            spec.open().err().map(|error| error.to_string())
        };
        for kind in ["syzygy", "gaviota"] {
            let said = at(kind, "").expect("no tables");
            let words = if cfg!(feature = "gaviota") || kind == "syzygy" { "tables (*." } else { "libgaviotatb-dev" };
            assert!(said.contains(words), "{said}");
        }
        for kind in ["syzygy", "tables"] {
            assert!(at(kind, "none").expect("no folder").contains("cannot read the folder"), "{kind}");
        }
        assert_eq!(at("tables", ""), None);
    }
}
