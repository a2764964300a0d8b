//! The flags of the model of fallible players, and of how their competence is assessed.

use crate::idle_flag::refuse;
use crate::limits;
use anyhow::Result;
use clap::{Args, ValueEnum};
use errare_choice::Kappa;
use errare_endgame::{AgentInfo, AgentSpec, Hold, Leaning};
use errare_lab::{AnalysisRequest, GameConditions, GridSpec, ModelRequest, Numeric, Side, Text};
use errare_tables::{Metric, SourceSpec};
use errare_terminal::Format;
use std::path::PathBuf;

/// Numbers of moves that a chain is followed for.
pub fn moves() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=1_000_000)
}

/// Examples and the list of agents, as the notes of a command.
pub fn agents_and(examples: &str) -> String {
    listed(AgentSpec::LIST.iter(), examples)
}

/// The list of agents that can play matches, engines among them, and examples.
pub fn players_and(examples: &str) -> String {
    listed(AgentSpec::players(), examples)
}

fn listed(agents: impl Iterator<Item = &'static AgentInfo>, examples: &str) -> String {
    let agents = agents.map(|agent| format!("  {}\n      {}\n", agent.syntax, agent.about));
    format!("Examples:\n  {}\n\nAgents:\n{}", examples.trim(), agents.collect::<String>())
}

/// What commands about players in endgames share: the model, how competence is assessed, and the output.
#[derive(Args, Clone, Debug)]
pub struct PlayerFlags {
    #[command(flatten)]
    pub model: ModelFlags,
    #[command(flatten)]
    pub analysis: AnalysisFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What commands that let engines and agents play share.
#[derive(Args, Clone, Debug)]
pub struct GameFlags {
    /// Seconds that an engine may take for a move to a depth or a number of nodes, before it counts as hanging
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = limits::patience())]
    patience: u64,
    /// Write the games as PGN; `-` for stdout, instead of the results
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    pub players: PlayerFlags,
}

impl GameFlags {
    /// The flags as requests have them.
    pub fn request(&self) -> GameConditions {
        GameConditions {
            patience_seconds: self.patience,
            pgn: self.pgn.clone(),
            model: self.players.model.request(),
            analysis: self.players.analysis.request(),
        }
    }
}

/// How fallible players choose.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The model")]
pub struct ModelFlags {
    /// Metric of the depths: dtc, dtm, dtz, dtz50 (or another move rule) or dtr [default: dtc, or what the source knows]
    #[arg(long)]
    metric: Option<Metric>,
    /// Added to every depth before the power is taken: above 0, or 0+ for the limit [default: 1]
    #[arg(long, allow_negative_numbers = true)]
    kappa: Option<Kappa>,
    /// What players never give up: nothing, wins or value
    /// [default: wins for match, markov and predict, nothing for choose, assess, contest, draw and play]
    #[arg(long, value_name = "WHAT")]
    hold: Option<Hold>,
    /// Players never give up a win or a draw: the same as --hold value
    #[arg(long, conflicts_with = "hold")]
    keep_value: bool,
    /// Players avoid a lost position where there is anything else; with --keep-value they do so anyway
    #[arg(long, conflicts_with = "keep_value")]
    avoid_loss: bool,
    /// Players see so many moves ahead: they find wins, and avoid losses, that near
    #[arg(long, value_name = "MOVES")]
    horizon: Option<u16>,
    /// Make moves of a kind more or less likely, as in check=2 or rook=0.5: check, capture, approach, confine, a piece
    #[arg(long, value_name = "TRAIT=FACTOR", value_delimiter = ',')]
    lean: Vec<Leaning>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
}

impl ModelFlags {
    /// The metric that was asked for.
    pub fn metric(&self) -> Option<Metric> {
        self.metric
    }

    /// Whether tables elsewhere are asked.
    pub fn has_source(&self) -> bool {
        self.source.is_some()
    }

    /// Refuses flags of how players choose, where nobody chooses like that.
    pub fn refuse_choosing(&self, why: &str) -> Result<()> {
        refuse(self.kappa.is_some(), "--kappa", why)?;
        refuse(self.hold.is_some(), "--hold", why)?;
        refuse(self.keep_value, "--keep-value", why)?;
        refuse(self.avoid_loss, "--avoid-loss", why)?;
        refuse(self.horizon.is_some(), "--horizon", why)?;
        refuse(!self.lean.is_empty(), "--lean", why)
    }

    /// The flags as requests have them.
    pub fn request(&self) -> ModelRequest {
        ModelRequest {
            metric: self.metric.map(Text),
            kappa: self.kappa.map_or(ModelRequest::default().kappa, Numeric),
            hold: if self.keep_value { Some(Text(Hold::Value)) } else { self.hold.map(Text) },
            avoid_loss: self.avoid_loss,
            horizon: self.horizon,
            leanings: self.lean.iter().copied().map(Text).collect(),
            source: self.source.clone().map(Text),
        }
    }
}

/// How players are assessed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Assessing")]
pub struct AnalysisFlags {
    /// The competences thought possible: least:step:greatest [default: 0:1:50]
    #[arg(long, allow_hyphen_values = true, value_name = "MIN:STEP:MAX")]
    grid: Option<GridSpec>,
    /// The belief beforehand: uniform, normal:MEAN,SD, or a file with a posterior [default: uniform]
    #[arg(long)]
    prior: Option<String>,
}

impl AnalysisFlags {
    /// The flags as requests have them.
    pub fn request(&self) -> AnalysisRequest {
        let usual = AnalysisRequest::default();
        AnalysisRequest {
            grid: self.grid.map_or(usual.grid, Text),
            prior: self.prior.clone().map_or(usual.prior, Into::into),
        }
    }

    /// Refuses these flags where no competence is assessed.
    pub fn refuse(&self, why: &str) -> Result<()> {
        refuse(self.grid.is_some(), "--grid", why)?;
        refuse(self.prior.is_some(), "--prior", why)
    }
}

/// A side of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SideFlag {
    #[default]
    #[value(alias = "w")]
    White,
    #[value(alias = "b")]
    Black,
}

impl From<SideFlag> for Side {
    fn from(side: SideFlag) -> Side {
        match side {
            SideFlag::White => Side::White,
            SideFlag::Black => Side::Black,
        }
    }
}
