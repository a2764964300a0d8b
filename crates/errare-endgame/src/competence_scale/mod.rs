//! The meaning of a competence: the competence of players of an Elo, by endgame and task, estimated from real games.
//!
//! In each endgame, and for attack and defence apart, ln c = a + b (Elo - 2000) / 400 + u, where u differs from player to
//! player. See [`CompetenceScale::fit`] for how the lines are estimated.

mod fit;
mod hierarchy;
mod observed;
mod shipped;

pub use fit::LineFit;
pub use hierarchy::CommonValue;
pub use observed::{CompetenceObserver, EndingTask, LogLikelihood, ObservedPlayers};
pub use shipped::ScaleError;

use crate::assess::Task;
use errare_tables::{Material, Metric};
use errare_work::{Cancelled, Progress, Status};
use fit::fit_line;
use hierarchy::shrunk;
use observed::{ELO_UNIT, MIDDLE_ELO, PlayerGames, unit_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The competence of players of an Elo, by endgame and task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompetenceScale {
    /// The kind and version of the file.
    pub kind: String,
    /// The metric that players count depths to.
    pub metric: String,
    /// The number kappa that is added to every depth before the power is taken.
    pub kappa: f64,
    /// A description of the games that the scale was estimated from.
    pub data: String,
    /// The lines that all endgames have in common, for attackers and for defenders.
    pub common: Vec<CommonLine>,
    /// The lines of single endgames, by endgame and task.
    pub endings: Vec<EndingLine>,
}

/// The line that all endgames have in common, for players with one task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommonLine {
    /// The task of the players.
    pub task: ScaleTask,
    /// The mean over endgames of ln c at Elo 2000.
    pub a: f64,
    /// Standard error of a.
    pub se_a: f64,
    /// The standard deviation of endgames about a.
    pub spread_a: f64,
    /// The mean over endgames of the slope for 400 points of Elo.
    pub b: f64,
    /// Standard error of b.
    pub se_b: f64,
    /// The standard deviation of endgames about b.
    pub spread_b: f64,
}

/// The line of one endgame and task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndingLine {
    /// The endgame, such as KQKR.
    pub material: String,
    /// The task of the player.
    pub task: ScaleTask,
    /// Number of players.
    pub players: u64,
    /// Number of games, each counted for each player in it.
    pub games: u64,
    /// Number of moves with a real choice.
    pub choices: u64,
    /// The Elo range of the players: a twentieth of them are below it and a twentieth above.
    pub elo: [f64; 2],
    /// The logarithm of the competence at Elo 2000, with the slope drawn towards that of other endgames.
    pub a: f64,
    /// The slope for 400 points of Elo, drawn towards that of other endgames.
    pub b: f64,
    /// The slope that the games of this endgame alone give.
    pub own_b: f64,
    /// The variances of a and b, and between them their covariance.
    pub covariance: [f64; 3],
    /// The standard deviation of players of one Elo about the line.
    pub tau: f64,
}

/// The task of a player as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScaleTask {
    /// The task of winning a won position.
    Attack,
    /// The task of holding a drawn position, or of resisting in a lost one.
    Defence,
}

impl From<Task> for ScaleTask {
    fn from(task: Task) -> ScaleTask {
        match task {
            Task::Attack => ScaleTask::Attack,
            Task::Defence => ScaleTask::Defence,
        }
    }
}

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The Elo of players who play an endgame with some competence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LikeElo {
    /// Players of about this Elo.
    About(Estimate),
    /// Players below this Elo, the lowest of the games that the scale rests on.
    Below(f64),
    /// Players above this Elo, the highest of the games that the scale rests on.
    Above(f64),
}

/// The normal quantile of a 95% interval.
const Z95: f64 = 1.96;

/// The least number of players that a line of an endgame and task needs, and of choices of all of them together.
const MIN_PLAYERS: usize = 40;
const MIN_CHOICES: u64 = 400;

impl CompetenceScale {
    /// The kind that a file with a scale names.
    pub const KIND: &'static str = "errare competence scale 1";

    /// Estimates the scale from what observed players show.
    ///
    /// Each endgame and task with at least 40 players and 400 choices gets a line, by maximum likelihood with the player's
    /// deviation integrated out, and a robust covariance with one term for each player. Its slope is then drawn towards the
    /// mean slope of the task, by the spread of slopes that their errors leave (DerSimonian and Laird, 1986).
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn fit(
        observed: &ObservedPlayers,
        (metric, kappa): (Metric, f64),
        data: String,
        progress: &dyn Progress,
    ) -> Result<CompetenceScale, Cancelled> {
        let mut groups: Vec<(EndingTask, Vec<(&String, &PlayerGames)>)> = Vec::new();
        for (&ending, players) in &observed.by_ending {
            let choices: u64 = players.values().flatten().map(|game| game.choices).sum();
            if players.len() >= MIN_PLAYERS && choices >= MIN_CHOICES {
                let mut players: Vec<_> = players.iter().collect();
                players.sort_by_key(|(name, _)| name.as_str());
                groups.push((ending, players));
            }
        }
        groups.sort_by_cached_key(|((material, task), _)| (material.to_string(), *task));
        let total = groups.len() as u64;
        let mut fitted = Vec::new();
        for (done, (ending, players)) in (0..).zip(&groups) {
            progress.report(&Status::new("fitting competence by Elo", "endings").at(done, total));
            let games: Vec<&PlayerGames> = players.iter().map(|(_, games)| *games).collect();
            if let Some(line) = fit_line(&games, progress)? {
                fitted.push((*ending, games, line));
            }
        }
        let mut scale = CompetenceScale {
            kind: CompetenceScale::KIND.to_owned(),
            metric: metric.to_string(),
            kappa,
            data,
            common: Vec::new(),
            endings: Vec::new(),
        };
        for task in [Task::Attack, Task::Defence] {
            let lines = || fitted.iter().filter(|((_, own), ..)| *own == task);
            if lines().count() == 0 {
                continue;
            }
            let slope = CommonValue::of(&lines().map(|(_, _, line)| (line.b, line.covariance[2])).collect::<Vec<_>>());
            let shrunk_lines = || lines().map(|(ending, games, line)| (ending, games, *line, shrunk(*line, slope)));
            let level =
                CommonValue::of(&shrunk_lines().map(|(.., line)| (line.a, line.covariance[0])).collect::<Vec<_>>());
            scale.common.push(CommonLine {
                task: task.into(),
                a: level.mean,
                se_a: level.se,
                spread_a: level.spread,
                b: slope.mean,
                se_b: slope.se,
                spread_b: slope.spread,
            });
            let endings = shrunk_lines()
                .map(|((material, _), players, own, line)| EndingLine::new(*material, task, players, own.b, line));
            scale.endings.extend(endings);
        }
        scale.endings.sort_by(|one, two| (&one.material, one.task).cmp(&(&two.material, two.task)));
        Ok(scale)
    }

    /// Whether the scale is for players who count to this metric, with this kappa.
    pub fn suits(&self, metric: Metric, kappa: f64) -> bool {
        self.metric == metric.to_string() && self.kappa == kappa
    }

    /// The line of an endgame and task, if there were enough games for one.
    pub fn line(&self, material: Material, task: Task) -> Option<&EndingLine> {
        let (name, task) = (material.to_string(), ScaleTask::from(task));
        self.endings.iter().find(|line| line.material == name && line.task == task)
    }

    /// The competence of a typical player of an Elo. An endgame without a line of its own has that of all endgames, with an
    /// interval as wide as endgames differ.
    pub fn competence(&self, material: Material, task: Task, elo: f64) -> Option<Estimate> {
        if let Some(line) = self.line(material, task) {
            return Some(line.competence(elo));
        }
        let common = self.common.iter().find(|common| common.task == ScaleTask::from(task))?;
        let z = unit_of(elo);
        let level = common.se_a.powi(2) + common.spread_a.powi(2);
        let slope = common.se_b.powi(2) + common.spread_b.powi(2);
        Some(exponential(common.a + common.b * z, level + z * z * slope))
    }

    /// The Elo of players who typically play an endgame with this competence; none if the endgame has no line of its own,
    /// or competence in it does not clearly rise with Elo.
    pub fn like_elo(&self, material: Material, task: Task, competence: f64) -> Option<LikeElo> {
        self.line(material, task)?.like_elo(competence)
    }
}

impl EndingLine {
    fn new(material: Material, task: Task, players: &[&PlayerGames], own_b: f64, line: LineFit) -> EndingLine {
        let games = || players.iter().flat_map(|games| games.iter());
        let mut elos: Vec<f64> = games().map(|game| game.elo).collect();
        elos.sort_by(f64::total_cmp);
        let quantile = |share: f64| elos.get((share * (elos.len().max(1) - 1) as f64).round() as usize).copied();
        EndingLine {
            material: material.to_string(),
            task: task.into(),
            players: players.len() as u64,
            games: games().count() as u64,
            choices: games().map(|game| game.choices).sum(),
            elo: [quantile(0.05).unwrap_or(MIDDLE_ELO), quantile(0.95).unwrap_or(MIDDLE_ELO)],
            a: line.a,
            b: line.b,
            own_b,
            covariance: line.covariance,
            tau: line.tau,
        }
    }

    /// The variance of the line at an Elo.
    fn variance(&self, elo: f64) -> f64 {
        let z = unit_of(elo);
        self.covariance[0] + 2.0 * z * self.covariance[1] + z * z * self.covariance[2]
    }

    /// The competence of a typical player of an Elo.
    pub fn competence(&self, elo: f64) -> Estimate {
        exponential(self.a + self.b * unit_of(elo), self.variance(elo))
    }

    /// Whether competence clearly rises with Elo: the 95% interval of the slope is above 0.
    pub fn rises(&self) -> bool {
        self.b > Z95 * self.covariance[2].sqrt()
    }

    /// The Elo of players who typically have this competence; none if competence does not clearly rise with Elo.
    pub fn like_elo(&self, competence: f64) -> Option<LikeElo> {
        if !self.rises() || competence.is_nan() {
            return None;
        }
        let [lowest, highest] = self.elo;
        let elo = MIDDLE_ELO + ELO_UNIT * (competence.max(1e-9).ln() - self.a) / self.b;
        Some(if elo < lowest {
            LikeElo::Below(lowest)
        } else if elo > highest {
            LikeElo::Above(highest)
        } else {
            let half = Z95 * self.variance(elo).sqrt() * ELO_UNIT / self.b;
            LikeElo::About(Estimate { value: elo, low: elo - half, high: elo + half })
        })
    }
}

/// Makes the estimate of a number whose logarithm is normally distributed.
fn exponential(log: f64, variance: f64) -> Estimate {
    let half = Z95 * variance.sqrt();
    Estimate { value: log.exp(), low: (log - half).exp(), high: (log + half).exp() }
}

/// Rounds an Elo, as Elos are not known to a point.
fn round_elo(elo: f64) -> f64 {
    (elo / 50.0).round() * 50.0
}

impl std::fmt::Display for LikeElo {
    /// Writes the Elo in words, as in `about a 1900 player`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LikeElo::About(elo) => write!(f, "about a {} player", round_elo(elo.value)),
            LikeElo::Below(elo) => write!(f, "a player below {}", round_elo(*elo)),
            LikeElo::Above(elo) => write!(f, "a player above {}", round_elo(*elo)),
        }
    }
}
