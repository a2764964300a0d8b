//! An engine that answers questions, and is started anew when it fails.

use super::question::{Answer, Question};
use super::setup::Setup;
use crate::evaluation::Evaluation;
use errare_uci::Score;
use errare_uci::client::{Engine, EngineError, Limit, PositionRequest, Search, StopFlag};

/// One engine. It runs from the first question on.
#[derive(Debug)]
pub(super) struct Examiner<'a> {
    setup: &'a Setup,
    stop: &'a StopFlag,
    engine: Option<Engine>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Silence {
    /// Nobody wants it any more.
    Stopped,
    /// The engine failed twice, for this reason.
    Failed(String),
    /// The engine cannot even be started.
    Gone(EngineError),
}

/// How often a question is put.
const TRIES: u32 = 2;

impl<'a> Examiner<'a> {
    pub fn new(setup: &'a Setup, stop: &'a StopFlag) -> Examiner<'a> {
        Examiner { setup, stop, engine: None }
    }

    /// Puts a question, and puts it again to a new engine if this one fails.
    pub fn ask(&mut self, question: &Question<'_>) -> Result<Answer, Silence> {
        let mut silence = Silence::Stopped;
        for _ in 0..TRIES {
            if self.stop.is_raised() {
                return Err(Silence::Stopped);
            }
            let engine = self.engine.take().map_or_else(|| self.setup.start(), Ok);
            silence = match engine.map(|engine| self.put(engine, question)) {
                // A search that was stopped ended early.
                _ if self.stop.is_raised() => return Err(Silence::Stopped),
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(reason)) => Silence::Failed(reason),
                Err(error) => Silence::Gone(error),
            };
        }
        Err(silence)
    }

    /// Only an engine that answered is asked again.
    fn put(&mut self, mut engine: Engine, question: &Question<'_>) -> Result<Answer, String> {
        let limit = Limit::Depth(u32::from(self.setup.depth));
        let search = Search::new(limit).lines(question.lines).among(question.only).until(self.stop);
        let request = PositionRequest::new(question.position.clone());
        let analysis = engine.new_game().and_then(|()| engine.analyse(&request, &search));
        let analysis = analysis.map_err(|error| error.to_string())?;
        let answer: Answer = analysis
            .lines
            .iter()
            .filter_map(|line| Some((line.pv.first()?.to_string(), evaluation(line.score))))
            .collect();
        if !analysis.is_complete || !question.is_answered_by(&answer) {
            return Err(format!("{} did not show all lines at one depth", self.setup.name()));
        }
        self.engine = Some(engine);
        Ok(answer)
    }

    /// Sends the engine home.
    pub fn dismiss(self) {
        self.engine.map(Engine::quit);
    }
}

fn evaluation(score: Score) -> Evaluation {
    match score {
        Score::Centipawns(value) => Evaluation::Centipawns(value),
        Score::Mate(moves) => Evaluation::Mate(moves),
    }
}
