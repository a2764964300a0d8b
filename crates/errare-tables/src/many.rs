//! Looking up the values of many positions at once.

use crate::error::TableError;
use crate::material::Material;
use crate::metric::Metric;
use crate::position::FenError;
use crate::source::Reading;
use crate::table_source::TableSource;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::{Chess, Position};
use std::collections::HashSet;

/// Number of positions that are held in memory at a time.
const BATCH: usize = 1 << 16;

/// Number of positions that one thread takes at a time.
const CHUNK: usize = 1 << 11;

/// A reason why the values of some positions could not be looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManyError {
    /// A text is not a FEN, or gives a position that no table has.
    #[error("position {place}: {source}")]
    Fen {
        /// The place of the position in the list, from 0.
        place: usize,
        /// The fault of the FEN.
        source: FenError,
    },
    /// A table is missing, damaged or cannot be built, or the work was cancelled.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Looks up the values of many positions, in their order, on the threads of the current pool. Missing tables of ours are
/// built if they are small enough to build on demand.
///
/// # Errors
/// If a FEN is invalid (the first such is named), a table is missing or damaged, the source does not have the metric, or
/// the work is cancelled.
pub fn readings(
    tables: &TableSource,
    fens: &[&str],
    metric: Metric,
    progress: &dyn Progress,
) -> Result<Vec<Reading>, ManyError> {
    let mut known = HashSet::new();
    let mut found = Vec::with_capacity(fens.len());
    for (number, batch) in fens.chunks(BATCH).enumerate() {
        progress.proceed().map_err(TableError::from)?;
        let total = fens.len() as u64;
        progress.report(&Status::new("looking up positions", "positions").at(found.len() as u64, total));
        let positions = parsed(tables, batch, number * BATCH)?;
        for material in materials(&positions) {
            if known.insert(material) {
                tables.with_tables::<_, TableError, _>(&[(material, metric)], progress, || Ok(()))?;
            }
        }
        let needed: Vec<(Material, Metric)> = known.iter().map(|&material| (material, metric)).collect();
        found.extend(tables.build_and_work(&needed, progress, || looked_up(tables, &positions, metric, progress))?);
    }
    Ok(found)
}

/// The positions of a batch; `before` is the number of texts before it.
fn parsed(tables: &TableSource, fens: &[&str], before: usize) -> Result<Vec<Chess>, ManyError> {
    let parsed: Result<Vec<Chess>, FenError> =
        fens.par_iter().with_min_len(CHUNK).map(|fen| tables.position(fen)).collect();
    // Threads find errors in any order; the first one in the list is the one to name.
    parsed.map_err(|error| {
        let wrong = fens.iter().enumerate().find_map(|(place, fen)| Some((place, tables.position(fen).err()?)));
        let (place, source) = wrong.unwrap_or((0, error));
        ManyError::Fen { place: before + place, source }
    })
}

/// The endgames that are looked up for these positions.
fn materials(positions: &[Chess]) -> HashSet<Material> {
    let of_chunk = |chunk: &[Chess]| {
        let mut found = HashSet::new();
        for position in chunk {
            let (material, _) = Material::of_board(position.board());
            // Two bare kings need no table.
            if material.men() > 2 {
                found.insert(material);
            }
            // Tables have no right to capture en passant: the positions after that are looked up.
            for mv in position.en_passant_moves() {
                let mut after = position.clone();
                after.play_unchecked(mv);
                found.insert(Material::of_board(after.board()).0);
            }
        }
        found
    };
    positions.par_chunks(CHUNK).map(of_chunk).reduce(HashSet::new, |mut all, some| {
        all.extend(some);
        all
    })
}

fn looked_up(
    tables: &TableSource,
    positions: &[Chess],
    metric: Metric,
    progress: &dyn Progress,
) -> Result<Vec<Reading>, TableError> {
    let source = tables.source();
    let of_chunk = |chunk: &[Chess]| -> Result<Vec<Reading>, TableError> {
        progress.proceed()?;
        match tables {
            TableSource::Ours(_) => {
                let exact = |value| Reading { value, is_rounded: false };
                Ok(source.values(chunk, metric)?.into_iter().map(exact).collect())
            }
            TableSource::Others(_) => chunk.iter().map(|position| source.reading(position, metric)).collect(),
        }
    };
    let parts: Vec<Vec<Reading>> = positions.par_chunks(CHUNK).map(of_chunk).collect::<Result<_, _>>()?;
    Ok(parts.into_iter().flatten().collect())
}
