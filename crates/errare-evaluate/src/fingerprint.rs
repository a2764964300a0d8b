//! What an engine's answers depend on beside the question: its file, its arguments, its net, its options.

use crate::error::EvaluateError;
use errare_uci::client::{DeclaredOption, EngineConfig, Identity, OptionKind};
use errare_work::Progress;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Options that name a net. Engines carry a net of their own, whose name is the default of the option.
const NETS: [&str; 3] = ["EvalFile", "EvalFileSmall", "WeightsFile"];

/// Number of digits of a hash that are shown among options.
const SHOWN: usize = 16;

/// The hashes of the engine's file, and of its arguments that are files, such as a script for an interpreter.
///
/// # Errors
/// If a file cannot be read, or the work is cancelled.
pub(crate) fn engine_file(config: &EngineConfig, progress: &dyn Progress) -> Result<String, EvaluateError> {
    let program = config.program();
    let arguments = config.arguments().iter().map(Path::new).filter(|path| path.is_file());
    let hashes = std::iter::once(program.as_path()).chain(arguments).map(|path| hash(path, progress));
    Ok(format!("sha256:{}", hashes.collect::<Result<Vec<_>, _>>()?.join("+")))
}

/// Everything that an engine's answers depend on beside the position, as far as it can be known.
///
/// Not known are libraries that the engine loads, files that it reads without being given their names, and its
/// environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    name: String,
    /// The hashes of the engine's file and of arguments that are files.
    pub engine_file: String,
    arguments: Vec<Value>,
    /// Nets that the engine carries, by the names that it declares.
    nets: Vec<String>,
    options: Vec<(String, Value)>,
    lines: String,
}

/// The version of what an engine is sent for each position: `ucinewgame`, `isready`, `position fen`, `go depth`.
const PROTOCOL: u32 = 1;

impl Fingerprint {
    /// The fingerprint of a running engine that was started with this configuration.
    ///
    /// # Errors
    /// If a file or folder that the engine was given cannot be read, or the work is cancelled.
    pub fn new(
        engine_file: String,
        config: &EngineConfig,
        identity: &Identity,
        declared: &[DeclaredOption],
        lines: &str,
        progress: &dyn Progress,
    ) -> Result<Fingerprint, EvaluateError> {
        let is_set = |name: &str| identity.options.contains_key(name);
        let nets = declared.iter().filter(|option| NETS.contains(&option.name.as_str()) && !is_set(&option.name));
        let nets = nets.filter_map(|option| match &option.kind {
            OptionKind::String { default: Some(net) } if !net.is_empty() => Some(net.clone()),
            _ => None,
        });
        let option = |(name, value): (&String, &String)| Ok((name.clone(), Value::new(value, progress)?));
        Ok(Fingerprint {
            name: identity.name.clone(),
            engine_file,
            arguments: config.arguments().iter().map(|text| Value::new(text, progress)).collect::<Result<_, _>>()?,
            nets: nets.collect(),
            options: identity.options.iter().map(option).collect::<Result<_, EvaluateError>>()?,
            lines: lines.to_owned(),
        })
    }

    /// The arguments, the net and the options as text for people.
    pub fn settings(&self) -> String {
        let mut words = Vec::new();
        if !self.arguments.is_empty() {
            let arguments: Vec<String> = self.arguments.iter().map(Value::shown).collect();
            words.push(format!("arguments {}", arguments.join(" ")));
        }
        words.append(&mut self.nets_and_options());
        words.join(", ")
    }

    fn nets_and_options(&self) -> Vec<String> {
        let mut options = vec![format!("MultiPV={}", self.lines)];
        options.extend(self.options.iter().map(|(name, value)| format!("{name}={}", value.shown())));
        options.sort();
        self.nets.iter().map(|net| format!("net {net}")).chain(options).collect()
    }

    /// The key of the engine's answers to a depth in the cache. Whatever differs makes another key: every text in it is
    /// quoted.
    pub fn key(&self, depth: u16) -> String {
        let Fingerprint { name, engine_file, arguments, nets, options, lines } = self;
        format!("{:?}", (name, engine_file, arguments, nets, options, lines, depth, PROTOCOL))
    }

    /// The key of the engine's answers that errare used before keys held the engine's arguments.
    pub fn old_key(&self, depth: u16) -> String {
        format!("{}; {}; {}; depth {depth}", self.name, self.engine_file, self.nets_and_options().join(", "))
    }
}

/// The value of an option, or an argument. Files and folders are identified by what is in them, not by where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    File {
        name: String,
        hash: String,
    },
    /// Folders as in `PATH`: the text, and the hash of the names and sizes of the files in them.
    Folders {
        text: String,
        hash: String,
    },
}

impl Value {
    fn new(text: &str, progress: &dyn Progress) -> Result<Value, EvaluateError> {
        let path = Path::new(text);
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            return Ok(Value::File { name: name.to_string_lossy().into_owned(), hash: hash(path, progress)? });
        }
        if !text.is_empty() && std::env::split_paths(text).all(|folder| folder.is_dir()) {
            return Ok(Value::Folders { text: text.to_owned(), hash: hash_of_folders(text, progress)? });
        }
        Ok(Value::Text(text.to_owned()))
    }

    fn shown(&self) -> String {
        match self {
            Value::Text(text) | Value::Folders { text, .. } => text.clone(),
            Value::File { name, hash } => format!("{name} (sha256:{})", &hash[..SHOWN]),
        }
    }
}

fn hash_of_folders(text: &str, progress: &dyn Progress) -> Result<String, EvaluateError> {
    let mut hasher = Sha256::new();
    for folder in std::env::split_paths(text) {
        let failed = |source| EvaluateError::File { path: folder.clone(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            progress.proceed()?;
            let entry = entry.map_err(failed)?;
            files.push((entry.file_name(), entry.metadata().map_or(0, |data| data.len())));
        }
        files.sort();
        hasher.update(format!("{files:?}"));
    }
    Ok(in_digits(hasher))
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
    Ok(in_digits(hasher))
}

fn in_digits(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
        let settings = |config: &EngineConfig, identity: &Identity| {
            Fingerprint::new(String::new(), config, identity, &declared, "all", &Silent).unwrap().settings()
        };
        let bare = EngineConfig::new(&engine);
        assert_eq!(settings(&bare, &identity), "net nn-1.nnue, Hash=64, MultiPV=all");
        identity.options.insert("EvalFile".to_owned(), net.display().to_string());
        let own = "EvalFile=some.nnue (sha256:e3b0c44298fc1c14), Hash=64, MultiPV=all";
        assert_eq!(settings(&bare, &identity), own);
        let arguments = "arguments -v some.nnue (sha256:e3b0c44298fc1c14), ";
        assert_eq!(settings(&config, &identity), format!("{arguments}{own}"));
    }

    /// Each of these runs of an engine may give other answers, so that none may have the key of another.
    #[test]
    fn whatever_may_change_answers_changes_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        let run = |name: &str, file: &str, arguments: &[&str], options: &[(&str, &str)], lines: &str| {
            let config = arguments.iter().fold(EngineConfig::new("x"), |config, argument| config.arg(*argument));
            let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            let identity = Identity { name: name.to_owned(), author: String::new(), options };
            Fingerprint::new(file.to_owned(), &config, &identity, &[], lines, &Silent).unwrap()
        };
        let path = tables.to_str().unwrap();
        let mut keys = vec![
            run("E", "f", &[], &[], "all").key(10),
            run("E", "f", &[], &[], "all").key(11),
            run("E", "f", &[], &[], "2").key(10),
            run("E", "g", &[], &[], "all").key(10),
            run("F", "f", &[], &[], "all").key(10),
            run("E", "f", &["weak"], &[], "all").key(10),
            run("E", "f", &["strong"], &[], "all").key(10),
            run("E", "f", &["weak", "strong"], &[], "all").key(10),
            run("E", "f", &["weak strong"], &[], "all").key(10),
            run("E", "f", &[], &[("A", "1"), ("B", "2")], "all").key(10),
            run("E", "f", &[], &[("A", "1, B=2")], "all").key(10),
            run("E", "f", &[], &[("SyzygyPath", path)], "all").key(10),
        ];
        std::fs::write(tables.join("KQKR.rtbw"), "x").unwrap();
        keys.push(run("E", "f", &[], &[("SyzygyPath", path)], "all").key(10));
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}
