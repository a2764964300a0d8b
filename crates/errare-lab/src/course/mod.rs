//! The course: endings to practise, from easy to hard.

mod lessons;

use crate::build::BuildRequest;
use crate::default_metric::MODEL_METRIC;
use crate::error::LabError;
use crate::lab::Lab;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::side::Side;
use crate::text::{Endgame, Text};
use errare_endgame::AgentSpec;
use errare_tables::{DepthRange, Metric, Outcome, TableError, Tables, WantedOutcome};
use errare_work::{Progress, did_you_mean};
use lessons::{LESSONS, LessonData, StartData};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the course: lessons from easy to hard, and whether their tables are there. Nothing is built.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CourseRequest {}

/// The course of lessons, from easy to hard.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CourseResponse {
    /// The metric of all depths, which is the default metric of `play`.
    pub metric: Text<Metric>,
    /// The lessons, easy ones first.
    pub lessons: Vec<Lesson>,
}

/// An ending to practise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Lesson {
    /// A short name that does not change, such as queen-rook.
    pub id: String,
    /// The title of the lesson.
    pub title: String,
    /// The endgame; White is the side named first.
    pub material: String,
    /// Number of men, kings included.
    pub men: usize,
    /// The side that the person plays.
    pub human: Side,
    /// The task of the person.
    pub task: LessonTask,
    /// The goal of the lesson and how to reach it, in one or two sentences.
    pub goal: String,
    /// The start of the games: fields of a `play` request.
    pub start: LessonStart,
    /// The agent to play against if the person chooses no other, as `play` takes it.
    pub opponent: Text<AgentSpec>,
    /// The tables that a game needs, and whether they exist.
    pub tables: LessonTables,
}

/// The task of the person in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LessonTask {
    /// The person has to win a won position.
    Win,
    /// The person has to hold a drawn position, or to win it if the opponent errs.
    Draw,
    /// The person has to hold out in a lost position, if possible until the move rule saves it.
    Survive,
}

impl LessonTask {
    /// The name of the task as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LessonTask::Win => "win",
            LessonTask::Draw => "draw",
            LessonTask::Survive => "survive",
        }
    }

    /// The task of the person in a position of this outcome.
    pub(crate) fn of(outcome: crate::depth::Outcome) -> LessonTask {
        use crate::depth::Outcome;
        match outcome {
            Outcome::Win => LessonTask::Win,
            Outcome::CursedWin | Outcome::Draw | Outcome::BlessedLoss => LessonTask::Draw,
            Outcome::Loss => LessonTask::Survive,
        }
    }

    /// The outcome, for the person, of a start with this task.
    fn outcome(self) -> Outcome {
        match self {
            LessonTask::Win => Outcome::Win,
            LessonTask::Draw => Outcome::Draw,
            LessonTask::Survive => Outcome::Loss,
        }
    }
}

/// The start of a lesson's games as a `play` request takes it: a position, or the endgame that one is drawn from.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonStart {
    /// The position as a FEN, if all games start from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The endgame that the start is drawn from, the person to move; White is the side named first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<Text<Endgame>>,
    /// The depth of the start to be drawn, in moves of the winner, as in "15..".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Numeric<DepthRange>>,
    /// The outcome of the start to be drawn, for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Text<WantedOutcome>>,
}

/// The tables that a game of a lesson needs, and whether they exist.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LessonTables {
    /// Whether all tables exist.
    pub ready: bool,
    /// Number of tables that have to be built.
    pub missing: usize,
    /// Estimated number of seconds that building them takes on the threads of this machine; null if they exist or
    /// cannot be built.
    pub seconds: Option<f64>,
    /// The `build` request for the missing tables; null if all exist or they cannot be built.
    pub build: Option<BuildRequest>,
    /// The reason why the tables cannot be built here; null if they can.
    pub refused: Option<String>,
}

impl Operation for CourseRequest {
    const NAME: &'static str = "course";
    const ABOUT: &'static str = "List endings to practise, from easy to hard";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = CourseResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<CourseResponse, LabError> {
        let tables = lab.tables()?;
        let threads = lab.thread_count()?;
        let lesson = |data: &LessonData| {
            progress.proceed()?;
            data.lesson(tables, threads)
        };
        Ok(CourseResponse {
            metric: Text(MODEL_METRIC),
            lessons: LESSONS.iter().map(lesson).collect::<Result<_, _>>()?,
        })
    }
}

/// A lesson in the form that other operations take.
pub(crate) struct KnownLesson {
    pub human: Side,
    pub start: LessonStart,
}

/// Finds the lesson with a name.
pub(crate) fn find_lesson(id: &str) -> Result<KnownLesson, LabError> {
    let known = LESSONS.iter().find(|lesson| lesson.id == id);
    let unknown = || {
        let hint = did_you_mean(id, LESSONS.iter().map(|lesson| lesson.id));
        LabError::Request(format!("unknown lesson `{id}`: `errare course` lists them{hint}"))
    };
    let data = known.ok_or_else(unknown)?;
    Ok(KnownLesson { human: data.human, start: data.start()? })
}

impl LessonData {
    fn endgame(&self) -> Result<Endgame, LabError> {
        self.material.parse().map_err(LabError::request)
    }

    fn start(&self) -> Result<LessonStart, LabError> {
        match self.start {
            StartData::Fixed(fen) => Ok(LessonStart { fen: Some(fen.to_owned()), ..LessonStart::default() }),
            StartData::Drawn { depth } => Ok(LessonStart {
                fen: None,
                material: Some(Text(self.endgame()?)),
                depth: depth.map(|depth| depth.parse().map_err(LabError::request)).transpose()?,
                outcome: Some(Text(WantedOutcome::ToMove(self.task.outcome()))),
            }),
        }
    }

    fn lesson(&self, tables: &Tables, threads: usize) -> Result<Lesson, LabError> {
        let endgame = self.endgame()?;
        let opponent: AgentSpec = self.opponent.parse().map_err(LabError::request)?;
        Ok(Lesson {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            material: self.material.to_owned(),
            men: endgame.material.men(),
            human: self.human,
            task: self.task,
            goal: self.goal.to_owned(),
            start: self.start()?,
            tables: LessonTables::new(&opponent, endgame, tables, threads)?,
            opponent: Text(opponent),
        })
    }
}

impl LessonTables {
    fn new(opponent: &AgentSpec, endgame: Endgame, tables: &Tables, threads: usize) -> Result<LessonTables, LabError> {
        let none = LessonTables { ready: false, missing: 0, seconds: None, build: None, refused: None };
        let needed = AgentSpec::tables_to_play([opponent, opponent], endgame.material, MODEL_METRIC, false);
        let plan = match tables.plan(&needed) {
            Ok(plan) => plan,
            Err(error @ TableError::Memory { .. }) => {
                return Ok(LessonTables { refused: Some(error.to_string()), ..none });
            }
            Err(error) => return Err(error.into()),
        };
        if plan.is_empty() {
            return Ok(LessonTables { ready: true, ..none });
        }
        let effort: f64 = plan.iter().map(|planned| planned.effort).sum();
        let mut metrics: Vec<Text<Metric>> = needed.iter().map(|&(_, metric)| Text(metric)).collect();
        metrics.dedup();
        let materials = plan.iter().map(|planned| Text(planned.material)).collect();
        Ok(LessonTables {
            missing: plan.len(),
            seconds: Some(effort / threads.max(1) as f64),
            build: Some(BuildRequest { materials, metrics, ..BuildRequest::default() }),
            ..none
        })
    }
}
