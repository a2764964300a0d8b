//! The tables of commands that do not run in the lab yet.

use crate::settings::Settings;
use crate::terminal::Terminal;
use anyhow::Result;
use errare_endgame::EndgameError;
use errare_tables::{Material, Metric, Source, SourceSpec, TableSource};
use std::sync::Arc;

pub struct Sources<'a> {
    tables: TableSource,
    terminal: &'a Terminal,
}

impl<'a> Sources<'a> {
    pub fn open(settings: &'a Settings, spec: Option<&SourceSpec>) -> Result<Sources<'a>> {
        Ok(Sources { tables: settings.lab.source(spec)?, terminal: &settings.terminal })
    }

    pub fn progress(&self) -> &Terminal {
        self.terminal
    }

    pub fn source(&self) -> Arc<dyn Source> {
        self.tables.source()
    }

    pub fn metric(&self, asked: Option<Metric>) -> Metric {
        self.tables.metric(asked, Metric::Dtc)
    }

    pub fn work_with<T>(&self, needed: &[(Material, Metric)], work: impl Fn() -> Result<T, EndgameError>) -> Result<T> {
        let done = self.tables.with_tables(needed, self.terminal, work);
        self.terminal.clear();
        Ok(done?)
    }
}
