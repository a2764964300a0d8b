//! The assessment of competence: the part that requests share.

use crate::error::LabError;
use crate::lab::Lab;
use crate::posterior::{StoredPosterior, read_posterior};
use crate::text::Text;
use errare_choice::{Competence, Grid, Prior};
use errare_endgame::{Analysis, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The most points of a grid to assess with: each pair of states needs a number for each.
const MAX_POINTS: usize = 2001;

/// The conditions by which competence is assessed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AnalysisRequest {
    /// The competences thought possible, as least:step:greatest; by default 0:1:50.
    pub grid: Text<GridSpec>,
    /// The belief before the first move: "uniform", "normal:MEAN,SD", a file with a posterior, or a posterior.
    pub prior: PriorRequest,
}

/// A belief before the first move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "invalid prior: expected uniform, normal:MEAN,SD, a file with a posterior, or `grid` and `probabilities`"
)]
pub enum PriorRequest {
    /// The probability of each competence.
    Posterior(StoredPosterior),
    /// "uniform", "normal:MEAN,SD", or the name of a file with a posterior.
    Text(String),
}

impl Default for PriorRequest {
    fn default() -> PriorRequest {
        PriorRequest::Text(UNIFORM.to_owned())
    }
}

impl From<String> for PriorRequest {
    fn from(text: String) -> PriorRequest {
        PriorRequest::Text(text)
    }
}

const UNIFORM: &str = "uniform";

/// The beginning of a normal prior.
const NORMAL: &str = "normal:";

impl AnalysisRequest {
    /// Makes the analysis of players of this model.
    ///
    /// # Errors
    /// If the grid is too fine, or the prior makes no sense or cannot be read.
    pub(crate) fn analysis(&self, model: Model, lab: &Lab) -> Result<Analysis, LabError> {
        let Text(GridSpec(grid)) = self.grid;
        if grid.count() > MAX_POINTS {
            let points = grid.count();
            let reason =
                format!("invalid grid {}: {points} points are too fine, at most {MAX_POINTS} are allowed", self.grid);
            return Err(LabError::Request(reason));
        }
        Ok(Analysis::new(model, grid, self.prior.prior(lab)?)?)
    }
}

impl PriorRequest {
    /// The file with the posterior, if the prior names one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            PriorRequest::Text(text) if text != UNIFORM && !text.starts_with(NORMAL) => Some(Path::new(text)),
            PriorRequest::Text(_) | PriorRequest::Posterior(_) => None,
        }
    }

    fn prior(&self, lab: &Lab) -> Result<Prior, LabError> {
        if let Some(path) = self.file() {
            return Ok(Prior::CarriedOver(read_posterior(path, lab)?));
        }
        let text = match self {
            PriorRequest::Posterior(stored) => {
                return Ok(Prior::CarriedOver(stored.posterior("the prior in the request")?));
            }
            PriorRequest::Text(text) => text,
        };
        let Some(normal) = text.strip_prefix(NORMAL) else { return Ok(Prior::Uniform) };
        let numbers = normal.split_once(',').and_then(|(mean, sd)| Some((finite(mean)?, finite(sd)?)));
        let invalid = || {
            LabError::Request(format!(
                "invalid prior `{text}`: expected mean and standard deviation, as in normal:20,5"
            ))
        };
        let (mean, sd) = numbers.ok_or_else(invalid)?;
        Ok(Prior::Normal { mean, sd })
    }
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A grid of competences as people write it: `0:1:50`, or `0:50` for steps of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GridSpec(pub Grid);

impl FromStr for GridSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<GridSpec, String> {
        let refused = || format!("invalid grid `{text}`: expected least, step and greatest, as in 0:1:50");
        let numbers: Option<Vec<f64>> = text.split(':').map(finite).collect();
        let (min, step, max) = match numbers.ok_or_else(refused)?[..] {
            [min, max] => (min, 1.0, max),
            [min, step, max] => (min, step, max),
            _ => return Err(refused()),
        };
        Grid::new(min, step, max).map(GridSpec).map_err(|error| error.to_string())
    }
}

impl fmt::Display for GridSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GridSpec(grid) = self;
        write!(f, "{}:{}:{}", grid.min(), grid.step(), grid.max())
    }
}

/// Competences in the order of their size, as people list them: numbers and ranges, as in `20,21` or `15:5:40`.
#[derive(Clone, Debug, PartialEq)]
pub struct CompetenceList(pub Vec<Competence>);

impl FromStr for CompetenceList {
    type Err = String;

    fn from_str(text: &str) -> Result<CompetenceList, String> {
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
        Ok(CompetenceList(found))
    }
}

impl fmt::Display for CompetenceList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let competences: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&competences.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LabConfig;

    #[test]
    fn grids_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<GridSpec>().map(|grid| (grid.0.to_string(), grid.to_string()));
        assert_eq!(read("0:1:50"), Ok(("0(1)50".to_owned(), "0:1:50".to_owned())));
        assert_eq!(read("0:50"), Ok(("0(1)50".to_owned(), "0:1:50".to_owned())));
        assert_eq!(read("-5:0.5:5"), Ok(("-5(0.5)5".to_owned(), "-5:0.5:5".to_owned())));
        for text in ["", "5", "a:b", "0:1:2:3", "5:1:0", "0:0:5", "0:nan:5", "0:inf"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn competences_are_listed_in_order_and_once() {
        let read = |text: &str| text.parse::<CompetenceList>().map(|list| list.to_string());
        assert_eq!(read("inf,20, 15:5:30"), Ok("15,20,25,30,inf".to_owned()));
        assert!(read("20,x").is_err());
    }

    #[test]
    fn a_prior_is_a_text_or_a_posterior() {
        let prior = |json: &str| {
            serde_json::from_str::<PriorRequest>(json).expect("a prior").prior(&Lab::new(LabConfig::default()))
        };
        assert!(matches!(prior("\"uniform\""), Ok(Prior::Uniform)));
        assert!(matches!(prior("\"normal:20, 5\""), Ok(Prior::Normal { mean: 20.0, sd: 5.0 })));
        assert!(matches!(prior(r#"{"grid": [0, 1, 1], "probabilities": [1, 1]}"#), Ok(Prior::CarriedOver(_))));
        assert!(matches!(prior("\"normal:x,5\""), Err(LabError::Request(_))));
        assert!(matches!(prior("\"no such file\""), Err(LabError::Read { .. })));
        let file = |json: &str| serde_json::from_str::<PriorRequest>(json).expect("a prior").file().map(Path::to_owned);
        assert_eq!(file("\"browne.json\""), Some("browne.json".into()));
        assert_eq!((file("\"uniform\""), file("\"normal:20,5\"")), (None, None));
    }
}
