//! The output of `errare fit`.

use super::turns::summary;
use crate::output::{Format, Grid, Output};
use anyhow::Result;
use errare_ratings::{Bootstrap, Engine, GroupFit, LeftOut, Scale, ScaleFit, TurnSet};
use serde::Serialize;

pub struct Report<'a> {
    pub set: &'a TurnSet,
    pub fits: &'a [GroupFit],
    pub estimate: Option<ScaleFit>,
    pub wanted_estimate: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    data: &'a str,
    engine: &'a Engine,
    scale: Scale,
    left_out: LeftOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale_estimate: Option<ScaleFit>,
    fits: Vec<FitShape<'a>>,
}

#[derive(Serialize)]
struct FitShape<'a> {
    group: &'a str,
    games: usize,
    turns: usize,
    method: &'static str,
    model: &'static str,
    curve: &'static str,
    s: f64,
    se_s: f64,
    c: f64,
    se_c: f64,
    covariance: [[f64; 2]; 2],
    settled: bool,
    mm: f64,
    mm_expected: f64,
    mm_sd: f64,
    ad: f64,
    ad_expected: f64,
    ad_sd: f64,
    q_fit: f64,
    log_likelihood: f64,
    percentiles: &'a [(f64, f64)],
    #[serde(skip_serializing_if = "Option::is_none")]
    bootstrap: Option<BootstrapShape>,
}

#[derive(Serialize)]
struct BootstrapShape {
    draws: usize,
    failed: usize,
    seed: u64,
    se_s: f64,
    se_c: f64,
    s_interval: Option<(f64, f64)>,
    c_interval: Option<(f64, f64)>,
}

/// The share of draws that an interval contains.
const SHARE: f64 = 0.95;

impl BootstrapShape {
    fn new(drawn: &Bootstrap) -> BootstrapShape {
        BootstrapShape {
            draws: drawn.skills.len() + drawn.failed,
            failed: drawn.failed,
            seed: drawn.seed,
            se_s: drawn.sd(|skill| skill.s()),
            se_c: drawn.sd(|skill| skill.c()),
            s_interval: drawn.interval(SHARE, |skill| skill.s()),
            c_interval: drawn.interval(SHARE, |skill| skill.c()),
        }
    }
}

impl<'a> FitShape<'a> {
    fn new(fitted: &'a GroupFit) -> FitShape<'a> {
        let (fit, projection) = (&fitted.fit, &fitted.fit.projection);
        FitShape {
            group: &fitted.group,
            games: fitted.games,
            turns: projection.turns,
            method: fit.method.name(),
            model: fit.formula.relation.name(),
            curve: fit.formula.curve.name(),
            s: fit.skill.s(),
            se_s: fit.se_s(),
            c: fit.skill.c(),
            se_c: fit.se_c(),
            covariance: fit.covariance,
            settled: fit.is_settled,
            mm: projection.mm,
            mm_expected: projection.expected_mm,
            mm_sd: projection.sd_mm,
            ad: projection.ad,
            ad_expected: projection.expected_ad,
            ad_sd: projection.sd_ad,
            q_fit: fit.quality,
            log_likelihood: fit.log_likelihood,
            percentiles: &fit.percentiles,
            bootstrap: fitted.drawn.as_ref().map(BootstrapShape::new),
        }
    }
}

impl Report<'_> {
    pub fn write(&self, format: Format, with_percentiles: bool) -> Result<()> {
        let mut output = Output::stdout();
        match format {
            Format::Json => output.json(&self.answer())?,
            Format::Csv => output.csv(&self.grid(true))?,
            Format::Table => {
                output.line(&summary(self.set))?;
                if self.wanted_estimate {
                    output.line(&self.estimate.map_or_else(
                        || "no scale correction makes the mean loss independent of the evaluation".to_owned(),
                        |found| format!("scale correction estimated: a = {:.3} (se {:.3})", found.a, found.se),
                    ))?;
                }
                output.line("")?;
                output.grid(&self.grid(false))?;
                if with_percentiles {
                    output.line("")?;
                    output.grid(&self.percentiles())?;
                }
            }
        }
        Ok(())
    }

    fn answer(&self) -> Answer<'_> {
        let turns = &self.set.turns;
        Answer {
            data: &self.set.data,
            engine: turns.engine(),
            scale: turns.scale(),
            left_out: self.set.left_out,
            scale_estimate: self.estimate,
            fits: self.fits.iter().map(FitShape::new).collect(),
        }
    }

    /// One row per fit, with numbers rounded unless they are to be exact.
    fn grid(&self, exact: bool) -> Grid {
        let mut header = vec!["group", "games", "turns", "method", "model", "curve", "s", "se_s", "c", "se_c"];
        header.extend(["mm_expected", "mm", "ad_expected", "ad", "q_fit", "log_likelihood", "settled"]);
        let is_drawn = self.fits.iter().any(|fitted| fitted.drawn.is_some());
        if is_drawn {
            header.extend(["s 95%", "c 95%"]);
        }
        let mut grid = Grid::new(&header);
        let number = |value: f64, digits: usize| if exact { value.to_string() } else { format!("{value:.digits$}") };
        for fitted in self.fits {
            let shape = FitShape::new(fitted);
            let mut row = vec![shape.group.to_owned(), shape.games.to_string(), shape.turns.to_string()];
            row.extend([shape.method, shape.model, shape.curve].map(str::to_owned));
            row.extend([shape.s, shape.se_s, shape.c, shape.se_c].map(|value| number(value, 4)));
            row.extend([shape.mm_expected, shape.mm, shape.ad_expected, shape.ad].map(|value| number(value, 4)));
            row.extend([number(shape.q_fit, 5), number(shape.log_likelihood, 1)]);
            row.push(if shape.settled { "yes" } else { "no" }.to_owned());
            if is_drawn {
                let text = |interval: Option<(f64, f64)>| {
                    interval
                        .map_or_else(String::new, |(low, high)| format!("{} to {}", number(low, 4), number(high, 4)))
                };
                let drawn = shape.bootstrap.as_ref();
                row.push(text(drawn.and_then(|drawn| drawn.s_interval)));
                row.push(text(drawn.and_then(|drawn| drawn.c_interval)));
            }
            grid.push(row);
        }
        grid
    }

    fn percentiles(&self) -> Grid {
        let name = |fitted: &GroupFit| format!("{} {} {}", fitted.group, fitted.fit.method, fitted.fit.formula);
        let mut grid = Grid::with_columns(["q".to_owned()].into_iter().chain(self.fits.iter().map(name)).collect());
        let steps = self.fits.first().map_or(0, |fitted| fitted.fit.percentiles.len());
        for step in 0..steps {
            let q = format!("{:.2}", self.fits[0].fit.percentiles[step].0);
            let found = self.fits.iter().map(|fitted| format!("{:.4}", fitted.fit.percentiles[step].1));
            grid.push([q].into_iter().chain(found));
        }
        grid
    }
}
