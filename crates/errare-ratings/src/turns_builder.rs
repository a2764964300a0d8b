//! Collects records into turns, each game once.

use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::provenance::{Engine, GameRecord};
use crate::record::Record;
use crate::selection::{LeftOut, Selection, Selector};
use crate::turn_game_identity::{MoveDigest, TurnGameIdentity};
use crate::turns::Turns;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Collects records into [`Turns`]. A game that comes twice counts once.
#[derive(Debug)]
pub struct TurnsBuilder {
    turns: Turns,
    selector: Selector,
    engine: Engine,
    numbers: HashMap<GameRecord, usize>,
    games: Vec<GameState>,
    /// The game of the last record, and its place in `games`: records of a game mostly come together.
    last: Option<(GameRecord, usize)>,
    /// The hashes of turns: two of a million collide once in some ten million files.
    seen: HashSet<u64>,
}

/// The state of a game while records come.
#[derive(Debug, Default)]
struct GameState {
    /// The place of the game among those of the turns, once one of its turns counts.
    number: Option<u32>,
    /// Number of the game's turns that count.
    kept: u64,
    left_out: LeftOut,
    /// The moves of the turns that count.
    moves: MoveDigest,
}

/// The turns that a builder collected.
#[derive(Debug)]
pub struct BuiltTurns {
    /// The turns that count.
    pub turns: Turns,
    /// The numbers of turns that do not count.
    pub left_out: LeftOut,
    /// Number of games that came up again; their copies were left out.
    pub duplicate_games: u64,
}

impl TurnsBuilder {
    /// Makes a builder without turns. `engine` fills in what records leave open about their engine.
    pub fn new(scale: Scale, selection: Selection, engine: Engine) -> TurnsBuilder {
        TurnsBuilder {
            turns: Turns::empty(scale),
            selector: Selector::new(selection),
            engine,
            numbers: HashMap::new(),
            games: Vec::new(),
            last: None,
            seen: HashSet::new(),
        }
    }

    /// Adds a record, unless the selection leaves it out, or the same turn of the same game was added before.
    ///
    /// # Errors
    /// [`RatingsError::Record`] if the record contradicts itself; [`RatingsError::Engines`] if its evaluations are by
    /// another engine than those before.
    pub fn add(&mut self, record: Record) -> Result<(), RatingsError> {
        let scale = self.turns.scale();
        let refuse = |what: &str| Err(RatingsError::Record(what.to_owned()));
        let Some((played_name, _)) = record.moves.get(record.played) else {
            return refuse("the played move is not among the moves");
        };
        let evaluations: Vec<f64> = record.moves.iter().map(|&(_, evaluation)| scale.pawns(evaluation)).collect();
        if evaluations.windows(2).any(|pair| pair[1] > pair[0]) {
            return refuse("the moves are not in order: the best must come first");
        }
        if evaluations.len() > usize::from(u16::MAX) {
            return refuse("more moves than any position has");
        }
        self.check_source(record.engine.clone().or(&self.engine), &record)?;
        let place = self.game(&record.game);
        let game = &mut self.games[place];
        if is_identified(&record.game) {
            let mut hasher = DefaultHasher::new();
            (place, record.ply, &record.position, played_name).hash(&mut hasher);
            if !self.seen.insert(hasher.finish()) {
                game.left_out.duplicate += 1;
                return Ok(());
            }
        }
        let before = self.selector.left_out;
        if !self.selector.takes(&record, &scale) {
            game.left_out.add(&self.selector.left_out.since(&before));
            return Ok(());
        }
        let number = *game.number.get_or_insert_with(|| self.turns.push_game(record.game.clone()));
        game.kept += 1;
        game.moves.add(record.ply, &record.position, played_name);
        self.turns.push(&record, &evaluations, number)
    }

    /// The place of a game among all games that came up.
    fn game(&mut self, record: &GameRecord) -> usize {
        if let Some((last, place)) = &self.last
            && last == record
        {
            return *place;
        }
        let place = match self.numbers.get(record) {
            Some(&place) => place,
            None => {
                self.games.push(GameState::default());
                self.numbers.insert(record.clone(), self.games.len() - 1);
                self.games.len() - 1
            }
        };
        self.last = Some((record.clone(), place));
        place
    }

    /// Checks that all turns were evaluated by one engine, at the same depths.
    fn check_source(&mut self, engine: Engine, record: &Record) -> Result<(), RatingsError> {
        let others = record.other_depths.iter().map(|&(depth, _)| Some(depth));
        let depths: Vec<Option<u16>> = std::iter::once(engine.depth).chain(others).collect();
        if self.turns.depths().is_empty() {
            self.turns.set_source(engine, depths);
        } else if *self.turns.engine() != engine {
            let (expected, found) = (Box::new(self.turns.engine().clone()), Box::new(engine));
            return Err(RatingsError::Engines { expected, found });
        } else if self.turns.depths() != depths {
            return Err(RatingsError::Record("not the same depths as in the turns before".to_owned()));
        }
        if record.other_depths.iter().any(|(_, others)| others.len() != record.moves.len()) {
            return Err(RatingsError::Record("not all moves have an evaluation at every depth".to_owned()));
        }
        Ok(())
    }

    /// Returns the turns, and the counts of what was left out. Of games with the same [`TurnGameIdentity`] the first
    /// stays.
    pub fn finish(mut self) -> BuiltTurns {
        let mut known = HashSet::new();
        let mut is_removed = vec![false; self.turns.games().len()];
        let (mut left_out, mut duplicate_games) = (LeftOut::default(), 0);
        for state in &self.games {
            let game = state.number.map(|number| (number as usize, &self.turns.games()[number as usize]));
            let copy = game.filter(|(_, game)| {
                let identity = TurnGameIdentity::new(&game.white.name, &game.black.name, &game.date, state.moves);
                identity.is_some_and(|identity| !known.insert(identity))
            });
            match copy {
                Some((number, _)) => {
                    is_removed[number] = true;
                    left_out.duplicate += state.kept + state.left_out.total();
                    duplicate_games += 1;
                }
                None => {
                    left_out.add(&state.left_out);
                    duplicate_games += u64::from(state.left_out.duplicate > 0);
                }
            }
        }
        if is_removed.contains(&true) {
            self.turns.remove_games(&is_removed);
        }
        self.turns.shrink();
        BuiltTurns { turns: self.turns, left_out, duplicate_games }
    }
}

/// Whether turns that have this record are surely of one game. Turns without any name may be of many games.
fn is_identified(game: &GameRecord) -> bool {
    !game.id.is_empty() || !(game.white.name.is_empty() || game.black.name.is_empty())
}
