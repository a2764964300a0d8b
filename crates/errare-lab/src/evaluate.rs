//! Evaluating the moves of games with an engine.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_evaluate::{
    EngineSpec, EvaluationJob, GameEvaluation, GameSource, Lines, OptionSetting, Rules, Shard, Summary, turn_files,
};
use errare_ratings::Selection;
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Asks for the moves of games to be evaluated. Evaluations that are done when the work stops are not repeated.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvaluateRequest {
    /// Files of games in PGN.
    pub files: Vec<PathBuf>,
    /// The engine: a file or a command, with arguments after spaces.
    pub engine: Text<EngineSpec>,
    /// Options of the engine, such as `Hash=256`.
    #[serde(default)]
    pub options: Vec<Text<OptionSetting>>,
    /// The folder for `turns.parquet`; `-` for lines of JSON on stdout instead.
    pub out: PathBuf,
    /// Depth of search, in plies as the engine counts them.
    #[serde(default = "ten")]
    pub depth: u16,
    /// Number of moves that the engine shows: `all`, or the best few.
    #[serde(default = "all_lines")]
    pub multipv: Text<Lines>,
    /// Number of engines at work at once; by default as many as the lab has threads.
    #[serde(default)]
    pub workers: Option<usize>,
    /// A share of the games, such as `2/8`: every eighth, from the second on.
    #[serde(default = "whole")]
    pub shard: Text<Shard>,
    /// Whether to write `turns.jsonl` too.
    #[serde(default)]
    pub jsonl: bool,
    /// The file of cached answers; by default `errare/evaluations.sqlite` in the user's cache folder.
    #[serde(default)]
    pub cache: Option<PathBuf>,
    /// Number of the first move of a game that counts.
    #[serde(default = "first_move")]
    pub first_move: u16,
    /// Whether to keep positions that came up earlier in their game.
    #[serde(default)]
    pub keep_repeats: bool,
    /// Whether to keep turns with one legal move.
    #[serde(default)]
    pub keep_forced: bool,
    /// Seconds that the engine may take for a position before it counts as hanging.
    #[serde(default = "ten_minutes")]
    pub patience_seconds: u64,
}

fn ten() -> u16 {
    10
}

fn all_lines() -> Text<Lines> {
    Text(Lines::All)
}

fn whole() -> Text<Shard> {
    Text(Shard::WHOLE)
}

fn first_move() -> u16 {
    Selection::default().first_move
}

fn ten_minutes() -> u64 {
    600
}

/// The result of evaluating games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EvaluateResponse {
    /// Number of games of the share that can be played through.
    pub games: u64,
    /// Number of broken games, which were skipped.
    pub broken_games: u64,
    /// Number of games that come again in the share, with the same players, date and moves; such games count once.
    #[serde(default)]
    pub copies: u64,
    /// Number of turns written.
    pub turns: u64,
    /// Number of turns evaluated by this run.
    pub evaluated: u64,
    /// Number of turns known before this run.
    pub known: u64,
    /// Number of turns that are missing because the engine failed at them.
    pub failed: u64,
    /// Number of turns left out because they come before the first move that counts.
    pub early: u64,
    /// Number of turns left out because there was one legal move.
    pub forced: u64,
    /// Number of turns left out because the position came up earlier in the game.
    pub repeated: u64,
    /// The name that the engine gives itself.
    pub engine: String,
    /// The depth of search.
    pub depth: u16,
    /// The net and the options of the engine.
    pub settings: String,
    /// The folder that the turns were written to; `-` for stdout.
    pub out: PathBuf,
}

impl Operation for EvaluateRequest {
    const NAME: &'static str = "evaluate";
    const ABOUT: &'static str = "Evaluate the moves of games with an engine";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = EvaluateResponse;

    fn files(&self) -> WorkFiles {
        let mut outputs = turn_files(&self.out, self.jsonl);
        outputs.extend(self.cache.clone());
        WorkFiles { inputs: self.files.clone(), outputs }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<EvaluateResponse, LabError> {
        let summary = self.job(lab)?.run(progress)?;
        Ok(EvaluateResponse::new(&summary, self.out.clone()))
    }
}

impl EvaluateRequest {
    /// The rules on which turns of which games are evaluated.
    pub(crate) fn rules(&self) -> Rules {
        let usual = Rules::default().selection;
        let selection = Selection { first_move: self.first_move, without_repeats: !self.keep_repeats, ..usual };
        Rules { selection, keep_forced: self.keep_forced, shard: *self.shard }
    }

    fn job(&self, lab: &Lab) -> Result<EvaluationJob, LabError> {
        lab.outside(&self.engine)?;
        let options: Vec<OptionSetting> = self.options.iter().map(|option| option.0.clone()).collect();
        let workers = self.workers.or(lab.config().threads).unwrap_or_else(rayon::current_num_threads);
        let evaluation = GameEvaluation {
            games: self.files.iter().cloned().map(GameSource::File).collect(),
            rules: self.rules(),
            whose: None,
            engine: self.engine.0.clone().with_options(&options),
            depth: self.depth,
            lines: *self.multipv,
            patience: Duration::from_secs(self.patience_seconds),
            workers: NonZeroUsize::new(workers)
                .ok_or_else(|| LabError::request("invalid workers 0: expected 1 or more"))?,
            cache: self.cache.clone().map_or_else(|| lab.config().evaluation_cache(), Ok)?,
        };
        Ok(EvaluationJob { evaluation, folder: self.out.clone(), jsonl: self.jsonl })
    }
}

impl EvaluateResponse {
    /// Makes the response to a share that has no games.
    pub(crate) fn without_games(broken_games: u64, request: &EvaluateRequest) -> EvaluateResponse {
        EvaluateResponse {
            games: 0,
            broken_games,
            copies: 0,
            turns: 0,
            evaluated: 0,
            known: 0,
            failed: 0,
            early: 0,
            forced: 0,
            repeated: 0,
            engine: String::new(),
            depth: request.depth,
            settings: String::new(),
            out: request.out.clone(),
        }
    }

    fn new(summary: &Summary, out: PathBuf) -> EvaluateResponse {
        let survey = summary.survey;
        EvaluateResponse {
            games: survey.games,
            broken_games: survey.broken,
            copies: survey.copies,
            turns: summary.written,
            evaluated: summary.evaluated,
            known: summary.known(),
            failed: summary.failed(),
            early: survey.left_out.early,
            forced: survey.left_out.forced,
            repeated: survey.left_out.repeated,
            engine: summary.engine.clone(),
            depth: summary.depth,
            settings: summary.settings.clone(),
            out,
        }
    }
}
