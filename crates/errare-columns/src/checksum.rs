//! The checksum of a whole Parquet file, which stands in its own metadata.
//!
//! The parquet crate checks the checksums of pages that other programs wrote, but writes none; nor would they cover the
//! metadata. So the metadata have the CRC-32 of all bytes of the file, with eight zeros in the place of its own digits. It
//! is compared before anything else is read, so that damaged bytes are never interpreted.

use crate::ColumnsError;
use crc32fast::Hasher;
use parquet::file::metadata::KeyValue;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// The key of the checksum in the metadata.
const KEY: &str = "errare.crc32";

/// The bytes between the key and the digits in the file: the type of the value and its length, in Thrift's compact
/// protocol.
const BETWEEN: [u8; 2] = [0x18, DIGITS.len() as u8];

/// The digits of the checksum before they are known.
const DIGITS: &[u8] = b"00000000";

/// Number of bytes at the end of a file among which the checksum is.
const TAIL: u64 = 1 << 16;

/// The entry of the metadata that will hold the checksum.
pub(crate) fn entry() -> KeyValue {
    KeyValue::new(KEY.to_owned(), String::from_utf8_lossy(DIGITS).into_owned())
}

/// Puts the checksum of a file into the last bytes of it, which have the metadata. The hasher has seen all bytes before
/// them.
pub(crate) fn seal(mut before: Hasher, end: &mut [u8]) -> Result<(), ColumnsError> {
    before.update(end);
    let digits = format!("{:08x}", before.finalize());
    let no_place = || ColumnsError::Parquet("the metadata have no place for a checksum".to_owned());
    let place = digits_place(end).ok_or_else(no_place)?;
    end[place..place + DIGITS.len()].copy_from_slice(digits.as_bytes());
    Ok(())
}

/// Where the digits of the checksum are among the last bytes of a file; none if they are not there.
fn digits_place(end: &[u8]) -> Option<usize> {
    let mark = [KEY.as_bytes(), &BETWEEN].concat();
    let place = end.windows(mark.len()).rposition(|window| window == mark)? + mark.len();
    (place + DIGITS.len() <= end.len()).then_some(place)
}

/// Compares the checksum of a file, and returns whether it has one. Files of other programs and of early versions have
/// none.
pub(crate) fn check(mut file: &File, length: u64) -> Result<bool, ColumnsError> {
    let tail = length.min(TAIL);
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length - tail)).map_err(ColumnsError::Read)?;
    file.take(tail).read_to_end(&mut end).map_err(ColumnsError::Read)?;
    let Some(place) = digits_place(&end) else { return Ok(false) };
    let expected = str::from_utf8(&end[place..place + DIGITS.len()]).ok();
    let expected = expected.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    end[place..place + DIGITS.len()].copy_from_slice(DIGITS);
    let mut checksum = Hasher::new();
    file.rewind().map_err(ColumnsError::Read)?;
    let mut before = file.take(length - tail);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match before.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => checksum.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ColumnsError::Read(error)),
        }
    }
    checksum.update(&end);
    if expected == Some(checksum.finalize()) {
        Ok(true)
    } else {
        Err(ColumnsError::Parquet("the file is damaged: its checksum does not match".to_owned()))
    }
}
