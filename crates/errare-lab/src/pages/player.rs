//! The page on a player.

use super::html::{Card, Page};
use super::pictures;
use super::shown_move::ShownMove;
use crate::numbers::counted;
use crate::ratings::{PlayerReport, TurnsRead, shift_sentence, warnings};
use errare_figures::{Arrow, ArrowStyle, Board};
use errare_ratings::{Calibration, MoveTrace, PlayerScreening, PlayerSide, RatedPlayer, Reading, Scores, Turn, Turns};

/// Number of the least likely moves that are listed.
const SURPRISES: usize = 20;

/// The page of a player.
pub(crate) fn player_page(report: &PlayerReport<'_>) -> Page {
    let PlayerReport { calibration, rating, screening, .. } = *report;
    let (turns, RatedPlayer { player, sample, readings, .. }) = (&report.set.turns, &*report.study.rated);
    let mut page = Page::new(player);
    page.paragraph(&format!(
        "{} of {}; {}, calibrated on {}.",
        counted(sample.count(), "turn"),
        counted(sample.games(), "game"),
        turns.engine(),
        calibration.data
    ));
    TurnsRead::new(report.set).duplicates_sentence().iter().for_each(|sentence| page.note(sentence));
    page.heading("Intrinsic performance rating");
    warnings(calibration).iter().for_each(|warning| page.paragraph(&format!("Warning: {warning}.")));
    let (fit, projection) = (&rating.fit, &rating.fit.projection);
    page.paragraph(&format!(
        "{:.0}{}, 95% between {:.0} and {:.0} (standard error {:.0}; from this sample alone it would be {:.0}, the rest is \
         the calibration's). s = {:.3} ({:.3}), c = {:.3} ({:.3}).",
        rating.elo,
        beyond(calibration, rating.outside_range),
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
    page.chart(
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
            "If every Elo from 600 to 3600 is equally probable beforehand, {} leave {:.0}{} (standard deviation \
             {:.0}), 95% between {low:.0} and {high:.0}: along the line that likelihood gives the mileposts, taken as exact, \
             so that its own error is not in the interval.",
            counted(last.moves, "move"),
            last.mean,
            beyond(calibration, last.outside_range),
            last.sd
        ));
        page.chart(&pictures::readings(readings), "The posterior after 1, 2, 5, 10 moves and so on.");
    }
    match screening {
        Some(screening) => add_screening(&mut page, calibration, turns, screening),
        None => page.note(
            "No game gives the player's rating, so there is nothing to compare the moves with unless one is claimed.",
        ),
    }
    page
}

/// The mark of an Elo that is beyond all mileposts; empty for others.
fn beyond(calibration: &Calibration, outside_range: bool) -> String {
    let (low, high) = calibration.range();
    if outside_range {
        format!(" (outside the calibrated range of {low:.0} to {high:.0}: extrapolated)")
    } else {
        String::new()
    }
}

/// Adds the comparison with a rating.
fn add_screening(page: &mut Page, calibration: &Calibration, turns: &Turns, found: &PlayerScreening) {
    let PlayerScreening { options, outside_range, screening, opponents, shift, .. } = found;
    let rating =
        options.claim.elo().map_or_else(|| "the rating of each game".to_owned(), |elo| format!("a rating of {elo:.0}"));
    page.heading("Moves compared with a rating");
    page.paragraph(&format!(
        "What is to be expected of {rating}{}, and what was played. z says by how many standard deviations the moves were \
         better than that; negative is worse. Standard deviations are widened by {} (mm) and {} (ad) for what the model \
         leaves out.",
        beyond(calibration, *outside_range),
        options.widening.mm,
        options.widening.ad
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
    page.note(&found.note());
    page.heading("The least likely moves");
    let mut traces: Vec<_> = screening.trace.iter().collect();
    traces.sort_by(|one, other| one.probability.total_cmp(&other.probability));
    page.paragraph("The broad arrow is the move that was played, the dashed one the engine's first choice.");
    let card = |trace: &MoveTrace| surprise(turns.turn(trace.turn), trace);
    page.cards(&traces.into_iter().take(SURPRISES).map(card).collect::<Vec<_>>());
}

/// A move that was not to be expected, with its position.
fn surprise(turn: Turn<'_>, trace: &MoveTrace) -> Card {
    let [played, best] =
        [turn.played_move(), turn.best_move()].map(|mv| ShownMove::new(turn.position(), &mv.to_string()));
    let number = turn.ply() / 2 + 1;
    let number = if turn.side() == PlayerSide::White { format!("{number}.") } else { format!("{number}...") };
    let title = format!("{number} {} (best: {})", played.san, best.san);
    let arrow = |shown: &ShownMove, style| shown.squares.map(|(from, to)| Arrow { from, to, style });
    let arrows = [arrow(&best, ArrowStyle::Faint), arrow(&played, ArrowStyle::Strong)];
    let board = Board {
        title: title.clone(),
        placement: turn.position().split_whitespace().next().unwrap_or_default().to_owned(),
        black_below: turn.side() == PlayerSide::Black,
        arrows: arrows.into_iter().flatten().collect(),
    };
    let probability = match trace.probability {
        small if small < 0.00005 => "less than 0.0001".to_owned(),
        probability => format!("{probability:.4}"),
    };
    let text = format!("{}. Probability {probability}, rank {}, loss {:.2}.", turn.game(), trace.rank, trace.loss);
    Card { svg: board.svg(), title, text }
}
