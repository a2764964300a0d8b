//! The flags that say how fallible players are thought to choose, and how they are assessed.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use errare_choice::{Competence, Grid, Kappa, Posterior, Prior};
use errare_endgame::{Analysis, Habits, Hold, Leaning, Model};
use errare_tables::{Metric, SourceSpec};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::str::FromStr;

/// The most competences of a Markov model, and the most points of a grid to assess with: each pair of states needs a
/// number for each.
pub const MOST_COMPETENCES: usize = 1000;
const MOST_POINTS: usize = 2001;

/// Numbers of moves that a chain is followed for.
pub fn moves() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=1_000_000)
}

/// How fallible players choose.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The model")]
pub struct ModelFlags {
    /// dtc, dtm, dtz, dtz50 (or another move rule) or dtr [default: dtc, or what the source knows]
    #[arg(long)]
    pub metric: Option<Metric>,
    /// Added to every depth before the power is taken: above 0, or 0+ for the limit
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    pub kappa: Kappa,
    /// What a player never lets go of: nothing, wins or value
    /// [default: wins for match, markov and predict, nothing for choose, assess and contest]
    #[arg(long, value_name = "WHAT")]
    pub hold: Option<Hold>,
    /// A player never lets go of a win or a draw: the same as --hold value
    #[arg(long, conflicts_with = "hold")]
    pub keep_value: bool,
    /// A player avoids a lost position where there is anything else
    #[arg(long)]
    pub avoid_loss: bool,
    /// A player sees so many moves ahead: finds wins, and avoids losses, that near
    #[arg(long, value_name = "MOVES")]
    pub horizon: Option<u16>,
    /// A player is fond or shy of moves, as in check=2 or rook=0.5: check, capture, approach, confine, a piece
    #[arg(long, value_name = "TRAIT=FACTOR", value_delimiter = ',')]
    pub lean: Vec<Leaning>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere
    #[arg(long, value_name = "KIND:DIR")]
    pub source: Option<SourceSpec>,
}

impl ModelFlags {
    /// A Markov model averages over states.
    pub fn refuse_leanings(&self) -> Result<()> {
        if self.lean.is_empty() { Ok(()) } else { bail!("a Markov model knows states and no moves: leave --lean out") }
    }

    /// The model, with something to hold where nothing is said.
    pub fn model(&self, hold: Hold) -> Model {
        Model::power_law(self.kappa, self.habits(hold))
    }

    pub fn habits(&self, hold: Hold) -> Habits {
        let said = if self.keep_value { Some(Hold::Value) } else { self.hold };
        Habits {
            hold: said.unwrap_or(hold),
            avoid_loss: self.avoid_loss,
            horizon: self.horizon,
            leanings: self.lean.clone(),
        }
    }

    /// What outputs say of the model.
    pub fn told(&self, metric: Metric, hold: Hold) -> ToldModel {
        let habits = self.habits(hold);
        ToldModel {
            metric: metric.to_string(),
            kappa: Number::from(self.kappa),
            hold: habits.hold.to_string(),
            avoid_loss: habits.avoid_loss,
            horizon: habits.horizon,
            leanings: habits.leanings.iter().map(ToString::to_string).collect(),
        }
    }
}

/// The parameters of a model, as outputs name them.
#[derive(Clone, Debug, Serialize)]
pub struct ToldModel {
    pub metric: String,
    pub kappa: Number,
    pub hold: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub avoid_loss: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u16>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leanings: Vec<String>,
}

impl ToldModel {
    /// In words, for people.
    pub fn sentence(&self) -> String {
        let mut text = format!("{}, kappa {}, holding {}", self.metric, self.kappa, self.hold);
        if self.avoid_loss {
            text += ", avoiding loss";
        }
        if let Some(moves) = self.horizon {
            text += &format!(", horizon {moves}");
        }
        self.leanings.iter().for_each(|leaning| text += &format!(", {leaning}"));
        text
    }
}

/// A number of the model as outputs write it: in words where there is no such number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    Finite(f64),
    Limit(String),
}

impl From<Competence> for Number {
    fn from(competence: Competence) -> Number {
        competence.finite().map_or_else(|| Number::Limit(competence.to_string()), Number::Finite)
    }
}

impl From<Kappa> for Number {
    fn from(kappa: Kappa) -> Number {
        if kappa == Kappa::ZERO_PLUS { Number::Limit(kappa.to_string()) } else { Number::Finite(kappa.value()) }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Finite(number) => number.fmt(f),
            Number::Limit(text) => f.pad(text),
        }
    }
}

/// Competences in the order of their size: numbers, and ranges as min:step:max.
#[derive(Clone, Debug, PartialEq)]
pub struct Competences(pub Vec<Competence>);

impl FromStr for Competences {
    type Err = String;

    fn from_str(text: &str) -> Result<Competences, String> {
        let mut found = Vec::new();
        for part in text.split(',').map(str::trim) {
            if part.contains(':') {
                let GridSpec(grid) = part.parse()?;
                found.extend(grid.competences());
            } else {
                found.push(part.parse::<Competence>().map_err(|error| error.to_string())?);
            }
        }
        found.sort_by(|one, two| one.value().total_cmp(&two.value()));
        found.dedup();
        if found.len() > MOST_COMPETENCES {
            Err(format!("{} competences are too many: at most {MOST_COMPETENCES}", found.len()))
        } else {
            Ok(Competences(found))
        }
    }
}

/// How players are assessed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Assessing")]
pub struct AnalysisFlags {
    /// The competences thought possible: least:step:greatest
    #[arg(long, default_value = "0:1:50", allow_hyphen_values = true, value_name = "MIN:STEP:MAX")]
    pub grid: GridSpec,
    /// What is believed beforehand: uniform, normal:MEAN,SD, or a file with a posterior
    #[arg(long, default_value = "uniform")]
    pub prior: String,
}

impl AnalysisFlags {
    pub fn analysis(&self, model: Model) -> Result<Analysis> {
        let GridSpec(grid) = self.grid;
        if grid.count() > MOST_POINTS {
            bail!("a grid of {} points is too fine to assess with: at most {MOST_POINTS}", grid.count());
        }
        Ok(Analysis::new(model, grid, self.prior()?)?)
    }

    fn prior(&self) -> Result<Prior> {
        if self.prior == "uniform" {
            return Ok(Prior::Uniform);
        }
        if let Some(normal) = self.prior.strip_prefix("normal:") {
            let parsed = normal.split_once(',').and_then(|(mean, sd)| Some((number(mean)?, number(sd)?)));
            let (mean, sd) = parsed.ok_or_else(|| {
                anyhow!("`{}` is no prior: give mean and standard deviation, as in normal:20,5", self.prior)
            })?;
            return Ok(Prior::Normal { mean, sd });
        }
        Ok(Prior::CarriedOver(read_posterior(Path::new(&self.prior))?))
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A grid as people write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridSpec(pub Grid);

impl FromStr for GridSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<GridSpec, String> {
        let refused = || format!("`{text}` is no grid: give least, step and greatest, as in 0:1:50");
        let numbers: Option<Vec<f64>> = text.split(':').map(number).collect();
        let (min, step, max) = match numbers.ok_or_else(refused)?[..] {
            [min, max] => (min, 1.0, max),
            [min, step, max] => (min, step, max),
            _ => return Err(refused()),
        };
        Grid::new(min, step, max).map(GridSpec).map_err(|error| error.to_string())
    }
}

/// A posterior in a file.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct StoredPosterior {
    /// Least, step, greatest.
    pub grid: [f64; 3],
    pub probabilities: Vec<f64>,
}

impl StoredPosterior {
    pub fn of(posterior: &Posterior) -> StoredPosterior {
        let grid = posterior.grid();
        StoredPosterior {
            grid: [grid.min(), grid.step(), grid.max()],
            probabilities: posterior.probabilities().to_vec(),
        }
    }
}

/// Reads a posterior: {"grid": [0, 1, 50], "probabilities": [...]}, by itself or as `assess` writes it of one player.
pub fn read_posterior(path: &Path) -> Result<Posterior> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot open {shown}")).map_err(in_one_sentence)?;
    let no_posterior =
        || anyhow!("{shown} holds no posterior: it should be {{\"grid\": [0, 1, 50], \"probabilities\": [...]}}");
    let file: serde_json::Value = serde_json::from_reader(BufReader::new(file)).map_err(|_| no_posterior())?;
    let posterior = match file.get("players").and_then(|players| players.as_array()) {
        None => file.get("posterior").unwrap_or(&file),
        Some(players) => match &players[..] {
            [] => bail!("{shown} assesses no player"),
            [one] => one.get("posterior").ok_or_else(no_posterior)?,
            _ => bail!("{shown} assesses {} players: make it with --player NAME", players.len()),
        },
    };
    let stored: StoredPosterior = serde_json::from_value(posterior.clone()).map_err(|_| no_posterior())?;
    let [min, step, max] = stored.grid;
    let grid = Grid::new(min, step, max).map_err(|error| anyhow!("{shown}: {error}"))?;
    Posterior::new(grid, Prior::Explicit(stored.probabilities)).map_err(|error| anyhow!("{shown}: {error}"))
}

/// Errors are told in one sentence, their causes included.
fn in_one_sentence(error: anyhow::Error) -> anyhow::Error {
    anyhow!("{error:#}")
}

/// An opponent as people name one: a competence, or a file with a posterior.
pub fn opponent(text: &str) -> Result<Opponent> {
    match text.parse::<Competence>() {
        Ok(competence) => Ok(Opponent::Point(competence)),
        Err(_) if Path::new(text).exists() => Ok(Opponent::Posterior(read_posterior(Path::new(text))?)),
        Err(_) => Err(anyhow!("`{text}` is no opponent: give a competence, as in 20, or a file with a posterior")),
    }
}

/// What is known of an opponent.
pub enum Opponent {
    Point(Competence),
    Posterior(Posterior),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<GridSpec>().map(|GridSpec(grid)| grid.to_string());
        assert_eq!(read("0:1:50"), Ok("0(1)50".to_owned()));
        assert_eq!(read("0:50"), Ok("0(1)50".to_owned()));
        assert_eq!(read("-5:0.5:5"), Ok("-5(0.5)5".to_owned()));
        for text in ["", "5", "a:b", "0:1:2:3", "5:1:0", "0:0:5", "0:nan:5", "0:inf"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
