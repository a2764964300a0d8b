//! Which endgames have tables, or can have them soon enough.

use crate::sources::Sources;
use errare_games::Game;
use errare_tables::{MAX_MEN_WITH_PAWNS, Material, Metric, endgames_after, parse_fen_within};
use shakmaty::Position;
use std::collections::HashMap;

/// The endgames met so far.
pub struct Coverage<'a> {
    sources: &'a Sources<'a>,
    metric: Metric,
    /// Tables of so many men are built when they are missing.
    men: usize,
    known: HashMap<Material, bool>,
    /// Covered and met since tables were last built.
    new: Vec<Material>,
}

impl<'a> Coverage<'a> {
    pub fn new(sources: &'a Sources<'a>, metric: Metric, men: usize) -> Coverage<'a> {
        Coverage { sources, metric, men, known: HashMap::new(), new: Vec::new() }
    }

    pub fn metric(&self) -> Metric {
        self.metric
    }

    pub fn covers(&self, material: Material) -> bool {
        self.known.get(&material).copied().unwrap_or(false)
    }

    /// Looks at the endgames of games.
    pub fn look_at(&mut self, games: &[Game]) {
        for game in games {
            // Men only ever disappear: a game that ends with many of them has no endgame.
            if game.end().board().occupied().count() > self.sources.source().max_men() {
                continue;
            }
            for (_, position, _) in game.positions() {
                if position.board().occupied().count() > self.sources.source().max_men() {
                    continue;
                }
                let (material, _) = Material::of_board(position.board());
                if material.men() > 2 && !self.known.contains_key(&material) {
                    let covered = self.can_be_had(material, &position);
                    self.known.insert(material, covered);
                    if covered {
                        self.new.push(material);
                    }
                }
            }
        }
    }

    /// The tables to be built or opened for the endgames met since this was last asked.
    pub fn needed(&mut self) -> Vec<(Material, Metric)> {
        let mut needed = Vec::new();
        for material in self.new.drain(..) {
            for table in endgames_after(material, self.metric).into_iter().map(|material| (material, self.metric)) {
                if !needed.contains(&table) {
                    needed.push(table);
                }
            }
        }
        needed
    }

    fn can_be_had(&self, material: Material, position: &shakmaty::Chess) -> bool {
        if self.sources.tables().our_library().is_none() {
            // Whether others have a table is found out by asking for a position that stood on the board.
            let fen = crate::notation::fen_of(position);
            let bare = parse_fen_within(&fen, self.sources.source().max_men());
            return bare.is_ok_and(|position| self.sources.source().value(&position, self.metric).is_ok());
        }
        let Some(library) = self.sources.tables().our_library() else { return false };
        let there = |table: &Material| {
            let most = if table.has_pawns() { self.men.min(MAX_MEN_WITH_PAWNS) } else { self.men };
            table.men() <= most || library.path(*table, self.metric).exists()
        };
        // The model's choice looks two plies ahead, into what comes after.
        endgames_after(material, self.metric).iter().all(there)
    }
}
