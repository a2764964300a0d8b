//! The positions that the games of a match start from.

use super::MatchRequest;
use crate::choose::unfinished;
use crate::error::LabError;
use crate::lab::Lab;
use errare_tables::TableSource;
use errare_work::Progress;
use shakmaty::Chess;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The longest line that is read, in bytes: a FEN has fewer than a hundred.
const MAX_LINE: u64 = 1000;

/// Reads all positions of a request: the single position, the positions of the list, and those of the file.
pub(super) fn read(
    request: &MatchRequest,
    tables: &TableSource,
    lab: &Lab,
    progress: &dyn Progress,
) -> Result<Vec<Chess>, LabError> {
    let mut starts = Vec::new();
    for fen in request.fen.iter().chain(&request.fens) {
        progress.proceed()?;
        starts.push(unfinished(tables, fen)?);
    }
    if let Some(path) = &request.fens_file {
        read_lines(path, lab, progress, |fen| {
            starts.push(unfinished(tables, fen)?);
            Ok(())
        })?;
    }
    if starts.is_empty() {
        return Err(LabError::request("no position to start from: give a FEN, or a file with at least one"));
    }
    Ok(starts)
}

/// Hands over the positions of a file, line by line; an error of `take` names its line.
pub(crate) fn read_lines(
    path: &Path,
    lab: &Lab,
    progress: &dyn Progress,
    mut take: impl FnMut(&str) -> Result<(), LabError>,
) -> Result<(), LabError> {
    let outside = lab.outside_path(path)?;
    let (name, mut source): (String, Box<dyn BufRead>) = if path == Path::new("-") {
        ("stdin".to_owned(), Box::new(BufReader::new(outside.stdin())))
    } else {
        (path.display().to_string(), Box::new(BufReader::new(outside.open(path)?)))
    };
    for number in 1.. {
        progress.proceed()?;
        let mut line = Vec::new();
        let read = source.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|source| LabError::Read { name: name.clone(), source })?;
        if read == 0 {
            break;
        }
        if read as u64 == MAX_LINE {
            return Err(LabError::request(format!("{name}, line {number}: too long for a FEN")));
        }
        let line = String::from_utf8_lossy(&line);
        let fen = line.trim();
        if !fen.is_empty() && !fen.starts_with('#') {
            let placed = |error: LabError| LabError::request(format!("{name}, line {number}: {error}"));
            take(fen).map_err(placed)?;
        }
    }
    Ok(())
}
