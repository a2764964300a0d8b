//! Files of text that appear whole or not at all.

use anyhow::{Result, anyhow};
use std::fs;
use std::path::Path;

/// Writes a file by way of a temporary name beside it.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let temporary = path.with_added_extension(format!("{}.tmp", std::process::id()));
    let done = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    done.map_err(|error| {
        drop(fs::remove_file(&temporary));
        anyhow!("cannot write {}: {error}", path.display())
    })
}
