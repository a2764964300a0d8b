//! The score of a match, and the difference in Elo that it stands for.

/// The 97.5% quantile of the normal distribution, for intervals of 95%.
const Z: f64 = 1.959_963_984_540_054;

/// The score of one of two players, from independent units: games, or pairs of games with both colours.
///
/// The two games of a pair have the same start and opposite colours, so that their results have much in common: a start
/// that White wins gives a pair of one win and one loss, whoever plays. As units pairs are independent, games are not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// Number of games won.
    pub won: u64,
    /// Number of games drawn.
    pub drawn: u64,
    /// Number of games lost.
    pub lost: u64,
    /// Number of independent units.
    pub units: u64,
    /// The sums over the units of the share of the points that the player made, and of its square.
    sum: f64,
    squares: f64,
}

/// A difference in Elo, with the interval that holds it with a probability of 95%. Each of these numbers may be
/// infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloDifference {
    /// The difference that the score stands for.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl MatchScore {
    /// Adds a unit of games; each game is worth 1 to the player if won, one half if drawn and 0 if lost. A unit of no
    /// games adds nothing.
    pub fn add(&mut self, points: &[f64]) {
        if points.is_empty() {
            return;
        }
        for &point in points {
            match point {
                1.0 => self.won += 1,
                0.0 => self.lost += 1,
                _ => self.drawn += 1,
            }
        }
        let share = points.iter().sum::<f64>() / points.len() as f64;
        self.units += 1;
        self.sum += share;
        self.squares += share * share;
    }

    /// The share of the points that the player made, from 0 to 1; none without games.
    pub fn share(&self) -> Option<f64> {
        (self.units > 0).then(|| self.sum / self.units as f64)
    }

    /// The interval that holds the expected share of the points with a probability of 95%; none without games.
    ///
    /// It is Wilson's interval, which is honest at 0 and at 1, for n / r units, where n is the number of units and r
    /// compares their variance with that of wins and losses alone: draws, and pairs whose games cancel out, scatter less.
    /// With s the share of the points, and the mean m and the variance v taken over the n units and two more, of 0 and
    /// of 1, so that a few equal results are not mistaken for certainty:
    ///
    ///   r = v / (m (1 - m)),  k = n / r,
    ///   (s + z^2 / 2k  ±  z sqrt(s (1 - s) / k + z^2 / 4k^2)) / (1 + z^2 / k),  z = 1.96.
    ///
    /// With wins and losses alone r = 1, and it is Wilson's interval itself.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let share = self.share()?;
        let units = self.units as f64;
        let mean = (self.sum + 1.0) / (units + 2.0);
        let variance = (self.squares + 1.0) / (units + 2.0) - mean * mean;
        let k = units * mean * (1.0 - mean) / variance;
        Some(wilson_interval(share, k))
    }

    /// The difference in Elo between the player and the other: 400 log10(s / (1 - s)) of the share of the points s, and
    /// of the ends of its interval. Infinite where a share is 0 or 1. None without games.
    pub fn elo(&self) -> Option<EloDifference> {
        let (low, high) = self.interval()?;
        Some(EloDifference { elo: elo(self.share()?), low: elo(low), high: elo(high) })
    }
}

/// Wilson's 95% interval for a share that was seen in k independent trials; honest at 0 and at 1.
pub fn wilson_interval(share: f64, k: f64) -> (f64, f64) {
    let z2 = Z * Z / k;
    let centre = (share + z2 / 2.0) / (1.0 + z2);
    let half = (z2 * share * (1.0 - share) + z2 * z2 / 4.0).sqrt() / (1.0 + z2);
    let low = if share == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(won: usize, drawn: usize, lost: usize) -> MatchScore {
        let mut score = MatchScore::default();
        [(won, 1.0), (drawn, 0.5), (lost, 0.0)].into_iter().for_each(|(count, points)| {
            (0..count).for_each(|_| score.add(&[points]));
        });
        score
    }

    #[test]
    fn known_shares_have_known_differences() {
        assert_eq!(MatchScore::default().elo(), None);
        assert_eq!(score(5, 10, 5).elo().map(|found| found.elo), Some(0.0));
        // A share of 10/11 is 400 points by definition.
        let found = score(10, 0, 1).elo().expect("a difference");
        assert!((found.elo - 400.0).abs() < 1e-9, "{found:?}");
        assert!(found.low < found.elo && found.elo < found.high);
    }

    /// Newcombe (Statistics in Medicine 17, 1998), method 3: 81 in 263 have the interval 0.2553 to 0.3662.
    #[test]
    fn without_draws_it_is_wilsons_interval() {
        let (low, high) = score(81, 0, 182).interval().expect("an interval");
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
    }

    #[test]
    fn nothing_and_everything_are_half_open() {
        let all = score(10, 0, 0).elo().expect("a difference");
        assert_eq!((all.elo, all.high), (f64::INFINITY, f64::INFINITY));
        // 10 of 10: from 1 / (1 + z^2 / 10) on.
        assert!((all.low - 400.0 * (10.0 / (Z * Z)).log10()).abs() < 1e-9, "{all:?}");
        let none = score(0, 0, 10).elo().expect("a difference");
        assert_eq!((none.elo, none.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!((none.high + all.low).abs() < 1e-9);
    }

    /// The probability that the interval holds the truth, by all results that a match of n games can have.
    fn coverage(n: usize, win: f64, draw: f64) -> f64 {
        let mut logs = vec![0.0];
        (1..=n).for_each(|k| logs.push(logs[k - 1] + (k as f64).ln()));
        let power = |p: f64, k: usize| if k == 0 { 1.0 } else { p.powi(k as i32) };
        let truth = win + draw / 2.0;
        let mut covered = 0.0;
        for won in 0..=n {
            for drawn in 0..=n - won {
                let lost = n - won - drawn;
                let ways = (logs[n] - logs[won] - logs[drawn] - logs[lost]).exp();
                let (low, high) = score(won, drawn, lost).interval().expect("an interval");
                if (low - 1e-12..=high + 1e-12).contains(&truth) {
                    covered += ways * power(win, won) * power(draw, drawn) * power(1.0 - win - draw, lost);
                }
            }
        }
        covered
    }

    #[test]
    fn the_interval_holds_what_it_promises() {
        for n in [10, 30] {
            let (mut sum, mut count) = (0.0, 0.0);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let covered = coverage(n, f64::from(i) / 20.0, f64::from(j) / 20.0);
                    assert!(covered > 0.91, "{n}: {i} {j}: {covered}");
                    sum += covered;
                    count += 1.0;
                }
            }
            assert!(sum / count > 0.95, "{n}: {}", sum / count);
        }
    }

    /// In each pair White wins: nothing is learned about who is better, and the more pairs the surer that is.
    #[test]
    fn pairs_that_cancel_out_scatter_less_than_their_games() {
        let (mut pairs, mut games) = (MatchScore::default(), MatchScore::default());
        for _ in 0..50 {
            pairs.add(&[1.0, 0.0]);
            games.add(&[1.0]);
            games.add(&[0.0]);
        }
        assert_eq!((pairs.won, pairs.lost, pairs.units), (50, 50, 50));
        let width = |score: MatchScore| score.interval().map(|(low, high)| high - low).expect("an interval");
        assert!(width(pairs) < width(games) / 3.0 && width(pairs) > 0.01);
        // Pairs of two equal results are worth no more than one game each.
        let (mut twice, mut once) = (MatchScore::default(), MatchScore::default());
        for point in [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0] {
            twice.add(&[point, point]);
            once.add(&[point]);
        }
        assert_eq!(twice.interval(), once.interval());
    }
}
