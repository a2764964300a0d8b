//! Flags that would change nothing: better refused than ignored, for who gives one expects something of it.

use anyhow::{Result, ensure};

/// Refuses a flag that has no effect, and says why.
pub fn refuse(is_given: bool, flag: &str, why: &str) -> Result<()> {
    ensure!(!is_given, "{flag} has no effect {why}: leave it out");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::refuse;

    #[test]
    fn the_reason_is_given() {
        assert!(refuse(false, "--seed", "without --sample").is_ok());
        let refused = refuse(true, "--seed", "without --sample").map_err(|error| error.to_string());
        assert_eq!(refused, Err("--seed has no effect without --sample: leave it out".to_owned()));
    }
}
