//! Lines of play between two strategies.

use crate::depth::Depth;
use crate::error::LabError;
use crate::lab::Lab;
use crate::notation::{fen_of, san, uci};
use crate::numbers::counted;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::pgn_output::PgnOutput;
use crate::text::Text;
use errare_endgame::{EndgameError, LinePlayer, MarkedLine, MarkedMove, MoveRule, Pick, Strategy};
use errare_games::{Annotation, Game};
use errare_tables::{Material, Metric, SourceSpec, tables_to_mate};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::san::San;
use shakmaty::{ByColor, Chess, KnownOutcome, Move, Outcome, Position};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Asks for a line of play in which both sides follow strategies, or for given moves to be marked. Missing tables are
/// built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    /// The position as a FEN. The halfmove clock of the FEN counts towards the rule.
    pub fen: String,
    /// The strategy of White, such as SZ, SMC or SR3*.
    pub white: Text<Strategy>,
    /// The strategy of Black.
    pub black: Text<Strategy>,
    /// Random seed for choosing among the moves that a strategy allows; by default the first by the order of squares.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether to play all lines, up to `most` of them.
    #[serde(default)]
    pub all: bool,
    /// The greatest number of lines.
    #[serde(default = "hundred")]
    pub most: usize,
    /// Moves to mark instead of playing a line, in SAN, with or without numbers.
    #[serde(default)]
    pub moves: Option<String>,
    /// The greatest number of plies of a line.
    #[serde(default = "two_thousand")]
    pub plies: usize,
    /// The metrics of the depths at the beginnings of phases; by default dtz, dtc and those of the strategies.
    #[serde(default)]
    pub metrics: Vec<Text<Metric>>,
    /// The number of moves of the rule, or "none"; by default 50.
    #[serde(default)]
    pub rule: Numeric<MoveRule>,
    /// Tables to ask instead of ours: tables:DIR for ours elsewhere.
    #[serde(default)]
    pub source: Option<Text<SourceSpec>>,
    /// The PGN file to write the lines to.
    #[serde(default)]
    pub pgn: Option<PathBuf>,
}

fn hundred() -> usize {
    100
}

fn two_thousand() -> usize {
    2000
}

/// Lines of play between two strategies.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineResponse {
    /// The position that the lines start from.
    pub fen: String,
    /// The strategy of White.
    pub white: String,
    /// The strategy of Black.
    pub black: String,
    /// The number of moves of the rule; null if there is none.
    pub rule: Option<u16>,
    /// Number of moves that the side to move may still make before a draw can be claimed; null without a rule.
    pub mleft: Option<u32>,
    /// Random seed, if moves were chosen by chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The lines of play.
    pub lines: Vec<LineOfPlay>,
    /// Notes that a reader should know: that there may be more lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A line of play.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineOfPlay {
    /// The reason why the line ends.
    pub end: LineEnd,
    /// Number of plies of the line.
    pub plies: usize,
    /// The moves of the line.
    pub moves: Vec<LineMove>,
    /// The phases of the line: each begins at the start or after a capture or a pawn move.
    pub phases: Vec<LinePhase>,
    /// The last position of the line, as a FEN.
    pub last: String,
}

/// The reason why a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LineEnd {
    /// The line ends with checkmate.
    #[serde(rename = "mate")]
    Mate,
    /// The line ends with stalemate, or nothing is left to mate with.
    #[serde(rename = "draw")]
    Draw,
    /// A draw can be claimed by the rule.
    #[serde(rename = "draw claim")]
    DrawClaim,
    /// The line has as many plies as it may have, or the moves given end there.
    #[serde(rename = "broken off")]
    BrokenOff,
}

impl From<errare_endgame::LineEnd> for LineEnd {
    fn from(end: errare_endgame::LineEnd) -> LineEnd {
        match end {
            errare_endgame::LineEnd::Mate => LineEnd::Mate,
            errare_endgame::LineEnd::Dead => LineEnd::Draw,
            errare_endgame::LineEnd::Claim => LineEnd::DrawClaim,
            errare_endgame::LineEnd::Length => LineEnd::BrokenOff,
        }
    }
}

/// A move of a line.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LineMove {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The mark of the move: ' the only one that the strategy allows, " the only one that keeps the value, ° the only
    /// legal one, -n worse by n moves, v changes the value; else empty.
    pub mark: String,
    /// The other moves that the strategy allows.
    pub alternatives: Vec<String>,
}

/// The beginning of a phase.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LinePhase {
    /// Number of plies of the line before the phase.
    pub ply: usize,
    /// The position at the beginning of the phase, as a FEN.
    pub fen: String,
    /// The value of the position by metric.
    pub depths: BTreeMap<String, Depth>,
}

/// The greatest number of lines that a client may ask for.
const MAX_LINES_FOR_CLIENTS: u64 = 1000;

/// The greatest number of plies of a line that a client may ask for.
const MAX_PLIES_FOR_CLIENTS: u64 = 10_000;

impl Operation for LineRequest {
    const NAME: &'static str = "line";
    const ABOUT: &'static str = "Play lines between two strategies, or mark given moves";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = LineResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: Vec::new(), outputs: self.pgn.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<LineResponse, LabError> {
        self.check()?;
        lab.bound("lines", self.most as u64, MAX_LINES_FOR_CLIENTS)?;
        lab.bound("plies of a line", self.plies as u64, MAX_PLIES_FOR_CLIENTS)?;
        let pgn = self.pgn.as_ref().map(|path| PgnOutput::create(lab, path)).transpose()?;
        let tables = lab.source(self.source.as_deref())?;
        let position = tables.position(&self.fen)?;
        let given = self.moves.as_deref().map(|text| read_moves(&position, text)).transpose()?;
        let (metrics, needed) = self.metrics();
        let (material, _) = Material::of_board(position.board());
        let player = LinePlayer {
            source: tables.source(),
            strategies: ByColor { white: self.white.0.clone(), black: self.black.0.clone() },
            rule: *self.rule,
            plies: self.plies,
            metrics,
        };
        let lines = tables.with_tables(&tables_to_mate(material, needed), progress, || match (&given, self.all) {
            (Some(moves), _) => Ok::<_, EndgameError>(vec![player.mark(&position, moves, progress)?]),
            (None, true) => player.all(&position, self.most, progress),
            (None, false) => {
                let pick = self.seed.map_or(Pick::First, Pick::Seed);
                Ok(vec![player.line(&position, pick, progress)?])
            }
        })?;
        if let Some(pgn) = pgn {
            self.write_games(pgn, &position, &lines)?;
        }
        Ok(self.response(&position, &lines))
    }
}

impl LineRequest {
    fn check(&self) -> Result<(), LabError> {
        let given = [("seed", self.seed.is_some()), ("all", self.all), ("moves", self.moves.is_some())];
        let given: Vec<&str> = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
        match given[..] {
            [one, other, ..] => Err(LabError::request(format!("`{one}` and `{other}` exclude each other"))),
            _ => Ok(()),
        }
    }

    /// The metrics of depths to report, and all metrics that are needed.
    fn metrics(&self) -> (Vec<Metric>, Vec<Metric>) {
        let mut reported: Vec<Metric> = self.metrics.iter().map(|metric| metric.0).collect();
        let of_strategies: Vec<Metric> = self.white.metrics().into_iter().chain(self.black.metrics()).collect();
        if reported.is_empty() {
            for metric in [Metric::Dtz, Metric::Dtc].into_iter().chain(of_strategies.iter().copied()) {
                if !reported.contains(&metric) {
                    reported.push(metric);
                }
            }
        }
        // Values come from DTZ.
        let needed = [Metric::Dtz].into_iter().chain(of_strategies).chain(reported.iter().copied());
        let needed = needed.collect();
        (reported, needed)
    }

    fn response(&self, position: &Chess, lines: &[MarkedLine]) -> LineResponse {
        let may_be_more = self.all && lines.len() == self.most;
        let note = || format!("there may be more than {}: raise the limit to see them", counted(self.most, "line"));
        LineResponse {
            fen: fen_of(position),
            white: self.white.to_string(),
            black: self.black.to_string(),
            rule: self.rule.moves(),
            mleft: self.rule.moves_left(position),
            seed: self.seed,
            lines: lines.iter().map(LineOfPlay::new).collect(),
            notes: may_be_more.then(note).into_iter().collect(),
        }
    }

    fn write_games(&self, mut games: PgnOutput, start: &Chess, lines: &[MarkedLine]) -> Result<(), LabError> {
        for (number, line) in lines.iter().enumerate() {
            let mut game = Game::new(start.clone());
            game.set_tag("Event", "errare line");
            game.set_tag("Round", &(number + 1).to_string());
            game.set_tag("White", &self.white.to_string());
            game.set_tag("Black", &self.black.to_string());
            for mv in &line.moves {
                game.push(mv.mv).map_err(|_| LabError::Internal("a line has an illegal move"))?;
            }
            game.result = Some(match line.end {
                errare_endgame::LineEnd::Mate => Outcome::Known(KnownOutcome::Decisive { winner: !line.last.turn() }),
                errare_endgame::LineEnd::Dead | errare_endgame::LineEnd::Claim => Outcome::Known(KnownOutcome::Draw),
                errare_endgame::LineEnd::Length => Outcome::Unknown,
            });
            games.write(&game, &line.moves.iter().map(annotation).collect::<Vec<_>>())?;
        }
        games.finish()
    }
}

fn alternatives(mv: &MarkedMove) -> Vec<String> {
    mv.alternatives().map(|other| san(&mv.position, other)).collect()
}

fn annotation(mv: &MarkedMove) -> Annotation {
    let mut words = mv.mark();
    let others = alternatives(mv);
    if !others.is_empty() {
        words += &format!(" [{}]", others.join(", "));
    }
    Annotation { nags: Vec::new(), comment: (!words.is_empty()).then(|| words.trim().to_owned()) }
}

impl LineOfPlay {
    fn new(line: &MarkedLine) -> LineOfPlay {
        let position_at = |ply: usize| line.moves.get(ply).map_or(&line.last, |mv| &mv.position);
        let moves = line.moves.iter().enumerate().map(|(ply, mv)| LineMove {
            ply: ply + 1,
            uci: uci(mv.mv),
            san: san(&mv.position, mv.mv),
            mark: mv.mark(),
            alternatives: alternatives(mv),
        });
        let phases = line.phases.iter().map(|phase| LinePhase {
            ply: phase.ply,
            fen: fen_of(position_at(phase.ply)),
            depths: phase
                .depths
                .iter()
                .map(|(metric, value)| (metric.to_string(), Depth::of(value, *metric)))
                .collect(),
        });
        LineOfPlay {
            end: line.end.into(),
            plies: line.moves.len(),
            moves: moves.collect(),
            phases: phases.collect(),
            last: fen_of(&line.last),
        }
    }
}

/// Reads moves in SAN; numbers are skipped.
fn read_moves(start: &Chess, text: &str) -> Result<Vec<Move>, LabError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if word.is_empty() {
            continue;
        }
        let bare = word.trim_end_matches(['+', '#', '!', '?', '\'', '"', '°']);
        let invalid = || LabError::request(format!("invalid move `{word}`: expected SAN, such as Kb7"));
        let san: San = bare.parse().map_err(|_| invalid())?;
        let illegal = || LabError::request(format!("illegal move {word} in {}", fen_of(&position)));
        let mv = san.to_move(&position).map_err(|_| illegal())?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    if moves.is_empty() {
        return Err(LabError::request("no moves to mark: expected SAN, such as `1. Kb7 Re7+`"));
    }
    Ok(moves)
}
