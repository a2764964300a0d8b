//! Turns in memory: columns, not rows, so that a million of them fit.

use crate::error::RatingsError;
use crate::evaluation::{Evaluation, Scale};
use crate::provenance::{Engine, GameRecord, Player, PlayerSide};
use crate::record::Record;
use crate::selection::{LeftOut, Selection, Selector};
use std::collections::HashMap;
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
    /// The depths of the losses' layers, the first being that of the order of moves; none if it is not known.
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
    /// Where the losses of each turn begin; one more than turns.
    starts: Vec<usize>,
    losses: Vec<f32>,
}

/// A borrowed view of one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    turns: &'a Turns,
    index: usize,
}

/// Collects records into [`Turns`].
#[derive(Debug)]
pub struct TurnsBuilder {
    turns: Turns,
    selector: Selector,
    engine: Engine,
    numbers: HashMap<GameRecord, u32>,
}

impl TurnsBuilder {
    /// A builder without turns. `engine` fills in what records leave open about theirs.
    pub fn new(scale: Scale, selection: Selection, engine: Engine) -> TurnsBuilder {
        let turns = Turns {
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
            starts: vec![0],
            losses: Vec::new(),
        };
        TurnsBuilder { turns, selector: Selector::new(selection), engine, numbers: HashMap::new() }
    }

    /// Adds a record, unless the selection leaves it out.
    ///
    /// # Errors
    /// [`RatingsError::Record`] if the record contradicts itself; [`RatingsError::Engines`] if its evaluations are by
    /// another engine than those before.
    pub fn add(&mut self, record: Record) -> Result<(), RatingsError> {
        let scale = self.turns.scale;
        let refuse = |what: &str| Err(RatingsError::Record(what.to_owned()));
        let Some((played_name, played)) = record.moves.get(record.played) else {
            return refuse("the played move is not among the moves");
        };
        let evaluations: Vec<f64> = record.moves.iter().map(|&(_, evaluation)| scale.pawns(evaluation)).collect();
        if evaluations.windows(2).any(|pair| pair[1] > pair[0]) {
            return refuse("the moves are not in order: the best must come first");
        }
        if evaluations.len() > usize::from(u16::MAX) {
            return refuse("more moves than any position has");
        }
        let engine = record.engine.clone().or(&self.engine);
        self.check_source(engine, &record)?;
        if !self.selector.takes(&record, &scale) {
            return Ok(());
        }
        let turns = &mut self.turns;
        turns.names.push([MoveText::new(&record.moves[0].0)?, MoveText::new(played_name)?]);
        turns.losses.extend(evaluations.iter().map(|&other| scale.loss(evaluations[0], other) as f32));
        for (_, others) in &record.other_depths {
            turns.push_layer(others);
        }
        turns.starts.push(turns.losses.len());
        turns.ply.push(record.ply);
        turns.side.push(record.side);
        turns.played.push(record.played as u16);
        turns.evaluation.push(evaluations[0] as f32);
        turns.played_evaluation.push(scale.pawns(*played) as f32);
        let number = match (turns.game.last(), turns.games.last()) {
            (Some(&last), Some(game)) if last as usize + 1 == turns.games.len() && *game == record.game => last,
            _ => match self.numbers.get(&record.game) {
                Some(&number) => number,
                None => {
                    let number = turns.games.len() as u32;
                    turns.games.push(record.game.clone());
                    self.numbers.insert(record.game, number);
                    number
                }
            },
        };
        turns.game.push(number);
        Ok(())
    }

    /// All turns must have been evaluated by one engine, at the same depths.
    fn check_source(&mut self, engine: Engine, record: &Record) -> Result<(), RatingsError> {
        let others = record.other_depths.iter().map(|&(depth, _)| Some(depth));
        let depths: Vec<Option<u16>> = std::iter::once(engine.depth).chain(others).collect();
        if self.turns.depths.is_empty() {
            self.turns.depths = depths;
            self.turns.engine = engine;
        } else if self.turns.engine != engine {
            let (expected, found) = (Box::new(self.turns.engine.clone()), Box::new(engine));
            return Err(RatingsError::Engines { expected, found });
        } else if self.turns.depths != depths {
            return Err(RatingsError::Record("not the same depths as in the turns before".to_owned()));
        }
        if record.other_depths.iter().any(|(_, others)| others.len() != record.moves.len()) {
            return Err(RatingsError::Record("not all moves have an evaluation at every depth".to_owned()));
        }
        Ok(())
    }

    /// Returns the turns, and the counts of what was left out.
    pub fn finish(mut self) -> (Turns, LeftOut) {
        self.turns.losses.shrink_to_fit();
        (self.turns, self.selector.left_out)
    }
}

impl Turns {
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

    /// How evaluations were turned into losses.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The engine that made the evaluations.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The depths at which moves were evaluated, first that of the order of moves.
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
    /// If there is no turn of this index.
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

    /// Number of legal moves.
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

    /// The engine's first choice.
    pub fn best_move(self) -> MoveText {
        self.turns.names[self.index][0]
    }

    /// The played move.
    pub fn played_move(self) -> MoveText {
        self.turns.names[self.index][1]
    }

    /// The place of the game among all.
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
