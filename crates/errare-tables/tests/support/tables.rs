//! The tables under test, built once for each test binary and always anew.

use errare_tables::{Library, Material, Metric, Table, Tables};
use errare_work::Silent;
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// More than any table of these tests needs.
const MEMORY: u64 = 8 << 30;

/// A folder of the test binary's own, emptied at the start so that no table of an older build is
/// believed. A second run of the same binary waits until the first is over.
struct Scratch {
    tables: Tables,
    _lock: File,
}

static SCRATCH: LazyLock<Scratch> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!(env!("CARGO_CRATE_NAME"), "-tables"));
    let lock = File::create(folder.with_extension("lock")).expect("a lock can be created");
    lock.lock().expect("the folder can be locked");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("old tables can be removed");
    }
    Scratch { tables: Tables::new(Library::new(folder), MEMORY), _lock: lock }
});

/// The folder of the tables under test.
#[allow(dead_code, reason = "not every test binary looks at the folder")]
pub fn library() -> &'static Library {
    SCRATCH.tables.library()
}

/// The table of an endgame, built if this binary has not built it yet.
#[allow(dead_code, reason = "not every test binary asks for whole tables")]
pub fn table(material: Material, metric: Metric) -> Arc<Table> {
    SCRATCH.tables.ensure(material, metric, &Silent).unwrap_or_else(|error| panic!("{material} to {metric}: {error}"))
}
