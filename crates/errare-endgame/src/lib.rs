//! Fallible play in endgames.
//!
//! An [`Oracle`] turns a position into a choice: every move with the state it leads to, by the tables of any source and
//! any metric. A [`Model`] describes how fallible players choose. [`Agent`]s play: the reference [`Player`] R_c, the
//! [`Infallible`] player, the [`Predator`] that exploits what it knows about the opponent, the [`Emulator`] that looks like
//! R_c, [`Levy`]'s search. An [`Analyser`] infers the competence of a player from moves; a [`Forecast`] predicts how long
//! a contest takes.
//!
//! ```
//! use errare_choice::{Competence, Grid, Kappa, Prior};
//! use errare_endgame::*;
//! use errare_tables::{Library, Metric, Tables, parse_fen};
//! use errare_work::Silent;
//! use std::sync::Arc;
//!
//! let folder = tempfile::tempdir()?;
//! let tables = Tables::new(Library::new(folder.path()), 1 << 30);
//! tables.ensure("KRK".parse()?, Metric::Dtm, &Silent)?;
//!
//! // The best moves mate in 15 from here, but R_20 is not sure to find one.
//! let oracle = Oracle::new(Arc::clone(tables.library()) as _, Metric::Dtm);
//! let options = oracle.options(&parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?)?;
//! let model = Model::power_law(Kappa::ONE, Habits::holding_wins());
//! let chances = model.probabilities(&options, Competence::new(20.0)?)?;
//! let optimal: f64 = options.optimal().into_iter().map(|place| chances[place]).sum();
//! assert!(optimal > 0.5 && optimal < 1.0);
//!
//! // A player who finds one appears more competent.
//! let mut analyser = Analysis::new(model, Grid::new(0.0, 1.0, 50.0)?, Prior::Uniform)?.analyser();
//! let _ = analyser.observe(&options, options.optimal()[0])?;
//! assert!(analyser.posterior().mean() > 25.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The models and agents are those of G. McC. Haworth, *Reference fallible endgame play* (ICGA Journal 26 (2), 2003),
//! R. B. Andrist and G. McC. Haworth, *Deeper model endgame analysis* (Theoretical Computer Science 349 (2), 2005) and
//! D. Levy, *Improving the performance of endgame databases* (ICCA Journal 10 (4), 1987).

mod agents;
mod analyser;
mod assess;
mod competence_scale;
mod contest;
mod duel;
mod error;
mod forecast;
mod habits;
mod line;
mod markov;
mod markov_blocks;
mod match_score;
mod matches;
mod model;
mod move_rule;
mod oracle;
mod outlook;
mod play;
mod predict;
mod solved_model;
mod strategy;
mod sweep;

pub use agents::{
    Agent, AgentDraft, AgentInfo, AgentKind, AgentParameters, AgentSetting, AgentSpec, AgentSpecError, Belief,
    EloPlayer, Emulator, EnginePlayer, EnginePool, Figure, Infallible, Judgement, Levy, Opponent, Parameter, Player,
    Predator, Scope, ScopeError, Strategist, Ties, error_chance,
};
pub use analyser::{Analyser, Analysis};
pub use assess::{
    Absence, AssessedPlayers, Assessment, Assessor, Certainty, Counts, Coverage, GamesAndMoves, GivenUp,
    INTERVAL_SHARE, LeftOut, MAX_SD_RATIO, MIN_CHOICES, Mark, PlayerAssessment, RECORDS_MEMORY, Remark, Stretch, Task,
    Unlisted,
};
pub use competence_scale::{
    CommonLine, CommonValue, CompetenceObserver, CompetenceScale, EndingLine, EndingTask, Estimate, LikeElo, LineFit,
    LogLikelihood, ObservedPlayers, ScaleError, ScaleTask,
};
pub use contest::{PlayRecord, StartSpread, WonStart, draw_won_starts};
pub use duel::{Concession, Duel, Ending, Played, Reason, game_seed};
pub use error::EndgameError;
pub use forecast::{Forecast, ForecastHorizon};
pub use habits::{Habits, Hold, HoldError, Leaning, LeaningError, Trait};
pub use line::{LineEnd, LinePlayer, MarkedLine, MarkedMove, PhaseStart, Pick};
pub use markov::{Contest, MAX_COMPETENCES, MarkovModel, MarkovScope};
pub use markov_blocks::{Block, BlockContest, BlockModel, BlockOpponent, BlockOutlook, Blocks, MAX_BLOCK_NUMBERS};
pub use match_score::{EloDifference, MatchScore, wilson_interval};
pub use matches::{EnginePools, Match, MatchGame, MatchStart, MatchTally, Moments, ResultTally, Schedule, Slot};
pub use model::{Family, Model, PowerLaws, StretchedExponentials};
pub use move_rule::{MoveRule, MoveRuleError};
pub use oracle::{CandidateMove, Options, Oracle};
pub use outlook::{AfterMoves, ContestOutlook, ContestQuestion, DrawOutlook, Passage};
pub use play::{
    Apparent, DrawCount, DrawReason, Finish, GameMove, MoveTextError, PlayConditions, PlayEnd, PlayEndReason,
    PlayedGame, Review, SideReview, TurningPoint, parse_move, turned_by_seed,
};
pub use predict::{PlacedQuestion, Prediction, PredictionQuestion};
pub use solved_model::{SolvedModel, StateChances};
pub use strategy::{
    Follower, Goal, Goals, Outlook, Part, Prospect, Situation, Strategy, StrategyComparer, StrategyComparison,
    StrategyError, StrategyTally, Success, WholeComparer, WholeFollower, WinnerMovesLeft,
};
pub use sweep::{Crossover, Reign, Sweep, Sweeper};
