//! An engine as users name it: a command, and options as `NAME=VALUE`.

use super::config::{EngineConfig, Restart, Timeouts};
use super::error::EngineError;
use super::{DeclaredOption, Engine, OptionKind};
use errare_work::Progress;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// The value of an engine's option, read from `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSetting {
    /// The option's name; capitals do not matter.
    pub name: String,
    /// The value that the option is set to.
    pub value: String,
}

/// The error of a text that is not `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid option `{0}`: expected NAME=VALUE, such as Hash=64")]
pub struct OptionSettingError(String);

impl FromStr for OptionSetting {
    type Err = OptionSettingError;

    fn from_str(text: &str) -> Result<OptionSetting, OptionSettingError> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok(OptionSetting { name: name.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err(OptionSettingError(text.to_owned())),
        }
    }
}

impl fmt::Display for OptionSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// An engine as a user names it: a file, or a command with arguments after spaces; and the options to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    command: String,
    options: Vec<OptionSetting>,
}

/// The error of an engine without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("missing engine: expected a file or a command")]
pub struct EngineSpecError;

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<EngineSpec, EngineSpecError> {
        if text.trim().is_empty() {
            return Err(EngineSpecError);
        }
        Ok(EngineSpec { command: text.to_owned(), options: Vec::new() })
    }
}

/// Formats the command, without options.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.command)
    }
}

impl EngineSpec {
    /// Replaces the options to set.
    #[must_use]
    pub fn with_options(self, options: &[OptionSetting]) -> EngineSpec {
        EngineSpec { options: options.to_vec(), ..self }
    }

    /// The command as the user wrote it.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The options that the user sets, in their order.
    pub fn options(&self) -> &[OptionSetting] {
        &self.options
    }

    /// The option of this name, if the user sets it.
    pub fn option(&self, name: &str) -> Option<&OptionSetting> {
        self.options.iter().find(|setting| setting.name.eq_ignore_ascii_case(name))
    }

    /// The program and its arguments, without options. A file whose name has spaces is one word.
    pub fn config(&self) -> EngineConfig {
        if Path::new(&self.command).exists() {
            return EngineConfig::new(&self.command);
        }
        let mut words = self.command.split_whitespace();
        let config = EngineConfig::new(words.next().unwrap_or_default());
        words.fold(config, EngineConfig::arg)
    }

    /// Starts the engine and sets its options: the defaults whose options the engine declares and the user does not
    /// set, then the user's options. Returns the running engine, and the configuration by which it can be started again
    /// with these options.
    ///
    /// # Errors
    /// As [`Engine::start`] and [`Engine::set_option`].
    pub fn start(
        &self,
        timeouts: Timeouts,
        restart: Restart,
        defaults: &[(&str, &str)],
        progress: &dyn Progress,
    ) -> Result<(Engine, EngineConfig), EngineError> {
        let mut config = self.config().timeouts(timeouts).restart(restart);
        let mut engine = Engine::start(&config, progress)?;
        for OptionSetting { name, value } in self.settled(engine.options(), defaults) {
            engine.set_option(&name, &value, progress)?;
            config = config.option(name, value);
        }
        Ok((engine, config))
    }

    /// The options to set on an engine that declares these.
    fn settled(&self, declared: &[DeclaredOption], defaults: &[(&str, &str)]) -> Vec<OptionSetting> {
        let of_name = |name: &str| declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        // Some engines crash when a path that they declare as empty is set to `<empty>`.
        let is_empty = |option: &DeclaredOption| match &option.kind {
            OptionKind::String { default } => default.as_ref().is_none_or(String::is_empty),
            _ => false,
        };
        let is_due =
            |name: &str, value: &str| of_name(name).is_some_and(|known| !(value.is_empty() && is_empty(known)));
        let wanted = defaults.iter().filter(|(name, value)| is_due(name, value) && self.option(name).is_none());
        let settings = wanted.map(|&(name, value)| OptionSetting { name: name.to_owned(), value: value.to_owned() });
        settings.chain(self.options.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<OptionSetting>().map(|setting| (setting.name, setting.value));
        assert_eq!(read("Skill Level = 3"), Ok(("Skill Level".to_owned(), "3".to_owned())));
        assert_eq!(read("EvalFile=a=b"), Ok(("EvalFile".to_owned(), "a=b".to_owned())));
        assert!(read("Hash").is_err() && read("=3").is_err());
    }

    #[test]
    fn a_command_has_arguments_after_spaces_and_a_file_has_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("my engine");
        std::fs::write(&file, "").unwrap();
        let spec = |text: &str| text.parse::<EngineSpec>();
        assert_eq!(spec("engine -a  b").unwrap().config().arguments(), ["-a", "b"]);
        let named = spec(file.to_str().unwrap()).unwrap().config();
        assert_eq!((named.program(), named.arguments()), (file, &[][..]));
        assert!(spec("").is_err() && spec("  ").is_err());
    }

    #[test]
    fn defaults_are_set_where_they_are_declared_and_the_user_sets_nothing_else() {
        let path = |default: Option<&str>| OptionKind::String { default: default.map(str::to_owned) };
        let declared = [
            ("Threads", OptionKind::Spin { default: Some(1), min: Some(1), max: Some(8) }),
            ("SyzygyPath", path(Some("/tables"))),
            ("GaviotaTbPath", path(Some(""))),
            ("NalimovPath", path(None)),
        ]
        .map(|(name, kind)| DeclaredOption { name: name.to_owned(), kind });
        // A path that is empty already is not set: Ethereal dies of it.
        let defaults =
            [("SyzygyPath", ""), ("GaviotaTbPath", ""), ("NalimovPath", ""), ("Threads", "1"), ("Hash", "64")];
        let set = |options: &[&str]| {
            let options: Vec<OptionSetting> = options.iter().map(|text| text.parse().unwrap()).collect();
            let spec = "engine".parse::<EngineSpec>().unwrap().with_options(&options);
            spec.settled(&declared, &defaults).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(set(&[]), ["SyzygyPath=", "Threads=1"]);
        assert_eq!(set(&["threads=2"]), ["SyzygyPath=", "threads=2"]);
    }
}
