//! Requests of the lab.

use errare_lab::{Lab, LabConfig};
use errare_work::Silent;
use serde_json::{Value, json};
use std::sync::LazyLock;
use tempfile::TempDir;

/// A folder of tables, and a lab that uses it.
pub static LAB: LazyLock<(TempDir, Lab)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = LabConfig { tables: Some(folder.path().to_owned()), threads: Some(1), ..LabConfig::default() };
    (folder, Lab::new(config))
});

/// Beliefs about a competence. Whatever is accepted gives probabilities that add up to 1.
pub fn posterior(bytes: &[u8]) {
    let Ok(prior) = serde_json::from_slice::<Value>(bytes) else { return };
    let request = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "agent": "emulator:5", "analysis": {"prior": prior}});
    if let Ok(found) = LAB.1.for_clients().call("choose", request, &Silent) {
        let candidates = found["candidates"].as_array().expect("candidates");
        let sum: f64 = candidates.iter().map(|candidate| candidate["probability"].as_f64().expect("a number")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
