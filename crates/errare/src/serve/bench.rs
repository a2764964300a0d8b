//! The data that the server shows: read once, never changed.

use super::refusal::Refusal;
use anyhow::Result;
use errare_ratings::{Calibration, ChoiceModel, Method, PlayerStudy, Players, StudyOptions, TurnSet};
use errare_work::Progress;

/// The example that a bare server gives.
pub const EXAMPLE: &str = "errare serve *.jsonl.gz --engine 'Stockfish 15.1' --depth 10";

/// All data of the server.
pub struct Bench {
    /// The calibration of a file, if one was given.
    pub given: Option<Calibration>,
    /// The turns, if any were given.
    pub data: Option<Data>,
    /// Players with fewer turns get no rating.
    pub least_turns: usize,
}

/// Turns, and what follows from them.
pub struct Data {
    pub set: TurnSet,
    pub players: Players,
    /// The calibration of the mileposts, or why there is none.
    pub own: Result<Calibration, String>,
}

impl Data {
    pub fn new(set: TurnSet, model: ChoiceModel, method: Method, progress: &dyn Progress) -> Result<Data> {
        let players = Players::new(&set.turns, progress)?;
        let own = set.calibration(model, method, progress).map_err(|error| error.to_string());
        Ok(Data { set, players, own })
    }
}

impl Bench {
    pub fn data(&self) -> Result<&Data, Refusal> {
        self.data.as_ref().ok_or_else(|| {
            Refusal::not_found(format!("this server was started without turns: start it with some, as in {EXAMPLE}"))
        })
    }

    /// The calibration of the mileposts, with its turns.
    pub fn mileposts(&self) -> Result<(&Data, &Calibration), Refusal> {
        let data = self.data()?;
        let own = data.own.as_ref().map_err(|sentence| Refusal::impossible(sentence.as_str()))?;
        Ok((data, own))
    }

    /// The calibration that players are rated by: the one given, else that of the turns themselves.
    pub fn calibration(&self) -> Result<&Calibration, Refusal> {
        let own = || {
            self.data()?.own.as_ref().map_err(|sentence| {
                Refusal::impossible(format!(
                    "players are rated by a calibration: give --calibration, as the turns make none ({sentence})"
                ))
            })
        };
        self.given.as_ref().map_or_else(own, Ok)
    }

    /// The full name of the player whom a text names, if there is a calibration to rate by.
    pub fn player(&self, text: &str) -> Result<String, Refusal> {
        let name = self.data()?.players.find(text)?.to_owned();
        self.calibration()?;
        Ok(name)
    }

    /// The study of the player of exactly this name, with the calibration that it rests on.
    pub fn study(
        &self,
        name: &str,
        claimed: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<(&Data, &Calibration, PlayerStudy), Refusal> {
        let (data, calibration) = (self.data()?, self.calibration()?);
        let options = StudyOptions { claim: claimed.into(), min_turns: self.least_turns };
        let study = calibration.study(&data.set.turns, name, options, progress)?;
        Ok((data, calibration, study))
    }
}
