//! `errare choose`.

use crate::Exit;
use crate::idle_flag::refuse;
use crate::modelling::{PlayerFlags, agents_and};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_endgame::{AgentKind, AgentSpec};
use errare_lab::{ChooseRequest, GridSpec, Numeric, Text};
use errare_terminal::Output;
use errare_work::write_whole;
use std::path::PathBuf;

/// Let an agent choose a move, and show how it compares the moves
///
/// The agent is written with its parameters, as in `errare match`: `player:20`, `predator:20,plies=4`. A predator without a
/// competence expects the opponent that --grid and --prior describe. A strategy counts the halfmove clock of the FEN
/// towards the rule (see `errare line --help`).
///
/// The state of a move is the depth of the position it leads to, in moves of the winner. The preference is S_c of that
/// state. The expectation is what the agent compares moves by: an expected depth in moves, in drawn positions the
/// chance that the opponent gives up the draw, for the emulator the competence it would seem to have.
///
/// With --sweep the predator's expectations are shown against opponents of a range of competences, with the
/// crossovers between moves: which move is best against whom.
///
/// JSON: see `errare schema choose`. CSV: a row for each move, or with --sweep for each competence and move.
#[derive(Args, Debug)]
#[command(after_help = agents_and("\
  errare choose 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --agent player:20
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator:20 --keep-value --kappa 0+
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --sweep 0:50 --keep-value --kappa 0+ --svg figure5.svg
  errare choose '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --agent levy:plies=4
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator:inf,metric=dtm,scope=keeping
  errare choose '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --agent strategy:SMC"))]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The agent that chooses, such as player:20 [default: predator with --sweep]
    #[arg(long, value_name = "AGENT", required_unless_present = "sweep")]
    agent: Option<AgentSpec>,
    /// Compare moves against opponents of these competences, as 0:50 or 0:0.5:50
    #[arg(long, allow_hyphen_values = true, value_name = "MIN[:STEP]:MAX")]
    sweep: Option<GridSpec>,
    /// Write a chart of the sweep as SVG; `-` for stdout, instead of the choice
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    rule: RuleFlags,
    #[command(flatten)]
    players: PlayerFlags,
}

/// Refuses flags that do nothing for the agent that was asked for.
fn refuse_idle(flags: &Flags) -> Result<()> {
    refuse(flags.svg.is_some() && flags.sweep.is_none(), "--svg", "without --sweep, which it draws")?;
    let Some(agent) = &flags.agent else { return Ok(()) };
    let kind = agent.kind();
    if kind != AgentKind::Strategy {
        let why = format!("with the agent `{agent}`, as only strategies play under a move rule");
        refuse(flags.rule.given().is_some(), "--rule", &why)?;
    }
    if !matches!(agent, AgentSpec::Predator { opponent: None, .. }) {
        let why = format!("with the agent `{agent}`, as only a predator without a competence makes assumptions");
        flags.players.analysis.refuse(&why)?;
    }
    if !matches!(kind, AgentKind::Player | AgentKind::Emulator | AgentKind::Predator) {
        flags.players.model.refuse_choosing(&format!("with the agent `{agent}`, who does not choose by the model"))?;
    }
    Ok(())
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    refuse_idle(&flags)?;
    let request = ChooseRequest {
        fen: flags.fen.join(" "),
        agent: flags.agent.map(|agent| Text(agent.into())),
        sweep: flags.sweep.map(Text),
        chart: flags.svg.is_some(),
        seed: flags.seed,
        rule: Numeric(flags.rule.rule()),
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
        ..ChooseRequest::default()
    };
    let mut found = settings.run_for(&request, &Vec::from_iter(&flags.svg))?;
    // The chart goes to its file instead of the output.
    if let (Some(path), Some(chart)) = (&flags.svg, found.chart.take()) {
        write_whole(path, chart)?;
    }
    let mut output = Output::beside(flags.svg.as_deref());
    output.response(flags.players.format, &found, |output, found| {
        output.lines([found.fen.as_str(), &found.headline(), ""])?;
        let heading = found.figure.map_or("expectation", |figure| figure.name());
        let is_rounded = |column: &str| matches!(column, "preference" | "probability" | "expectation");
        let candidates = found.candidate_sheet().without("uci").formatted(is_rounded, short);
        output.table(&candidates.renamed("expectation", heading))?;
        output.lines(found.sweep_sentences())
    })?;
    Ok(Exit::Clean)
}

/// Formats a number with the digits that people need.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 1e-4 => format!("{value:.2e}"),
        size if size < 10.0 => format!("{value:.4}"),
        size if size < 1e6 => format!("{value:.3}"),
        _ => format!("{value:.3e}"),
    }
}
