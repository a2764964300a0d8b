//! The journal of a build: the positions decided ply by ply, in memory, or in a file from which a killed build goes on.
//!
//! A file begins with a line that names the endgame. A record follows for each ply that is finished, and one for the end
//! of each run. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | length of the index |
//! | 4 | CRC-32 of the index |
//! | ... | index: number of the run, ply (65535 at the end of a run), then for each set its side and outcome, slice, length and CRC-32 |
//! | ... | the sets, one after the other |

use crate::error::TableError;
use crate::layout::Layout;
use crate::metric::Metric;
use crate::packed::Packed;
use crate::spill::Spill;
use errare_work::open_lock;
use shakmaty::{ByColor, Color};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The positions decided at one ply, by side to move and slice.
#[derive(Default)]
pub struct Ply {
    pub losses: ByColor<Vec<Packed>>,
    pub wins: ByColor<Vec<Packed>>,
}

/// All decided positions of a run, ply by ply from 0 (mate).
pub type History = Vec<Ply>;

/// The version of journals. Journals of other versions are not taken up.
const VERSION: u32 = 1;
/// The number that stands in place of a ply when the run has ended.
const END: u16 = u16::MAX;
/// The number of bytes that a set takes in an index.
const ENTRY: usize = 13;
/// The number of bytes written at once.
const BUFFER: usize = 1 << 20;
/// The greatest number of bytes of an index: a longer one means that the file is damaged.
const LONGEST_INDEX: usize = 1 << 26;

/// The journal of a build, which keeps its plies.
pub struct Journal {
    file: Option<Arc<Spill>>,
    /// A file without a name for sets that a later build computes again.
    scratch: Option<Arc<Spill>>,
    path: PathBuf,
    /// The runs that an earlier build left, by number.
    left: Vec<Left>,
}

/// A run of an earlier build.
#[derive(Default)]
struct Left {
    history: History,
    is_ended: bool,
}

impl Journal {
    /// Makes a journal that keeps plies in memory.
    pub fn in_memory() -> Journal {
        Journal { file: None, scratch: None, path: PathBuf::new(), left: Vec::new() }
    }

    /// Makes a journal that keeps plies in a file, and takes up what an earlier build of the same table left there. Of
    /// several runs only the first is taken up in the middle, because later ones depend on more than the plies. The
    /// caller holds the lock of the table.
    ///
    /// # Errors
    /// If the file cannot be opened, read or written.
    pub fn in_file(path: &Path, layout: &Layout, metric: Metric) -> Result<Journal, TableError> {
        let failed = |action| TableError::io(action, path);
        let mut file = open_lock(path).map_err(failed("open"))?;
        let title = title(layout, metric);
        let mut reader = Reader { file: BufReader::with_capacity(BUFFER, &file), at: 0 };
        let is_ours = reader.take(title.len()).map_err(failed("read"))?.is_some_and(|found| found == title.as_bytes());
        let mut found = Vec::new();
        while is_ours && let Some(record) = reader.record(layout.slices()).map_err(failed("read"))? {
            found.push(record);
        }
        if !is_ours {
            file.set_len(0).map_err(failed("write"))?;
            file.write_all(title.as_bytes()).map_err(failed("write"))?;
        }
        let mut end = title.len() as u64;
        let ended: Vec<u16> = found.iter().filter(|record| record.ply == END).map(|record| record.run).collect();
        found.retain(|record| record.run == 0 || ended.contains(&record.run));
        if let Some(last) = found.last() {
            end = last.end;
        }
        file.set_len(end).map_err(failed("write"))?;
        let file = Arc::new(Spill::new(file, path.to_owned(), end));
        let mut left: Vec<Left> = Vec::new();
        for record in found {
            left.resize_with(left.len().max(usize::from(record.run) + 1), Left::default);
            let run = &mut left[usize::from(record.run)];
            if record.ply == END {
                run.is_ended = true;
            } else {
                run.history.push(record.to_ply(&file, layout.slices()));
            }
        }
        let scratch = Some(Arc::new(Spill::nameless(path)?));
        Ok(Journal { file: Some(file), scratch, path: path.to_owned(), left })
    }

    /// A file for sets that a later build computes again; none if the journal is in memory.
    pub fn scratch(&self) -> Option<&Arc<Spill>> {
        self.scratch.as_ref()
    }

    /// The number of plies that an earlier build left.
    pub fn plies_left(&self) -> usize {
        self.left.iter().map(|left| left.history.len()).sum()
    }

    /// Takes the plies of a run that an earlier build left, and whether the run had ended.
    pub fn take(&mut self, run: u16) -> (History, bool) {
        let Left { history, is_ended } = self.left.get_mut(usize::from(run)).map(std::mem::take).unwrap_or_default();
        (history, is_ended)
    }

    /// Keeps a ply of a run, in the file if there is one.
    ///
    /// # Errors
    /// If it cannot be written, or something in the file could not be read.
    pub fn keep(&self, run: u16, ply: u16, mut decided: Ply) -> Result<Ply, TableError> {
        let Some(file) = &self.file else { return Ok(decided) };
        self.check()?;
        let mut index = [run.to_le_bytes(), ply.to_le_bytes()].concat();
        let mut buffer = Vec::new();
        for (kind, sets) in by_kind(&mut decided).into_iter().enumerate() {
            for (slice, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
                index.push(kind as u8);
                index.extend_from_slice(&(slice as u32).to_le_bytes());
                index.extend_from_slice(&(set.len() as u32).to_le_bytes());
                index.extend_from_slice(&crc32fast::hash(set.bytes(&mut buffer)).to_le_bytes());
            }
        }
        let mut place = self.append_index(file, &index)?;
        let mut waiting = Vec::with_capacity(BUFFER);
        for sets in by_kind(&mut decided) {
            for set in sets.iter_mut().filter(|set| !set.is_empty()) {
                let length = set.len();
                waiting.extend_from_slice(set.bytes(&mut buffer));
                *set = Packed::in_file(file, place, length as u32);
                place += length as u64;
                if waiting.len() >= BUFFER {
                    file.append(&waiting)?;
                    waiting.clear();
                }
            }
        }
        file.append(&waiting)?;
        Ok(decided)
    }

    /// Records that a run has ended.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn end(&self, run: u16) -> Result<(), TableError> {
        let Some(file) = &self.file else { return Ok(()) };
        self.append_index(file, &[run.to_le_bytes(), END.to_le_bytes()].concat()).map(drop)
    }

    /// Appends an index, and returns the place after it.
    fn append_index(&self, file: &Spill, index: &[u8]) -> Result<u64, TableError> {
        let mut bytes = (index.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&crc32fast::hash(index).to_le_bytes());
        bytes.extend_from_slice(index);
        Ok(file.append(&bytes)? + bytes.len() as u64)
    }

    /// Checks that everything that was asked of the files could be read.
    ///
    /// # Errors
    /// If something could not.
    pub fn check(&self) -> Result<(), TableError> {
        self.file.iter().chain(&self.scratch).try_for_each(|file| file.check())
    }

    /// Removes the file of the journal, once the table is written.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn remove(self) -> Result<(), TableError> {
        match self.file {
            Some(_) => std::fs::remove_file(&self.path).map_err(TableError::io("remove", &self.path)),
            None => Ok(()),
        }
    }
}

/// The line that a journal begins with.
fn title(layout: &Layout, metric: Metric) -> String {
    let (material, slices, words) = (layout.material(), layout.slices(), layout.words());
    format!("errare journal {VERSION}: {material} to {metric}, {slices} slices of {words} words\n")
}

/// The four lists of sets of a ply, in the order of their numbers in an index.
fn by_kind(ply: &mut Ply) -> [&mut Vec<Packed>; 4] {
    let Ply { losses, wins } = ply;
    [&mut losses.white, &mut losses.black, &mut wins.white, &mut wins.black]
}

/// A record of a journal, as read from the file.
struct Record {
    run: u16,
    ply: u16,
    /// The sets of the record: side and outcome, slice, place, length.
    sets: Vec<(u8, u32, u64, u32)>,
    /// The place in the file after the record.
    end: u64,
}

impl Record {
    fn to_ply(&self, file: &Arc<Spill>, slices: usize) -> Ply {
        let mut ply = Ply::default();
        for &(kind, slice, place, length) in &self.sets {
            // The kind and the slice were checked on reading.
            if let Some(sets) = by_kind(&mut ply).into_iter().nth(usize::from(kind)) {
                sets.resize_with(slices, Packed::default);
                sets[slice as usize] = Packed::in_file(file, place, length);
            }
        }
        ply
    }
}

/// A reader of the records of a journal, up to the first that is not whole.
struct Reader<'a> {
    file: BufReader<&'a File>,
    at: u64,
}

impl Reader<'_> {
    /// The next bytes; none if the file ends before.
    fn take(&mut self, length: usize) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = vec![0; length];
        match self.file.read_exact(&mut bytes) {
            Ok(()) => {
                self.at += length as u64;
                Ok(Some(bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The next record; none at the end, or if the record is not whole.
    fn record(&mut self, slices: usize) -> io::Result<Option<Record>> {
        let Some(head) = self.take(8)? else { return Ok(None) };
        let (length, crc) = (number(&head[..4]) as usize, number(&head[4..]));
        if !(4..=LONGEST_INDEX).contains(&length) || (length - 4) % ENTRY != 0 {
            return Ok(None);
        }
        let Some(index) = self.take(length)?.filter(|index| crc32fast::hash(index) == crc) else { return Ok(None) };
        let (head, entries) = index.split_at(4);
        let mut sets = Vec::new();
        for entry in entries.chunks_exact(ENTRY) {
            let (kind, slice) = (entry[0], number(&entry[1..5]));
            let (length, crc) = (number(&entry[5..9]), number(&entry[9..13]));
            if kind > 3 || slice as usize >= slices {
                return Ok(None);
            }
            let place = self.at;
            let Some(bytes) = self.take(length as usize)? else { return Ok(None) };
            if crc32fast::hash(&bytes) != crc {
                return Ok(None);
            }
            sets.push((kind, slice, place, length));
        }
        let (run, ply) = (number(&head[..2]) as u16, number(&head[2..4]) as u16);
        Ok(Some(Record { run, ply, sets, end: self.at }))
    }
}

/// A little-endian number of up to four bytes.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// Visits the words of one slice and their bits, given the sets of all slices, or none if all of them are empty.
pub fn for_each_bit(sets: &[Packed], slice: usize, buffer: &mut Vec<u8>, mut visit: impl FnMut(usize, u64)) {
    if let Some(set) = sets.get(slice) {
        set.iter(buffer).for_each(|(word, bits)| visit(word as usize, bits));
    }
}

impl Ply {
    /// The sets of an outcome and a side to move, by slice.
    pub fn sets(&self, is_win: bool, turn: Color) -> &[Packed] {
        (if is_win { &self.wins } else { &self.losses }).get(turn)
    }
}
