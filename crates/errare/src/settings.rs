//! What the shared flags, the environment and the machine make of a run.

use crate::cli::Shared;
use anyhow::{Context, Result, anyhow};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// What building may take where the system does not tell what it has.
const FALLBACK_MEMORY: u64 = 2 << 30;

/// The validated settings of a run.
#[derive(Debug)]
pub struct Settings {
    /// The folder of the tables.
    pub tables: PathBuf,
    /// Bytes that building may take.
    pub memory: u64,
    /// Whether to keep progress to ourselves.
    pub quiet: bool,
}

impl Settings {
    /// Settles what the flags leave open, and sets the threads up.
    pub fn new(shared: Shared) -> Result<Settings> {
        if let Some(threads) = shared.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
            pool.build_global().map_err(|error| anyhow!("cannot start {threads} threads: {error}"))?;
        }
        let tables = shared.tables.filter(|folder| !folder.as_os_str().is_empty());
        Ok(Settings {
            tables: tables.map_or_else(default_tables, Ok)?,
            memory: shared
                .memory
                .map_or_else(|| free_memory().map_or(FALLBACK_MEMORY, |free| free / 2), |Size(bytes)| bytes),
            quiet: shared.quiet,
        })
    }
}

fn default_tables() -> Result<PathBuf> {
    cache_folder(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"))
        .map(|cache| cache.join("errare").join("tables"))
        .context("no place for tables: neither XDG_CACHE_HOME nor HOME is set; give --tables or ERRARE_TABLES")
}

/// Where evaluations by engines are kept.
pub fn default_cache() -> Result<PathBuf> {
    cache_folder(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"))
        .map(|cache| cache.join("errare").join("evaluations.sqlite"))
        .context("no place for evaluations: neither XDG_CACHE_HOME nor HOME is set; give --cache")
}

/// The XDG rule: a relative XDG_CACHE_HOME counts as none.
fn cache_folder(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let xdg = xdg.map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = home.filter(|folder| !folder.is_empty()).map(|home| PathBuf::from(home).join(".cache"));
    xdg.or(home)
}

/// What can still be had: of the machine's memory, and of the control group's share of it.
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

/// A number of bytes as people write it: `512M`, `2G`, `1.5g`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let refused = || format!("`{text}` is no size: give a number with K, M, G or T, as in 800M or 2G");
        let lower = text.trim().to_ascii_lowercase();
        let digits = lower.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(lower.len());
        let (number, unit) = lower.split_at(digits);
        let shift = match unit.trim_start() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => return Err(refused()),
        };
        let bytes = number.parse::<f64>().map_err(|_| refused())? * (1_u64 << shift) as f64;
        // A size beyond the type is as good as no limit.
        if bytes >= 1.0 { Ok(Size(bytes as u64)) } else { Err(refused()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<Size>().map(|Size(bytes)| bytes);
        assert_eq!(read("4096"), Ok(4096));
        assert_eq!(read("2G"), Ok(2 << 30));
        assert_eq!(read("1.5g"), Ok(3 << 29));
        assert_eq!(read("800 MiB"), Ok(800 << 20));
        assert_eq!(read("7kb"), Ok(7 << 10));
        assert_eq!(read("99999999999T"), Ok(u64::MAX));
        for text in ["", "G", "0", "-1G", "2X", "1.2.3M", "nan", "inf", "2GG", "0x10"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_cache_folder_follows_xdg() {
        let folder = |xdg: Option<&str>, home: Option<&str>| cache_folder(xdg.map(Into::into), home.map(Into::into));
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
