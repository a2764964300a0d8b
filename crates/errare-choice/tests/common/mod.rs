//! Random preference functions and random choices, for the properties and theorems of Haworth (2003).

use errare_choice::{
    Candidate, Competence, Depth, DrawDepths, Kappa, PowerLaw, Preference, State, States, StretchedExponential,
    probabilities,
};
use proptest::prelude::*;

/// Defines a test for each of the given properties on each preference function of this module.
#[macro_export]
macro_rules! on_every_preference {
    ($($property:ident),* $(,)?) => {
        $crate::on_every_preference!(@power_law $($property)*);
        $crate::on_every_preference!(@stretched_exponential $($property)*);
        $crate::on_every_preference!(@cubic $($property)*);
    };
    (@$name:ident $($property:ident)*) => {
        mod $name {
            use proptest::prelude::*;
            proptest! {
                #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]
                $(
                    #[test]
                    fn $property(preference in $crate::common::$name(), sample in $crate::common::sample()) {
                        super::$property(&preference, &sample)?;
                    }
                )*
            }
        }
    };
}

/// The random input of a property test.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A competence other than 0.
    pub c: f64,
    /// A greater one.
    pub greater: f64,
    /// Where candidates lead to, as a share of the states, and their weights.
    pub options: Vec<(f64, f64)>,
}

impl Sample {
    /// The candidates that the options give for a set of states.
    pub fn candidates(&self, states: States) -> Vec<Candidate> {
        let state = |share: f64| states.state((share * states.count() as f64) as usize).expect("a state");
        let made = self.options.iter().map(|&(share, weight)| Candidate::weighted((), state(share), weight));
        made.collect::<Result<_, _>>().expect("weights")
    }
}

/// Competences from -50 to 50, one to thirty options, some of weight 0 but not all.
pub fn sample() -> impl Strategy<Value = Sample> {
    let c = prop_oneof![-50.0..-0.01, 0.01..50.0];
    let weight = prop_oneof![4 => Just(1.0), 2 => 0.01..10.0, 1 => Just(0.0)];
    let options = proptest::collection::vec((0.0..1.0, weight), 0..30);
    (c, 0.01..30.0, options, 0.0..1.0).prop_map(|(c, more, mut options, share)| {
        options.push((share, 1.0));
        Sample { c, greater: c + more, options }
    })
}

fn states() -> impl Strategy<Value = (States, DrawDepths)> {
    let deepest = prop_oneof![(0..20_u16, 0..20_u16), (0..250_u16, 0..250_u16)];
    (deepest, 1..20_u16, 1..20_u16).prop_map(|((win, loss), win_more, loss_more)| {
        let draw = DrawDepths { win: Depth(win + win_more), loss: Depth(loss + loss_more) };
        (States::new(Depth(win), Depth(loss)), draw)
    })
}

/// Power laws with any kappa, d_W and d_L.
pub fn power_law() -> impl Strategy<Value = PowerLaw> {
    (states(), 0.01..10.0).prop_map(|((states, draw), kappa)| {
        let kappa = Kappa::new(kappa).expect("positive");
        PowerLaw::new(states, kappa).and_then(|law| law.with_draw_depths(draw)).expect("beyond the deepest")
    })
}

/// Stretched exponentials with any exponent, d_W and d_L.
pub fn stretched_exponential() -> impl Strategy<Value = StretchedExponential> {
    (states(), 0.1..0.9).prop_map(|((states, draw), exponent)| {
        StretchedExponential::new(states, exponent)
            .and_then(|stretched| stretched.with_draw_depths(draw))
            .expect("beyond the deepest")
    })
}

/// A preference function for tests only: its logarithm is not proportional to c, so that no test may rely on that.
#[derive(Clone, Copy, Debug)]
pub struct Cubic(PowerLaw);

impl Preference for Cubic {
    fn states(&self) -> States {
        self.0.states()
    }

    fn draw_depths(&self) -> DrawDepths {
        self.0.draw_depths()
    }

    fn log_preference(&self, state: State, c: f64) -> f64 {
        (c + c.powi(3) / 100.0) * self.0.log_preference(state, 1.0)
    }
}

pub fn cubic() -> impl Strategy<Value = Cubic> {
    power_law().prop_map(Cubic)
}

/// T_{j,c}: the probability of going to each state.
pub fn transition(preference: &dyn Preference, c: f64, candidates: &[Candidate]) -> Vec<f64> {
    let states = preference.states();
    let competence = Competence::new(c).expect("a number");
    let mut transition = vec![0.0; states.count()];
    for (candidate, probability) in
        candidates.iter().zip(probabilities(preference, competence, candidates).expect("open"))
    {
        transition[states.number(candidate.state()).expect("a state")] += probability;
    }
    transition
}

/// E_c[s | P] and E_c[val(s) | P].
pub fn expectations(states: States, transition: &[f64]) -> (f64, f64) {
    let number = transition.iter().enumerate().map(|(number, p)| number as f64 * p).sum();
    let value = states.iter().zip(transition).map(|(state, p)| state.outcome().value() * p).sum();
    (number, value)
}
