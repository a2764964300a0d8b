//! Tables on demand: built when they are missing, and built again when they prove damaged.

use crate::build::{BuildObserver, Builder, BuiltRules, warn_of_damage};
use crate::error::TableError;
use crate::library::Library;
use crate::material::{MAX_MEN_WITH_PAWNS, Material};
use crate::metric::Metric;
use crate::plan::{Planned, plan};
use crate::store::Table;
use errare_work::Progress;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The greatest number of men of a table that is built on demand, because a position of it is needed. Larger tables
/// take minutes and gigabytes, and are built only when asked for by name.
pub const MAX_MEN_BUILT_ON_DEMAND: usize = 5;

/// A library whose tables are built if they are missing, and built again if they prove damaged. Clones share the
/// library and its open tables.
#[derive(Clone, Debug)]
pub struct Tables {
    library: Arc<Library>,
    memory: u64,
    built_rules: BuiltRules,
}

/// An error that may come from a damaged table file, which can then be built again.
pub trait TableFailure: From<TableError> + fmt::Display {
    /// The damaged file that caused the error, if any.
    fn damaged_table(&self) -> Option<&Path>;
}

impl TableFailure for TableError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            TableError::Damaged { path, .. } => Some(path),
            _ => None,
        }
    }
}

impl Tables {
    /// Makes the tables of a library, which may be built in at most `memory` bytes.
    pub fn new(library: impl Into<Arc<Library>>, memory: u64) -> Tables {
        Tables { library: library.into(), memory, built_rules: BuiltRules::All }
    }

    /// Restricts building to tables without a move rule or with one of these; others are used if they are there. There are thousands of move rules, and whoever may not fill the disk may not ask for all of them.
    #[must_use]
    pub fn building_rules(self, rules: &'static [u16]) -> Tables {
        Tables { built_rules: BuiltRules::Only(rules), ..self }
    }

    /// The library that holds the tables.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// The number of bytes that building a table may take.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Lists the tables that have to be built for some tables, in the order of building.
    ///
    /// # Errors
    /// If a table would take more memory than is allowed, cannot exist, or has a move rule that is not built here.
    pub fn plan(&self, wanted: &[(Material, Metric)]) -> Result<Vec<Planned>, TableError> {
        let plan = plan(&self.library, self.memory, wanted)?;
        plan.iter().try_for_each(|planned| self.built_rules.check(planned.material, planned.metric))?;
        Ok(plan)
    }

    /// Opens a table, building it and the tables it needs if it is missing or unusable.
    ///
    /// # Errors
    /// If the table cannot be built or opened, or the work is cancelled.
    pub fn ensure(
        &self,
        material: Material,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<Arc<Table>, TableError> {
        self.ensure_observed(material, metric, &BuildObserver::new(progress))
    }

    /// Opens a table as [`ensure`](Tables::ensure) does, with an observer that receives a report of each build.
    ///
    /// # Errors
    /// As [`ensure`](Tables::ensure).
    pub fn ensure_observed(
        &self,
        material: Material,
        metric: Metric,
        observer: &BuildObserver<'_>,
    ) -> Result<Arc<Table>, TableError> {
        self.mending(observer.progress(), || self.builder(observer).ensure(material, metric))
    }

    /// Does work that reads these tables, which are built first if they are missing. If the work finds one of them
    /// damaged, a warning names it, it is quarantined and built again, and the work starts anew.
    ///
    /// # Errors
    /// If a table cannot be built, is damaged again when just rebuilt, or the work fails or is cancelled.
    pub fn with_tables<T, E, W>(&self, needed: &[(Material, Metric)], progress: &dyn Progress, work: W) -> Result<T, E>
    where
        E: TableFailure,
        W: Fn() -> Result<T, E>,
    {
        let observer = BuildObserver::new(progress).with_plan(&self.plan(needed)?);
        self.mending(progress, || {
            for &(material, metric) in needed {
                self.builder(&observer).ensure(material, metric)?;
            }
            work()
        })
    }

    /// Checks that a table exists or is small enough to be built on demand.
    ///
    /// # Errors
    /// If the endgame is larger than tables with pawns can be, or its table is missing and too large to build on demand.
    pub fn check_on_demand(&self, material: Material, metric: Metric) -> Result<(), TableError> {
        if material.has_pawns() && material.men() > MAX_MEN_WITH_PAWNS {
            return Err(TableError::TooManyWithPawns { material });
        }
        if material.men() > MAX_MEN_BUILT_ON_DEMAND && !self.library.path(material, metric).exists() {
            return Err(TableError::OnlyByName { material, metric });
        }
        Ok(())
    }

    fn builder<'a>(&'a self, observer: &'a BuildObserver<'a>) -> Builder<'a> {
        Builder { library: &self.library, memory: self.memory, built_rules: self.built_rules, stored: None, observer }
    }

    /// Repeats work for every damaged file that it finds, each once: a file that is damaged again when just rebuilt
    /// indicates a broken disk.
    fn mending<T, E: TableFailure>(&self, progress: &dyn Progress, work: impl Fn() -> Result<T, E>) -> Result<T, E> {
        let mut mended: Vec<PathBuf> = Vec::new();
        loop {
            let error = match work() {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            match error.damaged_table().map(Path::to_owned) {
                Some(path) if !mended.contains(&path) => {
                    self.quarantine_damaged(&error, progress)?;
                    mended.push(path);
                }
                _ => return Err(error),
            }
        }
    }

    /// Moves a damaged table of ours out of the way, with a warning, so that it is built again when it is next needed.
    /// Errors of another kind, and damage of files that are not ours, change nothing.
    ///
    /// # Errors
    /// If the file cannot be moved.
    pub fn quarantine_damaged<E: TableFailure>(&self, error: &E, progress: &dyn Progress) -> Result<(), TableError> {
        let damaged = error.damaged_table().and_then(|path| self.library.table_of(path));
        let Some((material, metric)) = damaged else { return Ok(()) };
        match self.library.quarantine(material, metric) {
            Ok(quarantined) => warn_of_damage(progress, error, &quarantined),
            // Another process was quicker.
            Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
