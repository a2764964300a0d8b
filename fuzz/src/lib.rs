//! Attacks on everything in errare that reads input from outside.
//!
//! A [`Target`] is given bytes, and panics if what reads them breaks a promise. Its inputs are those of its corpus and
//! mutations of them.

mod mutation;
mod targets;

pub use mutation::mutated;

use std::fs;
use std::path::PathBuf;

/// Something that reads input from outside.
pub struct Target {
    /// The name, which is that of its folder in `corpus`.
    pub name: &'static str,
    /// Gives it an input.
    pub run: fn(&[u8]),
    /// Inputs that are made and not kept in the corpus, such as tables.
    pub made: fn() -> Vec<Vec<u8>>,
    /// Number of mutations that a short run tries.
    pub short: u32,
}

impl Target {
    const fn new(name: &'static str, run: fn(&[u8]), short: u32) -> Target {
        Target { name, run, made: Vec::new, short }
    }

    /// The inputs to begin with, each with its name.
    ///
    /// # Panics
    /// If the corpus cannot be read, or has nothing for the target.
    #[must_use]
    pub fn seeds(&self) -> Vec<(String, Vec<u8>)> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name);
        let mut seeds: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("an entry of the corpus").path())
            .map(|path| (path.display().to_string(), fs::read(&path).expect("a file of the corpus")))
            .collect();
        seeds.sort();
        let made = (self.made)().into_iter().enumerate();
        seeds.extend(made.map(|(number, bytes)| (format!("made input {number}"), bytes)));
        assert!(!seeds.is_empty(), "{} has no corpus", self.name);
        seeds
    }
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target::new("fen", targets::text::short_texts, 4000),
    Target::new("pgn", targets::pgn::games, 1500),
    Target::new("uci-command", targets::uci::command, 4000),
    Target::new("uci-engine", targets::uci::engine, 25),
    Target { made: targets::turns::made, ..Target::new("turns", targets::turns::turns, 800) },
    Target::new("calibration", targets::turns::calibration, 1500),
    Target::new("posterior", targets::lab::posterior, 300),
    Target { made: targets::table::made, ..Target::new("table", targets::table::table, 300) },
    Target::new("http", targets::http::request, 150),
];
