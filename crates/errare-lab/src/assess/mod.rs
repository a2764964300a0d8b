//! Assessing how well games were played in endgames that have tables.

mod annotate;
mod board;
pub(crate) mod games;
mod left_out;
mod notes;
mod player;
mod players;
mod response;
mod rows;
mod worst;

pub use annotate::Glyph;
pub use board::{BoardMove, GameBoard};
pub use left_out::{LeftOutEndgame, LeftOutEndgames, Reason};
pub use players::{AssessedPart, AssessedPlayer, AssessedRecord, UnlistedPlayers};
pub use response::{
    AssessResponse, AssessedGame, AssessedMove, AssessedSegment, AssessmentEvent, GameHeading, GameTotals, GivenUp,
    MoveEffect, MoveHeading, Task, WorstMove,
};
pub use rows::{GameRow, RowMove, SideRow};

use crate::analysis::AnalysisRequest;
use crate::error::LabError;
use crate::lab::Lab;
use crate::model::ModelRequest;
use crate::operation::{Exposure, OnItem, Operation};
use crate::pgn_output::PgnOutput;
use crate::text::{Endgame, Text};
use annotate::annotations;
use errare_endgame::{Analysis, AssessedPlayers, Assessor, Coverage, EndgameError, Hold, Oracle, Stretch};
use errare_games::Game;
use errare_tables::{MAX_MEN_BUILT_ON_DEMAND, Metric, TableSource};
use errare_work::{Progress, Status, WorkFiles};
use games::{Batch, GameFiles, Source};
use notes::Circumstances;
use rayon::prelude::*;
use rows::GameRows;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Move;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use worst::WorstMoves;

/// Asks how well games were played in endgames that have tables.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AssessRequest {
    /// Files of games in PGN; "-" for standard input.
    pub files: Vec<PathBuf>,
    /// Games in PGN, as text.
    pub pgn: Option<String>,
    /// Only this player: the exact name, or a part of it that no other player's name contains, regardless of case.
    pub player: Option<String>,
    /// Only these endgames, as in KQKR; none for all.
    pub materials: Vec<Text<Endgame>>,
    /// Missing tables of up to this number of men are built; larger ones are used if they exist.
    pub men: u8,
    /// The detail in which the response holds each game.
    pub detail: GameDetail,
    /// Number of the worst moves that are listed, up to 10,000.
    pub worst: usize,
    /// The file to write the games to, with glyphs and comments, in PGN.
    pub annotate: Option<PathBuf>,
    /// The model of how fallible players choose.
    pub model: ModelRequest,
    /// The conditions by which competence is assessed.
    pub analysis: AnalysisRequest,
}

/// The detail in which a response holds each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GameDetail {
    /// No games: only players and the worst moves.
    None,
    /// A row of figures for each game, and the game in PGN with glyphs and comments: as much as a list of thousands of
    /// games needs. Players are without their posteriors.
    Rows,
    /// Every assessed move of each game.
    #[default]
    Moves,
    /// Every assessed move of each game, and for a board that follows the game all its moves with their positions.
    Boards,
}

impl Default for AssessRequest {
    fn default() -> AssessRequest {
        AssessRequest {
            files: Vec::new(),
            pgn: None,
            player: None,
            materials: Vec::new(),
            men: 4,
            detail: GameDetail::default(),
            worst: 20,
            annotate: None,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}

impl AssessRequest {
    /// Assesses the games of a text in PGN, with defaults for the rest.
    #[must_use]
    pub fn of_pgn(pgn: impl Into<String>) -> AssessRequest {
        AssessRequest { pgn: Some(pgn.into()), ..AssessRequest::default() }
    }
}

/// The values that players hold unless a request says otherwise.
const HOLD: Hold = Hold::Nothing;

/// The greatest number of worst moves that a request may ask for.
const MAX_WORST: usize = 10_000;

/// Number of games held in memory at once.
const BATCH: usize = 256;

impl Operation for AssessRequest {
    const NAME: &'static str = "assess";
    const ABOUT: &'static str = "Assess how well games were played in endgames that have tables";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = AssessResponse;

    fn files(&self) -> WorkFiles {
        let prior = self.analysis.prior.file().map(Path::to_owned);
        WorkFiles {
            inputs: self.files.iter().cloned().chain(prior).collect(),
            outputs: self.annotate.iter().cloned().collect(),
        }
    }

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
        lab.bound("men of tables to build", self.men.into(), MAX_MEN_BUILT_ON_DEMAND as u64)?;
        if self.worst > MAX_WORST {
            let reason = format!("invalid number of worst moves {}: expected at most {MAX_WORST}", self.worst);
            return Err(LabError::Request(reason));
        }
        let (tables, metric) = self.model.tables(lab)?;
        let analysis = self.analysis.analysis(self.model.model(HOLD), lab)?;
        let mut sources = Source::list(lab, &self.files, self.pgn.as_deref())?;
        let player = self.player.as_deref().map(|text| player::find(&mut sources, text, progress)).transpose()?;
        let mut annotated = self.annotate.as_deref().map(|path| PgnOutput::create(lab, path)).transpose()?;
        let mut players = AssessedPlayers::new(&analysis, player.as_deref());
        let mut worst = WorstMoves::new(self.worst);
        let mut batches = Batches { coverage: self.coverage(&tables, metric), tables, metric, analysis };
        let mut files = GameFiles::new(sources);
        let mut rows = GameRows::new(metric);
        let (model, grid) = (self.model.summary(metric, HOLD), self.analysis.grid.0.0.to_string());
        let mut is_first = true;
        while let Some(Batch { file, games }) = files.next_batch(BATCH, |name| players.wants(name), progress)? {
            let extent = Extent { done: files.counts.met() - games.len() as u64, total: files.expected() };
            let assessed = batches.assess(&games, |name| players.wants(name), extent, progress)?;
            for (game, stretches) in games.iter().zip(&assessed) {
                players.add(games::names(game), stretches)?;
                if let Some(annotated) = &mut annotated {
                    annotated.write(game, &annotations(game, stretches, metric))?;
                }
                files.counts.assessed += u64::from(!stretches.is_empty());
                worst.add_game(file.as_deref(), game, stretches, |name| players.wants(name));
                let wants = |name: &str| players.wants(name);
                let has_board = match self.detail {
                    GameDetail::None => continue,
                    GameDetail::Rows => {
                        rows.add(file.as_deref(), game, stretches, wants)?;
                        continue;
                    }
                    GameDetail::Moves => false,
                    GameDetail::Boards => true,
                };
                let game = AssessedGame::new(file.as_deref(), game, stretches, metric, wants, has_board);
                if std::mem::take(&mut is_first) {
                    on_event(&AssessmentEvent::Started { model: model.clone(), grid: grid.clone() })?;
                }
                on_event(&AssessmentEvent::Game(Box::new(game)))?;
            }
        }
        let counts = &files.counts;
        counts.check()?;
        if let Some(annotated) = annotated {
            annotated.finish()?;
        }
        let left_out: Vec<LeftOutEndgames> = batches.coverage.left_out().map(LeftOutEndgames::new).collect();
        let unlisted = players.unlisted();
        let endgames = self.endgames(&batches.tables, left_out.is_empty());
        let notes =
            Circumstances { counts, endgames: &endgames, player: player.as_deref(), left_out: &left_out, unlisted };
        Ok(AssessResponse {
            model,
            grid,
            men: self.men,
            games: Vec::new(),
            unlisted_games: rows.unlisted,
            index: rows.index,
            annotated: rows.annotated,
            players: players
                .into_assessments()
                .map(|player| {
                    Ok(AssessedPlayer::new(player?, &self.model.summary(metric, HOLD), self.detail != GameDetail::Rows))
                })
                .collect::<Result<_, LabError>>()?,
            worst: worst.into_moves(),
            totals: GameTotals {
                games: counts.games,
                assessed: counts.assessed,
                broken: counts.broken,
                duplicates: counts.copies,
            },
            notes: notes.notes(),
            left_out,
            unlisted: unlisted.into(),
        })
    }

    /// The endgames that are assessed if there are tables.
    fn coverage(&self, tables: &TableSource, metric: Metric) -> Coverage {
        let coverage = Coverage::new(tables.clone(), metric, self.men.into());
        if self.materials.is_empty() {
            return coverage;
        }
        coverage.only(self.materials.iter().map(|endgame| endgame.0.material).collect())
    }

    /// Describes in words the endgames that are assessed; not all that were asked for need have tables.
    fn endgames(&self, tables: &TableSource, all_have_tables: bool) -> String {
        if !self.materials.is_empty() {
            let names: Vec<String> = self.materials.iter().map(ToString::to_string).collect();
            let limit = if all_have_tables { "" } else { ", as far as there are tables" };
            return names.join(" or ") + limit;
        }
        match tables.our_library() {
            Some(_) => format!("an endgame of up to {} men", self.men),
            None => "an endgame that the source has tables of".to_owned(),
        }
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
        self.check_files(&request.files())?;
        self.install(progress, || request.perform_each(self, progress, on_event))
    }
}

/// The place of a batch among all games.
#[derive(Clone, Copy)]
struct Extent {
    /// Number of games before the batch.
    done: u64,
    /// Number of all games, if known.
    total: Option<u64>,
}

/// The assessment batch by batch: if a table proves damaged, no more than one batch is assessed again.
struct Batches {
    tables: TableSource,
    metric: Metric,
    analysis: Analysis,
    coverage: Coverage,
}

impl Batches {
    /// Finds the stretches of each game.
    fn assess(
        &mut self,
        batch: &[Game],
        wants: impl Fn(&str) -> bool,
        extent: Extent,
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<Stretch>>, LabError> {
        for game in batch {
            progress.proceed()?;
            let is_wanted = games::names(game).map(&wants);
            let positions = game.positions().map(|(_, position, _)| position);
            self.coverage.meet(game.end(), positions, |color| *is_wanted.get(color));
        }
        let needed = self.coverage.needed();
        let covered = Some(Arc::clone(self.coverage.covered()));
        let assessed = self.tables.build_and_work(&needed, progress, || -> Result<_, EndgameError> {
            let done = AtomicU64::new(extent.done);
            let report = || {
                let done = done.fetch_add(1, Ordering::Relaxed);
                progress.report(&Status { done, total: extent.total, ..Status::new("assessing", "games") });
            };
            let oracle = Arc::new(Oracle::new(self.tables.source(), self.metric));
            let assessor = Assessor { oracle, analysis: self.analysis.clone(), covered: covered.clone() };
            let assess = |game: &Game| {
                report();
                let moves: Vec<Move> = game.moves().iter().map(|played| played.mv).collect();
                assessor.assess(game.start(), &moves, progress)
            };
            batch.par_iter().map(assess).collect::<Result<Vec<_>, EndgameError>>()
        })?;
        Ok(assessed)
    }
}
