//! Depths to conversions of a chosen kind: how soon can a side force mate, or a conversion that counts?

use crate::error::TableError;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::{Planned, needs};
use crate::solve::{SolveStep, Task, solve};
use crate::store::{SliceReader, Table, write_table};
use crate::tables::Tables;
use crate::value::Value;
use crate::view::{Known, Solved, Standing};
use errare_work::{Progress, Status};
use shakmaty::Color;
use std::collections::HashMap;
use std::sync::Arc;

/// A solved table as seen after a conversion: every outcome that does not count is a draw.
struct Counted<'a> {
    reader: SliceReader<&'a Table>,
    counts: &'a (dyn Fn(Material, Value) -> bool + Sync),
}

impl Solved for Counted<'_> {
    fn layout(&self) -> &Layout {
        self.reader.layout()
    }

    fn meanings(&self) -> Vec<Known> {
        let table = self.reader.table();
        let material = table.material();
        let meanings = self.reader.meanings().into_iter().zip(table.values());
        meanings
            .map(|(known, &value)| {
                let standing = if (self.counts)(material, value) { known.standing } else { Standing::Drawn };
                Known { standing, ..known }
            })
            .collect()
    }

    fn symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        self.reader.read(turn, slice, into)
    }

    fn release(&self) {
        self.reader.release();
    }
}

/// Builds the table of an endgame without pawns in which only mate, and conversions to positions that count, decide. Its
/// depths are plies to those, its header says DTC, and it goes to a library of its own; if it is there already, it is opened.
///
/// `counts` gets the endgame after the conversion and the value of the position by the metric `after`, for the side to move
/// there.
///
/// # Errors
/// If the endgame has pawns or no men, a table cannot be built or used, or the work is cancelled.
pub fn build_conversion_goal(
    tables: &Tables,
    into: &Library,
    material: Material,
    after: Metric,
    counts: &(dyn Fn(Material, Value) -> bool + Sync),
    progress: &dyn Progress,
) -> Result<Arc<Table>, TableError> {
    const METRIC: Metric = Metric::Dtc;
    match into.open(material, METRIC) {
        Err(TableError::Missing { .. }) => {}
        opened => return opened,
    }
    if material.has_pawns() {
        return Err(TableError::Internal("goals among conversions are solved without pawns only"));
    }
    let planned = Planned::new(material, METRIC, tables.memory())?;
    let layout = Layout::new(material).ok_or(TableError::BareKings)?;
    let mut subs: HashMap<Material, Arc<Table>> = HashMap::new();
    for (sub, _) in needs(material, METRIC).into_iter().filter(|&(sub, _)| sub != material) {
        subs.insert(sub, tables.ensure(sub, after, progress)?);
    }
    let counted: HashMap<Material, Counted<'_>> =
        subs.iter().map(|(&sub, table)| (sub, Counted { reader: SliceReader::new(&**table), counts })).collect();
    let find = |sub: Material| counted.get(&sub).map(|counted| counted as &dyn Solved);
    let path = into.path(material, METRIC);
    std::fs::create_dir_all(into.folder()).map_err(TableError::io("create", into.folder()))?;
    let mut journal = if planned.in_files {
        Journal::in_file(&into.journal_path(material, METRIC), &layout, METRIC)?
    } else {
        Journal::in_memory()
    };
    let activity = format!("solving {material} to conversions that count");
    let report = |step: SolveStep| {
        if let SolveStep::Ply(ply, _) = step {
            progress.report(&Status::new(&activity, "plies").at(u64::from(ply), u64::from(ply)));
        }
    };
    let at_once = planned.at_once;
    let task = Task { layout: &layout, subs: &find, metric: METRIC, at_once, on_step: &report, progress };
    let (decided, _) = solve(&task, &mut journal)?;
    write_table(&layout, METRIC, &decided, None, &path, &journal, progress)?;
    journal.remove()?;
    into.open(material, METRIC)
}
