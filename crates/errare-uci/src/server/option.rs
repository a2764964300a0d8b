//! Options that an engine offers.

use std::fmt;

/// The kind of value that an option has, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value that is on or off.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number within bounds.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: String,
        /// The words to choose from.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// A text, which may be empty.
    Text {
        /// The default.
        default: String,
    },
}

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name, in the engine's spelling.
    pub name: &'static str,
    /// The kind of value, with the default.
    pub kind: Kind,
}

/// The value that an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// On or off.
    Check(bool),
    /// A number within the bounds.
    Spin(i64),
    /// One of the choices, spelt as declared.
    Choice(String),
    /// A button was pressed.
    Pressed,
    /// A text.
    Text(String),
}

/// Why the value of an option is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("unknown option `{0}`")]
    Unknown(String),
    /// The option needs a value.
    #[error("the option {0} needs a value")]
    NoValue(&'static str),
    /// The value is neither true nor false.
    #[error("invalid value `{value}` for the option {name}: expected true or false")]
    Check {
        /// The option's name.
        name: &'static str,
        /// The value that was refused.
        value: String,
    },
    /// The value is not a whole number.
    #[error("invalid value `{value}` for the option {name}: expected a whole number")]
    Number {
        /// The option's name.
        name: &'static str,
        /// The value that was refused.
        value: String,
    },
    /// The number is out of bounds.
    #[error("invalid value {value} for the option {name}: expected a number from {min} to {max}")]
    Bounds {
        /// The option's name.
        name: &'static str,
        /// The value that was refused.
        value: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// The value is none of the choices.
    #[error("invalid value `{value}` for the option {name}: expected one of {choices}")]
    Choice {
        /// The option's name.
        name: &'static str,
        /// The value that was refused.
        value: String,
        /// The choices, separated by commas.
        choices: String,
    },
}

/// The word that stands for an empty text in UCI.
const EMPTY: &str = "<empty>";

impl Declaration {
    /// Makes an option.
    pub fn new(name: &'static str, kind: Kind) -> Declaration {
        Declaration { name, kind }
    }

    /// Reads a value for this option. Words may be written in any case.
    ///
    /// # Errors
    /// If the option does not take the value.
    pub fn read(&self, value: Option<&str>) -> Result<Setting, OptionError> {
        let name = self.name;
        let value = value.map(str::trim);
        let needed = || value.filter(|value| !value.is_empty()).ok_or(OptionError::NoValue(name));
        Ok(match &self.kind {
            Kind::Button => Setting::Pressed,
            Kind::Text { .. } => match value.ok_or(OptionError::NoValue(name))? {
                EMPTY => Setting::Text(String::new()),
                text => Setting::Text(text.to_owned()),
            },
            Kind::Check { .. } => match needed()? {
                value if value.eq_ignore_ascii_case("true") => Setting::Check(true),
                value if value.eq_ignore_ascii_case("false") => Setting::Check(false),
                value => return Err(OptionError::Check { name, value: value.to_owned() }),
            },
            Kind::Spin { min, max, .. } => {
                let refused = |value: &str| OptionError::Number { name, value: value.to_owned() };
                let value = needed().and_then(|value| value.parse::<i64>().map_err(|_| refused(value)))?;
                if !(*min..=*max).contains(&value) {
                    return Err(OptionError::Bounds { name, value, min: *min, max: *max });
                }
                Setting::Spin(value)
            }
            Kind::Combo { choices, .. } => {
                let value = needed()?;
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                let refused = || OptionError::Choice { name, value: value.to_owned(), choices: choices.join(", ") };
                Setting::Choice(choice.ok_or_else(refused)?.clone())
            }
        })
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Button => f.write_str("button"),
            Kind::Text { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            Kind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

/// The options of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations(pub Vec<Declaration>);

impl Declarations {
    /// Finds an option by its name, in any case.
    pub fn find(&self, name: &str) -> Option<&Declaration> {
        self.0.iter().find(|declaration| declaration.name.eq_ignore_ascii_case(name))
    }

    /// Reads a value for the option of a name, and returns it with the name as declared.
    ///
    /// Where a name that itself holds the word `value` was cut off there, its other part is found in the value.
    ///
    /// # Errors
    /// If no such option exists, or it does not take the value.
    pub fn set(&self, name: &str, value: Option<&str>) -> Result<(&'static str, Setting), OptionError> {
        if let Some(declaration) = self.find(name) {
            return Ok((declaration.name, declaration.read(value)?));
        }
        if let Some((last, rest)) = value.map(|value| value.split_once("value").unwrap_or((value, ""))) {
            let whole = format!("{name} value {last}");
            if let Some(declaration) = self.find(whole.trim_end()) {
                return Ok((declaration.name, declaration.read(Some(rest))?));
            }
        }
        Err(OptionError::Unknown(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents() -> Kind {
        Kind::Combo { default: "player".to_owned(), choices: vec!["player".to_owned(), "levy".to_owned()] }
    }

    fn options() -> Declarations {
        Declarations(vec![
            Declaration::new("Hold Value", Kind::Check { default: false }),
            Declaration::new("Hash", Kind::Spin { default: 16, min: 1, max: 1024 }),
            Declaration::new("Agent", agents()),
            Declaration::new("Clear Hash", Kind::Button),
            Declaration::new("Tables", Kind::Text { default: String::new() }),
        ])
    }

    #[test]
    fn options_are_declared_as_the_protocol_has_it() {
        let lines: Vec<String> = options().0.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "option name Hold Value type check default false",
                "option name Hash type spin default 16 min 1 max 1024",
                "option name Agent type combo default player var player var levy",
                "option name Clear Hash type button",
                "option name Tables type string default <empty>",
            ]
        );
    }

    #[test]
    fn names_and_words_are_read_in_any_case() {
        let set = |name: &str, value: &str| options().set(name, Some(value));
        assert_eq!(set("HASH", "32"), Ok(("Hash", Setting::Spin(32))));
        assert_eq!(set("agent", "LEVY"), Ok(("Agent", Setting::Choice("levy".to_owned()))));
        assert_eq!(set("hold Value", "True"), Ok(("Hold Value", Setting::Check(true))));
        // What the parser makes of "setoption name hold value value true".
        assert_eq!(set("hold", "value true"), Ok(("Hold Value", Setting::Check(true))));
        assert_eq!(set("Tables", "/A b"), Ok(("Tables", Setting::Text("/A b".to_owned()))));
        assert_eq!(set("Tables", "<empty>"), Ok(("Tables", Setting::Text(String::new()))));
        assert_eq!(options().set("clear hash", None), Ok(("Clear Hash", Setting::Pressed)));
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        let refused = |name: &str, value| options().set(name, value).map_err(|error| error.to_string()).unwrap_err();
        assert_eq!(refused("Hush", Some("1")), "unknown option `Hush`");
        assert_eq!(refused("Hush", None), "unknown option `Hush`");
        assert_eq!(refused("Hash", None), "the option Hash needs a value");
        assert_eq!(refused("Hash", Some("")), "the option Hash needs a value");
        assert_eq!(refused("Hash", Some("0")), "invalid value 0 for the option Hash: expected a number from 1 to 1024");
        assert_eq!(refused("Hash", Some("1e3")), "invalid value `1e3` for the option Hash: expected a whole number");
        assert_eq!(
            refused("Hold Value", Some("1")),
            "invalid value `1` for the option Hold Value: expected true or false"
        );
        assert_eq!(refused("Agent", Some("x")), "invalid value `x` for the option Agent: expected one of player, levy");
    }
}
