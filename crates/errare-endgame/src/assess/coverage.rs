//! Coverage: the endgames of games that have tables, or whose tables can be built soon enough.

use errare_tables::{MAX_MEN_WITH_PAWNS, Material, Metric, TableSource, endgames_after, parse_fen_within};
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The endgames met so far, and whether their tables exist or can be built.
pub struct Coverage {
    tables: TableSource,
    metric: Metric,
    /// The number of men up to which missing tables are built.
    men: usize,
    /// The only endgames of interest; none for all.
    only: Option<HashSet<Material>>,
    known: HashMap<Material, Option<Absence>>,
    covered: Arc<HashSet<Material>>,
    /// Covered endgames that were met since tables were last built.
    new: Vec<Material>,
    left_out: BTreeMap<(usize, Absence), LeftOut>,
}

/// The reason why an endgame has no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Absence {
    /// The tables are not there, and have more men than those that are to be built.
    TooManyMen,
    /// The tables are not there, and have more men than can be built with pawns.
    TooManyMenWithPawns,
    /// The tables that others made do not include this endgame.
    NotInSource,
}

/// Endgames of one number of men that were left out for one reason.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The number of men of these endgames.
    pub men: usize,
    /// The reason why these endgames were left out.
    pub absence: Absence,
    /// Games with a move in such an endgame, and the moves in it.
    pub total: GamesAndMoves,
    /// Games and moves for each of these endgames.
    by_material: HashMap<Material, GamesAndMoves>,
}

/// A number of games, and of moves in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamesAndMoves {
    /// Number of games.
    pub games: u64,
    /// Number of moves.
    pub moves: u64,
}

impl LeftOut {
    /// The endgames with their games and moves, those of most games first.
    pub fn endgames(&self) -> Vec<(Material, GamesAndMoves)> {
        let mut endgames: Vec<_> = self.by_material.iter().map(|(&material, &count)| (material, count)).collect();
        endgames.sort_by_cached_key(|(material, count)| (std::cmp::Reverse(count.games), material.to_string()));
        endgames
    }
}

impl Coverage {
    /// Makes the coverage by these tables, of which missing ones of up to `men` men are built.
    pub fn new(tables: TableSource, metric: Metric, men: usize) -> Coverage {
        Coverage {
            tables,
            metric,
            men,
            only: None,
            known: HashMap::new(),
            covered: Arc::default(),
            new: Vec::new(),
            left_out: BTreeMap::new(),
        }
    }

    /// Restricts the coverage to these endgames.
    #[must_use]
    pub fn only(self, endgames: HashSet<Material>) -> Coverage {
        Coverage { only: Some(endgames), ..self }
    }

    /// The endgames met so far whose tables exist or can be built.
    pub fn covered(&self) -> &Arc<HashSet<Material>> {
        &self.covered
    }

    /// The endgames met so far whose tables do not exist and cannot be built, by men and reason.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        self.left_out.values()
    }

    /// Looks at the endgames of the positions of a game, in their order; `end` is the last of them. Moves of sides that
    /// are not `of_interest` do not count as left out.
    pub fn meet(
        &mut self,
        end: &Chess,
        positions: impl IntoIterator<Item = Chess>,
        of_interest: impl Fn(Color) -> bool,
    ) {
        // Men only ever disappear: a game that ends with many of them has no endgame.
        if self.has_too_many_men(end) {
            return;
        }
        let mut counted: HashSet<Material> = HashSet::new();
        for position in positions {
            if self.has_too_many_men(&position) || position.castles().any() {
                continue;
            }
            let (material, _) = Material::of_board(position.board());
            if material.men() < 3 || self.only.as_ref().is_some_and(|only| !only.contains(&material)) {
                continue;
            }
            let absence = match self.known.get(&material) {
                Some(&absence) => absence,
                None => self.learn(material, &position),
            };
            if let Some(absence) = absence
                && of_interest(position.turn())
            {
                self.leave_out(material, absence, &mut counted);
            }
        }
    }

    fn learn(&mut self, material: Material, position: &Chess) -> Option<Absence> {
        let absence = self.absence(material, position);
        self.known.insert(material, absence);
        if absence.is_none() {
            Arc::make_mut(&mut self.covered).insert(material);
            self.new.push(material);
        }
        absence
    }

    /// Counts a move in an endgame that was left out; `counted` are such endgames that the same game has met so far.
    fn leave_out(&mut self, material: Material, absence: Absence, counted: &mut HashSet<Material>) {
        let men = material.men();
        let known = &self.known;
        let is_like = |other: &Material| other.men() == men && known.get(other) == Some(&Some(absence));
        let is_first_of_kind = !counted.iter().any(is_like);
        let is_first = counted.insert(material);
        let fresh = || LeftOut { men, absence, total: GamesAndMoves::default(), by_material: HashMap::new() };
        let left_out = self.left_out.entry((men, absence)).or_insert_with(fresh);
        left_out.total.moves += 1;
        left_out.total.games += u64::from(is_first_of_kind);
        let count = left_out.by_material.entry(material).or_default();
        count.moves += 1;
        count.games += u64::from(is_first);
    }

    /// The tables to be built or opened for the endgames met since the last call.
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
        position.board().occupied().count() > self.tables.max_men()
    }

    /// The reason why the tables of an endgame do not exist and cannot be built; none if they can.
    fn absence(&self, material: Material, position: &Chess) -> Option<Absence> {
        let Some(library) = self.tables.our_library() else {
            // Whether others have a table is found out by asking for a position that stood on the board.
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            let source = self.tables.source();
            let bare = parse_fen_within(&fen, source.max_men());
            let is_there = bare.is_ok_and(|position| source.value(&position, self.metric).is_ok());
            return (!is_there).then_some(Absence::NotInSource);
        };
        let is_there = |table: &Material| {
            let most = if table.has_pawns() { self.men.min(MAX_MEN_WITH_PAWNS) } else { self.men };
            table.men() <= most || library.path(*table, self.metric).exists()
        };
        // The model's choice looks two plies ahead, into what comes after.
        if endgames_after(material, self.metric).iter().all(is_there) {
            None
        } else if material.has_pawns() && material.men() > MAX_MEN_WITH_PAWNS {
            Some(Absence::TooManyMenWithPawns)
        } else {
            Some(Absence::TooManyMen)
        }
    }
}
