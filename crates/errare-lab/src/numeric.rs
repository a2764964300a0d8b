//! Numbers that have limits in words, and lengths that may be infinite.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

/// A value that is written as a number where it is one, and else in words: 20 or `"inf"`, 1 or `"0+"`, 50 or `"none"`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numeric<T>(pub T);

impl<T> Deref for Numeric<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Numeric<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: FromStr> FromStr for Numeric<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Numeric<T>, T::Err> {
        text.parse().map(Numeric)
    }
}

impl<T: fmt::Display> Serialize for Numeric<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.to_string();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => serializer.serialize_f64(number),
            _ => serializer.serialize_str(&text),
        }
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Numeric<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Numeric<T>, D::Error> {
        deserializer.deserialize_any(NumberOrText(PhantomData))
    }
}

/// A reader of numbers and texts, which takes either as the text of a value.
struct NumberOrText<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for NumberOrText<T> {
    type Value = Numeric<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Numeric<T>, E> {
        text.parse().map(Numeric).map_err(E::custom)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Numeric<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Numeric<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Numeric<T>, E> {
        self.visit_str(&number.to_string())
    }
}

impl<T> JsonSchema for Numeric<T> {
    fn schema_name() -> Cow<'static, str> {
        "Numeric".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["number", "string"]})
    }
}

/// The serde form of numbers that may be infinite, which JSON writes as null: `#[serde(with = "infinite")]`.
pub(crate) mod infinite {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.is_finite().then_some(number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// Numbers of moves, each of which may be infinite. JSON writes infinite numbers as null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lengths(pub Vec<f64>);

impl Deref for Lengths {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Lengths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lengths, D::Error> {
        let numbers: Vec<Option<f64>> = Vec::deserialize(deserializer)?;
        Ok(Lengths(numbers.into_iter().map(|number| number.unwrap_or(f64::INFINITY)).collect()))
    }
}

impl JsonSchema for Lengths {
    fn schema_name() -> Cow<'static, str> {
        "Lengths".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Option<f64>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_choice::{Competence, Kappa};
    use errare_endgame::MoveRule;

    #[test]
    fn numbers_are_numbers_and_limits_are_words() {
        let json = |value: &str| serde_json::from_str::<Numeric<Competence>>(value);
        for text in ["20.0", "-5.5", "\"inf\"", "\"-inf\""] {
            let read = json(text).expect("a competence");
            assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
        }
        assert_eq!(json("20").ok(), json("\"20\"").ok());
        assert!(json("\"x\"").is_err() && json("null").is_err() && json("[1]").is_err());
        let kappa: Numeric<Kappa> = serde_json::from_str("\"0+\"").expect("a kappa");
        assert_eq!(kappa.0, Kappa::ZERO_PLUS);
        let rule: Numeric<MoveRule> = serde_json::from_str("50").expect("a rule");
        assert_eq!(rule.0, MoveRule::FIFTY);
    }

    #[test]
    fn infinite_lengths_come_back() {
        let json = serde_json::to_string(&Lengths(vec![1.5, f64::INFINITY])).expect("JSON");
        assert_eq!(json, "[1.5,null]");
        let Lengths(back) = serde_json::from_str(&json).expect("lengths");
        assert_eq!(back, [1.5, f64::INFINITY]);
    }
}
