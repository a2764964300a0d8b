//! Turn files as text: one turn a line, in JSON, plain or compressed by gzip or zstd.
//!
//! A line has `fen`, `ply` (0 is White's first move), `played` (UCI) and `lines`, all
//! legal moves as `["e2e4", 31]` or `["e2e4", "#-3"]`, best first, seen by the side to move. It may have the other
//! fields of a [`TurnRow`], among them `other_depths`: `{"8": [["e2e4", 20], ...]}`. Unknown fields are ignored.
//!
//! The last field of a line that we write is `crc32`, the CRC-32 of all that stands before it in the line. A line
//! without it is read unchecked.

use crate::error::RatingsError;
use crate::file_kind::FileKind;
use crate::row::TurnRow;
use crate::turn_file::TurnPlace;
use errare_work::Unpacked;
use std::io::{self, BufRead, BufReader, Chain, Cursor, ErrorKind, Read, Write};

/// A stream whose first bytes have been looked at.
type Source<'a> = Chain<Cursor<Vec<u8>>, Unpacked<Box<dyn Read + 'a>>>;

/// Reads rows of JSON lines one after the other.
pub(crate) struct TextRows<'a> {
    source: BufReader<Source<'a>>,
    /// Number of line ends that have been passed.
    ended: u64,
    /// Number of the line that was read last, from 1.
    line: u64,
    text: String,
    unchecked: u64,
}

/// Number of bytes by which files of other kinds are recognised.
const FIRST: u64 = 4096;

/// The longest line that is read, in bytes. A turn with 500 moves takes less than a tenth of it.
const LONGEST: u64 = 1 << 20;

/// The greatest number of blank bytes, line ends among them, between two turns.
const MAX_BLANK: usize = 1 << 20;

/// The texts before and after the checksum at the end of a line.
const CHECKSUM: (&str, &str) = (",\"crc32\":\"", "\"}");

/// Number of digits of a checksum.
const DIGITS: usize = 8;

impl<'a> TextRows<'a> {
    /// Reads lines of JSON, plain or compressed, as the first bytes show.
    pub fn new(source: impl Read + 'a) -> Result<TextRows<'a>, RatingsError> {
        let mut source = Unpacked::new(Box::new(source) as Box<dyn Read>);
        let mut first = Vec::new();
        source.by_ref().take(FIRST).read_to_end(&mut first).map_err(RatingsError::Open)?;
        match FileKind::of(&first) {
            None | Some(FileKind::Turns) => {}
            Some(kind) => return Err(RatingsError::NotTurns(kind)),
        }
        let source = BufReader::with_capacity(1 << 16, Cursor::new(first).chain(source));
        Ok(TextRows { source, ended: 0, line: 0, text: String::new(), unchecked: 0 })
    }

    /// Number of the line that was read last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Number of turns so far that no checksum vouches for.
    pub fn unchecked(&self) -> u64 {
        self.unchecked
    }

    fn read(&mut self) -> Result<Option<TurnRow>, RatingsError> {
        self.skip_blank()?;
        self.line = self.ended + 1;
        self.text.clear();
        let line = self.line;
        let refused = |what: String| RatingsError::Record(what).at(TurnPlace::Line(line));
        let read = self.source.by_ref().take(LONGEST).read_line(&mut self.text);
        if read.map_err(|source| RatingsError::Read { line, source })? == 0 {
            return Ok(None);
        }
        if self.text.len() as u64 == LONGEST {
            return Err(refused(format!("the line is too long: expected at most {LONGEST} bytes")));
        }
        self.ended += 1;
        match checksum(self.text.trim_end()) {
            Checksum::Right => {}
            Checksum::None if self.source.get_ref().get_ref().1.is_checked() => {}
            Checksum::None => self.unchecked += 1,
            Checksum::Wrong => {
                let what =
                    "the line is damaged: its checksum does not match; if it was edited on purpose, remove its `crc32`";
                return Err(refused(what.to_owned()));
            }
        }
        serde_json::from_str(&self.text).map(Some).map_err(|error| refused(error.to_string()))
    }

    /// Passes over blank lines, faster than line by line.
    fn skip_blank(&mut self) -> Result<(), RatingsError> {
        let mut blank = 0;
        loop {
            let line = self.ended + 1;
            let buffer = match self.source.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(source) => return Err(RatingsError::Read { line, source }),
            };
            let count = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let is_over = count == 0 || count < buffer.len();
            self.ended += buffer[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.source.consume(count);
            blank += count;
            if blank > MAX_BLANK {
                let what = format!("more than {MAX_BLANK} blank bytes without a turn");
                return Err(RatingsError::Record(what).at(TurnPlace::Line(line)));
            }
            if is_over {
                return Ok(());
            }
        }
    }
}

impl Iterator for TextRows<'_> {
    type Item = Result<TurnRow, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The result of comparing the checksum of a line.
enum Checksum {
    None,
    Right,
    Wrong,
}

fn checksum(line: &str) -> Checksum {
    let (before, after) = CHECKSUM;
    let length = before.len() + DIGITS + after.len();
    let Some((body, end)) = line.len().checked_sub(length).and_then(|place| line.split_at_checked(place)) else {
        return Checksum::None;
    };
    match end.strip_prefix(before).and_then(|end| end.strip_suffix(after)) {
        None => Checksum::None,
        Some(digits) if u32::from_str_radix(digits, 16) == Ok(crc32fast::hash(body.as_bytes())) => Checksum::Right,
        Some(_) => Checksum::Wrong,
    }
}

/// Writes a row as one line, with its checksum.
pub(crate) fn write(row: &TurnRow, out: &mut impl Write) -> io::Result<()> {
    let json = serde_json::to_string(row)?;
    let body = json.strip_suffix('}').unwrap_or(&json);
    let (before, after) = CHECKSUM;
    writeln!(out, "{body}{before}{:08x}{after}", crc32fast::hash(body.as_bytes()))
}
