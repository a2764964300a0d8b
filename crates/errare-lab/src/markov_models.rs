//! A cache of Markov models, so that the next question about the same endgame is answered at once.
//!
//! Going through all positions of an endgame takes a second for four men. A model takes a few megabytes; the ones used last
//! are kept as long as all of them together take no more than [`MAX_BYTES`].

use crate::model::ModelRequest;
use errare_choice::{Competence, Kappa};
use errare_endgame::{EndgameError, Habits, Hold, MarkovModel, MarkovScope, SolvedModel};
use errare_tables::{SourceSpec, TableSource};
use errare_work::Progress;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of bytes that all models kept may take, once solved.
const MAX_BYTES: usize = 128 << 20;

/// The key of a model: all that it depends on, besides its competences.
#[derive(Clone, Debug, PartialEq)]
struct ModelKey {
    source: Option<SourceSpec>,
    scope: MarkovScope,
    kappa: Kappa,
    habits: Habits,
}

/// The cache of Markov models.
#[derive(Default)]
pub(crate) struct MarkovModels {
    /// The models with their keys, the most recently used last.
    kept: Mutex<Vec<(ModelKey, Arc<SolvedModel>)>>,
}

/// A question for a model.
pub(crate) struct ModelQuestion<'a> {
    /// The model of how players choose, and the tables that give the values of moves.
    pub request: &'a ModelRequest,
    /// The values that players hold if the request does not name any.
    pub hold: Hold,
    /// The tables of the request.
    pub tables: &'a TableSource,
    /// The competences that the model has to have, increasing.
    pub competences: &'a [Competence],
}

impl MarkovModels {
    /// Returns a model that has the competences in question, and perhaps others: one that is kept, else a new one. No
    /// other request waits while it is made.
    ///
    /// The numbers for one competence do not depend on which others a model has.
    pub fn model(
        &self,
        question: &ModelQuestion<'_>,
        scope: MarkovScope,
        progress: &dyn Progress,
    ) -> Result<Arc<SolvedModel>, EndgameError> {
        let model = question.request.model(question.hold);
        let key = ModelKey {
            source: question.request.source.as_deref().cloned(),
            scope,
            kappa: question.request.kappa.0,
            habits: model.habits().clone(),
        };
        if let Some(known) = self.find(&key, question.competences) {
            return Ok(known);
        }
        let made = MarkovModel::of_tables(question.tables, scope, &model, question.competences, progress)?;
        let made = Arc::new(SolvedModel::new(made));
        self.keep(key, Arc::clone(&made), MAX_BYTES);
        Ok(made)
    }

    /// Finds a model that is kept, which is then the most recently used.
    fn find(&self, key: &ModelKey, competences: &[Competence]) -> Option<Arc<SolvedModel>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let has_all = |model: &SolvedModel| competences.iter().all(|c| model.model().competences().contains(c));
        let place = kept.iter().position(|(known, model)| known == key && has_all(model))?;
        let found = kept.remove(place);
        let model = Arc::clone(&found.1);
        kept.push(found);
        Some(model)
    }

    /// Keeps a model, and forgets those used longest ago until all fit. A model that does not fit alone is not kept.
    fn keep(&self, key: ModelKey, model: Arc<SolvedModel>, max_bytes: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been quicker.
        kept.retain(|(known, other)| *known != key || other.model().competences() != model.model().competences());
        kept.push((key, model));
        let mut bytes: usize = kept.iter().map(|(_, model)| model.bytes()).sum();
        while bytes > max_bytes && !kept.is_empty() {
            bytes -= kept.remove(0).1.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LabConfig;
    use crate::lab::Lab;
    use errare_tables::{Extent, Metric};
    use errare_work::Silent;
    use shakmaty::Color;

    #[test]
    fn models_are_shared_and_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
        let tables = lab.source(None).expect("tables");
        let request = ModelRequest::default();
        let models = MarkovModels::default();
        let scope = |name: &str| {
            let material = name.parse().expect("an endgame");
            lab.tables().expect("tables").ensure(material, Metric::Dtc, &Silent).expect("a table");
            MarkovScope { material, metric: Metric::Dtc, side: Color::White, extent: Extent::Whole }
        };
        let competence = |c: f64| Competence::new(c).expect("a competence");
        let model = |name: &str, hold: Hold, cs: &[f64]| {
            let competences: Vec<Competence> = cs.iter().copied().map(competence).collect();
            let question = ModelQuestion { request: &request, hold, tables: &tables, competences: &competences };
            models.model(&question, scope(name), &Silent).expect("a model")
        };
        let both = model("KRK", Hold::Nothing, &[5.0, 12.0]);
        assert!(Arc::ptr_eq(&both, &model("KRK", Hold::Nothing, &[12.0])), "a model may have more than is asked for");
        assert!(!Arc::ptr_eq(&both, &model("KRK", Hold::Wins, &[12.0])), "another model of choice");
        assert!(!Arc::ptr_eq(&both, &model("KQK", Hold::Nothing, &[12.0])), "another endgame");
        assert!(!Arc::ptr_eq(&both, &model("KRK", Hold::Nothing, &[13.0])), "another competence");
        let count = || models.kept.lock().expect("the models").len();
        assert_eq!(count(), 4);
        // The two that were used last fit, and then none does.
        let key = |place: usize| models.kept.lock().expect("the models")[place].clone();
        let (last, one) = key(3);
        let (_, before) = key(2);
        models.keep(last.clone(), Arc::clone(&one), one.bytes() + before.bytes());
        assert_eq!(count(), 2);
        models.keep(last, one, 0);
        assert_eq!(count(), 0);
    }
}
