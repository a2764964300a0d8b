//! Assessing how well games were played in endgames that have tables.

mod annotate;
mod games;
mod response;

pub use response::{AssessResponse, AssessedGame, AssessedMove, AssessedPlayer, AssessedSegment, AssessmentEvent};

use crate::analysis::AnalysisRequest;
use crate::error::LabError;
use crate::lab::Lab;
use crate::model::ModelRequest;
use crate::operation::{Exposure, OnItem, Operation};
use crate::pgn_output::PgnOutput;
use annotate::annotations;
use errare_endgame::{Analysis, AssessedPlayers, Assessor, Coverage, EndgameError, Hold, Oracle, Stretch};
use errare_games::Game;
use errare_tables::{Metric, TableSource};
use errare_work::{Progress, Status};
use games::GameFiles;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Move;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Asks how well games were played in endgames that have tables.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssessRequest {
    /// Files of games in PGN; "-" for standard input.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Games in PGN, as text.
    #[serde(default)]
    pub pgn: Option<String>,
    /// Only players whose name contains this, whatever the case.
    #[serde(default)]
    pub player: Option<String>,
    /// Missing tables of up to so many men are built; larger ones are used if they are there.
    #[serde(default = "four")]
    pub men: u8,
    /// Whether the response holds players only, not games.
    #[serde(default)]
    pub brief: bool,
    /// The file to write the games to, with comments, in PGN.
    #[serde(default)]
    pub annotate: Option<PathBuf>,
    /// How fallible players choose.
    #[serde(default)]
    pub model: ModelRequest,
    /// How competence is assessed.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

fn four() -> u8 {
    4
}

impl AssessRequest {
    /// Assesses the games of a text in PGN, with defaults for the rest.
    #[must_use]
    pub fn of_pgn(pgn: impl Into<String>) -> AssessRequest {
        AssessRequest {
            files: Vec::new(),
            pgn: Some(pgn.into()),
            player: None,
            men: four(),
            brief: false,
            annotate: None,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}

/// What players hold if nothing is said.
const HOLD: Hold = Hold::Nothing;

/// Games held in memory at once.
const BATCH: usize = 256;

impl Operation for AssessRequest {
    const NAME: &'static str = "assess";
    const ABOUT: &'static str = "Assess how well games were played in endgames that have tables";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = AssessResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<AssessResponse, LabError> {
        let games = Mutex::new(Vec::new());
        let response = self.perform_each(lab, progress, &|event| {
            if let AssessmentEvent::Game(game) = event {
                games.lock().unwrap_or_else(PoisonError::into_inner).push((**game).clone());
            }
            Ok(())
        })?;
        Ok(AssessResponse { games: games.into_inner().unwrap_or_else(PoisonError::into_inner), ..response })
    }
}

impl AssessRequest {
    /// Assesses games, and hands each over as soon as it is assessed: the response holds none of them, so that memory
    /// does not grow with their number.
    ///
    /// # Errors
    /// As [`Lab::run`], and if `on_event` stops the work.
    pub(crate) fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_event: OnItem<'_, AssessmentEvent>,
    ) -> Result<AssessResponse, LabError> {
        let (tables, metric) = self.model.tables(lab)?;
        let analysis = self.analysis.analysis(self.model.model(HOLD))?;
        let mut response = AssessResponse {
            model: self.model.summary(metric, HOLD),
            grid: self.analysis.grid.0.0.to_string(),
            games: Vec::new(),
            players: Vec::new(),
            notes: Vec::new(),
        };
        let mut annotated = self.annotate.as_deref().map(|path| PgnOutput::create(path, &self.files)).transpose()?;
        let mut players = AssessedPlayers::new(&analysis, self.player.as_deref());
        let mut batches =
            Batches { coverage: Coverage::new(tables.clone(), metric, self.men.into()), tables, metric, analysis };
        let mut files = GameFiles::new(&self.files, self.pgn.as_deref())?;
        let mut is_first = true;
        while let Some(batch) = files.next_batch(BATCH, |name| players.wants(name), progress)? {
            let assessed = batches.assess(&batch, files.counts.games, progress)?;
            for (game, stretches) in batch.iter().zip(&assessed) {
                files.counts.covered += u64::from(!stretches.is_empty());
                players.add(games::names(game), stretches)?;
                if let Some(annotated) = &mut annotated {
                    annotated.write(game, &annotations(game, stretches, metric))?;
                }
                if self.brief {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    on_event(&AssessmentEvent::Started { model: response.model.clone(), grid: response.grid.clone() })?;
                }
                let game = AssessedGame::new(game, stretches, metric, |name| players.wants(name));
                on_event(&AssessmentEvent::Game(Box::new(game)))?;
            }
        }
        files.counts.check()?;
        if let Some(annotated) = annotated {
            annotated.finish()?;
        }
        response.players = players.iter().map(|(name, record)| AssessedPlayer::new(name, record)).collect();
        response.notes = files.counts.notes();
        Ok(response)
    }
}

impl Lab {
    /// Assesses games on the lab's threads, and hands each over as soon as it is assessed: the response holds none of
    /// them, so that memory does not grow with their number.
    ///
    /// # Errors
    /// As [`run`](Lab::run), and if `on_event` stops the work.
    pub fn assess_each(
        &self,
        request: &AssessRequest,
        progress: &dyn Progress,
        on_event: OnItem<'_, AssessmentEvent>,
    ) -> Result<AssessResponse, LabError> {
        self.install(progress, || request.perform_each(self, progress, on_event))
    }
}

/// Games are assessed batch by batch: a damaged table costs no more than one.
struct Batches {
    tables: TableSource,
    metric: Metric,
    analysis: Analysis,
    coverage: Coverage,
}

impl Batches {
    /// The stretches of each game.
    fn assess(&mut self, batch: &[Game], done: u64, progress: &dyn Progress) -> Result<Vec<Vec<Stretch>>, LabError> {
        for game in batch {
            progress.proceed()?;
            self.coverage.meet(game.end(), game.positions().map(|(_, position, _)| position));
        }
        let needed = self.coverage.needed();
        let covered = Some(Arc::clone(self.coverage.covered()));
        let assessed = self.tables.build_and_work(&needed, progress, || -> Result<_, EndgameError> {
            progress.report(&Status { done, ..Status::new("assessing", "games") });
            let oracle = Arc::new(Oracle::new(self.tables.source(), self.metric));
            let assessor = Assessor { oracle, analysis: self.analysis.clone(), covered: covered.clone() };
            let assess = |game: &Game| {
                let moves: Vec<Move> = game.moves().iter().map(|played| played.mv).collect();
                assessor.assess(game.start(), &moves, progress)
            };
            batch.par_iter().map(assess).collect::<Result<Vec<_>, EndgameError>>()
        })?;
        Ok(assessed)
    }
}
