//! Questions about players, read from addresses.

use crate::refusal::Refusal;
use axum::extract::Query;
use axum::http::Uri;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A question about a player, with the rating to compare the moves with.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerQuestion {
    pub name: String,
    pub claimed: Option<f64>,
}

/// A question for a page of the list of players.
#[derive(Debug, PartialEq)]
pub struct PlayersQuestion {
    pub search: String,
    /// The number of the page, from 1.
    pub page: usize,
}

// What a form leaves empty it sends as nothing: the same as if it were not there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlayer {
    name: String,
    #[serde(default)]
    claimed: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlayers {
    #[serde(default)]
    search: String,
    #[serde(default)]
    page: String,
}

impl PlayerQuestion {
    pub fn read(address: &Uri) -> Result<PlayerQuestion, Refusal> {
        let RawPlayer { name, claimed } = query(address)?;
        let read = |text: &str| {
            let number = text.parse().ok().filter(|&elo: &f64| elo > 0.0);
            number.ok_or_else(|| Refusal::bad(format!("invalid rating `{text}`: expected a number above 0")))
        };
        let claimed = optional(&claimed).map(read).transpose()?;
        Ok(PlayerQuestion { name, claimed })
    }
}

impl PlayersQuestion {
    pub fn read(address: &Uri) -> Result<PlayersQuestion, Refusal> {
        let RawPlayers { search, page } = query(address)?;
        let read =
            |text: &str| text.parse().map_err(|_| Refusal::bad(format!("invalid page `{text}`: expected a number")));
        Ok(PlayersQuestion { search: search.trim().to_owned(), page: optional(&page).map_or(Ok(1), read)? })
    }
}

fn optional(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

fn query<T: DeserializeOwned>(address: &Uri) -> Result<T, Refusal> {
    let read = Query::try_from_uri(address).map_err(|error| Refusal::bad(error.body_text()))?;
    Ok(read.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address with these parameters.
    fn address(path: &str, pairs: &[(&str, &str)]) -> String {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        format!("{path}?{query}")
    }

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for name in ["Karjakin, Sergey", "a&b=c", "<script>", "100%", "Şahin+Ömer", "#?/..", "\u{0}\n"] {
            let written: Uri = address("/player", &[("name", name), ("claimed", "2400")]).parse().unwrap();
            let question = PlayerQuestion { name: name.to_owned(), claimed: Some(2400.0) };
            assert_eq!(PlayerQuestion::read(&written).unwrap(), question);
        }
    }

    #[test]
    fn what_is_empty_is_not_asked() {
        let read = |text: &str| PlayersQuestion::read(&text.parse().unwrap()).unwrap();
        let all = PlayersQuestion { search: String::new(), page: 1 };
        assert_eq!(read("/players"), all);
        assert_eq!(read("/players?search=&page="), all);
        assert_eq!(PlayerQuestion::read(&"/player?name=a&claimed=".parse().unwrap()).unwrap().claimed, None);
        for bad in ["/player", "/player?name=a&claimed=-1", "/player?name=a&claimed=NaN", "/player?name=a&x=1"] {
            assert!(PlayerQuestion::read(&bad.parse().unwrap()).is_err(), "{bad}");
        }
        for bad in ["/players?page=-1", "/players?page=1e3", "/players?page=1&page=2"] {
            assert!(PlayersQuestion::read(&bad.parse().unwrap()).is_err(), "{bad}");
        }
    }
}
