//! The page on a player.

use super::html::Page;
use super::pictures;
use crate::ratings::{PlayerReport, shift_sentence};
use errare_ratings::{PlayerScreening, PlayerStudy, Reading, Scores, Turns, upper_tail};

/// Number of the least likely moves that are listed.
const SURPRISES: usize = 20;

/// The page of a player.
pub(crate) fn player_page(report: &PlayerReport<'_>) -> Page {
    let PlayerReport { calibration, rating, screening, .. } = *report;
    let (turns, PlayerStudy { player, sample, readings, .. }) = (&report.set.turns, report.study);
    let mut page = Page::new(player);
    page.paragraph(&format!(
        "{} turns of {} games; {}, calibrated on {}.",
        sample.count(),
        sample.games(),
        turns.engine(),
        calibration.data
    ));
    page.heading("Intrinsic performance rating");
    let (fit, projection) = (&rating.fit, &rating.fit.projection);
    page.paragraph(&format!(
        "{:.0}, 95% between {:.0} and {:.0} (standard error {:.0}; from this sample alone it would be {:.0}, the rest is \
         the calibration's). s = {:.3} ({:.3}), c = {:.3} ({:.3}).",
        rating.elo,
        rating.interval.0,
        rating.interval.1,
        rating.se,
        rating.se_sample,
        fit.skill.s(),
        fit.se_s(),
        fit.skill.c(),
        fit.se_c()
    ));
    page.table(
        &["", "expected", "actual"],
        &[
            ("move-match mm", projection.expected_mm, projection.mm),
            ("average difference ad", projection.expected_ad, projection.ad),
        ]
        .map(|(name, expected, actual)| vec![name.to_owned(), format!("{expected:.4}"), format!("{actual:.4}")]),
    );
    page.picture(
        &pictures::elo(calibration, Some((rating.reference_ad, rating.elo, rating.interval))),
        "The rating on the calibration line.",
    );
    page.note(
        "An IPR says how well these moves were chosen, not how strong a player is: openings, opponents and time have \
         their part.",
    );
    if let Some(last) = readings.last().map(Reading::summary) {
        page.heading("Posterior over Elo");
        let (low, high) = last.interval;
        page.paragraph(&format!(
            "If every Elo from 600 to 3600 is equally probable beforehand, these {} moves leave {:.0} (standard deviation \
             {:.0}), 95% between {low:.0} and {high:.0}: along the line that likelihood gives the mileposts, taken as exact, \
             so that its own error is not in the interval.",
            last.moves, last.mean, last.sd
        ));
        page.picture(&pictures::readings(readings), "The posterior after 1, 2, 5, 10 moves and so on.");
    }
    match screening {
        Some(screening) => add_screening(&mut page, turns, screening),
        None => page.note(
            "No game gives the player's rating, so there is nothing to compare the moves with unless one is claimed.",
        ),
    }
    page
}

/// Adds the comparison with a rating.
fn add_screening(page: &mut Page, turns: &Turns, found: &PlayerScreening) {
    let PlayerScreening { options, screening, opponents, shift, .. } = found;
    let rating =
        options.claim.elo().map_or_else(|| "the rating of each game".to_owned(), |elo| format!("a rating of {elo:.0}"));
    page.heading("Moves compared with a rating");
    page.paragraph(&format!(
        "What is to be expected of {rating}, and what was played. z says by how many standard deviations the moves were \
         better, these widened by 1.15 (mm) and 1.4 (ad) for what the model leaves out."
    ));
    let row = |name: String, scores: &Scores| {
        let projection = scores.projection;
        let pair = |expected: f64, actual: f64| format!("{expected:.3} / {actual:.3}");
        vec![
            name,
            projection.turns.to_string(),
            pair(projection.expected_mm, projection.mm),
            format!("{:+.2}", scores.z_mm),
            pair(projection.expected_ad, projection.ad),
            format!("{:+.2}", scores.z_ad),
        ]
    };
    let mut rows: Vec<Vec<String>> =
        screening.games.iter().map(|(game, scores)| row(turns.games()[*game].to_string(), scores)).collect();
    rows.push(row("all".to_owned(), &screening.overall));
    rows.extend(opponents.iter().map(|found| row("the opponents, by their own ratings".to_owned(), &found.overall)));
    page.table(&["game", "turns", "mm expected / actual", "z", "ad expected / actual", "z"], &rows);
    page.paragraph(&shift_sentence(shift));
    let z = screening.overall.z_mm.max(screening.overall.z_ad);
    page.note(&format!(
        "A z of {z:.2} or more is to be expected of {:.1} in 1,000 players by chance alone, if the model were exact. \
         Whoever looks at many players will find some that are unusual. This is not a verdict, and nothing here says why.",
        1000.0 * upper_tail(z)
    ));
    page.heading("The least likely moves");
    let mut traces: Vec<_> = screening.trace.iter().collect();
    traces.sort_by(|one, other| one.probability.total_cmp(&other.probability));
    let rows: Vec<Vec<String>> = traces
        .into_iter()
        .take(SURPRISES)
        .map(|trace| {
            let turn = turns.turn(trace.turn);
            vec![
                turn.game().to_string(),
                (turn.ply() / 2 + 1).to_string(),
                turn.played_move().to_string(),
                turn.best_move().to_string(),
                format!("{:.4}", trace.probability),
                trace.rank.to_string(),
                format!("{:.2}", trace.loss),
            ]
        })
        .collect();
    page.table(&["game", "move", "played", "best", "probability", "rank", "loss"], &rows);
}
