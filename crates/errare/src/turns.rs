//! The flags of every command that reads turns.

use crate::idle_flag::refuse;
use anyhow::{Result, ensure};
use clap::Args;
use errare_choice::{Curve, Relation};
use errare_lab::{CalibrationInput, ChoiceModelRequest, LabConfig, ScaleRequest, Text, TurnsRequest};
use errare_ratings::{FileKind, Method};
use std::path::PathBuf;

/// The turn files, and what is left open in them.
#[derive(Args, Debug)]
pub struct TurnFlags {
    /// Turn files: .parquet, or lines of JSON, plain, .gz or .zst; folders that `errare evaluate` wrote; `-` for lines of
    /// JSON on stdin
    #[arg(required = true, value_name = "TURNS")]
    files: Vec<PathBuf>,
    /// Engine and version, for turns that do not name them
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Depth of the evaluations, for turns that do not name it
    #[arg(long, value_name = "PLIES")]
    depth: Option<u16>,
    /// Net and options of the engine, for turns that do not name them
    #[arg(long, value_name = "TEXT")]
    settings: Option<String>,
    /// First move of a game that counts
    #[arg(long, default_value_t = 9, value_name = "MOVE")]
    first_move: u16,
    /// Leave out turns whose best move is further from 0 than this, in pawns, or `inf`
    #[arg(long, alias = "most-eval", default_value_t = 3.0, value_name = "PAWNS")]
    max_eval: f64,
    /// Also count positions that occurred before in the same game
    #[arg(long)]
    keep_repeats: bool,
}

/// Why flags about turns do nothing where no turns are read.
const WITHOUT_TURNS: &str = "without turn files, which it is about";

impl TurnFlags {
    /// Refuses flags about turns where there are none.
    pub fn refuse_without_files(&self) -> Result<()> {
        refuse(self.engine.is_some(), "--turns-engine", WITHOUT_TURNS)?;
        refuse(self.depth.is_some(), "--depth", WITHOUT_TURNS)?;
        refuse(self.settings.is_some(), "--settings", WITHOUT_TURNS)?;
        refuse(self.keep_repeats, "--keep-repeats", WITHOUT_TURNS)
    }

    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The engine as it was given.
    pub fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    /// The settings as they were given.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// Whether there are any files.
    pub fn has_files(&self) -> bool {
        !self.files.is_empty()
    }
}

impl From<TurnFlags> for TurnsRequest {
    fn from(flags: TurnFlags) -> TurnsRequest {
        let TurnFlags { files, engine, depth, settings, first_move, max_eval, keep_repeats } = flags;
        TurnsRequest { files, engine, depth, settings, first_move, max_eval: Some(max_eval), keep_repeats }
    }
}

/// How evaluations become losses.
#[derive(Args, Clone, Copy, Debug)]
pub struct ScaleFlags {
    /// Constant of the scale correction: a step at evaluation z counts dz / (1 + a |z|); 0 for none
    #[arg(long = "a", default_value_t = ScaleRequest::default().a, value_name = "A")]
    a: f64,
    /// Greatest loss, in pawns
    #[arg(long, default_value_t = ScaleRequest::default().cap, value_name = "PAWNS")]
    cap: f64,
}

impl From<ScaleFlags> for ScaleRequest {
    fn from(ScaleFlags { a, cap }: ScaleFlags) -> ScaleRequest {
        ScaleRequest { a, cap }
    }
}

/// The model of how players choose.
#[derive(Args, Debug)]
pub struct ModelFlags {
    /// Model: shares, powers or ratio [default: powers]
    #[arg(long)]
    model: Option<Relation>,
    /// Curve: invexp, ipa, ipb, secha or sechb [default: invexp]
    #[arg(long)]
    curve: Option<Curve>,
    /// Weights of the depths, where turns have several: the main depth first
    #[arg(long, value_name = "W,W,...", value_delimiter = ',')]
    weights: Vec<f64>,
}

impl From<ModelFlags> for ChoiceModelRequest {
    fn from(ModelFlags { model, curve, weights }: ModelFlags) -> ChoiceModelRequest {
        let usual = ChoiceModelRequest::default();
        ChoiceModelRequest {
            relation: model.map_or(usual.relation, Text),
            curve: curve.map_or(usual.curve, Text),
            weights,
        }
    }
}

impl ModelFlags {
    /// Refuses the flags of the formula where it is settled otherwise.
    pub fn refuse_formula(&self, why: &str) -> Result<()> {
        refuse(self.model.is_some(), "--model", why)?;
        refuse(self.curve.is_some(), "--curve", why)
    }
}

/// The turns that a calibration is made from, and how.
#[derive(Args, Debug)]
pub struct CalibrationFlags {
    #[command(flatten)]
    pub turns: TurnFlags,
    #[command(flatten)]
    scale: ScaleFlags,
    #[command(flatten)]
    model: ModelFlags,
    /// Method of fitting: percentile, likelihood or moments
    #[arg(long, default_value = "percentile")]
    method: Method,
}

impl From<CalibrationFlags> for CalibrationInput {
    fn from(CalibrationFlags { turns, scale, model, method }: CalibrationFlags) -> CalibrationInput {
        CalibrationInput { turns: turns.into(), scale: scale.into(), model: model.into(), method }
    }
}

/// The turns or games of players, and the calibration that they are rated by.
#[derive(Args, Debug)]
pub struct RatedFlags {
    #[command(flatten)]
    pub turns: TurnFlags,
    /// Calibration file, made by `errare calibrate` [default: one that comes with errare, if one suits the engine and the
    /// depth]
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Player: the exact name, or a part that only one name contains
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Games only: how deep to search, plain (10), or quick (6), which tells less of a turn but more for its time
    #[cfg(feature = "evaluate")]
    #[arg(long, conflicts_with = "depth")]
    pub preset: Option<errare_evaluate::Preset>,
}

impl RatedFlags {
    /// What the flags say of the lab: --engine is a program where games are rated.
    pub fn lab_config(&self) -> LabConfig {
        LabConfig { engine: self.turns.engine().and_then(|text| text.parse().ok()), ..LabConfig::default() }
    }

    /// The turns, the calibration and the player, where turns are rated that were evaluated before.
    pub fn of_turns(self) -> Result<(TurnFlags, Option<PathBuf>, Option<String>)> {
        #[cfg(feature = "evaluate")]
        refuse(self.preset.is_some(), "--preset", "with turns: they have been evaluated")?;
        Ok((self.turns, self.calibration, self.player))
    }

    /// Whether the files are games, which have to be evaluated first.
    pub fn are_games(&self) -> Result<bool> {
        let files = self.turns.files();
        let games = files.iter().filter(|path| FileKind::of_file(path) == Some(FileKind::Games)).count();
        ensure!(games == 0 || games == files.len(), "games and turns do not go together: give the one or the other");
        Ok(games > 0)
    }
}
