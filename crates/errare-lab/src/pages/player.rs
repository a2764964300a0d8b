//! The page on a player.

use super::html::{Card, Page};
use super::pictures;
use super::plotted::PlottedChart;
use super::shown_move::ShownMove;
use crate::ratings::{PlayerReport, StudyWords, warnings};
use errare_figures::{Arrow, ArrowStyle, Board, LineChart};
use errare_ratings::{MoveTrace, PlayerScreening, PlayerSide, RatedPlayer, Scores, Turn, Turns};

/// Number of the least likely moves that are listed.
const SURPRISES: usize = 20;

/// The caption of the chart of the calibration line.
pub(crate) const ON_THE_LINE: &str = "The rating on the calibration line.";

/// The caption of the chart of posteriors.
pub(crate) const POSTERIORS: &str = "The posterior after 1, 2, 5, 10 moves and so on.";

/// Makes the charts of a player's page: the rating on the calibration line, and the posteriors if there are any.
pub(crate) fn player_charts(report: &PlayerReport<'_>) -> Vec<PlottedChart> {
    let readings = &report.study.rated.readings;
    let line = PlottedChart::new(line_chart(report), ON_THE_LINE);
    let posteriors = (!readings.is_empty()).then(|| PlottedChart::new(pictures::readings(readings), POSTERIORS));
    [line].into_iter().chain(posteriors).collect()
}

fn line_chart(report: &PlayerReport<'_>) -> LineChart {
    let rating = report.rating;
    pictures::elo(report.calibration, Some((rating.reference_ad, rating.elo, rating.interval)))
}

/// Makes the page of a player.
pub(crate) fn player_page(report: &PlayerReport<'_>) -> Page {
    let PlayerReport { calibration, rating, screening, .. } = *report;
    let (turns, RatedPlayer { player, readings, .. }) = (&report.set.turns, &*report.study.rated);
    let words = report.words();
    let mut page = Page::new(player);
    page.paragraph(&words.basis);
    words.duplicates.iter().for_each(|sentence| page.note(sentence));
    page.heading("Intrinsic performance rating");
    warnings(calibration).iter().for_each(|warning| page.paragraph(&format!("Warning: {warning}.")));
    let projection = &rating.fit.projection;
    page.paragraph(&words.rating);
    page.paragraph(&words.reach);
    page.table(
        &["", "expected", "actual"],
        &[
            ("move-match mm", projection.expected_mm, projection.mm),
            ("average difference ad", projection.expected_ad, projection.ad),
        ]
        .map(|(name, expected, actual)| vec![name.to_owned(), format!("{expected:.4}"), format!("{actual:.4}")]),
    );
    page.chart(&line_chart(report), ON_THE_LINE);
    page.note(&words.caution);
    if let Some(posterior) = &words.posterior {
        page.heading("Posterior over Elo");
        page.paragraph(posterior);
        page.chart(&pictures::readings(readings), POSTERIORS);
    }
    match screening {
        Some(screening) => add_screening(&mut page, &words, turns, screening),
        None => page.note(&words.screening),
    }
    page
}

/// Adds the comparison with a rating.
fn add_screening(page: &mut Page, words: &StudyWords, turns: &Turns, found: &PlayerScreening) {
    let PlayerScreening { screening, opponents, .. } = found;
    page.heading("Moves compared with a rating");
    page.paragraph(&words.screening);
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
    words.shift.iter().for_each(|sentence| page.paragraph(sentence));
    page.note(&found.note());
    page.heading("The least likely moves");
    let mut traces: Vec<_> = screening.trace.iter().collect();
    traces.sort_by(|one, other| one.probability.total_cmp(&other.probability));
    page.paragraph("The broad arrow is the move that was played, the dashed one the engine's first choice.");
    let card = |trace: &MoveTrace| surprise(turns.turn(trace.turn), trace);
    page.cards(&traces.into_iter().take(SURPRISES).map(card).collect::<Vec<_>>());
}

/// Makes the picture of an unlikely move, with its position.
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
