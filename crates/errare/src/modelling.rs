//! The flags of the model of fallible players, and of how their competence is assessed.

use crate::output::Format;
use clap::{Args, ValueEnum};
use errare_choice::Kappa;
use errare_endgame::{AgentSpec, Hold, Leaning};
use errare_lab::{AnalysisRequest, GridSpec, ModelRequest, Numeric, Side, Text};
use errare_tables::{Metric, SourceSpec};

/// Numbers of moves that a chain is followed for.
pub fn moves() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=1_000_000)
}

/// The list of agents, and examples, as help texts end with them.
pub fn agents_and(examples: &str) -> String {
    let agents = AgentSpec::LIST.iter().map(|agent| format!("  {}\n      {}\n", agent.syntax, agent.about));
    format!("Agents:\n{}\nExamples:\n{examples}", agents.collect::<String>())
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

/// How fallible players choose.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The model")]
pub struct ModelFlags {
    /// dtc, dtm, dtz, dtz50 (or another move rule) or dtr [default: dtc, or what the source knows]
    #[arg(long)]
    metric: Option<Metric>,
    /// Added to every depth before the power is taken: above 0, or 0+ for the limit
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    kappa: Kappa,
    /// What players never give up: nothing, wins or value
    /// [default: wins for match, markov and predict, nothing for choose, assess and contest]
    #[arg(long, value_name = "WHAT")]
    hold: Option<Hold>,
    /// Players never give up a win or a draw: the same as --hold value
    #[arg(long, conflicts_with = "hold")]
    keep_value: bool,
    /// Players avoid a lost position where there is anything else
    #[arg(long)]
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
    /// The flags as requests have them.
    pub fn request(&self) -> ModelRequest {
        ModelRequest {
            metric: self.metric.map(Text),
            kappa: Numeric(self.kappa),
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
    /// The competences thought possible: least:step:greatest
    #[arg(long, default_value_t, allow_hyphen_values = true, value_name = "MIN:STEP:MAX")]
    grid: GridSpec,
    /// The belief beforehand: uniform, normal:MEAN,SD, or a file with a posterior
    #[arg(long, default_value = "uniform")]
    prior: String,
}

impl AnalysisFlags {
    /// The flags as requests have them.
    pub fn request(&self) -> AnalysisRequest {
        AnalysisRequest { grid: Text(self.grid), prior: self.prior.clone().into() }
    }
}

/// A side of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SideFlag {
    #[default]
    White,
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
