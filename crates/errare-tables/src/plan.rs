//! Plans of builds: the tables that have to be built first, and the memory and work of each.

use crate::error::TableError;
use crate::layout::{Layout, Outer};
use crate::library::Library;
use crate::material::{MAX_MEN_WITH_PAWNS, Material};
use crate::metric::Metric;
use crate::store::is_one_side_enough;
use shakmaty::Role;

/// A table that has to be built.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The endgame of the table.
    pub material: Material,
    /// The metric of the table's file.
    pub metric: Metric,
    /// The approximate work in CPU-seconds, good enough for shares of a plan.
    pub effort: f64,
    /// The approximate peak of memory in bytes.
    pub memory: u64,
    /// The number of entries of the table, for both sides to move.
    pub entries: u64,
    /// The number of pawn structures that are solved at once.
    pub(crate) at_once: usize,
    /// Whether decided positions are kept in a file, from which a killed build goes on, and not in memory.
    pub(crate) in_files: bool,
}

impl Planned {
    /// Estimates the memory and work of a build. It is an error if no such table can exist, or if it would take more
    /// than the memory allowed even with one pawn structure at a time.
    pub(crate) fn new(material: Material, metric: Metric, allowed: u64) -> Result<Planned, TableError> {
        if material.has_pawns() && material.men() > MAX_MEN_WITH_PAWNS {
            return Err(TableError::TooManyWithPawns { material });
        }
        let layout = Layout::new(material).ok_or(TableError::BareKings)?;
        // A build of minutes or hours must not be lost when it is killed.
        let always_in_files = material.men() >= MEN_IN_FILES;
        let in_memory = Need::new(&layout, metric, false);
        let in_files = !material.has_pawns() && (always_in_files || in_memory.at_once(allowed) == 0);
        let need = if in_files { Need::new(&layout, metric, true) } else { in_memory };
        let at_once = need.at_once(allowed);
        let memory = need.held + at_once.max(1) as u64 * need.in_work;
        if at_once == 0 {
            return Err(TableError::Memory { material, metric, needed: memory, allowed });
        }
        let entries = 2 * 64 * (layout.words() * layout.slices()) as u64;
        Ok(Planned { material, metric, effort: effort(&layout, metric), memory, entries, at_once, in_files })
    }
}

/// The number of men from which on decided positions are always kept in files.
const MEN_IN_FILES: usize = 6;

/// The tables that the solver reads for a table: those of every conversion, and for a move rule the plain one of the
/// same endgame.
pub(crate) fn needs(material: Material, metric: Metric) -> Vec<(Material, Metric)> {
    let plain = matches!(metric, Metric::DtzRule(_)).then_some((material, Metric::Dtz));
    let subs = material.conversions().into_iter().filter(|sub| sub.men() > 2).map(|sub| (sub, metric));
    subs.chain(plain).map(|(material, metric)| (material, metric.stored(material))).collect()
}

/// Lists for each table of a plan the places in the plan of the tables that the solver reads for it. Each of them comes
/// before it, as plans are in the order of building; what the solver reads and is not in the plan is there already.
#[must_use]
pub fn needed_first(plan: &[Planned]) -> Vec<Vec<usize>> {
    let place = |material: Material, metrics: &[Metric]| {
        plan.iter().position(|planned| planned.material == material && metrics.contains(&planned.metric))
    };
    let needed = |planned: &Planned| {
        let each = needs(planned.material, planned.metric).into_iter().filter_map(|(sub, of)| {
            let any = || place(sub, &WITH_PLAIN_OUTCOMES).filter(|_| needs_only_outcomes(planned.metric));
            place(sub, &[of]).or_else(any)
        });
        let mut places: Vec<usize> = each.collect();
        places.sort_unstable();
        places
    };
    plan.iter().map(needed).collect()
}

/// The metrics whose tables have the outcomes without a move rule.
pub(crate) const WITH_PLAIN_OUTCOMES: [Metric; 4] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::Dtr];

/// Whether a metric needs only the outcomes of sub-endgames, and not their depths.
pub(crate) fn needs_only_outcomes(metric: Metric) -> bool {
    matches!(metric, Metric::Dtc | Metric::Dtz)
}

/// Lists the tables that have to be built for some tables, in the order of building. It is an error if one of them
/// would take more memory than is allowed.
pub(crate) fn plan(library: &Library, memory: u64, wanted: &[(Material, Metric)]) -> Result<Vec<Planned>, TableError> {
    let mut planner = Planner { library, memory, plan: Vec::new() };
    for &(material, metric) in wanted {
        planner.add(material, metric.stored(material))?;
    }
    Ok(planner.plan)
}

/// A plan in the making.
struct Planner<'a> {
    library: &'a Library,
    memory: u64,
    plan: Vec<Planned>,
}

impl Planner<'_> {
    fn add(&mut self, material: Material, metric: Metric) -> Result<(), TableError> {
        if self.is_there(material, metric) {
            return Ok(());
        }
        let planned = Planned::new(material, metric, self.memory)?;
        for (sub, of) in needs(material, metric) {
            let any = needs_only_outcomes(metric) && WITH_PLAIN_OUTCOMES.iter().any(|&other| self.is_there(sub, other));
            if !any {
                self.add(sub, of)?;
            }
        }
        self.plan.push(planned);
        Ok(())
    }

    /// Whether a table can be opened or is planned already. A damaged table has to be built again.
    fn is_there(&self, material: Material, metric: Metric) -> bool {
        self.plan.iter().any(|planned| (planned.material, planned.metric) == (material, metric))
            || self.library.open(material, metric).is_ok()
    }
}

/// The approximate work in CPU-seconds, as measured on all endgames of five men: the cost of a word depends little on
/// the endgame.
fn effort(layout: &Layout, metric: Metric) -> f64 {
    let words = (layout.words() * layout.slices()) as f64;
    // Small structures cost more a word, because other endgames are read for each of them.
    let microseconds = if matches!(layout.outer(), Outer::Pawns(_)) && layout.words() <= 4096 { 3.4 } else { 2.1 };
    let times = match (metric, layout.outer()) {
        (Metric::Dtc | Metric::Dtz, _) => 1.0,
        (Metric::DtzRule(_), _) => 1.2,
        (Metric::Dtm, _) => 1.6,
        (Metric::Dtr, Outer::Kings(_)) => 3.0,
        (Metric::Dtr, Outer::Pawns(_)) => 7.5,
    };
    0.01 + words * microseconds * times / 1e6
}

/// The approximate number of bytes that each word needs for the positions from which a ply and the next start.
const FRONTS: u64 = 36;

/// The number of bytes of four five-man tables without pawns, for one side to move.
const PROMOTED: u64 = 4 * 462 * 4096 * 64;

/// The approximate memory of a build in bytes, as measured on the densest five-man endgames.
struct Need {
    /// Memory that does not depend on how many structures are solved at once: without pawns the sets of the ply loop
    /// and the packed history of decided positions, with pawns the structures already solved.
    held: u64,
    /// Memory for each pawn structure in work: sets, history, and views of the positions its moves lead to.
    in_work: u64,
}

impl Need {
    fn new(layout: &Layout, metric: Metric, in_files: bool) -> Need {
        let words = (layout.words() * layout.slices()) as u64;
        let (sets, history) = match (metric, in_files) {
            (Metric::Dtr, false) => (8, 200),
            (Metric::Dtr, true) => (8, FRONTS),
            (_, true) => (4, FRONTS),
            (Metric::Dtm, false) => (4, 64),
            (Metric::Dtc | Metric::Dtz | Metric::DtzRule(_), false) => (4, 48),
        };
        let run = 8 * sets + history;
        let material = layout.material();
        match layout.outer() {
            Outer::Kings(_) => {
                // To store one side, all its positions are held, a byte each.
                let one_side = if is_one_side_enough(material, metric) { 64 } else { 0 };
                Need { held: words * run.max(history + one_side) + (40 << 20), in_work: 0 }
            }
            Outer::Pawns(_) => {
                let (kept, view) = match metric {
                    Metric::Dtz | Metric::DtzRule(_) => (40, 24),
                    // These have a key for each bit.
                    Metric::Dtc | Metric::Dtm | Metric::Dtr => (64, 24 + 128),
                };
                let in_work = layout.words() as u64 * (run + 6 * view);
                // Of tables after a promotion one side may be stored, all whose positions are then held, a byte each.
                let pawns = material.kinds().into_iter().filter(|man| man.role == Role::Pawn);
                let is_last_pawn = pawns.map(|man| material.count(man)).sum::<usize>() == 1;
                let promoted = if is_last_pawn && is_one_side_enough(material, metric) { PROMOTED } else { 0 };
                Need { held: words * kept + promoted + (128 << 20), in_work }
            }
        }
    }

    /// The number of structures for which there is memory, at most one for each thread; 0 if there is none.
    fn at_once(&self, allowed: u64) -> usize {
        let Some(room) = allowed.checked_sub(self.held) else { return 0 };
        let structures = room.checked_div(self.in_work).unwrap_or(u64::MAX);
        structures.min(rayon::current_num_threads().max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_after_those_it_needs() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::new(folder.path());
        let wanted = |metrics: &[Metric]| -> Vec<(Material, Metric)> {
            metrics.iter().map(|&metric| ("KRPKN".parse().expect("an endgame"), metric)).collect()
        };
        let graph = |metrics: &[Metric]| {
            let plan = plan(&library, u64::MAX, &wanted(metrics)).expect("a plan");
            let needed = needed_first(&plan);
            assert!(needed.iter().enumerate().all(|(place, needed)| needed.iter().all(|&sub| sub < place)));
            (plan, needed)
        };
        let (plan, needed) = graph(&[Metric::DtzRule(50)]);
        let names = |places: &[usize]| -> Vec<String> {
            let mut names: Vec<String> =
                places.iter().map(|&place| format!("{}.{}", plan[place].material, plan[place].metric)).collect();
            names.sort();
            names
        };
        let last = needed.last().expect("a table");
        // A man is captured, the pawn promotes, or both at once; and the same table without a move rule.
        let captures = ["KNKP.dtz50", "KRKN.dtz50", "KRPK.dtz50"];
        let promotions = ["KQRKN.dtz50", "KRRKN.dtz50", "KRBKN.dtz50", "KRNKN.dtz50"];
        let both = ["KQRK.dtz50", "KRRK.dtz50", "KRBK.dtz50", "KRNK.dtz50"];
        let mut expected = [&captures[..], &promotions, &both, &["KRPKN.dtz"]].concat();
        expected.sort_unstable();
        assert_eq!(names(last), expected);
        // Tables to conversion read outcomes, which those to mate have as well.
        let (plan, needed) = graph(&[Metric::Dtm, Metric::Dtc]);
        let subs: Vec<Metric> = needed.last().expect("a table").iter().map(|&place| plan[place].metric).collect();
        assert_eq!(plan.last().map(|planned| planned.metric), Some(Metric::Dtc));
        assert_eq!(subs, [Metric::Dtm; 11]);
    }

    #[test]
    fn little_memory_means_less_at_once_and_then_nothing() {
        let plan = |allowed| Planned::new("KRPKR".parse().expect("an endgame"), Metric::Dtm, allowed);
        let most = plan(u64::MAX).expect("room for all");
        assert_eq!(most.at_once, rayon::current_num_threads());
        assert_eq!(plan(most.memory).map(|planned| planned.at_once).ok(), Some(most.at_once));
        let Err(TableError::Memory { needed, .. }) = plan(1 << 20) else { panic!("a megabyte is not enough") };
        assert_eq!(plan(needed).map(|planned| planned.at_once).ok(), Some(1));
        assert!(plan(needed - 1).is_err());
    }
}
