//! Levy's search, and one like it: which drawing move is hardest to hold?

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
/// The note's example, three moves that draw and two that lose, backs up -0.004 for the side to move:
/// ```
/// assert!((-errare_endgame::error_chance(2, 3, 0.01) - -0.004).abs() < 1e-15);
/// ```
pub fn error_chance(losing: usize, drawing: usize, probability: f64) -> f64 {
    if losing == 0 { 0.0 } else { probability * losing as f64 / (losing + drawing) as f64 }
}

/// An agent that in a drawn position makes the drawing move after which an imperfect opponent most likely gives up the
/// draw.
///
/// The search is full-width over moves that keep the draw, to an even number of plies. [`Levy::new`] is the search of the
/// note: only errors one ply above the leaves count, and before them both sides play as well as possible.
/// [`Levy::pitfall`] counts the errors of all plies. With two plies they are the same. In a position that is won or lost
/// it plays as the infallible player does.
#[derive(Clone, Debug)]
pub struct Levy {
    plies: u16,
    probability: f64,
    errors: Errors,
    otherwise: Infallible,
}

/// The errors of the opponent that a search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// Errors one ply above the leaves of the search tree.
    Last,
    /// Errors at every ply of the search tree.
    All,
}

impl Levy {
    /// The search of Levy's note, which scores the positions one ply above the leaves by [`error_chance`] and backs the
    /// scores up by minimax. It looks an even number of plies ahead at an opponent who makes each losing move with this
    /// probability.
    ///
    /// # Errors
    /// If the plies are odd, 0 or more than 64, or the probability is not from 0 to 1.
    pub fn new(plies: u16, probability: f64) -> Result<Levy, EndgameError> {
        Levy::counting(Errors::Last, plies, probability)
    }

    /// A search in which the opponent may err at every turn: with [`error_chance`] he gives up the draw, and if not he
    /// defends as well as possible.
    ///
    /// # Errors
    /// As [`new`](Levy::new).
    pub fn pitfall(plies: u16, probability: f64) -> Result<Levy, EndgameError> {
        Levy::counting(Errors::All, plies, probability)
    }

    fn counting(errors: Errors, plies: u16, probability: f64) -> Result<Levy, EndgameError> {
        check_plies(plies)?;
        if !(0.0..=1.0).contains(&probability) {
            return Err(EndgameError::Probability(probability));
        }
        Ok(Levy { plies, probability, errors, otherwise: Infallible::default() })
    }
}

impl Agent for Levy {
    fn judge(&mut self, oracle: &Oracle, options: &Options, progress: &dyn Progress) -> Result<Judgement> {
        if options.best() != Some(State::Draw) {
            return self.otherwise.judge(oracle, options, progress);
        }
        let mut search = Search { oracle, progress, levy: self, known: HashMap::new() };
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
    levy: &'a Levy,
    /// Chances that the opponent, to move, gives up the draw, by position and plies left.
    known: HashMap<(Chess, u16), f64>,
}

impl Search<'_> {
    /// The chance that the opponent, to move in a drawn position, gives up the draw within so many plies less one, as far
    /// as errors are counted.
    fn defended(&mut self, position: Chess, plies: u16) -> Result<f64, EndgameError> {
        if let Some(&known) = self.known.get(&(position.clone(), plies)) {
            return Ok(known);
        }
        self.progress.proceed()?;
        let options = self.oracle.options(&position)?;
        let drawing = options.keeping();
        let error = error_chance(options.candidates.len() - drawing.len(), drawing.len(), self.levy.probability);
        let chance = if options.candidates.is_empty() {
            // Stalemate: no move can go wrong.
            0.0
        } else if plies <= 2 {
            error
        } else {
            let mut rest = f64::INFINITY;
            for place in drawing {
                rest = f64::min(rest, self.attacked(&options.after(place), plies - 2)?);
            }
            match self.levy.errors {
                Errors::Last => rest,
                Errors::All => error + (1.0 - error) * rest,
            }
        };
        self.known.insert((position, plies), chance);
        Ok(chance)
    }

    /// The greatest chance that the opponent gives up the draw which the searching side, to move, can bring about.
    fn attacked(&mut self, position: &Chess, plies: u16) -> Result<f64, EndgameError> {
        let options = self.oracle.options(position)?;
        let mut best: f64 = 0.0;
        for place in options.keeping() {
            best = best.max(self.defended(options.after(place), plies)?);
        }
        Ok(best)
    }
}
