//! Files that are something other than PGN, recognised by how they begin.

use std::fmt;

/// A kind of file that people take for PGN by mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignFormat {
    /// A compressed file or an archive.
    Compressed(&'static str),
    /// A Parquet file, such as a turn file.
    Parquet,
    /// JSON, such as a turn file of one turn a line.
    Json,
    /// A database of SQLite.
    Sqlite,
    /// A web page.
    Html,
    /// Some other file that is not text.
    Binary,
}

/// Signatures of files, at their beginning. What gzip and zstd have compressed is read as it is.
const SIGNATURES: [(&[u8], ForeignFormat); 6] = [
    (b"PK\x03\x04", ForeignFormat::Compressed("zip")),
    (b"BZh", ForeignFormat::Compressed("bzip2")),
    (b"\xfd7zXZ\0", ForeignFormat::Compressed("xz")),
    (b"7z\xbc\xaf\x27\x1c", ForeignFormat::Compressed("7z")),
    (b"PAR1", ForeignFormat::Parquet),
    (b"SQLite format 3\0", ForeignFormat::Sqlite),
];

impl ForeignFormat {
    /// The number of bytes that are enough to recognise a format.
    pub const ENOUGH: usize = 1024;

    /// Recognises a file that is not PGN by its first bytes; none if it may be PGN.
    ///
    /// ```
    /// use errare_games::ForeignFormat;
    /// assert_eq!(ForeignFormat::detect(b"{\"fen\": 1}"), Some(ForeignFormat::Json));
    /// assert_eq!(ForeignFormat::detect(b"{A comment} 1. e4 *"), None);
    /// ```
    pub fn detect(start: &[u8]) -> Option<ForeignFormat> {
        let start = &start[..start.len().min(ForeignFormat::ENOUGH)];
        if let Some((_, format)) = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature)) {
            return Some(*format);
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        if is_json(text) {
            return Some(ForeignFormat::Json);
        }
        let lower = text.get(..14).unwrap_or(text).to_ascii_lowercase();
        if lower.starts_with(b"<!doctype html") || lower.starts_with(b"<html") {
            return Some(ForeignFormat::Html);
        }
        // NUL bytes do not count: text in UTF-16 has one for each letter.
        let bytes = start.iter().filter(|&&byte| byte != 0).count();
        let controls = start.iter().filter(|byte| matches!(byte, 1..=8 | 14..=25 | 28..=31)).count();
        (controls * 10 > bytes).then_some(ForeignFormat::Binary)
    }
}

/// Whether a text begins as JSON does: `{"name":` or `[{`. A comment of a PGN file begins with a brace, too.
fn is_json(text: &[u8]) -> bool {
    if let Some(rest) = text.strip_prefix(b"[") {
        return rest.trim_ascii_start().starts_with(b"{\"");
    }
    let Some(rest) = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start) else { return false };
    let Some(key) = rest.strip_prefix(b"\"") else { return false };
    let end = key.iter().position(|&byte| byte == b'"');
    end.is_some_and(|end| key[end + 1..].trim_ascii_start().starts_with(b":"))
}

/// What the file is, and what can be done with it.
impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = "`errare fit`, `rate` and `screen` read turn files";
        match self {
            ForeignFormat::Compressed(format) => write!(f, "a {format} file: unpack it first"),
            ForeignFormat::Parquet => write!(f, "a Parquet file; {turns}"),
            ForeignFormat::Json => write!(f, "JSON; {turns}"),
            ForeignFormat::Sqlite => f.write_str("an SQLite database, such as a cache of evaluations"),
            ForeignFormat::Html => f.write_str("a web page: download the games themselves"),
            ForeignFormat::Binary => f.write_str("a binary file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_recognised() {
        for (start, format) in [
            (&b"BZh91AY"[..], ForeignFormat::Compressed("bzip2")),
            (b"PAR1\x15\x04", ForeignFormat::Parquet),
            (b"\xef\xbb\xbf\n { \"game\" : 1}", ForeignFormat::Json),
            (b"[ {\"game\": 1}]", ForeignFormat::Json),
            (b"<!DOCTYPE HTML><title>", ForeignFormat::Html),
            (b"\x7fELF\x02\x01\x01\x03\0\0\x03\0>\0\x01\0\0", ForeignFormat::Binary),
        ] {
            assert_eq!(ForeignFormat::detect(start), Some(format), "{format}");
        }
    }

    #[test]
    fn what_may_be_pgn_is_not_refused() {
        let utf_16: Vec<u8> = "\u{feff}[Event \"?\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let texts =
            [&b""[..], b"[Event \"?\"]", b"{\"Why?\" he said} 1. e4", b"% escaped\n1. e4", b"1. e4\x1a", &utf_16];
        for text in texts {
            assert_eq!(ForeignFormat::detect(text), None, "{text:?}");
        }
    }
}
