//! The meaning of a competence: the competence of players of an Elo, by endgame and task.

use crate::assess::games::{Batch, GameFiles, Source, names};
use crate::default_metric::MODEL_METRIC;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::text::{Endgame, Text};
use errare_choice::Kappa;
use errare_endgame::{
    CompetenceObserver, CompetenceScale, Coverage, EndgameError, EndingTask, Habits, LogLikelihood, Model,
    ObservedPlayers, Oracle, Task,
};
use errare_games::Game;
use errare_tables::{MAX_MEN_BUILT_ON_DEMAND, Material};
use errare_work::{Progress, Status, WorkFiles};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Position};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Asks for the competence of players of an Elo, by endgame and task, from games whose tags have ratings.
///
/// Players are modelled as by default: depths to conversion, kappa 1, and nothing that they never give up.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompetenceScaleRequest {
    /// Files of games in PGN, with the tags WhiteElo and BlackElo; "-" for standard input.
    pub files: Vec<PathBuf>,
    /// Only these endgames, as in KQKR; none for all.
    #[serde(default)]
    pub materials: Vec<Text<Endgame>>,
    /// Missing tables of up to this number of men are built; larger ones are used if they exist.
    #[serde(default = "four")]
    pub men: u8,
    /// The file to write the scale to; `-` for stdout.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// A description of the games, for a scale that others will use; null for the names of the files.
    #[serde(default)]
    pub about: Option<String>,
}

fn four() -> u8 {
    4
}

/// A competence scale, with the number of games that it was estimated from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CompetenceScaleResponse {
    /// The scale, as it is in its file.
    pub scale: CompetenceScale,
    /// Number of games in which a rated player had a choice.
    pub games: u64,
    /// Number of different games that were read.
    pub read: u64,
}

/// Number of games held in memory at once.
const BATCH: usize = 256;

/// The range of plausible ratings: those outside are slips, or not Elo.
const ELOS: std::ops::RangeInclusive<f64> = 1000.0..=3000.0;

impl Operation for CompetenceScaleRequest {
    const NAME: &'static str = "scale";
    const ABOUT: &'static str = "Estimate the competence of players of an Elo, by endgame and task";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = CompetenceScaleResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: self.files.clone(), outputs: self.out.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<CompetenceScaleResponse, LabError> {
        lab.outside_files(&self.files)?;
        lab.bound("men of tables to build", self.men.into(), MAX_MEN_BUILT_ON_DEMAND as u64)?;
        let tables = lab.source(None)?;
        let kappa = Kappa::ONE;
        let observer = CompetenceObserver::new(Model::power_law(kappa, Habits::default()))?;
        let mut coverage = Coverage::new(tables.clone(), MODEL_METRIC, self.men.into());
        if !self.materials.is_empty() {
            coverage = coverage.only(self.materials.iter().map(|endgame| endgame.0.material).collect());
        }
        let mut files = GameFiles::new(Source::list(lab, &self.files, None)?);
        let mut observed = ObservedPlayers::default();
        let mut used = 0;
        while let Some(Batch { games, .. }) = files.next_batch(BATCH, |_| true, progress)? {
            let rated: Vec<&Game> = games.iter().filter(|game| ratings(game).iter().any(Option::is_some)).collect();
            for game in &rated {
                progress.proceed()?;
                coverage.meet(game.end(), game.positions().map(|(_, position, _)| position), |_| true);
            }
            let needed = coverage.needed();
            let covered = Arc::clone(coverage.covered());
            let read = files.counts.met();
            progress.report(&Status { done: read, ..Status::new("observing", "games") });
            let seen = tables.build_and_work(&needed, progress, || -> Result<_, EndgameError> {
                let oracle = Oracle::new(tables.source(), MODEL_METRIC);
                let observe = |game: &&Game| seen_in(game, &oracle, &observer, &covered, progress);
                rated.par_iter().map(observe).collect::<Result<Vec<_>, EndgameError>>()
            })?;
            for (number, (game, seen)) in (read..).zip(rated.iter().zip(seen)) {
                used += u64::from(!seen.is_empty());
                for ((color, ending), moves) in seen {
                    let name = match *names(game).get(color) {
                        // Players without a name are not taken for one.
                        "?" => format!("? {number} {color:?}"),
                        name => name.to_owned(),
                    };
                    if let Some(elo) = *ratings(game).get(color) {
                        observed.add(ending, &name, elo, &moves);
                    }
                }
            }
        }
        files.counts.check()?;
        let paths = self.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        let data = format!("{}: {used} games with a choice of a rated player", self.about.as_ref().unwrap_or(&paths));
        let scale = CompetenceScale::fit(&observed, (MODEL_METRIC, 1.0), data, progress)?;
        if let Some(path) = &self.out {
            let text = serde_json::to_string_pretty(&scale);
            let text = text.map_err(|_| LabError::Internal("a scale that is no JSON"))?;
            lab.outside_path(path)?.write(path, &(text + "\n"))?;
        }
        Ok(CompetenceScaleResponse { scale, games: used, read: files.counts.games })
    }
}

/// The ratings of the players, as far as they are known.
fn ratings(game: &Game) -> ByColor<Option<f64>> {
    let rating = |tag: &str| game.tag(tag)?.trim().parse::<f64>().ok().filter(|elo| ELOS.contains(elo));
    ByColor { white: rating("WhiteElo"), black: rating("BlackElo") }
}

/// The moves with a choice, by player, endgame and task.
type SeenMoves = Vec<((Color, EndingTask), Vec<LogLikelihood>)>;

/// Collects the moves with a choice that a game shows of each player, by endgame and task.
fn seen_in(
    game: &Game,
    oracle: &Oracle,
    observer: &CompetenceObserver,
    covered: &HashSet<Material>,
    progress: &dyn Progress,
) -> Result<SeenMoves, EndgameError> {
    let mut seen = SeenMoves::new();
    for (_, position, played) in game.positions() {
        let (material, _) = Material::of_board(position.board());
        if position.castles().any() || material.men() < 3 || !covered.contains(&material) {
            continue;
        }
        progress.proceed()?;
        let options = oracle.options(&position)?;
        let chosen = options.find(played.mv).ok_or(EndgameError::NoMove)?;
        let key = (position.turn(), (material, Task::of(options.state)));
        let Some(likelihood) = observer.observe(&options, chosen)? else { continue };
        match seen.iter_mut().find(|(known, _)| *known == key) {
            Some((_, moves)) => moves.push(likelihood),
            None => seen.push((key, vec![likelihood])),
        }
    }
    Ok(seen)
}
