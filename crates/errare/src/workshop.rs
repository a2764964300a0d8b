//! The tables of a run: opened, built when they are missing, and built again when they turn out
//! to be damaged.

use crate::progress::Progress;
use crate::settings::Settings;
use errare_tables::{BuildReport, Builder, Library, Material, Metric, Observer, Planned, Table, TableError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A folder of tables and the means to fill it.
#[derive(Debug)]
pub struct Workshop {
    pub library: Library,
    pub progress: Progress,
    memory: u64,
    quiet: bool,
}

impl Workshop {
    pub fn new(settings: &Settings) -> Workshop {
        Workshop {
            library: Library::new(&settings.tables),
            progress: Progress::new(settings.quiet),
            memory: settings.memory,
            quiet: settings.quiet,
        }
    }

    /// Works out what has to be built for these tables; the progress then tells of all of it.
    pub fn plan(&self, wanted: &[(Material, Metric)]) -> Result<(), TableError> {
        let observer = Foreman { workshop: self, finished: &|_| (), effort: Mutex::new(0.0) };
        let plan = Builder::new(&self.library, &observer, self.memory).plan(wanted)?;
        self.progress.plan(&plan);
        Ok(())
    }

    /// Opens a table, building it if it is missing or cannot be used.
    pub fn ensure(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        self.mending(&|_| (), |builder| builder.ensure(material, metric))
    }

    /// Does work that reads tables. Where one proves damaged only then, it is named, set aside and,
    /// as the work is tried again, built anew: so the work must ensure what it reads.
    pub fn mending<T>(
        &self,
        finished: &(dyn Fn(&BuildReport) + Sync),
        work: impl Fn(&Builder<'_>) -> Result<T, TableError>,
    ) -> Result<T, TableError> {
        let observer = Foreman { workshop: self, finished, effort: Mutex::new(0.0) };
        let builder = Builder::new(&self.library, &observer, self.memory);
        let mut mended: Vec<PathBuf> = Vec::new();
        loop {
            let result = work(&builder);
            self.progress.clear();
            match result {
                // A file that is damaged again when just rebuilt tells of a broken disk.
                Err(TableError::Damaged { path, fault }) if !mended.contains(&path) => {
                    mended.push(path.clone());
                    self.set_aside(&TableError::Damaged { path: path.clone(), fault }, &path)?;
                }
                result => return result,
            }
        }
    }

    fn set_aside(&self, error: &TableError, path: &Path) -> Result<(), TableError> {
        let listed = self.library.list()?;
        let Some(table) = listed.iter().find(|table| self.library.path(table.material, table.metric) == path) else {
            return Ok(());
        };
        match self.library.set_aside(table.material, table.metric) {
            Ok(aside) => self.tell_of_damage(error, &aside),
            // Another process was quicker.
            Err(TableError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Said even to those who want quiet: it is no progress.
    fn tell_of_damage(&self, error: &TableError, aside: &Path) {
        self.progress.note(&format!("warning: {error}; set aside as {}, building it again", aside.display()));
    }
}

/// Watches a build.
struct Foreman<'a> {
    workshop: &'a Workshop,
    finished: &'a (dyn Fn(&BuildReport) + Sync),
    /// Of the table in work.
    effort: Mutex<f64>,
}

impl Foreman<'_> {
    fn effort(&self) -> f64 {
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Foreman<'_> {
    fn started(&self, table: &Planned) {
        let Planned { material, metric, effort, .. } = table;
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner) = *effort;
        self.workshop.progress.solving(format!("{material} to {metric}"));
    }

    fn ply(&self, ply: u16, positions: u64) {
        self.workshop.progress.ply(ply, positions);
    }

    fn structures(&self, done: usize, all: usize) {
        self.workshop.progress.structures(done, all, self.effort());
    }

    fn storing(&self) {
        self.workshop.progress.storing();
    }

    fn finished(&self, report: &BuildReport) {
        self.workshop.progress.clear();
        self.workshop.progress.finished(self.effort());
        (self.finished)(report);
    }

    fn waiting(&self, lock: &Path) {
        if !self.workshop.quiet {
            self.workshop.progress.note(&format!("waiting for another process that holds {}", lock.display()));
        }
    }

    fn set_aside(&self, error: &TableError, aside: &Path) {
        self.workshop.tell_of_damage(error, aside);
    }
}
