//! Endgames in which a strategy keeps every win of a side, as the depths of their deepest wins show.

use super::clock_choice::ClockedStrategy;
use super::{Part, Strategy};
use crate::error::EndgameError;
use errare_tables::{Material, Metric, Source, deepest};
use errare_work::Progress;
use shakmaty::{ByColor, Color};
use std::collections::HashMap;

/// The sides of endgames that keep all their wins under a rule if the clock is at zero, White being the side named
/// first.
///
/// Depths to mate, to a conversion or to a zeroing move fall with every move of a winner who counts them. If the deepest
/// win of an endgame is no deeper than the rule, no phase lasts too long. For depths to mate nothing else is needed; for the
/// others the endgames after a conversion have to keep all their wins too. A strategy that looks at the clock (`*`, `Z'`, SA1)
/// ends each phase in time where that can be done, so that the depth to a zeroing move decides. DTR need not fall from move
/// to move, so nothing follows from it.
#[derive(Debug, Default)]
pub(super) struct KeptEndgames {
    known: HashMap<Material, ByColor<bool>>,
}

impl KeptEndgames {
    /// Finds the sides that keep all their wins. The endgames have to include all that they convert to.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn new(
        source: &dyn Source,
        materials: impl Iterator<Item = Material>,
        attack: &Strategy,
        rule: u16,
        progress: &dyn Progress,
    ) -> Result<KeptEndgames, EndgameError> {
        let mut kept = KeptEndgames::default();
        let Some(metric) = counted(attack, rule) else { return Ok(kept) };
        let mut materials: Vec<Material> = materials.collect();
        // Conversions take a man or a pawn away.
        materials.sort_by_key(|material| (material.men(), material.pawns()));
        for material in materials {
            let deepest = deepest(source, material, metric, progress)?;
            let goes_on = |color: Color| metric == Metric::Dtm || kept.all_conversions(material, color);
            let found = ByColor::new_with(|color| deepest.get(color).0 <= rule && goes_on(color));
            kept.known.insert(material, found);
        }
        Ok(kept)
    }

    /// Whether a side is known to keep all its wins in an endgame. Nobody wins with bare kings.
    pub fn holds(&self, material: Material, winner: Color) -> bool {
        material.men() == 2 || self.known.get(&material).is_some_and(|kept| *kept.get(winner))
    }

    /// Whether a side keeps all its wins in every endgame that a move of either side converts to.
    pub fn all_conversions(&self, material: Material, winner: Color) -> bool {
        let mut conversions = material.oriented_conversions().into_iter();
        conversions.all(|(material, swapped)| self.holds(material, oriented(winner, swapped)))
    }

    /// Whether a side keeps all its wins in every endgame that captures by `taker` lead to, promotions apart.
    pub fn all_captures(&self, material: Material, winner: Color, taker: Color) -> bool {
        let mut taken = material.kinds().into_iter().filter(|man| man.color != taker);
        taken.all(|man| {
            let (material, swapped) = material.without(man);
            self.holds(material, oriented(winner, swapped))
        })
    }
}

/// The metric that the winner is certain to count down, if there is one for his strategy.
fn counted(attack: &Strategy, rule: u16) -> Option<Metric> {
    if ClockedStrategy::of(attack, rule).is_some() {
        return Some(Metric::Dtz);
    }
    let Strategy::Parts { parts, starred: false } = attack else { return None };
    match parts.first() {
        Some(&Part::Minimax(metric @ (Metric::Dtm | Metric::Dtc | Metric::Dtz))) => Some(metric),
        _ => None,
    }
}

/// Converts a side of an endgame to its name in another, in which the sides may be named the other way round.
fn oriented(color: Color, swapped: bool) -> Color {
    if swapped { color.other() } else { color }
}
