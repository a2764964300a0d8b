//! Calibrations: the map between skill and Elo, made from players of known rating.

use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::evaluation::Scale;
use crate::fit::{Fit, Fitter, Method};
use crate::joint::JointFit;
use crate::milepost::Milepost;
use crate::periods::hundred_of;
use crate::progress::Part;
use crate::provenance::Engine;
use crate::reference::Reference;
use crate::reliability::ENOUGH_GAMES;
use crate::sample::Sample;
use crate::skill_curve::SkillCurve;
use crate::student::half_width;
use crate::turns::{Turn, Turns};
use errare_choice::Skill;
use errare_work::Progress;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A map between skill and Elo, valid for one engine at one depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The engine that made the evaluations.
    pub engine: Engine,
    /// The scale by which evaluations were turned into losses.
    pub scale: Scale,
    /// A description of the games that the calibration was made from.
    pub data: String,
    /// The model of how players choose.
    pub model: ChoiceModel,
    /// The method by which the skills of mileposts were fitted.
    pub method: Method,
    /// The players of known rating that the calibration rests on, by rising Elo.
    pub mileposts: Vec<Milepost>,
    /// Skill as a function of Elo, fitted by `method`.
    pub skill_curve: SkillCurve,
    /// Skill as a function of Elo, fitted by likelihood, for posteriors; none if that does not rise with Elo.
    pub likelihood_curve: Option<SkillCurve>,
    /// The depths of the evaluations, the main one first.
    pub depths: Vec<Option<u16>>,
    /// The positions on which skills are compared.
    pub reference: Reference,
    /// Skill as a smooth function of Elo, fitted to all turns of players of known Elo at once; none if these are too few.
    pub joint: Option<JointFit>,
}

/// A milepost with its first fit.
struct FittedMilepost {
    elo: f64,
    fit: Fit,
    reference_ad: f64,
}

fn curve_through(fits: &[FittedMilepost]) -> Result<SkillCurve, RatingsError> {
    SkillCurve::through(&fits.iter().map(|found| (found.elo, found.fit.skill, found.reference_ad)).collect::<Vec<_>>())
}

/// The least number of turns of a milepost.
const MIN_MILEPOST_TURNS: usize = 50;

/// The greatest number of turns of a reference set: more would change a rating by less than a point.
const REFERENCE_TURNS: usize = 400;

/// Collects the turns of each milepost, by rising Elo.
pub(crate) fn mileposts(sample: &Sample, progress: &dyn Progress) -> Result<Vec<(f64, Sample)>, RatingsError> {
    let are_named = sample.iter().any(|turn| turn.game().milepost.is_some());
    let mut found: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for turn in sample.iter() {
        progress.proceed()?;
        let milepost = if are_named { turn.game().milepost } else { hundred_of(turn) };
        if let Some(elo) = milepost {
            found.entry(elo).or_default().push(turn.index());
        }
    }
    Ok(found.into_iter().map(|(elo, turns)| (f64::from(elo), Sample::listed(sample.source(), turns))).collect())
}

impl Calibration {
    /// Fits one model of skill over Elo to all turns of players of known Elo, fits every milepost of the turns, and
    /// draws the map through the mileposts.
    ///
    /// Mileposts are those that the games name; if none does, players to the nearest hundred of their Elo. Those of fewer
    /// than ten games or 50 turns are passed over if three others remain.
    ///
    /// # Errors
    /// A [`Refusal`] if there are fewer than three mileposts, one of them has fewer than 50 turns, or expected losses do
    /// not fall as Elo rises; [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn new(
        turns: &Arc<Turns>,
        model: ChoiceModel,
        method: Method,
        data: String,
        progress: &dyn Progress,
    ) -> Result<Calibration, RatingsError> {
        let sample = Sample::all(turns);
        let joint = match JointFit::new(&sample, &model, progress) {
            Ok(joint) => Some(joint),
            Err(RatingsError::Refused(Refusal::TooFewElos { .. } | Refusal::NoTrend)) => None,
            Err(error) => return Err(error),
        };
        Ok(Calibration { joint, ..Calibration::by_mileposts(&sample, model, method, data, progress)? })
    }

    /// Fits every milepost of a sample, and draws the map through them; there is no joint model.
    pub(crate) fn by_mileposts(
        sample: &Sample,
        model: ChoiceModel,
        method: Method,
        data: String,
        progress: &dyn Progress,
    ) -> Result<Calibration, RatingsError> {
        let turns = sample.source();
        let mut samples = mileposts(sample, progress)?;
        // A line gives every milepost the same weight: those of few games or turns would bend it.
        for min_games in [ENOUGH_GAMES, 1] {
            let is_large =
                |(_, sample): &(f64, Sample)| sample.count() >= MIN_MILEPOST_TURNS && sample.games() >= min_games;
            if samples.iter().filter(|found| is_large(found)).count() >= 3 {
                samples.retain(is_large);
                break;
            }
        }
        if samples.len() < 3 {
            return Err(Refusal::TooFewMileposts { mileposts: samples.len() }.into());
        }
        if let Some((elo, small)) = samples.iter().find(|(_, sample)| sample.count() < MIN_MILEPOST_TURNS) {
            let (elo, turns) = (*elo, small.count());
            return Err(Refusal::SmallMilepost { elo, turns, min: MIN_MILEPOST_TURNS }.into());
        }
        let listed = samples.iter().flat_map(|(_, sample)| sample.iter().map(Turn::index));
        let reference = Reference::new(&Sample::listed(turns, listed), REFERENCE_TURNS);
        let parts = samples.len() * if method == Method::Likelihood { 2 } else { 3 };
        let mut part = 0;
        let mut fit = |fitter: &Fitter, elo: f64, sample: &Sample| {
            part += 1;
            let activity = format!("fitting {elo} by {}", fitter.method);
            fitter.fit(sample, &Part::of_plan(progress, activity, part, parts))
        };
        let mut fit_all = |method: Method| -> Result<Vec<FittedMilepost>, RatingsError> {
            let fitter = Fitter::new(model.clone(), method);
            let fitted = samples.iter().map(|(elo, sample)| {
                let fit = fit(&fitter, *elo, sample)?;
                let reference_ad = reference.expected_ad(&model, fit.skill)?;
                Ok(FittedMilepost { elo: *elo, fit, reference_ad })
            });
            fitted.collect()
        };
        let fits = fit_all(method)?;
        let skill_curve = curve_through(&fits)?;
        let likelihood_curve = match method {
            Method::Likelihood => Some(skill_curve),
            _ => match curve_through(&fit_all(Method::Likelihood)?) {
                Ok(curve) => Some(curve),
                Err(RatingsError::Refused(Refusal::NoTrend)) => None,
                Err(error) => return Err(error),
            },
        };
        let mut mileposts = Vec::new();
        for ((_, sample), FittedMilepost { elo, fit: free, reference_ad }) in samples.iter().zip(fits) {
            let c_fit = skill_curve.c_line.at(elo);
            let fixed = Fitter { fixed_c: Some(c_fit), ..Fitter::new(model.clone(), method) };
            mileposts.push(Milepost {
                elo,
                games: sample.games(),
                skill: free.skill,
                se: [free.se_s(), free.se_c()],
                c_fit,
                s_fit: fit(&fixed, elo, sample)?.skill.s(),
                projection: free.projection,
                quality: free.quality,
                reference_ad,
                se_reference_ad: free.se_of(reference.gradient(&model, free.skill)?),
            });
        }
        Ok(Calibration {
            engine: turns.engine().clone(),
            scale: turns.scale(),
            data,
            model,
            method,
            mileposts,
            skill_curve,
            likelihood_curve,
            depths: turns.depths().to_vec(),
            reference,
            joint: None,
        })
    }

    /// Checks that turns were evaluated as the mileposts were. Fields that neither side names are not compared.
    ///
    /// # Errors
    /// [`Refusal::EngineMismatch`] if they were not.
    pub fn check(&self, turns: &Turns) -> Result<(), Refusal> {
        // Depths beyond the main one count only where they have a weight.
        let counted = self.model.weights().len().max(1);
        let same_depths = self.depths.get(..counted).is_some_and(|own| turns.depths().get(..counted) == Some(own));
        if self.engine == *turns.engine() && self.scale == turns.scale() && (same_depths || turns.count() == 0) {
            return Ok(());
        }
        let described = |engine: &Engine, scale: Scale, depths: &[Option<u16>]| {
            let mut settings: Vec<String> = engine.settings.iter().cloned().collect();
            settings.push(format!("a = {}, cap {}", scale.a, scale.cap));
            if counted > 1 {
                let others = depths.iter().skip(1).flatten().map(u16::to_string).collect::<Vec<_>>();
                settings.push(format!(
                    "other depths: {}",
                    if others.is_empty() { "none".into() } else { others.join(", ") }
                ));
            }
            Box::new(Engine { settings: Some(settings.join(", ")), ..engine.clone() })
        };
        Err(Refusal::EngineMismatch {
            calibration: described(&self.engine, self.scale, &self.depths),
            turns: described(turns.engine(), turns.scale(), turns.depths()),
        })
    }

    /// The Elo that belongs to an expected loss on the reference set, by the line through the mileposts.
    pub fn elo(&self, reference_ad: f64) -> f64 {
        self.skill_curve.elo_line.at(reference_ad)
    }

    /// The skill of a player of this Elo: c from its line, and the s that leads back to the Elo.
    ///
    /// # Errors
    /// [`Refusal::OutsideRange`] if no skill on the curve has this Elo; [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn skill(&self, elo: f64, progress: &dyn Progress) -> Result<Skill, RatingsError> {
        self.skill_curve.skill(elo, &self.model, &self.reference, progress)
    }

    /// The standard deviation of mileposts about the line, in Elo, beyond what their own samples explain.
    ///
    /// This alone shows how players of one rating differ: other players will be off the line as well.
    pub fn excess(&self) -> f64 {
        let line = &self.skill_curve.elo_line;
        let sampling =
            self.mileposts.iter().map(|milepost| (line.slope * milepost.se_reference_ad).powi(2)).sum::<f64>();
        (line.scatter.powi(2) - sampling / self.mileposts.len().max(1) as f64).max(0.0).sqrt()
    }

    /// The standard error that the line through the mileposts adds to an Elo: that of the line itself, and the excess
    /// of mileposts about it.
    pub fn se_at(&self, reference_ad: f64) -> f64 {
        self.skill_curve.elo_line.se_at(reference_ad).hypot(self.excess())
    }

    /// The standard error that the calibration itself adds for players of an Elo.
    pub fn se_of(&self, elo: f64) -> f64 {
        if let Some(joint) = &self.joint {
            return joint.precision_at(elo).calibration_se.hypot(joint.clusters.player_scatter);
        }
        let line = &self.skill_curve.elo_line;
        self.se_at((elo - line.intercept) / line.slope)
    }

    /// Half of the 95% interval of an Elo, given the standard error that the sample brings.
    ///
    /// It is wider than with the normal distribution, as the calibration's part rests on few mileposts (Welch and
    /// Satterthwaite's degrees of freedom).
    pub fn half_interval(&self, reference_ad: f64, se_sample: f64) -> f64 {
        let own = self.se_at(reference_ad);
        let se = own.hypot(se_sample);
        let line_freedom = self.skill_curve.elo_line.points.saturating_sub(2).max(1) as f64;
        let freedom = if own > 0.0 { line_freedom * (se / own).powi(4) } else { f64::INFINITY };
        half_width(freedom) * se
    }
}
