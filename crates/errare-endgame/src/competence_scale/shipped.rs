//! The scale that comes with the program, and the reader of files with scales.

use super::{CompetenceScale, EndingLine};
use errare_tables::Material;
use std::sync::OnceLock;

/// The file with the scale, as `errare scale` wrote it. The README beside it describes how it was made.
const FILE: &str = include_str!("../../scales/competence.json");

/// The reason why a text is not a scale.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// The text is not JSON of the right shape.
    #[error("invalid competence scale: {0}")]
    Json(#[from] serde_json::Error),
    /// The text is of another kind or version.
    #[error("invalid competence scale: expected the kind `{expected}`, found `{0}`", expected = CompetenceScale::KIND)]
    Kind(String),
    /// The line of this endgame, or of all endgames, has a number or a name that makes no sense.
    #[error("invalid competence scale: the line of `{0}` makes no sense")]
    Line(String),
}

impl CompetenceScale {
    /// The scale that comes with the program; none if its file is damaged, which the tests rule out.
    pub fn shipped() -> Option<&'static CompetenceScale> {
        static SHIPPED: OnceLock<Option<CompetenceScale>> = OnceLock::new();
        SHIPPED.get_or_init(|| CompetenceScale::from_json(FILE.as_bytes()).ok()).as_ref()
    }

    /// Reads a scale, and checks every number.
    ///
    /// # Errors
    /// If the text is not a scale.
    pub fn from_json(json: &[u8]) -> Result<CompetenceScale, ScaleError> {
        let scale: CompetenceScale = serde_json::from_slice(json)?;
        if scale.kind != CompetenceScale::KIND {
            return Err(ScaleError::Kind(scale.kind));
        }
        if let Some(wrong) = scale.endings.iter().find(|line| !makes_sense(line)) {
            return Err(ScaleError::Line(wrong.material.clone()));
        }
        let is_finite = |common: &super::CommonLine| {
            [common.a, common.b].iter().all(|number| number.is_finite() && number.abs() < 10.0)
                && [common.se_a, common.spread_a, common.se_b, common.spread_b].iter().all(|number| *number >= 0.0)
        };
        match scale.common.iter().find(|common| !is_finite(common)) {
            Some(_) => Err(ScaleError::Line("all endgames".to_owned())),
            None => Ok(scale),
        }
    }
}

fn makes_sense(line: &EndingLine) -> bool {
    let [aa, ab, bb] = line.covariance;
    line.material.parse::<Material>().is_ok()
        && [line.a, line.b, line.tau].iter().all(|number| number.is_finite() && number.abs() < 10.0)
        && aa > 0.0
        && bb > 0.0
        && ab.is_finite()
        && ab * ab <= aa * bb
        && line.elo[0] <= line.elo[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assess::Task;
    use crate::competence_scale::LikeElo;
    use errare_tables::Metric;

    #[test]
    fn the_scale_that_comes_with_the_program_answers_both_ways() {
        let scale = CompetenceScale::from_json(FILE.as_bytes()).expect("a scale");
        assert!(scale.suits(Metric::Dtc, 1.0) && !scale.suits(Metric::Dtm, 1.0));
        let mut with_elo = 0;
        for line in &scale.endings {
            let material: Material = line.material.parse().expect("an endgame");
            let task = if line.task == super::super::ScaleTask::Attack { Task::Attack } else { Task::Defence };
            let elo = (line.elo[0] + line.elo[1]) / 2.0;
            let c = scale.competence(material, task, elo).expect("a competence");
            assert!(c.low < c.value && c.value < c.high && c.low > 0.0, "{line:?}");
            match scale.like_elo(material, task, c.value) {
                Some(LikeElo::About(found)) => {
                    assert!((found.value - elo).abs() < 1e-6 && found.low < elo && elo < found.high, "{line:?}");
                    with_elo += 1;
                }
                Some(other) => panic!("{other} for {elo} in {line:?}"),
                None => assert!(!line.rises()),
            }
        }
        assert!(with_elo > 0);
        // An endgame of which no games are known still has a competence, a vague one, and says nothing of an Elo.
        let rare: Material = "KQBKN".parse().expect("an endgame");
        let c = scale.competence(rare, Task::Attack, 2000.0).expect("a competence");
        assert!(c.high > 1.5 * c.low, "{c:?}");
        assert_eq!(scale.like_elo(rare, Task::Attack, c.value), None);
    }

    #[test]
    fn a_file_that_makes_no_sense_is_refused() {
        assert!(matches!(CompetenceScale::from_json(b"{}"), Err(ScaleError::Json(_))));
        let text = |kind: &str, covariance: &str| {
            format!(
                r#"{{"kind":"{kind}","metric":"dtc","kappa":1,"data":"","common":[],"endings":[{{"material":"KQKR","task":
                "attack","players":1,"games":1,"choices":1,"elo":[1500,2500],"a":2.0,"b":0.2,"own_b":0.2,"covariance":
                {covariance},"tau":0.3}}]}}"#
            )
        };
        let read = |kind: &str, covariance: &str| CompetenceScale::from_json(text(kind, covariance).as_bytes());
        assert!(read(CompetenceScale::KIND, "[0.01,0,0.01]").is_ok());
        assert!(matches!(read("errare calibration 2", "[0.01,0,0.01]"), Err(ScaleError::Kind(_))));
        assert!(matches!(read(CompetenceScale::KIND, "[0.01,0.5,0.01]"), Err(ScaleError::Line(_))));
    }
}
