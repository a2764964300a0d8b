//! Bindings to the few functions of Debian's libgaviotatb that are needed, behind a lock.
//!
//! The library reads one set of folders at a time and keeps it in global variables. It is restarted when
//! another set is needed.

use std::ffi::{CString, c_char, c_int, c_uchar, c_uint};
use std::ptr;
use std::sync::{Mutex, PoisonError};

#[link(name = "gaviotatb")]
unsafe extern "C" {
    fn tb_restart(verbosity: c_int, compression_scheme: c_int, paths: *const *const c_char) -> *mut c_char;
    fn tbcache_restart(cache_mem: usize, wdl_fraction: c_int) -> c_int;
    fn tb_probe_hard(
        stm: c_uint,
        epsq: c_uint,
        castles: c_uint,
        white_squares: *const c_uint,
        black_squares: *const c_uint,
        white_pieces: *const c_uchar,
        black_pieces: *const c_uchar,
        tbinfo: *mut c_uint,
        plies: *mut c_uint,
    ) -> c_int;
}

/// The compression scheme `tb_CP4`, the only one in which these tables are distributed.
const CP4: c_int = 4;

/// The size in bytes of the library's cache of decompressed blocks.
const CACHE_BYTES: usize = 64 << 20;

/// The number `tb_NOSQUARE` for no square, which also ends a list of squares.
pub const NO_SQUARE: u32 = 64;

/// The length of a list of men: at most five men of one side, king included, and the end of the list.
const LIST: usize = 6;

/// The longest folder name that fits into the library's buffers together with the name of a file.
pub const LONGEST_FOLDER: usize = 1000;

/// The men of a side: squares from a1 by ranks, and men from 1, the pawn, to 6, the king.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    squares: [c_uint; LIST],
    pieces: [c_uchar; LIST],
    count: usize,
}

impl Men {
    pub const NONE: Men = Men { squares: [NO_SQUARE; LIST], pieces: [0; LIST], count: 0 };

    /// Adds a man. There must be at most five; the last place marks the end of the list.
    pub fn push(&mut self, square: u32, piece: u8) {
        debug_assert!(self.count + 1 < LIST, "more men than a Gaviota table has");
        if self.count + 1 < LIST {
            (self.squares[self.count], self.pieces[self.count]) = (square, piece);
            self.count += 1;
        }
    }
}

/// A position to look up in the library.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub black_to_move: bool,
    pub en_passant: u32,
    pub white: Men,
    pub black: Men,
}

/// The library's answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Draw,
    WhiteMates {
        plies: u32,
    },
    BlackMates {
        plies: u32,
    },
    /// The position is illegal according to the table.
    Illegal,
    /// The table could not be read.
    Failed,
}

/// The folders that the library reads now. The library keeps pointers to their names.
static FOLDERS: Mutex<Vec<CString>> = Mutex::new(Vec::new());

/// Looks up a position in these folders. The files that the answer needs must exist and be sound:
/// the library ends the process if an index is invalid.
pub fn ask(folders: &[CString], question: &Question) -> Answer {
    let mut known = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if known.is_empty() || *known != folders {
        let previous = std::mem::replace(&mut *known, folders.to_vec());
        let names: Vec<*const c_char> = known.iter().map(|name| name.as_ptr()).chain([ptr::null()]).collect();
        // SAFETY: under the lock. The list of names ends with a null and is copied; the names stay
        // in `FOLDERS`, the previous ones until they are no longer pointed to.
        unsafe {
            tb_restart(0, CP4, names.as_ptr());
            // Blocks are cached by endgame, whatever folder they come from.
            tbcache_restart(CACHE_BYTES, 0);
        }
        drop(previous);
    }
    let Question { black_to_move, en_passant, white, black } = question;
    let (mut info, mut plies): (c_uint, c_uint) = (0, 0);
    // SAFETY: under the lock, after the start. All lists end as they must.
    let found = unsafe {
        tb_probe_hard(
            c_uint::from(*black_to_move),
            *en_passant,
            0,
            white.squares.as_ptr(),
            black.squares.as_ptr(),
            white.pieces.as_ptr(),
            black.pieces.as_ptr(),
            &mut info,
            &mut plies,
        )
    };
    match (found, info) {
        (0, _) => Answer::Failed,
        (_, 0) => Answer::Draw,
        (_, 1) => Answer::WhiteMates { plies },
        (_, 2) => Answer::BlackMates { plies },
        _ => Answer::Illegal,
    }
}
