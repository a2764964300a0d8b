//! Syzygy tables, read by shakmaty-syzygy.

use super::syzygy_files::{ChecksumChecks, SyzygyFiles};
use super::{Maker, OwnedError, entries, find, sides};
use crate::error::TableError;
use crate::material::Material;
use crate::metric::Metric;
use crate::source::{Reading, Source};
use crate::value::{Outcome, Value};
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{Dtz, MaybeRounded, ProbeError, SyzygyError, Tablebase, Wdl};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A set of Syzygy tables, which hold outcomes and DTZ under the 50-move rule.
///
/// Depths of these tables differ from those of our tables in two ways:
///
/// - Where a table counts in moves, its plies are *rounded* down: the true depth is that of the
///   [`Reading`] or one ply more. Outcomes are exact nevertheless.
/// - A cursed win has its DTZ without a move rule if that is over 100. If a later phase takes too long, 100
///   is added to the plies of the current one. (Where the winner can choose, the smaller number counts.)
///
/// Positions are assumed to have a halfmove clock of zero. Files are opened when they are first needed, and their
/// checksums are checked then.
pub struct Syzygy {
    folders: Vec<PathBuf>,
    tables: Tablebase<Chess>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syzygy").field("folders", &self.folders).finish_non_exhaustive()
    }
}

impl Syzygy {
    /// Opens the tables of some folders, of which the first has precedence. A file is opened, and its checksum checked,
    /// when it is first needed.
    ///
    /// # Errors
    /// If a folder cannot be read or has no such tables, or if a file has the wrong length.
    pub fn open(folders: &[PathBuf], checks: ChecksumChecks) -> Result<Syzygy, OwnedError> {
        let mut tables = Tablebase::with_filesystem(Arc::new(SyzygyFiles::new(checks)));
        // A file that is added later replaces one of the same name.
        for folder in folders.iter().rev() {
            add_folder(&mut tables, folder)?;
        }
        Ok(Syzygy { folders: folders.to_owned(), tables })
    }

    /// Looks up the outcome of a position, the plies to the next zeroing move, and whether these may be one too few.
    ///
    /// # Errors
    /// If a table is missing or damaged, or if the position has too many men.
    pub fn dtz(&self, position: &Chess) -> Result<Reading, OwnedError> {
        let men = position.board().occupied().count();
        Maker::Syzygy.check_men(men)?;
        // Syzygy counts one ply for a side that is already mated.
        if position.is_checkmate() {
            return Ok(Reading { value: Value::new(Outcome::Loss, 0), is_rounded: false });
        }
        let failed = |error| self.explain(error, position);
        let dtz = self.tables.probe_dtz(position).map_err(failed)?;
        let wdl = match dtz {
            // One ply more would exceed the limit.
            MaybeRounded::Rounded(Dtz(100 | -100)) => self.tables.probe_wdl_after_zeroing(position).map_err(failed)?,
            dtz => Wdl::from_dtz(dtz.ignore_rounding()),
        };
        let plies = dtz.ignore_rounding().0.unsigned_abs();
        let plies = u16::try_from(plies).map_err(|_| self.too_deep(position, plies))?;
        let value = match wdl {
            Wdl::Draw => Value::DRAW,
            Wdl::Loss => Value::new(Outcome::Loss, plies),
            Wdl::BlessedLoss => Value::new(Outcome::BlessedLoss, plies),
            Wdl::CursedWin => Value::new(Outcome::CursedWin, plies),
            Wdl::Win => Value::new(Outcome::Win, plies),
        };
        let is_rounded = match dtz {
            MaybeRounded::Rounded(_) => true,
            // A move that allows a zeroing move of the winner has an exact depth; another one that seems to lose as
            // fast may last a ply longer, but the reader stops at the first.
            MaybeRounded::Precise(Dtz(-2 | -102)) => self.may_last_longer(position, plies).map_err(failed)?,
            MaybeRounded::Precise(_) => false,
        };
        Ok(Reading { value, is_rounded })
    }

    /// Whether a quiet move leads to a rounded depth of just as many plies.
    fn may_last_longer(&self, position: &Chess, plies: u16) -> Result<bool, SyzygyError> {
        for mv in position.legal_moves().into_iter().filter(|mv| !mv.is_zeroing()) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if let MaybeRounded::Rounded(Dtz(left)) = self.tables.probe_dtz(&after)?
                && left + 1 == i32::from(plies)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The error for a damaged file, with the folder where it is found.
    fn damaged(&self, file: String, reason: String) -> OwnedError {
        let path = find(&self.folders, &file).unwrap_or_else(|| file.into());
        OwnedError::Damaged { maker: Maker::Syzygy, path, reason }
    }

    fn too_deep(&self, position: &Chess, plies: u32) -> OwnedError {
        let file = own_file(position, shakmaty_syzygy::Metric::Dtz);
        self.damaged(file, format!("it has a depth of {plies} plies"))
    }

    fn explain(&self, error: SyzygyError, position: &Chess) -> OwnedError {
        let own = own_file(position, shakmaty_syzygy::Metric::Wdl);
        let file = match error {
            SyzygyError::ProbeFailed { metric, material, error } => {
                return self.damaged(format!("{material}.{}", extension(metric)), reason(&error));
            }
            // Captures are looked up first, but the file of the position's own endgame is more helpful to name.
            SyzygyError::MissingTable { metric, material } if find(&self.folders, &own).is_some() => {
                format!("{material}.{}", extension(metric))
            }
            // Castling rights were rejected earlier. The position may have more men than any file.
            SyzygyError::MissingTable { .. } | SyzygyError::TooManyPieces | SyzygyError::Castling => own,
        };
        OwnedError::Missing { maker: Maker::Syzygy, file, folders: self.folders.clone() }
    }
}

impl Source for Syzygy {
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        self.reading(position, metric).map(|reading| reading.value)
    }

    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        Maker::Syzygy.check_metric(metric).and_then(|()| self.dtz(position)).map_err(TableError::Owned)
    }

    fn metric(&self) -> Metric {
        Maker::Syzygy.metric()
    }

    fn max_men(&self) -> usize {
        Maker::Syzygy.max_men()
    }
}

fn add_folder(tables: &mut Tablebase<Chess>, folder: &Path) -> Result<(), OwnedError> {
    let maker = Maker::Syzygy;
    let mut found = false;
    for path in entries(folder)? {
        match tables.add_file(&path) {
            Ok(()) => found = true,
            // Not a table.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(OwnedError::Damaged {
                    maker,
                    path,
                    reason: "its length is not that of a table".to_owned(),
                });
            }
            Err(error) => return Err(OwnedError::Damaged { maker, path, reason: error.to_string() }),
        }
    }
    if found { Ok(()) } else { Err(OwnedError::NoTables { maker, path: folder.to_owned() }) }
}

/// The name of the file of a position's endgame.
fn own_file(position: &Chess, metric: shakmaty_syzygy::Metric) -> String {
    let (first, second) = sides(Material::of_board(position.board()).0);
    format!("{first}v{second}.{}", extension(metric))
}

fn extension(metric: shakmaty_syzygy::Metric) -> &'static str {
    match metric {
        shakmaty_syzygy::Metric::Wdl => "rtbw",
        shakmaty_syzygy::Metric::Dtz => "rtbz",
    }
}

fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Read { error } => error.to_string(),
        ProbeError::Magic { .. } => "it is not a table file".to_owned(),
        ProbeError::CorruptedTable { .. } => "its contents are corrupt".to_owned(),
    }
}
