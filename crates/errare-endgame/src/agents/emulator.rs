//! The Emulator: an agent whose apparent competence stays near c.

use super::{Agent, Figure, Judgement};
use crate::analyser::{Analyser, Analysis};
use crate::error::{EndgameError, Result};
use crate::model::Model;
use crate::oracle::{Options, Oracle};
use errare_choice::{Grid, Posterior, Prior, State, Update};
use errare_work::Progress;

/// The agent E_c, which makes the move after which a reference Analyser, x = 0(1)2c and uniform at first, sees a
/// competence as near to c as possible.
///
/// A practice partner of steadier strength than R_c, whose apparent competence wanders.
#[derive(Clone, Debug)]
pub struct Emulator {
    competence: f64,
    analysis: Analysis,
    /// The reference Analyser, which has watched the agent's moves so far.
    seen: Analyser,
}

/// The greatest c: beyond it a player does not differ from the infallible one, and the reference Analyser needs twice as
/// many points.
const MOST: f64 = 1000.0;

impl Emulator {
    /// Makes E_c for c above 0, up to 1000.
    ///
    /// # Errors
    /// If c is not above 0, or is above 1000.
    pub fn new(model: Model, competence: f64) -> Result<Emulator, EndgameError> {
        let refused = || EndgameError::Emulated(competence);
        if !(competence > 0.0 && competence <= MOST) {
            return Err(refused());
        }
        // Steps of 1 must meet the end: 2c is taken up to a whole number.
        let grid = Grid::new(0.0, 1.0, (2.0 * competence).ceil()).map_err(|_| refused())?;
        let analysis = Analysis::new(model, grid, Prior::Uniform)?;
        Ok(Emulator { competence, seen: analysis.analyser(), analysis })
    }

    /// The belief of the reference Analyser.
    pub fn seen(&self) -> &Posterior {
        self.seen.posterior()
    }
}

impl Agent for Emulator {
    fn judge(&mut self, _: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        // Moves to the same state look alike.
        let mut known: Vec<(State, Option<f64>)> = Vec::new();
        let mut figures = Vec::with_capacity(options.candidates.len());
        for (place, candidate) in self.analysis.model().weigh(options)?.iter().enumerate() {
            if !candidate.is_open() {
                figures.push(None);
                continue;
            }
            let state = candidate.state();
            let figure = match known.iter().find(|(other, _)| *other == state) {
                Some(&(_, figure)) => figure,
                None => {
                    let mut after = self.analysis.analyser_with(self.seen.posterior().clone());
                    let learned = matches!(after.observe(options, place)?, Update::Learned { .. });
                    known.push((state, learned.then(|| after.posterior().mean())));
                    known[known.len() - 1].1
                }
            };
            figures.push(figure);
        }
        let c = self.competence;
        Judgement::greatest(Figure::Apparent, figures, |apparent| -(apparent - c).abs())
    }

    fn watch(&mut self, options: &Options, chosen: usize, own: bool) -> Result<(), EndgameError> {
        if own {
            let _ = self.seen.observe(options, chosen)?;
        }
        Ok(())
    }
}
