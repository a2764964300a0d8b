//! Turns in memory: columns, not rows, so that a million of them fit.

use crate::error::RatingsError;
use crate::evaluation::{Evaluation, Scale};
use crate::provenance::{Engine, GameRecord, Player, PlayerSide};
use crate::record::Record;
use std::fmt;

/// A move as UCI writes it, in five bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveText([u8; 5]);

impl MoveText {
    fn new(text: &str) -> Result<MoveText, RatingsError> {
        let mut bytes = [0; 5];
        let place = bytes.get_mut(..text.len()).filter(|_| text.is_ascii());
        let refused = || RatingsError::Record(format!("invalid move `{text}`: expected UCI notation such as e2e4"));
        place.ok_or_else(refused)?.copy_from_slice(text.as_bytes());
        Ok(MoveText(bytes))
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.0.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte));
        f.pad(&written.collect::<String>())
    }
}

/// Turns in memory, column by column.
///
/// Losses are kept as `f32`: their error, 1e-7 of a pawn, is far below that of any evaluation.
#[derive(Debug)]
pub struct Turns {
    scale: Scale,
    engine: Engine,
    /// The depths of the losses' layers, the first being the depth that orders the moves; none for a depth that is not
    /// known.
    depths: Vec<Option<u16>>,
    games: Vec<GameRecord>,
    game: Vec<u32>,
    ply: Vec<u16>,
    side: Vec<PlayerSide>,
    played: Vec<u16>,
    evaluation: Vec<f32>,
    /// The played move's evaluation, uncorrected.
    played_evaluation: Vec<f32>,
    names: Vec<[MoveText; 2]>,
    /// The positions one after another, as texts.
    positions: String,
    /// The places where the position of each turn ends.
    position_ends: Vec<usize>,
    /// The places where the losses of each turn begin; one more than there are turns.
    starts: Vec<usize>,
    losses: Vec<f32>,
}

/// A borrowed view of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    turns: &'a Turns,
    index: usize,
}

impl Turns {
    /// Makes turns without any, to be filled.
    pub(crate) fn empty(scale: Scale) -> Turns {
        Turns {
            scale,
            engine: Engine::default(),
            depths: Vec::new(),
            games: Vec::new(),
            game: Vec::new(),
            ply: Vec::new(),
            side: Vec::new(),
            played: Vec::new(),
            evaluation: Vec::new(),
            played_evaluation: Vec::new(),
            names: Vec::new(),
            positions: String::new(),
            position_ends: Vec::new(),
            starts: vec![0],
            losses: Vec::new(),
        }
    }

    /// Names the engine that made the evaluations, and its depths, the main one first.
    pub(crate) fn set_source(&mut self, engine: Engine, depths: Vec<Option<u16>>) {
        (self.engine, self.depths) = (engine, depths);
    }

    /// Adds a game without turns, and returns its number.
    pub(crate) fn push_game(&mut self, game: GameRecord) -> u32 {
        self.games.push(game);
        self.games.len() as u32 - 1
    }

    /// Adds a turn of a game, with the evaluations of its moves in pawns.
    pub(crate) fn push(&mut self, record: &Record, evaluations: &[f64], game: u32) -> Result<(), RatingsError> {
        let scale = self.scale;
        let name = |place: usize| record.moves.get(place).map_or("", |(name, _)| name.as_str());
        self.names.push([MoveText::new(name(0))?, MoveText::new(name(record.played))?]);
        self.losses.extend(evaluations.iter().map(|&other| scale.loss(evaluations[0], other) as f32));
        self.positions += &record.position;
        self.position_ends.push(self.positions.len());
        for (_, others) in &record.other_depths {
            self.push_layer(others);
        }
        self.starts.push(self.losses.len());
        self.ply.push(record.ply);
        self.side.push(record.side);
        self.played.push(record.played as u16);
        self.evaluation.push(evaluations[0] as f32);
        self.played_evaluation.push(evaluations[record.played] as f32);
        self.game.push(game);
        Ok(())
    }

    /// Releases memory that nothing will fill any more.
    pub(crate) fn shrink(&mut self) {
        self.losses.shrink_to_fit();
    }

    /// Removes the games that are marked, with all their turns.
    pub(crate) fn remove_games(&mut self, is_removed: &[bool]) {
        let kept: Vec<bool> = self.game.iter().map(|&game| !is_removed[game as usize]).collect();
        fn retain<T>(column: &mut Vec<T>, kept: &[bool]) {
            let mut kept = kept.iter();
            column.retain(|_| kept.next().copied().unwrap_or(false));
        }
        let mut end = 0;
        let mut starts = vec![0];
        let (mut positions, mut position_ends) = (String::new(), Vec::new());
        for (turn, _) in kept.iter().enumerate().filter(|(_, is_kept)| **is_kept) {
            let span = self.starts[turn]..self.starts[turn + 1];
            let length = span.len();
            self.losses.copy_within(span, end);
            end += length;
            starts.push(end);
            positions += self.turn(turn).position();
            position_ends.push(positions.len());
        }
        (self.positions, self.position_ends) = (positions, position_ends);
        self.losses.truncate(end);
        self.starts = starts;
        for column in [&mut self.ply, &mut self.played] {
            retain(column, &kept);
        }
        for column in [&mut self.evaluation, &mut self.played_evaluation] {
            retain(column, &kept);
        }
        retain(&mut self.side, &kept);
        retain(&mut self.names, &kept);
        retain(&mut self.game, &kept);
        // The games that stay move up.
        let mut next = 0;
        let numbers: Vec<u32> = is_removed
            .iter()
            .map(|&is_removed| {
                let number = next;
                next += u32::from(!is_removed);
                number
            })
            .collect();
        self.game.iter_mut().for_each(|game| *game = numbers[*game as usize]);
        let mut staying = is_removed.iter().map(|is_removed| !is_removed);
        self.games.retain(|_| staying.next().unwrap_or(false));
    }

    fn push_layer(&mut self, evaluations: &[Evaluation]) {
        let scale = self.scale;
        let pawns = evaluations.iter().map(|&evaluation| scale.pawns(evaluation));
        let best = pawns.clone().fold(f64::NEG_INFINITY, f64::max);
        self.losses.extend(pawns.map(|other| scale.loss(best, other) as f32));
    }

    /// Number of turns.
    pub fn count(&self) -> usize {
        self.played.len()
    }

    /// The scale by which evaluations were turned into losses.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The engine that made the evaluations.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The depths at which moves were evaluated, first the one that orders the moves.
    pub fn depths(&self) -> &[Option<u16>] {
        &self.depths
    }

    /// The games that the turns come from.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The turn of an index.
    ///
    /// # Panics
    /// If no turn has this index.
    pub fn turn(&self, index: usize) -> Turn<'_> {
        assert!(index < self.count(), "turn {index} of {}", self.count());
        Turn { turns: self, index }
    }

    /// Goes through all turns.
    pub fn iter(&self) -> impl Iterator<Item = Turn<'_>> {
        (0..self.count()).map(|index| Turn { turns: self, index })
    }
}

impl<'a> Turn<'a> {
    /// The index of the turn.
    pub fn index(self) -> usize {
        self.index
    }

    /// Number of moves that were evaluated, which are all legal moves unless the engine showed fewer.
    pub fn moves(self) -> usize {
        self.span().len() / self.turns.depths.len().max(1)
    }

    fn span(self) -> std::ops::Range<usize> {
        self.turns.starts[self.index]..self.turns.starts[self.index + 1]
    }

    /// The loss by each move against the best, in pawns, corrected; in the order of the main depth.
    pub fn losses(self) -> &'a [f32] {
        self.losses_at(0)
    }

    /// The loss by each move at one of the depths, given by its place.
    pub fn losses_at(self, layer: usize) -> &'a [f32] {
        let (span, moves) = (self.span(), self.moves());
        &self.turns.losses[span][layer * moves..(layer + 1) * moves]
    }

    /// The place of the played move in the engine's order, from 0.
    pub fn played(self) -> usize {
        usize::from(self.turns.played[self.index])
    }

    /// The loss by the played move.
    pub fn loss(self) -> f64 {
        f64::from(self.losses()[self.played()])
    }

    /// The evaluation of the best move, in pawns, uncorrected.
    pub fn evaluation(self) -> f64 {
        f64::from(self.turns.evaluation[self.index])
    }

    /// The evaluation of the played move, in pawns, uncorrected.
    pub fn played_evaluation(self) -> f64 {
        f64::from(self.turns.played_evaluation[self.index])
    }

    /// Number of plies before the turn.
    pub fn ply(self) -> u16 {
        self.turns.ply[self.index]
    }

    /// The side that moved.
    pub fn side(self) -> PlayerSide {
        self.turns.side[self.index]
    }

    /// The position without its counters: placement, side, castling rights, en passant square.
    pub fn position(self) -> &'a str {
        let ends = &self.turns.position_ends;
        let start = self.index.checked_sub(1).map_or(0, |before| ends[before]);
        &self.turns.positions[start..ends[self.index]]
    }

    /// The move that is the engine's first choice.
    pub fn best_move(self) -> MoveText {
        self.turns.names[self.index][0]
    }

    /// The played move.
    pub fn played_move(self) -> MoveText {
        self.turns.names[self.index][1]
    }

    /// The place of the turn's game among all games.
    pub fn game_number(self) -> usize {
        self.turns.game[self.index] as usize
    }

    /// The game of the turn.
    pub fn game(self) -> &'a GameRecord {
        &self.turns.games[self.game_number()]
    }

    /// The player who moved.
    pub fn player(self) -> &'a Player {
        self.game().player(self.side())
    }
}
