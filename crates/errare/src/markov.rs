//! `errare markov`.

use crate::idle_flag::refuse;
use crate::modelling::{ModelFlags, SideFlag, moves};
use crate::settings::Settings;
use crate::table::Sample;
use crate::{Exit, say};
use anyhow::Result;
use clap::{Args, ValueEnum};
use errare_choice::Competence;
use errare_lab::{CompetenceList, CompetencesRequest, Endgame, MarkovChart, MarkovRequest, Numeric, Text};
use errare_terminal::{Format, Output};
use errare_work::write_whole;
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
/// JSON: see `errare schema markov`; matrices and charts go to their files instead. CSV: a row for each competence and
/// depth.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare markov KQKR --competence 20,21
  errare markov KBBKN --competence 15:5:40 --within 50 --format json
  errare markov KQKR --competence 20 --matrix m20.csv --heat-map m20.svg
  errare markov KQKR --competence 15:5:40 --picture within --svg figure4.svg
  errare markov KQKR --side black --competence 20 --passage 200
  errare markov KPK --competence 12 --metric dtm --blocks")]
pub struct Flags {
    /// The endgame, as KQKR
    #[arg(value_name = "MATERIAL")]
    endgame: Endgame,
    /// Competences: numbers and ranges, as in 20,21 or 15:5:40
    #[arg(long, short, allow_hyphen_values = true, value_name = "C,...")]
    competence: CompetenceList,
    /// Side whose moves are modelled
    #[arg(long, value_enum, default_value_t)]
    side: SideFlag,
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
    /// Write the matrices as CSV: competence, from, to, probability; `-` for stdout, instead of the results
    #[arg(long, value_name = "FILE")]
    matrix: Option<PathBuf>,
    /// Write a heat map of the matrix of the first competence as SVG; `-` for stdout, instead of the results
    #[arg(long, value_name = "FILE")]
    heat_map: Option<PathBuf>,
    /// Write a chart as SVG, with a line for each competence; `-` for stdout, instead of the results
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// What the chart shows [default: lengths]
    #[arg(long, value_enum)]
    picture: Option<Picture>,
    /// Give each endgame that may follow states of its own, so that play goes on past conversions (dtm or dtr)
    #[arg(long)]
    blocks: bool,
    #[command(flatten)]
    sample: Sample,
    #[command(flatten)]
    model: ModelFlags,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
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

impl From<Picture> for MarkovChart {
    fn from(picture: Picture) -> MarkovChart {
        match picture {
            Picture::Lengths => MarkovChart::Lengths,
            Picture::Within => MarkovChart::Within,
            Picture::AtMost => MarkovChart::AtMost,
            Picture::Exactly => MarkovChart::Exactly,
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    refuse(flags.picture.is_some() && flags.svg.is_none(), "--picture", "without --svg FILE, which it is drawn to")?;
    let picture = flags.picture.unwrap_or(Picture::Lengths);
    let starts = !flags.after.is_empty()
        || flags.passage.is_some()
        || (flags.svg.is_some() && matches!(picture, Picture::AtMost | Picture::Exactly));
    refuse(
        flags.from_depth.is_some() && !starts,
        "--from-depth",
        "without --after, --passage, or a picture at-most or exactly, as lengths are shown from every depth",
    )?;
    let charts = [(MarkovChart::HeatMap, flags.heat_map), (picture.into(), flags.svg)];
    let (sample, seed) = flags.sample.draws()?;
    let request = MarkovRequest {
        material: Text(flags.endgame),
        competence: CompetencesRequest::Text(Text(flags.competence)),
        side: flags.side.into(),
        opponent: flags.opponent.map(Numeric),
        within: flags.within,
        gone: flags.gone,
        after: flags.after,
        passage: flags.passage,
        from_depth: flags.from_depth,
        matrices: flags.matrix.is_some(),
        charts: charts.iter().filter(|(_, path)| path.is_some()).map(|(chart, _)| *chart).collect(),
        sample,
        seed,
        blocks: flags.blocks,
        model: flags.model.request(),
    };
    let outputs: Vec<&PathBuf> =
        flags.matrix.iter().chain(charts.iter().filter_map(|(_, path)| path.as_ref())).collect();
    let mut found = settings.run_for(&request, &outputs)?;
    found.notes.iter().for_each(|note| say(&format!("note: {note}")));
    if let Some(path) = &flags.matrix {
        write_whole(path, found.matrix_sheet().to_csv())?;
        found.matrices.clear();
    }
    for (chart, path) in &charts {
        if let (Some(path), Some(svg)) = (path, found.charts.remove(chart)) {
            write_whole(path, svg)?;
        }
    }
    let mut output = Output::beside(outputs.iter().map(|path| path.as_path()));
    output.response(flags.format, &found, |output, found| {
        output.lines([&found.headline(), ""])?;
        output.table(&found.table())?;
        output.lines(found.sentences())?;
        match found.passage_table() {
            Some(passages) => output.line("").and_then(|()| output.table(&passages)),
            None => Ok(()),
        }
    })?;
    Ok(Exit::Clean)
}
