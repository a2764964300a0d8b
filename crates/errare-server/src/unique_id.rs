//! Ids that nobody can guess.

use crate::refusal::Refusal;
use crate::work::broken;

/// Number of letters of an id.
const LETTERS: usize = 32;

/// Makes a new id of 32 hexadecimal digits.
pub fn unique_id() -> Result<String, Refusal> {
    let mut bytes = [0; LETTERS / 2];
    getrandom::fill(&mut bytes).map_err(|_| broken())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_long_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| unique_id().unwrap()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == LETTERS && id.bytes().all(|letter| letter.is_ascii_hexdigit())));
    }
}
