//! The lab: one handle that owns tables, sources, caches and threads.

use crate::config::{LabConfig, checksum_record};
use crate::engine::KnownEngine;
use crate::error::LabError;
use crate::markov_models::MarkovModels;
use crate::operation::{Exposure, ListOperation, NO_JSON, OnItem, Operation, OperationInfo};
use crate::ratings::RatingCache;
use crate::reach::{RULES_FOR_CLIENTS, Reach};
use crate::recent::Recent;
use errare_tables::{ChecksumChecks, Library, Material, Metric, Source, SourceSpec, Statistics, TableSource, Tables};
use errare_work::Progress;
use rayon::ThreadPool;
use serde_json::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A handle on everything an operation needs. It is cheap to clone, and clones share all of it.
#[derive(Clone)]
pub struct Lab {
    inner: Arc<Inner>,
    threads: Arc<OnceLock<ThreadPool>>,
    reach: Reach,
}

struct Inner {
    config: LabConfig,
    tables: OnceLock<Tables>,
    /// Our tables as requests of clients use them: only those of a few move rules are built.
    client_tables: OnceLock<Tables>,
    /// Tables that others made, each opened once.
    sources: Mutex<Vec<(SourceSpec, Arc<dyn Source>)>>,
    /// Turns and calibrations of recent requests.
    ratings: RatingCache,
    /// The result of the last start of the engine.
    engine: KnownEngine,
    /// Markov models of recent requests.
    markov: MarkovModels,
    /// Counts of positions by value, of recent requests.
    counts: PositionCounts,
}

/// Counts of the positions of endgames by value, each position counted once up to symmetry.
pub(crate) type PositionCounts = Recent<(Material, Metric), Arc<Statistics>>;

/// Number of endgames whose counts are kept; each takes a few kilobytes.
const COUNTS_KEPT: usize = 64;

impl Lab {
    /// Makes a lab. Folders and threads are set up when they are first needed: rating games needs no tables.
    #[must_use]
    pub fn new(config: LabConfig) -> Lab {
        let inner = Inner {
            config,
            tables: OnceLock::new(),
            client_tables: OnceLock::new(),
            sources: Mutex::default(),
            ratings: RatingCache::default(),
            engine: KnownEngine::default(),
            markov: MarkovModels::default(),
            counts: Recent::new(COUNTS_KEPT),
        };
        Lab { inner: Arc::new(inner), threads: Arc::default(), reach: Reach::All }
    }

    /// A handle on the same lab for requests of clients, as a server has them. Through it no request reaches a file, a
    /// folder or a program that it names, whatever the operation, and what it may count (games, samples, plies) is
    /// bounded.
    #[must_use]
    pub fn for_clients(&self) -> Lab {
        Lab { reach: Reach::Inside, ..self.clone() }
    }

    /// A handle on the same lab with as many threads of its own, so that long work on it does not hold up short work on
    /// the other.
    #[must_use]
    pub fn with_own_threads(&self) -> Lab {
        Lab { threads: Arc::default(), ..self.clone() }
    }

    /// Runs an operation on the lab's threads.
    ///
    /// # Errors
    /// If the request makes no sense, one of its outputs would replace a file that it reads or another output, what it
    /// needs cannot be had, or the work is cancelled.
    pub fn run<O: Operation>(&self, request: &O, progress: &dyn Progress) -> Result<O::Response, LabError> {
        self.check_served(O::NAME, O::EXPOSURE)?;
        self.check_files(&request.files())?;
        self.install(progress, || request.perform(self, progress))
    }

    /// Runs an operation whose response is a list, and hands each item over as soon as it is ready.
    ///
    /// # Errors
    /// As [`run`](Lab::run), and if `on_item` stops the work.
    pub fn run_each<O: ListOperation>(
        &self,
        request: &O,
        progress: &dyn Progress,
        on_item: OnItem<'_, O::Item>,
    ) -> Result<(), LabError> {
        self.check_served(O::NAME, O::EXPOSURE)?;
        self.check_files(&request.files())?;
        self.install(progress, || request.perform_each(self, progress, on_item))
    }

    /// Runs the operation with a name, with JSON in and JSON out. The response has the digits that
    /// [`call_text`](Lab::call_text) writes.
    ///
    /// # Errors
    /// If no such operation exists, the JSON does not fit its schema, or as [`run`](Lab::run).
    pub fn call(&self, operation: &str, request: Value, progress: &dyn Progress) -> Result<Value, LabError> {
        // Made of the response itself, a number of 32 bits would get digits that it does not have: 0.10999999940395355 for 0.11.
        serde_json::from_str(&self.call_text(operation, request, progress)?).map_err(|_| NO_JSON)
    }

    /// Runs an operation as [`call`](Lab::call) does, with the response as a text of JSON, as every interface gives it:
    /// the fields are in the order of its type.
    ///
    /// # Errors
    /// As [`call`](Lab::call).
    pub fn call_text(&self, operation: &str, request: Value, progress: &dyn Progress) -> Result<String, LabError> {
        let found = OperationInfo::find(operation).ok_or_else(|| LabError::UnknownOperation(operation.to_owned()))?;
        // Before anything is made of the request.
        self.check_served(found.name, found.exposure)?;
        (found.call_text)(self, request, progress)
    }

    /// Refuses operations that work on files, if the handle is for clients.
    fn check_served(&self, operation: &'static str, exposure: Exposure) -> Result<(), LabError> {
        match (self.reach, exposure) {
            (Reach::Inside, Exposure::Local) => Err(LabError::NotServed(operation)),
            _ => Ok(()),
        }
    }

    /// Whether the handle is for requests of clients.
    #[cfg(feature = "evaluate")]
    pub(crate) fn is_for_clients(&self) -> bool {
        self.reach == Reach::Inside
    }

    pub(crate) fn reach(&self) -> Reach {
        self.reach
    }

    /// The configuration that the lab was made with.
    #[must_use]
    pub fn config(&self) -> &LabConfig {
        &self.inner.config
    }

    /// Our tables, built on demand.
    ///
    /// # Errors
    /// If nobody said where they are kept.
    pub fn tables(&self) -> Result<&Tables, LabError> {
        let config = &self.inner.config;
        let folder = config.tables_folder()?;
        let ours = self.inner.tables.get_or_init(|| Tables::new(Library::new(folder), config.build_memory()));
        Ok(match self.reach {
            Reach::All => ours,
            Reach::Inside => self.inner.client_tables.get_or_init(|| ours.clone().building_rules(RULES_FOR_CLIENTS)),
        })
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

    /// Opens tables that others made, once each.
    pub(crate) fn others(&self, spec: &SourceSpec) -> Result<Arc<dyn Source>, LabError> {
        let outside = self.outside(spec)?;
        let mut sources = self.inner.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, source)) = sources.iter().find(|(known, _)| known == spec) {
            return Ok(Arc::clone(source));
        }
        let checks = checksum_record().map_or(ChecksumChecks::Every, ChecksumChecks::Recorded);
        let source = outside.tables(spec, checks)?;
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

    pub(crate) fn known_engine(&self) -> &KnownEngine {
        &self.inner.engine
    }

    pub(crate) fn rating_cache(&self) -> &RatingCache {
        &self.inner.ratings
    }

    pub(crate) fn markov_models(&self) -> &MarkovModels {
        &self.inner.markov
    }

    pub(crate) fn position_counts(&self) -> &PositionCounts {
        &self.inner.counts
    }

    fn threads(&self) -> Result<&ThreadPool, LabError> {
        if self.threads.get().is_none() {
            let count = self.inner.config.threads.unwrap_or(0);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
            let pool = pool.map_err(|error| LabError::Threads { count, reason: error.to_string() })?;
            let _ = self.threads.set(pool);
        }
        self.threads.get().ok_or(LabError::Internal("the threads are gone"))
    }
}
