//! Levy's search: which drawing move is hardest to hold?

use super::{Agent, Figure, Infallible, Judgement, check_plies};
use crate::error::{EndgameError, Result};
use crate::oracle::{Options, Oracle};
use errare_choice::State;
use errare_work::Progress;
use shakmaty::Chess;
use std::collections::HashMap;

/// The chance that somebody with so many losing and so many drawing moves errs, if each losing move is made with
/// probability P, as D. Levy's note (ICCA Journal 10 (4), 1987) spreads it: P L / (L + D).
///
/// The note's example, three moves that draw and two that lose, backs up -0.004 for whoever has to move:
/// ```
/// assert!((-errare_endgame::error_chance(2, 3, 0.01) - -0.004).abs() < 1e-15);
/// ```
pub fn error_chance(losing: usize, drawing: usize, probability: f64) -> f64 {
    if losing == 0 { 0.0 } else { probability * losing as f64 / (losing + drawing) as f64 }
}

/// In a drawn position, makes the drawing move after which the opponent most likely goes wrong within so many plies.
///
/// The search is full-width over moves that keep the draw. At each of its turns the opponent errs with
/// [`error_chance`], and if not defends as well as possible; one ply above the leaves that is the score of the note.
/// Elsewhere it plays as the infallible player does.
#[derive(Clone, Debug)]
pub struct Levy {
    plies: u16,
    probability: f64,
    otherwise: Infallible,
}

impl Levy {
    /// An agent that looks so many plies ahead, an even number, at an opponent who makes each losing move with this
    /// probability.
    ///
    /// # Errors
    /// If the plies are odd, 0 or more than 64, or the probability is none.
    pub fn new(plies: u16, probability: f64) -> Result<Levy, EndgameError> {
        check_plies(plies)?;
        if !(0.0..=1.0).contains(&probability) {
            return Err(EndgameError::Probability(probability));
        }
        Ok(Levy { plies, probability, otherwise: Infallible::default() })
    }
}

impl Agent for Levy {
    fn judge(&mut self, oracle: &Oracle, options: &Options, progress: &dyn Progress) -> Result<Judgement> {
        if options.best() != Some(State::Draw) {
            return self.otherwise.judge(oracle, options, progress);
        }
        let mut search = Search { oracle, progress, probability: self.probability, known: HashMap::new() };
        let mut figures = vec![None; options.candidates.len()];
        for place in options.keeping() {
            figures[place] = Some(search.defended(options.after(place), self.plies)?);
        }
        Judgement::greatest(Figure::DropsDraw, figures, |chance| chance)
    }
}

struct Search<'a> {
    oracle: &'a Oracle,
    progress: &'a dyn Progress,
    probability: f64,
    known: HashMap<(Chess, u16), f64>,
}

impl Search<'_> {
    /// The chance that the opponent, to move in a drawn position, gives up the draw within so many plies less one.
    fn defended(&mut self, position: Chess, plies: u16) -> Result<f64, EndgameError> {
        if let Some(&known) = self.known.get(&(position.clone(), plies)) {
            return Ok(known);
        }
        self.progress.proceed()?;
        let options = self.oracle.options(&position)?;
        let drawing = options.keeping();
        let error = error_chance(options.candidates.len() - drawing.len(), drawing.len(), self.probability);
        let mut rest = if plies > 2 { f64::INFINITY } else { 0.0 };
        if plies > 2 {
            for place in drawing {
                rest = f64::min(rest, self.attacked(&options.after(place), plies - 2)?);
            }
        }
        // Who has no move, being stalemated, makes no mistake.
        let chance = if options.candidates.is_empty() { 0.0 } else { error + (1.0 - error) * rest };
        self.known.insert((position, plies), chance);
        Ok(chance)
    }

    /// The greatest chance that the searching side, to move, can bring about.
    fn attacked(&mut self, position: &Chess, plies: u16) -> Result<f64, EndgameError> {
        let options = self.oracle.options(position)?;
        let mut best: f64 = 0.0;
        for place in options.keeping() {
            best = best.max(self.defended(options.after(place), plies)?);
        }
        Ok(best)
    }
}
