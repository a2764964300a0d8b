//! The options that an engine declares, and the values that they accept.

use super::error::Fault;

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Name of the option; case does not matter when it is set.
    pub name: String,
    /// The kind of value that the option accepts.
    pub kind: OptionKind,
}

/// The kind of value that an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// Accepts `true` or `false`.
    Check {
        /// Value if the option is not set.
        default: Option<bool>,
    },
    /// Accepts a whole number.
    Spin {
        /// Value if the option is not set.
        default: Option<i64>,
        /// Smallest value, if there is a bound.
        min: Option<i64>,
        /// Greatest value, if there is a bound.
        max: Option<i64>,
    },
    /// Accepts one of several texts.
    Combo {
        /// Value if the option is not set.
        default: Option<String>,
        /// The texts that are accepted.
        vars: Vec<String>,
    },
    /// Accepts no value: setting it makes the engine do something.
    Button,
    /// Accepts any text.
    String {
        /// Value if the option is not set.
        default: Option<String>,
    },
}

/// The word that stands for an empty text in UCI.
const EMPTY: &str = "<empty>";

impl DeclaredOption {
    /// Reads what follows the word `option`; none if it is not a declaration.
    pub(super) fn parse(text: &str) -> Option<DeclaredOption> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind_at = words.iter().position(|&word| word == "type")?;
        let (["name", name @ ..], ["type", kind, fields @ ..]) = words.split_at(kind_at) else { return None };
        if name.is_empty() {
            return None;
        }
        let default = || field(fields, "default").next();
        let number = |key| field(fields, key).next().and_then(|value| value.parse().ok());
        let kind = match *kind {
            "check" => OptionKind::Check { default: default().and_then(|value| value.parse().ok()) },
            "spin" => OptionKind::Spin { default: number("default"), min: number("min"), max: number("max") },
            "combo" => OptionKind::Combo { default: default(), vars: field(fields, "var").collect() },
            "button" => OptionKind::Button,
            // A text may hold any word, so it ends with the line.
            "string" => OptionKind::String {
                default: fields.split_first().filter(|(key, _)| **key == "default").map(|(_, text)| match text {
                    [EMPTY] => String::new(),
                    _ => text.join(" "),
                }),
            },
            _ => return None,
        };
        Some(DeclaredOption { name: name.join(" "), kind })
    }

    /// The value as it is sent to the engine, none for a button; an error if the option does not accept it.
    pub(super) fn accept(&self, value: &str) -> Result<Option<String>, Fault> {
        let refused = |wanted: String| Fault::BadValue { option: self.name.clone(), value: value.to_owned(), wanted };
        if value.contains(char::is_control) {
            return Err(refused("expected one line of text without control characters".to_owned()));
        }
        match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                value @ ("true" | "false") => Ok(Some(value.to_owned())),
                _ => Err(refused("expected true or false".to_owned())),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max) => {
                    Ok(Some(number.to_string()))
                }
                _ => Err(refused(format!("expected a number{}", range(*min, *max)))),
            },
            OptionKind::Combo { vars, .. } => match vars.iter().find(|var| var.eq_ignore_ascii_case(value)) {
                Some(var) => Ok(Some(var.clone())),
                None => Err(refused(format!("expected one of {}", vars.join(", ")))),
            },
            OptionKind::Button if value.is_empty() => Ok(None),
            OptionKind::Button => Err(refused("expected no value, since it is a button".to_owned())),
            OptionKind::String { .. } if value.is_empty() => Ok(Some(EMPTY.to_owned())),
            OptionKind::String { .. } => Ok(Some(value.to_owned())),
        }
    }
}

/// The values of a key, each the words up to the next key.
fn field<'a>(fields: &'a [&'a str], key: &'a str) -> impl Iterator<Item = String> + 'a {
    let is_key = |word: &&str| matches!(*word, "default" | "min" | "max" | "var");
    fields.iter().enumerate().filter(move |(_, word)| **word == key).map(move |(place, _)| {
        let value = fields[place + 1..].iter().take_while(|word| !is_key(word));
        value.copied().collect::<Vec<_>>().join(" ")
    })
}

fn range(min: Option<i64>, max: Option<i64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" from {min} on"),
        (None, Some(max)) => format!(" up to {max}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> DeclaredOption {
        DeclaredOption::parse(text).unwrap()
    }

    #[test]
    fn every_type_is_read() {
        let hash = read("name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(hash.name, "Hash");
        assert_eq!(hash.kind, OptionKind::Spin { default: Some(16), min: Some(1), max: Some(33_554_432) });
        assert_eq!(read("name Clear Hash type button").name, "Clear Hash");
        assert_eq!(read("name Ponder type check default false").kind, OptionKind::Check { default: Some(false) });
        let style = read("name Playing Style type combo default Very Risky var Solid var Very Risky").kind;
        let vars = vec!["Solid".to_owned(), "Very Risky".to_owned()];
        assert_eq!(style, OptionKind::Combo { default: Some("Very Risky".to_owned()), vars });
        let text = |default: &str| OptionKind::String { default: Some(default.to_owned()) };
        assert_eq!(read("name Log type string default").kind, text(""));
        assert_eq!(read("name SyzygyPath type string default <empty>").kind, text(""));
        assert_eq!(read("name Motto type string default min and max var").kind, text("min and max var"));
        assert_eq!(read("name Free type string").kind, OptionKind::String { default: None });
    }

    #[test]
    fn other_texts_are_not_declarations() {
        for text in ["", "name", "name X", "name type spin", "type spin name X", "name X type", "name X type wheel"] {
            assert_eq!(DeclaredOption::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_checked_before_they_are_sent() {
        let accepted = |text: &str, value: &str| read(text).accept(value).map_err(|fault| fault.to_string());
        let hash = "name Hash type spin default 16 min 1 max 64";
        assert_eq!(accepted(hash, "64"), Ok(Some("64".to_owned())));
        assert_eq!(accepted(hash, "65").unwrap_err(), "does not take `65` for `Hash`: expected a number from 1 to 64");
        for value in ["0", "", "many", "1\nquit"] {
            assert!(accepted(hash, value).is_err(), "{value}");
        }
        let check = "name Ponder type check default false";
        assert_eq!(accepted(check, "True"), Ok(Some("true".to_owned())));
        assert!(accepted(check, "yes").is_err());
        let combo = "name Style type combo default Solid var Solid var Risky";
        assert_eq!(accepted(combo, "risky"), Ok(Some("Risky".to_owned())));
        assert!(accepted(combo, "Wild").unwrap_err().ends_with("expected one of Solid, Risky"));
        assert_eq!(accepted("name Clear type button", ""), Ok(None));
        assert!(accepted("name Clear type button", "now").is_err());
        assert_eq!(accepted("name Path type string default x", ""), Ok(Some("<empty>".to_owned())));
        assert!(accepted("name Path type string default x", "a\nquit").is_err());
    }
}
