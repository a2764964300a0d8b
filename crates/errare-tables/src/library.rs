//! A folder of tables: opened once, shared between threads, built when they are missing.

use crate::error::TableError;
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::TELLS_WHO_WINS;
use crate::store::{BlockCache, Table};
use errare_work::{Progress, Status};
use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

/// What the file name of a table ends with.
const EXTENSION: &str = "egt";

/// Unpacked blocks held in memory, over all tables.
const CACHE_BYTES: usize = 512 << 20;

/// How often a lock that another process holds is tried.
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

/// Spreads the few bytes of an endgame and a metric, which nobody hostile chooses: every probe asks for a table.
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
    /// The tables of a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Library {
        Library { folder: folder.into(), open: RwLock::default(), cache: Arc::new(BlockCache::new(CACHE_BYTES)) }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the table is, or would be.
    pub fn path(&self, material: Material, metric: Metric) -> PathBuf {
        self.folder.join(format!("{material}.{}.{EXTENSION}", metric.stored(material)))
    }

    /// Opens a table, or hands out the one already open.
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

    /// Opens any table that knows who wins, whatever its depths count; the first that is there.
    pub fn open_any_value(&self, material: Material) -> Result<Arc<Table>, TableError> {
        let [first, rest @ ..] = TELLS_WHO_WINS;
        let tried = self.open(material, first);
        if !matches!(tried, Err(TableError::Missing { .. })) {
            return tried;
        }
        let other = rest.into_iter().map(|metric| self.open(material, metric));
        other.filter_map(Result::ok).next().map_or(tried, Ok)
    }

    /// Forgets an open table, so that the file is looked at anew.
    pub fn close(&self, material: Material, metric: Metric) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.remove(&(material, metric.stored(material)));
    }

    /// Forgets all open tables and gives their memory back.
    pub fn close_all(&self) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Moves an unusable file out of the way, for a rebuild; returns its new name.
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

    /// The table that a file of this folder holds, by its name. Names that no table of ours has, such as kqk.dtm.egt,
    /// are other people's files.
    pub fn table_of(&self, path: &Path) -> Option<(Material, Metric)> {
        name_of(path).filter(|&(material, metric)| self.path(material, metric) == path)
    }

    /// Every table of the folder, by name; what cannot be opened comes with its error.
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

    /// Removes what a killed build of this table left behind. Only whoever holds its lock may ask for it.
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

    /// Waits until no other process builds this table, and says so while it waits.
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
            let file = File::create(&path).map_err(TableError::io("create the lock", &path))?;
            match file.try_lock() {
                // The holder before us may have removed the file we just locked.
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

/// A table of a folder.
#[derive(Debug)]
pub struct Listed {
    /// The endgame.
    pub material: Material,
    /// The metric.
    pub metric: Metric,
    /// The table, or why it cannot be used.
    pub table: Result<Arc<Table>, TableError>,
}

/// The right to build one table. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct BuildLock {
    path: PathBuf,
    _file: File,
}

impl Drop for BuildLock {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
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
