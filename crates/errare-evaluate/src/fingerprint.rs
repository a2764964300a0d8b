//! What an engine's answers depend on beside the question: its file, its net, its options.

use crate::error::EvaluateError;
use errare_uci::client::{DeclaredOption, EngineConfig, Identity, OptionKind};
use errare_work::Progress;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Options that name a net. Engines carry one of their own, whose name is the default of the option.
const NETS: [&str; 3] = ["EvalFile", "EvalFileSmall", "WeightsFile"];

/// Number of digits of a hash that are shown among options.
const SHOWN: usize = 16;

/// The hashes of the engine's file, and of its arguments that are files, such as a script for an interpreter.
pub(crate) fn engine_file(config: &EngineConfig, progress: &dyn Progress) -> Result<String, EvaluateError> {
    let program = config.program();
    let arguments = config.arguments().iter().map(Path::new).filter(|path| path.is_file());
    let hashes = std::iter::once(program.as_path()).chain(arguments).map(|path| hash(path, progress));
    Ok(format!("sha256:{}", hashes.collect::<Result<Vec<_>, _>>()?.join("+")))
}

/// The net and the options as text.
pub(crate) fn settings(
    identity: &Identity,
    declared: &[DeclaredOption],
    multi_pv: &str,
    progress: &dyn Progress,
) -> Result<String, EvaluateError> {
    let is_set = |name: &str| identity.options.contains_key(name);
    let mut words: Vec<String> = declared
        .iter()
        .filter(|option| NETS.contains(&option.name.as_str()) && !is_set(&option.name))
        .filter_map(|option| match &option.kind {
            OptionKind::String { default: Some(net) } if !net.is_empty() => Some(format!("net {net}")),
            _ => None,
        })
        .collect();
    let mut options = vec![format!("MultiPV={multi_pv}")];
    for (name, value) in &identity.options {
        options.push(format!("{name}={}", shown(value, progress)?));
    }
    options.sort();
    words.append(&mut options);
    Ok(words.join(", "))
}

/// The value of an option; of a file its name and the hash of its contents, not where it is.
fn shown(value: &str, progress: &dyn Progress) -> Result<String, EvaluateError> {
    let path = Path::new(value);
    match path.file_name().filter(|_| path.is_file()) {
        Some(name) => Ok(format!("{} (sha256:{})", name.to_string_lossy(), &hash(path, progress)?[..SHOWN])),
        None => Ok(value.to_owned()),
    }
}

fn hash(path: &Path, progress: &dyn Progress) -> Result<String, EvaluateError> {
    let failed = |source| EvaluateError::File { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        progress.proceed()?;
        match file.read(&mut block).map_err(failed)? {
            0 => break,
            count => hasher.update(&block[..count]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::Silent;

    #[test]
    fn files_are_identified_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let [engine, net] = ["engine", "some.nnue"].map(|name| folder.path().join(name));
        std::fs::write(&engine, "abc").unwrap();
        std::fs::write(&net, "").unwrap();
        // From FIPS 180-2, and of nothing at all.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let config = EngineConfig::new(&engine);
        assert_eq!(engine_file(&config, &Silent).unwrap(), format!("sha256:{abc}"));
        let config = config.arg("-v").arg(net.display().to_string());
        assert_eq!(engine_file(&config, &Silent).unwrap(), format!("sha256:{abc}+{nothing}"));
        let text = |name: &str, default: &str| DeclaredOption {
            name: name.to_owned(),
            kind: OptionKind::String { default: Some(default.to_owned()) },
        };
        let declared = [text("EvalFile", "nn-1.nnue"), text("Book", "x")];
        let mut identity = Identity::default();
        identity.options.insert("Hash".to_owned(), "64".to_owned());
        assert_eq!(settings(&identity, &declared, "all", &Silent).unwrap(), "net nn-1.nnue, Hash=64, MultiPV=all");
        identity.options.insert("EvalFile".to_owned(), net.display().to_string());
        let own = "EvalFile=some.nnue (sha256:e3b0c44298fc1c14), Hash=64, MultiPV=all";
        assert_eq!(settings(&identity, &declared, "all", &Silent).unwrap(), own);
    }
}
