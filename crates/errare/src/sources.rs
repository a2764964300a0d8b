//! Where a run's values come from: our tables, built when they are missing, or tables that others made.

use crate::progress::Progress;
use crate::settings::Settings;
use crate::workshop::Workshop;
use anyhow::{Result, bail};
use errare_choice::Competence;
use errare_endgame::{EndgameError, MarkovModel, Model};
use errare_tables::{
    Extent, FenError, MAX_MEN, MAX_MEN_WITH_PAWNS, Material, Metric, Source, SourceSpec, TableError, parse_fen_within,
};
use shakmaty::{Chess, Color};

/// The most men of a table that a mere question brings about.
pub const MOST_MEN_BY_THE_WAY: usize = 5;

/// Our tables or theirs.
pub struct Sources {
    workshop: Workshop,
    theirs: Option<Box<dyn Source>>,
}

impl Sources {
    /// Ours, unless others are named.
    pub fn open(settings: &Settings, spec: Option<&SourceSpec>) -> Result<Sources> {
        let theirs = spec.map(SourceSpec::open).transpose()?;
        Ok(Sources { workshop: Workshop::new(settings), theirs })
    }

    pub fn progress(&self) -> &Progress {
        &self.workshop.progress
    }

    pub fn workshop(&self) -> &Workshop {
        &self.workshop
    }

    /// Whether values are those of our tables.
    pub fn are_ours(&self) -> bool {
        self.theirs.is_none()
    }

    pub fn source(&self) -> &dyn Source {
        self.theirs.as_deref().unwrap_or(&self.workshop.library)
    }

    /// What to count to if nothing is said: the papers' DTC, or the only metric that others' tables know.
    pub fn metric(&self, asked: Option<Metric>) -> Metric {
        asked.unwrap_or_else(|| self.theirs.as_ref().map_or(Metric::Dtc, |source| source.metric()))
    }

    /// A position that the tables can be asked about.
    pub fn position(&self, fen: &str) -> Result<Chess, FenError> {
        parse_fen_within(fen, self.theirs.as_ref().map_or(MAX_MEN, |source| source.most_men()))
    }

    /// Does work that reads the tables of an endgame and of what comes after it, which are built if they are ours and
    /// missing, and built again if one proves damaged.
    pub fn work<T>(&self, material: Material, metric: Metric, work: impl Fn() -> Result<T, EndgameError>) -> Result<T> {
        self.work_with(&tables_after(material, &[metric]), work)
    }

    /// The same with tables named one by one, the endgame itself first.
    pub fn work_with<T>(&self, needed: &[(Material, Metric)], work: impl Fn() -> Result<T, EndgameError>) -> Result<T> {
        if let (Some(&(material, metric)), true) = (needed.first(), self.are_ours()) {
            refuse_unasked(&self.workshop, material, metric)?;
        }
        self.build_and_work(needed, work)
    }

    /// The same for tables that are known to be no trouble.
    pub fn build_and_work<T>(
        &self,
        needed: &[(Material, Metric)],
        work: impl Fn() -> Result<T, EndgameError>,
    ) -> Result<T> {
        if !self.are_ours() {
            return Ok(work()?);
        }
        self.workshop.plan(needed)?;
        let done = self.workshop.mending(&|_| (), |builder| {
            for &(material, metric) in needed {
                builder.ensure(material, metric)?;
            }
            match work() {
                Err(EndgameError::Table(error)) => Err(error),
                done => Ok(done),
            }
        })?;
        Ok(done?)
    }

    /// The Markov model of an endgame for one side, with progress: by rows if it is the whole of a table of ours.
    pub fn markov(
        &self,
        (material, metric): (Material, Metric),
        side: Color,
        extent: Extent,
        model: &Model,
        competences: &[Competence],
    ) -> Result<MarkovModel, EndgameError> {
        let progress = self.progress();
        progress.going_through(format!("going through {material}"));
        let told = |done, total| progress.done(done, total);
        let found = if self.are_ours() && matches!(extent, Extent::Whole) {
            MarkovModel::new(&self.workshop.library, material, metric, side, model, competences, &told)
        } else {
            MarkovModel::of_source(self.source(), material, metric, side, extent, model, competences, &told)
        };
        progress.clear();
        found
    }
}

/// The tables of an endgame and of what comes after it, in each of these metrics.
pub fn tables_after(material: Material, metrics: &[Metric]) -> Vec<(Material, Metric)> {
    let mut needed = Vec::new();
    metrics.iter().for_each(|&metric| add_tables(&mut needed, &after(material, metric), metric));
    needed
}

/// The same where play goes on to mate: every metric is asked in every endgame.
pub fn tables_to_mate(material: Material, metrics: impl IntoIterator<Item = Metric>) -> Vec<(Material, Metric)> {
    let reach = after(material, Metric::Dtm);
    let mut needed = Vec::new();
    metrics.into_iter().for_each(|metric| add_tables(&mut needed, &reach, metric));
    needed
}

fn add_tables(needed: &mut Vec<(Material, Metric)>, materials: &[Material], metric: Metric) {
    for &material in materials {
        if !needed.contains(&(material, metric)) {
            needed.push((material, metric));
        }
    }
}

/// Tables of a size that takes minutes and gigabytes are not built unless asked for by name.
pub fn refuse_unasked(workshop: &Workshop, material: Material, metric: Metric) -> Result<()> {
    if material.has_pawns() && material.men() > MAX_MEN_WITH_PAWNS {
        bail!(
            "{}; Syzygy tables reach further, if you have them: --source syzygy:DIR",
            TableError::TooManyWithPawns { material }
        );
    }
    if material.men() > MOST_MEN_BY_THE_WAY && !workshop.library.path(material, metric).exists() {
        bail!(
            "{material} has {} men: a table of that size takes minutes and gigabytes and is built only by name, \
             with `errare table build {material} --metric {metric}`",
            material.men()
        );
    }
    Ok(())
}

/// An endgame and the endgames that play goes on in: under DTC only the next ones, for a conversion ends the contest.
pub fn after(material: Material, metric: Metric) -> Vec<Material> {
    let mut found = vec![material];
    let mut next = 0;
    while let Some(&from) = found.get(next) {
        if next == 0 || metric != Metric::Dtc {
            for to in from.conversions().into_iter().filter(|to| to.men() > 2) {
                if !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        next += 1;
    }
    found
}
