//! Turn files as text: one turn a line, in JSON, plain or compressed by gzip.
//!
//! A line has `fen`, `ply` (0 is White's first move), `played` (UCI) and `lines`, all
//! legal moves as `["e2e4", 31]` or `["e2e4", "#-3"]`, best first, seen by the side to move. It may have the other
//! fields of a [`TurnRow`], among them `other_depths`: `{"8": [["e2e4", 20], ...]}`. Unknown fields are ignored.

use crate::error::RatingsError;
use crate::row::TurnRow;
use crate::turn_file::TurnPlace;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Reads rows of JSON lines one after the other.
pub(crate) struct TextRows<'a> {
    source: Box<dyn BufRead + 'a>,
    line: u64,
    text: String,
}

/// The longest line that is read, in bytes. A turn with 500 moves takes less than a tenth of it.
const LONGEST: u64 = 1 << 20;

impl<'a> TextRows<'a> {
    /// Reads plain text or gzip, detected by the first bytes.
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

    /// Number of the line that was read last, from 1.
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
                let what = format!("the line is too long: expected at most {LONGEST} bytes");
                return Err(RatingsError::Record(what).at(TurnPlace::Line(line)));
            }
            if self.text.trim().is_empty() {
                continue;
            }
            let row = serde_json::from_str(&self.text);
            return row.map(Some).map_err(|error| RatingsError::Record(error.to_string()).at(TurnPlace::Line(line)));
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
