//! From skill to Elo: what players of known rating turn out to be like.

use crate::course::Course;
use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::fit::{Fit, Fitter, Method};
use crate::lens::Lens;
use crate::projection::Projection;
use crate::provenance::Engine;
use crate::reference::Reference;
use crate::sample::Sample;
use crate::student::half_width;
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
    /// What players of each Elo are like, by that method.
    pub course: Course,
    /// The same by likelihood, for the Bayesian reading; none if it does not rise with Elo.
    pub likely: Option<Course>,
    /// The depths of the evaluations, the main one first.
    pub depths: Vec<Option<u16>>,
    /// The reference set.
    pub reference: Reference,
}

/// A milepost on its way.
struct Fitted {
    elo: f64,
    fit: Fit,
    expected_ad: f64,
}

fn course_of(fits: &[Fitted]) -> Result<Course, RatingsError> {
    Course::through(&fits.iter().map(|found| (found.elo, found.fit.skill, found.expected_ad)).collect::<Vec<_>>())
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
        let fitted = |method: Method| -> Result<Vec<Fitted>, RatingsError> {
            let fitter = Fitter::new(lens.clone(), method);
            let fitted = samples.iter().map(|(elo, sample)| {
                let fit = fitter.fit(sample)?;
                let expected_ad = reference.expected_ad(&lens, fit.skill)?;
                Ok(Fitted { elo: *elo, fit, expected_ad })
            });
            fitted.collect()
        };
        let fits = fitted(method)?;
        let course = course_of(&fits)?;
        let likely = match method {
            Method::Likelihood => Some(course),
            _ => match course_of(&fitted(Method::Likelihood)?) {
                Ok(course) => Some(course),
                Err(RatingsError::NoTrend) => None,
                Err(error) => return Err(error),
            },
        };
        let mut mileposts = Vec::new();
        for ((_, sample), Fitted { elo, fit, expected_ad }) in samples.iter().zip(fits) {
            let c_fit = course.c_line.at(elo);
            let normalised = Fitter { fixed_c: Some(c_fit), ..Fitter::new(lens.clone(), method) }.fit(sample)?;
            mileposts.push(Milepost {
                elo,
                games: sample.games(),
                skill: fit.skill,
                se: [fit.se_s(), fit.se_c()],
                c_fit,
                s_fit: normalised.skill.s(),
                projection: fit.projection,
                quality: fit.quality,
                expected_ad,
                se_ad: fit.se_of(reference.gradient(&lens, fit.skill)?),
            });
        }
        let (engine, depths) = (turns.engine().clone(), turns.depths().to_vec());
        let scale = turns.scale();
        Ok(Calibration { engine, scale, data, lens, method, mileposts, course, likely, depths, reference })
    }

    /// Whether turns were evaluated as the mileposts were. What neither side names is not compared.
    pub fn check(&self, turns: &Turns) -> Result<(), RatingsError> {
        // Depths beyond the main one count only where they have a weight.
        let counted = self.lens.weights().len().max(1);
        let same_depths = self.depths.get(..counted).is_some_and(|own| turns.depths().get(..counted) == Some(own));
        if self.engine == *turns.engine() && self.scale == turns.scale() && (same_depths || turns.count() == 0) {
            return Ok(());
        }
        let told = |engine: &Engine, scale: Scale, depths: &[Option<u16>]| {
            let mut settings: Vec<String> = engine.settings.iter().cloned().collect();
            settings.push(format!("a = {}, cap {}", scale.a, scale.cap));
            if counted > 1 {
                let others = depths.iter().skip(1).flatten().map(u16::to_string).collect::<Vec<_>>();
                settings.push(format!(
                    "other depths: {}",
                    if others.is_empty() { "none".into() } else { others.join(", ") }
                ));
            }
            Engine { settings: Some(settings.join(", ")), ..engine.clone() }
        };
        Err(RatingsError::Calibration {
            calibration: told(&self.engine, self.scale, &self.depths),
            turns: told(turns.engine(), turns.scale(), turns.depths()),
        })
    }

    /// The Elo of an expected loss on the reference set.
    pub fn elo(&self, expected_ad: f64) -> f64 {
        self.course.elo_line.at(expected_ad)
    }

    /// The skill of a player of this Elo: c from its line, and the s that leads back to the Elo.
    pub fn skill(&self, elo: f64) -> Result<Skill, RatingsError> {
        self.course.skill(elo, &self.lens, &self.reference)
    }

    /// What mileposts scatter about the line by, in Elo, beyond what their own samples explain.
    ///
    /// Nothing tells how players of one rating differ but this: other players will be off the line as well.
    pub fn excess(&self) -> f64 {
        let line = &self.course.elo_line;
        let sampling = self.mileposts.iter().map(|milepost| (line.slope * milepost.se_ad).powi(2)).sum::<f64>();
        (line.scatter.powi(2) - sampling / self.mileposts.len().max(1) as f64).max(0.0).sqrt()
    }

    /// The standard error that the calibration itself brings into an Elo: that of the line, and the excess about it.
    pub fn se_at(&self, expected_ad: f64) -> f64 {
        self.course.elo_line.se_at(expected_ad).hypot(self.excess())
    }

    /// The same for players of an Elo.
    pub fn se_of(&self, elo: f64) -> f64 {
        let line = &self.course.elo_line;
        self.se_at((elo - line.intercept) / line.slope)
    }

    /// Half of the 95% interval of an Elo, given the standard error that the sample brings: wider than in the normal
    /// distribution, as the calibration's part rests on few mileposts (Welch and Satterthwaite's degrees of freedom).
    pub fn half_interval(&self, expected_ad: f64, se_sample: f64) -> f64 {
        let own = self.se_at(expected_ad);
        let se = own.hypot(se_sample);
        let line_freedom = self.course.elo_line.points.saturating_sub(2).max(1) as f64;
        let freedom = if own > 0.0 { line_freedom * (se / own).powi(4) } else { f64::INFINITY };
        half_width(freedom) * se
    }
}
