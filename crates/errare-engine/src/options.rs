//! The options of the engine, and their values.

use crate::elo_advice::EloAdvice;
use crate::play_settings::PlaySettings;
use errare_endgame::{AgentInfo, AgentSpec};
use errare_tables::Metric;
use errare_uci::server::{Declaration, Declarations, Kind, OptionError, Setting};
use std::path::PathBuf;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// The values of all options.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    pub play: PlaySettings,
    /// The seed of the first game; 0 for one from the clock.
    pub seed: u64,
    /// The folder of our tables.
    pub tables: PathBuf,
    /// The folders of Syzygy tables, separated as in PATH.
    pub syzygy: String,
    /// The command of an engine that evaluates moves where there are no tables; empty for none.
    pub fallback: String,
    /// The depth to which the fallback engine searches, in plies; 0 for as deep as time allows.
    pub fallback_depth: u32,
    /// Size of the transposition table in megabytes.
    pub hash: usize,
    pub threads: usize,
    pub overhead: Duration,
    pub multi_pv: usize,
    pub show_wdl: bool,
    /// Whether people of an Elo begin games with openings of real games.
    pub own_book: bool,
    // Accepted because chess programs set them; nothing depends on them.
    ponder: bool,
    analyse: bool,
    opponent: String,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetOptionError {
    /// The option does not exist, or its kind does not take the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The option cannot have this value.
    #[error("{0}")]
    Value(String),
    /// The option is declared as one kind and set as another.
    #[error("internal error (a bug in errare): the option {0} is declared as another kind than it is set as")]
    Mismatch(&'static str),
}

/// The consequence of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Nothing,
    /// Games begin with the seed that was set.
    Reseed,
    /// The transposition table is forgotten.
    ClearHash,
    /// Tables or engines that take a while to open are opened ahead of the next `go`.
    Prepare,
}

/// An option: how it is declared, and how it is set.
struct EngineOption {
    name: &'static str,
    kind: fn(&EngineOptions) -> Kind,
    set: fn(&mut EngineOptions, Value) -> Result<(), SetOptionError>,
    effect: Effect,
}

/// Every option, in the order in which they are declared.
const OPTIONS: [EngineOption; 25] = [
    option(
        "Agent",
        |options| combo(AgentInfo::of(options.play.agent).name, AgentSpec::LIST.iter().map(|info| info.name)),
        |options, value| value.one_of(AgentSpec::LIST, |info| info.name).map(|info| options.play.agent = info.kind),
    ),
    option(
        "Competence",
        |options| text(&options.play.competence),
        |options, value| value.parsed().map(|competence| options.play.competence = competence),
    ),
    option(
        "Kappa",
        |options| text(&options.play.kappa),
        |options, value| value.parsed().map(|kappa| options.play.kappa = kappa),
    ),
    option(
        "Metric",
        |options| combo(options.play.metric, Metric::ALL),
        |options, value| value.one_of(Metric::ALL, |metric| metric).map(|metric| options.play.metric = metric),
    ),
    option(
        "Horizon",
        |options| spin(options.play.horizon.into(), 0, 1000),
        |options, value| value.number().map(|moves| options.play.horizon = moves),
    ),
    option(
        "Hold Value",
        |options| check(options.play.hold_value),
        |options, value| value.check().map(|on| options.play.hold_value = on),
    ),
    option(
        "Strategy",
        |options| text(&options.play.strategy),
        |options, value| value.parsed().map(|strategy| options.play.strategy = strategy),
    ),
    option(
        "Seed",
        |options| spin(options.seed as usize, 0, i64::from(i32::MAX)),
        |options, value| value.number().map(|seed| options.seed = seed),
    )
    .with(Effect::Reseed),
    option(
        "Tables",
        |options| text(&options.tables.display()),
        |options, value| match value.text()? {
            empty if empty.is_empty() => Err(SetOptionError::Value("the option Tables needs a folder".to_owned())),
            folder => {
                options.tables = folder.into();
                Ok(())
            }
        },
    ),
    option(
        "SyzygyPath",
        |options| text(&options.syzygy),
        |options, value| value.text().map(|folders| options.syzygy = folders),
    )
    .with(Effect::Prepare),
    option(
        "Syzygy50MoveRule",
        |options| check(options.play.fifty),
        |options, value| value.check().map(|on| options.play.fifty = on),
    ),
    option(
        "Fallback Engine",
        |options| text(&options.fallback),
        |options, value| value.text().map(|command| options.fallback = command),
    )
    .with(Effect::Prepare),
    option(
        "Fallback Depth",
        |options| spin(options.fallback_depth as usize, 0, 100),
        |options, value| value.number().map(|plies| options.fallback_depth = plies),
    ),
    option(
        "Hash",
        |options| spin(options.hash, 1, 1024),
        |options, value| value.number().map(|megabytes| options.hash = megabytes),
    ),
    option("Clear Hash", |_| Kind::Button, |_, value| value.pressed()).with(Effect::ClearHash),
    option(
        "Threads",
        |options| spin(options.threads, 1, MAX_THREADS as i64),
        |options, value| value.number().map(|threads| options.threads = threads),
    ),
    option(
        "Move Overhead",
        |options| spin(options.overhead.as_millis() as usize, 0, 5000),
        |options, value| value.number().map(|millis| options.overhead = Duration::from_millis(millis)),
    ),
    option(
        "MultiPV",
        |options| spin(options.multi_pv, 1, 500),
        |options, value| value.number().map(|lines| options.multi_pv = lines),
    ),
    option("Ponder", |options| check(options.ponder), |options, value| value.check().map(|on| options.ponder = on)),
    option(
        "UCI_LimitStrength",
        |options| check(options.play.limit_strength),
        |options, value| value.check().map(|on| options.play.limit_strength = on),
    ),
    option(
        "UCI_Elo",
        |options| {
            let range = EloAdvice::range();
            spin(options.play.elo.into(), (*range.start()).into(), (*range.end()).into())
        },
        |options, value| value.number().map(|elo| options.play.elo = elo),
    ),
    option(
        "OwnBook",
        |options| check(options.own_book),
        |options, value| value.check().map(|on| options.own_book = on),
    ),
    option(
        "UCI_ShowWDL",
        |options| check(options.show_wdl),
        |options, value| value.check().map(|on| options.show_wdl = on),
    ),
    option(
        "UCI_AnalyseMode",
        |options| check(options.analyse),
        |options, value| value.check().map(|on| options.analyse = on),
    ),
    option(
        "UCI_Opponent",
        |options| text(&options.opponent),
        |options, value| value.text().map(|name| options.opponent = name),
    ),
];

/// The most threads that can be set.
const MAX_THREADS: usize = 256;

const fn option(
    name: &'static str,
    kind: fn(&EngineOptions) -> Kind,
    set: fn(&mut EngineOptions, Value) -> Result<(), SetOptionError>,
) -> EngineOption {
    EngineOption { name, kind, set, effect: Effect::Nothing }
}

impl EngineOption {
    const fn with(self, effect: Effect) -> EngineOption {
        EngineOption { effect, ..self }
    }
}

fn text(default: &dyn ToString) -> Kind {
    Kind::Text { default: default.to_string() }
}

fn check(default: bool) -> Kind {
    Kind::Check { default }
}

fn spin(default: usize, min: i64, max: i64) -> Kind {
    Kind::Spin { default: default as i64, min, max }
}

fn combo<T: ToString>(default: T, choices: impl IntoIterator<Item = T>) -> Kind {
    Kind::Combo {
        default: default.to_string(),
        choices: choices.into_iter().map(|choice| choice.to_string()).collect(),
    }
}

/// The value that an option is set to, which should be of the kind that the option was declared as.
struct Value {
    name: &'static str,
    setting: Setting,
}

impl Value {
    fn mismatch<T>(&self) -> Result<T, SetOptionError> {
        Err(SetOptionError::Mismatch(self.name))
    }

    fn check(self) -> Result<bool, SetOptionError> {
        match self.setting {
            Setting::Check(on) => Ok(on),
            _ => self.mismatch(),
        }
    }

    /// Returns a number that has been checked against the bounds, which must fit the type.
    fn number<T: TryFrom<i64>>(self) -> Result<T, SetOptionError> {
        match self.setting {
            Setting::Spin(number) => T::try_from(number).or_else(|_| self.mismatch()),
            _ => self.mismatch(),
        }
    }

    fn one_of<T: Copy, N: ToString>(
        self,
        choices: impl IntoIterator<Item = T>,
        name: fn(T) -> N,
    ) -> Result<T, SetOptionError> {
        let Setting::Choice(chosen) = &self.setting else { return self.mismatch() };
        let found = choices.into_iter().find(|&choice| name(choice).to_string() == *chosen);
        found.map_or_else(|| self.mismatch(), Ok)
    }

    fn text(self) -> Result<String, SetOptionError> {
        match self.setting {
            Setting::Text(text) => Ok(text),
            _ => self.mismatch(),
        }
    }

    fn parsed<T: FromStr<Err: ToString>>(self) -> Result<T, SetOptionError> {
        self.text()?.parse().map_err(|error: T::Err| SetOptionError::Value(error.to_string()))
    }

    fn pressed(self) -> Result<(), SetOptionError> {
        if self.setting == Setting::Pressed { Ok(()) } else { self.mismatch() }
    }
}

impl EngineOptions {
    /// Makes the default values, with this folder for our tables.
    pub fn new(tables: PathBuf) -> EngineOptions {
        EngineOptions {
            play: PlaySettings::default(),
            seed: 0,
            tables,
            syzygy: String::new(),
            fallback: String::new(),
            fallback_depth: 0,
            hash: 16,
            threads: thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS),
            overhead: Duration::from_millis(10),
            multi_pv: 1,
            show_wdl: false,
            own_book: true,
            ponder: false,
            analyse: false,
            opponent: String::new(),
        }
    }

    /// Declares all options, with their present values as defaults.
    pub fn declarations(&self) -> Declarations {
        Declarations(OPTIONS.iter().map(|option| Declaration::new(option.name, (option.kind)(self))).collect())
    }

    /// Sets an option and returns what has to be done next. An option that is refused keeps its value.
    ///
    /// # Errors
    /// If no such option exists, or it does not accept the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, SetOptionError> {
        let (name, setting) = self.declarations().set(name, value)?;
        let option = OPTIONS.iter().find(|option| option.name == name).ok_or(SetOptionError::Mismatch(name))?;
        (option.set)(self, Value { name, setting })?;
        Ok(option.effect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_choice::Competence;

    fn options() -> EngineOptions {
        EngineOptions::new("/tables".into())
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
                let last = choices[choices.len() - 1].clone();
                (last.clone(), Kind::Combo { default: last, choices })
            }
            Kind::Text { .. } => ("7".to_owned(), Kind::Text { default: "7".to_owned() }),
            Kind::Button => (String::new(), Kind::Button),
        }
    }

    #[test]
    fn every_option_that_is_declared_can_be_set() {
        for Declaration { name, kind } in options().declarations().0 {
            let (value, expected) = match name {
                "Strategy" => ("SZ".to_owned(), Kind::Text { default: "SZ".to_owned() }),
                _ => other(&kind),
            };
            let mut options = options();
            assert!(options.set(name, Some(&value)).is_ok(), "{name}");
            assert_eq!(options.declarations().find(name).map(|found| &found.kind), Some(&expected), "{name}");
        }
    }

    #[test]
    fn an_option_set_as_another_kind_is_our_fault() {
        for option in &OPTIONS {
            let wrong = if matches!((option.kind)(&options()), Kind::Check { .. }) {
                Setting::Pressed
            } else {
                Setting::Check(true)
            };
            let set = (option.set)(&mut options(), Value { name: option.name, setting: wrong });
            assert_eq!(set, Err(SetOptionError::Mismatch(option.name)));
        }
    }

    #[test]
    fn what_is_refused_leaves_things_as_they_were() {
        let mut options = options();
        for (name, value) in [("Competence", "much"), ("Kappa", "0"), ("Strategy", "Q"), ("Tables", ""), ("Hash", "0")]
        {
            assert!(options.set(name, Some(value)).is_err(), "{name}");
        }
        assert_eq!(options.declarations(), self::options().declarations());
        assert_eq!(options.set("competence", Some("-inf")), Ok(Effect::Nothing));
        assert_eq!(options.set("Clear Hash", None), Ok(Effect::ClearHash));
        assert_eq!(options.play.competence, Competence::ANTI_INFALLIBLE);
    }
}
