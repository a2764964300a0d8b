//! Findings: what a statement comes to when it is computed.

use crate::compare::PrintedNumber;
use crate::error::{ReproduceError, Result};
use crate::list::Item;
use errare_figures::LineChart;

/// Whether a computation bears a statement out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It does not.
    Differs,
    /// There is nothing to compute, or nothing to compare with.
    Cannot,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Agrees, Verdict::Differs, Verdict::Cannot];

    /// The name in JSON and on pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Cannot => "cannot",
        }
    }
}

/// A chart with a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// A sentence that says what the chart shows.
    pub caption: String,
    /// The chart.
    pub chart: LineChart,
}

/// The result for one statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The id of the statement.
    pub id: &'static str,
    /// The computed value, or what was found, in words.
    pub computed: String,
    /// The difference to print: computed less printed; empty if there is none or it is not a number.
    pub difference: String,
    /// Whether it bears the statement out.
    pub verdict: Verdict,
    /// The reason for the verdict, and how it was computed.
    pub why: String,
    /// The figure drawn anew, if the statement is one.
    pub pictures: Vec<Picture>,
}

impl Finding {
    /// Compares numbers with those printed, each of which the computed one should round to.
    ///
    /// # Errors
    /// If the item does not print as many numbers.
    pub(crate) fn numbers(item: &Item, computed: &[f64]) -> Result<Finding> {
        let printed = PrintedNumber::all(item.printed)
            .filter(|printed| printed.len() == computed.len())
            .ok_or(ReproduceError::Internal("an item prints other numbers than are computed"))?;
        let pairs = || printed.iter().zip(computed.iter().copied());
        let joined = |texts: Vec<String>| texts.join(", ");
        let agrees = pairs().all(|(printed, computed)| printed.agrees(computed));
        let difference = joined(pairs().map(|(printed, computed)| printed.difference(computed)).collect());
        let finding = Finding::fact(item, agrees, joined(pairs().map(|(p, computed)| p.computed(computed)).collect()));
        Ok(Finding { difference, ..finding })
    }

    /// Compares a text with the one printed.
    pub(crate) fn text(item: &Item, computed: impl Into<String>) -> Finding {
        let computed = computed.into();
        Finding::fact(item, computed == item.printed, computed)
    }

    /// A statement that a computation bears out, or does not.
    pub(crate) fn fact(item: &Item, holds: bool, computed: impl Into<String>) -> Finding {
        Finding {
            id: item.id,
            computed: computed.into(),
            difference: String::new(),
            verdict: if holds { Verdict::Agrees } else { Verdict::Differs },
            why: String::new(),
            pictures: Vec::new(),
        }
    }

    /// A statement that has nothing to compare with; `computed` may still show what there is.
    pub(crate) fn cannot(item: &Item, computed: impl Into<String>, why: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Cannot, ..Finding::fact(item, false, computed) }.because(why)
    }

    /// Adds the reason.
    pub(crate) fn because(self, why: impl Into<String>) -> Finding {
        Finding { why: why.into(), ..self }
    }

    /// Adds the difference in words.
    pub(crate) fn differing(self, difference: impl Into<String>) -> Finding {
        Finding { difference: difference.into(), ..self }
    }

    /// Adds the figure.
    pub(crate) fn with_picture(mut self, caption: impl Into<String>, chart: LineChart) -> Finding {
        self.pictures.push(Picture { caption: caption.into(), chart });
        self
    }
}
