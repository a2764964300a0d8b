//! What the shared flags make of a run: a lab, and the terminal that watches it.

use crate::cli::Shared;
use anyhow::Result;
use errare_lab::{Lab, LabConfig, LabError, ListOperation, OnItem, Operation};
use errare_terminal::{ByteSize, OutputError, Terminal};
use errare_work::{Cancelled, Progress};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The settings of a run.
pub struct Settings {
    /// The application.
    pub lab: Lab,
    /// Shows progress, and stops the work on Ctrl-C.
    pub terminal: Terminal,
    /// Whether the user wants no progress.
    #[cfg_attr(not(feature = "evaluate"), expect(dead_code, reason = "only summaries of evaluations are left out"))]
    pub quiet: bool,
}

impl Settings {
    pub fn new(shared: Shared) -> Settings {
        Settings::with(shared, LabConfig::default())
    }

    /// The settings of a command that has flags of its own about the lab.
    pub fn with(shared: Shared, config: LabConfig) -> Settings {
        let config = LabConfig {
            tables: shared.tables,
            threads: shared.threads.map(usize::from),
            memory: shared.memory.map(|ByteSize(bytes)| bytes),
            ..config
        };
        Settings { lab: Lab::new(config), terminal: Terminal::new(shared.quiet), quiet: shared.quiet }
    }

    /// Runs an operation under the eyes of the terminal.
    pub fn run<O: Operation>(&self, request: &O) -> Result<O::Response, LabError> {
        self.watched(|progress| self.lab.run(request, progress))
    }

    /// Runs an operation whose results go to files that are not part of the request.
    pub fn run_for<O: Operation>(&self, request: &O, outputs: &[&PathBuf]) -> Result<O::Response, LabError> {
        self.check_outputs(request, outputs)?;
        self.run(request)
    }

    /// Checks that files which are not part of a request replace nothing that it reads, and not each other.
    pub fn check_outputs<O: Operation>(&self, request: &O, outputs: &[&PathBuf]) -> Result<(), LabError> {
        let mut files = request.files();
        files.outputs.extend(outputs.iter().copied().cloned());
        Ok(files.check()?)
    }

    /// Does work under the eyes of the terminal.
    pub fn watched<T>(&self, work: impl FnOnce(&dyn Progress) -> Result<T, LabError>) -> Result<T, LabError> {
        self.terminal.watch();
        let found = work(&self.terminal);
        self.terminal.clear();
        found
    }

    /// Runs an operation that gives a list, with each item shown as soon as it is there, the bar out of the way.
    pub fn run_each<O: ListOperation>(
        &self,
        request: &O,
        show: impl FnMut(&O::Item) -> Result<(), OutputError> + Send,
    ) -> Result<()> {
        self.show_each(|on_item| self.lab.run_each(request, &self.terminal, on_item), show)
    }

    /// Does work that hands items over, each of which is shown as soon as it is there, the bar out of the way.
    pub fn show_each<T, R>(
        &self,
        work: impl FnOnce(OnItem<'_, T>) -> Result<R, LabError>,
        show: impl FnMut(&T) -> Result<(), OutputError> + Send,
    ) -> Result<R> {
        self.terminal.watch();
        let state = Mutex::new((show, None));
        let done = work(&|item| {
            let (show, failed) = &mut *state.lock().unwrap_or_else(PoisonError::into_inner);
            self.terminal.clear();
            show(item).map_err(|error| {
                *failed = Some(error);
                Cancelled
            })
        });
        self.terminal.clear();
        match state.into_inner().unwrap_or_else(PoisonError::into_inner).1 {
            Some(error) => Err(error.into()),
            None => Ok(done?),
        }
    }
}
