//! Lists the files of the front end, so that the program contains them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The front end, as built from `web/`.
const BUNDLE: &str = "bundle";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={BUNDLE}");
    let bundle = Path::new(&variable("CARGO_MANIFEST_DIR")?).join(BUNDLE);
    let mut files = Vec::new();
    collect(&bundle, &mut files)?;
    files.sort();
    let mut list = String::from("[\n");
    for file in files {
        let name = file.strip_prefix(&bundle).map_err(io::Error::other)?;
        let address: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        list += &format!("    ({:?}, include_bytes!({file:?})),\n", address.join("/"));
    }
    list += "]\n";
    fs::write(Path::new(&variable("OUT_DIR")?).join("bundle.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}
