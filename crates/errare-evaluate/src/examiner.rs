//! An engine that answers questions, and is started anew when it fails.

use crate::error::EvaluateError;
use crate::question::{Answer, Question, evaluation};
use crate::setup::Setup;
use errare_uci::client::{Engine, EngineError, Limit, PositionRequest, Search};
use errare_work::{Cancelled, Progress};

/// One engine, which runs from the first question on.
#[derive(Debug)]
pub(crate) struct Examiner<'a> {
    setup: &'a Setup,
    engine: Option<Engine>,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// The engine failed at the position each time, the last time for this reason.
    Failed(String),
    /// No further question can be answered: the engine does not start, or the cache cannot be used, or the work was
    /// cancelled.
    Over(EvaluateError),
}

impl From<Cancelled> for NoAnswer {
    fn from(cancelled: Cancelled) -> NoAnswer {
        NoAnswer::Over(cancelled.into())
    }
}

impl From<EngineError> for NoAnswer {
    /// The error of an engine that was running.
    fn from(error: EngineError) -> NoAnswer {
        if error.is_cancelled() { NoAnswer::from(Cancelled) } else { NoAnswer::Failed(error.to_string()) }
    }
}

impl From<EvaluateError> for NoAnswer {
    fn from(error: EvaluateError) -> NoAnswer {
        NoAnswer::Over(error)
    }
}

impl<'a> Examiner<'a> {
    pub fn new(setup: &'a Setup) -> Examiner<'a> {
        Examiner { setup, engine: None }
    }

    /// Asks a question, and asks it once more of a new engine if the first engine fails.
    ///
    /// # Errors
    /// If the engine fails twice, cannot be started, or the work is cancelled.
    pub fn ask(&mut self, question: &Question<'_>, progress: &dyn Progress) -> Result<Answer, NoAnswer> {
        self.ask_once(question, progress).or_else(|_| {
            progress.proceed()?;
            self.ask_once(question, progress)
        })
    }

    /// Asks a question once. Only an engine that answered is kept for the next question.
    fn ask_once(&mut self, question: &Question<'_>, progress: &dyn Progress) -> Result<Answer, NoAnswer> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.setup.start(progress).map_err(EvaluateError::from)?,
        };
        let limit = Limit::Depth(u32::from(self.setup.depth));
        let search = Search::new(limit).lines(question.lines).among(question.only);
        let request = PositionRequest::new(question.position.clone());
        engine.new_game(progress)?;
        let analysis = engine.analyse(&request, &search, progress)?;
        let depth = u32::from(self.setup.depth);
        if let Some(line) = analysis.lines.iter().find(|line| line.depth < depth) {
            let reason = format!("{} searched to depth {} when asked for depth {depth}", self.setup.name, line.depth);
            return Err(NoAnswer::Failed(reason));
        }
        let answer: Answer = analysis
            .lines
            .iter()
            .filter_map(|line| Some((line.pv.first()?.to_string(), evaluation(line.score))))
            .collect();
        if let Some(shortfall) = analysis.shortfall() {
            return Err(NoAnswer::Failed(format!("{} {shortfall}", self.setup.name)));
        }
        if !question.is_answered_by(&answer) {
            return Err(NoAnswer::Failed(format!(
                "{} did not evaluate all moves that it was asked for",
                self.setup.name
            )));
        }
        self.engine = Some(engine);
        Ok(answer)
    }

    /// Asks the engine to quit.
    pub fn dismiss(self, progress: &dyn Progress) {
        self.engine.map(|engine| engine.quit(progress));
    }
}
