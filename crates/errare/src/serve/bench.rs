//! What there is on the workbench: read once, never changed.

use super::players::Players;
use super::refusal::Refusal;
use crate::fit::turns::{Loaded, Wanted};
use crate::report::player::Wish;
use anyhow::Result;
use errare_ratings::{Calibration, Lens, Method};

/// The example that a bare server gives.
pub const EXAMPLE: &str = "errare serve *.jsonl.gz --engine 'Stockfish 15.1' --depth 10";

/// What was read, if anything was.
pub struct Bench {
    /// Of a file.
    pub given: Option<Calibration>,
    pub data: Option<Data>,
    /// Fewer turns make no rating.
    pub least_turns: usize,
}

/// Turns, and what follows from them.
pub struct Data {
    pub loaded: Loaded,
    pub players: Players,
    /// The calibration that their mileposts make, or why they make none.
    pub own: Result<Calibration, String>,
}

impl Data {
    pub fn new(loaded: Loaded, lens: Lens, method: Method) -> Data {
        let players = Players::new(&loaded.turns);
        let own = loaded.calibration(lens, method).map_err(|error| error.to_string());
        Data { loaded, players, own }
    }
}

impl Bench {
    pub fn data(&self) -> Result<&Data, Refusal> {
        self.data.as_ref().ok_or_else(|| {
            Refusal::not_found(format!("this server was started without turns: start it with some, as in {EXAMPLE}"))
        })
    }

    /// What the mileposts of the turns make.
    pub fn mileposts(&self) -> Result<(&Data, &Calibration), Refusal> {
        let data = self.data()?;
        let own = data.own.as_ref().map_err(|sentence| Refusal::impossible(sentence.as_str()))?;
        Ok((data, own))
    }

    /// What players are rated by: the calibration given, else that of the turns themselves.
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

    /// What a player is rated by, if there is one of this name.
    pub fn rated(&self, name: &str) -> Result<(&Data, &Calibration), Refusal> {
        let data = self.data()?;
        if !data.players.has(name) {
            return Err(Refusal::not_found(format!("there is no turn of `{name}`")));
        }
        Ok((data, self.calibration()?))
    }

    /// What is wanted of this player.
    pub fn wish<'a>(&self, name: &'a str, claimed: Option<f64>) -> Wish<'a> {
        Wish { player: Wanted::Whole(name), claimed, least_turns: self.least_turns }
    }
}
