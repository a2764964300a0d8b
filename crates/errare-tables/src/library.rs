//! A library: a folder of tables, each opened once and shared between threads.

use crate::error::TableError;
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::WITH_PLAIN_OUTCOMES;
use crate::store::{BlockCache, Table};
use errare_work::{Progress, Status, open_lock};
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

/// The extension of table files.
const EXTENSION: &str = "egt";

/// The size of the cache of decompressed blocks, over all tables: enough for any table of five men with one pawn.
const CACHE_BYTES: usize = 1 << 30;

/// The time between attempts to take a lock that another process holds.
const LOCK_POLL: Duration = Duration::from_millis(50);

/// A folder of tables.
///
/// ```no_run
/// use errare_tables::{Library, Metric};
/// use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
///
/// let library = Library::new("tables");
/// let table = library.open("KQKR".parse()?, Metric::Dtm)?;
/// let position: Chess = "8/8/8/8/2r5/8/2k5/K6Q w - -".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
/// println!("{:?}", table.value(position.board(), position.turn())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    open: RwLock<OpenTables>,
    cache: Arc<BlockCache>,
}

type OpenTables = HashMap<(Material, Metric), Arc<Table>, BuildHasherDefault<Spread>>;

/// A fast hasher for an endgame and a metric, because every probe looks up a table. The keys are not chosen by an
/// adversary.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Library {
    /// Makes the library of a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Library {
        Library { folder: folder.into(), open: RwLock::default(), cache: Arc::new(BlockCache::new(CACHE_BYTES)) }
    }

    /// The folder that holds the tables.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a table's file, which need not exist.
    pub fn path(&self, material: Material, metric: Metric) -> PathBuf {
        self.folder.join(format!("{material}.{}.{EXTENSION}", metric.stored(material)))
    }

    /// The path of the journal that a build of a table keeps until it is finished.
    pub(crate) fn journal_path(&self, material: Material, metric: Metric) -> PathBuf {
        self.path(material, metric).with_added_extension("journal")
    }

    /// Opens a table, or returns the one already open.
    ///
    /// # Errors
    /// If the file is missing, cannot be read, is damaged, or is of another version.
    pub fn open(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        let metric = metric.stored(material);
        if let Some(table) = self.open.read().unwrap_or_else(PoisonError::into_inner).get(&(material, metric)) {
            return Ok(Arc::clone(table));
        }
        if material.men() == 2 {
            return Err(TableError::BareKings);
        }
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&(material, metric)) {
            return Ok(Arc::clone(table));
        }
        let path = self.path(material, metric);
        let table = Arc::new(Table::open(&path, material, metric, Arc::clone(&self.cache))?);
        open.insert((material, metric), Arc::clone(&table));
        Ok(table)
    }

    /// Opens any table that has the outcomes without a move rule, whatever its depths count: the first that can be
    /// opened, or else the error of the first that was tried.
    ///
    /// # Errors
    /// If none of them can be opened.
    pub(crate) fn open_any_value(&self, material: Material) -> Result<Arc<Table>, TableError> {
        let [first, rest @ ..] = WITH_PLAIN_OUTCOMES;
        let tried = self.open(material, first);
        if !matches!(tried, Err(TableError::Missing { .. })) {
            return tried;
        }
        let other = rest.into_iter().map(|metric| self.open(material, metric));
        other.filter_map(Result::ok).next().map_or(tried, Ok)
    }

    /// Closes a table, so that its file is read again when it is next needed.
    pub fn close(&self, material: Material, metric: Metric) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.remove(&(material, metric.stored(material)));
    }

    /// Closes all tables and releases their memory.
    pub fn close_all(&self) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Moves an unusable file out of the way, so that the table can be built again; returns its new name.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn quarantine(&self, material: Material, metric: Metric) -> Result<PathBuf, TableError> {
        self.close(material, metric);
        let path = self.path(material, metric);
        let quarantined = path.with_added_extension("damaged");
        fs::rename(&path, &quarantined).map_err(TableError::io("move out of the way", &path))?;
        Ok(quarantined)
    }

    /// The table that a file of this folder holds, by its name; none for names that no table of ours has, such as
    /// kqk.dtm.egt.
    pub(crate) fn table_of(&self, path: &Path) -> Option<(Material, Metric)> {
        name_of(path).filter(|&(material, metric)| self.path(material, metric) == path)
    }

    /// Lists every table of the folder, sorted by name; tables that cannot be opened have their error.
    ///
    /// # Errors
    /// If the folder exists but cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>, TableError> {
        let failed = || TableError::io("list", &self.folder);
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed())?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry.map_err(failed())?.path();
            if let Some((material, metric)) = self.table_of(&path) {
                found.push(Listed { material, metric, table: self.open(material, metric) });
            }
        }
        found.sort_by_key(|listed| (listed.material.men(), listed.material.to_string(), listed.metric));
        Ok(found)
    }

    /// Removes temporary files that a killed build of this table left behind. The caller must hold the table's lock.
    ///
    /// # Errors
    /// If the folder cannot be listed, or a file in it not removed.
    pub(crate) fn remove_stale(&self, material: Material, metric: Metric, _lock: &BuildLock) -> Result<(), TableError> {
        let name = format!("{material}.{}.{EXTENSION}.", metric.stored(material));
        let failed = || TableError::io("list", &self.folder);
        for entry in fs::read_dir(&self.folder).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            let rest = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.strip_prefix(&name));
            if rest.is_some_and(|rest| rest == "tmp" || rest.ends_with(".tmp")) {
                fs::remove_file(&path).map_err(TableError::io("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Waits until no other process builds this table, and reports that it waits.
    ///
    /// # Errors
    /// If the lock file cannot be opened or locked, or is not a regular file, or if the work is cancelled.
    pub(crate) fn lock(
        &self,
        material: Material,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<BuildLock, TableError> {
        fs::create_dir_all(&self.folder).map_err(TableError::io("create", &self.folder))?;
        let path = self.path(material, metric).with_added_extension("lock");
        let waiting = format!("waiting for another process that builds {material} to {metric}");
        loop {
            let file = open_lock(&path).map_err(TableError::io("open the lock", &path))?;
            match file.try_lock() {
                // The previous holder may have removed the file that was just locked.
                Ok(()) if is_same_file(&file, &path) => return Ok(BuildLock { path, _file: file }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    progress.report(&Status::new(&waiting, "tables"));
                    progress.proceed()?;
                    thread::sleep(LOCK_POLL);
                }
                Err(TryLockError::Error(error)) => return Err(TableError::io("lock", &path)(error)),
            }
        }
    }
}

/// A table of a library, as listed.
#[derive(Debug)]
pub struct Listed {
    /// The endgame of the table.
    pub material: Material,
    /// The metric of the table.
    pub metric: Metric,
    /// The table, or the error by which it cannot be used.
    pub table: Result<Arc<Table>, TableError>,
}

/// A lock on building one table. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct BuildLock {
    path: PathBuf,
    _file: File,
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        // A lock file that stays behind is locked and removed by the next builder.
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

fn name_of(path: &Path) -> Option<(Material, Metric)> {
    let name = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    let (material, metric) = name.split_once('.')?;
    Some((material.parse().ok()?, metric.parse().ok()?))
}
