//! The one rule by which a text names a player.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The greatest number of names that an error lists.
const LISTED: usize = 20;

/// The greatest number of names that an error suggests.
const SUGGESTED: usize = 5;

/// The length in bytes up to which texts are compared with names for likeness: nobody types longer ones, and it would
/// take long.
const LONGEST: usize = 64;

/// The least likeness (Jaro-Winkler, 0 to 1) of a name that is suggested.
const LIKENESS: f64 = 0.84;

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerNameError {
    /// The text is empty.
    #[error("empty player name: expected a name, or a part of one that no other player's name contains")]
    Empty,
    /// Several names contain the text, and none is the text.
    #[error("ambiguous player `{text}`: {}", listed(.names, *.total))]
    Ambiguous {
        /// The text that was to name a player.
        text: String,
        /// The names that contain the text, 20 at most.
        names: Vec<String>,
        /// Number of names that contain the text.
        total: usize,
    },
    /// No name contains the text.
    #[error("no player matches `{text}`{}", suggested(.near))]
    Unknown {
        /// The text that was to name a player.
        text: String,
        /// Names that resemble the text, the closest first.
        near: Vec<String>,
    },
}

fn listed(names: &[String], total: usize) -> String {
    let mut text = format!("{total} names contain it: {}", names.join("; "));
    if total > names.len() {
        // Writing to a string cannot fail.
        let _ = write!(text, "; and {} more", total - names.len());
    }
    text
}

fn suggested(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; similar names: {}", near.join("; ")) }
}

/// Finds the player whom a text names: the one of exactly this name, else the only one whose name contains the text,
/// regardless of case.
///
/// ```
/// use errare_ratings::{PlayerNameError, find_player};
/// let names = ["Li Chao", "Carlsen, Magnus", "Li", "Giri"];
/// assert_eq!(find_player(names, "Li"), Ok("Li"));
/// assert_eq!(find_player(names, "carl"), Ok("Carlsen, Magnus"));
/// assert!(matches!(find_player(names, "i"), Err(PlayerNameError::Ambiguous { total: 3, .. })));
/// ```
///
/// # Errors
/// A [`PlayerNameError`] that lists the names that come into question.
pub fn find_player<'a>(names: impl IntoIterator<Item = &'a str>, text: &str) -> Result<&'a str, PlayerNameError> {
    // Nobody can be meant by nothing, not even a player without a name.
    if text.trim().is_empty() {
        return Err(PlayerNameError::Empty);
    }
    let names: BTreeSet<&str> = names.into_iter().collect();
    if let Some(exact) = names.get(text) {
        return Ok(exact);
    }
    let matches: Vec<&str> = names.iter().copied().filter(|name| contains(name, text.trim())).collect();
    match matches[..] {
        [only] => Ok(only),
        [] => Err(PlayerNameError::Unknown { text: text.to_owned(), near: near(&names, text) }),
        _ => Err(PlayerNameError::Ambiguous {
            text: text.to_owned(),
            names: matches.iter().take(LISTED).map(|&name| name.to_owned()).collect(),
            total: matches.len(),
        }),
    }
}

/// Whether a name contains a text, regardless of case.
pub(crate) fn contains(name: &str, text: &str) -> bool {
    name.to_lowercase().contains(&text.to_lowercase())
}

/// The names that resemble a text, or have a word that does.
fn near(names: &BTreeSet<&str>, text: &str) -> Vec<String> {
    let wanted = text.trim().to_lowercase();
    if wanted.len() > LONGEST {
        return Vec::new();
    }
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        let words = name.split(|c: char| !c.is_alphanumeric()).chain([name.as_str()]);
        let words = words.filter(|word| (1..=LONGEST).contains(&word.len()));
        words.map(|word| strsim::jaro_winkler(word, &wanted)).fold(0.0, f64::max)
    };
    let mut found: Vec<(f64, &str)> = names.iter().map(|&name| (likeness(name), name)).collect();
    found.retain(|&(likeness, _)| likeness >= LIKENESS);
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.into_iter().take(SUGGESTED).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = ["Li", "Li Chao", "Karjakin, Sergey", "Carlsen, Magnus", "Carlsen, Henrik", "Öz"];

    fn message(text: &str) -> String {
        find_player(NAMES, text).expect_err("no player").to_string()
    }

    #[test]
    fn an_exact_name_goes_before_its_parts() {
        assert_eq!(find_player(NAMES, "Li"), Ok("Li"));
        assert_eq!(find_player(NAMES, "li chao"), Ok("Li Chao"));
        assert_eq!(find_player(NAMES, " SERGEY "), Ok("Karjakin, Sergey"));
        assert_eq!(find_player(NAMES, "öz"), Ok("Öz"));
        assert_eq!(find_player(["twice", "twice"], "wic"), Ok("twice"));
    }

    #[test]
    fn several_matches_are_listed() {
        assert_eq!(
            message("carlsen"),
            "ambiguous player `carlsen`: 2 names contain it: Carlsen, Henrik; Carlsen, Magnus"
        );
        assert!(message("li").contains("Li; Li Chao"), "no exact name in lower case");
        let many: Vec<String> = (10..40).map(|number| format!("Player {number}")).collect();
        let found = find_player(many.iter().map(String::as_str), "player").expect_err("thirty of them");
        assert!(matches!(&found, PlayerNameError::Ambiguous { names, total: 30, .. } if names.len() == 20));
        assert!(found.to_string().ends_with("; Player 29; and 10 more"), "{found}");
    }

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(message("karyakin"), "no player matches `karyakin`; similar names: Karjakin, Sergey");
        assert_eq!(message("nobody"), "no player matches `nobody`");
        assert_eq!(
            find_player(NAMES, &"a".repeat(100_000)).map_err(|error| error.to_string().len() > 100_000),
            Err(true)
        );
    }

    #[test]
    fn nothing_names_nobody() {
        for text in ["", " ", "\t\n"] {
            assert_eq!(find_player(["", "Li"], text), Err(PlayerNameError::Empty));
        }
    }
}
