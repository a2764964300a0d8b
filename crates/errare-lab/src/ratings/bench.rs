//! Turns that are loaded once and asked about often, as a server does.

use super::calibrate::CalibrateResponse;
use super::input::{CalibrationInput, check_claim};
use super::mileposts::MilepostsResponse;
use super::players::PlayersResponse;
use super::report::{PlayerReport, StudyResponse};
use super::words::{LIST_COLUMNS, OWN_CALIBRATION};
use crate::error::LabError;
use crate::lab::Lab;
use crate::numbers::grouped;
use crate::pages::milepost_page;
use errare_ratings::{Calibration, Players, RatedPlayer, RatingsError, Refusal, StudyOptions, TurnSet};
use errare_work::Progress;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The data that a bench is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchRequest {
    /// The turns, with the conditions for making a calibration from them; none for a bench without turns.
    pub input: Option<CalibrationInput>,
    /// The calibration file that players are rated by; none for a calibration made from the turns. The file determines
    /// scale, model and method, and those of the input are ignored.
    pub calibration: Option<PathBuf>,
    /// The least number of turns of a player who is rated.
    pub min_turns: usize,
}

impl Default for BenchRequest {
    fn default() -> BenchRequest {
        BenchRequest { input: None, calibration: None, min_turns: StudyOptions::default().min_turns }
    }
}

/// Turns with their players and calibrations, loaded once. A bench can be shared between threads; clones share all of
/// it.
#[derive(Clone)]
pub struct RatingBench {
    lab: Lab,
    /// The calibration of a file, if one was given.
    given: Option<Arc<Calibration>>,
    /// The turns, if any were given.
    data: Option<Arc<BenchData>>,
    min_turns: usize,
}

struct BenchData {
    set: Arc<TurnSet>,
    players: Players,
    /// The calibration made from the turns' own mileposts, or why there is none.
    own: Result<Arc<Calibration>, Refusal>,
}

impl BenchData {
    fn load(
        lab: &Lab,
        input: &CalibrationInput,
        given: Option<&Calibration>,
        progress: &dyn Progress,
    ) -> Result<BenchData, LabError> {
        let scale = given.map_or_else(|| input.scale.scale(), |given| Ok(given.scale))?;
        let set = lab.turns(&input.turns, scale, progress)?;
        let players = Players::new(&set.turns, progress)?;
        let own = match given {
            Some(given) => {
                given.check(&set.turns)?;
                let made = set.calibration(given.model.clone(), given.method, progress);
                made.map(Arc::new).map_err(LabError::from)
            }
            None => lab.calibration(input, progress).map(|(_, made)| made),
        };
        let own = match own {
            Ok(made) => Ok(made),
            Err(LabError::Ratings(RatingsError::Refused(refusal))) => Err(refusal),
            Err(error) => return Err(error),
        };
        Ok(BenchData { set, players, own })
    }
}

impl Lab {
    /// Loads turns, and reads or makes the calibration that players are rated by.
    ///
    /// # Errors
    /// If a file cannot be read, the calibration does not suit the turns, or the work is cancelled. Turns that make no
    /// calibration are no error: their players can be listed.
    pub fn rating_bench(&self, request: &BenchRequest, progress: &dyn Progress) -> Result<RatingBench, LabError> {
        let read = |path: &Path| Ok::<_, LabError>(self.outside_path(path)?.calibration(path)?);
        let given = request.calibration.as_deref().map(read).transpose()?;
        let load = |input| self.install(progress, || BenchData::load(self, input, given.as_ref(), progress));
        let data = request.input.as_ref().map(load).transpose()?;
        let (given, data) = (given.map(Arc::new), data.map(Arc::new));
        Ok(RatingBench { lab: self.clone(), given, data, min_turns: request.min_turns })
    }
}

impl RatingBench {
    /// A handle on the same bench with threads of its own, so that work on it does not wait for work on the other.
    #[must_use]
    pub fn with_own_threads(&self) -> RatingBench {
        RatingBench { lab: self.lab.with_own_threads(), ..self.clone() }
    }

    /// Whether the bench has any turns.
    #[must_use]
    pub fn has_turns(&self) -> bool {
        self.data.is_some()
    }

    /// The calibration that players are rated by, with whether it was made from the turns themselves.
    ///
    /// # Errors
    /// [`LabError::NoTurns`] or [`LabError::NoCalibration`] if there is none.
    pub fn calibration(&self) -> Result<(&Calibration, bool), LabError> {
        match &self.given {
            Some(given) => Ok((given, false)),
            None => match &self.data()?.own {
                Ok(own) => Ok((own, true)),
                Err(refusal) => Err(LabError::NoCalibration(refusal.clone())),
            },
        }
    }

    /// Number of players with a name, and number of turns of players without one.
    ///
    /// # Errors
    /// [`LabError::NoTurns`] if nothing was read.
    pub fn player_counts(&self) -> Result<(usize, usize), LabError> {
        let players = &self.data()?.players;
        Ok((players.all().len(), players.nameless_turns))
    }

    /// Lists the players whose name contains a text, page by page.
    ///
    /// # Errors
    /// [`LabError::NoTurns`], or [`LabError::NoSuchPage`] if the list has fewer pages.
    pub fn players(&self, search: &str, page: usize) -> Result<PlayersResponse, LabError> {
        let data = self.data()?;
        let found = PlayersResponse::new(&data.set, data.players.search(search, page)?, self.min_turns);
        Ok(PlayersResponse { notes: self.notes_on_players()?, rated: self.calibration().is_ok(), ..found })
    }

    /// Notes on a list of players, in sentences.
    fn notes_on_players(&self) -> Result<Vec<String>, LabError> {
        let mut notes = vec![LIST_COLUMNS.to_owned()];
        match self.calibration() {
            Ok((_, is_own)) => {
                notes.extend(is_own.then(|| OWN_CALIBRATION.to_owned()));
                notes.push(format!("A rating takes {} turns: players with fewer have none.", self.min_turns));
            }
            Err(error) => notes.push(format!("Nobody can be rated: {error}.")),
        }
        let (_, nameless_turns) = self.player_counts()?;
        if nameless_turns > 0 {
            notes.push(format!("{} turns are of players without a name.", grouped(nameless_turns as u64)));
        }
        Ok(notes)
    }

    /// Finds the full name of the player whom a text names.
    ///
    /// # Errors
    /// If there are no turns, the text names nobody, or nobody can be rated for want of a calibration.
    pub fn find_player(&self, text: &str) -> Result<String, LabError> {
        let name = self.data()?.players.find(text)?.to_owned();
        self.calibration()?;
        Ok(name)
    }

    /// The names of players with enough turns for a rating, at most `count` of them, the ones with the most turns
    /// first.
    ///
    /// # Errors
    /// If there are no turns, or nobody can be rated for want of a calibration.
    pub fn players_to_rate(&self, count: usize) -> Result<Vec<String>, LabError> {
        self.calibration()?;
        let enough = self.data()?.players.all().iter().filter(|player| player.turns >= self.min_turns);
        Ok(enough.take(count).map(|player| player.name.clone()).collect())
    }

    /// The calibration of the mileposts of the turns, as `calibrate` gives it.
    ///
    /// # Errors
    /// If there are no turns, or they make no calibration.
    pub fn mileposts(&self) -> Result<CalibrateResponse, LabError> {
        let (data, own) = self.own()?;
        Ok(CalibrateResponse::new(own, &data.set))
    }

    /// The calibration of the mileposts of the turns, with the contents of the page on them.
    ///
    /// # Errors
    /// If there are no turns, or they make no calibration, or the work is cancelled.
    pub fn milepost_report(&self, progress: &dyn Progress) -> Result<MilepostsResponse, LabError> {
        let (data, own) = self.own()?;
        let page = self.lab.install(progress, || milepost_page(own, &data.set, progress))?;
        Ok(MilepostsResponse { calibration: self.mileposts()?, page: page.blocks().to_vec() })
    }

    /// Rates the player of exactly this name. Rating takes seconds, and does not depend on a claimed rating: keep the
    /// result.
    ///
    /// # Errors
    /// If there are no turns or no calibration, the player's turns are too few, or the work is cancelled.
    pub fn rate(&self, name: &str, progress: &dyn Progress) -> Result<Arc<RatedPlayer>, LabError> {
        let (data, (calibration, _)) = (self.data()?, self.calibration()?);
        self.lab.install(progress, || {
            let rated = calibration.rate_player(&data.set.turns, name, self.min_turns, progress)?;
            // Whom nobody can rate is not worth keeping.
            rated.rating.as_ref().map_err(Refusal::clone)?;
            Ok(Arc::new(rated))
        })
    }

    /// Collects the details of a rated player, with the moves compared with a rating.
    ///
    /// # Errors
    /// If the claimed rating is out of reach, or the work is cancelled.
    pub fn player(
        &self,
        rated: &Arc<RatedPlayer>,
        claimed: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<StudyResponse, LabError> {
        check_claim(claimed)?;
        let (data, (calibration, is_own)) = (self.data()?, self.calibration()?);
        self.lab.install(progress, || {
            let study = calibration.study_rated(&data.set.turns, rated, claimed.into(), progress)?;
            Ok(PlayerReport::new(calibration, &data.set, &study, is_own)?.response())
        })
    }

    fn data(&self) -> Result<&BenchData, LabError> {
        self.data.as_deref().ok_or(LabError::NoTurns)
    }

    fn own(&self) -> Result<(&BenchData, &Calibration), LabError> {
        let data = self.data()?;
        let own = data.own.as_ref().map_err(|refusal| LabError::from(refusal.clone()))?;
        Ok((data, own))
    }
}
