//! What a build will need: tables that come first, memory, and how much work there is.

use crate::build::Builder;
use crate::error::TableError;
use crate::layout::{Layout, Outer};
use crate::material::{MAX_MEN_WITH_PAWNS, Material};
use crate::metric::Metric;

/// A table still to be built.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The endgame.
    pub material: Material,
    /// The metric of the file.
    pub metric: Metric,
    /// How much work it is, about, in CPU-seconds of a processor of 2020.
    pub effort: f64,
    /// The most memory it holds, about, in bytes.
    pub memory: u64,
}

impl Planned {
    /// `Err` for what no table can be of.
    pub(crate) fn new(material: Material, metric: Metric) -> Result<Planned, TableError> {
        if material.has_pawns() && material.men() > MAX_MEN_WITH_PAWNS {
            return Err(TableError::TooManyWithPawns { material });
        }
        let layout = Layout::new(material).ok_or(TableError::BareKings)?;
        Ok(Planned { material, metric, effort: effort(&layout, metric), memory: memory(&layout, metric) })
    }
}

/// The tables that the solver reads for this one: those of every conversion, and for a move rule
/// the plain one of the same endgame.
pub(crate) fn needs(material: Material, metric: Metric) -> Vec<(Material, Metric)> {
    let plain = matches!(metric, Metric::DtzRule(_)).then_some((material, Metric::Dtz));
    let subs = material.conversions().into_iter().filter(|sub| sub.men() > 2).map(|sub| (sub, metric));
    subs.chain(plain).map(|(material, metric)| (material, metric.stored(material))).collect()
}

/// For these metrics it matters only who wins a sub-endgame: a table of any of them tells.
pub(crate) const TELLS_WHO_WINS: [Metric; 4] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::Dtr];

/// Whether the depths of sub-endgames do not matter.
pub(crate) fn needs_only_who_wins(metric: Metric) -> bool {
    matches!(metric, Metric::Dtc | Metric::Dtz)
}

impl Builder<'_> {
    /// What has to be built for these tables, in the order of building; refused if anything of it
    /// would take more memory than there is.
    pub fn plan(&self, wanted: &[(Material, Metric)]) -> Result<Vec<Planned>, TableError> {
        let mut plan = Vec::new();
        for &(material, metric) in wanted {
            self.add_to_plan(material, metric.stored(material), &mut plan)?;
        }
        Ok(plan)
    }

    fn add_to_plan(&self, material: Material, metric: Metric, plan: &mut Vec<Planned>) -> Result<(), TableError> {
        let is_there = |material: Material, metric: Metric, plan: &[Planned]| {
            plan.iter().any(|planned| (planned.material, planned.metric) == (material, metric))
                || self.library().open(material, metric).is_ok()
        };
        if is_there(material, metric, plan) {
            return Ok(());
        }
        let planned = Planned::new(material, metric)?;
        if planned.memory > self.memory() {
            return Err(TableError::Memory { material, metric, needed: planned.memory, allowed: self.memory() });
        }
        for (sub, of) in needs(material, metric) {
            let any = needs_only_who_wins(metric) && TELLS_WHO_WINS.iter().any(|&other| is_there(sub, other, plan));
            if !any {
                self.add_to_plan(sub, of, plan)?;
            }
        }
        plan.push(planned);
        Ok(())
    }
}

/// Measured on all endgames of five men: what a word costs depends little on the endgame.
fn effort(layout: &Layout, metric: Metric) -> f64 {
    let words = (layout.words() * layout.slices()) as f64;
    // Small structures cost more a word: other endgames are read for each of them.
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

/// About how much a build holds at its peak, as measured on the densest five-man endgames: the sets
/// of the ply loop and the packed history of what was decided; with pawns these for each structure
/// in work, with the views of what its pawn moves lead to, and what is kept of those solved.
fn memory(layout: &Layout, metric: Metric) -> u64 {
    let words = (layout.words() * layout.slices()) as u64;
    let (sets, history) = match metric {
        Metric::Dtr => (14, 200),
        Metric::DtzRule(_) => (6, 48),
        Metric::Dtm => (4, 64),
        Metric::Dtc | Metric::Dtz => (4, 48),
    };
    let run = 8 * sets + history;
    match layout.outer() {
        Outer::Kings(_) => words * run + (40 << 20),
        Outer::Pawns(_) => {
            let (kept, view) = match metric {
                Metric::Dtz | Metric::DtzRule(_) => (40, 24),
                // With a key for each bit.
                Metric::Dtc | Metric::Dtm | Metric::Dtr => (64, 24 + 128),
            };
            let at_once = (layout.words() * rayon::current_num_threads()) as u64;
            words * kept + at_once * (run + 6 * view) + (128 << 20)
        }
    }
}
