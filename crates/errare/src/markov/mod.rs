//! `errare markov`.

mod pictures;
mod report;

use crate::modelling::{Competences, ModelFlags, moves};
use crate::output::{Format, Output};
use crate::settings::Settings;
use crate::sources::Sources;
use crate::table::Sample;
use crate::{Verdict, say};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use errare_choice::Competence;
use errare_endgame::{Contest, Hold, MarkovModel};
use errare_lab::Endgame;
use errare_tables::{Extent, Metric};
use errare_work::write_whole;
use report::{Asked, Report};
use shakmaty::Color;
use std::path::PathBuf;

/// Model an endgame as a Markov chain: how long R_c takes to win it, and how likely in time
///
/// Every legal placement on the 64 squares counts once, with the side to move whose matrix it is. Lengths are expected
/// numbers of moves against an opponent who does not err (or, with --opponent, against another fallible player), from
/// each depth of a win of that side. By default a win is never given up; with --hold nothing a contest may also end in
/// a draw or a loss. White is the side named first.
///
/// The condition number is that of the equations solved (I - M with the row of the finished win fixed): digits of the
/// matrix that may be lost in the lengths. The elimination itself loses none.
///
/// JSON: {"material", "side", "metric", "kappa", "hold", "results": [{"competence", "lengths": [by depth], "sd": [by
/// depth], "win_within": {"50": [by depth]}, "condition", "draw": {"length", "lost", "drawn"}, "lost_lengths": [by
/// depth of the loss]}]}; infinite lengths are null. CSV: a row for each competence and depth.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare markov KQKR --competence 20,21
  errare markov KBBKN --competence 15:5:40 --within 50 --format json
  errare markov KQKR --competence 20 --matrix m20.csv --heat-map m20.svg
  errare markov KQKR --competence 15:5:40 --picture within --svg figure4.svg
  errare markov KQKR --side black --competence 20 --passage 200")]
pub struct Flags {
    /// The endgame, as KQKR
    #[arg(value_name = "MATERIAL")]
    endgame: Endgame,
    /// Competences: numbers and ranges, as in 20,21 or 15:5:40
    #[arg(long, short, allow_hyphen_values = true, value_name = "C,...")]
    competence: Competences,
    /// Side whose moves are modelled
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Competence of the other side, if it errs too
    #[arg(long, allow_hyphen_values = true, value_name = "C")]
    opponent: Option<Competence>,
    /// Numbers of moves within which to win, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "50", value_name = "MOVES", value_parser = moves())]
    within: Vec<u32>,
    /// Number of those moves already made
    #[arg(long, default_value_t = 0, value_name = "MOVES")]
    gone: u32,
    /// Show the states of contests after these numbers of moves
    #[arg(long, value_delimiter = ',', value_name = "MOVES", value_parser = moves())]
    after: Vec<u32>,
    /// Show the chances to win after exactly, and at most, 0 to MOVES moves
    #[arg(long, value_name = "MOVES", value_parser = moves())]
    passage: Option<u32>,
    /// Starting depth of --after and --passage [default: the deepest]
    #[arg(long, value_name = "DEPTH")]
    from_depth: Option<u16>,
    /// Write the matrices as CSV: competence, from, to, probability
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write a heat map of the matrix of the first competence as SVG
    #[arg(long, value_name = "FILE")]
    heat_map: Option<PathBuf>,
    /// Write a chart as SVG, with a line for each competence
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// What the chart shows
    #[arg(long, value_enum, default_value_t = Picture::Lengths, requires = "svg")]
    picture: Picture,
    #[command(flatten)]
    sample: Sample,
    #[command(flatten)]
    model: ModelFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    White,
    Black,
}

/// The figures of Andrist and Haworth (2005), with a line for each competence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// Expected length by depth (Figure 3)
    Lengths,
    /// Chance to win within --within moves, by depth (Figure 4)
    Within,
    /// Chance to win in at most m moves (Figure 1)
    AtMost,
    /// Chance to win in exactly m moves (Figure 2)
    Exactly,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    flags.model.refuse_leanings()?;
    let sources = Sources::open(settings, flags.model.source.as_ref())?;
    let metric = sources.metric(flags.model.metric);
    let (own, other) = survey(&flags, &sources, metric)?;
    let unmet = (1..=own.states().draw()).filter(|&state| own.weight(state) == 0.0).count();
    if unmet > 0 && matches!(flags.sample.extent(), Extent::Sample { .. }) {
        let states = if unmet == 1 { "1 state, which is" } else { &format!("{unmet} states, which are") };
        say(&format!("note: the sample has no position of {states} assumed to be played without error"));
    }
    let contests: Vec<Contest> = (0..own.competences().len())
        .map(|lane| match &other {
            None => own.against_infallible(lane),
            Some(other) => own.against(lane, other, 0),
        })
        .collect::<Result<_, _>>()?;
    let deepest = own.states().deepest_win().0;
    let from_depth = flags.from_depth.unwrap_or(deepest);
    if from_depth > deepest {
        bail!("invalid --from-depth {from_depth}: the deepest win of {} is {deepest}", side_name(flags.side));
    }
    if flags.within.iter().any(|&moves| moves < flags.gone) {
        bail!("invalid --gone {}: expected no more than --within", flags.gone);
    }
    let asked = Asked {
        within: flags.within.iter().map(|&moves| (moves, moves - flags.gone)).collect(),
        after: flags.after.clone(),
        passage: flags.passage,
        from_depth,
    };
    let told = flags.model.told(metric, Hold::Wins);
    let report =
        Report::new(&flags.endgame.to_string(), side_name(flags.side), told, flags.opponent, &own, &contests, &asked)?;
    if let Some(path) = &flags.matrix {
        write_whole(path, report::matrices_csv(&own)?)?;
    }
    if let Some(path) = &flags.heat_map {
        write_whole(path, pictures::heat_map(&report, &own)?.svg())?;
    }
    if let Some(path) = &flags.svg {
        write_whole(path, pictures::line_chart(flags.picture, &report, &contests, from_depth)?.svg())?;
    }
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&report)?,
        Format::Csv => output.csv(&report.grid(false))?,
        Format::Table => {
            output.line(&report.headline())?;
            output.line("")?;
            output.grid(&report.grid(true))?;
            report.notes().iter().try_for_each(|note| output.line(note))?;
            if let Some(grid) = report.passages() {
                output.line("")?;
                output.grid(&grid)?;
            }
        }
    }
    Ok(Verdict::Clean)
}

/// The models of the chosen side, and of the other one if it errs too.
fn survey(flags: &Flags, sources: &Sources, metric: Metric) -> Result<(MarkovModel, Option<MarkovModel>)> {
    let material = flags.endgame.material;
    // White is the side typed first, which may be Black in the table.
    let color = if (flags.side == Side::White) != flags.endgame.swapped { Color::White } else { Color::Black };
    let model = flags.model.model(Hold::Wins);
    let go_through = |side: Color, competences: &[Competence]| {
        sources.markov((material, metric), side, flags.sample.extent(), &model, competences)
    };
    sources.work(material, metric, || {
        let own = go_through(color, &flags.competence.0)?;
        let other = flags.opponent.map(|c| go_through(color.other(), &[c])).transpose()?;
        Ok((own, other))
    })
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}
