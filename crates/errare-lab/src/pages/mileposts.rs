//! The page on the mileposts of a calibration.

use super::html::Page;
use super::{pictures, regan_haworth};
use crate::error::LabError;
use crate::ratings::{TurnsRead, describe_turns, warnings};
use crate::{elo_text, interval_text};
use errare_ratings::{Calibration, CrossCheck, Fit, Milepost, MilepostFit, TurnSet};
use errare_work::Progress;

/// Makes the page of a calibration that was made from these turns.
pub(crate) fn milepost_page(
    calibration: &Calibration,
    set: &TurnSet,
    progress: &dyn Progress,
) -> Result<Page, LabError> {
    let (formula, method) = (calibration.model.formula(), calibration.method);
    let methods = calibration.method_fits(&set.turns, progress)?;
    let mut page = Page::new("Intrinsic ratings");
    let turns = describe_turns(&set.data, set.turns.engine(), set.left_out);
    page.paragraph(&format!("{turns}. {formula}, fitted by {method}."));
    TurnsRead::new(set).duplicates_sentence().iter().for_each(|sentence| page.note(sentence));
    warnings(calibration).iter().for_each(|warning| page.paragraph(&format!("Warning: {warning}.")));
    page.heading("The mileposts");
    page.paragraph(
        "Players near an Elo, and the skill that explains their moves: s, how small a loss they notice, and c, how \
         sharply. mm is the share of moves that were the engine's first choice, ad the mean loss in pawns (corrected \
         for the size of the evaluation); both expected / actual.",
    );
    page.table(&HEADER, &mileposts(calibration));
    page.note(
        "Rows of 2011: K. W. Regan and G. McC. Haworth, Intrinsic chess ratings (2011), section 7, games of \
         2006-2009, Rybka 3 at depth 13; a dash is a number that cannot be read in our copy. Another engine sees other \
         losses, so its s, c and ad cannot be compared with ours one by one: what can be is how they change with Elo, \
         and how well each model fits its own data. Our Q_fit is the sum of (R_q - q)^2; the unit of 2011 is not stated.",
    );
    for (which, caption) in [
        (0, "A smaller s is more skill. Bars are 95% intervals, over samples of games."),
        (1, "c over Elo; c_fit is the line through the fitted c, s_fit above is s fitted again with that c."),
    ] {
        page.chart(&pictures::skill(calibration, which), caption);
    }
    page.heading("From skill to Elo");
    let line = &calibration.skill_curve.elo_line;
    page.paragraph(&format!(
        "The loss to be expected on a reference set of {} positions puts s and c into one number. The line through the \
         mileposts is Elo = {:.0} {:+.0} x expected ad; they scatter about it by {:.0} points, {:.0} of it more than samples of \
         {} games or more explain. A rating made with it cannot be surer than that. Its 95% interval also minds that {} \
         mileposts are few (Student's t).",
        calibration.reference.turns.len(),
        line.intercept,
        line.slope,
        line.scatter,
        calibration.excess(),
        calibration.mileposts.iter().map(|milepost| milepost.games).min().unwrap_or(0),
        calibration.mileposts.len(),
    ));
    page.chart(&pictures::elo(calibration, None), "Mileposts with the 95% interval of their expected loss.");
    let checks = calibration.cross_checks(progress)?;
    if !checks.is_empty() {
        let held = checks.iter().filter(|check| check.is_held()).count();
        page.paragraph(&format!(
            "Whether intervals can be believed: each milepost rated by a calibration of the others. {held} of {} intervals \
             contain the Elo. An Elo with an asterisk is outside the range of the others, and so extrapolated.",
            checks.len()
        ));
        page.table(&["Elo", "IPR", "standard error", "95%"], &checks.iter().rev().map(checked).collect::<Vec<_>>());
    }

    page.heading("How well the model fits");
    let chosen = methods.iter().filter(|found| found.fit.method == method && found.fit.formula == formula);
    let fits: Vec<(String, Fit)> = chosen.map(|found| (found.elo.to_string(), found.fit.clone())).collect();
    page.chart(
        &pictures::percentiles(&fits),
        "For each q the share of turns whose played move lies below the q-th percentile of its prediction, less q.",
    );
    page.paragraph(
        "Which method to use: percentile fits, and moments, predict mm and ad as they are, so ratings rest on them. \
         Likelihood over-predicts ad: rare blunders, which the model thinks all but impossible, drag its s and c to a \
         player who errs more often. It is the one to compare models by. The shares model over-predicts mm by \
         percentiles. Standard errors are in brackets.",
    );
    page.table(
        &["Elo", "model", "method", "s", "c", "mm", "ad", "Q_fit", "log-likelihood"],
        &methods.iter().map(method_row).collect::<Vec<_>>(),
    );
    Ok(page)
}

const HEADER: [&str; 10] = ["Elo", "source", "turns", "s", "c", "c_fit", "s_fit", "mm", "ad", "Q_fit"];

/// Makes the rows of our mileposts, each followed by the row of Regan and Haworth (2011) of the same Elo.
fn mileposts(calibration: &Calibration) -> Vec<Vec<String>> {
    let pair = |(expected, actual): (f64, f64)| format!("{expected:.3} / {actual:.3}");
    let mut rows = Vec::new();
    for milepost in calibration.mileposts.iter().rev() {
        let Milepost { skill, se, projection, .. } = milepost;
        let with_error = |value: f64, error: f64| format!("{value:.3} ({error:.3})");
        rows.push(vec![
            format!("{:.0}", milepost.elo),
            "errare".to_owned(),
            projection.turns.to_string(),
            with_error(skill.s(), se[0]),
            with_error(skill.c(), se[1]),
            format!("{:.3}", milepost.c_fit),
            format!("{:.3}", milepost.s_fit),
            pair((projection.expected_mm, projection.mm)),
            pair((projection.expected_ad, projection.ad)),
            format!("{:.5}", milepost.quality),
        ]);
        if let Some(row) = regan_haworth::ROWS.iter().find(|row| f64::from(row.elo) == milepost.elo) {
            let legible = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
            rows.push(vec![
                row.elo.to_string(),
                "2011".to_owned(),
                String::new(),
                legible(row.s),
                legible(row.c),
                format!("{:.3}", row.c_fit),
                format!("{:.3}", row.s_fit),
                pair(row.mm),
                pair(row.ad),
                format!("{:.3}", row.q_fit),
            ]);
        }
    }
    rows
}

fn checked(check: &CrossCheck) -> Vec<String> {
    let CrossCheck { elo, rated, outside_range, se, interval, interval_outside_range } = *check;
    vec![
        format!("{elo:.0}"),
        elo_text(rated, outside_range),
        format!("{se:.0}"),
        interval_text(interval, interval_outside_range),
    ]
}

fn method_row(MilepostFit { elo, fit }: &MilepostFit) -> Vec<String> {
    let Fit { formula, method, skill, projection, .. } = fit;
    vec![
        elo.to_string(),
        formula.to_string(),
        method.to_string(),
        format!("{:.3} ({:.3})", skill.s(), fit.se_s()),
        format!("{:.3} ({:.3})", skill.c(), fit.se_c()),
        format!("{:.3} / {:.3}", projection.expected_mm, projection.mm),
        format!("{:.3} / {:.3}", projection.expected_ad, projection.ad),
        format!("{:.5}", fit.quality),
        format!("{:.1}", fit.log_likelihood),
    ]
}
