//! The options of the engine, and what they settle.

use super::character::{AgentKind, Character};
use errare_choice::{Competence, Kappa};
use errare_endgame::Strategy;
use errare_tables::Metric;
use errare_uci::server::{Declaration, Declarations, Kind, OptionError, Setting};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

const AGENTS: [(&str, AgentKind); 6] = [
    ("player", AgentKind::Player),
    ("emulator", AgentKind::Emulator),
    ("predator", AgentKind::Predator),
    ("infallible", AgentKind::Infallible),
    ("levy", AgentKind::Levy),
    ("strategy", AgentKind::Strategy),
];

const METRICS: [(&str, Metric); 5] = [
    ("dtc", Metric::Dtc),
    ("dtm", Metric::Dtm),
    ("dtz", Metric::Dtz),
    ("dtz50", Metric::DtzRule(50)),
    ("dtr", Metric::Dtr),
];

fn name_of<T: PartialEq>(known: &[(&'static str, T)], value: &T) -> &'static str {
    known.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

fn names<T>(known: &[(&'static str, T)]) -> Vec<&'static str> {
    known.iter().map(|(name, _)| *name).collect()
}

fn named<T: Copy>(known: &[(&'static str, T)], name: &str) -> Option<T> {
    known.iter().find(|(other, _)| *other == name).map(|&(_, value)| value)
}

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Choices {
    pub character: Character,
    /// 0 for one from the clock.
    pub seed: u64,
    pub tables: PathBuf,
    pub syzygy: String,
    pub fallback: String,
    /// Plies, or 0 for as many as the time allows.
    pub fallback_depth: u32,
    pub hash: usize,
    pub threads: usize,
    pub overhead: Duration,
    pub multi_pv: usize,
    pub show_wdl: bool,
    /// Taken note of, and of no consequence.
    ponder: bool,
    analyse: bool,
    opponent: String,
}

/// Why an option stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("{0}")]
    Value(String),
}

impl Choices {
    pub fn new(tables: PathBuf) -> Choices {
        Choices {
            character: Character {
                agent: AgentKind::Player,
                competence: Competence::new(20.0).unwrap_or(Competence::INFALLIBLE),
                kappa: Kappa::ONE,
                metric: Metric::Dtc,
                horizon: 0,
                hold_value: false,
                strategy: "SR3*".parse().unwrap_or(Strategy::A1),
                fifty: true,
            },
            seed: 0,
            tables,
            syzygy: String::new(),
            fallback: String::new(),
            fallback_depth: 0,
            hash: 16,
            threads: thread::available_parallelism().map_or(1, usize::from).min(256),
            overhead: Duration::from_millis(10),
            multi_pv: 1,
            show_wdl: false,
            ponder: false,
            analyse: false,
            opponent: String::new(),
        }
    }

    /// All options, as they are set now.
    pub fn declarations(&self) -> Declarations {
        let text = |text: String| Kind::Text { default: text };
        let check = |default| Kind::Check { default };
        let spin = |default: usize, min, max| Kind::Spin { default: default as i64, min, max };
        let character = &self.character;
        let agent = Kind::Combo { default: name_of(&AGENTS, &character.agent), choices: names(&AGENTS) };
        let metric = Kind::Combo { default: name_of(&METRICS, &character.metric), choices: names(&METRICS) };
        let all = vec![
            ("Agent", agent),
            ("Competence", text(character.competence.to_string())),
            ("Kappa", text(character.kappa.to_string())),
            ("Metric", metric),
            ("Horizon", spin(character.horizon.into(), 0, 1000)),
            ("Hold Value", check(character.hold_value)),
            ("Strategy", text(character.strategy.to_string())),
            ("Seed", spin(self.seed as usize, 0, i64::from(i32::MAX))),
            ("Tables", text(self.tables.display().to_string())),
            ("SyzygyPath", text(self.syzygy.clone())),
            ("Syzygy50MoveRule", check(character.fifty)),
            ("Fallback Engine", text(self.fallback.clone())),
            ("Fallback Depth", spin(self.fallback_depth as usize, 0, 100)),
            ("Hash", spin(self.hash, 1, 1024)),
            ("Clear Hash", Kind::Button),
            ("Threads", spin(self.threads, 1, 256)),
            ("Move Overhead", spin(self.overhead.as_millis() as usize, 0, 5000)),
            ("MultiPV", spin(self.multi_pv, 1, 500)),
            ("Ponder", check(self.ponder)),
            ("UCI_ShowWDL", check(self.show_wdl)),
            ("UCI_AnalyseMode", check(self.analyse)),
            ("UCI_Opponent", text(self.opponent.clone())),
        ];
        Declarations(all.into_iter().map(|(name, kind)| Declaration::new(name, kind)).collect())
    }

    /// Sets an option; one that is refused stays as it was. Tells which it was.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<&'static str, ChoiceError> {
        let (name, setting) = self.declarations().set(name, value)?;
        match setting {
            Setting::Check(on) => self.set_check(name, on),
            Setting::Spin(number) => self.set_spin(name, number),
            Setting::Choice(choice) => self.set_choice(name, choice),
            Setting::Text(text) => self.set_text(name, text)?,
            Setting::Pressed => {}
        }
        Ok(name)
    }

    fn set_check(&mut self, name: &str, on: bool) {
        match name {
            "Hold Value" => self.character.hold_value = on,
            "Syzygy50MoveRule" => self.character.fifty = on,
            "Ponder" => self.ponder = on,
            "UCI_ShowWDL" => self.show_wdl = on,
            "UCI_AnalyseMode" => self.analyse = on,
            _ => {}
        }
    }

    fn set_spin(&mut self, name: &str, number: i64) {
        // Bounds that were checked fit everywhere.
        let number = number.unsigned_abs();
        match name {
            "Horizon" => self.character.horizon = number as u16,
            "Seed" => self.seed = number,
            "Fallback Depth" => self.fallback_depth = number as u32,
            "Hash" => self.hash = number as usize,
            "Threads" => self.threads = number as usize,
            "Move Overhead" => self.overhead = Duration::from_millis(number),
            "MultiPV" => self.multi_pv = number as usize,
            _ => {}
        }
    }

    fn set_choice(&mut self, name: &str, choice: &str) {
        match name {
            "Agent" => self.character.agent = named(&AGENTS, choice).unwrap_or(self.character.agent),
            "Metric" => self.character.metric = named(&METRICS, choice).unwrap_or(self.character.metric),
            _ => {}
        }
    }

    fn set_text(&mut self, name: &str, text: String) -> Result<(), ChoiceError> {
        match name {
            "Competence" => self.character.competence = read(&text)?,
            "Kappa" => self.character.kappa = read(&text)?,
            "Strategy" => self.character.strategy = read(&text)?,
            "Tables" if text.is_empty() => return Err(ChoiceError::Value("tables need a folder".to_owned())),
            "Tables" => self.tables = text.into(),
            "SyzygyPath" => self.syzygy = text,
            "Fallback Engine" => self.fallback = text,
            "UCI_Opponent" => self.opponent = text,
            _ => {}
        }
        Ok(())
    }
}

fn read<T: FromStr<Err: ToString>>(text: &str) -> Result<T, ChoiceError> {
    text.parse().map_err(|error: T::Err| ChoiceError::Value(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Choices {
        Choices::new("/tables".into())
    }

    /// Another value for an option, and it as declared afterwards.
    fn other(kind: &Kind) -> (String, Kind) {
        match kind.clone() {
            Kind::Check { default } => ((!default).to_string(), Kind::Check { default: !default }),
            Kind::Spin { min, max, default } => {
                let other = if default == max { min } else { max };
                (other.to_string(), Kind::Spin { default: other, min, max })
            }
            Kind::Combo { choices, .. } => {
                let last = choices[choices.len() - 1];
                (last.to_owned(), Kind::Combo { default: last, choices })
            }
            Kind::Text { .. } => ("7".to_owned(), Kind::Text { default: "7".to_owned() }),
            Kind::Button => (String::new(), Kind::Button),
        }
    }

    #[test]
    fn every_option_that_is_declared_can_be_set() {
        for Declaration { name, kind } in choices().declarations().0 {
            let (value, expected) = match name {
                "Strategy" => ("SZ".to_owned(), Kind::Text { default: "SZ".to_owned() }),
                _ => other(&kind),
            };
            let mut choices = choices();
            assert_eq!(choices.set(name, Some(&value)), Ok(name));
            assert_eq!(choices.declarations().find(name).map(|found| &found.kind), Some(&expected), "{name}");
        }
    }

    #[test]
    fn what_is_refused_leaves_things_as_they_were() {
        let mut choices = choices();
        for (name, value) in [("Competence", "much"), ("Kappa", "0"), ("Strategy", "Q"), ("Tables", ""), ("Hash", "0")]
        {
            assert!(choices.set(name, Some(value)).is_err(), "{name}");
        }
        assert_eq!(choices.declarations(), self::choices().declarations());
        assert_eq!(choices.set("competence", Some("-inf")), Ok("Competence"));
        assert_eq!(choices.character.competence, Competence::ANTI_INFALLIBLE);
    }
}
