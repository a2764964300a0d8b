//! What the tests share: a folder of tables, built once for each test binary, and readers of the facts in `tests/data`.

#![allow(dead_code, reason = "no test binary needs all of it")]

use errare_choice::{Competence, Grid, Kappa, Prior};
use errare_endgame::{Analysis, Habits, Model, Oracle};
use errare_tables::{Library, Material, Metric, TableSource, Tables, parse_fen};
use errare_work::Silent;
use shakmaty::Chess;
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The two starts of Browne against BELLE.
pub const STARTS: [&str; 2] = ["K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1", "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1"];

struct Scratch {
    tables: Tables,
    _lock: File,
}

/// Emptied at the start, so that no table of an older build is believed; a second run of the same binary waits.
static SCRATCH: LazyLock<Scratch> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(concat!(env!("CARGO_CRATE_NAME"), "-tables"));
    let lock = File::create(folder.with_extension("lock")).expect("a lock can be created");
    lock.lock().expect("the folder can be locked");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("old tables can be removed");
    }
    Scratch { tables: Tables::new(Library::new(folder), 8 << 30), _lock: lock }
});

/// A table, built if this test binary has not built it yet.
pub fn ensure(material: Material, metric: Metric) {
    let built = SCRATCH.tables.ensure(material, metric, &Silent);
    built.unwrap_or_else(|error| panic!("{material} to {metric}: {error}"));
}

/// The tables of an endgame and of what its moves lead to.
pub fn tables(name: &str, metric: Metric) -> &'static Arc<Library> {
    let material: Material = name.parse().expect("an endgame");
    let endgames = std::iter::once(material).chain(material.conversions());
    endgames.filter(|material| material.men() > 2).for_each(|material| ensure(material, metric));
    SCRATCH.tables.library()
}

/// The tables of an endgame and of what its moves lead to, as a source.
pub fn table_source(name: &str, metric: Metric) -> TableSource {
    let library = Arc::clone(tables(name, metric));
    TableSource::Ours(Tables::new(library, 8 << 30))
}

/// What moves are worth in an endgame.
pub fn oracle(name: &str, metric: Metric) -> Arc<Oracle> {
    Arc::new(Oracle::new(Arc::clone(tables(name, metric)) as _, metric))
}

pub fn position(fen: &str) -> Chess {
    parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

pub fn competence(c: f64) -> Competence {
    Competence::new(c).expect("a competence")
}

/// A kappa as the facts write it: 0 stands for 0+.
pub fn kappa(text: &str) -> Kappa {
    if text == "0" { Kappa::ZERO_PLUS } else { text.parse().expect("a kappa") }
}

/// c = 0(1)50, uniform.
pub fn analysis(kappa: Kappa, habits: Habits) -> Analysis {
    let grid = Grid::new(0.0, 1.0, 50.0).expect("a grid");
    Analysis::new(Model::power_law(kappa, habits), grid, Prior::Uniform).expect("a prior")
}

/// The rows of a file without its comments and its heading.
pub fn rows(text: &'static str) -> Vec<Vec<&'static str>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').collect()).collect()
}

pub fn number<T: std::str::FromStr>(field: &str) -> T {
    field.parse().unwrap_or_else(|_| panic!("`{field}` is no number"))
}

/// Whether two numbers agree but for this share.
pub fn close(found: f64, expected: f64, share: f64) -> bool {
    (found - expected).abs() <= share * expected.abs().max(1e-9)
}
