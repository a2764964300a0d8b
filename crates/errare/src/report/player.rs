//! `errare report player`.

use super::html::Page;
use super::pictures;
use crate::Verdict;
use crate::calibrate::file;
use crate::fit::turns::{TurnFlags, Wanted, positive};
use crate::rate::readings;
use crate::screen::{Claim, Doubt, opponents};
use anyhow::{Result, bail};
use clap::Args;
use errare_ratings::{
    Calibration, Rating, RatingTerms, Reading, Sample, Scores, Screening, Turns, Widening, upper_tail,
};
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
    /// The Bayesian reading, move after move.
    pub readings: Vec<Reading>,
    /// Play held against a rating, if one is known or claimed, and what the calibration's own error does to that.
    pub held: Option<(Screening, Doubt)>,
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
        let (claim, widening) = (Claim(wish.claimed), Widening::default());
        let held = if sample.iter().any(|turn| claim.of(turn).is_some()) {
            let screening = calibration.screen(&sample, |turn| claim.of(turn), widening)?;
            Some((screening, Doubt::new(calibration, &sample, &claim, widening)?))
        } else {
            None
        };
        let opponents = opponents(calibration, turns, wish.player, widening)?;
        let readings = readings(calibration, &sample)?;
        Ok(Study { sample, rating, readings, held, opponents })
    }
}

/// The page of a player.
pub fn page(calibration: &Calibration, turns: &Turns, wish: &Wish<'_>) -> Result<Page> {
    let Study { sample, rating, readings, held, opponents } = Study::new(calibration, turns, wish)?;
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
        &pictures::elo(calibration, Some((rating.expected_ad, rating.elo, rating.interval))),
        "The rating on the calibration line.",
    );
    page.note("An IPR tells how well these moves were chosen, not how strong a player is: openings, opponents and time have their part.");
    if let Some(last) = readings.last() {
        page.heading("The Bayesian reading");
        let (posterior, (low, high)) = (&last.posterior, last.posterior.interval(0.95));
        page.paragraph(&format!(
            "If every Elo from 600 to 3600 is as likely beforehand, these {} moves leave {:.0} (standard deviation {:.0}), 95% \
             between {low:.0} and {high:.0}: along the line that likelihood gives the mileposts, taken as it is, so that its \
             own error is not in the interval.",
            last.moves,
            posterior.mean(),
            posterior.sd()
        ));
        page.picture(&pictures::readings(&readings), "What was thought after 1, 2, 5, 10 moves and so on.");
    }
    match held {
        Some((screening, doubt)) => {
            let opponents = opponents.as_ref().map(|found| &found.overall);
            Held { screening: &screening, opponents, doubt, claim: Claim(wish.claimed) }.tell(&mut page, turns);
        }
        None => page
            .note("No game tells the player's rating, so there is nothing to hold play against unless one is claimed."),
    }
    Ok(page)
}

/// Play held against a rating.
struct Held<'a> {
    claim: Claim,
    screening: &'a Screening,
    opponents: Option<&'a Scores>,
    doubt: Doubt,
}

impl Held<'_> {
    fn tell(&self, page: &mut Page, turns: &Turns) {
        let Held { claim, screening, opponents, doubt } = self;
        let rating =
            claim.0.map_or_else(|| "the rating of each game".to_owned(), |elo| format!("a rating of {elo:.0}"));
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
        page.paragraph(&doubt.words());
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
}
