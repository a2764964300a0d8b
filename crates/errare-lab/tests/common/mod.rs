//! What the tests of the lab share: a folder of tables, and a lab over it.

#![allow(dead_code, reason = "no test binary needs all of it")]

use errare_lab::{Lab, LabConfig};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A lab over the shared tables.
pub static LAB: LazyLock<Lab> = LazyLock::new(new_lab);

/// A lab of its own over the shared tables: its caches are empty.
pub fn new_lab() -> Lab {
    Lab::new(LabConfig { tables: Some(shared_tables()), ..LabConfig::default() })
}

/// A folder of tables that outlives the tests, so that a table is built once.
pub fn shared_tables() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-tables")
}
