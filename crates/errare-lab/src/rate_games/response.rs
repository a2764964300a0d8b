//! The response of rating the players of games.

use super::{Facts, RateGamesRequest};
use crate::numbers::{counted, grouped};
use crate::ratings::{CAUTION, MoveScreening, StudyResponse, TurnsRead, warnings};
use errare_ratings::{EndsOutside, LeftOut, NOT_A_VERDICT};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The players of games with their ratings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RateGamesResponse {
    /// The engine that evaluated the moves.
    pub engine: EngineUsed,
    /// The calibration that players were rated by; null if none suits the engine and the depth.
    pub calibration: Option<CalibrationUsed>,
    /// The reason why there is no calibration, with how to make one; null if there is one.
    pub no_calibration: Option<String>,
    /// Number of games that can be played through; if a player was asked for, of games of that player.
    pub games: u64,
    /// Number of broken games, which were skipped.
    pub broken_games: u64,
    /// Number of turns that count.
    pub turns: usize,
    /// Number of turns evaluated by this run.
    pub evaluated: u64,
    /// Number of turns that are missing because the engine failed at them.
    pub failed: u64,
    /// The numbers of turns that do not count.
    pub left_out: LeftOut,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// The least number of turns that a rating takes.
    pub min_turns: usize,
    /// The players, in the order asked for; by default those with a rating first, the highest first, then the others,
    /// those with the most turns first.
    pub rows: Vec<RatedPlayerRow>,
    /// The details of the player who was asked for; null if no player was.
    pub player: Option<PlayerDetail>,
    /// A summary of what was done and left out, in a sentence.
    pub summary: String,
    /// Cautions about what ratings and z-scores do not show, a sentence or a few each.
    pub cautions: Vec<String>,
    /// Reasons why ratings by this calibration mean little, a sentence each; empty if its mileposts are enough.
    pub warnings: Vec<String>,
}

/// The engine that evaluated moves, with its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineUsed {
    /// The file of the engine's program.
    pub program: String,
    /// The name that the engine gives itself.
    pub name: String,
    /// The depth of search.
    pub depth: u16,
    /// The net and options of the engine.
    pub settings: String,
}

/// The calibration that ratings rest on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationUsed {
    /// A description of the games that the calibration was made from.
    pub data: String,
    /// The model of how players choose.
    pub model: String,
    /// The method by which skills were fitted.
    pub method: String,
    /// The range of Elos of the calibration.
    pub range: (f64, f64),
    /// Whether the calibration comes with the program.
    pub shipped: bool,
}

/// The rating and statistics of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatedPlayerRow {
    /// The name of the player; `everybody` if all moves were rated together.
    pub player: String,
    /// The Intrinsic Performance Rating; null if there is none.
    pub ipr: Option<f64>,
    /// The lower end of the rating's 95% interval.
    pub low: Option<f64>,
    /// The upper end of the rating's 95% interval.
    pub high: Option<f64>,
    /// Standard error of the rating.
    pub se: Option<f64>,
    /// Whether the rating is outside the range of the calibration, so that it is extrapolated.
    pub outside_range: bool,
    /// Which ends of the interval, `low` and `high`, are outside the range of the calibration, so that they are extrapolated.
    #[serde(default)]
    pub interval_outside_range: EndsOutside,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// Move-match: the share of turns on which the engine's first choice was played.
    pub mm: f64,
    /// Average difference: the mean loss in pawns, corrected for the size of the evaluation.
    pub ad: f64,
    /// The mean rating over the games that give one.
    pub elo: Option<f64>,
    /// The rating that the moves were compared with: the one that was claimed, or else `elo`; null if they were not compared.
    #[serde(default)]
    pub claimed: Option<f64>,
    /// The greater of `z_mm` and `z_ad`: widened standard deviations by which the moves are better than is to be expected
    /// of the rating; null if no rating is known or claimed.
    pub z: Option<f64>,
    /// The z-score by the share of first choices.
    pub z_mm: Option<f64>,
    /// The z-score by the mean loss.
    pub z_ad: Option<f64>,
    /// The probability, if the model is exact, that one of both scores is `z` or more for a player who is as strong as
    /// claimed and plays without help.
    pub chance: Option<f64>,
    /// Number of players who show `z` or more by chance if all players that were compared here are as strong as
    /// claimed.
    pub by_chance: Option<f64>,
    /// The value of `chance` adjusted for the number of players, by Benjamini and Hochberg (1995): of the players with
    /// at most this value, such a share is expected to be among them by chance alone.
    pub adjusted: Option<f64>,
    /// A note on this row: why there is no rating, or what it is worth; null if there is nothing to note.
    pub note: Option<String>,
}

/// The details of one player.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerDetail {
    /// The full name of the player.
    pub player: String,
    /// The rating, posterior and screening of the player; null if there is no rating. The moves of the screening are in
    /// `trace` instead.
    pub study: Option<StudyResponse>,
    /// The player whose probabilities the trace shows.
    pub trace_basis: TraceBasis,
    /// The player whose probabilities the trace shows, in a sentence.
    pub trace_words: String,
    /// The moves of the player, one by one.
    pub trace: Vec<MoveScreening>,
}

/// The player whose probabilities a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceBasis {
    /// The probabilities are those of a player of the claimed rating, or of the rating of each game.
    Claimed,
    /// The probabilities are those of a player of the rating that the moves have.
    Own,
    /// There are no probabilities, for want of a calibration or of turns.
    None,
}

impl RateGamesResponse {
    pub(super) fn new(
        request: &RateGamesRequest,
        facts: Facts<'_>,
        rows: Vec<RatedPlayerRow>,
        player: Option<PlayerDetail>,
    ) -> RateGamesResponse {
        let Facts { summary, program, set, calibration, missing } = facts;
        // Early, forced and repeated turns never reached the engine; decided ones did.
        let mut left_out = set.left_out;
        left_out.add(&summary.survey.left_out);
        let mut response = RateGamesResponse {
            engine: EngineUsed {
                program,
                name: summary.engine.clone(),
                depth: summary.depth,
                settings: summary.settings.clone(),
            },
            calibration: calibration.as_ref().map(|(found, shipped)| CalibrationUsed {
                data: found.data.clone(),
                model: found.model.formula().to_string(),
                method: found.method.to_string(),
                range: found.range(),
                shipped: *shipped,
            }),
            no_calibration: missing,
            games: summary.survey.games,
            broken_games: summary.survey.broken,
            turns: set.turns.count(),
            evaluated: summary.evaluated,
            failed: summary.failed(),
            left_out,
            read: TurnsRead::new(set),
            min_turns: request.min_turns,
            summary: String::new(),
            cautions: cautions(&rows),
            warnings: calibration.as_ref().map_or_else(Vec::new, |(found, _)| warnings(found)),
            rows,
            player,
        };
        response.summary = response.summed_up();
        response
    }

    fn summed_up(&self) -> String {
        let LeftOut { early, forced, decided, repeated, duplicate } = self.left_out;
        let reasons = [
            (early, "before the first move that counts"),
            (forced, "with one legal move"),
            (decided, "in decided positions"),
            (repeated, "in positions that came up before"),
            (duplicate, "in copies of games"),
        ];
        let reasons = reasons.iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = reasons.map(|(count, reason)| format!("{} {reason}", grouped(*count))).collect();
        let left_out =
            if reasons.is_empty() { String::new() } else { format!(" Not counted: {}.", reasons.join(", ")) };
        let mut text = format!(
            "{} of {} count, evaluated by {} at depth {}.{left_out}",
            counted(self.turns, "turn"),
            counted(self.games, "game"),
            self.engine.name,
            self.engine.depth
        );
        if self.broken_games > 0 {
            text += &format!(" {} could not be played through and were left out.", counted(self.broken_games, "game"));
        }
        if self.failed > 0 {
            text += &format!(" The engine failed at {}, which are missing.", counted(self.failed, "turn"));
        }
        text
    }
}

/// Lists what ratings and z-scores do not show, as far as there are any.
fn cautions(rows: &[RatedPlayerRow]) -> Vec<String> {
    let mut cautions = Vec::new();
    if rows.iter().any(|row| row.ipr.is_some()) {
        cautions.push(CAUTION.to_owned());
    }
    let compared = rows.iter().filter(|row| row.z.is_some()).count();
    if compared > 1 {
        // The most unusual first: its chance says how many of so many honest players would show as much.
        let most = rows
            .iter()
            .filter(|row| row.chance.is_some())
            .min_by(|one, other| one.chance.unwrap_or(1.0).total_cmp(&other.chance.unwrap_or(1.0)));
        if let Some((z, by_chance, adjusted)) = most.and_then(|row| Some((row.z?, row.by_chance?, row.adjusted?))) {
            cautions.push(format!(
                "{} players were compared with their ratings. The greatest z is {z:+.2}: of so many players who are as strong \
                 as their ratings, {by_chance:.1} on average show as much by chance alone (adjusted for their number, its \
                 probability is {adjusted:.2}).",
                grouped(compared as u64)
            ));
        }
    }
    if compared > 0 {
        cautions.push(NOT_A_VERDICT.to_owned());
    }
    cautions
}
