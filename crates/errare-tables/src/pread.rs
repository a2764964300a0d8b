//! Reading at a place of a file, without a position that threads would share.

use std::fs::File;
use std::io;

/// Fills a buffer with the bytes of a file from `offset` on.
///
/// # Errors
/// If the file cannot be read, or ends too early.
#[cfg(unix)]
pub fn read_exact(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer with the bytes of a file from `offset` on.
///
/// # Errors
/// If the file cannot be read, or ends too early.
#[cfg(windows)]
pub fn read_exact(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
