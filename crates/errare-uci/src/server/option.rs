//! Options that an engine offers.

use std::fmt;

/// What kind of value an option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// A whole number within bounds.
    Spin {
        /// What it is at first.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// What it is at first.
        default: &'static str,
        /// All of them.
        choices: Vec<&'static str>,
    },
    /// Something to be done.
    Button,
    /// A text, which may be empty.
    Text {
        /// What it is at first.
        default: String,
    },
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// On or off.
    Check(bool),
    /// A number within the bounds.
    Spin(i64),
    /// One of the choices, spelt as declared.
    Choice(&'static str),
    /// A button was pressed.
    Pressed,
    /// A text.
    Text(String),
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("there is no option `{0}`")]
    Unknown(String),
    /// It needs a value.
    #[error("the option {0} needs a value")]
    NoValue(&'static str),
    /// Neither on nor off.
    #[error("`{value}` is neither true nor false, for the option {name}")]
    Check {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// No number.
    #[error("`{value}` is no whole number, for the option {name}")]
    Number {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
    },
    /// Out of bounds.
    #[error("the option {name} goes from {min} to {max}, and {value} is beyond")]
    Bounds {
        /// The option.
        name: &'static str,
        /// What was given.
        value: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// None of the choices.
    #[error("`{value}` is no choice of the option {name}: use {choices}")]
    Choice {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What could be.
        choices: String,
    },
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

impl Declaration {
    /// An option of this name.
    pub fn new(name: &'static str, kind: Kind) -> Declaration {
        Declaration { name, kind }
    }

    /// What a value means to this option. Words may be written in any case.
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
                Setting::Choice(choice.ok_or_else(refused)?)
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
    /// The option of a name, written in any case.
    pub fn find(&self, name: &str) -> Option<&Declaration> {
        self.0.iter().find(|declaration| declaration.name.eq_ignore_ascii_case(name))
    }

    /// What a value means to the option of a name, with the name as declared.
    ///
    /// Where a name that itself holds the word `value` was cut off there, its other part is found in the value.
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

    fn options() -> Declarations {
        Declarations(vec![
            Declaration::new("Hold Value", Kind::Check { default: false }),
            Declaration::new("Hash", Kind::Spin { default: 16, min: 1, max: 1024 }),
            Declaration::new("Agent", Kind::Combo { default: "player", choices: vec!["player", "levy"] }),
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
        assert_eq!(set("agent", "LEVY"), Ok(("Agent", Setting::Choice("levy"))));
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
        assert_eq!(refused("Hush", Some("1")), "there is no option `Hush`");
        assert_eq!(refused("Hush", None), "there is no option `Hush`");
        assert_eq!(refused("Hash", None), "the option Hash needs a value");
        assert_eq!(refused("Hash", Some("")), "the option Hash needs a value");
        assert_eq!(refused("Hash", Some("0")), "the option Hash goes from 1 to 1024, and 0 is beyond");
        assert_eq!(refused("Hash", Some("1e3")), "`1e3` is no whole number, for the option Hash");
        assert_eq!(refused("Hold Value", Some("1")), "`1` is neither true nor false, for the option Hold Value");
        assert_eq!(refused("Agent", Some("x")), "`x` is no choice of the option Agent: use player, levy");
    }
}
