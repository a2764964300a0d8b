//! The files of Syzygy tables: checked when they are opened, then held in memory or read page by page through a cache.
//!
//! The files are not mapped into memory: if another program truncated one, the next access to the map would end the
//! process. Most reads are of a few bytes, so that a call of the system for each would cost more than the rest of a
//! probe. A file has to be read whole for its checksum, so that it may as well be kept, as long as there is room.

use super::check_record::{CheckRecord, LARGE};
use super::syzygy_checksum::holds;
use crate::pread::read_exact;
use errare_work::open_regular;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

/// The number of bytes of a page.
const PAGE: usize = 4096;

/// The number of pages that are kept: 64 MiB.
const SLOTS: usize = 1 << 14;

/// The number of bytes of files that are held in memory, before others are read page by page.
const HELD_BYTES: u64 = 256 << 20;

/// The file system that the reader of Syzygy tables sees.
pub struct SyzygyFiles {
    pages: Arc<Pages>,
    checks: ChecksumChecks,
    record: Option<CheckRecord>,
    /// The number of bytes that may still be held in memory.
    room: AtomicU64,
    /// Files that were refused, so that a large one is not read again for every probe.
    refused: Mutex<HashMap<PathBuf, (Version, String)>>,
}

/// The choice of Syzygy files whose checksums are checked when they are first opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChecksumChecks {
    /// The checksum of every file is checked.
    #[default]
    Every,
    /// Every file is checked, but a large one only once as long as it does not change: a record of this name remembers
    /// it.
    Recorded(PathBuf),
    /// Only files that take a fraction of a second are checked, as where a clock is running.
    Small,
}

/// The version of a file, which changes when it is written to: its length and the time of its last change.
type Version = (u64, Option<SystemTime>);

fn version(found: &Metadata) -> Version {
    (found.len(), found.modified().ok())
}

impl SyzygyFiles {
    pub fn new(checks: ChecksumChecks) -> SyzygyFiles {
        let record = match &checks {
            ChecksumChecks::Recorded(path) => Some(CheckRecord::open(path)),
            ChecksumChecks::Every | ChecksumChecks::Small => None,
        };
        let room = AtomicU64::new(HELD_BYTES);
        SyzygyFiles { pages: Arc::new(Pages::new()), checks, record, room, refused: Mutex::default() }
    }

    /// Opens a file whose checksum is right, or was when it was last checked.
    fn open_sound(&self, path: &Path, file: File, found: &Metadata) -> io::Result<Box<dyn RandomAccessFile>> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let length = found.len();
        let take = |room: u64| room.checked_sub(length).filter(|_| length < LARGE);
        if self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
            let held = read_held(&file, length);
            if held.is_err() {
                self.room.fetch_add(length, Ordering::Relaxed);
            }
            return Ok(Box::new(held?));
        }
        self.check(path, &file, found)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(PagedFile { file, version: version(found), number, pages: Arc::clone(&self.pages) }))
    }

    fn check(&self, path: &Path, file: &File, found: &Metadata) -> io::Result<()> {
        if self.checks == ChecksumChecks::Small && found.len() >= LARGE {
            return Ok(());
        }
        if self.record.as_ref().is_some_and(|record| record.has(path, found)) {
            return Ok(());
        }
        check_sum(file, found.len())?;
        if let Some(record) = &self.record {
            record.add(path, found);
        }
        Ok(())
    }
}

fn check_sum(file: impl Read, length: u64) -> io::Result<()> {
    if holds(file, length).map_err(truncated)? { Ok(()) } else { Err(invalid("its checksum is wrong")) }
}

fn read_held(mut file: &File, length: u64) -> io::Result<HeldFile> {
    let mut bytes = vec![0; length as usize].into_boxed_slice();
    file.read_exact(&mut bytes).map_err(truncated)?;
    check_sum(&bytes[..], length)?;
    Ok(HeldFile(bytes))
}

fn invalid(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.into())
}

fn truncated(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof { invalid("it was truncated while it was read") } else { error }
}

impl Filesystem for SyzygyFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let found = fs::metadata(path)?;
        if found.is_file() { Ok(found.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let file = open_regular(path)?;
        let found = file.metadata()?;
        let version = version(&found);
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, reason)) = refused.get(path)
            && *known == version
        {
            return Err(invalid(reason));
        }
        self.open_sound(path, file, &found).inspect_err(|error| {
            refused.insert(path.to_owned(), (version, error.to_string()));
        })
    }
}

/// A file held in memory.
struct HeldFile(Box<[u8]>);

impl RandomAccessFile for HeldFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        Ok(usize::try_from(offset).map_or(0, |offset| copy(&self.0, offset, buffer)))
    }

    // All reads of a probe go this way: no loop, one check.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<()> {
        let range = usize::try_from(offset).ok().and_then(|start| Some(start..start.checked_add(buffer.len())?));
        buffer.copy_from_slice(range.and_then(|range| self.0.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Copies bytes from a place on, as many as there are and the buffer takes, and returns their number.
fn copy(bytes: &[u8], start: usize, buffer: &mut [u8]) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let count = rest.len().min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    count
}

/// An open file that is read through the cache.
struct PagedFile {
    file: File,
    version: Version,
    number: usize,
    pages: Arc<Pages>,
}

impl PagedFile {
    fn read_page(&self, page: usize) -> io::Result<Box<[u8]>> {
        let (length, _) = self.version;
        let start = (page * PAGE) as u64;
        let mut bytes = vec![0; length.saturating_sub(start).min(PAGE as u64) as usize].into_boxed_slice();
        read_exact(&self.file, &mut bytes, start).map_err(truncated)?;
        // Bytes that were written after the checksum was checked are not to be trusted.
        if version(&self.file.metadata()?) == self.version {
            Ok(bytes)
        } else {
            Err(invalid("it was changed while it was read"))
        }
    }
}

impl RandomAccessFile for PagedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let Ok(offset) = usize::try_from(offset) else { return Ok(0) };
        let (page, start) = (offset / PAGE, offset % PAGE);
        self.pages.with(self.number, page, || self.read_page(page), |bytes| copy(bytes, start, buffer))
    }
}

/// The cache of pages of all files: a page has one place, and displaces the page that was there.
struct Pages {
    slots: Box<[RwLock<Slot>]>,
}

/// A page, with the number of its file and its own number.
#[derive(Default)]
struct Slot {
    file: usize,
    page: usize,
    bytes: Box<[u8]>,
}

impl Pages {
    fn new() -> Pages {
        Pages { slots: (0..SLOTS).map(|_| RwLock::default()).collect() }
    }

    fn with<T>(
        &self,
        file: usize,
        page: usize,
        read: impl FnOnce() -> io::Result<Box<[u8]>>,
        copy: impl FnOnce(&[u8]) -> T,
    ) -> io::Result<T> {
        // Neighbouring pages have neighbouring places; an odd factor spreads the files.
        let slot = &self.slots[(page.wrapping_add(file.wrapping_mul(0x9e37_79b1))) % SLOTS];
        {
            let held = slot.read().unwrap_or_else(PoisonError::into_inner);
            // An empty page is none: files are read to their ends only.
            if held.file == file && held.page == page && !held.bytes.is_empty() {
                return Ok(copy(&held.bytes));
            }
        }
        let bytes = read()?;
        let copied = copy(&bytes);
        *slot.write().unwrap_or_else(PoisonError::into_inner) = Slot { file, page, bytes };
        Ok(copied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("KPvK.rtbz");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../errare/tests/data/owned/syzygy/KPvK.rtbz");
        fs::copy(source, &path).expect("a copy");
        let bytes = fs::read(&path).expect("read");
        assert!(bytes.len() > PAGE, "more than a page");
        (folder, path, bytes)
    }

    /// Without room in memory every file is read page by page.
    fn paged() -> SyzygyFiles {
        SyzygyFiles { room: AtomicU64::new(0), ..SyzygyFiles::new(ChecksumChecks::Every) }
    }

    fn read(file: &dyn RandomAccessFile, offset: usize, count: usize) -> io::Result<Vec<u8>> {
        let mut buffer = vec![0; count];
        file.read_exact_at(&mut buffer, offset as u64, ReadHint::Data).map(|()| buffer)
    }

    #[test]
    fn reads_are_those_of_the_file_wherever_pages_end() {
        let (_folder, path, bytes) = table();
        for files in [paged(), SyzygyFiles::new(ChecksumChecks::Every)] {
            let file = files.open(&path).expect("a sound table");
            for offset in [0, 1, PAGE - 3, PAGE, bytes.len() - 9] {
                assert_eq!(read(&*file, offset, 9).expect("read"), bytes[offset..offset + 9], "{offset}");
            }
            for offset in [bytes.len() - 8, bytes.len(), bytes.len() + PAGE, usize::MAX - 9] {
                assert!(read(&*file, offset, 9).is_err(), "{offset}");
            }
        }
    }

    #[test]
    fn pages_displace_each_other() {
        let pages = Pages::new();
        let read_from = |page: usize| {
            let mut fresh = false;
            let read = || {
                fresh = true;
                Ok(vec![page as u8; 1].into_boxed_slice())
            };
            assert_eq!(pages.with(3, page, read, |bytes| bytes[0]).expect("a page"), page as u8);
            fresh
        };
        assert!(read_from(1) && !read_from(1) && read_from(1 + SLOTS) && read_from(1));
    }

    #[test]
    fn a_file_that_changes_while_it_is_open_is_refused() {
        let (_folder, path, bytes) = table();
        let files = paged();
        let held = SyzygyFiles::new(ChecksumChecks::Every).open(&path).expect("a sound table");
        let file = files.open(&path).expect("a sound table");
        read(&*file, 0, 9).expect("read");
        File::options().write(true).open(&path).and_then(|file| file.set_len(100)).expect("truncated");
        let error = read(&*file, PAGE, 9).expect_err("truncated").to_string();
        assert_eq!(error, "it was truncated while it was read");
        assert_eq!(read(&*held, PAGE, 9).expect("in memory"), bytes[PAGE..PAGE + 9]);
        let mut other = bytes.clone();
        other[PAGE + 3] ^= 1;
        fs::write(&path, other).expect("written");
        let error = read(&*file, PAGE, 9).expect_err("changed").to_string();
        assert_eq!(error, "it was changed while it was read");
        for _ in 0..2 {
            let error = files.open(&path).err().expect("damaged").to_string();
            assert_eq!(error, "its checksum is wrong");
        }
        fs::write(&path, &bytes).expect("written");
        assert!(files.open(&path).is_ok(), "a file that was mended is used");
    }
}
