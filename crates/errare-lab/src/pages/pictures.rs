//! The charts of the reports.

use super::regan_haworth;
use errare_figures::{Axis, LineChart, Series};
use errare_ratings::{Calibration, Fit, Milepost, Reading};

/// Half the width of a 95% interval in standard errors.
const HALF_INTERVAL: f64 = 1.96;

fn chart(title: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> LineChart {
    LineChart { title: title.into(), x, y, series, marks: Vec::new() }
}

/// Draws s or c over Elo: fitted with intervals, as normalised by the line, and as Regan and Haworth (2011) have it.
pub fn skill(calibration: &Calibration, which: usize) -> LineChart {
    let value = |milepost: &Milepost| [milepost.skill.s(), milepost.skill.c()][which];
    let normalised = |milepost: &Milepost| [milepost.s_fit, milepost.c_fit][which];
    let name = ["s", "c"][which];
    let mileposts = &calibration.mileposts;
    let interval = |milepost: &Milepost| {
        let half = HALF_INTERVAL * milepost.se[which];
        [(milepost.elo, value(milepost) - half), (milepost.elo, value(milepost) + half)]
    };
    let published = regan_haworth::ROWS.iter().filter_map(|row| Some((f64::from(row.elo), [row.s, row.c][which]?)));
    let series = vec![
        Series::dots(format!("{name}, 95%"), mileposts.iter().map(|milepost| (milepost.elo, value(milepost))))
            .with_whiskers(mileposts.iter().map(interval)),
        Series::line(format!("{name}_fit"), mileposts.iter().map(|milepost| (milepost.elo, normalised(milepost)))),
        Series::dots("Regan, Haworth 2011", published),
    ];
    chart(format!("{name} over Elo"), Axis::linear("Elo"), Axis::linear(name), series)
}

/// Draws R_q - q over q, which would be zero everywhere if the fit were perfect.
pub fn percentiles(fits: &[(String, Fit)]) -> LineChart {
    let mut series = vec![Series::line("R_q = q", [(0.0, 0.0), (1.0, 0.0)])];
    series.extend(fits.iter().map(|(name, fit)| Series::line(name, fit.percentiles.iter().map(|&(q, r)| (q, r - q)))));
    let title = "Percentiles: more turns than there should be below q";
    chart(title, Axis::linear("q"), Axis::linear("R_q - q"), series)
}

/// Draws the line from the expected loss to Elo, with the mileposts it was fitted to, and a rating if there is one.
pub fn elo(calibration: &Calibration, rating: Option<(f64, f64, (f64, f64))>) -> LineChart {
    let mileposts = &calibration.mileposts;
    let losses = mileposts.iter().map(|milepost| milepost.reference_ad).chain(rating.map(|(ad, _, _)| ad));
    let (least, most) = losses.fold((f64::MAX, f64::MIN), |(least, most), ad| (least.min(ad), most.max(ad)));
    let steps = (0..=40).map(|step| least + (most - least) * f64::from(step) / 40.0);
    // Each is worked out once, as Student's t takes a while.
    let halves: Vec<(f64, f64)> = steps.map(|ad| (ad, calibration.half_interval(ad, 0.0))).collect();
    let across = |sign: f64| {
        let place = move |&(ad, half): &(f64, f64)| (ad, calibration.elo(ad) + sign * half);
        halves.iter().map(place).collect::<Vec<_>>()
    };
    let interval = |milepost: &Milepost| {
        let half = HALF_INTERVAL * milepost.se_reference_ad;
        [(milepost.reference_ad - half, milepost.elo), (milepost.reference_ad + half, milepost.elo)]
    };
    let mut series = vec![
        Series::line("calibration line", across(0.0)),
        Series::band("95%, many moves", across(-1.0), across(1.0)),
        Series::dots("mileposts, 95%", mileposts.iter().map(|milepost| (milepost.reference_ad, milepost.elo)))
            .with_whiskers(mileposts.iter().map(interval)),
    ];
    if let Some((ad, elo, (low, high))) = rating {
        series.push(Series::dots("this rating, 95%", [(ad, elo)]).with_whiskers([[(ad, low), (ad, high)]]));
    }
    let title = "From the expected loss on the reference set to Elo";
    chart(title, Axis::linear("expected average difference, pawns"), Axis::linear("Elo"), series)
}

/// Draws the posterior over Elo after more and more moves.
pub fn readings(readings: &[Reading]) -> LineChart {
    let over = |value: fn(&Reading) -> f64| readings.iter().map(move |reading| (reading.moves as f64, value(reading)));
    let low = over(|reading| reading.posterior.interval(0.95).0);
    let high = over(|reading| reading.posterior.interval(0.95).1);
    let series = vec![Series::line("mean", over(|reading| reading.posterior.mean())), Series::band("95%", low, high)];
    chart("The posterior over Elo after so many moves", Axis::log("moves"), Axis::linear("Elo"), series)
}
