//! The bench that studies share: tables, players, positions and games.

use crate::error::{ReproduceError, Result};
use errare_choice::{Competence, Grid, Kappa, Prior};
use errare_endgame::{Analysis, Habits, Model, Oracle};
use errare_games::{Game, Games};
use errare_tables::{
    Counting, Library, Material, Metric, Source, Statistics, Table, TableError, TableSource, Value,
    build_conversion_goal, parse_fen, statistics,
};
use errare_work::Progress;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use std::sync::Arc;

/// The tables of a study, and the observer of its work.
pub struct Bench<'a> {
    /// The tables, among them all that the study needs.
    pub tables: &'a TableSource,
    /// The observer of the work, who may stop it.
    pub progress: &'a dyn Progress,
    /// The endgames to go through, for an experiment that lists some.
    pub endgames: Vec<&'static str>,
}

impl<'a> Bench<'a> {
    /// Makes a bench with these tables.
    pub fn new(tables: &'a TableSource, progress: &'a dyn Progress) -> Bench<'a> {
        Bench { tables, progress, endgames: Vec::new() }
    }

    /// An oracle that reads the values of moves in a metric.
    pub fn oracle(&self, metric: Metric) -> Arc<Oracle> {
        Arc::new(Oracle::new(self.source(), metric))
    }

    /// The source of the values of positions.
    pub fn source(&self) -> Arc<dyn Source> {
        self.tables.source()
    }

    /// Opens one of our tables.
    pub fn table(&self, name: &str, metric: Metric) -> Result<Arc<Table>> {
        let ours = self.tables.our_library().ok_or(TableError::Internal("tables of other makers cannot be counted"))?;
        Ok(ours.open(material(name)?, metric)?)
    }

    /// Builds the table of depths to conversions that count, which is kept in a folder of its own among the tables
    /// under the name `kind`. `counts` gets the endgame after the conversion and its value by the metric `after`.
    pub fn conversion_goal(
        &self,
        name: &str,
        kind: &str,
        after: Metric,
        counts: &(dyn Fn(Material, Value) -> bool + Sync),
    ) -> Result<Arc<Table>> {
        let TableSource::Ours(tables) = self.tables else {
            return Err(TableError::Internal("tables of other makers cannot be solved anew").into());
        };
        let goals = Library::new(tables.library().folder().join(format!("{name}-goal-{kind}")));
        Ok(build_conversion_goal(tables, &goals, material(name)?, after, counts, self.progress)?)
    }

    /// Counts a table's positions by value, by one of the conventions.
    pub fn counts(&self, name: &str, metric: Metric, counting: Counting) -> Result<Statistics> {
        Ok(statistics(&*self.table(name, metric)?, counting, false, self.progress)?)
    }
}

/// Parses the name of an endgame.
pub fn material(name: &str) -> Result<Material> {
    name.parse().map_err(|_| ReproduceError::Internal("a study names an endgame that is none"))
}

/// Parses the FEN of a position.
pub fn position(fen: &str) -> Result<Chess> {
    Ok(parse_fen(fen)?)
}

/// Makes a competence of a number.
pub fn competence(c: f64) -> Result<Competence> {
    Ok(Competence::new(c).map_err(errare_endgame::EndgameError::from)?)
}

/// Makes a kappa of a number above 0.
pub fn kappa(value: f64) -> Result<Kappa> {
    Kappa::new(value).map_err(|_| ReproduceError::Internal("a study names a kappa that is none"))
}

/// The model of players in the papers, who choose by the power law and never give up the theoretical value.
pub fn keeping(kappa: Kappa) -> Model {
    Model::power_law(kappa, Habits::holding_value())
}

/// The analysis by which the papers assess competence: all points of a grid equally likely.
pub fn analysis(kappa: Kappa, min: f64, step: f64, max: f64) -> Result<Analysis> {
    Ok(Analysis::new(keeping(kappa), Grid::new(min, step, max)?, Prior::Uniform)?)
}

/// The name of a move in a position, in standard algebraic notation.
pub fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

/// Finds the move of a name in a position; marks of check may be missing or wrong.
pub fn parse_san(position: &Chess, text: &str) -> Result<Move> {
    let san: SanPlus = text.parse().map_err(|_| ReproduceError::Internal("a study names a move that is none"))?;
    san.san.to_move(position).map_err(|_| ReproduceError::Internal("a study names an illegal move"))
}

/// Plays named moves from a position, and returns the position after them, and the moves.
pub fn play(start: &Chess, names: &str) -> Result<(Chess, Vec<Move>)> {
    let mut at = start.clone();
    let mut moves = Vec::new();
    for name in names.split_whitespace() {
        let mv = parse_san(&at, name)?;
        at.play_unchecked(mv);
        moves.push(mv);
    }
    Ok((at, moves))
}

/// Finds a game that the papers discuss, by the beginning of the name of a player.
pub fn famous_game(player: &str) -> Result<Game> {
    let games = Games::new(include_str!("../data/games.pgn").as_bytes());
    let is_wanted = |game: &Game| [game.white(), game.black()].iter().flatten().any(|name| name.starts_with(player));
    let unreadable = ReproduceError::Internal("a game of the data cannot be read");
    games.filter_map(std::result::Result::ok).find(is_wanted).ok_or(unreadable)
}
