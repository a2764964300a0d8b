//! From skill to Elo: what players of known rating turn out to be like.

use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::fit::{Fit, Fitter, Method};
use crate::lens::Lens;
use crate::line::Line;
use crate::projection::Projection;
use crate::provenance::Engine;
use crate::reference::Reference;
use crate::sample::Sample;
use crate::turns::Turns;
use errare_choice::Skill;
use std::collections::BTreeSet;

/// Players near one Elo, and what was fitted to them: a row of the paper's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Milepost {
    /// Their Elo.
    pub elo: f64,
    /// How many games.
    pub games: usize,
    /// s and c.
    pub skill: Skill,
    /// Standard errors of s and c.
    pub se: [f64; 2],
    /// c on the line through all mileposts.
    pub c_fit: f64,
    /// s fitted anew with that c.
    pub s_fit: f64,
    /// Predicted and actual mm and ad, with s and c.
    pub projection: Projection,
    /// Q_fit.
    pub quality: f64,
    /// The expected loss on the reference set.
    pub expected_ad: f64,
    /// Its standard error.
    pub se_ad: f64,
}

/// A map between skill and Elo, good for one engine at one depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// What made the evaluations.
    pub engine: Engine,
    /// How they were corrected.
    pub scale: Scale,
    /// Which games, in words.
    pub data: String,
    /// What players are thought to look at.
    pub lens: Lens,
    /// How skills were fitted.
    pub method: Method,
    /// What it rests on.
    pub mileposts: Vec<Milepost>,
    /// c over Elo.
    pub c_line: Line,
    /// Elo over the expected loss on the reference set.
    pub elo_line: Line,
    /// The reference set.
    pub reference: Reference,
}

/// Turns of a reference set: more would change a rating by less than a point.
const REFERENCE: usize = 400;

impl Calibration {
    /// Fits every milepost of the turns.
    pub fn new(turns: &Turns, lens: Lens, method: Method, data: String) -> Result<Calibration, RatingsError> {
        let elos: BTreeSet<u16> = turns.games().iter().filter_map(|game| game.milepost).collect();
        if elos.len() < 3 {
            return Err(RatingsError::Mileposts(elos.len()));
        }
        let near = |elo: u16| Sample::new(turns, move |turn| turn.game().milepost == Some(elo));
        let samples: Vec<(f64, Sample<'_>)> = elos.iter().map(|&elo| (f64::from(elo), near(elo))).collect();
        let reference = Reference::new(&Sample::new(turns, |turn| turn.game().milepost.is_some()), REFERENCE);
        let fitter = Fitter::new(lens.clone(), method);
        let fits: Vec<Fit> = samples.iter().map(|(_, sample)| fitter.fit(sample)).collect::<Result<_, _>>()?;
        let over_elo = |value: fn(&Fit) -> f64| -> Vec<(f64, f64)> {
            samples.iter().zip(&fits).map(|((elo, _), fit)| (*elo, value(fit))).collect()
        };
        let count = fits.len();
        let c_line = Line::through(&over_elo(|fit| fit.skill.c())).ok_or(RatingsError::Mileposts(count))?;
        let mut mileposts = Vec::new();
        for ((elo, sample), fit) in samples.iter().zip(&fits) {
            let c_fit = c_line.at(*elo);
            let normalised = Fitter { fixed_c: Some(c_fit), ..fitter.clone() }.fit(sample)?;
            mileposts.push(Milepost {
                elo: *elo,
                games: sample.games(),
                skill: fit.skill,
                se: [fit.se_s(), fit.se_c()],
                c_fit,
                s_fit: normalised.skill.s(),
                projection: fit.projection,
                quality: fit.quality,
                expected_ad: reference.expected_ad(&lens, fit.skill)?,
                se_ad: fit.se_of(reference.gradient(&lens, fit.skill)?),
            });
        }
        let by_loss: Vec<(f64, f64)> = mileposts.iter().map(|milepost| (milepost.expected_ad, milepost.elo)).collect();
        let elo_line = Line::through(&by_loss).ok_or(RatingsError::Mileposts(count))?;
        if elo_line.slope >= 0.0 {
            return Err(RatingsError::NoTrend);
        }
        let engine = turns.engine().clone();
        Ok(Calibration { engine, scale: turns.scale(), data, lens, method, mileposts, c_line, elo_line, reference })
    }

    /// Whether turns were evaluated as the mileposts were. What neither side names is not compared.
    pub fn check(&self, turns: &Turns) -> Result<(), RatingsError> {
        let same = self.engine == *turns.engine() && self.scale == turns.scale();
        if same && self.lens.weights().len() <= turns.depths().len() {
            return Ok(());
        }
        let told = |engine: &Engine, scale: Scale| {
            let settings = engine.settings.iter().cloned().chain([format!("a = {}, cap {}", scale.a, scale.cap)]);
            Engine { settings: Some(settings.collect::<Vec<_>>().join(", ")), ..engine.clone() }
        };
        Err(RatingsError::Calibration {
            calibration: told(&self.engine, self.scale),
            turns: told(turns.engine(), turns.scale()),
        })
    }

    /// The Elo of an expected loss on the reference set.
    pub fn elo(&self, expected_ad: f64) -> f64 {
        self.elo_line.at(expected_ad)
    }

    /// The skill of a player of this Elo: c from its line, and the s that leads back to the Elo.
    pub fn skill(&self, elo: f64) -> Result<Skill, RatingsError> {
        let c = self.c_line.at(elo);
        let expected_ad = (elo - self.elo_line.intercept) / self.elo_line.slope;
        if !(c > 0.05 && expected_ad > 0.0) {
            return Err(RatingsError::Beyond(elo));
        }
        let s = self.reference.sensitivity(&self.lens, c, expected_ad)?.ok_or(RatingsError::Beyond(elo))?;
        Ok(Skill::new(s, c)?)
    }
}
