//! Periods of games: ratings of mileposts by period, and a test whether an Elo means the same in each.

use crate::error::{RatingsError, Refusal};
use crate::joint::{Estimate, JointFit};
use crate::normal::upper_tail;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_work::Progress;

/// A period of years, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first year of the period.
    pub from: u16,
    /// The last year of the period.
    pub to: u16,
}

impl Period {
    /// The periods of the table of Regan and Haworth (2011).
    pub const PAPER: [Period; 3] =
        [Period { from: 1976, to: 1979 }, Period { from: 1991, to: 1994 }, Period { from: 2006, to: 2009 }];

    fn contains(self, turn: Turn<'_>) -> bool {
        turn.game().year().is_some_and(|year| (self.from..=self.to).contains(&year))
    }
}

/// Players near an Elo in a period, with the rating of their moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodMilepost {
    /// The period of the games.
    pub period: Period,
    /// The Elo of the milepost: that of the players to the nearest hundred.
    pub milepost: f64,
    /// The mean Elo of the players.
    pub elo: f64,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// The intrinsic rating of the moves.
    pub ipr: Estimate,
}

/// The residual of a period: by how much its moves are better than those of the same Elo in all periods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodResidual {
    /// The period of the games.
    pub period: Period,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// The number of points of Elo by which the moves are better.
    pub residual: f64,
    /// The standard error of `residual`, by games.
    pub se: f64,
}

/// The results of comparing periods.
#[derive(Clone, Debug, PartialEq)]
pub struct Periods {
    /// The mileposts by period, with the ratings of their moves.
    pub mileposts: Vec<PeriodMilepost>,
    /// The residuals of the periods, all mileposts together.
    pub residuals: Vec<PeriodResidual>,
    /// The sum of squared differences of the periods from their mean, each over its variance.
    pub chi_square: f64,
    /// The degrees of freedom: the number of periods less one.
    pub freedom: usize,
    /// The probability of a sum that is as great or greater, if an Elo means the same in each period.
    pub probability: f64,
}

impl JointFit {
    /// Rates the mileposts of each period, and tests whether the periods differ. Mileposts with fewer turns than
    /// `min_turns` are left out of the rows, not of the test.
    ///
    /// # Errors
    /// [`Refusal::NoTurns`] if fewer than two periods have turns of players of known Elo; [`RatingsError::Cancelled`] if
    /// the work is cancelled.
    pub fn periods(
        &self,
        sample: &Sample,
        periods: &[Period],
        min_turns: usize,
        progress: &dyn Progress,
    ) -> Result<Periods, RatingsError> {
        let (mut mileposts, mut residuals) = (Vec::new(), Vec::new());
        for &period in periods {
            let of_period = part(sample, |turn| period.contains(turn) && turn.player().elo.is_some());
            if of_period.count() == 0 {
                continue;
            }
            residuals.push(self.residual(period, &of_period, progress)?);
            for hundred in hundreds(&of_period) {
                let near = part(&of_period, |turn| hundred_of(turn) == Some(hundred));
                if near.count() >= min_turns.max(1) {
                    let elos = near.iter().filter_map(|turn| turn.player().elo).map(f64::from);
                    let assessment = self.assess(&near, false, progress)?;
                    mileposts.push(PeriodMilepost {
                        period,
                        milepost: f64::from(hundred),
                        elo: elos.sum::<f64>() / near.count() as f64,
                        games: near.games(),
                        turns: near.count(),
                        ipr: self.estimate(&assessment),
                    });
                }
            }
        }
        if residuals.len() < 2 {
            return Err(Refusal::NoTurns.into());
        }
        let (chi_square, freedom) = heterogeneity(&residuals);
        Ok(Periods { mileposts, residuals, chi_square, freedom, probability: chi_square_tail(chi_square, freedom) })
    }

    fn residual(
        &self,
        period: Period,
        sample: &Sample,
        progress: &dyn Progress,
    ) -> Result<PeriodResidual, RatingsError> {
        let sides = self.side_scores(sample, progress)?;
        let information: f64 = sides.iter().map(|side| side.information).sum();
        let score: f64 = sides.iter().map(|side| side.score).sum();
        let mut squares = 0.0;
        for game in sides.chunk_by(|one, other| one.game == other.game) {
            squares += game.iter().map(|side| side.score).sum::<f64>().powi(2);
        }
        Ok(PeriodResidual {
            period,
            games: sample.games(),
            turns: sample.count(),
            residual: JointFit::UNIT * score / information,
            se: JointFit::UNIT * squares.sqrt() / information,
        })
    }
}

fn part(sample: &Sample, wanted: impl Fn(Turn<'_>) -> bool) -> Sample {
    Sample::listed(sample.source(), sample.iter().filter(|&turn| wanted(turn)).map(Turn::index))
}

/// The Elo of whoever played a turn, to the nearest hundred; none if it is not known.
pub(crate) fn hundred_of(turn: Turn<'_>) -> Option<u16> {
    turn.player().elo.map(|elo| elo.saturating_add(50) / 100 * 100)
}

fn hundreds(sample: &Sample) -> Vec<u16> {
    let mut all: Vec<u16> = sample.iter().filter_map(hundred_of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Computes the weighted sum of squares about the weighted mean, and its degrees of freedom.
fn heterogeneity(residuals: &[PeriodResidual]) -> (f64, usize) {
    let weight = |found: &PeriodResidual| found.se.max(1e-9).powi(-2);
    let all: f64 = residuals.iter().map(weight).sum();
    let mean = residuals.iter().map(|found| weight(found) * found.residual).sum::<f64>() / all;
    let sum = residuals.iter().map(|found| weight(found) * (found.residual - mean).powi(2)).sum();
    (sum, residuals.len().saturating_sub(1))
}

/// The probability that a sum of so many squared standard normal variables is x or more.
fn chi_square_tail(x: f64, freedom: usize) -> f64 {
    // Two degrees of freedom more add one term to the tail.
    let half = 0.5 * x;
    let (mut tail, mut term, mut at) = if freedom % 2 == 1 {
        (2.0 * upper_tail(x.max(0.0).sqrt()), 2.0 * (half / std::f64::consts::PI).sqrt() * (-half).exp(), 1)
    } else {
        (0.0, (-half).exp(), 0)
    };
    while at < freedom {
        tail += term;
        at += 2;
        term *= half / (0.5 * (at as f64));
    }
    tail.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::chi_square_tail;

    #[test]
    fn tabled_tails() {
        // NIST Handbook of Statistical Methods, table 1.3.6.7.4, column 0.95.
        for (freedom, x) in [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (5, 11.070), (10, 18.307)] {
            assert!((chi_square_tail(x, freedom) - 0.05).abs() < 2e-4, "{freedom}: {}", chi_square_tail(x, freedom));
        }
    }
}
