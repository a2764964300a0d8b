//! The best move against each opponent: a Predator's figures over a range of opponents (Haworth 2003, Figures 4 to 7).

use crate::agents::{Belief, Figure, Predator, Scope};
use crate::error::EndgameError;
use crate::model::Model;
use crate::oracle::{Options, Oracle};
use errare_choice::{Competence, State};
use errare_work::{Progress, Status};
use std::sync::Arc;

/// Figures of the moves considered, for opponents of a range of competences.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The meaning of the figures.
    pub figure: Figure,
    /// The places of the moves considered.
    pub places: Vec<usize>,
    /// The opponents' competences, increasing.
    pub competences: Vec<f64>,
    /// The figures, by move considered, then by competence.
    pub figures: Vec<Vec<f64>>,
    /// The competences at which two moves change rank, increasing.
    pub crossovers: Vec<Crossover>,
    /// The ranges of competences in which the same moves are best, increasing.
    pub best: Vec<Reign>,
}

/// Two moves that are equally good against one opponent and not against others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossover {
    /// The place of the move that is better below this competence.
    pub below: usize,
    /// The place of the move that is better above this competence.
    pub above: usize,
    /// The competence at which both moves are equally good.
    pub competence: f64,
}

/// A range of opponents against whom the same moves are best.
#[derive(Clone, Debug, PartialEq)]
pub struct Reign {
    /// The least competence of the range.
    pub from: f64,
    /// The greatest competence of the range.
    pub to: f64,
    /// The places of the best moves.
    pub places: Vec<usize>,
}

/// Number of steps in which a range is searched for changes of rank.
const STEPS: usize = 400;

/// The accuracy of a competence at which moves change rank.
const EXACT: f64 = 1e-9;

/// A relative lead that may be due to rounding.
const ROUNDING: f64 = 1e-12;

/// A sweeper, which compares moves against opponents of a range of competences.
#[derive(Clone)]
pub struct Sweeper {
    /// The source of the values of moves.
    pub oracle: Arc<Oracle>,
    /// The model by which the opponent chooses.
    pub model: Model,
    /// Number of plies to look ahead.
    pub plies: u16,
    /// The set of moves to consider.
    pub scope: Scope,
}

impl Sweeper {
    /// Compares moves against opponents of these competences, which must increase.
    ///
    /// # Errors
    /// If competences or legal moves are missing, a table is missing or damaged, or the work is cancelled.
    pub fn sweep(
        &self,
        options: &Options,
        competences: &[f64],
        progress: &dyn Progress,
    ) -> Result<Sweep, EndgameError> {
        let (Some(&first), Some(&last)) = (competences.first(), competences.last()) else {
            return Err(EndgameError::EmptySweep);
        };
        let (figure, at_first) = self.figures(options, first, progress)?;
        let places: Vec<usize> = (0..at_first.len()).filter(|&place| at_first[place].is_some()).collect();
        let sign = if matches!(options.best(), Some(State::Win(_))) { -1.0 } else { 1.0 };
        let merits = |c: f64| -> Result<Vec<f64>, EndgameError> {
            let (_, figures) = self.figures(options, c, progress)?;
            Ok(places.iter().map(|&place| sign * figures[place].unwrap_or(f64::NEG_INFINITY)).collect())
        };
        let mut figures = vec![Vec::with_capacity(competences.len()); places.len()];
        for (done, &c) in (0..).zip(competences) {
            progress.report(&Status::new("comparing moves", "opponents").at(done, competences.len() as u64));
            let merits = merits(c)?;
            figures.iter_mut().zip(merits).for_each(|(line, merit)| line.push(sign * merit));
        }
        let crossovers = crossovers(&places, first, last, &merits)?;
        let best = reigns(&places, first, last, &crossovers, &merits)?;
        Ok(Sweep { figure, places, competences: competences.to_vec(), figures, crossovers, best })
    }

    fn figures(
        &self,
        options: &Options,
        c: f64,
        progress: &dyn Progress,
    ) -> Result<(Figure, Vec<Option<f64>>), EndgameError> {
        let belief = Belief::point(self.model.clone(), Competence::new(c)?);
        Predator::new(belief, self.plies, self.scope)?.figures(&self.oracle, options, progress)
    }
}

fn crossovers(
    places: &[usize],
    first: f64,
    last: f64,
    merits: &impl Fn(f64) -> Result<Vec<f64>, EndgameError>,
) -> Result<Vec<Crossover>, EndgameError> {
    let mut found = Vec::new();
    // Where each pair was last clearly apart, and whether its first was ahead: at a point where both are equal rank has
    // not changed yet.
    let pairs: Vec<(usize, usize)> = (0..places.len()).flat_map(|one| (0..one).map(move |two| (one, two))).collect();
    let mut apart: Vec<Option<(f64, bool)>> = vec![None; pairs.len()];
    for step in 0..=STEPS {
        let c = first + (last - first) * step as f64 / STEPS as f64;
        let now = merits(c)?;
        for (&(one, two), apart) in pairs.iter().zip(&mut apart) {
            let lead = |merits: &[f64]| merits[one] - merits[two];
            if lead(&now).abs() <= ROUNDING * now[one].abs().max(now[two].abs()) {
                continue;
            }
            let ahead = lead(&now) > 0.0;
            if let Some((before, was_ahead)) = *apart
                && was_ahead != ahead
            {
                let (mut low, mut high) = (before, c);
                while high - low > EXACT {
                    let middle = (low + high) / 2.0;
                    if (lead(&merits(middle)?) > 0.0) == was_ahead { low = middle } else { high = middle }
                }
                let (below, above) = if was_ahead { (places[one], places[two]) } else { (places[two], places[one]) };
                found.push(Crossover { below, above, competence: (low + high) / 2.0 });
            }
            *apart = Some((c, ahead));
        }
    }
    found.sort_by(|one, two| one.competence.total_cmp(&two.competence));
    Ok(found)
}

fn reigns(
    places: &[usize],
    first: f64,
    last: f64,
    crossovers: &[Crossover],
    merits: &impl Fn(f64) -> Result<Vec<f64>, EndgameError>,
) -> Result<Vec<Reign>, EndgameError> {
    let mut bounds: Vec<f64> = crossovers.iter().map(|crossover| crossover.competence).collect();
    bounds.insert(0, first);
    bounds.push(last);
    // Several moves may change rank at once.
    bounds.dedup_by(|next, before| *next - *before < 100.0 * EXACT);
    let mut reigns: Vec<Reign> = Vec::new();
    for pair in bounds.windows(2) {
        let merits = merits((pair[0] + pair[1]) / 2.0)?;
        let greatest = merits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<usize> = places
            .iter()
            .zip(&merits)
            .filter(|(_, merit)| greatest - **merit <= 1e-9 * greatest.abs())
            .map(|(&place, _)| place)
            .collect();
        match reigns.last_mut() {
            Some(reign) if reign.places == best => reign.to = pair[1],
            _ => reigns.push(Reign { from: pair[0], to: pair[1], places: best }),
        }
    }
    Ok(reigns)
}
