//! The header and index of a Gaviota file: checked before the file is given to the C library, which
//! trusts it blindly.

use crate::material::Material;
use errare_work::open_regular;
use shakmaty::{Color, Role};
use std::io::{self, Read};
use std::path::Path;

/// The number of positions of a block.
const BLOCK: u64 = 16_384;

/// The size in bytes of the library's buffer for a compressed block.
const BUFFER: u32 = 65_536;

/// The size of the header: ten numbers, of which the ninth is the offset of the first block. The index, with the
/// offsets of all blocks and of the end, lies in between.
const HEADER: usize = 40;

/// A file that is not a table of an endgame.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it has {found} blocks, expected {expected}")]
    Blocks { found: u64, expected: u64 },
    #[error("its index is corrupt")]
    Index,
}

/// Checks the header and the index of a file.
///
/// # Errors
/// If the file cannot be read, or is not a table of this endgame.
pub fn check(path: &Path, material: Material) -> Result<(), FrameError> {
    let mut file = open_regular(path)?;
    let length = file.metadata()?.len();
    let mut header = [0; HEADER];
    file.read_exact(&mut header).map_err(truncated)?;
    let start = u64::from(number(&header[32..]));
    let blocks = (start.saturating_sub(HEADER as u64) / 4).saturating_sub(1);
    let expected = 2 * positions(material).div_ceil(BLOCK);
    if blocks != expected {
        return Err(FrameError::Blocks { found: blocks, expected });
    }
    let mut index = vec![0; (4 * (blocks + 1)) as usize];
    file.read_exact(&mut index).map_err(truncated)?;
    let places: Vec<u32> = index.chunks_exact(4).map(number).collect();
    let fits = |pair: &[u32]| pair[1].checked_sub(pair[0]).is_some_and(|size| (2..=BUFFER).contains(&size));
    let ends =
        places.first().copied().map(u64::from) == Some(start) && places.last().copied().map(u64::from) == Some(length);
    if ends && places.windows(2).all(fits) { Ok(()) } else { Err(FrameError::Index) }
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn truncated(error: io::Error) -> FrameError {
    if error.kind() == io::ErrorKind::UnexpectedEof { FrameError::Index } else { error.into() }
}

/// The number of placements of a table for either side to move: kings and pawns together, then the other
/// men, like ones unordered.
fn positions(material: Material) -> u64 {
    let pawns = Color::ALL.map(|color| material.count(crate::material::Man { color, role: Role::Pawn }));
    let kings = 64 * 64;
    let frame = match (pawns[0].max(pawns[1]), pawns[0].min(pawns[1])) {
        (0, _) => 462,
        (1, 0) => 24 * kings,
        (1, _) => 24 * 48 * kings,
        (2, 0) => 576 * kings,
        (2, _) => 24 * 1128 * kings,
        _ => 8648 * kings,
    };
    let others = material.kinds().into_iter().filter(|man| man.role != Role::Pawn);
    others.fold(frame, |places, man| {
        places
            * match material.count(man) {
                1 => 64,
                2 => 64 * 63 / 2,
                _ => 64 * 63 * 62 / 6,
            }
    })
}
