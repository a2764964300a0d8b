//! The tables of commands that do not run in the lab yet.

use crate::settings::Settings;
use crate::terminal::Terminal;
use anyhow::Result;
use errare_choice::Competence;
use errare_endgame::{EndgameError, MarkovModel, MarkovScope, Model};
use errare_tables::{Extent, FenError, Material, Metric, Source, SourceSpec, TableSource, tables_after};
use shakmaty::{Chess, Color};
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

    pub fn tables(&self) -> &TableSource {
        &self.tables
    }

    pub fn source(&self) -> Arc<dyn Source> {
        self.tables.source()
    }

    pub fn metric(&self, asked: Option<Metric>) -> Metric {
        self.tables.metric(asked, Metric::Dtc)
    }

    pub fn position(&self, fen: &str) -> Result<Chess, FenError> {
        self.tables.position(fen)
    }

    pub fn work<T>(&self, material: Material, metric: Metric, work: impl Fn() -> Result<T, EndgameError>) -> Result<T> {
        self.work_with(&tables_after(material, &[metric]), work)
    }

    pub fn work_with<T>(&self, needed: &[(Material, Metric)], work: impl Fn() -> Result<T, EndgameError>) -> Result<T> {
        let done = self.tables.with_tables(needed, self.terminal, work);
        self.terminal.clear();
        Ok(done?)
    }

    pub fn build_and_work<T>(
        &self,
        needed: &[(Material, Metric)],
        work: impl Fn() -> Result<T, EndgameError>,
    ) -> Result<T> {
        let done = self.tables.build_and_work(needed, self.terminal, work);
        self.terminal.clear();
        Ok(done?)
    }

    pub fn markov(
        &self,
        (material, metric): (Material, Metric),
        side: Color,
        extent: Extent,
        model: &Model,
        competences: &[Competence],
    ) -> Result<MarkovModel, EndgameError> {
        let scope = MarkovScope { material, metric, side, extent };
        MarkovModel::of_tables(&self.tables, scope, model, competences, self.terminal)
    }
}
