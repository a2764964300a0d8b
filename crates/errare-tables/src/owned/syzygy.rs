//! Syzygy tables, read by shakmaty-syzygy.

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

/// A set of Syzygy tables: outcome and DTZ under the 50-move rule.
///
/// Two things set its depths apart from those of our tables:
///
/// - Where a table counts in moves, its plies are *rounded* down: the depth is what
///   [`Reading`] says or one ply more. Outcomes are exact all the same.
/// - A cursed win has its plain DTZ if that is over 100. If it is a later phase that takes too long, 100
///   is added to the plies of this one. (Where the winner can choose, the smaller counts.)
///
/// Positions are taken to begin with a halfmove clock of zero. Files are opened when first asked.
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
    /// The tables of some folders, the first folder first. Each must have some.
    pub fn open(folders: &[PathBuf]) -> Result<Syzygy, OwnedError> {
        // SAFETY: tables are not written to while they are read, here as for ours. Reads beyond
        // the end of a map are refused by the reader.
        let mut tables = unsafe { Tablebase::with_mmap_filesystem() };
        // What is added last replaces what came before.
        for folder in folders.iter().rev() {
            add_folder(&mut tables, folder)?;
        }
        Ok(Syzygy { folders: folders.to_owned(), tables })
    }

    /// The outcome, the plies to the next zeroing move, and whether these may be one too few.
    pub fn dtz(&self, position: &Chess) -> Result<Reading, OwnedError> {
        let men = position.board().occupied().count();
        Maker::Syzygy.check_men(men)?;
        // Syzygy has a mated king lose in one ply, as if the mate were still to come.
        if position.is_checkmate() {
            return Ok(Reading { value: Value::new(Outcome::Loss, 0), is_rounded: false });
        }
        let failed = |error| self.explain(error, position);
        let dtz = self.tables.probe_dtz(position).map_err(failed)?;
        let wdl = match dtz {
            // One ply more would be over the limit.
            MaybeRounded::Rounded(Dtz(100 | -100)) => self.tables.probe_wdl_after_zeroing(position).map_err(failed)?,
            dtz => Wdl::from_dtz(dtz.ignore_rounding()),
        };
        let plies = u16::try_from(dtz.ignore_rounding().0.unsigned_abs()).unwrap_or(u16::MAX);
        let value = match wdl {
            Wdl::Draw => Value::DRAW,
            Wdl::Loss => Value::new(Outcome::Loss, plies),
            Wdl::BlessedLoss => Value::new(Outcome::BlessedLoss, plies),
            Wdl::CursedWin => Value::new(Outcome::CursedWin, plies),
            Wdl::Win => Value::new(Outcome::Win, plies),
        };
        let is_rounded = match dtz {
            MaybeRounded::Rounded(_) => true,
            // A move into a zeroing move of the winner's is exact; another that seems to lose as fast may
            // last a ply longer, but the reader looks no further than the first.
            MaybeRounded::Precise(Dtz(-2 | -102)) => self.may_last_longer(position, plies).map_err(failed)?,
            MaybeRounded::Precise(_) => false,
        };
        Ok(Reading { value, is_rounded })
    }

    /// Whether a quiet move leads to a rounded depth, of as many plies as the others.
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

    fn explain(&self, error: SyzygyError, position: &Chess) -> OwnedError {
        let (first, second) = sides(Material::of_board(position.board()).0);
        let own = format!("{first}v{second}.{}", extension(shakmaty_syzygy::Metric::Wdl));
        let file = match error {
            SyzygyError::ProbeFailed { metric, material, error } => {
                let file = format!("{material}.{}", extension(metric));
                let path = find(&self.folders, &file).unwrap_or_else(|| file.into());
                return OwnedError::Damaged { maker: Maker::Syzygy, path, reason: reason(&error) };
            }
            // Captures are looked up first, but the endgame at hand tells more.
            SyzygyError::MissingTable { metric, material } if find(&self.folders, &own).is_some() => {
                format!("{material}.{}", extension(metric))
            }
            // Castling rights have been refused long before: what is left are more men than any file has.
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

    fn most_men(&self) -> usize {
        Maker::Syzygy.most_men()
    }
}

fn add_folder(tables: &mut Tablebase<Chess>, folder: &Path) -> Result<(), OwnedError> {
    let maker = Maker::Syzygy;
    let mut found = false;
    for path in entries(folder)? {
        match tables.add_file(&path) {
            Ok(()) => found = true,
            // Some other file.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(OwnedError::Damaged { maker, path, reason: "no table has such a length".to_owned() });
            }
            Err(error) => return Err(OwnedError::Damaged { maker, path, reason: error.to_string() }),
        }
    }
    if found { Ok(()) } else { Err(OwnedError::NoTables { maker, path: folder.to_owned() }) }
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
