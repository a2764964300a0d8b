//! `errare predict`.

use crate::Verdict;
use crate::modelling::{AnalysisFlags, MOST_COMPETENCES, ModelFlags, Opponent, ToldModel, moves, opponent};
use crate::notation::{fen_of, state_of};
use crate::output::{Format, Grid, Output};
use crate::settings::Settings;
use crate::sources::Sources;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use errare_choice::{Competence, Depth, State};
use errare_endgame::{EndgameError, Forecast, Hold, Oracle};
use errare_tables::{Extent, Material};
use serde::Serialize;
use shakmaty::{Color, Position};
use std::collections::BTreeMap;

/// Predict how long a position takes, and how likely it is won in time
///
/// One side errs, with the competence given; the other does not. In a position that somebody wins the winner errs unless
/// --fallible says otherwise; in a drawn one the side that is weaker by its men. The Markov model of the endgame is
/// worked out for every competence that is thought possible, and the predictions are weighed by their probabilities.
///
/// Chances within so many moves count from the position's halfmove clock: after 20 moves without a capture or a pawn
/// move 30 are left of 50.
///
/// JSON: {"fen", "fallible", "competence", "model", "outcome", "depth", "expected_moves", "sd_moves", "within": {"50":
/// {"left", "won", "lost"}}, "condition"}: outcome and depth as the fallible side sees them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare predict 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --opponent 20
  errare predict 'K3r3/8/5k2/Q7/8/8/8/8 w - - 60 31' --opponent browne.json --within 50,75
  errare predict '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --opponent 10 --fallible black")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The side that errs: a competence, or a file with a posterior as `assess` writes it
    #[arg(long, allow_hyphen_values = true, value_name = "C|FILE")]
    opponent: Option<String>,
    /// Who errs [default: the winner; in a drawn position the weaker side]
    #[arg(long, value_enum)]
    fallible: Option<Side>,
    /// Chances within so many moves; several with commas
    #[arg(long, value_delimiter = ',', default_value = "50", value_name = "MOVES", value_parser = moves())]
    within: Vec<u32>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    analysis: AnalysisFlags,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

#[derive(Debug, Serialize)]
struct Prediction {
    fen: String,
    fallible: &'static str,
    competence: String,
    model: ToldModel,
    outcome: &'static str,
    depth: Option<u16>,
    expected_moves: f64,
    sd_moves: f64,
    within: BTreeMap<u32, Chances>,
    condition: f64,
}

#[derive(Debug, Serialize)]
struct Chances {
    left: u32,
    won: f64,
    lost: f64,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    flags.model.refuse_leanings()?;
    let sources = Sources::open(settings, flags.model.source.as_ref())?;
    let metric = sources.metric(flags.model.metric);
    let position = sources.position(&flags.fen.join(" "))?;
    if position.legal_moves().is_empty() {
        bail!("the game is over: {} has no legal move", crate::depth::side(position.turn()));
    }
    let (material, swapped) = Material::of_board(position.board());
    let model = flags.model.model(Hold::Wins);
    let (competences, probabilities, told): (Vec<Competence>, Vec<f64>, String) = match &flags.opponent {
        Some(text) => match opponent(text)? {
            Opponent::Point(c) => (vec![c], vec![1.0], c.to_string()),
            Opponent::Posterior(posterior) => {
                let told = format!("{:.2} expected, of {}", posterior.mean(), posterior.grid());
                (posterior.grid().competences(), posterior.probabilities().to_vec(), told)
            }
        },
        None => {
            let prior = flags.analysis.analysis(model.clone())?.prior().clone();
            let told = format!("{} beforehand", prior.grid());
            (prior.grid().competences(), prior.probabilities().to_vec(), told)
        }
    };
    if competences.len() > MOST_COMPETENCES {
        bail!("{} competences are too many for a Markov model: at most {MOST_COMPETENCES}", competences.len());
    }
    let gone = position.halfmoves() / 2;
    let left: Vec<u32> = flags.within.iter().map(|&moves| moves.saturating_sub(gone)).collect();
    let (state, fallible, forecast) = sources.work(material, metric, || {
        let oracle = Oracle::new(sources.source(), metric);
        let turn = position.turn();
        let state = oracle.state(&position)?;
        let weaker = if swapped { Color::White } else { Color::Black };
        let fallible = match (flags.fallible, state) {
            (Some(Side::White), _) => Color::White,
            (Some(Side::Black), _) => Color::Black,
            (None, State::Win(_)) => turn,
            (None, State::Loss(_)) => turn.other(),
            (None, State::Draw) => weaker,
        };
        // The table knows the side named first as White.
        let side = if swapped { fallible.other() } else { fallible };
        let chain = sources.markov((material, metric), side, Extent::Whole, &model, &competences)?;
        let told_state = if fallible == turn { state } else { state.reversed() };
        // An infallible side to move brings its own win a move nearer before the other one can err.
        let (seen, made) = match told_state {
            State::Loss(depth) if fallible != turn => (State::Loss(Depth(depth.0.saturating_sub(1))), 1),
            other => (other, 0),
        };
        let left: Vec<u32> = left.iter().map(|&moves| moves.saturating_sub(made)).collect();
        let from = chain.states().number(seen).ok_or(EndgameError::NoMove)?;
        let mut forecast = Forecast::new(&chain, &probabilities, from, &left, sources.progress())?;
        forecast.length += f64::from(made);
        Ok((told_state, fallible, forecast))
    })?;
    let (outcome, depth) = state_of(state);
    let within = flags.within.iter().zip(&left).zip(forecast.won_within.iter().zip(&forecast.lost_within));
    let prediction = Prediction {
        fen: fen_of(&position),
        fallible: fallible.fold_wb("white", "black"),
        competence: told,
        model: flags.model.told(metric, Hold::Wins),
        outcome,
        depth,
        expected_moves: forecast.length,
        sd_moves: forecast.sd,
        within: within.map(|((&moves, &left), (&won, &lost))| (moves, Chances { left, won, lost })).collect(),
        condition: forecast.condition,
    };
    prediction.print(flags.format)?;
    Ok(Verdict::Clean)
}

/// As many digits as mean something.
fn readable(number: f64) -> String {
    if number < 1e6 { format!("{number:.1}") } else { format!("{number:.2e}") }
}

impl Prediction {
    fn print(&self, format: Format) -> Result<()> {
        let mut output = Output::stdout();
        match format {
            Format::Json => output.json(self)?,
            Format::Csv => {
                let mut grid = Grid::new(&["within", "left", "won", "lost"]);
                for (moves, chances) in &self.within {
                    grid.push([
                        moves.to_string(),
                        chances.left.to_string(),
                        chances.won.to_string(),
                        chances.lost.to_string(),
                    ]);
                }
                output.csv(&grid)?;
            }
            Format::Table => {
                let depth = self.depth.map_or_else(String::new, |depth| format!(" in {depth} moves"));
                let side = if self.fallible == "white" { "White" } else { "Black" };
                output.line(&self.fen)?;
                output.line(&format!("{side} errs, competence {} ({})", self.competence, self.model.sentence()))?;
                output.line(&format!("for {side}: {}{depth} by {}", self.outcome, self.model.metric))?;
                let (length, sd) = (readable(self.expected_moves), readable(self.sd_moves));
                output.line(&format!("expected: {length} moves, sd {sd}"))?;
                for (moves, chances) in &self.within {
                    output.line(&format!(
                        "within {moves} moves ({} left): {side} has won with probability {:.4}, lost {:.4}",
                        chances.left, chances.won, chances.lost
                    ))?;
                }
            }
        }
        Ok(())
    }
}
