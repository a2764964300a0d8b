//! The configuration of a lab, and the default places of its files.

use crate::error::LabError;
use errare_uci::client::EngineSpec;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// The memory in bytes that building may take where the system does not report its memory.
const FALLBACK_MEMORY: u64 = 2 << 30;

/// The configuration of a lab. Every field has a default.
#[derive(Clone, Debug, Default)]
pub struct LabConfig {
    /// The folder of the tables; by default `errare/tables` in the user's cache folder.
    pub tables: Option<PathBuf>,
    /// Number of threads; by default one for each processor.
    pub threads: Option<usize>,
    /// Number of bytes of memory that building a table may take; by default half of the free memory.
    pub memory: Option<u64>,
    /// The engine that games are evaluated with; by default the one that the variable `ERRARE_ENGINE` names, else
    /// `stockfish`.
    pub engine: Option<EngineSpec>,
    /// The file of cached evaluations; by default `errare/evaluations.sqlite` in the user's cache folder.
    pub evaluations: Option<PathBuf>,
    /// The calibration that players are rated by, where it suits the engine and the depth; by default one that comes with
    /// the program.
    pub calibration: Option<PathBuf>,
}

impl LabConfig {
    pub(crate) fn tables_folder(&self) -> Result<PathBuf, LabError> {
        let given = self.tables.clone().filter(|folder| !folder.as_os_str().is_empty());
        given.or_else(|| user_cache().map(|cache| cache.join("tables"))).ok_or(LabError::NoTablesFolder)
    }

    #[cfg(feature = "evaluate")]
    pub(crate) fn evaluation_cache(&self) -> Result<PathBuf, LabError> {
        self.evaluations.clone().map_or_else(default_evaluation_cache, Ok)
    }

    /// Number of bytes of memory that building a table may take.
    #[must_use]
    pub fn build_memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| free_memory().map_or(FALLBACK_MEMORY, |free| free / 2))
    }
}

/// The default file for evaluations by engines.
///
/// # Errors
/// If the user has no cache folder.
pub fn default_evaluation_cache() -> Result<PathBuf, LabError> {
    user_cache().map(|cache| cache.join("evaluations.sqlite")).ok_or(LabError::NoCacheFolder)
}

/// The default folder for games; none if the user has no data folder.
#[must_use]
pub fn default_data_folder() -> Option<PathBuf> {
    let folder = xdg_folder(env::var_os("XDG_DATA_HOME"), env::var_os("HOME"), ".local/share");
    folder.map(|data| data.join("errare"))
}

/// The file that remembers which large tables that others made have the right checksum, if the user has a cache folder.
pub(crate) fn checksum_record() -> Option<PathBuf> {
    user_cache().map(|cache| cache.join("checked-tables.txt"))
}

fn user_cache() -> Option<PathBuf> {
    let folder = xdg_folder(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"), ".cache");
    folder.map(|cache| cache.join("errare"))
}

/// Finds a folder by the XDG rule: the one that a variable names, else one below the home folder. A relative one counts
/// as none.
fn xdg_folder(xdg: Option<OsString>, home: Option<OsString>, below_home: &str) -> Option<PathBuf> {
    let xdg = xdg.map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = home.filter(|folder| !folder.is_empty()).map(|home| PathBuf::from(home).join(below_home));
    xdg.or(home)
}

/// The free memory in bytes: of the machine, and of the control group's share of it.
fn free_memory() -> Option<u64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let machine = meminfo.as_deref().and_then(available);
    let group = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    machine.into_iter().chain(group).min()
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_folder_follows_xdg() {
        let folder =
            |xdg: Option<&str>, home: Option<&str>| xdg_folder(xdg.map(Into::into), home.map(Into::into), ".cache");
        assert_eq!(folder(Some("/x"), Some("/home/a")), Some("/x".into()));
        assert_eq!(folder(Some("x"), Some("/home/a")), Some("/home/a/.cache".into()));
        assert_eq!(folder(Some(""), Some("/home/a")), Some("/home/a/.cache".into()));
        assert_eq!(folder(None, None), None);
        assert_eq!(folder(None, Some("")), None);
    }

    #[test]
    fn free_memory_is_read_from_the_system() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   24 kB\n"), Some(24 << 10));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
    }
}
