//! Turn files as text: one turn a line, in JSON, plain or compressed by gzip.
//!
//! The one shape of JSON outside the command line: turn files are what this crate is fed with, as PGN is for others,
//! and whoever uses it needs them. A line has `fen`, `ply` (0 is White's first move), `played` (UCI) and `lines`, all
//! legal moves as `["e2e4", 31]` or `["e2e4", "#-3"]`, best first, seen by the side to move. It may have the other
//! fields of a [`TurnRow`], among them `other_depths`: `{"8": [["e2e4", 20], ...]}`. Anything else is passed over.

use crate::error::RatingsError;
use crate::row::TurnRow;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Reads rows one after the other.
pub(crate) struct TextRows<'a> {
    source: Box<dyn BufRead + 'a>,
    line: u64,
    text: String,
}

/// No line is longer: 500 moves take less than a tenth of it.
const LONGEST: u64 = 1 << 20;

impl<'a> TextRows<'a> {
    /// From plain text or gzip, told apart by the first bytes.
    pub fn new(source: impl Read + 'a) -> io::Result<TextRows<'a>> {
        let mut source = BufReader::with_capacity(1 << 16, source);
        let is_packed = source.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn BufRead + 'a> = if is_packed {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(source)))
        } else {
            Box::new(source)
        };
        Ok(TextRows { source, line: 0, text: String::new() })
    }

    /// The line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn read(&mut self) -> Result<Option<TurnRow>, RatingsError> {
        loop {
            self.line += 1;
            self.text.clear();
            let line = self.line;
            let source = self.source.by_ref().take(LONGEST).read_line(&mut self.text);
            if source.map_err(|source| RatingsError::Read { line, source })? == 0 {
                return Ok(None);
            }
            if self.text.len() as u64 == LONGEST {
                return Err(RatingsError::Line { line, what: "longer than any turn".to_owned() });
            }
            if self.text.trim().is_empty() {
                continue;
            }
            let row = serde_json::from_str(&self.text);
            return row.map(Some).map_err(|error| RatingsError::Line { line, what: error.to_string() });
        }
    }
}

impl Iterator for TextRows<'_> {
    type Item = Result<TurnRow, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Writes a row as one line.
pub(crate) fn write(row: &TurnRow, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    out.write_all(b"\n")
}
