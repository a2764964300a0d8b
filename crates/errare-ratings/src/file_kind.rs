//! Kinds of files that are given by mistake in the place of others.

use errare_work::{Unpacked, open_regular};
use std::fmt;
use std::io::Read;
use std::path::Path;

/// Number of bytes by which files are recognised.
const FIRST: u64 = 4096;

/// A kind of file that people have and give in the wrong place, recognised by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Games in PGN.
    Games,
    /// Lines of JSON with a turn each.
    Turns,
    /// A Parquet file.
    Parquet,
    /// A calibration.
    Calibration,
    /// An SQLite database, such as a cache of evaluations.
    Database,
    /// A page in HTML.
    Page,
    /// A compressed file or archive that is not read.
    Archive,
    /// A folder.
    Folder,
}

impl FileKind {
    /// Recognises a file by its first bytes, unpacked; none if they could be anything.
    pub(crate) fn of(first: &[u8]) -> Option<FileKind> {
        let magics: [(&[u8], FileKind); 5] = [
            (b"SQLite format 3\0", FileKind::Database),
            (b"PAR1", FileKind::Parquet),
            (b"\xfd7zXZ\0", FileKind::Archive),
            (b"BZh", FileKind::Archive),
            (b"PK\x03\x04", FileKind::Archive),
        ];
        if let Some((_, kind)) = magics.iter().find(|(magic, _)| first.starts_with(magic)) {
            return Some(*kind);
        }
        let first = String::from_utf8_lossy(first.get(..4096).unwrap_or(first));
        let text = first.trim_start_matches('\u{feff}').trim_start();
        let is_tag = |text: &str| {
            let name = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            name.len() < text.len() && name.trim_start().starts_with('"')
        };
        if text.strip_prefix('[').is_some_and(is_tag) || text.starts_with("1.") {
            Some(FileKind::Games)
        } else if text.starts_with('{') && text.contains("\"kind\"") && text.contains("\"errare calibration") {
            Some(FileKind::Calibration)
        } else if text.starts_with('{') && text.contains("\"fen\"") && text.contains("\"ply\"") {
            Some(FileKind::Turns)
        } else {
            text.starts_with("<!doctype html").then_some(FileKind::Page)
        }
    }

    /// Recognises a file by how it begins, unpacked if it is compressed; none if it could be anything, or cannot be read.
    pub fn of_file(path: &Path) -> Option<FileKind> {
        if path.is_dir() {
            return Some(FileKind::Folder);
        }
        let mut first = Vec::new();
        // What could be unpacked of a file that ends too early is enough.
        let _ = Unpacked::new(open_regular(path).ok()?).take(FIRST).read_to_end(&mut first);
        FileKind::of(&first)
    }

    /// The advice on such a file where turns are expected.
    pub(crate) fn advice_for_turns(self) -> &'static str {
        match self {
            FileKind::Games => {
                "have an engine evaluate the games first, with `errare evaluate FILE --engine stockfish --out DIR`, and \
                 give DIR"
            }
            FileKind::Calibration => "give the calibration by --calibration, and beside it a file of turns",
            FileKind::Database => "give the folder that `errare evaluate` wrote to (its --out)",
            FileKind::Parquet => "give the file by its name, as Parquet cannot be read from a pipe",
            FileKind::Archive => "unpack it, or compress turns by gzip or zstd instead",
            FileKind::Folder => "give a turn file, or a folder that `errare evaluate` wrote: it has a turns.parquet",
            FileKind::Turns | FileKind::Page => "give a file that `errare evaluate` wrote",
        }
    }

    /// The advice on such a file where a calibration is expected.
    pub(crate) fn advice_for_calibration(self) -> &'static str {
        match self {
            FileKind::Turns | FileKind::Parquet => {
                "make a calibration of turns of players of known rating first, with `errare calibrate TURNS --out FILE`"
            }
            _ => "give a file that `errare calibrate` wrote by --out",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::Games => "games in PGN",
            FileKind::Turns => "turns",
            FileKind::Parquet => "a Parquet file",
            FileKind::Calibration => "a calibration",
            FileKind::Database => "an SQLite database, such as a cache of evaluations",
            FileKind::Page => "a page in HTML",
            FileKind::Archive => "an archive, or compressed otherwise than by gzip or zstd",
            FileKind::Folder => "a folder without a turns.parquet",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FileKind;

    #[test]
    fn files_are_recognised_by_how_they_begin() {
        for (first, kind) in [
            ("[Event \"x\"]\n", Some(FileKind::Games)),
            ("\u{feff}\r\n[White  \"x\"]", Some(FileKind::Games)),
            ("1. e4 e5", Some(FileKind::Games)),
            ("{\n  \"kind\": \"errare calibration 2\",", Some(FileKind::Calibration)),
            ("{\"ply\":16,\"fen\":\"8/8/8/8/8/8/8/K1k5 w - - 3 9\"", Some(FileKind::Turns)),
            ("SQLite format 3\0", Some(FileKind::Database)),
            ("PAR1", Some(FileKind::Parquet)),
            ("BZh9", Some(FileKind::Archive)),
            ("<!doctype html>", Some(FileKind::Page)),
            ("[[\"e2e4\", 31]]", None),
            ("{\"ply\":3}", None),
            ("", None),
            ("[", None),
        ] {
            assert_eq!(FileKind::of(first.as_bytes()), kind, "{first}");
        }
    }
}
