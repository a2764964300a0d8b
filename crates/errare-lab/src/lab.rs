//! The lab: one handle that owns tables, sources, caches and threads.

use crate::config::LabConfig;
use crate::error::LabError;
use crate::operation::{ListOperation, OnItem, Operation, OperationInfo};
use crate::ratings::RatingCache;
use errare_tables::{Library, Source, SourceSpec, TableSource, Tables};
use errare_work::Progress;
use rayon::ThreadPool;
use serde_json::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A handle on everything an operation needs. Cheap to clone; clones share all of it.
#[derive(Clone)]
pub struct Lab(Arc<Inner>);

struct Inner {
    config: LabConfig,
    tables: OnceLock<Tables>,
    threads: OnceLock<ThreadPool>,
    /// Tables that others made, opened once each.
    sources: Mutex<Vec<(SourceSpec, Arc<dyn Source>)>>,
    /// Turns and calibrations of recent requests.
    ratings: RatingCache,
}

impl Lab {
    /// Makes a lab. Folders and threads are looked for when they are first needed: rating games needs no tables.
    #[must_use]
    pub fn new(config: LabConfig) -> Lab {
        Lab(Arc::new(Inner {
            config,
            tables: OnceLock::new(),
            threads: OnceLock::new(),
            sources: Mutex::default(),
            ratings: RatingCache::default(),
        }))
    }

    /// Runs an operation on the lab's threads.
    ///
    /// # Errors
    /// If the request makes no sense, what it needs cannot be had, or the work is cancelled.
    pub fn run<O: Operation>(&self, request: &O, progress: &dyn Progress) -> Result<O::Response, LabError> {
        self.install(progress, || request.perform(self, progress))
    }

    /// Runs an operation whose response is a list, and hands each item over as soon as it is there.
    ///
    /// # Errors
    /// As [`run`](Lab::run), and if `on_item` stops the work.
    pub fn run_each<O: ListOperation>(
        &self,
        request: &O,
        progress: &dyn Progress,
        on_item: OnItem<'_, O::Item>,
    ) -> Result<(), LabError> {
        self.install(progress, || request.perform_each(self, progress, on_item))
    }

    /// Runs the operation of a name, with JSON in and JSON out.
    ///
    /// # Errors
    /// If there is no such operation, the JSON does not fit its schema, or as [`run`](Lab::run).
    pub fn call(&self, operation: &str, request: Value, progress: &dyn Progress) -> Result<Value, LabError> {
        let found = OperationInfo::find(operation).ok_or_else(|| LabError::UnknownOperation(operation.to_owned()))?;
        (found.call)(self, request, progress)
    }

    /// What the lab was made with.
    #[must_use]
    pub fn config(&self) -> &LabConfig {
        &self.0.config
    }

    /// Our tables, built on demand.
    ///
    /// # Errors
    /// If nobody said where they are kept.
    pub fn tables(&self) -> Result<&Tables, LabError> {
        if self.0.tables.get().is_none() {
            let folder = self.0.config.tables_folder()?;
            // Another thread may have been quicker; then its tables stay.
            let _ = self.0.tables.set(Tables::new(Library::new(folder), self.0.config.build_memory()));
        }
        self.0.tables.get().ok_or(LabError::Internal("the tables are gone"))
    }

    /// The tables that a specification names, which are only read; ours, built on demand, if there is none.
    ///
    /// # Errors
    /// If the folder cannot be read or holds no such tables, or nobody said where ours are kept.
    pub fn source(&self, spec: Option<&SourceSpec>) -> Result<TableSource, LabError> {
        match spec {
            None => Ok(TableSource::Ours(self.tables()?.clone())),
            Some(spec) => Ok(TableSource::Others(self.others(spec)?)),
        }
    }

    /// Tables that others made, opened once.
    pub(crate) fn others(&self, spec: &SourceSpec) -> Result<Arc<dyn Source>, LabError> {
        let mut sources = self.0.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = sources.iter().find(|(known, _)| known == spec) {
            return Ok(Arc::clone(source));
        }
        let source = spec.open()?;
        sources.push((spec.clone(), Arc::clone(&source)));
        Ok(source)
    }

    /// Number of threads that operations share.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn thread_count(&self) -> Result<usize, LabError> {
        Ok(self.threads()?.current_num_threads())
    }

    /// Does work on the lab's threads.
    pub(crate) fn install<T: Send>(
        &self,
        progress: &dyn Progress,
        work: impl FnOnce() -> Result<T, LabError> + Send,
    ) -> Result<T, LabError> {
        progress.proceed()?;
        self.threads()?.install(work)
    }

    pub(crate) fn rating_cache(&self) -> &RatingCache {
        &self.0.ratings
    }

    fn threads(&self) -> Result<&ThreadPool, LabError> {
        if self.0.threads.get().is_none() {
            let count = self.0.config.threads.unwrap_or(0);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
            let pool = pool.map_err(|error| LabError::Threads { count, reason: error.to_string() })?;
            let _ = self.0.threads.set(pool);
        }
        self.0.threads.get().ok_or(LabError::Internal("the threads are gone"))
    }
}
