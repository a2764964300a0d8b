//! The application behind every interface of errare.
//!
//! A [`Lab`] owns tables, sources, caches and threads. An operation is a request type that implements [`Operation`]:
//! [`Lab::run`] gives its response. Progress is reported to, and work is stopped by, an [`errare_work::Progress`].
//!
//! ```
//! use errare_lab::{Lab, LabConfig, ProbeRequest};
//! use errare_work::Silent;
//!
//! let folder = tempfile::tempdir()?;
//! let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
//! let found = lab.run(&ProbeRequest::new("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"), &Silent)?;
//! assert_eq!((found.depth.plies, found.successors[0].san.as_str()), (Some(31), "Rb1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod assess;
mod belief;
mod build;
mod choose;
mod cluster;
mod compare;
mod competence_scale;
mod config;
mod contest;
mod course;
mod csv_cell;
mod default_metric;
mod depth;
mod draw;
mod engine;
mod error;
#[cfg(feature = "evaluate")]
mod evaluate;
mod experiment;
mod extent;
mod find;
mod game_conditions;
mod game_sheet;
mod lab;
mod line;
mod list;
mod many;
mod markov;
mod markov_models;
mod match_games;
#[cfg(feature = "evaluate")]
mod merge;
mod model;
mod notation;
mod numbers;
mod numeric;
mod operation;
mod pages;
mod people_like;
mod pgn_output;
mod play;
mod posterior;
mod predict;
mod probe;
#[cfg(feature = "evaluate")]
mod rate_games;
mod ratings;
mod reach;
mod recent;
mod reproduce;
mod sentences;
mod sheet;
mod sheets;
mod side;
mod squares;
mod start;
mod stats;
mod strategy;
mod sweep;
mod text;
mod value_words;
mod verify;
mod whole_games;

pub use analysis::{AnalysisRequest, CompetenceList, GridSpec, PriorRequest};
pub use assess::{
    AssessRequest, AssessResponse, AssessedGame, AssessedMove, AssessedPart, AssessedPlayer, AssessedRecord,
    AssessedSegment, AssessmentEvent, BoardMove, GameBoard, GameDetail, GameHeading, GameRow, GameTotals, GivenUp,
    Glyph, LeftOutEndgame, LeftOutEndgames, MoveEffect, MoveHeading, Reason, RowMove, SideRow, Task, UnlistedPlayers,
    WorstMove,
};
pub use belief::{Belief, GameEvidence};
pub use build::{BuildRequest, BuiltTable, TableState};
pub use choose::{ChooseRequest, ChooseResponse, FigureName, JudgedMove, NamedMove};
#[cfg(feature = "evaluate")]
pub use cluster::{ClusterEvaluateRequest, GatherSummary};
pub use cluster::{
    ClusterFile, ClusterForecastRequest, ClusterForecastResponse, ClusterJob, ClusterJobStatus, ClusterResumeRequest,
    ClusterResumeResponse, ClusterRun, ClusterRunResponse, ClusterStatusRequest, ClusterStatusResponse, ClusterSystem,
    ClusterTablesRequest, ClusterWorkRequest, ClusterWorkResponse, ForecastGames, ForecastOnNodes, ForecastWork,
    MeasuredTable, MeasuredTableError,
};
pub use compare::{CompareRequest, Difference, TableComparison};
pub use competence_scale::{CompetenceScaleRequest, CompetenceScaleResponse};
pub use config::{LabConfig, default_data_folder, default_evaluation_cache};
pub use contest::{BrokenGame, ContestRequest, ContestResponse, ContestResult, ContestSide, ContestStart, StartSpread};
pub use course::{CourseRequest, CourseResponse, Lesson, LessonStart, LessonTables, LessonTask};
pub use csv_cell::{cell, exact};
pub use default_metric::{MODEL_METRIC, TABLE_METRIC};
pub use depth::{Depth, Outcome};
pub use draw::{DepthChance, DrawRequest, DrawResponse};
pub use engine::EngineInfo;
pub use errare_uci::client::EngineSpec;
pub use error::{ErrorKind, LabError};
#[cfg(feature = "evaluate")]
pub use evaluate::{EvaluateRequest, EvaluateResponse};
pub use experiment::{ExperimentReport, ExperimentRequest, ExperimentResponse, ExperimentTable};
pub use extent::ExtentName;
pub use find::{DepthsThereAre, FindRequest, FoundPosition, FoundPositions};
pub use game_conditions::GameConditions;
pub use lab::Lab;
pub use line::{LineEnd, LineMove, LineOfPlay, LinePhase, LineRequest, LineResponse};
pub use list::{ListRequest, ListResponse, ListedCounts, ListedTable, UnusableTable};
pub use many::ProbedPositions;
pub use markov::{
    AfterContest, CompetencesRequest, FromDraw, MarkovChart, MarkovOutlook, MarkovRequest, MarkovResponse,
    PassageChances, Transition, TransitionMatrix,
};
pub use match_games::{
    ApparentBySide, ApparentCompetence, BrokenMatchGame, EndReason, FirstConcessions, MatchRequest, MatchResponse,
    MatchResults, MatchScoreSummary, PlayerNames, StartResults, WonInTime,
};
#[cfg(feature = "evaluate")]
pub use merge::{MergeRequest, MergeResponse};
pub use model::{ModelRequest, ModelSummary};
pub use notation::{fen_of, san, uci};
pub use numbers::{counted, grouped};
pub use numeric::{Lengths, Numeric};
pub use operation::{Exposure, ListOperation, OPERATIONS, OnItem, Operation, OperationInfo};
pub use pages::{Card, Link, Page, PageBlock, PlottedAxis, PlottedChart, PlottedSeries};
pub use people_like::PeopleLike;
pub use play::{
    DrawClock, LegalMove, PlayEndName, PlayEnding, PlayFinish, PlayRequest, PlayResponse, PlayReview, PlayedMove,
    PlayedSide, PlayerCompetence, TurningPoint,
};
pub use posterior::{CompetenceRequest, StoredPosterior};
pub use predict::{ChancesWithin, PredictRequest, PredictResponse};
pub use probe::{ProbeRequest, ProbeResponse, ProbedMove};
#[cfg(feature = "evaluate")]
pub use rate_games::{
    CalibrationUsed, EngineUsed, PlayerDetail, PlayerSort, PlayerSortError, RateGamesRequest, RateGamesResponse,
    RatedPlayerRow, TraceBasis,
};
pub use ratings::{
    BenchRequest, BootstrapSummary, CalibrateRequest, CalibrateResponse, CalibrationBasis, CalibrationInput,
    ChoiceModelRequest, FitRequest, FitResponse, FittedGroup, HonestyRequest, HonestyResponse, MilepostsResponse,
    MoveScreening, OWN_CALIBRATION, PeriodMilepostRow, PeriodRow, PeriodsRequest, PeriodsResponse, PlayersRequest,
    PlayersResponse, RateRequest, RateResponse, RatingBench, RatingTrialRow, ReportPlayerRequest, ReportPlayerResponse,
    ReportRatingsRequest, ReportRatingsResponse, ScaleRequest, ScoreSummary, ScreenRequest, ScreenResponse,
    ScreeningTrialRow, SkippedGroup, StudyResponse, StudyWords, TurnsRead, TurnsRequest, describe_turns,
    shift_sentence,
};
pub use reproduce::{ReproduceRequest, ReproduceResponse, ReproduceVerdict, ReproducedFigure, ReproducedItem};
pub use sentences::{calibration_sentences, elo_text, interval_text, range_note};
pub use sheet::{Sheet, SheetRows, ToSheet, csv_record};
pub use sheets::{milepost_table, short_name};
pub use side::Side;
pub use squares::{SquareFault, SquareValue, SquaresRequest, SquaresResponse};
pub use stats::{
    EndgameStatistics, HistogramBin, SideStatistics, SpoiltCounts, StatsRequest, Zugzwang, Zugzwangs, ZugzwangsRequest,
};
pub use strategy::{
    AllSlip, ComparedStrategy, FollowOutcome, FollowedStrategy, SlipExample, StrategyCompareRequest,
    StrategyCompareResponse, StrategyFollowRequest, StrategyFollowResponse,
};
pub use sweep::{BestMoves, SweepCrossover, SweepResponse, SweptMove};
pub use text::{Endgame, Text};
pub use value_words::{depth_phrase, man_in_words, phase_note, value_sentence};
pub use verify::{Disagreement, TableEntry, TableVerification, VerifyRequest};
pub use whole_games::{AdviceSource, AdviceSourceError, AdviceUsed, WholeGamesRequest, WholeGamesResponse};
