//! The text form of the set of moves that a Predator considers.

use super::predator::Scope;
use std::fmt;
use std::str::FromStr;

/// A text that is not a valid scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid scope `{0}`: expected optimal, keeping or all")]
pub struct ScopeError(String);

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Scope, ScopeError> {
        match text {
            "optimal" => Ok(Scope::Optimal),
            "keeping" => Ok(Scope::Keeping),
            "all" => Ok(Scope::All),
            _ => Err(ScopeError(text.to_owned())),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scope::Optimal => "optimal",
            Scope::Keeping => "keeping",
            Scope::All => "all",
        })
    }
}
