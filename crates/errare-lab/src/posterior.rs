//! Knowledge of a competence: a number, or a posterior, inline or in a file.

use crate::error::LabError;
use crate::lab::Lab;
use crate::numeric::Numeric;
use errare_choice::{Competence, Grid, Posterior, Prior};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Probabilities of competences, as an assessment gives them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoredPosterior {
    /// The least competence, the step, and the greatest.
    pub grid: [f64; 3],
    /// The probability of each competence, the least first. The probabilities need not add up to 1.
    pub probabilities: Vec<f64>,
}

impl StoredPosterior {
    /// Converts a posterior to its form in responses.
    pub(crate) fn of(posterior: &Posterior) -> StoredPosterior {
        let grid = posterior.grid();
        StoredPosterior {
            grid: [grid.min(), grid.step(), grid.max()],
            probabilities: posterior.probabilities().to_vec(),
        }
    }

    /// Converts the stored numbers to a posterior; `name` tells in errors which one it is.
    pub(crate) fn posterior(&self, name: &str) -> Result<Posterior, LabError> {
        let [min, step, max] = self.grid;
        let wrong = |error: String| LabError::Request(format!("{name}: {error}"));
        let grid = Grid::new(min, step, max).map_err(|error| wrong(error.to_string()))?;
        let explicit = Prior::Explicit(self.probabilities.clone());
        Posterior::new(grid, explicit).map_err(|error| wrong(error.to_string()))
    }
}

/// The competence of a player, as far as it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "invalid competence: expected a number, inf, the name of a file, or `grid` and `probabilities`"
)]
pub enum CompetenceRequest {
    /// A competence: a number, "inf" or "-inf".
    Competence(Numeric<Competence>),
    /// The probability of each competence.
    Posterior(StoredPosterior),
    /// The name of a file with probabilities, or with the assessment of one player.
    File(PathBuf),
}

/// A competence, or its probabilities, read from a request.
pub(crate) enum KnownCompetence {
    Point(Competence),
    Posterior(Posterior),
}

impl CompetenceRequest {
    /// Reads the competence, with its file if it names one.
    pub(crate) fn read(&self, lab: &Lab) -> Result<KnownCompetence, LabError> {
        match self {
            CompetenceRequest::Competence(competence) => Ok(KnownCompetence::Point(competence.0)),
            CompetenceRequest::Posterior(stored) => stored.posterior(INLINE).map(KnownCompetence::Posterior),
            CompetenceRequest::File(path) => read_competence_file(path, lab).map(KnownCompetence::Posterior),
        }
    }
}

/// The name of a posterior that is part of the request.
pub(crate) const INLINE: &str = "the posterior in the request";

/// Reads a competence; any other text is the name of a file.
impl From<&str> for CompetenceRequest {
    fn from(text: &str) -> CompetenceRequest {
        text.parse().map_or_else(|_| CompetenceRequest::File(text.into()), CompetenceRequest::Competence)
    }
}

/// Reads a posterior from a file that stands where a competence could.
pub(crate) fn read_competence_file(path: &Path, lab: &Lab) -> Result<Posterior, LabError> {
    if !lab.outside_path(path)?.exists(path) {
        return Err(LabError::Request(format!(
            "invalid competence `{}`: expected a number from -1e100 to 1e100, inf, -inf or a file with a posterior",
            path.display()
        )));
    }
    read_posterior(path, lab)
}

/// The greatest number of bytes of a file with a posterior: an assessment has all its games in it.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a posterior from a file: probabilities by themselves, or within the assessment of one player.
pub(crate) fn read_posterior(path: &Path, lab: &Lab) -> Result<Posterior, LabError> {
    let shown = path.display();
    let failed = |source| LabError::Read { name: path.display().to_string(), source };
    let text = lab.outside_path(path)?.read_bounded(path, MAX_BYTES).map_err(failed)?;
    let no_posterior = || {
        let expected = "{\"grid\": [0, 1, 50], \"probabilities\": [...]}";
        LabError::Request(format!("{shown} holds no posterior: expected {expected}"))
    };
    let file: Value = serde_json::from_slice(&text).map_err(|_| no_posterior())?;
    let posterior = match file.get("players").and_then(Value::as_array) {
        None => file.get("posterior").unwrap_or(&file),
        Some(players) => match &players[..] {
            [] => return Err(LabError::Request(format!("{shown} assesses no player"))),
            [one] => one.get("posterior").ok_or_else(no_posterior)?,
            _ => {
                let count = players.len();
                return Err(LabError::Request(format!("{shown} assesses {count} players: make it with --player NAME")));
            }
        },
    };
    let stored: StoredPosterior = serde_json::from_value(posterior.clone()).map_err(|_| no_posterior())?;
    stored.posterior(&shown.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LabConfig;

    #[test]
    fn a_competence_is_a_number_a_posterior_or_a_file() {
        let read = |json: &str| serde_json::from_str::<CompetenceRequest>(json).expect("a competence");
        assert_eq!(read("20"), CompetenceRequest::from("20"));
        assert_eq!(read("\"inf\""), CompetenceRequest::from("inf"));
        assert_eq!(read("\"browne.json\""), CompetenceRequest::File("browne.json".into()));
        let inline = read(r#"{"grid": [1, 1, 2], "probabilities": [1, 3]}"#);
        let known = inline.read(&Lab::new(LabConfig::default())).expect("a posterior");
        assert!(matches!(known, KnownCompetence::Posterior(posterior) if posterior.mean() == 1.75));
    }

    #[test]
    fn posteriors_are_read_as_they_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("posterior.json");
        let lab = Lab::new(LabConfig::default());
        let stored = r#"{"grid": [0.0, 1.0, 1.0], "probabilities": [0.5, 0.5]}"#;
        for text in [stored.to_owned(), format!(r#"{{"players": [{{"posterior": {stored}}}]}}"#)] {
            std::fs::write(&path, text).expect("written");
            let posterior = read_posterior(&path, &lab).expect("a posterior");
            assert_eq!(serde_json::to_value(StoredPosterior::of(&posterior)).ok(), serde_json::from_str(stored).ok());
        }
        for (text, words) in [
            ("no json", "holds no posterior: expected {\"grid\""),
            ("{\"players\": []}", "assesses no player"),
            ("{\"players\": [1, 2]}", "assesses 2 players"),
            (
                "{\"grid\": [0, 1, 2], \"probabilities\": [1]}",
                "expected 3 numbers, one for each point of the grid, found 1",
            ),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = read_posterior(&path, &lab).map_err(|error| error.to_string()).err().unwrap_or_default();
            assert!(error.contains(words), "{error}");
        }
    }
}
