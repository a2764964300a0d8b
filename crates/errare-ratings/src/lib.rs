//! Intrinsic ratings: how good players are by the moves they choose, judged by an engine.
//!
//! The model is that of K. W. Regan and G. McC. Haworth, *Intrinsic chess ratings* (AAAI 2011).
//!
//! A [`TurnReader`] reads turn files into a [`TurnSet`], and a [`Sample`] is a part of its [`Turns`]. A [`Fitter`] finds
//! the skill that best explains a sample. A [`Calibration`] maps skill to Elo, rates players, and screens them;
//! [`Calibration::study`] does all of it for one player. All types are owned and can be shared between threads, and all
//! long work takes a [`Progress`](errare_work::Progress), by which it reports and can be stopped.
//!
//! ```
//! use errare_choice::{Formula, Odds, Skill};
//! use errare_ratings::*;
//! use errare_work::Silent;
//!
//! let line = r#"{"fen": "8/5k2/8/8/8/8/4R3/4K3 w - - 0 40", "ply": 78, "played": "e2e3",
//!               "lines": [["e2e5", 120], ["e2e3", 110], ["e1d1", -20]]}"#.replace('\n', " ");
//! let mut reader = TurnReader::new(Scale::default(), Selection::default(), Engine::default());
//! reader.read("example", line.as_bytes(), &Silent)?;
//! let TurnSet { turns, left_out, .. } = reader.finish();
//! assert_eq!((turns.count(), left_out.total()), (1, 0));
//! // ln 2.2 - ln 2.1, the scale being corrected.
//! assert!((turns.turn(0).loss() - 0.0465).abs() < 1e-4);
//! let mut odds = Odds::default();
//! ChoiceModel::new(Formula::PAPER).weigh(&mut odds, Skill::new(0.1, 0.5)?, turns.turn(0))?;
//! assert!(odds.probabilities()[0] > odds.probabilities()[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibration;
mod calibration_file;
mod choice_model;
mod claim;
#[cfg(feature = "parquet")]
mod columns;
#[cfg(not(feature = "parquet"))]
#[path = "no_columns.rs"]
mod columns;
mod cross_check;
mod error;
mod evaluation;
mod file_kind;
mod fit;
mod fitted_line;
mod grouping;
mod joint;
mod jsonl;
mod merge;
mod method_fits;
mod milepost;
mod move_probabilities;
mod multiple;
mod normal;
mod periods;
mod player_name;
mod player_screening;
mod players;
mod predictor;
mod progress;
mod projection;
mod provenance;
mod rating;
mod reading;
mod record;
mod reference;
mod refusal;
mod reliability;
mod row;
mod sample;
mod scale_fit;
mod screening;
mod selection;
mod shipped;
mod skill_curve;
mod student;
mod study;
mod trial;
mod turn_file;
mod turn_game_identity;
mod turn_output;
mod turn_set;
mod turns;
mod turns_builder;

pub use calibration::Calibration;
pub use calibration_file::{CalibrationDocument, CalibrationError, CalibrationFileError};
pub use choice_model::ChoiceModel;
pub use claim::ClaimedRating;
pub use cross_check::CrossCheck;
pub use error::RatingsError;
pub use evaluation::{Evaluation, EvaluationError, Scale};
pub use file_kind::FileKind;
pub use fit::{Bootstrap, Draws, Fit, FitPlan, Fitter, GroupFit, GroupFits, Method, MethodError, SkippedGroup};
pub use fitted_line::FittedLine;
pub use grouping::{Group, Grouping, GroupingError, groups};
pub use joint::{
    Assessment, Clusters, Control, Estimate, JointFit, JointModel, JointOdds, MIN_JOINT_GAMES, MIN_JOINT_TURNS,
    PARAMETERS, PrecisionAt, TailedSkill, Traits,
};
pub use merge::{MergeError, Merged, merge_turn_files};
pub use method_fits::MilepostFit;
pub use milepost::Milepost;
pub use multiple::{benjamini_hochberg, greater_of_two};
pub use normal::upper_tail;
pub use periods::{Period, PeriodMilepost, PeriodResidual, Periods};
pub use player_name::{PlayerNameError, find_player};
pub use player_screening::{CalibrationShift, NOT_A_VERDICT, PlayerScreening, ScreeningOptions};
pub use players::{NoSuchPage, PLAYERS_PER_PAGE, PlayerSummary, Players, PlayersPage};
pub use projection::Projection;
pub use provenance::{Engine, GameRecord, Player, PlayerSide};
pub use rating::{Estimator, EstimatorError, Rating, RatingOptions};
pub use reading::{ELO_GRID, Reading, ReadingSummary};
pub use record::Record;
pub use reference::Reference;
pub use refusal::Refusal;
pub use reliability::{EndsOutside, Weakness};
pub use row::{GameName, TurnRow, parse_elo};
pub use sample::Sample;
pub use scale_fit::{ScaleFit, estimate_scale};
pub use screening::{MoveTrace, Scores, Screening, Widening};
pub use selection::{LeftOut, Selection, Selector};
pub use skill_curve::SkillCurve;
pub use study::{PlayerStudy, RatedPlayer, StudyOptions};
pub use trial::{
    Detection, EstimatorTrial, HeldOut, HeldOutTrial, ScreeningTrial, TrialEstimator, TrialOptions, TrialSummary,
};
pub use turn_file::{TurnFile, TurnFormat, TurnPlace, TurnRows, TurnWriter, turn_file_of};
pub use turn_game_identity::{MoveDigest, TurnGameIdentity};
pub use turn_output::TurnOutput;
pub use turn_set::{TurnReader, TurnSet};
pub use turns::{MoveText, Turn, Turns};
pub use turns_builder::{BuiltTurns, TurnsBuilder};
