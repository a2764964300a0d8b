//! The checksum of a whole Parquet file, which stands in its own metadata.
//!
//! The parquet crate checks the checksums of pages that other programs wrote, but writes none; nor would they cover the
//! metadata. So the metadata have the CRC-32 of all bytes of the file, with eight zeros in the place of its own digits. It
//! is compared before anything else is read, so that damaged bytes are never interpreted.

use crate::error::RatingsError;
use parquet::file::metadata::KeyValue;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The key of the checksum in the metadata.
pub(super) const KEY: &str = "errare.crc32";

/// What stands between key and digits in the file: the type of the value and its length, in Thrift's compact protocol.
const BETWEEN: [u8; 2] = [0x18, DIGITS.len() as u8];

/// The digits before they are known.
const DIGITS: &[u8] = b"00000000";

/// Number of bytes at the end of a file among which the checksum is.
const TAIL: u64 = 1 << 16;

/// The entry of the metadata that will hold the checksum.
pub(super) fn entry() -> KeyValue {
    KeyValue::new(KEY.to_owned(), String::from_utf8_lossy(DIGITS).into_owned())
}

/// Passes bytes on until the end of the file begins, and holds that back until the checksum is known.
pub(super) struct ChecksumWriter<W> {
    out: W,
    checksum: crc32fast::Hasher,
    end: Option<Vec<u8>>,
}

impl<W: Write> ChecksumWriter<W> {
    pub fn new(out: W) -> ChecksumWriter<W> {
        ChecksumWriter { out, checksum: crc32fast::Hasher::new(), end: None }
    }

    /// Holds back what is written from now on, the metadata among it.
    pub fn begin_end(&mut self) {
        self.end = Some(Vec::new());
    }

    /// Writes the end of the file with the checksum in its place.
    pub fn finish(mut self) -> io::Result<W> {
        let mut end = self.end.take().unwrap_or_default();
        self.checksum.update(&end);
        let digits = format!("{:08x}", self.checksum.finalize());
        let place = digits_place(&end).ok_or_else(|| io::Error::other("the metadata have no place for a checksum"))?;
        end[place..place + DIGITS.len()].copy_from_slice(digits.as_bytes());
        self.out.write_all(&end)?;
        Ok(self.out)
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.end {
            Some(end) => end.write(bytes),
            None => {
                let written = self.out.write(bytes)?;
                self.checksum.update(&bytes[..written]);
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Where the digits of the checksum are among the last bytes of a file; none if they are not there.
fn digits_place(end: &[u8]) -> Option<usize> {
    let mark = [KEY.as_bytes(), &BETWEEN].concat();
    let place = end.windows(mark.len()).rposition(|window| window == mark)? + mark.len();
    (place + DIGITS.len() <= end.len()).then_some(place)
}

/// Compares the checksum of a file, and returns whether it has one. Files of other programs and of early versions have
/// none.
pub(super) fn check(mut file: &File, length: u64) -> Result<bool, RatingsError> {
    let tail = length.min(TAIL);
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length - tail)).map_err(RatingsError::Open)?;
    file.take(tail).read_to_end(&mut end).map_err(RatingsError::Open)?;
    let Some(place) = digits_place(&end) else { return Ok(false) };
    let expected = str::from_utf8(&end[place..place + DIGITS.len()]).ok();
    let expected = expected.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    end[place..place + DIGITS.len()].copy_from_slice(DIGITS);
    let mut checksum = crc32fast::Hasher::new();
    file.rewind().map_err(RatingsError::Open)?;
    let mut before = file.take(length - tail);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match before.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => checksum.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(RatingsError::Open(error)),
        }
    }
    checksum.update(&end);
    if expected == Some(checksum.finalize()) {
        Ok(true)
    } else {
        Err(RatingsError::Parquet("the file is damaged: its checksum does not match".to_owned()))
    }
}
