//! The pictures of the reports.

use super::paper;
use crate::plot::{Curves, PlotError, Series};
use errare_ratings::{Calibration, Fit, Milepost, Reading};

/// Half of a 95% interval in standard errors.
const WIDTH: f64 = 1.96;

/// Nothing is drawn from or to it.
const BREAK: (f64, f64) = (f64::NAN, f64::NAN);

/// A dot at each point.
fn dots(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series { name: name.to_owned(), points: points.into_iter().flat_map(|point| [point, BREAK]).collect() }
}

/// A bar at each x from the one height to the other.
fn bars(name: &str, bars: impl IntoIterator<Item = (f64, f64, f64)>) -> Series {
    let points = bars.into_iter().flat_map(|(x, low, high)| [(x, low), (x, high), BREAK]);
    Series { name: name.to_owned(), points: points.collect() }
}

fn line(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series { name: name.to_owned(), points: points.into_iter().collect() }
}

/// s or c over Elo, with intervals, what is on the line, and the paper's.
pub fn skill(calibration: &Calibration, which: usize) -> Result<String, PlotError> {
    let value = |milepost: &Milepost| [milepost.skill.s(), milepost.skill.c()][which];
    let normalised = |milepost: &Milepost| [milepost.s_fit, milepost.c_fit][which];
    let name = ["s", "c"][which];
    let mileposts = &calibration.mileposts;
    let interval = |milepost: &Milepost| {
        let half = WIDTH * milepost.se[which];
        (milepost.elo, value(milepost) - half, value(milepost) + half)
    };
    let paper = paper::ROWS.iter().filter_map(|row| Some((f64::from(row.elo), [row.s, row.c][which]?)));
    let series = vec![
        bars(&format!("{name}, 95%"), mileposts.iter().map(interval)),
        line(&format!("{name}_fit"), mileposts.iter().map(|milepost| (milepost.elo, normalised(milepost)))),
        dots("the paper's", paper),
        dots(name, mileposts.iter().map(|milepost| (milepost.elo, value(milepost)))),
    ];
    let (x_label, y_label) = ("Elo".to_owned(), name.to_owned());
    Curves { title: format!("{name} over Elo"), x_label, y_label, series, ..Curves::default() }.svg()
}

/// R_q over q: on the diagonal if the fit were perfect.
pub fn percentiles(fits: &[(String, Fit)]) -> Result<String, PlotError> {
    let mut series = vec![line("R_q = q", [(0.0, 0.0), (1.0, 0.0)])];
    let excess = |fit: &Fit| -> Vec<(f64, f64)> { fit.percentiles.iter().map(|&(q, r)| (q, r - q)).collect() };
    series.extend(fits.iter().map(|(name, fit)| Series { name: name.clone(), points: excess(fit) }));
    let title = "Percentiles: more turns than there should be below q".to_owned();
    Curves { title, x_label: "q".to_owned(), y_label: "R_q - q".to_owned(), series, ..Curves::default() }.svg()
}

/// The line from the expected loss to Elo, with what it was drawn through, and a rating if there is one.
pub fn elo(calibration: &Calibration, rating: Option<(f64, f64, (f64, f64))>) -> Result<String, PlotError> {
    let mileposts = &calibration.mileposts;
    let losses = mileposts.iter().map(|milepost| milepost.reference_ad).chain(rating.map(|(ad, _, _)| ad));
    let (least, most) = losses.fold((f64::MAX, f64::MIN), |(least, most), ad| (least.min(ad), most.max(ad)));
    let across = |half: f64| {
        let steps = (0..=40).map(move |step| least + (most - least) * f64::from(step) / 40.0);
        steps.map(move |ad| (ad, calibration.elo(ad) + half * calibration.half_interval(ad, 0.0)))
    };
    let wide = mileposts.iter().map(|milepost| {
        let half = WIDTH * milepost.se_reference_ad;
        [(milepost.reference_ad - half, milepost.elo), (milepost.reference_ad + half, milepost.elo), BREAK]
    });
    let mut series = vec![
        line("calibration line", across(0.0)),
        Series { name: "mileposts, 95%".to_owned(), points: wide.flatten().collect() },
        line("95%, many moves", across(-1.0).chain([BREAK]).chain(across(1.0))),
        dots("", mileposts.iter().map(|milepost| (milepost.reference_ad, milepost.elo))),
    ];
    if let Some((ad, elo, (low, high))) = rating {
        series.push(bars("this rating, 95%", [(ad, low, high)]));
        series.push(dots("", [(ad, elo)]));
    }
    let title = "From the expected loss on the reference set to Elo".to_owned();
    let x_label = "expected average difference, pawns".to_owned();
    Curves { title, x_label, y_label: "Elo".to_owned(), series, ..Curves::default() }.svg()
}

/// How the Bayesian reading narrows down, move by move.
pub fn readings(readings: &[Reading]) -> Result<String, PlotError> {
    let over = |value: fn(&Reading) -> f64| readings.iter().map(move |reading| (reading.moves as f64, value(reading)));
    let low = over(|reading| reading.posterior.interval(0.95).0);
    let high = over(|reading| reading.posterior.interval(0.95).1);
    let series =
        vec![line("mean", over(|reading| reading.posterior.mean())), line("95%", low.chain([BREAK]).chain(high))];
    let title = "The Bayesian reading after so many moves".to_owned();
    let x_label = "moves".to_owned();
    Curves { title, x_label, y_label: "Elo".to_owned(), x_log: true, series, ..Curves::default() }.svg()
}
