//! Findings: the results of computing statements.

use crate::compare::PrintedNumber;
use crate::error::{ReproduceError, Result};
use crate::list::Item;
use errare_figures::LineChart;

/// The verdict on a statement: whether a computation bears it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The computation bears the statement out.
    Agrees,
    /// The computation does not bear the statement out.
    Differs,
    /// There is nothing to compute, or nothing to compare with.
    Cannot,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 3] = [Verdict::Agrees, Verdict::Differs, Verdict::Cannot];

    /// The name of the verdict in JSON and on pages.
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
    /// A sentence that explains the chart.
    pub caption: String,
    /// The chart.
    pub chart: LineChart,
}

/// The result for one statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The id of the statement.
    pub id: &'static str,
    /// The computed value, or the result in words.
    pub computed: String,
    /// The difference to print: computed less printed; empty if there is none or it is not a number.
    pub difference: String,
    /// Whether the computation bears the statement out.
    pub verdict: Verdict,
    /// The reason for the verdict, and how the result was computed.
    pub why: String,
    /// The figure drawn anew, if the statement is a figure.
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

    /// Makes the finding that a computation bears a statement out, or does not.
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

    /// Makes the finding that there is nothing to compare a statement with; `computed` may still show a result.
    pub(crate) fn cannot(item: &Item, computed: impl Into<String>, why: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Cannot, ..Finding::fact(item, false, computed) }.because(why)
    }

    /// Adds the reason for the verdict.
    pub(crate) fn because(self, why: impl Into<String>) -> Finding {
        Finding { why: why.into(), ..self }
    }

    /// Adds the difference to print, in words.
    pub(crate) fn differing(self, difference: impl Into<String>) -> Finding {
        Finding { difference: difference.into(), ..self }
    }

    /// Adds the figure drawn anew.
    pub(crate) fn with_picture(mut self, caption: impl Into<String>, chart: LineChart) -> Finding {
        self.pictures.push(Picture { caption: caption.into(), chart });
        self
    }
}
