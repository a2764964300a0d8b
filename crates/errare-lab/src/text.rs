//! Domain values that travel as text: metrics, endgames, agents and the like.

use errare_tables::{Material, MaterialError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// A value that is written as text in JSON too, as people write it: `Text<Metric>` is `"dtz50"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<T>(pub T);

impl<T> Deref for Text<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Text<T> {
    fn from(value: T) -> Text<T> {
        Text(value)
    }
}

impl<T: fmt::Display> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: FromStr> FromStr for Text<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Text<T>, T::Err> {
        text.parse().map(Text)
    }
}

impl<T: fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<T>, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Text).map_err(serde::de::Error::custom)
    }
}

impl<T> JsonSchema for Text<T> {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// An endgame with its sides in the order in which they were typed: the first is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endgame {
    /// The men of the endgame, stronger side first.
    pub material: Material,
    /// Whether the weaker side was typed first.
    pub swapped: bool,
}

impl FromStr for Endgame {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Endgame, MaterialError> {
        let (material, swapped) = Material::parse_oriented(text)?;
        Ok(Endgame { material, swapped })
    }
}

/// Writes the signature in the order in which it was typed.
impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.material.oriented(self.swapped))
    }
}
