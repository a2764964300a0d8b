//! `errare report player`.

use super::html::Page;
use super::pictures;
use crate::Verdict;
use crate::calibrate::file;
use crate::fit::turns::{TurnFlags, Wanted, positive};
use crate::screen::{opponents, own_rating};
use anyhow::{Result, bail};
use clap::Args;
use errare_ratings::{Calibration, Rating, RatingTerms, Sample, Scores, Screening, Turn, Turns, Widening, upper_tail};
use std::path::PathBuf;

/// Write a page on a player: the intrinsic rating, and play held against a rating, game by game
///
/// The page is one HTML file that needs no other. It tells how unusual play is for a rating, and nothing of why.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare report player games.jsonl.gz --calibration sf15-d10.json --player Karjakin --out karjakin.html
  errare report player games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --out karjakin.html")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    /// A file that `errare calibrate` wrote
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// The player: those whose name contains it, whatever the case
    #[arg(long, value_name = "NAME")]
    player: String,
    /// The rating to hold against [default: that of each game]
    #[arg(long, value_name = "ELO", value_parser = positive)]
    claimed: Option<f64>,
    /// Refuse fewer turns
    #[arg(long, default_value_t = RatingTerms::default().least_turns, value_name = "TURNS")]
    least_turns: usize,
    /// The page
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// So many of the least likely moves are listed.
const SURPRISES: usize = 20;

pub fn run(flags: Flags) -> Result<Verdict> {
    let calibration = file::read(&flags.calibration)?;
    let loaded = flags.turns.load(calibration.scale)?;
    let wish = Wish { player: Wanted::Part(&flags.player), claimed: flags.claimed, least_turns: flags.least_turns };
    page(&calibration, &loaded.turns, &wish)?.write(&flags.out)?;
    Ok(Verdict::Clean)
}

/// Whose page, and what play is held against.
pub struct Wish<'a> {
    /// The player.
    pub player: Wanted<'a>,
    /// A rating; none for that of each game.
    pub claimed: Option<f64>,
    /// Fewer turns are refused.
    pub least_turns: usize,
}

/// What is found out about a player.
pub struct Study<'a> {
    /// The player's turns.
    pub sample: Sample<'a>,
    /// The intrinsic rating.
    pub rating: Rating,
    /// Play held against a rating, if one is known or claimed.
    pub screening: Option<Screening>,
    /// The opponents held against theirs.
    pub opponents: Option<Screening>,
}

impl<'a> Study<'a> {
    pub fn new(calibration: &Calibration, turns: &'a Turns, wish: &Wish<'_>) -> Result<Study<'a>> {
        calibration.check(turns)?;
        let sample = Sample::new(turns, |turn| wish.player.is(&turn.player().name));
        if sample.count() == 0 {
            bail!("there is no turn of `{}`", wish.player.name());
        }
        let rating = calibration.rate(&sample, RatingTerms { least_turns: wish.least_turns, draws: None })?;
        let claimed = |turn: Turn<'_>| wish.claimed.or_else(|| own_rating(turn));
        let has_claim = sample.iter().any(|turn| claimed(turn).is_some());
        let screening = if has_claim { Some(calibration.screen(&sample, claimed, Widening::default())?) } else { None };
        let opponents = opponents(calibration, turns, wish.player, Widening::default())?;
        Ok(Study { sample, rating, screening, opponents })
    }
}

/// The page of a player.
pub fn page(calibration: &Calibration, turns: &Turns, wish: &Wish<'_>) -> Result<Page> {
    let Study { sample, rating, screening, opponents } = Study::new(calibration, turns, wish)?;
    let mut page = Page::new(wish.player.name());
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
        "{:.0}, 95% between {:.0} and {:.0} (standard error {:.0}, of which {:.0} from this sample and the rest from the \
         calibration). s = {:.3} ({:.3}), c = {:.3} ({:.3}).",
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
        &pictures::elo(calibration, Some((rating.expected_ad, rating.elo, rating.interval)))?,
        "The rating on the calibration line.",
    );
    page.note("An IPR tells how well these moves were chosen, not how strong a player is: openings, opponents and time have their part.");
    match &screening {
        Some(screening) => {
            held_against(&mut page, turns, screening, opponents.as_ref().map(|found| &found.overall), wish.claimed)
        }
        None => page
            .note("No game tells the player's rating, so there is nothing to hold play against unless one is claimed."),
    }
    Ok(page)
}

fn held_against(
    page: &mut Page,
    turns: &Turns,
    screening: &Screening,
    opponents: Option<&Scores>,
    claimed: Option<f64>,
) {
    let rating = claimed.map_or_else(|| "the rating of each game".to_owned(), |elo| format!("a rating of {elo:.0}"));
    page.heading("Play held against a rating");
    page.paragraph(&format!(
        "What is to be expected of {rating}, and what was. z tells by how many standard deviations play was better, these \
         widened by 1.15 (mm) and 1.4 (ad) for what the model leaves out."
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
    rows.extend(opponents.map(|scores| row("the opponents, by their own ratings".to_owned(), scores)));
    page.table(&["game", "turns", "mm expected / actual", "z", "ad expected / actual", "z"], &rows);
    let z = screening.overall.z_mm.max(screening.overall.z_ad);
    page.note(&format!(
        "A z of {z:.2} or more is to be expected of {:.1} in 1,000 players by chance alone, if the model were exact. \
         Whoever looks at many players will find some that are unusual. This is no verdict, and nothing here tells why.",
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
