//! The Predator: an agent that exploits what it knows about the opponent.

use super::{Agent, Figure, Judgement, check_plies};
use crate::analyser::{Analyser, Analysis};
use crate::error::{EndgameError, Result};
use crate::model::{Model, Spectra};
use crate::oracle::{Options, Oracle, tally};
use errare_choice::{Candidate, Competence, Depth, Posterior, State, States};
use errare_tables::Metric;
use errare_work::Progress;
use shakmaty::Chess;
use std::collections::HashMap;
use std::sync::Arc;

/// A belief about the opponent: competences, each with a probability.
#[derive(Clone, Debug)]
pub struct Belief {
    spectra: Arc<Spectra>,
    probabilities: Vec<f64>,
    /// The metric that the opponent plays to, if it is not the one that the Predator plays to.
    metric: Option<Metric>,
}

impl Belief {
    /// The belief that the opponent is an R_c of this model, c being certain.
    pub fn point(model: Model, competence: Competence) -> Belief {
        Belief { spectra: Arc::new(Spectra::new(model, vec![competence])), probabilities: vec![1.0], metric: None }
    }

    /// The belief that the opponent is an R_c of this model, c being as likely as a posterior says.
    pub fn posterior(model: Model, posterior: &Posterior) -> Belief {
        let spectra = Spectra::new(model, posterior.grid().competences());
        Belief { spectra: Arc::new(spectra), probabilities: posterior.probabilities().to_vec(), metric: None }
    }

    /// Applies the belief to an opponent who plays to this metric, whatever the Predator plays to: one who counts to
    /// mate may be led past the move rule (Haworth 2003, section 9.4).
    pub fn in_metric(self, metric: Metric) -> Belief {
        Belief { metric: Some(metric), ..self }
    }

    pub(crate) fn shared(spectra: Arc<Spectra>, probabilities: Vec<f64>) -> Belief {
        Belief { spectra, probabilities, metric: None }
    }

    /// The probability of each move of the opponent.
    pub(crate) fn replies(&self, options: &Options) -> Result<Vec<f64>, EndgameError> {
        let weighed = self.spectra.model().weigh(options)?;
        let tally = tally(options.states, &weighed)?;
        let spectrum = self.spectra.get(options.states)?;
        let lanes = self.probabilities.len();
        let mut rows = vec![0.0; options.states.count() * lanes];
        spectrum.add_probabilities(&tally, 1.0, &mut rows);
        let mut by_state: HashMap<usize, f64> = HashMap::new();
        for &open in tally.open() {
            let row = rows[open * lanes..(open + 1) * lanes].iter().zip(&self.probabilities);
            by_state.insert(open, row.map(|(chance, belief)| chance * belief).sum::<f64>() / tally.weight(open));
        }
        let chance = |candidate: &Candidate<_>| {
            // A state that no open move leads to has no probability.
            let unit = by_state.get(&options.number(candidate.state())?);
            Ok(candidate.weight() * unit.copied().unwrap_or(0.0))
        };
        weighed.iter().map(chance).collect()
    }
}

/// The set of moves that a Predator considers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Moves that are optimal by the metric.
    #[default]
    Optimal,
    /// Moves that keep the theoretical value.
    Keeping,
    /// All legal moves.
    All,
}

/// An agent that chooses by the expectation after the opponent's reply: winning the least depth, losing the greatest,
/// drawing the greatest chance that the opponent gives up the draw.
///
/// A Predator looks two plies ahead, as in Haworth (2003), or any even number of plies: own moves are then the best by
/// the same measure, and the belief about the opponent stays as it is during the search. A drawn position is never
/// given up, so that there `Scope::All` considers the moves that keep the draw.
#[derive(Clone, Debug)]
pub struct Predator {
    belief: Belief,
    /// The Analyser that follows the opponent's moves; none if the belief is fixed.
    learner: Option<Analyser>,
    plies: u16,
    scope: Scope,
}

impl Predator {
    /// Makes a Predator whose belief does not change.
    ///
    /// # Errors
    /// If the plies are odd, 0 or more than 64.
    pub fn new(belief: Belief, plies: u16, scope: Scope) -> Result<Predator, EndgameError> {
        check_plies(plies)?;
        Ok(Predator { belief, learner: None, plies, scope })
    }

    /// Makes a Predator whose belief begins with the prior of an analysis and follows the opponent's moves.
    ///
    /// # Errors
    /// If the plies are odd, 0 or more than 64.
    pub fn learning(analysis: &Analysis, plies: u16, scope: Scope) -> Result<Predator, EndgameError> {
        let belief = analysis.belief(analysis.prior());
        Ok(Predator { learner: Some(analysis.analyser()), ..Predator::new(belief, plies, scope)? })
    }

    /// The figures by which the Predator chooses among the moves it considers.
    pub(crate) fn figures(
        &self,
        oracle: &Oracle,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<(Figure, Vec<Option<f64>>), EndgameError> {
        let goal = match options.best().ok_or(EndgameError::NoMove)? {
            State::Draw => Goal::DropsDraw,
            State::Win(_) => Goal::Depth { scale: options.states, winning: true },
            State::Loss(_) => Goal::Depth { scale: options.states.reversed(), winning: false },
        };
        let theirs = self.belief.metric.filter(|&metric| metric != oracle.metric());
        let theirs = theirs.map(|metric| Oracle::new(Arc::clone(oracle.source()), metric));
        let known = HashMap::new();
        let mut search = Search { oracle, theirs, progress, belief: &self.belief, scope: self.scope, goal, known };
        let mut figures = vec![None; options.candidates.len()];
        for place in search.considered(options) {
            figures[place] = Some(search.after_own(options, place, self.plies)?);
        }
        Ok((goal.figure(), figures))
    }
}

impl Agent for Predator {
    fn judge(&mut self, oracle: &Oracle, options: &Options, progress: &dyn Progress) -> Result<Judgement> {
        let (figure, figures) = self.figures(oracle, options, progress)?;
        let least = matches!(options.best(), Some(State::Win(_)));
        Judgement::greatest(figure, figures, |value| if least { -value } else { value })
    }

    fn watch(&mut self, options: &Options, chosen: usize, own: bool) -> Result<(), EndgameError> {
        if let (Some(learner), false) = (&mut self.learner, own) {
            let _ = learner.observe(options, chosen)?;
            self.belief.probabilities = learner.posterior().probabilities().to_vec();
        }
        Ok(())
    }
}

/// The quantity whose expectation the search computes.
#[derive(Clone, Copy)]
enum Goal {
    /// The number of the state as the winner numbers the states at the root, which for a win is its depth.
    Depth {
        scale: States,
        winning: bool,
    },
    DropsDraw,
}

impl Goal {
    fn figure(self) -> Figure {
        match self {
            Goal::Depth { .. } => Figure::Depth,
            Goal::DropsDraw => Figure::DropsDraw,
        }
    }

    /// Returns the quantity for a state as the searching side sees it.
    fn measure(self, state: State) -> f64 {
        match self {
            Goal::Depth { scale, winning } => {
                let seen = if winning { state } else { state.reversed() };
                scale.clamped_number(seen) as f64
            }
            Goal::DropsDraw => f64::from(u8::from(matches!(state, State::Win(_)))),
        }
    }

    fn better(self, one: f64, two: f64) -> f64 {
        match self {
            Goal::Depth { winning: true, .. } => one.min(two),
            _ => one.max(two),
        }
    }
}

struct Search<'a> {
    oracle: &'a Oracle,
    /// The values that the opponent plays by, if the opponent plays to another metric.
    theirs: Option<Oracle>,
    progress: &'a dyn Progress,
    belief: &'a Belief,
    scope: Scope,
    goal: Goal,
    /// Expectations with the opponent to move, by position and plies left.
    known: HashMap<(Chess, u16), f64>,
}

impl Search<'_> {
    fn considered(&self, options: &Options) -> Vec<usize> {
        match (self.scope, self.goal) {
            (Scope::Optimal, _) => options.optimal(),
            (Scope::Keeping, _) | (Scope::All, Goal::DropsDraw) => options.keeping(),
            (Scope::All, _) => (0..options.candidates.len()).collect(),
        }
    }

    /// The expectation after this number of plies, of which the first is the searching side's move at `place`.
    fn after_own(&mut self, options: &Options, place: usize, plies: u16) -> Result<f64, EndgameError> {
        let candidate = &options.candidates[place];
        if self.is_over(candidate.state(), candidate.choice().converting) {
            return Ok(self.goal.measure(candidate.state()));
        }
        let position = options.after(place);
        if let Some(&known) = self.known.get(&(position.clone(), plies)) {
            return Ok(known);
        }
        self.progress.proceed()?;
        let theirs = self.oracle.options(&position)?;
        let expected = if theirs.candidates.is_empty() {
            self.goal.measure(theirs.state.reversed())
        } else {
            self.after_replies(&theirs, plies)?
        };
        self.known.insert((position, plies), expected);
        Ok(expected)
    }

    fn after_replies(&mut self, theirs: &Options, plies: u16) -> Result<f64, EndgameError> {
        let mut expected = 0.0;
        // Moves come in the same order whatever they are measured by.
        let chances = match &self.theirs {
            Some(oracle) => self.belief.replies(&oracle.options(&theirs.position)?)?,
            None => self.belief.replies(theirs)?,
        };
        for (place, chance) in chances.into_iter().enumerate() {
            if chance == 0.0 {
                continue;
            }
            let candidate = &theirs.candidates[place];
            let state = candidate.state().reversed();
            let drops_draw = matches!((self.goal, state), (Goal::DropsDraw, State::Win(_)));
            let value = if plies == 2 || drops_draw || self.is_over(state, candidate.choice().converting) {
                self.goal.measure(state)
            } else {
                self.best(&theirs.after(place), plies - 2)?
            };
            expected += chance * value;
        }
        Ok(expected)
    }

    /// The best expectation after this number of plies, with the searching side to move.
    fn best(&mut self, position: &Chess, plies: u16) -> Result<f64, EndgameError> {
        let options = self.oracle.options(position)?;
        let mut best: Option<f64> = None;
        for place in self.considered(&options) {
            let value = self.after_own(&options, place, plies)?;
            best = Some(best.map_or(value, |best| self.goal.better(best, value)));
        }
        Ok(best.unwrap_or_else(|| self.goal.measure(options.state)))
    }

    /// Whether nothing is left to play for: the metric's goal is reached, or a conversion has ended the contest.
    fn is_over(&self, state: State, converting: bool) -> bool {
        let reached = matches!(state, State::Win(Depth(0)) | State::Loss(Depth(0)));
        reached || (converting && self.oracle.metric() == Metric::Dtc)
    }
}
