//! Games as rows of figures, and as annotated PGN, in bounded memory.

use super::annotate::annotations;
use super::games::names;
use super::response::{GameHeading, GivenUp, MoveHeading};
use super::worst::severity;
use crate::error::LabError;
use errare_endgame::{Remark, Stretch};
use errare_games::{Game, write_game};
use errare_tables::Metric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Position};

/// The memory in bytes that rows and annotated games may take, by estimate: about 30,000 games with long endgames.
const ROWS_MEMORY: usize = 128 << 20;

/// The estimated size in bytes of a row without its texts.
const OVERHEAD: usize = 1000;

/// A game with an assessed move, in brief.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameRow {
    /// The players of the game, its place and its date.
    #[serde(flatten)]
    pub heading: GameHeading,
    /// The assessed endgames, in the order of the game.
    pub endgames: Vec<String>,
    /// Number of assessed moves.
    pub moves: u64,
    /// The summary of White's moves; null if none of them was assessed.
    pub white_play: Option<SideRow>,
    /// The summary of Black's moves; null if none of them was assessed.
    pub black_play: Option<SideRow>,
    /// The worst assessed move of the game; null if nothing was given away.
    pub worst: Option<RowMove>,
}

/// The summary of one side's moves in a game, with the competence that they show.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideRow {
    /// Number of assessed moves.
    pub moves: u64,
    /// Number of moves that gave up a win or a draw.
    pub given_up: u64,
    /// Number of moves of depth given away where the value was kept.
    pub conceded: u64,
    /// The expected competence of the player, by this game alone.
    pub expected_c: f64,
    /// The central interval that holds nine tenths of the probability.
    pub interval: [f64; 2],
    /// Whether the moves say too little about the competence: fewer than 5 real choices, or a standard deviation above
    /// three quarters of the prior's.
    pub too_little_to_say: bool,
}

/// A move that gave something away.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RowMove {
    /// The heading of the move, which identifies it.
    #[serde(flatten)]
    pub heading: MoveHeading,
    /// The theoretical value that the move gave up; null if it was kept.
    pub given_up: Option<GivenUp>,
    /// Number of moves of depth given away; null if the theoretical value was given away.
    pub conceded: Option<u16>,
}

/// The rows made so far.
pub(super) struct GameRows {
    metric: Metric,
    memory: usize,
    used: usize,
    pub index: Vec<GameRow>,
    pub annotated: Vec<String>,
    /// Number of games for which there was no memory left.
    pub unlisted: u64,
}

impl GameRows {
    pub fn new(metric: Metric) -> GameRows {
        GameRows { metric, memory: ROWS_MEMORY, used: 0, index: Vec::new(), annotated: Vec::new(), unlisted: 0 }
    }

    /// Adds a game, if it has an assessed move of a player whose name is wanted.
    pub fn add(
        &mut self,
        file: Option<&str>,
        game: &Game,
        stretches: &[Stretch],
        wants: impl Fn(&str) -> bool,
    ) -> Result<(), LabError> {
        let Some(row) = GameRow::new(file, game, stretches, wants) else { return Ok(()) };
        if self.used >= self.memory {
            self.unlisted += 1;
            return Ok(());
        }
        let mut pgn = Vec::new();
        write_game(&mut pgn, game, &annotations(game, stretches, self.metric))
            .map_err(|_| LabError::Internal("a game cannot be written to memory"))?;
        let pgn = String::from_utf8(pgn).map_err(|_| LabError::Internal("a game was not written as UTF-8"))?;
        self.used += OVERHEAD + row.text_length() + pgn.len();
        self.index.push(row);
        self.annotated.push(pgn);
        Ok(())
    }
}

impl GameRow {
    fn new(file: Option<&str>, game: &Game, stretches: &[Stretch], wants: impl Fn(&str) -> bool) -> Option<GameRow> {
        let is_wanted = names(game).map(wants);
        let of_interest = |remark: &&Remark| *is_wanted.get(remark.position.turn());
        let remarks: Vec<&Remark> = stretches.iter().flat_map(|stretch| &stretch.moves).filter(of_interest).collect();
        // Of equals the first, as among the worst moves of all games.
        let mut worst: Option<&Remark> = None;
        for remark in &remarks {
            if severity(remark) > worst.map_or((0, 0), severity) {
                worst = Some(remark);
            }
        }
        let sides = ByColor::new_with(|color| SideRow::new(&remarks, color));
        let mut endgames: Vec<String> = Vec::new();
        for stretch in stretches.iter().filter(|stretch| stretch.moves.iter().any(|remark| of_interest(&remark))) {
            let material = stretch.material.to_string();
            if !endgames.contains(&material) {
                endgames.push(material);
            }
        }
        (!remarks.is_empty()).then(|| GameRow {
            heading: GameHeading::new(file, game),
            endgames,
            moves: remarks.len() as u64,
            white_play: sides.white,
            black_play: sides.black,
            worst: worst.map(|remark| RowMove::new(game, remark)),
        })
    }

    fn text_length(&self) -> usize {
        let GameHeading { file, white, black, event, date, .. } = &self.heading;
        let optional = [file, event, date].map(|text| text.as_ref().map_or(0, String::len));
        white.len() + black.len() + optional.iter().sum::<usize>()
    }
}

impl SideRow {
    fn new(remarks: &[&Remark], color: Color) -> Option<SideRow> {
        let own = || remarks.iter().filter(|remark| remark.position.turn() == color);
        let last = own().next_back()?;
        Some(SideRow {
            moves: own().count() as u64,
            given_up: own().filter(|remark| remark.given_up.is_some()).count() as u64,
            conceded: own().map(|remark| u64::from(remark.conceded.unwrap_or(0))).sum(),
            expected_c: last.expected,
            interval: [last.interval.0, last.interval.1],
            too_little_to_say: last.certainty.is_too_little(),
        })
    }
}

impl RowMove {
    fn new(game: &Game, remark: &Remark) -> RowMove {
        RowMove {
            heading: MoveHeading::new(game, remark),
            given_up: remark.given_up.map(Into::into),
            conceded: remark.conceded,
        }
    }
}
