//! Which endgames of games have tables, or can have them soon enough.

use errare_tables::{MAX_MEN_WITH_PAWNS, Material, Metric, TableSource, endgames_after, parse_fen_within};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The endgames met so far, and whether their tables can be had.
pub struct Coverage {
    tables: TableSource,
    metric: Metric,
    /// Tables of up to so many men are built when they are missing.
    men: usize,
    known: HashMap<Material, bool>,
    covered: Arc<HashSet<Material>>,
    /// Covered and met since tables were last built.
    new: Vec<Material>,
}

impl Coverage {
    /// The endgames of these tables, of which those of up to `men` men are built when they are missing.
    pub fn new(tables: TableSource, metric: Metric, men: usize) -> Coverage {
        Coverage { tables, metric, men, known: HashMap::new(), covered: Arc::default(), new: Vec::new() }
    }

    /// The endgames met so far whose tables can be had.
    pub fn covered(&self) -> &Arc<HashSet<Material>> {
        &self.covered
    }

    /// Looks at the endgames of the positions of a game, in their order; `end` is the last of them.
    pub fn meet(&mut self, end: &Chess, positions: impl IntoIterator<Item = Chess>) {
        // Men only ever disappear: a game that ends with many of them has no endgame.
        if self.has_too_many_men(end) {
            return;
        }
        for position in positions {
            if self.has_too_many_men(&position) {
                continue;
            }
            let (material, _) = Material::of_board(position.board());
            if material.men() > 2 && !self.known.contains_key(&material) {
                let covered = self.can_be_had(material, &position);
                self.known.insert(material, covered);
                if covered {
                    Arc::make_mut(&mut self.covered).insert(material);
                    self.new.push(material);
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

    fn has_too_many_men(&self, position: &Chess) -> bool {
        position.board().occupied().count() > self.tables.source().max_men()
    }

    fn can_be_had(&self, material: Material, position: &Chess) -> bool {
        let Some(library) = self.tables.our_library() else {
            // Whether others have a table is found out by asking for a position that stood on the board.
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            let source = self.tables.source();
            let bare = parse_fen_within(&fen, source.max_men());
            return bare.is_ok_and(|position| source.value(&position, self.metric).is_ok());
        };
        let there = |table: &Material| {
            let most = if table.has_pawns() { self.men.min(MAX_MEN_WITH_PAWNS) } else { self.men };
            table.men() <= most || library.path(*table, self.metric).exists()
        };
        // The model's choice looks two plies ahead, into what comes after.
        endgames_after(material, self.metric).iter().all(there)
    }
}
